"""Nodes by themselves: their health and its taints over time, their pools, and how much of them is requested."""

from __future__ import annotations

import enum
from collections import Counter, defaultdict
from functools import lru_cache
from itertools import groupby
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

import numpy as np
from msgspec import Struct

from clusters.engine.columns import NOWHERE, REGIONS, ZONES, distinguish, zone_key
from clusters.engine.resources import CPU, MEMORY, PODS
from clusters.engine.spreading.constraints import ZONE
from clusters.engine.taints import NO_EXECUTE, Taint

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from numpy.typing import NDArray

    from clusters.engine.columns import NodeTable
    from clusters.engine.objects import Node
    from clusters.engine.snapshot import Snapshot
    from clusters.engine.status import Index, Ints, Mask

# Who adds nodes for pending pods, by the name under which it reports events.

# Nodes by themselves: their health, and the pools they belong to.

# Parts of the names of cluster-autoscaler, Karpenter, and EKS' own.
_AUTOSCALERS: Final = ("autoscaler", "karpenter", "eks-auto-mode")


def is_autoscaler(component: str) -> bool:
    """Whether a component that reports an event is one that adds nodes."""
    return any(part in component.lower() for part in _AUTOSCALERS)


# Which nodes are NotReady, under pressure, cordoned or tainted.
#
# Upstream: ``pkg/controller/nodelifecycle/node_lifecycle_controller.go`` (v1.34.1), which turns these conditions into
# taints.

READY = "Ready"
# Conditions that are wrong when True; each keeps new pods away by a taint.
PRESSURES = ("MemoryPressure", "DiskPressure", "PIDPressure", "NetworkUnavailable")
_JUDGED = (READY, *PRESSURES)
# Taints that nodes get that do not answer, do not work, or do not work yet.
_OUT = frozenset(
    {
        "node.kubernetes.io/not-ready",
        "node.kubernetes.io/unreachable",
        "node.kubernetes.io/out-of-service",
        "node.cloudprovider.kubernetes.io/uninitialized",
        "node.cloudprovider.kubernetes.io/shutdown",
    }
)
# Taints of these say how a node is; all others say whom it is for.
_OF_KUBERNETES = ("node.kubernetes.io/", "node.cloudprovider.kubernetes.io/")


class NodeState(enum.IntEnum):
    """What most concerns about a node, the gravest first; ``OPEN``: nothing, and any pod may come."""

    NOT_READY = 0
    UNKNOWN = 1
    PRESSURE = 2
    CORDONED = 3
    RESERVED = 4
    OPEN = 5


class NodeHealth(Struct, frozen=True):
    """Masks over N nodes, shape (N,), of which several may hold for one node.

    ``not_ready``: the condition Ready is False or Unknown, or a taint says as much. ``unknown``: there is no such
    condition. ``pressure``: any of PRESSURES is True. ``cordoned``: spec.unschedulable. ``reserved``: a taint that
    Kubernetes does not set by itself forbids pods that do not tolerate it.
    """

    not_ready: Mask
    unknown: Mask
    pressure: Mask
    cordoned: Mask
    reserved: Mask

    @property
    def states(self) -> Ints:
        """Shape (N,): the gravest NodeState of each node."""
        masks = (self.not_ready, self.unknown, self.pressure, self.cordoned, self.reserved)
        return np.select(masks, range(len(masks)), int(NodeState.OPEN)).astype(np.int64)

    @property
    def usable(self) -> Mask:
        """Shape (N,): nodes that are well and accept pods, if only of some kinds."""
        return ~(self.not_ready | self.pressure | self.cordoned)


def node_health(snapshot: Snapshot) -> NodeHealth:
    """Look at every node of a snapshot; leave it as it is, as it is kept until a node changes."""
    return snapshot.nodes.kept.by_nodes(NodeHealth, lambda: _looked_at(snapshot.nodes))


