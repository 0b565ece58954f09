"""What becomes of the pods of a node that fails or is tainted: which are evicted, and after how long."""

from __future__ import annotations

import enum
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Final

from msgspec import Struct
from msgspec.structs import replace

from clusters.engine.columns import zone_key
from clusters.engine.nodes import (
    NOT_READY_KEY,
    SECOND,
    UNREACHABLE_KEY,
    TaintChange,
    ZoneDisruption,
    grace_period,
    taint_events,
    zone_disruptions,
)
from clusters.engine.taints import NO_EXECUTE, Taint, Toleration

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from clusters.engine.objects import Document, Pod
    from clusters.engine.snapshot import Snapshot
    from clusters.engine.volumes import ExclusiveVolume

# Which pods of a node its NoExecute taints drive out, and after how long.
#
# Upstream: ``processPodOnNode`` and ``getMinTolerationTime`` of ``pkg/controller/tainteviction`` v1.34.1.

# The longest time that the controller can count, 292 years; what is longer counts as for ever.
_LONGEST = (2**63 - 1) // 1_000_000_000


class TaintEviction(Struct, frozen=True):
    """How many pods stay, go at once, and go so many seconds after the taint came."""

    stay: int
    at_once: int
    later: Mapping[int, int]


class TaintStay(Struct, frozen=True):
    """How long a pod tolerates one taint NoExecute by itself: ``seconds``, None for ever; 0 where nothing matches."""

    taint: Taint
    is_tolerated: bool
    seconds: int | None


def taint_stay(taint: Taint, tolerations: Sequence[Document]) -> TaintStay:
    """How long a pod with these tolerations stays on account of one taint NoExecute."""
    is_tolerated = any(Toleration.from_dict(each).tolerates(taint) for each in tolerations)
    return TaintStay(taint, is_tolerated, tolerated_seconds([taint], tolerations))


def tolerated_seconds(taints: Sequence[Taint], tolerations: Iterable[Document]) -> int | None:
    """How long a pod with these tolerations stays once a node has these NoExecute taints; None for ever.

    Of each taint the first toleration that matches counts, and of all of them the shortest time.
    """
    given = [(Toleration.from_dict(each), each.get("tolerationSeconds")) for each in tolerations]
    shortest: int | None = None
    for taint in taints:
        used = next(((seconds,) for toleration, seconds in given if toleration.tolerates(taint)), None)
        if used is None:
            return 0
        if used[0] is not None and used[0] <= _LONGEST:
            seconds = max(0, int(used[0]))
            shortest = seconds if shortest is None else min(shortest, seconds)
    return shortest


def driven_out(snapshot: Snapshot, node: str) -> list[tuple[str, int]]:
    """The pods (``namespace/name``) that the NoExecute taints of a node drive out, and after how many seconds each."""
    row, pods = snapshot.nodes.index[node], snapshot.pods
    taints = [taint for taint in snapshot.nodes.nodes[row].taints if taint.effect == NO_EXECUTE]
    slots = pods.on_node(row).tolist()
    seconds = {
        template: tolerated_seconds(taints, pods.templates[template].tolerations)
        for template in {int(pods.template[slot]) for slot in slots}
    }
    found = [(pods.keys[slot], seconds[int(pods.template[slot])]) for slot in slots]
    return sorted((key, after) for key, after in found if after is not None)


def taint_eviction(snapshot: Snapshot, node: str) -> TaintEviction | None:
    """What the NoExecute taints of a node mean for the pods on it; None for a node without one."""
    row, pods = snapshot.nodes.index[node], snapshot.pods
    taints = [taint for taint in snapshot.nodes.nodes[row].taints if taint.effect == NO_EXECUTE]
    if not taints:
        return None
    counts = Counter(pods.template[pods.on_node(row)].tolist())
    stay, later = 0, Counter[int]()
    for template, number in counts.items():
        seconds = tolerated_seconds(taints, pods.templates[template].tolerations)
        if seconds is None:
            stay += number
        else:
            later[seconds] += number
    return TaintEviction(stay, later.pop(0, 0), dict(sorted(later.items())))


# When the NoExecute taints that a node has now evict one of its pods.
#
# Upstream: ``processPodOnNode`` of ``pkg/controller/tainteviction`` v1.34.1. The controller counts from the moment at
# which it sees the taints. Once an eviction is planned, further taints do not change its time, be theirs shorter or
# longer: only a taint that is not tolerated evicts at once, and taints that are all tolerated for ever cancel the
# plan.


class TimedTaint(Struct, frozen=True):
    """A taint NoExecute; ``added``: seconds since the epoch, None where the node does not say."""

    taint: Taint
    added: int | None


class PlannedEviction(Struct, frozen=True):
    """A pod's eviction ``seconds`` after ``start`` (seconds since the epoch; None where that is not known).

    ``taint`` decides. ``overruled``: a taint that came later, tolerated for so short that it would evict sooner, were
    the plan made anew.
    """

    taint: Taint
    start: int | None
    seconds: int
    is_tolerated: bool
    overruled: Taint | None = None

    @property
    def at(self) -> int | None:
        """When the pod is deleted, in seconds since the epoch."""
        return None if self.start is None else self.start + self.seconds


