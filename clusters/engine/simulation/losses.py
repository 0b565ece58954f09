"""How many more pods fit after a node or a zone is lost and its pods have found other places."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct

from clusters.engine.objects import Document, key_of, labels_of, namespace_of
from clusters.engine.owners import TEMPLATE_HASH, Controller, Workload
from clusters.engine.scheduling.explanation import explain
from clusters.engine.simulation.case import Origin, Outcome
from clusters.engine.simulation.changes import prepared
from clusters.engine.simulation.changes.nodes import RemoveNodes
from clusters.engine.simulation.measures import MOST_PODS, Portion, headroom, resource_amounts, room_for
from clusters.engine.simulation.outcome import Affected, affected, newly_pending, running_pods
from clusters.engine.simulation.run import Simulation
from clusters.engine.spreading.constraints import ZONE

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from clusters.engine.configuration import SchedulerConfiguration
    from clusters.engine.simulation.changes.cluster import Base
    from clusters.engine.snapshot import Snapshot
    from clusters.engine.status import Ints

# So many losses of single nodes are played through at most; the others are judged by what they hold and have.
MOST_LOSSES = 16
# A zone with more pods than this that would be recreated is not played through.
MOST_DISPLACED = 20_000


class Loss(Struct, frozen=True):
    """What is left after nodes are gone: so many pods of each shape fit, each shape by itself.

    ``capped``: of which shapes counting ended at the most that is counted, so that more may fit.
    ``displaced``: pods of the lost nodes that their controllers recreated; ``newly_pending``: the pods without a node
    afterwards, as ``namespace/name``: of those, and of pods elsewhere that had to make room for them, those that the
    API server refuses to create among them. ``affected``: what the loss does to workloads and budgets. Pods that were
    pending before are tried too and are in neither, nor are those that nobody recreates or that other schedulers place.
    """

    name: str
    nodes: int
    counts: tuple[int, ...]
    capped: tuple[bool, ...]
    displaced: int
    newly_pending: tuple[str, ...]
    affected: Affected


class Losses(Struct, frozen=True):
    """The headroom of each shape now, after the loss of one node, and of one zone.

    ``worst_nodes``: for each shape the node after whose loss the fewest fit, of those that were played through, or None
    without nodes. So many were ``played`` of ``kinds`` of nodes that differ in what they have and hold. ``too_large``:
    zones that were not played through, because too many pods would have to be placed anew.
    """

    before: tuple[int, ...]
    worst_nodes: tuple[Loss | None, ...]
    zones: tuple[Loss, ...]
    played: int
    kinds: int
    too_large: tuple[str, ...]


def play_losses(
    base: Base,
    configuration: SchedulerConfiguration,
    shapes: Sequence[Document],
    *,
    most_losses: int = MOST_LOSSES,
    most_displaced: int = MOST_DISPLACED,
    most: int = MOST_PODS,
    seed: int = 0,
) -> Losses:
    """The headroom of shapes now, and after the worst loss of one node and of each zone.

    Nodes that have and hold the same are one kind, of which the first by name stands for all. Those kinds are played
    through whose loss takes most from a shape: the room for it on the node, and the room elsewhere that the node's pods
    will take.

    Raises UnknownScheduler.
    """
    snapshot = base.snapshot
    before = running_pods(snapshot, base.beside)

    def played(name: str, lost: Sequence[str]) -> Loss:
        case = prepared(base, [RemoveNodes(nodes=tuple(lost))], configuration, seed=seed).case
        simulation = Simulation(case)
        last = {step.pod: step.outcome for step in simulation}
        state = simulation.snapshot
        rooms = [headroom(state, configuration, [Portion(shape)], most=most, seed=seed) for shape in shapes]
        counts, capped = tuple(room.count for room in rooms), tuple(room.stop is None for room in rooms)
        waiting = [simulation.document_of(key) for key in simulation.waiting]
        displaced = sum(each.origin is Origin.DISPLACED for each in case.wanted)
        refused = [pod for pod, outcome in last.items() if outcome is Outcome.FORBIDDEN]
        origins = {key_of(each.pod): each.origin for each in case.wanted}
        newly = newly_pending([*simulation.waiting, *refused], origins)
        harm = affected(before, running_pods(state, waiting), _workloads(simulation, newly))
        return Loss(name, len(lost), counts, capped, displaced, newly, harm)

    kinds = _kinds(snapshot)
    costs = [_costs(snapshot, configuration, shape)[kinds] for shape in shapes]
    chosen = _costliest(costs, most_losses) if len(kinds) and shapes else []
    names = [snapshot.nodes.names[row] for row in kinds[chosen].tolist()]
    found = [played(name, [name]) for name in names]
    worst = [
        min(found, key=lambda loss: (loss.counts[number], loss.name), default=None) for number in range(len(shapes))
    ]
    zones = _zones(snapshot)
    pods = dict(zip(snapshot.nodes.names, snapshot.nodes.pod_count.tolist(), strict=True))
    too_large = tuple(zone for zone in zones if sum(pods[node] for node in zones[zone]) > most_displaced)
    return Losses(
        before=tuple(
            headroom(snapshot, configuration, [Portion(shape)], most=most, seed=seed).count for shape in shapes
        ),
        worst_nodes=tuple(worst),
        zones=tuple(played(zone, zones[zone]) for zone in zones if zone not in too_large),
        played=len(found),
        kinds=len(kinds),
        too_large=too_large,
    )


def _workloads(simulation: Simulation, pods: Iterable[str]) -> dict[str, Workload]:
    """Return what pods that wait belong to."""
    found = {}
    for key in pods:
        pod = simulation.document_of(key)
        found[key] = Workload.of(namespace_of(pod), Controller.of(pod), labels_of(pod).get(TEMPLATE_HASH, ""))
    return found


def _kinds(snapshot: Snapshot) -> Ints:
    """Rows of the first node by name of each kind."""
    nodes = snapshot.nodes
    zones = nodes.label(ZONE).codes
    told = np.column_stack(
        [
            nodes.allocatable,
            nodes.requested,
            nodes.allowed_pods,
            nodes.pod_count,
            nodes.taint_set,
            nodes.unschedulable,
            zones,
        ]
    )
    return np.sort(np.unique(told, axis=0, return_index=True)[1]) if len(nodes) else np.empty(0, np.int64)


def _costs(snapshot: Snapshot, configuration: SchedulerConfiguration, shape: Document) -> Ints:
    """Shape (N,): about how many pods of a shape fewer fit when a node is lost: those that it has room for, and those
    whose room its own pods will need elsewhere."""
    explanation = explain(snapshot, shape, configuration.profile_for(shape))
    amounts, asked = resource_amounts(snapshot), explanation.pod.requests
    open_to_it = np.zeros(len(snapshot.nodes), np.bool_)
    open_to_it[explanation.cycle.feasible] = True
    costs = np.where(open_to_it, room_for(amounts, asked), 0)
    moving = _moving(snapshot)
    taken = np.zeros(len(costs), np.int64)
    for resource, number in asked.items():
        column = snapshot.nodes.resource(resource)
        if number > 0 and column is not None:
            taken = np.maximum(taken, moving[:, column] // number)
    return costs + taken


def _moving(snapshot: Snapshot) -> Ints:
    """Shape (N, R): what those pods of each node request that are recreated elsewhere."""
    pods, nodes = snapshot.pods, snapshot.nodes
    amounts, _ = snapshot.shape_amounts()
    sums = np.zeros_like(nodes.requested)
    free = np.array(
        [template.controller is not None and not template.is_pinned for template in pods.templates], np.bool_
    )
    bound = np.flatnonzero(pods.node >= 0)
    if len(bound):
        bound = bound[free[pods.template[bound]]]
        np.add.at(sums, pods.node[bound], amounts[pods.shape[bound]])
    return sums


def _costliest(costs: Sequence[Ints], most: int) -> list[int]:
    """Places of the kinds that cost some shape most, as many for each shape as there may be."""
    each = max(1, most // max(1, len(costs)))
    chosen: dict[int, None] = {}
    for cost in costs:
        chosen.update(dict.fromkeys(np.argsort(-cost, kind="stable")[:each].tolist()))
    return sorted(chosen)


def _zones(snapshot: Snapshot) -> Mapping[str, list[str]]:
    """Names of the nodes of each zone, in order; nodes without a zone are in none."""
    zones: dict[str, list[str]] = {}
    for node in snapshot.nodes.nodes:
        if ZONE in node.labels:
            zones.setdefault(node.labels[ZONE], []).append(node.name)
    return {zone: zones[zone] for zone in sorted(zones)}
