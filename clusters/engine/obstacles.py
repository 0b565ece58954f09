"""What stands between a pod and each node: the requirements that reject it there, whatever the others say."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from clusters.engine.plugin import Constraint

if TYPE_CHECKING:
    from clusters.engine.cycle import Cycle
    from clusters.engine.edits import Edit
    from clusters.engine.plugin import Plugin
    from clusters.engine.status import Mask
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

    def others_pass(self, name: str) -> Mask:
        """Shape (N,): nodes that every filter but this one lets pass."""
        passing = np.ones(len(self._cycle.snapshot.nodes), np.bool_)
        for other, failing in self._failing.items():
            if other != name:
                passing &= ~failing
        return passing

    @cached_property
    def _masks(self) -> dict[Constraint, Mask]:
        """For each requirement the nodes that it rejects by itself; those that one edit lifts count as one."""
        found: dict[Constraint, Mask] = {}
        lifting: dict[Edit, Constraint] = {}
        for name in self.rejecting:
            for constraint, mask in zip(self._constraints_of(name), self._blocking(name), strict=True):
                same = constraint if constraint.edit is None else lifting.setdefault(constraint.edit, constraint)
                found[same] = found[same] | mask if same in found else mask
        return found

    def _constraints_of(self, name: str) -> tuple[Constraint, ...]:
        """A plugin's requirements; one that ended in PreFilter can only be lifted as a whole."""
        return self._cycle.plugins[name].constraints() if name in self._cycle.filters else (Constraint(name),)

    def _blocking(self, name: str) -> list[Mask]:
        if name not in self._cycle.filters:
            return [self._failing[name]]
        plugin = self._cycle.plugins[name]
        in_worlds = [plugin.blocking(world) for world in self._worlds]
        return [np.logical_or.reduce(masks) for masks in zip(*in_worlds, strict=True)]

    @cached_property
    def constraints(self) -> list[Constraint]:
        """All requirements of the filters that reject some node, in plugin order."""
        return list(self._masks)

    @cached_property
    def _standing(self) -> Mask:
        """Shape (K, N): which requirement stands against which node."""
        shape = len(self._masks), len(self._cycle.snapshot.nodes)
        return np.array(list(self._masks.values()), np.bool_).reshape(shape)

    def alone(self) -> dict[Constraint, Mask]:
        """The requirements that are all that stands against some nodes, and those (N,); of most nodes first."""
        only = self._standing & (self._standing.sum(axis=0) == 1)
        times, constraints = only.sum(axis=1), self.constraints
        return {constraints[number]: only[number] for number in np.argsort(-times, kind="stable") if times[number]}

    def pairs(self, most: int) -> list[tuple[Constraint, Constraint]]:
        """Pairs of requirements that are all that stands against some nodes; at most so many, of most nodes first."""
        constraints = self.constraints
        _, numbers = np.nonzero(self._standing[:, self._standing.sum(axis=0) == 2].T)
        pairs, times = np.unique(numbers.reshape(-1, 2), axis=0, return_counts=True)
        frequent = pairs[np.argsort(-times, kind="stable")][:most]
        return [(constraints[first], constraints[second]) for first, second in frequent]

    def against(self, row: int) -> list[Constraint]:
        """What rejects one node: requirements by themselves, and all of a filter where none does so alone."""
        standing = [constraint for constraint, mask in self._masks.items() if mask[row]]
        named = {constraint.plugin for constraint in standing}
        for name in self.rejecting:
            if self._failing[name][row] and name not in named:
                standing += self._constraints_of(name)
        return list(dict.fromkeys(standing))
