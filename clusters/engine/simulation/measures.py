"""A cluster in a few plain numbers: what is requested, what more would fit, and how both change over a run."""

from __future__ import annotations

from collections import Counter
from functools import partial
from itertools import chain, count
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from msgspec import Struct

from clusters.engine.configuration.arguments import PodTopologySpreadArgs
from clusters.engine.disruption import Never, budget_states
from clusters.engine.nodes import Amounts, amounts_of, node_health, pool_of, stranded, zone_uses
from clusters.engine.objects import Document, PodShape, metadata, name_of, namespace_of
from clusters.engine.owners import Controller
from clusters.engine.registry import reads_amounts, reads_devices
from clusters.engine.resources import CPU, EPHEMERAL_STORAGE, MEMORY, PODS
from clusters.engine.scheduling.cost import Failure, attempt
from clusters.engine.scheduling.explanation import Explanation, explain
from clusters.engine.selectors import SelectorError
from clusters.engine.simulation.case import STAYED, Case, Outcome, Step, Wanted
from clusters.engine.simulation.controllers import PodAdmission
from clusters.engine.simulation.kinds import PodRequests
from clusters.engine.simulation.run import Simulation
from clusters.engine.spreading.constraints import DO_NOT_SCHEDULE, PLUGIN, ZONE, constraints_of
from clusters.engine.spreading.groups import spreading_of
from clusters.engine.workloads.pods import copy_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from clusters.engine.configuration import Profile, SchedulerConfiguration
    from clusters.engine.snapshot import Snapshot
    from clusters.engine.status import Index, Ints, Mask

# A cluster in a few plain numbers: what is requested of what there is, where, and what of the rest is of use.

# So many of the fullest nodes, and of the emptiest.
EXTREMES = 5


class Amount(Struct, frozen=True):
    """So much of a resource is requested of what is allocatable, in base units."""

    requested: int
    allocatable: int

    @property
    def share(self) -> float:
        """Requested of allocatable; 0 where there is nothing of it."""
        return self.requested / self.allocatable if self.allocatable else 0.0


class MeasuredNodes(Struct, frozen=True):
    """Nodes that belong together, by zone or by pool; the name is empty for those that say nothing about it.

    ``usable`` and ``empty`` as in ``Measures``.
    """

    name: str
    nodes: int
    usable: int
    empty: int
    amounts: Mapping[str, Amount]


class NodeUse(Struct, frozen=True):
    """A node and what is requested of it; ``share`` is the larger one of those of CPU and memory."""

    node: str
    share: float
    amounts: Mapping[str, Amount]


class StrandedAmount(Struct, frozen=True):
    """So much of a resource is left on nodes where another one is nearly gone, as in ``utilisation.stranded``."""

    resource: str
    nodes: int
    left: int
    for_lack: Mapping[str, int]


class Measures(Struct, frozen=True):
    """A cluster at one moment. ``amounts`` by resource: CPU, memory, pods, and others that matter.

    ``pending``: pending pods, which request ``wanted``. ``empty``: nodes without any pod but those of
    DaemonSets and static ones; the others are in use. ``usable``: nodes that are well and accept pods, of
    which so much is allocatable as is ``open``.
    """

    nodes: int
    usable: int
    empty: int
    pods: int
    pending: int
    wanted: Mapping[str, int]
    amounts: Mapping[str, Amount]
    open: Mapping[str, int]
    zones: tuple[MeasuredNodes, ...]
    pools: tuple[MeasuredNodes, ...]
    fullest: tuple[NodeUse, ...]
    emptiest: tuple[NodeUse, ...]
    stranded: tuple[StrandedAmount, ...]


class SpreadMeasures(Struct, frozen=True):
    """Spread constraints by how they stand: ``hard`` ones keep pods pending, the others are ``soft``.

    Of each, ``violated``: some domain holds more than maxSkew above the minimum; ``tight``: a hard one that is not
    violated and has a domain that the next pod may not enter. ``widest``: the largest skew of any hard one.
    """

    hard: int
    hard_violated: int
    hard_tight: int
    soft: int
    soft_violated: int
    widest: int


class BudgetMeasures(Struct, frozen=True):
    """Disruption budgets: how many evictions they grant now in all, and those with pods that grant none.

    ``lasting``: those of the ``blocked`` that go on blocking until somebody changes something.
    """

    budgets: int
    granted: int
    blocked: tuple[str, ...]
    lasting: tuple[str, ...]


