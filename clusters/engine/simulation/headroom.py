"""How many more pods fit, one after another as the scheduler places them, and what stops the next one.

The pods preempt nobody: the question is what fits beside those that are there. Pods whose filters look at nothing but
the node itself (no required pod affinity, no constraint that blocks, no host port, no volume) fill each node to the
same number in whatever order nodes are taken, so that their number is computed at once; all others are placed.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import chain, count
from typing import TYPE_CHECKING

import numpy as np

from clusters.engine.configuration.arguments import PodTopologySpreadArgs
from clusters.engine.explanation import explain
from clusters.engine.matching.selectors import SelectorError
from clusters.engine.objects import PodShape, metadata, name_of, namespace_of
from clusters.engine.registry import reads_amounts, reads_devices
from clusters.engine.simulation.admission import PodAdmission
from clusters.engine.simulation.case import Case, Wanted
from clusters.engine.simulation.measures import resource_amounts, room_for
from clusters.engine.simulation.run import Simulation
from clusters.engine.simulation.steps import Outcome
from clusters.engine.spreading.constraints import DO_NOT_SCHEDULE, PLUGIN, ZONE, constraints_of
from clusters.engine.workloads.pod_copies import copy_of
from clusters.engine.workloads.pod_template import Controller

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from clusters.engine.configuration import SchedulerConfiguration
    from clusters.engine.explanation import Explanation
    from clusters.engine.objects import Document
    from clusters.engine.snapshot import Snapshot
    from clusters.engine.status import Ints

MOST_PODS = 100_000


@dataclass(frozen=True, slots=True)
class Portion:
    """A pod shape and how many of it are placed in each turn of a mix."""

    pod: Document
    share: int = 1


@dataclass(frozen=True, slots=True)
class StopReason:
    """What so many nodes say to the pod that does not fit: the plugin that rejects it first, and its words."""

    plugin: str
    reasons: tuple[str, ...]
    nodes: int


@dataclass(frozen=True, slots=True)
class Stop:
    """The first pod that fits nowhere: of which portion it is, the scheduler's message, and the nodes by reason.

    ``is_forbidden``: the API server does not create it, and the message is its own.
    """

    portion: int
    message: str
    reasons: tuple[StopReason, ...]
    is_forbidden: bool = False


@dataclass(frozen=True, slots=True)
class Headroom:
    """So many more pods fit, by portion of the mix, by node (most first) and by zone.

    ``stop``: None when counting ended at ``limit``. ``is_computed``: whether it follows from each node by itself, so
    that nothing had to be placed and ``limit`` does not count.
    """

    counts: tuple[int, ...]
    nodes: Mapping[str, int]
    zones: Mapping[str, int]
    stop: Stop | None
    limit: int
    is_computed: bool

    @property
    def count(self) -> int:
        return sum(self.counts)


def headroom(
    snapshot: Snapshot,
    configuration: SchedulerConfiguration,
    portions: Sequence[Portion],
    *,
    most: int = MOST_PODS,
    seed: int = 0,
    samples: bool = False,
    admits: bool = False,
) -> Headroom:
    """Place the shapes of a mix in turn until one does not fit, or ``most`` pods are placed; the snapshot stays.

    ``seed`` and ``samples`` are those of a simulation; ``admits``: LimitRanges and quotas are asked about each pod.
    Raises UnknownScheduler.
    """
    if not portions or any(portion.share < 1 for portion in portions):
        raise ValueError("a mix needs at least one shape, and of each at least one pod in a turn")
    state = snapshot.copy()
    supplies = [_copies(state, portion.pod, number) for number, portion in enumerate(portions)]
    shapes = [next(supply) for supply in supplies]
    found = [explain(state, shape, configuration.profile_for(shape)) for shape in shapes]
    room = PodAdmission(state).room_for(shapes[0]) if admits and len(portions) == 1 else None
    if len(portions) == 1 and is_plain(found[0]):
        computed = _computed(found[0], most)
        if room is None or computed.count < room:
            return computed
    shares = [portion.share for portion in portions]
    turn = [portion for portion, share in enumerate(shares) for _ in range(share)]
    bound = _bound(found, shares, most if room is None else min(most, room))
    portion_at = [turn[place % len(turn)] for place in range(bound + 1)]
    pods = [chain((shape,), supply) for shape, supply in zip(shapes, supplies, strict=True)]
    # Each arrives after the one before, so that the queue's order is that of the mix.
    wanted = [Wanted(next(pods[portion]), at=place) for place, portion in enumerate(portion_at)]
    case = Case(state, configuration, wanted, samples=samples, seed=seed, admits_pods=admits)
    return _stepped(case, portion_at, len(portions), most)


# -- shapes that fill each node by itself ------------------------------------------------------------------------------


def is_plain(explanation: Explanation) -> bool:
    """Whether the filters ask nothing about a node but what is on it, and of that only the amounts."""
    cycle, pod = explanation.cycle, explanation.pod
    if not any(map(reads_amounts, cycle.filters)) or cycle.nominated_world is not None:
        return False
    if cycle.filter_error is not None or cycle.score_error is not None:
        return False
    if pod.affinity.required or pod.affinity.required_anti or pod.host_ports or pod.volumes:
        return False
    if any(map(reads_devices, cycle.filters)):
        return False
    return explanation.gates.ok and not explanation.unknown_plugins and not is_spread(explanation)


def is_spread(explanation: Explanation) -> bool:
    """Whether a constraint blocks the pod of an explanation, its own or a default."""
    if PLUGIN not in explanation.cycle.filters:
        return False
    context = explanation.cycle.context
    arguments = context.arguments_of(PLUGIN, PodTopologySpreadArgs)
    try:
        return bool(constraints_of(explanation.snapshot, explanation.pod, arguments, DO_NOT_SCHEDULE))
    except SelectorError:
        return True


def _computed(explanation: Explanation, most: int) -> Headroom:
    """Fill every node that the pod fits on, and ask what the next one would be told."""
    rooms = _rooms(explanation)
    filled, asked = explanation.snapshot.copy(), PodShape.of(explanation.pod)
    rows, vector = np.flatnonzero(rooms), filled.nodes.vector(asked.requests)
    filled.nodes.requested[rows] += rooms[rows, None] * vector
    filled.nodes.non_zero[rows] += rooms[rows, None] * np.array((asked.non_zero_cpu, asked.non_zero_memory))
    filled.nodes.pod_count[rows] += rooms[rows]
    stop = stop_of(explain(filled, explanation.pod.document, explanation.profile), 0)
    ordered = rows[np.argsort(-rooms[rows], kind="stable")]
    nodes = {filled.nodes.names[row]: int(rooms[row]) for row in ordered.tolist()}
    return Headroom((int(rooms.sum()),), nodes, _by_zone(filled, nodes), stop, most, is_computed=True)


def _rooms(explanation: Explanation) -> Ints:
    """Shape (N,): how many more of a plain pod each node takes."""
    rooms = room_for(resource_amounts(explanation.snapshot), _checked(explanation))
    open_to_it = np.zeros(len(rooms), np.bool_)
    open_to_it[explanation.cycle.feasible] = True
    return np.where(open_to_it, rooms, 0)


def _checked(explanation: Explanation) -> dict[str, int]:
    """What is compared of a pod's requests, its place among them."""
    cycle = explanation.cycle
    return {resource: amount for name in cycle.filters for resource, amount in cycle.plugins[name].checked_amounts()}


