"""Many pods placed at once, as min-cost max-flow over the same filters and scores, with rounds of repair."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from msgspec import Struct, field

from clusters.engine.devices.claims import release
from clusters.engine.disruption.drains import Ledger
from clusters.engine.group_states import held_groups
from clusters.engine.objects import Document, Pod, PodShape, labels_of, metadata, namespace_of
from clusters.engine.owners import Controller
from clusters.engine.plugin import MAX_NODE_SCORE, ClusterEvent
from clusters.engine.podgroups import PodGroupKey, named_groups
from clusters.engine.registry import reads_amounts, requeue_events
from clusters.engine.scheduling.answers import rejecting
from clusters.engine.scheduling.cost import Failure, attempt
from clusters.engine.scheduling.cycle import Cycle, run_cycle
from clusters.engine.scheduling.explanation import Explanation
from clusters.engine.simulation.case import Case, Outcome, Step
from clusters.engine.simulation.controllers import Successors, job_of, running
from clusters.engine.simulation.course import Course, bind_claims, choose, has_claims, not_computed
from clusters.engine.simulation.kinds import PodKind, PodKinds
from clusters.engine.simulation.problems import PodGroupDoesNotFit
from clusters.engine.simulation.run import UNTRIED, Simulation
from clusters.engine.workloads.jobs import FailureAction, disrupted_pods

if TYPE_CHECKING:
    from clusters.engine.columns import NodeTable
    from clusters.engine.configuration import Profile
    from clusters.engine.problems import Problem
    from clusters.engine.resources import Counting
    from clusters.engine.snapshot import Snapshot
    from clusters.engine.status import Index, Ints

# Pending pods that are alike, grouped so that a network stays small.


class Applicant(Struct, frozen=True, eq=False):
    """A pending pod; ``turn`` is its place in the queue among those of its priority."""

    key: str
    document: Document
    kind: PodKind
    turn: int


class Lot(Struct, frozen=True, eq=False):
    """Pods of one kind, in order of turn. ``shape`` says what a node books for each.

    ``size`` is the largest share that one of them takes of all there is of a resource.
    """

    members: tuple[Applicant, ...]
    shape: PodShape
    size: float

    @property
    def number(self) -> int:
        """That of the kind."""
        return self.members[0].kind.number

    @property
    def pod(self) -> Pod:
        return self.members[0].kind.pod

    @property
    def profile(self) -> Profile:
        profile = self.members[0].kind.profile
        assert profile is not None  # noqa: S101 - a pod that no profile is for never applies
        return profile

    def rank(self, *, keen: bool) -> tuple[int, bool, float, int]:
        """Lots are served in this order: by priority, the large before the small, then by turn.

        With ``keen``, those that keep others off their nodes go before the large ones of their priority.
        """
        repels = keen and bool(self.pod.affinity.required_anti)
        return -self.pod.priority, not repels, -self.size, self.members[0].turn


def lots_of(applicants: Iterable[Applicant], nodes: NodeTable, *, keen: bool) -> list[Lot]:
    """Pods as lots, in the order in which they are served; ``keen`` is as in `Lot.rank`."""
    found: dict[int, list[Applicant]] = {}
    for applicant in sorted(applicants, key=lambda each: each.turn):
        found.setdefault(applicant.kind.number, []).append(applicant)
    whole = dict(zip(nodes.resources, nodes.allocatable.sum(0).tolist(), strict=True))
    lots = []
    for members in found.values():
        shape = PodShape.of(members[0].kind.pod)
        lots.append(
            Lot(
                tuple(members),
                shape,
                max((amount / max(1, whole.get(name, 0)) for name, amount in shape.requests), default=0.0),
            )
        )
    return sorted(lots, key=lambda lot: lot.rank(keen=keen))


def room_for(lot: Lot, nodes: NodeTable) -> Ints:
    """How many of a lot each node's free resources and pod limit hold, shape (N,); negative where it is overfull."""
    vector = nodes.vector(lot.shape.requests)
    free = nodes.allocatable - nodes.requested
    room = nodes.allowed_pods - nodes.pod_count
    for column in np.flatnonzero(vector):
        room = np.minimum(room, free[:, column] // vector[column])
    terms = lot.pod.affinity.required_anti
    repels = any(lot.pod.namespace in term.namespaces and term.selector.matches(lot.pod.labels) for term in terms)
    # No node can hold two of them, whatever it has free.
    return np.minimum(room, 1) if lot.pod.host_ports or repels else room


# A min-cost max-flow problem and its solution, as the batch scheduler and a solver agree on them.


class FlowProblem(Struct, frozen=True, eq=False):
    """A network with integer costs: ``supplies`` has shape (V,), positive at sources, negative at the sink, sum 0.

    ``tails``, ``heads``, ``capacities`` (>= 0) and ``costs`` of one unit have shape (A,), one entry for each arc.
    """

    supplies: Ints
    tails: Index
    heads: Index
    capacities: Ints
    costs: Ints


class FlowSolution(Struct, frozen=True, eq=False):
    """Units on each arc, shape (A,), that carry every supply to the sink at the least cost."""

    flows: Ints


# Raises an error of its own for a problem that has no solution; the batch scheduler asks only such as have one.
Solve = Callable[[FlowProblem], FlowSolution]

# The network of one round: from every kind of pods to the nodes that would take one now, and on to the sink.
#
# Integers throughout. An arc from a kind to a node costs what the node's total lacks of the highest possible one and
# holds as many pods as the node's free resources do. A node's way to the sink becomes dearer with each pod, by what
# one more pod of an average kind takes from its total. A pod may stay without a node, which costs more than any
# detour that others could be sent on for its sake, and the more the higher its priority is.

# For each kind, by its number: how many pods go to which row of the node table.
Targets = Mapping[int, Mapping[int, int]]

# A point of the total in units of cost: what is less decides only among equals.
_POINT: Final = 1024
# A node's way to the sink is cut into pieces of so many pods, within which each costs the same.
_PIECES: Final = (1, 1, 1, 1, 1, 1, 1, 1, 8, 16, 32, 64, 128, 256, 512)
# A network's arcs from lots to nodes: many lots on many nodes keep their best ones only, so that memory stays bounded.
MOST_ARCS: Final = 250_000
_FEWEST_ARCS: Final = 8
# So high that it never holds anybody back.
_UNBOUNDED: Final = 1 << 40


class _Arcs(Struct, frozen=True, eq=False):
    """The arcs of one lot, all of shape (M,), and by how much one more pod lowers each node's total."""

    lot: Lot
    rows: Index
    costs: Ints
    capacities: Ints
    slopes: Ints


def targets_of(snapshot: Snapshot, lots: Sequence[Lot], order: Ints, solve: Solve) -> Targets:
    """Where the flow sends the pods of each kind; kinds that no node would take now are left out.

    ``order`` (N,) ranks the nodes where nothing else does.
    """
    most = max(_FEWEST_ARCS, MOST_ARCS // max(1, len(lots)))
    arcs = []
    for number, lot in enumerate(lots):
        found = _arcs(snapshot, lot, order)
        if found is not None:
            arcs.append(found if len(found.rows) <= most else _fewer(found, order, most, number))
    if not arcs:
        return {}
    return _decoded(arcs, solve(_problem(snapshot, arcs)).flows)


def _arcs(snapshot: Snapshot, lot: Lot, order: Ints) -> _Arcs | None:
    profile = lot.profile
    cycle = run_cycle(snapshot, lot.pod, profile)
    if not len(cycle.best):
        return None
    rows = cycle.feasible
    # A profile may do without the filter that looks at resources: what a node takes is at least one pod.
    capacities = np.clip(room_for(lot, snapshot.nodes)[rows], 1, len(lot.members))
    highest = MAX_NODE_SCORE * sum(profile.weights[name] for name in profile.score)
    costs = (highest - cycle.totals) * _POINT
    slopes = _slopes(cycle, lot) if capacities.max() > 1 else np.zeros(len(rows), np.int64)
    if slopes.sum() < 0:
        # Where nodes become better as they fill, equally good ones are filled one after the other.
        costs += order[rows] * (_POINT - 1) // len(order)
    turn = np.argsort(order[rows], kind="stable")
    return _Arcs(lot, rows[turn], costs[turn], capacities[turn], np.maximum(0, slopes[turn]))


def _fewer(arcs: _Arcs, order: Ints, most: int, number: int) -> _Arcs:
    """The best arcs of a lot; of equally good ones not the same as the lots before it keep."""
    turned = (order[arcs.rows] - number * most) % len(order)
    kept = np.sort(np.lexsort((turned, arcs.costs))[:most])
    return _Arcs(arcs.lot, arcs.rows[kept], arcs.costs[kept], arcs.capacities[kept], arcs.slopes[kept])


def _slopes(cycle: Cycle, lot: Lot) -> Ints:
    """By how much each feasible node's total falls once it holds one more of the kind.

    Only what the node has free counts as changed: what pods mean to each other is left to the repair.
    """
    fuller = copy.copy(cycle.snapshot)
    fuller.nodes = cycle.snapshot.nodes.copy()
    non_zero = np.array((lot.shape.non_zero_cpu, lot.shape.non_zero_memory), np.int64)
    fuller.nodes.book(slice(None), fuller.nodes.vector(lot.shape.requests), non_zero, 1)
    later = run_cycle(fuller, lot.pod, lot.profile)
    totals = np.full(len(fuller.nodes), -1, np.int64)
    if len(later.best):
        totals[later.feasible] = later.totals
    then = totals[cycle.feasible]
    return np.where(then < 0, 0, cycle.totals - then)


def _problem(snapshot: Snapshot, arcs: Sequence[_Arcs]) -> FlowProblem:
    """Kinds first, then the nodes that some kind has an arc to, then the sink."""
    counts = np.array([len(each.lot.members) for each in arcs], np.int64)
    used, position = np.unique(np.concatenate([each.rows for each in arcs]), return_inverse=True)
    first_node, sink = len(arcs), len(arcs) + len(used)
    sources = np.repeat(np.arange(len(arcs)), [len(each.rows) for each in arcs])
    out = _to_sink(snapshot, arcs, used, position)
    costs = np.concatenate([each.costs for each in arcs])
    capacities = np.concatenate([each.capacities for each in arcs])
    unplaced = _costs_of_none(arcs, int(costs.max()) + int(out.costs.max(initial=0)))
    return FlowProblem(
        supplies=np.concatenate([counts, np.zeros(len(used), np.int64), [-int(counts.sum())]]),
        tails=np.concatenate([sources, out.positions + first_node, np.arange(len(arcs))]).astype(np.intp),
        heads=np.concatenate(
            [position + first_node, np.full(len(out.positions), sink), np.full(len(arcs), sink)]
        ).astype(np.intp),
        capacities=np.concatenate([capacities, out.capacities, counts]),
        costs=np.concatenate([costs, out.costs, unplaced]),
    )


class _Out(Struct, frozen=True, eq=False):
    """Arcs from nodes to the sink; ``positions`` number the nodes that are used."""

    positions: Index
    capacities: Ints
    costs: Ints


def _to_sink(snapshot: Snapshot, arcs: Sequence[_Arcs], used: Index, position: Index) -> _Out:
    counts = np.array([len(each.lot.members) for each in arcs], np.int64)
    weights = np.repeat(counts, [len(each.rows) for each in arcs])
    weight = np.bincount(position, weights=weights, minlength=len(used)).astype(np.int64)
    falls = np.concatenate([each.slopes for each in arcs]) * weights
    fall = np.zeros(len(used), np.int64)
    np.add.at(fall, position, falls)
    slope = fall // np.maximum(1, weight)
    room = _room(snapshot, arcs, counts)[used]
    positions, capacities, costs, start = [], [], [], 0
    for piece in _PIECES:
        left = np.clip(room - start, 0, piece)
        there = np.flatnonzero(left)
        positions.append(there)
        capacities.append(left[there])
        costs.append(slope[there] * _POINT * (2 * start + piece - 1) // 2)
        start += piece
    return _Out(np.concatenate(positions), np.concatenate(capacities), np.concatenate(costs))


def _room(snapshot: Snapshot, arcs: Sequence[_Arcs], counts: Ints) -> Ints:
    """How many pods of the average waiting one each node holds, shape (N,); at least one, since some kind fits."""
    nodes = snapshot.nodes
    asked = sum(
        (nodes.vector(each.lot.shape.requests) * int(count) for each, count in zip(arcs, counts, strict=True)),
        start=np.zeros(len(nodes.resources), np.int64),
    )
    free, total = nodes.allocatable - nodes.requested, int(counts.sum())
    room = nodes.allowed_pods - nodes.pod_count
    for column in np.flatnonzero(asked):
        # Amounts of memory times a number of pods stay far below 2**63 on nodes of any real size.
        room = np.minimum(room, np.minimum(-(-free[:, column] // max(1, int(asked[column]) // total)), _UNBOUNDED))
    positive: Ints = np.maximum(room, 1)
    return positive


def _costs_of_none(arcs: Sequence[_Arcs], dearest: int) -> Ints:
    """What it costs to leave one pod of each kind without a node, shape (K,).

    To make room for one more pod, a flow sends others another way, at most once for each kind; so a step of that many
    of the dearest ways makes a pod of higher priority worth any detour, and any displacement of one of lower priority.
    """
    step = 2 * (dearest + 1) * (len(arcs) + 2)
    priorities = sorted({each.lot.pod.priority for each in arcs})
    return np.array([step * (1 + priorities.index(each.lot.pod.priority)) for each in arcs], np.int64)


def _decoded(arcs: Sequence[_Arcs], flows: Ints) -> Targets:
    targets: dict[int, dict[int, int]] = {}
    start = 0
    for each in arcs:
        carried = flows[start : start + len(each.rows)]
        start += len(each.rows)
        there = np.flatnonzero(carried)
        targets[each.lot.number] = dict(zip(each.rows[there].tolist(), carried[there].tolist(), strict=True))
    return targets


# Rounds of flow and repair: what the flow proposes is done pod by pod under the real filters, and the rest again.
#
# A flow knows how many pods of a kind a node would hold alone. It knows neither that several resources run out at
# once, nor what pods mean to each other: anti-affinity, hard spreading, host ports, volumes. So the proposal is
# carried out kind by kind, each pod in a full cycle on the state that those before it left; what does not hold any
# more is taken back, and the next round's flow starts from there. Before a pod of higher priority, or a larger one
# that another resource kept out, has had its next chance, nobody behind it is placed.

# After so many rounds those who are left are tried one by one.
MOST_ROUNDS: Final = 12
_NONE: Final[Mapping[int, Iterable[str]]] = {}


class Placed(Struct, frozen=True, eq=False):
    """A pod on its node: with which total, which ``ties`` others have, and of how many feasible nodes.

    ``refused_by``: plugins because of which the pod was taken back from nodes that a flow had proposed before.
    """

    applicant: Applicant
    node: str
    total: int
    ties: int
    feasible: int
    refused_by: tuple[str, ...] = ()


class Evicted(Struct, frozen=True, eq=False):
    """A pod that was taken off its node: ``by`` which pod, if for one, and otherwise its ``total`` there."""

    key: str
    document: Document
    node: str
    by: str = ""
    total: int | None = None


class Filling(Struct, eq=False):
    """A snapshot that is being filled, and what was done in order. ``order`` (N,) ranks nodes that are equally good."""

    snapshot: Snapshot
    order: Ints
    acts: list[Placed | Evicted] = field(default_factory=list)

    def copy(self) -> Filling:
        """An independent one that starts equal to this one."""
        return Filling(self.snapshot.copy(), self.order, list(self.acts))

    @property
    def placed(self) -> list[Placed]:
        return [act for act in self.acts if isinstance(act, Placed)]

    def cycle_of(self, applicant: Applicant) -> Cycle:
        profile = applicant.kind.profile
        assert profile is not None  # noqa: S101 - a pod that no profile is for never applies
        return run_cycle(self.snapshot, Pod(applicant.document), profile)

    def chosen(self, applicant: Applicant, cycle: Cycle, among: Index, refused_by: Iterable[str] = ()) -> Placed:
        """The best for a pod of some of its feasible nodes, which ``among`` indexes."""
        totals = cycle.totals[among]
        best = among[totals == totals.max()]
        place = int(best[np.argmin(self.order[cycle.feasible[best]])])
        node, total = self.snapshot.nodes.names[int(cycle.feasible[place])], int(cycle.totals[place])
        ties = int((cycle.totals == total).sum())
        return Placed(applicant, node, total, ties, len(cycle.feasible), tuple(sorted(refused_by)))

    def put(self, placed: Placed) -> None:
        """Place a pod."""
        kind, document = placed.applicant.kind, placed.applicant.document
        self.acts.append(placed)
        if has_claims(self.snapshot, kind.pod) and kind.profile is not None:
            row = self.snapshot.nodes.index[placed.node]
            document = bind_claims(self.snapshot, Pod(document), kind.profile, row).counted(document)
        self.snapshot.assume(running(document), placed.node)

    def take(self, evicted: Evicted) -> None:
        """Take a pod off its node."""
        self.acts.append(evicted)
        self.snapshot.delete({**evicted.document, "kind": "Pod"})
        release(self.snapshot, Pod(evicted.document))


def fill(filling: Filling, applicants: Iterable[Applicant], solve: Solve, *, keen: bool = False) -> list[Applicant]:
    """Place as many pods as the rounds find room for; returns the others. ``keen`` is as in `Lot.rank`."""
    waiting = list(applicants)
    refused: dict[int, set[str]] = {}
    for _ in range(MOST_ROUNDS):
        done = _round(filling, lots_of(waiting, filling.snapshot.nodes, keen=keen), refused, solve)
        waiting = [each for each in waiting if each.turn not in done]
        if not done or not waiting:
            break
    rest = [each for lot in lots_of(waiting, filling.snapshot.nodes, keen=keen) for each in lot.members]
    return one_by_one(filling, rest, refused)


def one_by_one(
    filling: Filling, applicants: Iterable[Applicant], refused: Mapping[int, Iterable[str]] = _NONE
) -> list[Applicant]:
    """Place pods in the given order, each where it is best; returns the others.

    Who found no node is tried again once others have come, where that may help.
    """
    waiting = list(applicants)
    left: list[Applicant] = []
    while waiting:
        before = len(filling.acts)
        again: list[Applicant] = []
        # Of kinds that failed: after how many placements, and whether the coming of others may help.
        failed: dict[int, tuple[int, bool]] = {}
        for applicant in waiting:
            kind = applicant.kind.number
            if failed.get(kind, (-1,))[0] != len(filling.acts):
                cycle = filling.cycle_of(applicant)
                if len(cycle.choices):
                    among = np.arange(len(cycle.feasible))
                    filling.put(filling.chosen(applicant, cycle, among, refused.get(applicant.turn, ())))
                    continue
                helps = any(ClusterEvent.POD_ADD in requeue_events(plugin) for plugin in rejecting(cycle))
                failed[kind] = (len(filling.acts), helps)
            (again if failed[kind][1] else left).append(applicant)
        if len(filling.acts) == before:
            return left + again
        waiting = again
    return left


def _round(filling: Filling, lots: Sequence[Lot], refused: dict[int, set[str]], solve: Solve) -> set[int]:
    """One flow and its repair; returns the turns of the pods that were placed."""
    targets = targets_of(filling.snapshot, lots, filling.order, solve)
    done: set[int] = set()
    overtaken: int | None = None
    for lot in lots:
        if overtaken is not None and lot.pod.priority < overtaken:
            break
        placed, reasons = _carry_out(filling, lot, Counter(targets.get(lot.number, {})), refused)
        done.update(placed)
        if not reasons:
            continue
        overtaken = lot.pod.priority
        if any(map(reads_amounts, reasons)):
            break
    return done


def _carry_out(
    filling: Filling, lot: Lot, targets: Counter[int], refused: dict[int, set[str]]
) -> tuple[list[int], set[str]]:
    """Place pods of a kind where the flow sends them, as long as a filter lets one in.

    Returns the turns of those placed, and the plugins that kept others from the nodes they were sent to.
    """
    placed: list[int] = []
    for applicant in lot.members[: targets.total()]:
        cycle = filling.cycle_of(applicant)
        wanted = np.fromiter(targets, np.intp, len(targets))
        among = np.flatnonzero(np.isin(cycle.feasible, wanted))
        if not len(among) or not len(cycle.choices):
            left = lot.members[len(placed) : len(placed) + targets.total()]
            numbers = np.unique(cycle.rejected_by[wanted]).tolist()
            reasons = {cycle.rejections[number].plugin for number in numbers if number >= 0}
            for each in left:
                refused.setdefault(each.turn, set()).update(reasons)
            return placed, reasons
        chosen = filling.chosen(applicant, cycle, among, refused.get(applicant.turn, ()))
        filling.put(chosen)
        placed.append(applicant.turn)
        row = filling.snapshot.nodes.index[chosen.node]
        targets[row] -= 1
        if not targets[row]:
            del targets[row]
    return placed, set()


# Pods that are of use only together: a pod group gets its least number of members onto nodes, or none at all.
#
# The labels and the PodGroup object are those of the coscheduling plugin of sigs.k8s.io/scheduler-plugins; the older
# annotation is read too, and the Workloads and PodGroups of Kubernetes itself. Without the object every waiting and
# running pod of the group counts as needed.

POD_GROUP: Final = "pod-group"
_KIND: Final = "PodGroup.scheduling.x-k8s.io"
_NAMES: Final = (
    "scheduling.x-k8s.io/pod-group",
    "pod-group.scheduling.sigs.k8s.io/name",
    "pod-group.scheduling.sigs.k8s.io",
)


def group_of(pod: Document) -> str:
    """The pod group that a pod belongs to, as in ``namespace/name``, empty where it belongs to none."""
    for group in named_groups(pod.get("spec") or {}, namespace_of(pod)):
        return str(group)
    labels, annotations = labels_of(pod), metadata(pod).get("annotations") or {}
    for key in _NAMES:
        name = labels.get(key) or annotations.get(key)
        if name:
            return f"{metadata(pod).get('namespace') or 'default'}/{name}"
    return ""


class Gangs:
    """The pod groups of the pending pods at one moment, and how many of each are wanted beside those that run."""

    def __init__(self, snapshot: Snapshot, applicants: Sequence[Applicant], running: Mapping[str, int]) -> None:
        self._group = {each.turn: group_of(each.document) for each in applicants}
        waiting = Counter(group for group in self._group.values() if group)
        self.missing = {
            group: max(0, (_least(snapshot, group) or count + running.get(group, 0)) - running.get(group, 0))
            for group, count in waiting.items()
        }

    def of(self, applicant: Applicant) -> str:
        return self._group[applicant.turn]

    def broken(self, placed: Iterable[Applicant]) -> set[str]:
        """Groups of which some members, but too few, have a node."""
        counts = Counter(self.of(each) for each in placed)
        return {group for group, number in counts.items() if group and number < self.missing[group]}


def _least(snapshot: Snapshot, group: str) -> int:
    namespace, *names = group.split("/")
    document = snapshot.object(_KIND, names[0], namespace) or {}
    least = int((document.get("spec") or {}).get("minMember") or 0)
    key = PodGroupKey(namespace, names[1], names[0]) if names[1:] else PodGroupKey(namespace, names[0])
    terms = held_groups(snapshot).terms_of(key)
    return least or (0 if terms is None else terms.policy.quorum)


def fill_with_gangs(filling: Filling, applicants: Sequence[Applicant], gangs: Gangs, solve: Solve) -> Filling:
    """Place pods so that no group is broken: while one is, the last of those steps back, and all is done again.

    A group that stepped back is tried alone once more when the others have settled, in order of its first member.
    """
    aside: dict[str, None] = {}
    while True:
        trial = filling.copy()
        fill(trial, [each for each in applicants if gangs.of(each) not in aside], solve)
        broken = gangs.broken(each.applicant for each in trial.placed)
        if not broken:
            break
        members = [each for each in applicants if gangs.of(each) in broken]
        aside[gangs.of(max(members, key=lambda each: (-each.kind.priority, each.turn)))] = None
    for group in reversed(aside):
        again = trial.copy()
        fill(again, [each for each in applicants if gangs.of(each) == group], solve)
        if not gangs.broken(each.applicant for each in again.placed):
            trial = again
    return trial


def fill_freely(filling: Filling, applicants: Sequence[Applicant], solve: Solve) -> Filling:
    """Place pods together, never fewer than pod by pod would.

    Where some are pending, it is done again with those first that keep others off, and in the queue's order; the
    first that places most is taken. More pods of a higher priority count before any of a lower one.
    """
    best = filling.copy()
    if not fill(best, applicants, solve):
        return best
    keen = filling.copy()
    fill(keen, applicants, solve, keen=True)
    in_turn = filling.copy()
    one_by_one(in_turn, sorted(applicants, key=lambda each: (-each.kind.priority, each.turn)))
    for other in (keen, in_turn):
        if _worth(other, applicants) > _worth(best, applicants):
            best = other
    return best


def _worth(filling: Filling, applicants: Iterable[Applicant]) -> list[int]:
    """How many pods of each priority have a node, the highest first."""
    counts = Counter(each.applicant.kind.priority for each in filling.placed)
    return [counts[priority] for priority in sorted({each.kind.priority for each in applicants}, reverse=True)]


# Moves of running pods to other nodes, where a move makes room for another pod or gains points.
#
# What a move costs is said in points of the total: as much as one plugin of weight 1 has to give. Nothing moves that
# no controller would recreate, that a DaemonSet or a file pins to its node, whose Job would count it as failed, or
# that its budget keeps. A pod that moved is ready at once, but its budget is charged until the next moment all the
# same.

MOVE_COST: Final = 100
# How many nodes are tried to be cleared for one pod, and how many pods may have to go from one.
_MOST_NODES: Final = 16
_MOST_VICTIMS: Final = 16
# How many running pods are looked at one by one for a better place, at one moment.
_MOST_LOOKED_AT: Final = 200
_PINNED: Final = frozenset({"DaemonSet", "Node"})


class Moves(Struct, eq=False):
    """The pods that may move at one moment, by key; ``successors`` and ``is_taken`` name those that replace them."""

    kinds: PodKinds
    movable: dict[str, Document]
    successors: Successors
    is_taken: Callable[[str], bool]
    ledger: Ledger
    counting: Counting

    @classmethod
    def at(
        cls, course: Course, documents: Mapping[str, Document], others: Iterable[Document], kinds: PodKinds
    ) -> Moves:
        """Look at the pods on nodes; ``documents`` are theirs, ``others`` those of pending pods."""
        ledger = Ledger(course.snapshot, others)
        movable = {
            key: pod
            for key, pod in documents.items()
            if _may_move(pod, kinds) and not _is_counted(course.snapshot, pod)
        }
        ledger.settle(course.snapshot, {budget for pod in movable.values() for budget in ledger.keys_of(Pod(pod))})
        return cls(kinds, movable, course.successors(), course.is_taken, ledger, course.snapshot.release.counting)

    # -- room for one more -------------------------------------------------------------------------------

    def let_in(self, filling: Filling, left: Sequence[Applicant]) -> tuple[Filling, list[Applicant]]:
        """Make room for pods that found none, one after another; returns those that still have none."""
        still, hopeless = [], set[int]()
        for applicant in left:
            found = None if applicant.kind.number in hopeless else self._with_room(filling, applicant)
            if found is None:
                hopeless.add(applicant.kind.number)
                still.append(applicant)
            else:
                filling = found
        return filling, still

    def _with_room(self, filling: Filling, applicant: Applicant) -> Filling | None:
        """The filling with the pod in it and all who made way for it elsewhere; None where no node can be cleared."""
        bare = filling.copy()
        for key in self._here(filling):
            bare.snapshot.delete({**self.movable[key], "kind": "Pod"})
        possible = bare.cycle_of(applicant).feasible
        if not len(possible):
            return None
        nodes = filling.snapshot.nodes
        vector = nodes.vector(PodShape.of(applicant.kind.pod).requests)
        lack = np.maximum(0, vector - (nodes.allocatable - nodes.requested)[possible])
        share = (lack * 1_000_000 // np.maximum(1, nodes.allocatable[possible])).sum(1)
        found: list[int] = possible[np.lexsort((filling.order[possible], share))].tolist()
        for row in found[:_MOST_NODES]:
            balance, successors = self.ledger.balance(), self.successors.copy()
            trial = filling.copy()
            if self._cleared(trial, applicant, row):
                for act in trial.acts[len(filling.acts) :]:
                    if isinstance(act, Evicted):
                        del self.movable[act.key]
                return trial
            self.ledger.restore(balance)
            self.successors = successors
        return None

    def _here(self, filling: Filling) -> list[str]:
        return [key for key in self.movable if filling.snapshot.placed_on(key)]

    def _cleared(self, trial: Filling, applicant: Applicant, row: int) -> bool:
        """Clear a node for a pod as far as needed, and place those that went elsewhere; False where that fails."""
        name, homeless = trial.snapshot.nodes.names[row], []
        on_node = [trial.snapshot.pods.keys[slot] for slot in trial.snapshot.pods.on_node(row)]
        going = sorted((key for key in on_node if key in self.movable), key=self._order_of_going)
        for key in going[:_MOST_VICTIMS]:
            pod = self.movable[key]
            if not self.ledger.ask(Pod(pod)).is_granted:
                continue
            successor = self._evict(trial, Evicted(key, pod, name, applicant.key))
            if successor is not None:
                homeless.append(successor)
            cycle = trial.cycle_of(applicant)
            among = np.flatnonzero(cycle.feasible == row)
            if len(among) and len(cycle.choices):
                trial.put(trial.chosen(applicant, cycle, among))
                return all(self._put_anywhere(trial, each) for each in homeless)
        return False

    def _order_of_going(self, key: str) -> tuple[int, int, str]:
        """Less important pods first, of those the ones that free most."""
        shape = PodShape.of(Pod(self.movable[key]), self.counting)
        return Pod(self.movable[key]).priority, -shape.non_zero_cpu - (shape.non_zero_memory >> 20), key

    def _evict(self, filling: Filling, evicted: Evicted) -> Applicant | None:
        """Take a pod off its node, and return the replacement that its controller creates."""
        filling.take(evicted)
        copied = self.successors.of(filling.snapshot, evicted.document, self.is_taken)
        if copied is None:
            return None
        for claim in copied.claims:
            filling.snapshot.upsert(claim)
        return Applicant(Pod(copied.pod).key, copied.pod, self.kinds.of(copied.pod), -len(filling.acts))

    @staticmethod
    def _put_anywhere(filling: Filling, applicant: Applicant) -> bool:
        cycle = filling.cycle_of(applicant)
        if not len(cycle.choices):
            return False
        filling.put(filling.chosen(applicant, cycle, np.arange(len(cycle.feasible))))
        return True

    # -- better places -----------------------------------------------------------------------------------

    def improve(self, filling: Filling) -> Filling:
        """Move pods whose total rises by more than a move costs, those with the most to gain first."""
        for key in self._promising(filling)[:_MOST_LOOKED_AT]:
            balance, successors = self.ledger.balance(), self.successors.copy()
            trial = filling.copy()
            if self._moved(trial, key):
                del self.movable[key]
                filling = trial
            else:
                self.ledger.restore(balance)
                self.successors = successors
        return filling

    def _promising(self, filling: Filling) -> list[str]:
        """Keys of pods for which another node promises more, as it looks while they still lie where they lie."""
        snapshot = filling.snapshot
        cycles: dict[int, Cycle] = {}
        gains = []
        for key in self._here(filling):
            kind = self.kinds.of(self._free(key))
            cycle = cycles.get(kind.number)
            if cycle is None:
                cycle = cycles[kind.number] = filling.cycle_of(Applicant(key, kind.pod.document, kind, 0))
            own = np.flatnonzero(cycle.feasible == snapshot.pods.node[snapshot.pods.slot_of[key]])
            if len(cycle.choices) and len(own):
                gain = int(cycle.totals.max()) - int(cycle.totals[own[0]])
                if gain > MOVE_COST // 2:
                    gains.append((-gain, key))
        return [key for _, key in sorted(gains)]

    def _free(self, key: str) -> Document:
        pod = self.movable[key]
        spec = {field: value for field, value in (pod.get("spec") or {}).items() if field != "nodeName"}
        return {**pod, "spec": spec, "status": {}}

    def _moved(self, trial: Filling, key: str) -> bool:
        pod, node = self.movable[key], trial.snapshot.placed_on(key) or ""
        if not self.ledger.ask(Pod(pod)).is_granted:
            return False
        position = len(trial.acts)
        successor = self._evict(trial, Evicted(key, pod, node))
        if successor is None:
            return False
        cycle = trial.cycle_of(successor)
        own = np.flatnonzero(cycle.feasible == trial.snapshot.nodes.index[node])
        if not len(cycle.choices) or not len(own):
            return False
        here, there = int(cycle.totals[own[0]]), int(cycle.totals.max())
        if there - here <= MOVE_COST:
            return False
        trial.acts[position] = Evicted(key, pod, node, total=here)
        trial.put(trial.chosen(successor, cycle, np.arange(len(cycle.feasible))))
        return True


def _is_counted(snapshot: Snapshot, pod: Document) -> bool:
    """Whether the Job of a pod counts it as failed when it is evicted."""
    key = job_of(pod)
    job = None if key is None else snapshot.object("Job", key[1], key[0])
    return job is not None and disrupted_pods(job.get("spec") or {}).action is not FailureAction.IGNORE


def _may_move(pod: Document, kinds: PodKinds) -> bool:
    controller, kind = Controller.of(pod), kinds.of(pod)
    return (
        controller is not None
        and controller.kind not in _PINNED
        and kind.profile is not None
        and not kind.pod.terminating
        and not kind.pod.finished
    )


# A simulation in which the pending pods at one moment are placed together, as one flow through a network.
#
# Everything else is as where they are placed one after another; only that nobody is preempted.

_TRIED = frozenset({Outcome.PLACED, Outcome.UNSCHEDULABLE, Outcome.NOT_COMPUTED})


class _Reason(NamedTuple):
    """Why a pod is unschedulable: the scheduler's message and the plugins that rejected nodes, or a problem."""

    message: str
    plugins: tuple[str, ...]
    problem: Problem | None


class BatchSimulation(Simulation):
    """The steps of a case, each of which has happened to ``snapshot`` when it is yielded.

    ``recorded`` are its first steps, known from an earlier run: they are gone through again without any search, and
    the moment in which they end is computed again only when more steps are asked for. With ``reschedules`` pods may
    move that run already; with ``gangs="pod-group"`` the pods of a group are placed together or not at all.

    Ordinals that their StatefulSet creates once others have nodes are placed by a flow of their own, at the same time.

    A placed step's total and ties are those of the node that the flow chose, when the pod's turn came; its ``plugins``
    had the pod taken back from other nodes before, and ``relaxed`` counts them: what the flow could not express.
    """

    def __init__(
        self, case: Case, solve: Solve, recorded: Iterable[Step] = (), *, reschedules: bool = False, gangs: str = ""
    ) -> None:
        if gangs not in ("", POD_GROUP):
            raise ValueError(f"gangs: {gangs!r} is not known; use {POD_GROUP!r}, or nothing to place pods singly")
        self._known = list(recorded)
        super().__init__(case, self._known)
        self._refused: Counter[str] = Counter()
        self.relaxed: Mapping[str, int] = self._refused
        self._solve, self._reschedules, self._gangs = solve, reschedules, gangs
        self._kinds = PodKinds(case.configuration, self.snapshot)
        self._planned: list[Step] = []
        self._computes_at = -1
        # Pods move once at one time: a move wakes others, for whom more might move, without an end.
        self._moved_at = -1

    # -- one moment --------------------------------------------------------------------------------------

    def _try_all(self) -> Iterator[Step]:
        """Place all who wait: by what is recorded, and what is missing there by a flow."""
        while due := self._due():
            yield from self._together(due)
        yield from self._tell_held()

    def _due(self) -> list[Applicant]:
        """Who is to be placed now: who is in line, all others of their kinds, and the rest of their groups."""
        course = self._course
        keys = self._in_line()
        kinds = {course.kind_of(key).number for key in keys}
        groups = {group_of(course.document_of(key)) for key in keys} - {""} if self._gangs else set()
        for key, step in list(course.waiting.items()):
            if step.outcome in UNTRIED or course.kind_of(key).profile is None or key in keys:
                continue
            if course.kind_of(key).number in kinds or group_of(course.document_of(key)) in groups:
                course.requeue(key)
        return self._applicants(keys + self._in_line())

    def _applicants(self, keys: Sequence[str]) -> list[Applicant]:
        course = self._course
        return [Applicant(key, course.document_of(key), course.kind_of(key), turn) for turn, key in enumerate(keys)]

    def _in_line(self) -> list[str]:
        keys = []
        while (key := self._course.line.pop()) is not None:
            keys.append(key)
        return keys

    def _together(self, due: Sequence[Applicant]) -> Iterator[Step]:
        start = self._number
        left = {each.key for each in due}
        taken: list[Step] = []
        if start != self._computes_at:
            while self._next_is_mine(left):
                taken.append(self._applied(None, left))
                yield taken[-1]
        if start == self._computes_at or self._recorded.peek() is None:
            self._planned = self._continued(start, taken, left) if taken else self._computed(due)
            for step in self._planned:
                taken.append(self._applied(step, left))
                yield taken[-1]
        self._moved_at = self._now
        for each in due:
            # Who is pending as before says nothing new, and stays pending.
            if each.key in left:
                self._course.fail(each.key, self._course.waiting[each.key])
        for step in taken:
            if step.outcome is Outcome.PLACED and (ordinal := self._held.next_after(step.pod)) is not None:
                yield from self._create(ordinal)

    def _next_is_mine(self, left: set[str]) -> bool:
        """Whether the next recorded step belongs to the placing of this moment."""
        step = self._recorded.peek()
        if step is None or step.at != self._now:
            return False
        if step.outcome is Outcome.EVICTED:
            # Pods move for another pod, or for more points than they have.
            return step.total is not None or self._course.is_known(step.by)
        return step.outcome in _TRIED and step.pod in left

    def _continued(self, start: int, taken: Sequence[Step], left: set[str]) -> list[Step]:
        """The steps that follow on those ``taken`` of a moment that began with step ``start``."""
        twin = BatchSimulation(self._case, self._solve, self._known, reschedules=self._reschedules, gangs=self._gangs)
        twin._computes_at = start
        for _ in range(start + 1):
            next(twin, None)
        planned = twin._planned
        if planned[: len(taken)] == taken:
            return planned[len(taken) :]
        # What is recorded counts; who is left is placed as things are.
        return self._computed(self._applicants(sorted(left))) if left else []

    def _applied(self, planned: Step | None, left: set[str]) -> Step:
        """Bring the state forward by the recorded step, or one that is ``planned``.

        ``left`` are the pods that are to be placed and have no step yet.
        """
        course = self._course
        step = self._recorded.next() or planned
        assert step is not None  # noqa: S101 - what is not planned was seen to be recorded
        self._number += 1
        if step.outcome is Outcome.EVICTED:
            document, _ = course.remove(step.pod)
            copied = course.replace(step.pod, document)
            if copied is not None:
                left.add(course.arrive(copied))
            return step
        left.discard(step.pod)
        if step.number == self._explains:
            self._explanation, _ = course.explain(step.pod)
        if step.outcome is Outcome.PLACED:
            self._claims.take_in(step)
            course.place(step.pod, course.snapshot.nodes.index[step.node])
            self._refused.update(step.plugins)
        elif step.outcome is Outcome.NOT_COMPUTED:
            self._park(step.pod, step)
        else:
            course.fail(step.pod, step)
        return step

    # -- the flow ----------------------------------------------------------------------------------------

    def _computed(self, due: Sequence[Applicant]) -> list[Step]:
        """The steps that place who is due; those whose attempt fails step aside for the others."""
        steps = attempt(lambda: self._planned_for(due))
        if not isinstance(steps, Failure):
            return steps
        filling = Filling(self.snapshot.copy(), self._order)
        failures: dict[int, Failure] = {}
        for each in {each.kind.number: each for each in due}.values():
            cycle = attempt(partial(filling.cycle_of, each))
            if isinstance(cycle, Failure):
                failures[each.kind.number] = cycle
        sound = [each for each in due if failures and each.kind.number not in failures]
        # Where the flow fails of sound pods, none of them can be placed by it.
        aside = [(each, failures.get(each.kind.number, steps)) for each in due if each not in sound]
        planned = self._computed(sound) if sound else []
        number = self._number + len(planned)
        for each, why in aside:
            self.failures.setdefault(each.kind.number, why)
        failed = (not_computed(number + turn, self._now, each.key, why) for turn, (each, why) in enumerate(aside))
        return [*planned, *failed]

    def _planned_for(self, due: Sequence[Applicant]) -> list[Step]:
        if len(due) == 1 and not self._gangs and not self._reschedules:
            return self._alone(due[0])
        filling = Filling(self.snapshot.copy(), self._order)
        gangs = Gangs(filling.snapshot, due, self._members()) if self._gangs else None
        if gangs is None:
            filling = fill_freely(filling, due, self._solve)
        else:
            filling = fill_with_gangs(filling, due, gangs, self._solve)
        done = {act.applicant.key for act in filling.placed}
        left = [each for each in due if each.key not in done]
        if self._reschedules and self._moved_at != self._now:
            others = [self.document_of(key) for key in self.waiting]
            moves = Moves.at(self._course, self._lying(), others, self._kinds)
            # A group's pods are let in together or not at all, and making room goes pod by pod.
            alone = [each for each in left if gangs is None or not gangs.of(each)]
            filling, _ = moves.let_in(filling, alone)
            filling = moves.improve(filling)
            done = {act.applicant.key for act in filling.placed}
            left = [each for each in left if each.key not in done]
        steps = [self._step_of(act, self._number + turn) for turn, act in enumerate(filling.acts)]
        return [*steps, *self._failures(filling, left, gangs, self._number + len(steps))]

    def _alone(self, applicant: Applicant) -> list[Step]:
        """The step of a pod that nobody else waits with."""
        filling = Filling(self.snapshot, self._order)
        cycle = filling.cycle_of(applicant)
        if len(cycle.best):
            placed = filling.chosen(applicant, cycle, np.arange(len(cycle.feasible)))
            return [self._step_of(placed, self._number)]
        return list(self._failures(filling, [applicant], None, self._number))

    @cached_property
    def _order(self) -> Ints:
        """A rank for each node, other ones with each seed, shape (N,)."""
        count = len(self.snapshot.nodes)
        drawn = np.array([choose(self._case.seed, row, 1 << 62) for row in range(count)], np.int64)
        ranks = np.empty(count, np.int64)
        ranks[np.argsort(drawn, kind="stable")] = np.arange(count)
        return ranks

    def _lying(self) -> dict[str, Document]:
        """The documents of all pods on nodes, as far as there are any, by key."""
        pods, found = self.snapshot.pods, {}
        for key, slot in pods.slot_of.items():
            known = self._course.known(key) if pods.node[slot] >= 0 else None
            if known is not None:
                found[key] = known if self._case.placed.get(key) is known else running(known)
        return found

    def _members(self) -> Counter[str]:
        """How many pods of each group have a node."""
        return Counter(group_of(pod) for pod in self._lying().values())

    def _step_of(self, act: Placed | Evicted, number: int) -> Step:
        if isinstance(act, Evicted):
            return Step(number, self._now, Outcome.EVICTED, act.key, act.node, act.total, by=act.by)
        return Step(
            number,
            self._now,
            Outcome.PLACED,
            act.applicant.key,
            act.node,
            act.total,
            act.ties,
            act.feasible,
            len(self.snapshot.nodes),
            act.refused_by,
            uncertain=self._course.uncertainties_of(act.applicant.key, act.applicant.kind),
        )

    def _failures(
        self, filling: Filling, left: Sequence[Applicant], gangs: Gangs | None, number: int
    ) -> Iterator[Step]:
        """A step for each pod that is pending and was not before, or for another reason."""
        cycles: dict[int, Cycle] = {}
        for each in left:
            cycle = cycles.get(each.kind.number)
            if cycle is None:
                cycle = cycles[each.kind.number] = filling.cycle_of(each)
            group = "" if gangs is None else gangs.of(each)
            reason = _reason(cycle, group, 0 if gangs is None else gangs.missing.get(group, 0))
            known = self.waiting.get(each.key)
            if known is not None and (known.message, known.plugins, known.problem) == reason:
                continue
            looked_at = 0 if cycle.stopped_by is not None else int(cycle.considered.sum())
            yield Step(
                number,
                self._now,
                Outcome.UNSCHEDULABLE,
                each.key,
                feasible=len(cycle.feasible),
                looked_at=looked_at,
                plugins=reason.plugins,
                message=reason.message,
                problem=reason.problem,
            )
            number += 1


def _reason(cycle: Cycle, group: str, missing: int) -> _Reason:
    if len(cycle.choices):
        return _Reason("", (), PodGroupDoesNotFit(group, missing))
    return _Reason(Explanation(cycle).refusal or "", () if cycle.error is not None else rejecting(cycle), None)
