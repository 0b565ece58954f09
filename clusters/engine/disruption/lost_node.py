"""What becomes of one pod, step by step, once its node fails: eviction, its end, its replacement, its volumes.

Upstream: packages ``tainteviction``, ``podgc``, ``statefulset``, ``replicaset`` and ``volume/attachdetach`` of
``pkg/controller`` v1.34.1.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from clusters.engine.disruption.node_faults import NodeFault

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from clusters.engine.disruption.node_faults import FaultRemoval
    from clusters.engine.objects import Pod
    from clusters.engine.volumes.lost_attachments import ExclusiveVolume

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


@dataclass(frozen=True, slots=True)
class LostNodeEvent:
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
    events = _events(removal, pod, volumes)
    return sorted(events, key=lambda event: (event.at is None, event.at or 0))


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