# -- all others --------------------------------------------------------------------------------------------------------


def _stepped(case: Case, portion_at: Sequence[int], portions: int, most: int) -> Headroom:
    """Place the pods of a case, each one after the one before, until one does not fit or ``most`` are placed."""
    simulation = Simulation(case)
    counts, placed = [0] * portions, Counter[str]()
    stop = None
    for place, step in enumerate(simulation):
        portion = portion_at[place]
        if step.outcome is Outcome.FORBIDDEN:
            message = next(refusal.message for refusal in simulation.refusals)
            stop = Stop(portion, message, (), is_forbidden=True)
            break
        if step.outcome is not Outcome.PLACED:
            pod = case.wanted[place].pod
            explanation = explain(simulation.snapshot, pod, case.configuration.profile_for(pod))
            stop = stop_of(explanation, portion)
            break
        if place == most:
            break
        counts[portion] += 1
        placed[step.node] += 1
    nodes = dict(placed.most_common())
    return Headroom(tuple(counts), nodes, _by_zone(case.snapshot, nodes), stop, most, is_computed=False)


def _bound(found: Sequence[Explanation], shares: Sequence[int], most: int) -> int:
    """So many pods of the mix fit at most, by resources and pod limits alone; never more than ``most``."""
    bounds = [
        (int(room_for(resource_amounts(each.snapshot), _checked(each)).sum()) // share + 1) * sum(shares)
        for each, share in zip(found, shares, strict=True)
        if any(map(reads_amounts, each.cycle.filters))
    ]
    return min((most, *bounds))


def _copies(snapshot: Snapshot, shape: Document, portion: int) -> Iterator[Document]:
    """Pods of a shape that preempt nobody, one after another; the claims that come with them join the snapshot."""
    stem = f"{name_of(shape) or 'pod'}-headroom-{portion}"
    controller = Controller.of(shape)
    # What differs between copies but their names are the claims that come with them, and a StatefulSet's labels.
    is_alike = controller is None or controller.kind != "StatefulSet"
    first: Document = {}
    for number in count():
        name = f"{stem}-{number}"
        if number and is_alike:
            fields = {**metadata(first), "name": name, "uid": f"imagined:{namespace_of(shape)}/{name}"}
            yield {**first, "metadata": fields}
            continue
        copied = copy_of(snapshot, shape, name)
        for claim in copied.claims:
            snapshot.upsert(claim)
        is_alike = is_alike and not copied.claims
        first = {**copied.pod, "spec": {**copied.pod["spec"], "preemptionPolicy": "Never"}}
        yield first


# -- answers -----------------------------------------------------------------------------------------------------------


def stop_of(explanation: Explanation, portion: int) -> Stop:
    """What keeps a pod from every node; of a pod that gates hold back, these."""
    if not explanation.gates.ok:
        return Stop(portion, ", ".join(explanation.gates.reasons), ())
    nodes: Counter[tuple[str, tuple[str, ...]]] = Counter()
    for group in explanation.groups:
        if group.verdict is not None:
            nodes[group.verdict.plugin, group.verdict.status.reasons] += len(group)
    reasons = tuple(StopReason(plugin, reasons, number) for (plugin, reasons), number in nodes.most_common())
    return Stop(portion, explanation.refusal or "", reasons)


def _by_zone(snapshot: Snapshot, nodes: Mapping[str, int]) -> dict[str, int]:
    """Pods by zone in order of name; the zone of nodes without one is empty and last."""
    zones: Counter[str] = Counter()
    for node, number in nodes.items():
        zones[snapshot.nodes.nodes[snapshot.nodes.index[node]].labels.get(ZONE, "")] += number
    return {zone: zones[zone] for zone in sorted(zones, key=lambda zone: (not zone, zone))}
