"""When nodes that stop reporting, or report that they are not ready, get the taints that evict their pods.

Upstream: ``monitorNodeHealth``, ``processTaintBaseEviction``, ``handleDisruption``, ``ComputeZoneState`` and
``ReducedQPSFunc`` of ``pkg/controller/nodelifecycle``, ``RateLimitedTimedQueue.SwapLimiter`` of its ``scheduler``, and
the flags' defaults in its ``config``, v1.34.1. The controller looks at the nodes every 5 seconds, so that each of its
acts may come that much later than here, and what follows from a node that stopped reporting once more.
"""

from __future__ import annotations

import enum
from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from clusters.engine.nodes.health import READY
from clusters.engine.nodes.zones import zone_key

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from clusters.engine.objects import Node
    from clusters.engine.snapshot import Snapshot

SECOND: Final = 1_000_000_000
# --node-monitor-grace-period: a node is taken to be well for so long after its last word.
GRACE: Final = 50 * SECOND
_GRACE_BEFORE_1_32: Final = 40 * SECOND
_FIRST_WITH_50_SECONDS: Final = (1, 32)
# --node-monitor-period: how often the controller looks.
LOOKS_EVERY: Final = 5 * SECOND
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
_KEYS: Final = (NOT_READY_KEY, UNREACHABLE_KEY)

_EXCLUDED = "node.kubernetes.io/exclude-disruption"

ZoneKey = tuple[str, str]


class ZoneState(enum.StrEnum):
    """How much of a zone is not ready, by the controller's names."""

    NORMAL = "Normal"
    PARTIAL = "PartialDisruption"
    FULL = "FullDisruption"


@dataclass(frozen=True, slots=True)
class ZoneDisruption:
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


@dataclass(frozen=True, slots=True, order=True)
class TaintEvent:
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
    sizes, unwell = Counter[ZoneKey](), Counter[ZoneKey]()
    for row, node in enumerate(snapshot.nodes.nodes):
        if _EXCLUDED not in node.labels:
            zone = zone_key(node.labels)
            sizes[zone] += 1
            unwell[zone] += row in failed or not _is_ready(node)
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
        self._tainted = {
            node.name
            for node in snapshot.nodes.nodes
            if any(taint.effect == "NoExecute" and taint.key in _KEYS for taint in node.taints)
        }

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
