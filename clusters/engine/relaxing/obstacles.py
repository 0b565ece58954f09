"""The requirements of a pod that reject it on each node, each evaluated independently of the others."""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from clusters.engine.plugin import Constraint

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusters.engine.cycle import Cycle
    from clusters.engine.plugin import Plugin
    from clusters.engine.relaxing.edits import Edit
    from clusters.engine.status import Index, Mask
    from clusters.engine.world import World


class Obstacles:
    """The requirements that reject nodes in a cycle, nominated pods counted in. N nodes, K requirements."""

    def __init__(self, cycle: Cycle) -> None:
        self._cycle = cycle
        self._worlds: list[World | None] = [None]
        if cycle.nominated_world is not None:
            self._worlds.append(cycle.nominated_world)
        self._failing: dict[str, Mask] = {name: self._failure(cycle.plugins[name]) for name in cycle.filters}
        for name, result in cycle.pre_filters.items():
            # A rejection before any node was looked at stands on every node.
            if not result.status.ok and name not in cycle.skipped:
                self._failing[name] = np.ones(len(cycle.snapshot.nodes), np.bool_)
        self.rejecting = [name for name, mask in self._failing.items() if mask.any()]

    def _failure(self, plugin: Plugin) -> Mask:
        failing = np.zeros(len(self._cycle.snapshot.nodes), np.bool_)
        for world in self._worlds:
            failed = plugin.filter(world).failed
            if failed is not None:
                failing |= failed
        return failing

    def only(self, name: str) -> Mask:
        """Shape (N,): nodes that this filter rejects and every other lets pass."""
        return self._failing[name] & self.others_pass(name)

    def others_pass(self, *names: str) -> Mask:
        """Shape (N,): nodes that every filter but these lets pass, and every extender."""
        passing = ~self._cycle.left_out
        for other, failing in self._failing.items():
            if other not in names:
                passing &= ~failing
        return passing

    @cached_property
    def _named(self) -> dict[str, list[Constraint]]:
        """By filter its requirements, one for each of its masks; those that one edit lifts are one and the same."""
        lifting: dict[Edit, Constraint] = {}
        return {
            name: [
                each if each.edit is None else lifting.setdefault(each.edit, each)
                for each in self._constraints_of(name)
            ]
            for name in self.rejecting
        }

    def _each(self) -> Iterator[tuple[Constraint, Mask]]:
        """Each requirement with the nodes that it rejects by itself, one after the other: there may be thousands."""
        for name, constraints in self._named.items():
            yield from zip(constraints, self._blocking(name), strict=True)

    @cached_property
    def constraints(self) -> list[Constraint]:
        """All requirements of the filters that reject some node, in plugin order."""
        return list(dict.fromkeys(each for constraints in self._named.values() for each in constraints))

    @cached_property
    def _against(self) -> tuple[Index, Index, Index]:
        """How many requirements stand against each node, and the first two of them by number, each shape (N,)."""
        numbers = {constraint: number for number, constraint in enumerate(self.constraints)}
        times = Counter(each for constraints in self._named.values() for each in constraints)
        count, first, second = (np.zeros(len(self._cycle.snapshot.nodes), np.intp) for _ in range(3))
        several: dict[Constraint, Mask] = {}

        def note(number: int, mask: Mask) -> None:
            second[mask & (count == 1)] = number
            first[mask & (count == 0)] = number
            np.add(count, mask, out=count)

        for constraint, mask in self._each():
            if times[constraint] == 1:
                note(numbers[constraint], mask)
            else:
                several[constraint] = several[constraint] | mask if constraint in several else mask
        for constraint, mask in several.items():
            note(numbers[constraint], mask)
        return count, first, second

    def _constraints_of(self, name: str) -> tuple[Constraint, ...]:
        """A plugin's requirements; one that ended in PreFilter can only be lifted as a whole."""
        return self._cycle.plugins[name].constraints() if name in self._cycle.filters else (Constraint(name),)

    def _blocking(self, name: str) -> Iterator[Mask]:
        if name not in self._cycle.filters:
            yield self._failing[name]
            return
        plugin = self._cycle.plugins[name]
        in_worlds = [plugin.blocking(world) for world in self._worlds]
        yield from (np.logical_or.reduce(masks) for masks in zip(*in_worlds, strict=True))

    @cached_property
    def fixed(self) -> Mask:
        """Shape (N,): nodes that a requirement rejects which nobody should lift."""
        mask = np.zeros(len(self._cycle.snapshot.nodes), np.bool_)
        if any(constraint.is_fixed for constraint in self.constraints):
            for constraint, rejected in self._each():
                if constraint.is_fixed:
                    mask |= rejected
        return mask

    def alone(self) -> dict[Constraint, Mask]:
        """The requirements that are all that stands against some nodes, and those (N,); of most nodes first."""
        count, first, _ = self._against
        times = np.bincount(first[count == 1], minlength=len(self.constraints))
        order = [number for number in np.argsort(-times, kind="stable").tolist() if times[number]]
        return {self.constraints[number]: (count == 1) & (first == number) for number in order}

    def pairs(self, most: int) -> list[tuple[Constraint, Constraint]]:
        """Pairs of requirements that are all that stands against some nodes; at most so many, of most nodes first."""
        count, first, second = self._against
        both = np.sort(np.stack([first[count == 2], second[count == 2]], axis=1), axis=1)
        pairs, times = np.unique(both, axis=0, return_counts=True)
        frequent = pairs[np.argsort(-times, kind="stable")][:most]
        return [(self.constraints[left], self.constraints[right]) for left, right in frequent.tolist()]

    def against(self, row: int) -> list[Constraint]:
        """What rejects one node: requirements by themselves, and all of a filter where none does so alone."""
        standing = [constraint for constraint, mask in self._each() if mask[row]]
        named = {constraint.plugin for constraint in standing}
        for name in self.rejecting:
            if self._failing[name][row] and name not in named:
                standing += self._constraints_of(name)
        return list(dict.fromkeys(standing))