def measures_of(snapshot: Snapshot, waiting: Iterable[Document] = ()) -> Measures:
    """Measure a snapshot and the pending pods beside it."""
    nodes, pods = snapshot.nodes, snapshot.pods
    documents = list(waiting)
    reading = PodRequests()
    asked = [reading.of(document) for document in documents]
    amounts = resource_amounts(snapshot)
    in_use = nodes_in_use(snapshot)
    usable = node_health(snapshot).usable
    counted = amounts_of(snapshot)
    ranked = _ranked(amounts, usable)
    wanted: dict[str, int] = {}
    for each in asked:
        for resource, number in each.items():
            wanted[resource] = wanted.get(resource, 0) + number
    return Measures(
        nodes=len(nodes),
        usable=int(usable.sum()),
        empty=len(nodes) - int(in_use.sum()),
        pods=int((pods.node >= 0).sum()),
        pending=len(documents),
        wanted=wanted,
        amounts=_total(amounts, np.arange(len(nodes))),
        open={name: int(each.allocatable[usable].sum()) for name, each in amounts.items()},
        zones=tuple(_part(zone.zone, zone.rows, amounts, usable, in_use) for zone in zone_uses(snapshot, counted)),
        pools=tuple(_part(pool, rows, amounts, usable, in_use) for pool, rows in _pools(snapshot)),
        fullest=_uses(snapshot, amounts, ranked[:EXTREMES]),
        emptiest=_uses(snapshot, amounts, ranked[::-1][:EXTREMES]),
        stranded=tuple(
            StrandedAmount(each.resource, len(each.rows), each.left, dict(each.for_lack))
            for each in stranded(counted, usable)
        ),
    )


def spread_measures(
    snapshot: Snapshot, profiles: Iterable[Profile], waiting: Iterable[Document] = ()
) -> SpreadMeasures:
    """Count the spread constraints of a snapshot by how they stand."""
    groups = spreading_of(snapshot, profiles, waiting).groups
    hard = [group for group in groups if group.blocks]
    soft = [group for group in groups if not group.blocks]
    return SpreadMeasures(
        hard=len(hard),
        hard_violated=sum(group.violation > 0 for group in hard),
        hard_tight=sum(
            not group.violation and bool((group.eligibility.exists & ~group.within).any()) for group in hard
        ),
        soft=len(soft),
        soft_violated=sum(group.violation > 0 for group in soft),
        widest=max((group.largest_skew for group in hard), default=0),
    )


def budget_measures(snapshot: Snapshot, waiting: Iterable[Document] = ()) -> BudgetMeasures:
    """Count what the disruption budgets of a snapshot allow, computed from its objects as the controller would."""
    states = budget_states(snapshot, waiting)
    allowed = {
        state.budget.key: state.grants
        if state.never is Never.SEVERAL_BUDGETS or state.computed.allowed is None
        else state.computed.allowed
        for state in states
    }
    return BudgetMeasures(
        budgets=len(states),
        granted=sum(allowed.values()),
        blocked=tuple(sorted(state.budget.key for state in states if state.pods and not allowed[state.budget.key])),
        lasting=tuple(sorted(state.budget.key for state in states if state.is_blocker)),
    )


def nodes_in_use(snapshot: Snapshot) -> Mask:
    """Shape (N,): nodes with a pod that is not of a DaemonSet and not static."""
    return moving_pods(snapshot) > 0


def moving_pods(snapshot: Snapshot) -> Ints:
    """Shape (N,): how many pods of each node are neither of a DaemonSet nor static."""
    return np.bincount(snapshot.pods.node[moving_slots(snapshot)], minlength=len(snapshot.nodes)).astype(np.int64)


def moving_slots(snapshot: Snapshot) -> Index:
    """Slots of the pods on nodes that are neither of a DaemonSet nor static."""
    pods = snapshot.pods
    pinned = np.array([template.is_pinned for template in pods.templates], np.bool_)
    bound = np.flatnonzero(pods.node >= 0)
    return bound[~pinned[pods.template[bound]]] if len(bound) else bound


