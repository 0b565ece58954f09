"""What would make a pod fit: each single requirement lifted by itself, and where none suffices, pairs.

A requirement is what a user wrote or a node has: one spread constraint, one affinity term, one taint, one resource.
Whatever is said to help has been tried: the pod's manifest is edited, and the edited pod goes through a whole cycle, as
lifting one requirement can change what others count. What is not the pod's to change is left out of that cycle."""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct

from clusters.engine.edits import Edit, LowerRequest
from clusters.engine.objects import Pod
from clusters.engine.plugin import Constraint, Effort, Plugin

# NodeResourcesFit by name: requests are the one requirement that can be lowered instead of lifted.
from clusters.engine.plugins.node_resources_fit import PODS, NodeResourcesFit, ResourceSubject
from clusters.engine.registry import effort_of
from clusters.engine.resources import base_amount
from clusters.engine.scheduling.cycle import Cycle, run_cycle

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from clusters.engine.status import Index, Ints, Mask
    from clusters.engine.world import World

# The requirements of a pod that reject it on each node, each evaluated independently of the others.


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


# Constraints up to which all are tried, and lifts of a kind that are tried at all beyond that.
_FEW = 32
_MOST = 20
# Pods of very many constraints are dear to try: no more cycles of a kind than so many constraints go into.
_CONSTRAINTS_TRIED = 12_000
# Rounds in which what an edit brings up against a node is lifted too.
_ROUNDS = 4


class Reduction(Struct, frozen=True):
    """How much less of a resource must be requested until some node fits, all else passing there already."""

    resource: str
    asked: int
    fitting: int
    row: int

    @property
    def edit(self) -> Edit:
        """The edit that requests that much."""
        return LowerRequest(self.resource, self.fitting)


class Lift(Struct, frozen=True):
    """Requirements lifted together, and how many nodes the pod would then fit on.

    A whole filter has one entry that is about nothing; ``rows`` are the nodes gained, in order of name, and ``lost``
    counts those that would no longer take the pod. ``edits`` are those of the pod's manifest that do it; none where
    some of it is not the pod's to change. Where the request for a resource is lifted, ``enough`` says which request
    would do on the one of the nodes that needs the least change.
    """

    lifted: tuple[Constraint, ...]
    rows: tuple[int, ...]
    lost: int = 0
    edits: tuple[Edit, ...] = ()
    enough: tuple[Reduction, ...] = ()

    @property
    def gained(self) -> int:
        return len(self.rows)

    @property
    def effort(self) -> Effort:
        """The hardest of what would have to be done."""
        return max(effort_of(constraint) for constraint in self.lifted)


class Relaxations(Struct, frozen=True):
    """``filters``: whole plugins lifted; ``singles``: single requirements.

    ``adjustments``: single requirements that say less and keep the rest, for a pod that fits nowhere.

    ``pairs``: given when no smaller request helps, and no single but to request nothing of a resource or to use the
    control plane's nodes.

    ``reductions``: one resource each; ``together``: several resources of one node, given when no single one suffices.
    """

    filters: tuple[Lift, ...]
    singles: tuple[Lift, ...]
    pairs: tuple[Lift, ...]
    reductions: tuple[Reduction, ...]
    together: tuple[Reduction, ...] = ()
    adjustments: tuple[Lift, ...] = ()


class NodeRemedy(Struct, frozen=True):
    """What has to change so that one node accepts the pod.

    ``lifted``: every requirement that rejects it, or would once others are lifted; ``reductions``: for those of
    them that are requests, which one would do. ``suffices``: whether the node is feasible then.
    """

    lifted: tuple[Constraint, ...]
    reductions: tuple[Reduction, ...]
    suffices: bool


def remedy_for_node(cycle: Cycle, row: int) -> NodeRemedy:
    """Find what rejects the pod on one node. Nothing is lifted where the node is feasible already."""
    return _Trials(cycle).remedy_for(row)


def relax(cycle: Cycle) -> Relaxations:
    """Find what, lifted, gains nodes. Sorted by how many nodes are gained, most first."""
    trials = _Trials(cycle)
    singles = _sorted(trials.singles())
    is_unschedulable = not len(cycle.feasible)
    reductions = tuple(trials.reductions()) if is_unschedulable else ()
    is_advised = bool(reductions) or any(lift.effort < Effort.SYSTEM for lift in singles)
    return Relaxations(
        filters=_sorted(trials.filters()),
        singles=singles,
        pairs=_sorted(trials.pairs(singles)) if is_unschedulable and not is_advised else (),
        reductions=reductions,
        together=trials.joint_reduction() if is_unschedulable and not reductions else (),
        adjustments=tuple(lift for lift in trials.adjustments() if lift.rows) if is_unschedulable else (),
    )


def _sorted(lifts: Iterable[Lift]) -> tuple[Lift, ...]:
    return tuple(sorted((lift for lift in lifts if lift.rows), key=lambda lift: -lift.gained))


