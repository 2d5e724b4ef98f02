"""Two sets from which a random element can be drawn: 000's array with a map, and 003's tree.

The array has the elements in any order, beside a hash map that says where each of them is (000
5.3). To remove one, the last takes its place. Everything is O(1).

The tree is a binary search tree that is kept balanced (G. Adelson-Velsky and E. Landis, 1962): the
heights of the two subtrees of a node differ by one at most. Each node also knows how many elements
its left subtree has, which leads to the i-th element without passing the others. Everything is
O(log n).
"""

from __future__ import annotations

from dataclasses import dataclass
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


@dataclass(slots=True)
class _Subtree:
    element: int
    left: _Subtree | None = None
    right: _Subtree | None = None
    height: int = 1
    smaller: int = 0  # elements of the left subtree

    def copy(self) -> _Subtree:
        left = None if self.left is None else self.left.copy()
        right = None if self.right is None else self.right.copy()
        return _Subtree(self.element, left, right, self.height, self.smaller)

    def __iter__(self) -> Iterator[int]:
        if self.left is not None:
            yield from self.left
        yield self.element
        if self.right is not None:
            yield from self.right


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
            node = node.left if element < node.element else node.right
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
            if index < node.smaller:
                node = node.left
            else:
                index -= node.smaller + 1
                node = node.right
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
    if element < node.element:
        node.left = _with(node.left, element)
        node.smaller += 1
    else:
        node.right = _with(node.right, element)
    return _balanced(node)


def _without(node: _Subtree | None, element: int) -> _Subtree | None:
    """Return the subtree without an element that it has."""
    assert node is not None  # noqa: S101  # The element is there: the caller has looked.
    if element < node.element:
        node.left = _without(node.left, element)
        node.smaller -= 1
    elif element > node.element:
        node.right = _without(node.right, element)
    elif node.left is None or node.right is None:
        return node.right if node.left is None else node.left
    else:
        # The next larger element takes its place.
        heir = node.right
        while heir.left is not None:
            heir = heir.left
        node.element = heir.element
        node.right = _without(node.right, heir.element)
    return _balanced(node)


def _height(node: _Subtree | None) -> int:
    return 0 if node is None else node.height


def _balanced(node: _Subtree) -> _Subtree:
    """Return the subtree with heights set right, its two sides differing by one at most."""
    balance = _height(node.left) - _height(node.right)
    if balance > 1:
        left = node.left
        assert left is not None  # noqa: S101  # It is the higher side, here and below.
        if _height(left.left) < _height(left.right):
            node.left = _turned_left(left)
        return _turned_right(node)
    if balance < -1:
        right = node.right
        assert right is not None  # noqa: S101
        if _height(right.right) < _height(right.left):
            node.right = _turned_right(right)
        return _turned_left(node)
    node.height = 1 + max(_height(node.left), _height(node.right))
    return node


def _turned_right(node: _Subtree) -> _Subtree:
    """Return the subtree with the left child on top."""
    top = node.left
    assert top is not None  # noqa: S101  # The callers see to it, here and below.
    node.left, top.right = top.right, node
    node.smaller -= top.smaller + 1
    node.height = 1 + max(_height(node.left), _height(node.right))
    top.height = 1 + max(_height(top.left), _height(top.right))
    return top


def _turned_left(node: _Subtree) -> _Subtree:
    """Return the subtree with the right child on top."""
    top = node.right
    assert top is not None  # noqa: S101
    node.right, top.left = top.left, node
    top.smaller += node.smaller + 1
    node.height = 1 + max(_height(node.left), _height(node.right))
    top.height = 1 + max(_height(top.left), _height(top.right))
    return top


MoveSet: TypeAlias = IndexedSet | OrderStatisticTree