def resource_amounts(snapshot: Snapshot) -> dict[str, Amounts]:
    """CPU, memory and pods, then the other resources that some node has or some pod requests, by name."""
    nodes = snapshot.nodes
    found = {}
    for name in (CPU, MEMORY, EPHEMERAL_STORAGE, *sorted(set(nodes.resources) - {CPU, MEMORY, EPHEMERAL_STORAGE})):
        column = nodes.resources.index(name)
        amounts = Amounts(nodes.requested[:, column], nodes.allocatable[:, column])
        if name in (CPU, MEMORY) or amounts.allocatable.any() or amounts.requested.any():
            found[name] = amounts
    found[PODS] = Amounts(nodes.pod_count, nodes.allowed_pods)
    return found


def _total(amounts: Mapping[str, Amounts], rows: Index) -> dict[str, Amount]:
    return {
        name: Amount(int(each.requested[rows].sum()), int(each.allocatable[rows].sum()))
        for name, each in amounts.items()
    }


def _part(name: str, rows: Index, amounts: Mapping[str, Amounts], usable: Mask, in_use: Mask) -> MeasuredNodes:
    open_rows, empty = int(usable[rows].sum()), len(rows) - int(in_use[rows].sum())
    return MeasuredNodes(name, len(rows), open_rows, empty, _total(amounts, rows))


def _pools(snapshot: Snapshot) -> list[tuple[str, Index]]:
    """The rows of each pool in order of name, nodes without one last."""
    members: dict[str, list[int]] = {}
    for row, node in enumerate(snapshot.nodes.nodes):
        members.setdefault(pool_of(node.labels), []).append(row)
    return [(pool, np.array(members[pool], np.intp)) for pool in sorted(members, key=lambda pool: (not pool, pool))]


def _shares(amounts: Mapping[str, Amounts]) -> NDArray[np.float64]:
    """Shape (N,): the larger one of the shares of CPU and memory of each node."""
    return np.maximum(amounts[CPU].shares, amounts[MEMORY].shares)


def _ranked(amounts: Mapping[str, Amounts], usable: Mask) -> Index:
    """Rows of the usable nodes, the fullest first."""
    rows = np.flatnonzero(usable)
    return rows[np.argsort(-_shares(amounts)[rows], kind="stable")]


def _uses(snapshot: Snapshot, amounts: Mapping[str, Amounts], rows: Index) -> tuple[NodeUse, ...]:
    shares = _shares(amounts)
    return tuple(
        NodeUse(snapshot.nodes.names[row], float(shares[row]), _total(amounts, np.array([row])))
        for row in rows.tolist()
    )


