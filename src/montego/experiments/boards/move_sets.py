"""Two sets from which a random element can be drawn: 000's array with a map, and 003's tree.

The array has the elements in any order, beside a hash map that says where each of them is (000
5.3). To remove one, the last takes its place. Everything is O(1).

The tree is a binary search tree that is kept balanced (G. Adelson-Velsky and E. Landis, 1962): the
heights of the two subtrees of a node differ by one at most. Each node also knows how many elements
its left subtree has, which leads to the i-th element without passing the others. Everything is
O(log n).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random


class IndexedSet:
    """A set of integers in any order, all operations in constant time.

    >>> points = IndexedSet([3, 1, 4])
    >>> points.remove(3)
    >>> sorted(points)
    [1, 4]
    """

    def __init__(self, elements: list[int] | None = None) -> None:
        self._array = list(elements or ())
        self._place = {element: place for place, element in enumerate(self._array)}

    def copy(self) -> IndexedSet:
        """Return an independent copy."""
        twin = IndexedSet()
        twin._array = list(self._array)  # Its own class.
        twin._place = dict(self._place)
        return twin

    def __len__(self) -> int:
        return len(self._array)

    def __contains__(self, element: int) -> bool:
        return element in self._place

    def __iter__(self) -> Iterator[int]:
        return iter(self._array)

    def add(self, element: int) -> None:
        """Insert an element that may be there already."""
        if element not in self._place:
            self._place[element] = len(self._array)
            self._array.append(element)

    def remove(self, element: int) -> None:
        """Remove an element.

        Raises:
            KeyError: If it is not there.
        """
        place = self._place.pop(element)
        last = self._array.pop()
        if last != element:
            self._array[place] = last
            self._place[last] = place

    def draw(self, random: Random) -> int:
        """Return one of the elements, all equally likely.

        Raises:
            IndexError: If there is none.
        """
        return random.choice(self._array)


LEFT, RIGHT = 0, 1


@dataclass(slots=True)
class _Subtree:
    element: int
    children: list[_Subtree | None] = field(default_factory=lambda: [None, None])
    height: int = 1
    smaller: int = 0  # elements of the left child

    def copy(self) -> _Subtree:
        children = [None if child is None else child.copy() for child in self.children]
        return _Subtree(self.element, children, self.height, self.smaller)

    def __iter__(self) -> Iterator[int]:
        yield from self.children[LEFT] or ()
        yield self.element
        yield from self.children[RIGHT] or ()


class OrderStatisticTree:
    """A set of integers in order: a balanced tree that counts its elements.

    >>> tree = OrderStatisticTree([3, 1, 4])
    >>> tree[0], tree[1], tree[2]
    (1, 3, 4)
    """

    def __init__(self, elements: list[int] | None = None) -> None:
        self._root: _Subtree | None = None
        self._count = 0
        for element in elements or ():
            self.add(element)

    def copy(self) -> OrderStatisticTree:
        """Return an independent copy."""
        twin = OrderStatisticTree()
        twin._root = None if self._root is None else self._root.copy()  # Its own.
        twin._count = self._count
        return twin

    def __len__(self) -> int:
        return self._count

    def __contains__(self, element: int) -> bool:
        node = self._root
        while node is not None and node.element != element:
            node = node.children[element > node.element]
        return node is not None

    def __iter__(self) -> Iterator[int]:
        return iter(() if self._root is None else self._root)

    def __getitem__(self, index: int) -> int:
        """Return the element that has *index* smaller ones.

        Raises:
            IndexError: If there are not so many.
        """
        node = self._root if index >= 0 else None
        while node is not None and index != node.smaller:
            side = index > node.smaller
            index -= side * (node.smaller + 1)
            node = node.children[side]
        if node is None:
            raise IndexError(index)
        return node.element

    def add(self, element: int) -> None:
        """Insert an element that may be there already."""
        if element not in self:
            self._root = _with(self._root, element)
            self._count += 1

    def remove(self, element: int) -> None:
        """Remove an element.

        Raises:
            KeyError: If it is not there.
        """
        if element not in self:
            raise KeyError(element)
        self._root = _without(self._root, element)
        self._count -= 1

    def draw(self, random: Random) -> int:
        """Return one of the elements, all equally likely.

        Raises:
            IndexError: If there is none.
        """
        if self._count == 0:
            raise IndexError("there is no element to draw")
        return self[random.randrange(self._count)]


def _with(node: _Subtree | None, element: int) -> _Subtree:
    """Return the subtree with an element that it has not yet."""
    if node is None:
        return _Subtree(element)
    side = element > node.element
    node.children[side] = _with(node.children[side], element)
    node.smaller += side == LEFT
    return _balanced(node)


def _without(node: _Subtree | None, element: int) -> _Subtree | None:
    """Return the subtree without an element that it has."""
    assert node is not None  # noqa: S101  # The element is there: the caller has looked.
    left, right = node.children
    if element == node.element:
        if left is None or right is None:
            return left or right
        # The next larger element takes its place.
        node.element = element = next(iter(right))
        node.children[RIGHT] = _without(right, element)
    else:
        side = element > node.element
        node.children[side] = _without(node.children[side], element)
        node.smaller -= side == LEFT
    return _balanced(node)


def _height(node: _Subtree | None) -> int:
    return 0 if node is None else node.height


def _balanced(node: _Subtree) -> _Subtree:
    """Return the subtree with heights set right, its two sides differing by one at most."""
    for side, child in enumerate(node.children):
        if child is not None and child.height - _height(node.children[1 - side]) > 1:
            if _height(child.children[side]) < _height(child.children[1 - side]):
                node.children[side] = _turned(child, 1 - side)
            return _turned(node, side)
    node.height = 1 + max(map(_height, node.children))
    return node


def _turned(node: _Subtree, side: int) -> _Subtree:
    """Return the subtree with the child of that side, which there must be, on top."""
    top = node.children[side]
    assert top is not None  # noqa: S101  # It is the higher side.
    node.children[side], top.children[1 - side] = top.children[1 - side], node
    if side == LEFT:
        node.smaller -= top.smaller + 1
    else:
        top.smaller += node.smaller + 1
    node.height = 1 + max(map(_height, node.children))
    top.height = 1 + max(map(_height, top.children))
    return top


MoveSet: TypeAlias = IndexedSet | OrderStatisticTree
