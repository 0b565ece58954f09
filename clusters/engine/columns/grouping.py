"""Which pods belong to which group, with constant-time joins and departures."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

Slots = NDArray[np.int32]

_NONE: Slots = np.empty(0, np.int32)


class Grouping:
    """Disjoint groups of pod slots, each kept as a compact array.

    Copies share their arrays until one side changes a group (copy on write).
    """

    def __init__(self) -> None:
        self._members: dict[int, array[int]] = {}
        self._position: dict[int, int] = {}
        self._own: set[int] = set()

    def copy(self) -> Grouping:
        twin = Grouping()
        twin._members = dict(self._members)
        twin._position = dict(self._position)
        self._own.clear()
        return twin

    def _writable(self, group: int) -> array[int]:
        members = self._members.get(group)
        if members is None:
            members = self._members[group] = array("i")
            self._own.add(group)
        elif group not in self._own:
            members = self._members[group] = array("i", members)
            self._own.add(group)
        return members

    def add(self, slot: int, group: int) -> None:
        members = self._writable(group)
        self._position[slot] = len(members)
        members.append(slot)

    def discard(self, slot: int, group: int) -> None:
        members = self._writable(group)
        position = self._position.pop(slot)
        last = members.pop()
        if last != slot:
            members[position] = last
            self._position[last] = position
        if not members:
            del self._members[group]
            self._own.discard(group)

    def slots(self, group: int) -> Slots:
        """The members of a group, shape (M,)."""
        members = self._members.get(group)
        return _NONE if members is None else np.array(members, np.int32)

    def slots_of(self, groups: Iterable[int]) -> Slots:
        """The members of several groups together."""
        found = [self._members[group] for group in groups if group in self._members]
        if not found:
            return _NONE
        if len(found) == 1:
            return np.array(found[0], np.int32)
        return np.concatenate([np.array(members, np.int32) for members in found])

    def __contains__(self, group: int) -> bool:
        """Whether a group has members."""
        return group in self._members

    def __iter__(self) -> Iterator[int]:
        return iter(self._members)

    def __len__(self) -> int:
        return len(self._members)