def _looked_at(nodes: NodeTable) -> NodeHealth:
    # Nearly all nodes have the same conditions.
    numbers: dict[tuple[str | None, ...], int] = {}
    told = np.array(
        [numbers.setdefault(tuple(map(node.conditions.get, _JUDGED)), len(numbers)) for node in nodes.nodes], np.intp
    )
    of_ready = [status for status, *_ in numbers]
    unknown = np.array([status is None for status in of_ready], np.bool_)
    failing = np.array([status not in (None, "True") for status in of_ready], np.bool_)
    pressed = np.array(["True" in others for _, *others in numbers], np.bool_)
    out = np.array(
        [any(t.forbids_scheduling and t.key in _OUT for t in taints) for taints in nodes.taint_sets], np.bool_
    )
    reserving = np.array(
        [
            any(t.forbids_scheduling and not t.key.startswith(_OF_KUBERNETES) for t in taints)
            for taints in nodes.taint_sets
        ],
        np.bool_,
    )
    return NodeHealth(
        not_ready=failing[told] | out[nodes.taint_set],
        unknown=unknown[told],
        pressure=pressed[told],
        cordoned=nodes.unschedulable.copy(),
        reserved=reserving[nodes.taint_set],
    )


def pressures(node: Node) -> tuple[str, ...]:
    """Return the conditions that are True of a node and should not be."""
    return tuple(name for name in PRESSURES if node.conditions.get(name) == "True")


# When nodes that stop reporting, or report that they are not ready, get the taints that evict their pods.
#
# Upstream: ``monitorNodeHealth``, ``processTaintBaseEviction``, ``handleDisruption``, ``ComputeZoneState`` and
# ``ReducedQPSFunc`` of ``pkg/controller/nodelifecycle``, ``RateLimitedTimedQueue.SwapLimiter`` of its ``scheduler``,
# and the flags' defaults in its ``config``, v1.34.1. The controller looks at the nodes every 5 seconds, so that each
# of its acts may come that much later than here, and what follows from a node that stopped reporting once more.

SECOND: Final = 1_000_000_000
# --node-monitor-grace-period: a node is taken to be well for so long after its last word.
GRACE: Final = 50 * SECOND
_GRACE_BEFORE_1_32: Final = 40 * SECOND
_FIRST_WITH_50_SECONDS: Final = (1, 32)
# --node-eviction-rate 0.1 and --secondary-node-eviction-rate 0.01, as the time from one node of a zone to the next.
PAUSE: Final = 10 * SECOND
REDUCED_PAUSE: Final = 100 * SECOND
# --unhealthy-zone-threshold, compared in single precision as there, and --large-cluster-size-threshold.
THRESHOLD: Final = np.float32(0.55)
LARGE: Final = 50
# A zone with fewer nodes that are not ready is never in partial disruption.
_FEWEST_UNHEALTHY: Final = 3

NOT_READY_KEY: Final = "node.kubernetes.io/not-ready"
UNREACHABLE_KEY: Final = "node.kubernetes.io/unreachable"
_LIFECYCLE_KEYS: Final = (NOT_READY_KEY, UNREACHABLE_KEY)

_EXCLUDED = "node.kubernetes.io/exclude-disruption"

ZoneKey = tuple[str, str]


class ZoneState(enum.StrEnum):
    """How much of a zone is not ready, by the controller's names."""

    NORMAL = "Normal"
    PARTIAL = "PartialDisruption"
    FULL = "FullDisruption"


class ZoneDisruption(Struct, frozen=True):
    """A zone as the controller sees it. ``size`` and ``not_ready`` count the nodes that are not excluded.

    ``pause``: nanoseconds from one node that is tainted NoExecute to the next; None where none is tainted.
    """

    region: str
    zone: str
    size: int
    not_ready: int
    state: ZoneState
    pause: int | None


class TaintChange(enum.IntEnum):
    """What becomes of a node's taints; of one time the first comes first."""

    NO_SCHEDULE = 0
    """The taint that keeps new pods away, which is not rate limited."""
    NO_EXECUTE = 1
    """The taint that evicts."""
    LIFTED = 2
    """The taints that evict are removed, as no node of any zone is ready."""


