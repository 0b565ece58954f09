"""The order in which Go's ``sort.Slice`` leaves equal elements.

The scheduler sorts preemption victims with it. The sort is not stable: beyond twelve elements the place of equals
depends on its steps, and victims of equal importance are common. So the steps are followed here: a pattern-defeating
quicksort (Orson Peters, arXiv 2106.05123) with insertion sort for short runs, as Go has had it since 1.19.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

Item = TypeVar("Item")

_SHORT = 12
_NINTHER_FROM = 50
_MOST_SWAPS = 12
_MOST_REPAIRS = 5
_REPAIR_FROM = 50
_WORD = (1 << 64) - 1


def unstable_sort(items: Sequence[Item], less: Callable[[Item, Item], bool]) -> list[Item]:
    """Sort as Go's ``sort.Slice`` does, also with a ``less`` that contradicts itself."""
    sorter = _Sorter(list(items), less)
    sorter.sort(0, len(items), len(items).bit_length())
    return sorter.items


class _Sorter(Generic[Item]):
    """Sorts ``items`` in place; ranges are half open."""

    def __init__(self, items: list[Item], less: Callable[[Item, Item], bool]) -> None:
        self.items = items
        self._compare = less

    def _less(self, left: int, right: int) -> bool:
        return self._compare(self.items[left], self.items[right])

    def _swap(self, left: int, right: int) -> None:
        self.items[left], self.items[right] = self.items[right], self.items[left]

    def sort(self, start: int, end: int, bad_pivots_left: int) -> None:
        balanced = partitioned = True
        while end - start > _SHORT:
            if bad_pivots_left == 0:
                self._heap_sort(start, end)
                return
            if not balanced:
                self._scatter(start, end)
                bad_pivots_left -= 1
            pivot, swaps = self._choose_pivot(start, end)
            rising = swaps == 0
            if swaps == _MOST_SWAPS:
                self.items[start:end] = self.items[start:end][::-1]
                pivot = end - 1 - (pivot - start)
                rising = True
            if balanced and partitioned and rising and self._repair(start, end):
                return
            if start > 0 and not self._less(start - 1, pivot):
                start = self._gather_equals(start, end, pivot)
                continue
            middle, partitioned = self._partition(start, end, pivot)
            left, right = middle - start, end - middle
            balanced = min(left, right) >= (end - start) // 8
            if left < right:
                self.sort(start, middle, bad_pivots_left)
                start = middle + 1
            else:
                self.sort(middle + 1, end, bad_pivots_left)
                end = middle
        self._insertion_sort(start, end)

    def _insertion_sort(self, start: int, end: int) -> None:
        for number in range(start + 1, end):
            self._sink(number, start)

    def _sink(self, number: int, lowest: int) -> None:
        """Move an element down while it is less than the one before."""
        while number > lowest and self._less(number, number - 1):
            self._swap(number, number - 1)
            number -= 1

    def _heap_sort(self, start: int, end: int) -> None:
        size = end - start
        for root in range((size - 1) // 2, -1, -1):
            self._sift_down(start, root, size)
        for last in range(size - 1, -1, -1):
            self._swap(start, start + last)
            self._sift_down(start, 0, last)

    def _sift_down(self, start: int, root: int, size: int) -> None:
        while (child := 2 * root + 1) < size:
            if child + 1 < size and self._less(start + child, start + child + 1):
                child += 1
            if not self._less(start + root, start + child):
                return
            self._swap(start + root, start + child)
            root = child

    def _scatter(self, start: int, end: int) -> None:
        """Swap three elements of the middle with pseudo-random others, to break a pattern."""
        length = end - start
        state, mask = length, (1 << length.bit_length()) - 1
        middle = start + length // 4 * 2
        for place in (middle - 1, middle, middle + 1):
            state ^= state << 13 & _WORD
            state ^= state >> 7
            state ^= state << 17 & _WORD
            other = state & mask
            self._swap(place, start + (other - length if other >= length else other))

    def _choose_pivot(self, start: int, end: int) -> tuple[int, int]:
        """A pivot near the median, and how many swaps finding it took."""
        length = end - start
        quarters = [start + length // 4 * part for part in (1, 2, 3)]
        swaps = 0
        if length >= _NINTHER_FROM:
            for number, place in enumerate(quarters):
                quarters[number], more = self._median(place - 1, place, place + 1)
                swaps += more
        median, more = self._median(*quarters)
        return median, swaps + more

    def _median(self, first: int, second: int, third: int) -> tuple[int, int]:
        swaps = 0
        if self._less(second, first):
            first, second, swaps = second, first, swaps + 1
        if self._less(third, second):
            second, swaps = third, swaps + 1
        if self._less(second, first):
            second, swaps = first, swaps + 1
        return second, swaps

    def _repair(self, start: int, end: int) -> bool:
        """Sort a range that is almost sorted; gives up after a few repairs."""
        place = start + 1
        for _ in range(_MOST_REPAIRS):
            while place < end and not self._less(place, place - 1):
                place += 1
            if place == end:
                return True
            if end - start < _REPAIR_FROM:
                return False
            self._swap(place, place - 1)
            if place - start >= 2:
                self._sink(place - 1, 0)
            if end - place >= 2:
                self._rise(place + 1, end)
        return False

    def _rise(self, place: int, end: int) -> None:
        """Move the element before ``place`` up while the next one is less."""
        while place < end and self._less(place, place - 1):
            self._swap(place, place - 1)
            place += 1

    def _partition(self, start: int, end: int, pivot: int) -> tuple[int, bool]:
        """Put what is less than the pivot before it; says whether that was so already."""
        self._swap(start, pivot)
        low, high, untouched = start + 1, end - 1, True
        while True:
            while low <= high and self._less(low, start):
                low += 1
            while low <= high and not self._less(high, start):
                high -= 1
            if low > high:
                break
            self._swap(low, high)
            low, high, untouched = low + 1, high - 1, False
        self._swap(high, start)
        return high, untouched

    def _gather_equals(self, start: int, end: int, pivot: int) -> int:
        """Put what equals the pivot first, given that nothing is less; returns where the greater ones begin."""
        self._swap(start, pivot)
        low, high = start + 1, end - 1
        while True:
            while low <= high and not self._less(start, low):
                low += 1
            while low <= high and self._less(start, high):
                high -= 1
            if low > high:
                return low
            self._swap(low, high)
            low, high = low + 1, high - 1