def room_for(amounts: Mapping[str, Amounts], shape: Mapping[str, int]) -> Ints:
    """Shape (N,): how many more pods that request ``shape`` each node has resources and places for."""
    room = amounts[PODS].left.copy()
    for resource, number in shape.items():
        if number > 0:
            left = amounts[resource].left if resource in amounts else np.zeros_like(room)
            room = np.minimum(room, left // number)
    return room


# How many more pods fit, one after another as the scheduler places them, and what stops the next one.
#
# The pods preempt nobody: the question is what fits beside those that are there. Pods whose filters look at nothing
# but the node itself (no required pod affinity, no constraint that blocks, no host port, no volume) fill each node to
# the same number in whatever order nodes are taken, so that their number is computed at once; all others are placed.

MOST_PODS = 100_000


class Portion(Struct, frozen=True):
    """A pod shape and how many of it are placed in each turn of a mix."""

    pod: Document
    share: int = 1


class StopReason(Struct, frozen=True):
    """What so many nodes say to the pod that does not fit: the plugin that rejects it first, and its words."""

    plugin: str
    reasons: tuple[str, ...]
    nodes: int


class Stop(Struct, frozen=True):
    """The first pod that fits nowhere: of which portion it is, the scheduler's message, and the nodes by reason.

    ``is_forbidden``: the API server does not create it, and the message is its own.
    """

    portion: int
    message: str
    reasons: tuple[StopReason, ...]
    is_forbidden: bool = False


class Headroom(Struct, frozen=True):
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
    # The claims that come with pods are all that is added to it.
    brings = any(copy_of(snapshot, portion.pod, name_of(portion.pod)).claims for portion in portions)
    state = snapshot.copy() if brings else snapshot
    supplies = [further_copies(state, portion.pod, number) for number, portion in enumerate(portions)]
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
    arguments = explanation.cycle.context.arguments_of(PLUGIN, PodTopologySpreadArgs)
    try:
        return bool(constraints_of(explanation.snapshot, explanation.pod, arguments, DO_NOT_SCHEDULE))
    except SelectorError:
        return True


def _computed(explanation: Explanation, most: int) -> Headroom:
    """Fill every node that the pod fits on, and ask what the next one would be told."""
    rooms = rooms_of(explanation)
    filled, asked = explanation.snapshot.copy(), PodShape.of(explanation.pod)
    rows, vector = np.flatnonzero(rooms), filled.nodes.vector(asked.requests)
    more, non_zero = rooms[rows, None], np.array((asked.non_zero_cpu, asked.non_zero_memory))
    filled.nodes.book(rows, more * vector, more * non_zero, rooms[rows])
    stop = stop_of(explain(filled, explanation.pod.document, explanation.profile), 0)
    ordered = rows[np.argsort(-rooms[rows], kind="stable")]
    nodes = {filled.nodes.names[row]: int(rooms[row]) for row in ordered.tolist()}
    return Headroom((int(rooms.sum()),), nodes, _by_zone(filled, nodes), stop, most, is_computed=True)


def rooms_of(explanation: Explanation) -> Ints:
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
            stop = stop_of(explain(simulation.snapshot, pod, case.configuration.profile_for(pod)), portion)
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


def further_copies(snapshot: Snapshot, shape: Document, portion: int) -> Iterator[Document]:
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
        return Stop(portion, explanation.gates.said, ())
    nodes: Counter[tuple[str, tuple[str, ...]]] = Counter()
    for group in explanation.groups:
        if group.verdict is not None:
            nodes[group.verdict.plugin, group.verdict.status.texts] += len(group)
    reasons = tuple(StopReason(plugin, reasons, number) for (plugin, reasons), number in nodes.most_common())
    return Stop(portion, explanation.refusal or "", reasons)


def _by_zone(snapshot: Snapshot, nodes: Mapping[str, int]) -> dict[str, int]:
    """Pods by zone in order of name; the zone of nodes without one is empty and last."""
    zones: Counter[str] = Counter()
    for node, number in nodes.items():
        zones[snapshot.nodes.nodes[snapshot.nodes.index[node]].labels.get(ZONE, "")] += number
    return {zone: zones[zone] for zone in sorted(zones, key=lambda zone: (not zone, zone))}


# What is left of a cluster for the pods that are asked for most: the same numbers as headroom's, for bare pods.

# So many of the shapes that are wanted most say how fragmented a cluster is.
REFERENCE_SHAPES = 3
# Where constraints by default have pods placed one by one, they are counted up to here.
_MOST_PODS = 2_000


class Fragmentation(Struct, frozen=True):
    """What a shape leaves of the free resources.

    ``requests``: one pod's, which asks for nothing else and tolerates no taint. ``pods``: how many more fit, on how
    many ``nodes``; at least as many, unless ``is_whole``. Of what is ``free`` of each requested resource on the nodes
    that are open to it, so much is ``unusable``: it is on nodes where not one more fits.
    """

    requests: Mapping[str, int]
    pods: int
    nodes: int
    free: Mapping[str, int]
    unusable: Mapping[str, int]
    is_whole: bool = True


def fragmentation_of(
    snapshot: Snapshot, configuration: SchedulerConfiguration, shapes: Sequence[Mapping[str, int]]
) -> tuple[Fragmentation, ...]:
    """Judge the free resources of a snapshot by some requests.

    Those that cannot be computed are left out: the pods that have them are told of by themselves.
    """
    found = (attempt(partial(_fragmentation, snapshot, configuration, shape)) for shape in shapes)
    return tuple(each for each in found if not isinstance(each, Failure))


def _fragmentation(
    snapshot: Snapshot, configuration: SchedulerConfiguration, shape: Mapping[str, int]
) -> Fragmentation:
    requests = {name: f"{number}m" if name == CPU else str(number) for name, number in shape.items()}
    pod = {
        "kind": "Pod",
        "metadata": {"namespace": "default", "name": "shape"},
        "spec": {
            "schedulerName": configuration.profiles[0].scheduler_name,
            "containers": [{"name": "main", "resources": {"requests": requests}}],
        },
    }
    found = headroom(snapshot, configuration, [Portion(pod)], most=_MOST_PODS)
    is_open = _open(explain(snapshot, pod, configuration.profile_for(pod)))
    takes = np.array([name in found.nodes for name in snapshot.nodes.names], np.bool_)
    amounts, nothing = resource_amounts(snapshot), np.zeros(len(takes), np.int64)
    if found.stop is None:
        # Counting ended before it came to all nodes.
        takes |= room_for(amounts, shape) > 0
    free, unusable = {}, {}
    for resource in shape:
        left = amounts[resource].left if resource in amounts else nothing
        free[resource] = int(left[is_open].sum())
        unusable[resource] = int(left[is_open & ~takes].sum())
    return Fragmentation(dict(shape), found.count, len(found.nodes), free, unusable, is_whole=found.stop is not None)


def _open(explanation: Explanation) -> Mask:
    """Shape (N,): nodes that let the pod in, but for what they have left."""
    found = np.zeros(len(explanation.snapshot.nodes), np.bool_)
    for group in explanation.groups:
        found[group.rows] = group.verdict is None or reads_amounts(group.verdict.plugin)
    return found


def reference_shapes(snapshot: Snapshot, waiting: Iterable[Document] = ()) -> tuple[Mapping[str, int], ...]:
    """The requests of most of the pending pods; without any, the median request of the pods on nodes."""
    times: dict[tuple[tuple[str, int], ...], int] = {}
    reading = PodRequests()
    for pod in waiting:
        shape = tuple(sorted((resource, number) for resource, number in reading.of(pod).items() if number > 0))
        times[shape] = times.get(shape, 0) + 1
    if times:
        most = sorted(times, key=lambda shape: (-times[shape], shape))
        return tuple(dict(shape) for shape in most[:REFERENCE_SHAPES])
    median = _median(snapshot)
    return (median,) if median else ()


def _median(snapshot: Snapshot) -> dict[str, int]:
    """The lower medians of CPU and memory over the pods on nodes that may go elsewhere; empty without any."""
    pods, moving = snapshot.pods, moving_slots(snapshot)
    if not len(moving):
        return {}
    found = {}
    for resource in (CPU, MEMORY):
        by_shape = np.array([dict(shape.requests).get(resource, 0) for shape in pods.shapes], np.int64)
        numbers = by_shape[pods.shape[moving]]
        middle = (len(numbers) - 1) // 2
        median = int(np.partition(numbers, middle)[middle])
        if median:
            found[resource] = median
    return found


# How a cluster fills and empties over the steps of a run: a few points, each exact, from one pass.

MOST_POINTS = 200
_WAITS = frozenset({Outcome.UNSCHEDULABLE, Outcome.GATED, Outcome.NOT_COMPUTED})


class Point(Struct, frozen=True):
    """The cluster after step ``step``, at ``at`` nanoseconds; the first point is before every step, with step -1.

    ``placed``: pods on nodes; ``pending``: those whose last attempt failed; ``nodes``: so many have pods that
    are neither of DaemonSets nor static. Requests are in base units by resource, and in ``zones`` by zone and resource.
    """

    step: int
    at: int
    placed: int
    pending: int
    nodes: int
    requested: Mapping[str, int]
    zones: Mapping[str, Mapping[str, int]]

    def share(self, allocatable: Mapping[str, int], resource: str) -> float:
        """What is requested of what there is; 0 where there is nothing."""
        return Amount(self.requested[resource], allocatable.get(resource, 0)).share


class Series(Struct, frozen=True):
    """Points in the order of steps, and what they are part of: allocatable by resource, and by zone and resource."""

    resources: tuple[str, ...]
    allocatable: Mapping[str, int]
    zones: Mapping[str, Mapping[str, int]]
    points: tuple[Point, ...]


def series_of(
    case: Case,
    steps: Sequence[Step],
    document_of: Callable[[str], Document],
    *,
    by_time: bool = False,
    most: int = MOST_POINTS,
) -> Series:
    """The series of a run, at most so many points: evenly over its steps, or over its time.

    ``document_of``: the pods that were placed in it. At a time all steps of that time have happened.
    """
    picked = _times(steps, most - 1) if by_time else _numbers(len(steps), most - 1)
    course = _Course(case.snapshot, document_of)
    points = [course.point(-1, 0)]
    done = 0
    for after, at in picked:
        for step in steps[done:after]:
            course.take(step)
        done = after
        points.append(course.point(after - 1, steps[after - 1].at if at is None else at))
    return Series(course.resources, course.allocatable, course.zone_allocatable, tuple(points))


def _numbers(steps: int, most: int) -> Iterator[tuple[int, int | None]]:
    """After how many steps to look, evenly and at the end."""
    count = min(steps, most)
    for place in range(1, count + 1):
        yield place * steps // count, None


def _times(steps: Sequence[Step], most: int) -> Iterator[tuple[int, int | None]]:
    """After how many steps to look, at times that are evenly apart; a time at which nothing changed is left out."""
    times = np.array([step.at for step in steps], np.int64)
    if not len(times):
        return
    first, last = int(times[0]), int(times[-1])
    done = 0
    for place in range(1, most + 1):
        at = first + (last - first) * place // most
        after = int(np.searchsorted(times, at, side="right"))
        if after > done:
            done = after
            yield after, at


class _Lying(NamedTuple):
    """A pod on its node; ``moves``: it is neither of a DaemonSet nor static."""

    node: str
    requests: Mapping[str, int]
    moves: bool


class _Course:
    """What is requested as steps are taken."""

    def __init__(self, snapshot: Snapshot, document_of: Callable[[str], Document]) -> None:
        amounts = resource_amounts(snapshot)
        self.resources = tuple(amounts)
        self.allocatable = {name: int(each.allocatable.sum()) for name, each in amounts.items()}
        self._requested = {name: int(each.requested.sum()) for name, each in amounts.items()}
        zones = zone_uses(snapshot, amounts)
        self.zone_allocatable = {zone.zone: zone.allocatable for zone in zones}
        self._zones = {zone.zone: dict(zone.requested) for zone in zones}
        self._zone_of = {snapshot.nodes.names[row]: zone.zone for zone in zones for row in zone.rows.tolist()}
        self._pods_on = dict(zip(snapshot.nodes.names, moving_pods(snapshot).tolist(), strict=True))
        self._in_use = sum(number > 0 for number in self._pods_on.values())
        self._placed = int(snapshot.nodes.pod_count.sum())
        self._snapshot, self._document_of, self._asked = snapshot, document_of, PodRequests()
        # What was placed since the beginning; everything else lies where the snapshot says until it goes.
        self._here: dict[str, _Lying] = {}
        self._gone: set[str] = set()
        self._waiting: set[str] = set()

    def take(self, step: Step) -> None:
        """Let a step happen."""
        # A pod that terminates takes up its room until another step says that it is gone.
        if step.outcome in STAYED or step.grace:
            return
        self._waiting.discard(step.pod)
        self._clear(step.pod)
        if step.outcome is Outcome.PLACED:
            pod = self._document_of(step.pod)
            controller = Controller.of(pod)
            moves = controller is None or controller.kind not in ("DaemonSet", "Node")
            self._here[step.pod] = lying = _Lying(step.node, self._asked.of(pod), moves)
            self._book(lying, 1)
        elif step.outcome in _WAITS:
            self._waiting.add(step.pod)

    def _clear(self, pod: str) -> None:
        """Take a pod from its node, if it has one."""
        lying = self._here.pop(pod, None)
        if lying is None and pod not in self._gone:
            lying = self._from_the_beginning(pod)
        self._gone.add(pod)
        if lying is not None:
            self._book(lying, -1)

    def _from_the_beginning(self, pod: str) -> _Lying | None:
        node, pods = self._snapshot.placed_on(pod), self._snapshot.pods
        if node is None:
            return None
        slot = pods.slot_of[pod]
        moves = not pods.templates[int(pods.template[slot])].is_pinned
        return _Lying(node, dict(pods.shapes[int(pods.shape[slot])].requests), moves)

    def _book(self, lying: _Lying, sign: int) -> None:
        zone = self._zones[self._zone_of[lying.node]]
        for resource, number in (*lying.requests.items(), (PODS, 1)):
            if resource in self._requested:
                self._requested[resource] += sign * number
                zone[resource] += sign * number
        self._placed += sign
        if lying.moves:
            before = self._pods_on[lying.node]
            self._pods_on[lying.node] = before + sign
            self._in_use += (before + sign > 0) - (before > 0)

    def point(self, step: int, at: int) -> Point:
        """How things are now."""
        zones = {zone: dict(requested) for zone, requested in self._zones.items()}
        return Point(step, at, self._placed, len(self._waiting), self._in_use, dict(self._requested), zones)
