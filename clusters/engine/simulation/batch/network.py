"""The network of one round: from every kind of pods to the nodes that would take one now, and on to the sink.

Integers throughout. An arc from a kind to a node costs what the node's total lacks of the highest possible one and
holds as many pods as the node's free resources do. A node's way to the sink becomes dearer with each pod, by what
one more pod of an average kind takes from its total. A pod may stay without a node, which costs more than any detour
that others could be sent on for its sake, and the more the higher its priority is.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from clusters.engine.cycle import run_cycle
from clusters.engine.plugin import MAX_NODE_SCORE
from clusters.engine.simulation.batch.lots import room_for
from clusters.engine.simulation.batch.problem import FlowProblem

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusters.engine.configuration import Profile
    from clusters.engine.cycle import Cycle
    from clusters.engine.simulation.batch.lots import Lot
    from clusters.engine.simulation.batch.problem import Solve
    from clusters.engine.snapshot import Snapshot
    from clusters.engine.status import Index, Ints

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


@dataclass(frozen=True, slots=True, eq=False)
class _Arcs:
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
    costs = (highest_total(profile) - cycle.totals) * _POINT
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


def highest_total(profile: Profile) -> int:
    """What a node could get from all plugins together."""
    return MAX_NODE_SCORE * sum(profile.weights[name] for name in profile.score)


def _slopes(cycle: Cycle, lot: Lot) -> Ints:
    """By how much each feasible node's total falls once it holds one more of the kind.

    Only what the node has free counts as changed: what pods mean to each other is left to the repair.
    """
    fuller = copy.copy(cycle.snapshot)
    fuller.nodes = cycle.snapshot.nodes.copy()
    fuller.nodes.requested += fuller.nodes.vector(lot.shape.requests)
    fuller.nodes.non_zero += np.array((lot.shape.non_zero_cpu, lot.shape.non_zero_memory), np.int64)
    fuller.nodes.pod_count += 1
    later = run_cycle(fuller, lot.pod, lot.profile)
    totals = np.full(len(fuller.nodes), -1, np.int64)
    if len(later.best):
        totals[later.feasible] = later.totals
    then = totals[cycle.feasible]
    return np.where(then < 0, 0, cycle.totals - then)


def _problem(snapshot: Snapshot, arcs: Sequence[_Arcs]) -> FlowProblem:
    """Kinds first, then the nodes that some kind has an arc to, then the sink."""
    counts = np.array([len(each.lot.members) for each in arcs], np.int64)
    rows = np.concatenate([each.rows for each in arcs])
    used, position = np.unique(rows, return_inverse=True)
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


@dataclass(frozen=True, slots=True, eq=False)
class _Out:
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