class TaintEvent(Struct, frozen=True, order=True):
    """A change of a node's taints, ``at`` nanoseconds; ``key``: of the taint, empty where taints are removed."""

    at: int
    change: TaintChange
    node: str
    key: str


def grace_period(minor: str) -> int:
    """The default of --node-monitor-grace-period in nanoseconds: 50 s since Kubernetes 1.32, 40 s before."""
    major, _, rest = minor.partition(".")
    return GRACE if (int(major), int(rest)) >= _FIRST_WITH_50_SECONDS else _GRACE_BEFORE_1_32


def zone_disruptions(snapshot: Snapshot, failed: Collection[int] = ()) -> dict[ZoneKey, ZoneDisruption]:
    """Every zone that has a node that counts, by region and zone, with these further rows of nodes not ready.

    Where no node of any zone is ready the controller takes its own network to be at fault, and taints none. A zone's
    own size decides whether it is large, where the documentation speaks of the cluster's. Nodes without labels of a
    zone are together in one of their own.
    """
    nodes, sizes, unwell = snapshot.nodes, Counter[ZoneKey](), Counter[ZoneKey]()
    like, examples, is_unwell = nodes.kept.by_nodes(
        ZoneDisruption,
        lambda: (
            *_told_apart(nodes, (_EXCLUDED, *REGIONS, *ZONES)),
            np.array([not _is_ready(node) for node in nodes.nodes], np.bool_),
        ),
    )
    if failed:
        is_unwell = is_unwell.copy()
        is_unwell[list(failed)] = True
    totals, ill = np.bincount(like).tolist(), np.bincount(like[is_unwell], minlength=len(examples)).tolist()
    for number, labels in enumerate(examples):
        if _EXCLUDED not in labels:
            sizes[zone_key(labels)] += totals[number]
            unwell[zone_key(labels)] += ill[number]
    states = {zone: _state(size, unwell[zone]) for zone, size in sizes.items()}
    none_is_ready = all(state is ZoneState.FULL for state in states.values())
    return {
        zone: ZoneDisruption(
            *zone, size, unwell[zone], states[zone], None if none_is_ready else _pause(size, states[zone])
        )
        for zone, size in sorted(sizes.items())
    }


def taint_events(
    snapshot: Snapshot, unreachable: Iterable[str], not_ready: Iterable[str] = (), *, grace: int = GRACE
) -> list[TaintEvent]:
    """What becomes of the taints of nodes that stop reporting, and of those that report not to be ready, at time 0.

    A node that stops reporting is found out after the grace period, one that reports by itself at once. Within a zone
    the nodes go in order of name, where the controller takes any order. A taint that evicts is exchanged for the other
    one without a turn in the queue. Raises KeyError for a node that the snapshot does not hold.
    """
    silent = {snapshot.nodes.index[name] for name in unreachable}
    ill = {snapshot.nodes.index[name] for name in not_ready} - silent
    tainting = _Tainting(snapshot)
    if ill:
        tainting.find_out(0, ill, NOT_READY_KEY, until=grace if silent else None)
    if silent:
        tainting.find_out(grace, silent, UNREACHABLE_KEY, until=None)
    return sorted(tainting.events)


class _Limiter:
    """A zone's bucket of one token. ``pause`` None: no token ever comes."""

    def __init__(self, pause: int | None) -> None:
        self.pause = pause
        self._token_at = 0

    def swap(self, pause: int | None, now: int) -> None:
        """Take another pause; the bucket is full if it was, and empty else."""
        if pause != self.pause:
            is_full = self.pause is not None and self._token_at <= now
            self._token_at = now if is_full or pause is None else now + pause
            self.pause = pause

    def next(self, now: int) -> int | None:
        """When the next token is there, which is not taken yet."""
        return None if self.pause is None else max(now, self._token_at)

    def take(self, at: int) -> None:
        self._token_at = at + (self.pause or 0)


