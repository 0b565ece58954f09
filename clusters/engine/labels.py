"""Label sets that selectors find without looking at each: numbered, and indexed by key, by value and by namespace."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Final

import numpy as np
from msgspec import Struct

from clusters.engine.selectors import LabelSelector, Operator, Requirement

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusters.engine.status import Index, Mask


# Selections that are remembered, and how many numbers they may hold together.
_MOST_SELECTIONS: Final = 4096


_MOST_NUMBERS: Final = 1 << 22


# Up to so many candidates are looked at one by one.
_FEW: Final = 32


_NONE: Index = np.empty(0, np.intp)


class LabelSet(Struct, frozen=True):
    """The namespace and labels that many objects have in common."""

    namespace: str
    labels: Mapping[str, str]


class LabelIndex:
    """Label sets by number. Copies share what both know until one of them learns another set (copy on write)."""

    def __init__(self) -> None:
        self.sets: list[LabelSet] = []
        self._with_key: dict[str, array[int]] = {}
        self._with_pair: dict[tuple[str, str], array[int]] = {}
        self._in_namespace: dict[str, array[int]] = {}
        self._shared = False
        self._selections: dict[tuple[frozenset[str] | None, LabelSelector], tuple[int, Index]] = {}
        self._remembered = 0

    def __len__(self) -> int:
        return len(self.sets)

    def copy(self) -> LabelIndex:
        """An index that may learn other sets than this one."""
        twin = LabelIndex()
        twin.sets, twin._in_namespace = self.sets, self._in_namespace
        twin._with_key, twin._with_pair = self._with_key, self._with_pair
        self._shared = twin._shared = True
        return twin

    def add(self, label_set: LabelSet) -> int:
        """Take in another set; returns its number."""
        if self._shared:
            self.sets = list(self.sets)
            self._with_key = {key: array("q", numbers) for key, numbers in self._with_key.items()}
            self._with_pair = {pair: array("q", numbers) for pair, numbers in self._with_pair.items()}
            self._in_namespace = {name: array("q", numbers) for name, numbers in self._in_namespace.items()}
            self._shared = False
        number = len(self.sets)
        self.sets.append(label_set)
        self._in_namespace.setdefault(label_set.namespace, array("q")).append(number)
        for pair in label_set.labels.items():
            self._with_key.setdefault(pair[0], array("q")).append(number)
            self._with_pair.setdefault(pair, array("q")).append(number)
        return number

    def select(self, selector: LabelSelector, namespaces: frozenset[str] | None) -> Index:
        """Numbers of the sets that a selector matches in these namespaces (None: in all), rising, shape (M,)."""
        memo = (namespaces, selector)
        seen, matched = self._selections.get(memo, (0, _NONE))
        if seen < len(self.sets):
            found = self._search(selector, namespaces) if seen == 0 else self._later(selector, namespaces, seen)
            self._remembered += len(found)
            if len(self._selections) > _MOST_SELECTIONS or self._remembered > _MOST_NUMBERS:
                self._selections.clear()
                self._remembered = len(matched) + len(found)
            matched = found if seen == 0 else np.concatenate([matched, found])
            self._selections[memo] = (len(self.sets), matched)
        return matched

    def _later(self, selector: LabelSelector, namespaces: frozenset[str] | None, start: int) -> Index:
        """What of the sets from ``start`` on is selected."""
        return np.array(
            [number for number in range(start, len(self.sets)) if self._matches(number, selector, namespaces)], np.intp
        )

    def _search(self, selector: LabelSelector, namespaces: frozenset[str] | None) -> Index:
        if selector.matches_nothing:
            return _NONE
        found = [
            self._having(requirement)
            for requirement in selector.requirements
            if requirement.operator in (Operator.IN, Operator.EXISTS)
        ]
        if namespaces is not None:
            found.append([self._in_namespace[name] for name in namespaces if name in self._in_namespace])
        if found:
            fewest = min(found, key=_size)
            if _size(fewest) <= _FEW:
                candidates = sorted(number for numbers in fewest for number in numbers)
                return np.array(
                    [number for number in candidates if self._matches(number, selector, namespaces)], np.intp
                )
        mask = np.ones(len(self.sets), np.bool_)
        for lists in found:
            mask &= self._mask(lists)
        for requirement in selector.requirements:
            if requirement.operator in (Operator.NOT_IN, Operator.DOES_NOT_EXIST):
                mask &= ~self._mask(self._having(requirement))
        return np.flatnonzero(mask)

    def _having(self, requirement: Requirement) -> list[array[int]]:
        """Numbers of the sets with the key of a requirement, and one of its values where it names any."""
        key = requirement.key
        if key not in self._with_key:
            return []
        if requirement.operator in (Operator.EXISTS, Operator.DOES_NOT_EXIST):
            return [self._with_key[key]]
        pairs = ((key, value) for value in requirement.values)
        return [self._with_pair[pair] for pair in pairs if pair in self._with_pair]

    def _mask(self, lists: list[array[int]]) -> Mask:
        mask = np.zeros(len(self.sets), np.bool_)
        for numbers in lists:
            mask[np.array(numbers, np.intp)] = True
        return mask

    def _matches(self, number: int, selector: LabelSelector, namespaces: frozenset[str] | None) -> bool:
        label_set = self.sets[number]
        return (namespaces is None or label_set.namespace in namespaces) and selector.matches(label_set.labels)


def _size(lists: list[array[int]]) -> int:
    return sum(map(len, lists))