def taint_stays(taints: Sequence[TimedTaint], tolerations: Sequence[Document]) -> list[TaintStay]:
    """How long a pod with these tolerations stays on account of each taint by itself."""
    return [taint_stay(each.taint, tolerations) for each in taints]


def planned_eviction(
    taints: Sequence[TimedTaint], tolerations: Sequence[Document], *, since: int = 0
) -> PlannedEviction | None:
    """What the controller plans for a pod with these tolerations; None where it may stay for ever.

    ``since``: when the pod came to the node, in seconds since the epoch; it counts for taints that were there before.
    Taints that are gone again are not known here, so that a plan made for them, which would go on, is not either.
    Where a time is missing, all taints count as having come together.
    """
    times = [max(since, each.added) for each in taints if each.added is not None]
    if len(times) < len(taints):
        return _decided([each.taint for each in taints], tolerations, None)
    plan: PlannedEviction | None = None
    for moment in sorted(set(times)):
        if plan is not None and plan.at is not None and plan.at <= moment:
            break
        there = [each.taint for each in taints if each.added is not None and each.added <= moment]
        decided = _decided(there, tolerations, moment)
        if decided is None or not decided.is_tolerated or plan is None:
            plan = decided
            if decided is not None and not decided.is_tolerated:
                break
        elif plan.at is not None and moment + decided.seconds < plan.at:
            plan = replace(plan, overruled=decided.taint)
    return plan


def _decided(taints: Sequence[Taint], tolerations: Sequence[Document], start: int | None) -> PlannedEviction | None:
    """What follows from taints that are seen together: one that is not tolerated, else the shortest toleration."""
    stays = [taint_stay(taint, tolerations) for taint in taints]
    refused = next((stay for stay in stays if not stay.is_tolerated), None)
    if refused is not None:
        return PlannedEviction(refused.taint, start, 0, is_tolerated=False)
    shortest = tolerated_seconds(taints, tolerations)
    if shortest is None:
        return None
    decisive = next(stay.taint for stay in stays if stay.seconds == shortest)
    return PlannedEviction(decisive, start, shortest, is_tolerated=True)


# What removes the pods of a node that fails, and when: the node is tainted, then each pod's toleration expires.
#
# Upstream: ``pkg/controller/nodelifecycle`` and ``pkg/controller/tainteviction`` v1.34.1.


class NodeFault(enum.StrEnum):
    """How a node fails."""

    UNREACHABLE = "unreachable"
    """The kubelet stops reporting."""
    NOT_READY = "not-ready"
    """The kubelet reports that the node is not ready."""


_KEYS: Final = {NodeFault.UNREACHABLE: UNREACHABLE_KEY, NodeFault.NOT_READY: NOT_READY_KEY}


class FaultOutlook(Struct, frozen=True):
    """What the controller does about a node that fails now, alone.

    ``grace``: seconds until it knows. ``tainted_after``: seconds until the taint that evicts; None where its zone, or
    the whole cluster, is too disrupted. ``zone``: the node's zone with it; None where none of its nodes counts.
    """

    fault: NodeFault
    taint: Taint
    grace: int
    tainted_after: int | None
    zone: ZoneDisruption | None


class FaultRemoval(Struct, frozen=True):
    """When a pod is removed from a node that fails."""

    outlook: FaultOutlook
    stay: TaintStay

    @property
    def after(self) -> int | None:
        """Seconds from the fault until the pod is deleted; None for never."""
        if self.outlook.tainted_after is None or self.stay.seconds is None:
            return None
        return self.outlook.tainted_after + self.stay.seconds


def fault_outlooks(snapshot: Snapshot, node: str, minor: str) -> list[FaultOutlook]:
    """What follows from each fault of a node, by the defaults of a Kubernetes minor. Raises KeyError."""
    row = snapshot.nodes.index[node]
    zone = zone_disruptions(snapshot, {row}).get(zone_key(snapshot.nodes.nodes[row].labels))
    grace = grace_period(minor)
    found = []
    for fault, key in _KEYS.items():
        silent, ill = ([node], []) if fault is NodeFault.UNREACHABLE else ([], [node])
        at = next(
            (
                event.at // SECOND
                for event in taint_events(snapshot, silent, ill, grace=grace)
                if event.change is TaintChange.NO_EXECUTE
            ),
            None,
        )
        known_after = grace // SECOND if fault is NodeFault.UNREACHABLE else 0
        found.append(FaultOutlook(fault, Taint(key, "", NO_EXECUTE), known_after, at, zone))
    return found


def fault_removals(outlooks: Sequence[FaultOutlook], tolerations: Sequence[Document]) -> list[FaultRemoval]:
    """When a pod with these tolerations is removed after each fault."""
    return [FaultRemoval(outlook, taint_stay(outlook.taint, tolerations)) for outlook in outlooks]