def _taking(cycle: Cycle) -> frozenset[int]:
    """The rows of the nodes of which one would be taken; none where scoring them ends in an error."""
    return frozenset(cycle.feasible.tolist()) if len(cycle.choices) else frozenset()


def _edits(constraints: Iterable[Constraint]) -> tuple[Edit, ...]:
    """The edits of the pod that lift those of the constraints that are its own, each once."""
    return tuple(dict.fromkeys(each.edit for each in constraints if each.edit is not None))


def requested_resource(constraint: Constraint) -> str | None:
    """Return the resource where a constraint is the pod's request for one, which can be lowered instead of lifted."""
    subject = constraint.subject
    return subject.resource if isinstance(subject, ResourceSubject) and subject.resource != PODS else None


def _resources(constraints: Iterable[Constraint]) -> list[str]:
    """The resources among some constraints that are requested."""
    return [resource for each in constraints if (resource := requested_resource(each)) is not None]


def _others(constraints: Iterable[Constraint]) -> list[Constraint]:
    """The constraints that are no request for a resource."""
    return [each for each in constraints if requested_resource(each) is None]


class _Trials:
    """The pod of a cycle, tried with some requirements lifted."""

    def __init__(self, cycle: Cycle) -> None:
        self._cycle = cycle
        self._taking = _taking(cycle)
        self.obstacles = Obstacles(cycle)
        self._most = min(_MOST, max(1, _CONSTRAINTS_TRIED // max(len(self.obstacles.constraints), 1)))
        self._cycles: dict[tuple[tuple[Edit, ...], frozenset[Constraint]], Cycle] = {}
        # Singles that would help if nothing else hung on them, and do not.
        self._spoilt: list[tuple[Constraint, Cycle]] = []

    def _cycle_with(self, edits: Iterable[Edit], lifted: Iterable[Constraint] = ()) -> Cycle:
        """Run a whole cycle on the edited pod, leaving out constraints that no edit of it lifts."""
        key = tuple(edits), frozenset(lifted)
        if key not in self._cycles:
            document = self._cycle.context.pod.document
            for edit in key[0]:
                document = edit.apply(document)
            self._cycles[key] = run_cycle(self._cycle.snapshot, Pod(document), self._cycle.profile, lifted=key[1])
        return self._cycles[key]

    def _cycle_without(self, constraints: Collection[Constraint]) -> Cycle:
        return self._cycle_with(_edits(constraints), (each for each in constraints if each.edit is None))

    # -- lifting -------------------------------------------------------------------------------------------------

    def singles(self) -> Iterator[Lift]:
        """Try each requirement that is all that stands against some nodes, those of most nodes first.

        Where others count more than their own nodes and there are few, every one is tried.
        """
        alone, every = self.obstacles.alone(), self.obstacles.constraints
        for constraint in every if self._counts_together and len(every) <= _FEW else list(alone)[: self._most]:
            if constraint.is_fixed:
                continue
            then = self._cycle_without((constraint,))
            lift = self._lift((constraint,), then)
            if not lift.rows and constraint in alone:
                self._spoilt.append((constraint, then))
            yield lift

    def adjustments(self) -> Iterator[Lift]:
        """Try what each filter could require less of."""
        for name in self.obstacles.rejecting:
            if name in self._cycle.filters:
                found = islice(self._cycle.plugins[name].adjustments(self.obstacles.others_pass(name)), self._most)
                for each in found:
                    yield self._lift((each,), self._cycle_without((each,)))

    def pairs(self, singles: Iterable[Lift]) -> Iterator[Lift]:
        """Try pairs of what does not help alone: all that stands against some node, or what a single lift brings up."""
        pairs = [frozenset(pair) for pair in self.obstacles.pairs(self._most)]
        for constraint, then in self._spoilt[: self._most]:
            pairs += [frozenset((constraint, other)) for other in Obstacles(then).alone()]
        order = {constraint: number for number, constraint in enumerate(self.obstacles.constraints)}
        enough = {constraint for lift in singles if lift.rows for constraint in lift.lifted}
        for pair in self._promising(pairs, enough)[: self._most]:
            constraints = tuple(sorted(pair, key=lambda each: order.get(each, len(order))))
            yield self._lift(constraints, self._cycle_without(constraints))

    def _promising(
        self, pairs: Iterable[frozenset[Constraint]], enough: Collection[Constraint]
    ) -> list[frozenset[Constraint]]:
        """Each pair once of which nothing is enough alone, and everything is somebody's to lift."""
        return [
            pair for pair in dict.fromkeys(pairs) if pair.isdisjoint(enough) and not any(each.is_fixed for each in pair)
        ]

    @cached_property
    def _counts_together(self) -> bool:
        """Whether a lift can open nodes that its requirement does not reject by itself."""
        return any(self._cycle.plugins[name].counts_together for name in self.obstacles.rejecting)

    def filters(self) -> Iterator[Lift]:
        """Try without each filter that is all that stands against some nodes, or without which others count anew."""
        for name in self.obstacles.rejecting:
            if self._counts_together or self.obstacles.only(name).any():
                yield self._lift_filter(name)

    def _lift_filter(self, name: str) -> Lift:
        """Try without a whole filter: by edits of the pod, and without it besides where not all of it is the pod's."""
        whole, plugin = (Constraint(name),), self._cycle.plugins[name]
        if name in self._cycle.filters and plugin.whole and all(each.edit for each in plugin.constraints()):
            return self._lift(whole, self._cycle_with(plugin.whole), plugin.whole)
        return self._lift(whole, self._cycle_with(plugin.whole, whole), ())

    def _lift(self, constraints: tuple[Constraint, ...], then: Cycle, edits: tuple[Edit, ...] | None = None) -> Lift:
        # What an extender says of the pod as it is holds for a changed one too, as far as is known.
        taking = _taking(then) - self._out_of_reach
        rows = tuple(sorted(taking - self._taking))
        resources = _resources(constraints)
        if edits is None:
            edits = _edits(constraints) if all(each.edit for each in constraints) else ()
        enough = self._enough(constraints, resources, rows) if resources and rows else ()
        return Lift(constraints, rows, len(self._taking - taking), edits, enough)

    @cached_property
    def _out_of_reach(self) -> frozenset[int]:
        """The rows of nodes that an extender leaves out, or a requirement that nobody should lift."""
        return frozenset(np.flatnonzero(self._cycle.left_out | self.obstacles.fixed).tolist())

    def _enough(
        self, constraints: Iterable[Constraint], resources: list[str], rows: tuple[int, ...]
    ) -> tuple[Reduction, ...]:
        """The requests that would do instead of none, with the other constraints lifted all the same."""
        reductions = self._least_change(np.array(rows), resources)
        return reductions if self._suffices(_others(constraints), reductions) else ()

    def _suffices(self, lifted: Collection[Constraint], reductions: tuple[Reduction, ...]) -> bool:
        """Whether the node of reductions, if any, takes the pod with them, and with some requirements lifted."""
        if not reductions:
            return False
        edits = (*_edits(lifted), *(each.edit for each in reductions))
        then = self._cycle_with(edits, (each for each in lifted if each.edit is None))
        return reductions[0].row in _taking(then)

    def remedy_for(self, row: int) -> NodeRemedy:
        """Lift what rejects one node, and what rejects it then: without one requirement others count other nodes."""
        lifted: list[Constraint] = []
        reductions: tuple[Reduction, ...] = ()
        then = self._cycle
        for _ in range(_ROUNDS):
            standing = [each for each in Obstacles(then).against(row) if each not in lifted]
            if not standing or row in _taking(then):
                break
            lifted += standing
            reductions = tuple(self._reduction(resource, row) for resource in _resources(lifted))
            others = _others(lifted)
            edits = (*_edits(others), *(each.edit for each in reductions))
            then = self._cycle_with(edits, (each for each in others if each.edit is None))
        return NodeRemedy(tuple(lifted), reductions, suffices=row in _taking(then))

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
        elsewhere = self.obstacles.others_pass(NodeResourcesFit.name)
        for resource, short in self._shortfalls.items():
            fits_otherwise = elsewhere & (short > 0)
            for other, missing in self._shortfalls.items():
                if other != resource:
                    fits_otherwise &= missing == 0
            rows = np.flatnonzero(fits_otherwise & (short < self._own(resource)))
            if len(rows):
                reduction = self._reduction(resource, int(rows[np.argmin(short[rows])]))
                if self._suffices((), (reduction,)):
                    yield reduction

    def joint_reduction(self) -> tuple[Reduction, ...]:
        """The requests that would fit together on the node that needs the least change; empty where none would."""
        reachable = self.obstacles.others_pass(NodeResourcesFit.name)
        for resource, short in self._shortfalls.items():
            reachable &= (short == 0) | (short < self._own(resource))
        resources = [resource for resource in self._shortfalls if resource != PODS]
        reductions = self._least_change(np.flatnonzero(reachable), resources) if reachable.any() else ()
        return reductions if self._suffices((), reductions) else ()

    def _least_change(self, rows: Index, resources: Iterable[str]) -> tuple[Reduction, ...]:
        """What of these resources would have to be requested on the one of some nodes where the least is missing."""
        wanted = {resource: self._asked(resource) for resource in resources}
        missing = np.array([self._shortfalls[resource][rows] / asked for resource, asked in wanted.items()])
        row = int(rows[np.argmin(missing.max(axis=0))])
        return tuple(self._reduction(resource, row) for resource in wanted if self._shortfalls[resource][row])

    def _asked(self, resource: str) -> int:
        return self._cycle.context.pod.requests.get(resource, 0)

    def _own(self, resource: str) -> int:
        """What the pod requests without what a RuntimeClass adds, which is not the pod's to change."""
        overhead = self._cycle.context.pod.spec.get("overhead") or {}
        return self._asked(resource) - base_amount(resource, overhead.get(resource, 0))

    def _reduction(self, resource: str, row: int) -> Reduction:
        asked = self._asked(resource)
        return Reduction(resource, asked, max(0, asked - int(self._shortfalls[resource][row])), row)