class _Tainting:
    """The controller's queues, zone by zone, and what came of them."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.events: list[TaintEvent] = []
        self._snapshot = snapshot
        self._failed: set[int] = set()
        self._zones = zone_disruptions(snapshot)
        self._limiters = {zone: _Limiter(found.pause) for zone, found in self._zones.items()}
        self._queues: dict[ZoneKey, list[tuple[str, str]]] = defaultdict(list)
        nodes = snapshot.nodes
        is_tainted = [
            any(taint.effect == "NoExecute" and taint.key in _LIFECYCLE_KEYS for taint in taints)
            for taints in nodes.taint_sets
        ]
        self._tainted = {nodes.names[row] for row in np.flatnonzero(np.array(is_tainted)[nodes.taint_set]).tolist()}

    def find_out(self, now: int, rows: set[int], key: str, *, until: int | None) -> None:
        """Learn that nodes are not ready, and taint nodes until another time; None: as long as any is in a queue."""
        self._failed |= rows
        before, self._zones = self._zones, zone_disruptions(self._snapshot, self._failed)
        for zone, found in self._zones.items():
            self._limiters[zone].swap(found.pause, now)
        for row in sorted(rows):
            node = self._snapshot.nodes.nodes[row]
            self.events.append(TaintEvent(now, TaintChange.NO_SCHEDULE, node.name, key))
            if node.name in self._tainted:
                self.events.append(TaintEvent(now, TaintChange.NO_EXECUTE, node.name, key))
            else:
                self._queues[zone_key(node.labels)].append((node.name, key))
        if _none_is_ready(self._zones) and not _none_is_ready(before):
            self.events += [TaintEvent(now, TaintChange.LIFTED, name, "") for name in sorted(self._tainted)]
            self._tainted.clear()
        for zone, queue in self._queues.items():
            self._empty(self._limiters.setdefault(zone, _Limiter(PAUSE)), queue, now, until)

    def _empty(self, limiter: _Limiter, queue: list[tuple[str, str]], now: int, until: int | None) -> None:
        while queue:
            at = limiter.next(now)
            if at is None or (until is not None and at >= until):
                return
            name, key = queue.pop(0)
            limiter.take(at)
            self._tainted.add(name)
            self.events.append(TaintEvent(at, TaintChange.NO_EXECUTE, name, key))


def _none_is_ready(zones: Mapping[ZoneKey, ZoneDisruption]) -> bool:
    return bool(zones) and all(found.state is ZoneState.FULL for found in zones.values())


def _is_ready(node: Node) -> bool:
    # Nodes written by hand have no conditions at all.
    return not node.conditions or node.conditions.get(READY) == "True"


def _state(size: int, not_ready: int) -> ZoneState:
    if not_ready == size:
        return ZoneState.FULL
    if not_ready >= _FEWEST_UNHEALTHY and np.float32(not_ready) / np.float32(size) >= THRESHOLD:
        return ZoneState.PARTIAL
    return ZoneState.NORMAL


def _pause(size: int, state: ZoneState) -> int | None:
    """The time between two nodes of a zone in this state, while some node of the cluster is ready; None where none."""
    if state is not ZoneState.PARTIAL:
        return PAUSE
    return REDUCED_PAUSE if size > LARGE else None


# The taints that a node has on account of its conditions, once the node lifecycle controller has seen them.
#
# Upstream: ``nodeConditionToTaintKeyStatusMap``, ``doNoScheduleTaintingPass`` and ``processTaintBaseEviction`` of
# ``pkg/controller/nodelifecycle`` v1.34.1.

_KEYS: Final[Mapping[tuple[str, str], str]] = MappingProxyType(
    {
        (READY, "False"): NOT_READY_KEY,
        (READY, "Unknown"): UNREACHABLE_KEY,
        ("MemoryPressure", "True"): "node.kubernetes.io/memory-pressure",
        ("DiskPressure", "True"): "node.kubernetes.io/disk-pressure",
        ("NetworkUnavailable", "True"): "node.kubernetes.io/network-unavailable",
        ("PIDPressure", "True"): "node.kubernetes.io/pid-pressure",
    }
)
_CORDONED: Final = Taint("node.kubernetes.io/unschedulable", "", "NoSchedule")


def condition_taints(snapshot: Snapshot) -> dict[str, tuple[Taint, ...]]:
    """The taints that the nodes lack and get, by name: those that keep pods away, then the one that evicts.

    Every node that is to be tainted NoExecute has had its turn; none is while no node of any zone is ready.
    """
    evicting = {zone for zone, found in zone_disruptions(snapshot).items() if found.pause is not None}
    found = {}
    for node in snapshot.nodes.nodes:
        wanted = (*_keeping_away(node), *(_evicting(node) if zone_key(node.labels) in evicting else ()))
        present = {(taint.key, taint.effect) for taint in node.taints}
        found[node.name] = tuple(taint for taint in wanted if (taint.key, taint.effect) not in present)
    return found


def _keeping_away(node: Node) -> tuple[Taint, ...]:
    by_condition = (Taint(_KEYS[pair], "", "NoSchedule") for pair in node.conditions.items() if pair in _KEYS)
    return (*by_condition, *((_CORDONED,) if node.unschedulable else ()))


def _evicting(node: Node) -> tuple[Taint, ...]:
    key = _KEYS.get((READY, node.conditions.get(READY, "")))
    return () if key is None else (Taint(key, "", NO_EXECUTE),)


# Pods that hold room on their nodes for a resize that the kubelet has deferred.


def deferred_slots(snapshot: Snapshot) -> Ints:
    """Slots of the bound pods of which requests are counted for a deferred resize alone."""
    pods = snapshot.pods
    chosen = [number for number, shape in enumerate(pods.shapes) if shape.deferred]
    count = len(pods.keys)
    return np.flatnonzero(np.isin(pods.shape[:count], chosen) & (pods.node[:count] != NOWHERE))


# Which zone and which node pool a node belongs to, by its labels, and the nodes of a cluster by both.

# Providers, provisioners and people write to which pool a node belongs under labels that end so.
POOL_NAMES = frozenset({"agentpool", "node-group", "node-pool", "nodegroup", "nodepool", "pool"})
# What nodes of old clusters have instead; spreading does not look at it.
_OLD_ZONE = "failure-domain.beta.kubernetes.io/zone"


class NodePool(Struct, frozen=True):
    """The nodes of one zone and one pool, in order of name; either is empty for nodes that do not say."""

    zone: str
    name: str
    rows: Index


def pool_of(labels: Mapping[str, str]) -> str:
    """The pool that a node belongs to: the first label by name that tells it; empty where none does."""
    names = [label for label in labels if _tells_pool(label)]
    return labels[min(names)] if names else ""


@lru_cache(4096)
def _tells_pool(label: str) -> bool:
    return label.rpartition("/")[2].removeprefix("gke-") in POOL_NAMES


def node_pools(nodes: NodeTable) -> tuple[NodePool, ...]:
    """The nodes by zone, and within it by pool, in the order of their names; those without a name come last."""
    like, examples = _told_apart(nodes, (ZONE, _OLD_ZONE, *filter(_tells_pool, nodes.label_keys)))
    places = [_place(labels) for labels in examples]
    order = sorted(set(places), key=lambda place: [(not name, name) for name in place])
    number_of = {place: number for number, place in enumerate(order)}
    numbers = np.array([number_of[place] for place in places], np.intp)[like]
    ends = np.cumsum(np.bincount(numbers))
    # Stable, so that rows stay in order.
    members = np.split(np.argsort(numbers, kind="stable"), ends)
    return tuple(NodePool(*place, rows) for place, rows in zip(order, members, strict=False))


def _told_apart(nodes: NodeTable, keys: Iterable[str]) -> tuple[Index, list[Mapping[str, str]]]:
    """Number nodes by what they have of some labels, shape (N,), with the labels of one node of each number."""
    columns = map(nodes.label, keys)
    like, _ = distinguish(((column.codes + 1, len(column.values) + 1) for column in columns), len(nodes))
    return like, [nodes.nodes[row].labels for row in np.unique(like, return_index=True)[1].tolist()]


def _place(labels: Mapping[str, str]) -> tuple[str, str]:
    return labels.get(ZONE) or labels.get(_OLD_ZONE, ""), pool_of(labels)


def pools_or_zones(nodes: NodeTable, most: int) -> tuple[NodePool, ...]:
    """The nodes by zone and pool, or where there are more pools than ``most`` by zone alone."""
    found = node_pools(nodes)
    if len(found) <= most:
        return found
    return tuple(_whole_zone(zone, tuple(pools)) for zone, pools in groupby(found, lambda each: each.zone))


def _whole_zone(zone: str, pools: tuple[NodePool, ...]) -> NodePool:
    return NodePool(zone, "", np.sort(np.concatenate([each.rows for each in pools])))


# How much of a cluster its pods request, where, and what is left that hardly any pod can use.

# A resource is nearly gone from a node when more than this share of it is requested, and idle below the other one.
SCARCE, IDLE = 0.9, 0.5
COUNTED = (CPU, MEMORY, PODS)


class Amounts(Struct, frozen=True):
    """What nodes have of a resource and what the pods on them request, shape (N,), in base units."""

    requested: Ints
    allocatable: Ints

    @property
    def shares(self) -> NDArray[np.float64]:
        """Shape (N,): requested of allocatable; where there is nothing to request 0, or infinite if some is."""
        nothing = np.where(self.requested > 0, np.inf, 0.0)
        has = self.allocatable > 0
        return np.where(has, self.requested / np.where(has, self.allocatable, 1), nothing)

    @property
    def left(self) -> Ints:
        """Shape (N,): what is not requested; 0 on nodes of which more is requested than they have."""
        left: Ints = np.maximum(self.allocatable - self.requested, 0)
        return left


class Stranded(Struct, frozen=True):
    """A resource that is idle on nodes (``rows``, most left first) where another is nearly gone: so much is ``left``.

    ``for_lack``: each resource that is nearly gone there and on how many of the nodes, most first.

    """

    resource: str
    rows: Index
    left: int
    for_lack: tuple[tuple[str, int], ...]


class ZoneUse(Struct, frozen=True):
    """One zone, empty for nodes without one: its nodes, and by resource what is requested and what there is."""

    zone: str
    rows: Index
    requested: dict[str, int]
    allocatable: dict[str, int]


def amounts_of(snapshot: Snapshot) -> dict[str, Amounts]:
    """Return the amounts of CPU, memory and pods."""
    nodes = snapshot.nodes
    found = {PODS: Amounts(nodes.pod_count, nodes.allowed_pods)}
    for name in (CPU, MEMORY):
        column = nodes.resources.index(name)
        found[name] = Amounts(nodes.requested[:, column], nodes.allocatable[:, column])
    return found


def stranded(amounts: dict[str, Amounts], usable: Mask) -> tuple[Stranded, ...]:
    """Return the CPU and the memory that are stranded on usable nodes, shape (N,); a resource without any is left out.

    A resource of a node is stranded when less than IDLE of it is requested, while more than SCARCE is of another, be it
    of CPU, of memory or of the pod limit.
    """
    scarce = {name: amounts[name].shares > SCARCE for name in COUNTED}
    found = []
    for resource in (CPU, MEMORY):
        others = {name: mask for name, mask in scarce.items() if name != resource}
        idle = usable & (amounts[resource].allocatable > 0) & (amounts[resource].shares < IDLE)
        rows = np.flatnonzero(idle & np.logical_or.reduce(list(others.values())))
        if len(rows):
            left = amounts[resource].left[rows]
            lacking = sorted(
                ((name, int(mask[rows].sum())) for name, mask in others.items()), key=lambda each: -each[1]
            )
            found.append(
                Stranded(
                    resource=resource,
                    rows=rows[np.argsort(-left, kind="stable")],
                    left=int(left.sum()),
                    for_lack=tuple((name, number) for name, number in lacking if number),
                )
            )
    return tuple(found)


def zone_uses(snapshot: Snapshot, amounts: dict[str, Amounts]) -> tuple[ZoneUse, ...]:
    """Return every zone in the order of the names, nodes without one last; their rows are in the order of names."""
    members: dict[str, list[Index]] = {}
    for each in node_pools(snapshot.nodes):
        members.setdefault(each.zone, []).append(each.rows)
    zones = [(zone, np.sort(np.concatenate(rows))) for zone, rows in members.items()]
    return tuple(
        ZoneUse(
            zone=zone,
            rows=rows,
            requested={name: int(each.requested[rows].sum()) for name, each in amounts.items()},
            allocatable={name: int(each.allocatable[rows].sum()) for name, each in amounts.items()},
        )
        for zone, rows in zones
    )


# How much of what is free a pod of some shape can still use, and what keeps it from the rest.

_OTHER: Final = {CPU: MEMORY, MEMORY: CPU}


class Unusable(enum.StrEnum):
    """Why free capacity is of no use to a shape: the first that holds on its node."""

    CLOSED = "closed"
    TAINTED = "tainted"
    POD_LIMIT = "pod-limit"
    OTHER_RESOURCE = "other-resource"
    REMAINDER = "remainder"


class ShapeRoom(Struct, frozen=True):
    """A shape and its room: ``pods`` more of it fit by requests and pod limits, on nodes that any pod may use.

    ``free`` and ``used`` are by resource: what is free of all nodes, and what these pods would use of it; ``rest``
    says why they cannot use the others. Used and rest sum up to what is free.
    """

    cpu: int
    memory: int
    pods: int
    free: Mapping[str, int]
    used: Mapping[str, int]
    rest: Mapping[str, Mapping[Unusable, int]]


def shape_room(amounts: Mapping[str, Amounts], health: NodeHealth, *, cpu: int, memory: int) -> ShapeRoom:
    """Fill all nodes with pods that request so much and tolerate no taint."""
    shape = {CPU: max(1, cpu), MEMORY: max(1, memory)}
    closed = ~health.usable
    is_open = ~(closed | health.reserved)
    slots = amounts[PODS].left
    fit = np.minimum(slots, np.minimum(*(amounts[name].left // number for name, number in shape.items())))
    fit = np.where(is_open, fit, 0)
    used, rest = {}, {}
    for name, number in shape.items():
        other = _OTHER[name]
        left = amounts[name].left - fit * number
        masks = {
            Unusable.CLOSED: closed,
            Unusable.TAINTED: health.reserved,
            Unusable.POD_LIMIT: slots - fit <= 0,
            Unusable.OTHER_RESOURCE: amounts[other].left - fit * shape[other] < shape[other],
            Unusable.REMAINDER: np.ones(len(fit), np.bool_),
        }
        # What is less than one more pod is a remainder, whatever else is lacking.
        masks[Unusable.OTHER_RESOURCE] &= left >= number
        masks[Unusable.POD_LIMIT] &= left >= number
        seen = np.zeros(len(fit), np.bool_)
        reasons = {}
        for reason, mask in masks.items():
            reasons[reason] = int(left[mask & ~seen].sum())
            seen |= mask
        used[name], rest[name] = int(fit.sum()) * number, reasons
    return ShapeRoom(
        cpu=shape[CPU],
        memory=shape[MEMORY],
        pods=int(fit.sum()),
        free={name: int(amounts[name].left.sum()) for name in shape},
        used=used,
        rest=rest,
    )
