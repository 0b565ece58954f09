"""What would make a pod fit: each single requirement lifted by itself, and where none suffices, pairs.

A requirement is what a user wrote or a node has: one spread constraint, one affinity term, one taint, one resource.
Lifting means judging again without it; nothing else changes.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from clusters.engine.plugin import Constraint, Plugin
from clusters.engine.plugins.node_resources_fit import PODS, NodeResourcesFit
from clusters.engine.taints import Taint

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clusters.engine.cycle import Cycle
    from clusters.engine.status import Ints, Mask
    from clusters.engine.world import World

# Constraints up to which all are tried, and lifts of a kind that are tried at all beyond that.
_FEW = 32
_MOST = 20


# Taints that say how a node is, rather than whom it is for.
_HEALTH = frozenset(
    (
        *(
            f"node.kubernetes.io/{condition}"
            for condition in (
                "not-ready",
                "unreachable",
                "memory-pressure",
                "disk-pressure",
                "pid-pressure",
                "network-unavailable",
                "out-of-service",
            )
        ),
        "node.cloudprovider.kubernetes.io/shutdown",
        "node.cloudprovider.kubernetes.io/uninitialized",
    )
)
CORDON_TAINT = "node.kubernetes.io/unschedulable"


class Effort(enum.IntEnum):
    """What somebody would have to do so that a requirement no longer stands, the easiest first."""

    REQUIREMENT = 0
    """Change what the pod, or a neighbour of it, says."""
    NODE = 1
    """Change a node that is well: uncordon it, or raise how much it takes."""
    HEALTH = 2
    """Mend a node."""
    RESOURCE = 3
    """Ask for nothing of a resource, which few pods can; asking for less is a Reduction."""

    @classmethod
    def of(cls, constraint: Constraint) -> Effort:
        if constraint.plugin == "TaintToleration":
            key = constraint.subject.key if isinstance(constraint.subject, Taint) else ""
            return cls.NODE if key == CORDON_TAINT else cls.HEALTH if key in _HEALTH else cls.REQUIREMENT
        if constraint.plugin in ("NodeUnschedulable", "NodeVolumeLimits"):
            return cls.NODE
        if constraint.plugin == NodeResourcesFit.name:
            return cls.NODE if constraint.about == PODS else cls.RESOURCE
        return cls.REQUIREMENT


@dataclass(frozen=True, slots=True)
class Reduction:
    """How much less of a resource must be asked for until some node fits, all else passing there already."""

    resource: str
    asked: int
    fitting: int
    row: int


@dataclass(frozen=True, slots=True)
class Lift:
    """Requirements lifted together, and how many nodes the pod would then fit on.

    A whole filter has one entry without a number; ``rows`` are the nodes gained, in order of name. Where the request
    for a resource is lifted, ``enough`` says which request would do on the one of them that asks for the least change.
    """

    lifted: tuple[Constraint, ...]
    rows: tuple[int, ...]
    enough: tuple[Reduction, ...] = ()

    @property
    def gained(self) -> int:
        return len(self.rows)

    @property
    def effort(self) -> Effort:
        """The hardest of what would have to be done."""
        return max(Effort.of(constraint) for constraint in self.lifted)


@dataclass(frozen=True, slots=True)
class Relaxations:
    """``filters``: whole plugins lifted; ``singles``: single requirements; ``pairs``: given when no single helps.

    ``reductions``: one resource each; ``together``: several resources of one node, given when no single one suffices.
    """

    filters: tuple[Lift, ...]
    singles: tuple[Lift, ...]
    pairs: tuple[Lift, ...]
    reductions: tuple[Reduction, ...]
    together: tuple[Reduction, ...] = ()


@dataclass(frozen=True, slots=True)
class Mending:
    """What would have to change for one node to take the pod.

    ``lifted``: every requirement that stands against it; ``reductions``: for those of them that are requests, which
    one would do. ``suffices``: whether the node takes the pod then.
    """

    lifted: tuple[Constraint, ...]
    reductions: tuple[Reduction, ...]
    suffices: bool


def mend(cycle: Cycle, row: int) -> Mending:
    """Find what stands against one node. Nothing is lifted where it takes the pod already."""
    return _Judge(cycle).mend(row)


def relax(cycle: Cycle) -> Relaxations:
    """Find what, lifted, gains nodes. Sorted by how many nodes are gained, most first."""
    judge = _Judge(cycle)
    singles, pairs = judge.candidates()
    helpful = _sorted(judge.lift((constraint,)) for constraint in singles)
    needed = () if helpful or len(cycle.feasible) else pairs
    reductions = () if len(cycle.feasible) else tuple(judge.reductions())
    return Relaxations(
        filters=tuple(_sorted(judge.lift_filter(name) for name in judge.rejecting)),
        singles=tuple(helpful),
        pairs=tuple(_sorted(judge.lift(pair) for pair in needed)),
        reductions=reductions,
        together=() if reductions or len(cycle.feasible) else judge.joint_reduction(),
    )


def _sorted(lifts: Iterable[Lift]) -> list[Lift]:
    return sorted((lift for lift in lifts if lift.rows), key=lambda lift: -lift.gained)


class _Judge:
    """Feasibility with some requirements lifted, recomputing only the plugins concerned."""

    def __init__(self, cycle: Cycle) -> None:
        self._cycle = cycle
        self._worlds: list[World | None] = [None]
        if cycle.nominated_world is not None:
            self._worlds.append(cycle.nominated_world)
        self._failing: dict[str, Mask] = {name: self._failure(cycle.plugins[name]) for name in cycle.filters}
        count = len(cycle.snapshot.nodes)
        for name, result in cycle.pre_filters.items():
            # A rejection before any node was looked at stands on every node.
            if not result.status.ok and name not in cycle.skipped:
                self._failing[name] = np.ones(count, np.bool_)
        self.rejecting = [name for name, mask in self._failing.items() if mask.any()]
        named = [constraint for name in self.rejecting for constraint in self._own_constraints(name)]
        # Requirements that say the same are one; the place of its first stands for it.
        first = {constraint: place for place, constraint in reversed(list(enumerate(named)))}
        self.constraints = list(dict.fromkeys(named))
        self._first = [first[constraint] for constraint in self.constraints]

    def _own_constraints(self, name: str) -> tuple[Constraint, ...]:
        """A plugin's requirements; one that ended in PreFilter can only be lifted as a whole."""
        if name in self._cycle.filters:
            return self._cycle.plugins[name].constraints()
        return (Constraint(name),)

    def _failure(self, plugin: Plugin, lifted: frozenset[int] = frozenset()) -> Mask:
        failing = np.zeros(len(self._cycle.snapshot.nodes), np.bool_)
        for world in self._worlds:
            failed = plugin.filter(world, lifted).failed
            if failed is not None:
                failing |= failed
        return failing

    def others_pass(self, *names: str) -> Mask:
        """Shape (N,): nodes that every filter but these lets pass."""
        passing = np.ones(len(self._cycle.snapshot.nodes), np.bool_)
        for other, failing in self._failing.items():
            if other not in names:
                passing &= ~failing
        return passing

    def candidates(self) -> tuple[list[Constraint], list[tuple[Constraint, ...]]]:
        """Constraints, and pairs of them, that are all that stands against some node; the most frequent first.

        Where there are few, every single one is tried: without one spread constraint the others may count other nodes.
        """
        shape = len(self.constraints), len(self._cycle.snapshot.nodes)
        standing = np.array(self._blocking(), np.bool_).reshape(shape)
        against = standing.sum(axis=0)
        alone = standing[:, against == 1].sum(axis=1)
        singles = [number for number in np.argsort(-alone, kind="stable") if alone[number]][:_MOST]
        if len(self.constraints) <= _FEW:
            singles = list(range(len(self.constraints)))
        _, numbers = np.nonzero(standing[:, against == 2].T)
        pairs, times = np.unique(numbers.reshape(-1, 2), axis=0, return_counts=True)
        frequent = pairs[np.argsort(-times, kind="stable")][:_MOST]
        return (
            [self.constraints[number] for number in singles],
            [(self.constraints[first], self.constraints[second]) for first, second in frequent],
        )

    def _blocking(self) -> list[Mask]:
        """For each constraint the nodes that it rejects by itself in any world."""
        found: list[Mask] = []
        for name in self.rejecting:
            if name not in self._cycle.filters:
                found.append(self._failing[name])
                continue
            plugin = self._cycle.plugins[name]
            in_worlds = [plugin.blocking(world) for world in self._worlds]
            found += [np.logical_or.reduce(masks) for masks in zip(*in_worlds, strict=True)]
        return [found[number] for number in self._first]

    def _places(self, name: str, constraints: Iterable[Constraint]) -> frozenset[int]:
        """Where constraints stand among a plugin's own."""
        own = self._own_constraints(name)
        return frozenset(place for place, constraint in enumerate(own) if constraint in constraints)

    def lift_filter(self, name: str) -> Lift:
        gained = self.others_pass(name) & self._failing[name]
        return Lift((Constraint(name),), tuple(np.flatnonzero(gained).tolist()))

    def lift(self, constraints: tuple[Constraint, ...]) -> Lift:
        by_plugin = {constraint.plugin: self._places(constraint.plugin, constraints) for constraint in constraints}
        passing = self.others_pass(*by_plugin)
        failing_now = np.zeros(len(passing), np.bool_)
        for name, places in by_plugin.items():
            failing_now |= self._failing[name]
            if passing.any() and name in self._cycle.filters:
                passing &= ~self._failure(self._cycle.plugins[name], places)
        gained = passing & failing_now
        resources = [each.about for each in constraints if each.plugin == NodeResourcesFit.name and each.about != PODS]
        enough = self._least_change(gained, resources) if resources and gained.any() else ()
        return Lift(constraints, tuple(np.flatnonzero(gained).tolist()), enough)

    def mend(self, row: int) -> Mending:
        """Lift what rejects one node by itself; all of a filter where nothing does so alone."""
        standing = [
            constraint for constraint, mask in zip(self.constraints, self._blocking(), strict=True) if mask[row]
        ]
        named = {constraint.plugin for constraint in standing}
        for name in self.rejecting:
            if self._failing[name][row] and name not in named:
                standing += self._own_constraints(name)
        if not standing:
            return Mending((), (), suffices=True)
        fits_resources = [each.about for each in standing if each.plugin == NodeResourcesFit.name]
        short = [resource for resource in fits_resources if resource in self._shortfalls and resource != PODS]
        return Mending(
            tuple(standing),
            tuple(self._reduction(resource, row) for resource in short),
            suffices=row in self.lift(tuple(standing)).rows,
        )

    # -- asking for less ---------------------------------------------------------------------------------

    @cached_property
    def _shortfalls(self) -> dict[str, Ints]:
        """By resource how much is missing on each node, nominated pods counted in; empty where nobody checks."""
        plugin = self._cycle.plugins.get(NodeResourcesFit.name)
        if not isinstance(plugin, NodeResourcesFit) or plugin.name not in self._cycle.filters:
            return {}
        shortfalls = plugin.shortfalls()
        if self._cycle.nominated_world is not None:
            with_nominated = plugin.shortfalls(self._cycle.nominated_world)
            shortfalls = {name: np.maximum(short, with_nominated[name]) for name, short in shortfalls.items()}
        return shortfalls

    def reductions(self) -> Iterable[Reduction]:
        """For each resource the largest request that would fit somewhere, were all other resources as they are."""
        elsewhere = self.others_pass(NodeResourcesFit.name)
        for resource, short in self._shortfalls.items():
            fits_otherwise = elsewhere & (short > 0)
            for other, missing in self._shortfalls.items():
                if other != resource:
                    fits_otherwise &= missing == 0
            rows = np.flatnonzero(fits_otherwise & (short < self._asked(resource)))
            if len(rows):
                row = int(rows[np.argmin(short[rows])])
                yield self._reduction(resource, row)

    def joint_reduction(self) -> tuple[Reduction, ...]:
        """The requests that would fit together on the node that asks for the least change; empty where none would."""
        reachable = self.others_pass(NodeResourcesFit.name)
        for resource, short in self._shortfalls.items():
            reachable &= (short == 0) | (short < self._asked(resource))
        resources = [resource for resource in self._shortfalls if resource != PODS]
        return self._least_change(reachable, resources) if reachable.any() else ()

    def _least_change(self, nodes: Mask, resources: Iterable[str]) -> tuple[Reduction, ...]:
        """What of these resources would have to be asked for on the node of a mask where the least is missing."""
        rows = np.flatnonzero(nodes)
        wanted = {resource: self._asked(resource) for resource in resources}
        missing = np.array([self._shortfalls[resource][rows] / asked for resource, asked in wanted.items()])
        row = int(rows[np.argmin(missing.max(axis=0))])
        return tuple(self._reduction(resource, row) for resource in wanted if self._shortfalls[resource][row])

    def _asked(self, resource: str) -> int:
        return self._cycle.context.pod.requests.get(resource, 0)

    def _reduction(self, resource: str, row: int) -> Reduction:
        asked = self._asked(resource)
        return Reduction(resource, asked, max(0, asked - int(self._shortfalls[resource][row])), row)
