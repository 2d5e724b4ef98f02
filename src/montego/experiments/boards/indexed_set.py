"""A set from which a random element can be drawn: an array beside a hash map (000 5.3).

The array has the elements in any order, the map says where each of them is. To remove one, the
last takes its place. Everything is O(1).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random


class IndexedSet:
    """A set of integers.

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