def removals_on(
    snapshot: Snapshot, node: str, outlooks: Sequence[FaultOutlook]
) -> list[tuple[list[FaultRemoval], list[str]]]:
    """The pods of a node (``namespace/name``) by when they are removed after each fault, the earliest first."""
    pods = snapshot.pods
    slots = pods.on_node(snapshot.nodes.index[node]).tolist()
    templates = {int(pods.template[slot]) for slot in slots}
    removals = {each: fault_removals(outlooks, pods.templates[each].tolerations) for each in templates}
    groups: dict[tuple[int | None, ...], list[str]] = defaultdict(list)
    shown: dict[tuple[int | None, ...], list[FaultRemoval]] = {}
    for slot in slots:
        found = removals[int(pods.template[slot])]
        key = tuple(each.stay.seconds for each in found)
        groups[key].append(pods.keys[slot])
        shown.setdefault(key, found)
    never = float("inf")
    ordered = sorted(groups, key=lambda key: [never if seconds is None else seconds for seconds in key])
    return [(shown[key], sorted(groups[key])) for key in ordered]


# What becomes of one pod, step by step, once its node fails: eviction, its end, its replacement, its volumes.
#
# Upstream: packages ``tainteviction``, ``podgc``, ``statefulset``, ``replicaset`` and ``volume/attachdetach`` of
# ``pkg/controller`` v1.34.1.

USUAL_GRACE: Final = 30
# Controllers that give each pod a name of its own, so that its replacement has to wait until the object is gone.
_NAMED_BY: Final = "StatefulSet"
_PINNED_BY: Final = frozenset({"DaemonSet", "Node"})


class LostNodeStep(enum.StrEnum):
    """What happens, or is done."""

    SILENT = "silent"
    REPORTS_NOT_READY = "reports-not-ready"
    UNKNOWN = "unknown"
    TAINTED = "tainted"
    NOT_TAINTED = "not-tainted"
    KEPT = "kept"
    DELETED = "deleted"
    STAYS_TERMINATING = "stays-terminating"
    ENDS = "ends"
    REPLACED = "replaced"
    REPLACED_ONCE_GONE = "replaced-once-gone"
    NOT_REPLACED = "not-replaced"
    VOLUMES_ATTACHED = "volumes-attached"
    VOLUMES_DETACHED = "volumes-detached"
    FORCE_DETACHED = "force-detached"
    """FORCE_DETACH_AFTER seconds after the pod's object is gone."""
    OUT_OF_SERVICE = "out-of-service"


class LostNodeEvent(Struct, frozen=True):
    """A step ``at`` seconds after the fault; None where that depends on what somebody does."""

    step: LostNodeStep
    at: int | None


def grace_period_of(pod: Pod) -> int:
    """The pod's terminationGracePeriodSeconds; one below 0 counts as a second, as ``registry/core/pod`` has it."""
    given = pod.spec.get("terminationGracePeriodSeconds")
    if given is None:
        return USUAL_GRACE
    return int(given) if int(given) >= 0 else 1


def lost_node_events(removal: FaultRemoval, pod: Pod, volumes: Sequence[ExclusiveVolume]) -> list[LostNodeEvent]:
    """The steps of one fault in order of time, those without a time last."""
    return sorted(_events(removal, pod, volumes), key=lambda event: (event.at is None, event.at or 0))


def _events(removal: FaultRemoval, pod: Pod, volumes: Sequence[ExclusiveVolume]) -> Iterator[LostNodeEvent]:
    outlook, step = removal.outlook, LostNodeStep
    is_silent = outlook.fault is NodeFault.UNREACHABLE
    yield LostNodeEvent(step.SILENT if is_silent else step.REPORTS_NOT_READY, 0)
    if is_silent:
        yield LostNodeEvent(step.UNKNOWN, outlook.grace)
    if outlook.tainted_after is None:
        yield LostNodeEvent(step.NOT_TAINTED, None)
        return
    yield LostNodeEvent(step.TAINTED, outlook.tainted_after)
    if removal.after is None:
        yield LostNodeEvent(step.KEPT, None)
        return
    yield LostNodeEvent(step.DELETED, removal.after)
    if not is_silent:
        ends = removal.after + grace_period_of(pod)
        yield from _replacement(pod, deleted=removal.after, gone=ends)
        yield LostNodeEvent(step.ENDS, ends)
        if volumes:
            yield LostNodeEvent(step.VOLUMES_DETACHED, ends)
        return
    yield from _replacement(pod, deleted=removal.after, gone=None)
    yield LostNodeEvent(step.STAYS_TERMINATING, None)
    if volumes:
        yield LostNodeEvent(step.VOLUMES_ATTACHED, None)
        yield LostNodeEvent(step.FORCE_DETACHED, None)
    yield LostNodeEvent(step.OUT_OF_SERVICE, None)


def _replacement(pod: Pod, *, deleted: int, gone: int | None) -> Iterator[LostNodeEvent]:
    kind = "" if pod.controller is None else str(pod.controller.get("kind") or "")
    if not kind:
        yield LostNodeEvent(LostNodeStep.NOT_REPLACED, None)
    elif kind == _NAMED_BY:
        yield LostNodeEvent(LostNodeStep.REPLACED_ONCE_GONE, gone)
    elif kind not in _PINNED_BY:
        yield LostNodeEvent(LostNodeStep.REPLACED, deleted)
