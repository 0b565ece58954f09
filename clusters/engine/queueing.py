"""The scheduler's queue: the order of pending pods, and when each is tried again."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Final

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clusters.engine.configuration.scheduler import Backoff

# The scheduler's queue as far as it is known from outside: in which part a pending pod is, and what would requeue it.
#
# Upstream: ``pkg/scheduler/backend/queue`` v1.34.1 with the feature gates at their defaults (queueing hints, and pods
# taken out of the back-off queue while nothing else waits).

_NEVER: Final = 2**63 - 1


def order(priority: int, queued_at: int) -> tuple[int, int]:
    """A key that sorts pods as PrioritySort does: higher priority first, then who was queued earlier."""
    return -priority, queued_at


class QueuePlace(StrEnum):
    """Where a pod without a node stands.

    The first three are the scheduler's queue, in the order in which they come to be tried: it takes pods from the
    active queue; those that back off enter it when their rest is over; those that it could not place wait for an event
    that may help. The others are not in line: the scheduler waits to bind, a PreEnqueue plugin holds the pod back, no
    profile answers for it, or it is not known yet whether anything rejects it.
    """

    ACTIVE = "active"
    BACKOFF = "backoff"
    UNSCHEDULABLE = "unschedulable"
    BINDING = "binding"
    GATED = "gated"
    OTHER_SCHEDULER = "other-scheduler"
    EVALUATING = "evaluating"


IN_LINE: Final = (QueuePlace.ACTIVE, QueuePlace.BACKOFF, QueuePlace.UNSCHEDULABLE)
_TURN: Final = {place: turn for turn, place in enumerate(QueuePlace)}


class Waiting(Struct, frozen=True):
    """What is known of a pending pod; times in nanoseconds of an epoch, None where they are not told.

    ``failures`` and ``failed_at``: how many attempts are known to have failed, and when the last did. ``was_tried``:
    whether any did, be it known when or not. ``is_awake``: whether the queue has a reason to take it after its rest,
    since nothing rejects it now or no plugin is to blame. ``outside``: a place that is not in line, and holds it.
    """

    priority: int
    created_at: int | None
    failures: int = 0
    failed_at: int | None = None
    was_tried: bool = False
    is_awake: bool = False
    outside: QueuePlace | None = None

    @property
    def queued_at(self) -> int | None:
        """When the queue took it in, as PrioritySort sees it: each failure counts as a new entry."""
        return self.created_at if self.failed_at is None else self.failed_at


class Standing(Struct, frozen=True):
    """A pod's place in line: ``row`` among the pods that were given, ``rank`` from 1, 0 for who is not in line."""

    row: int
    place: QueuePlace
    rank: int


def place_of(pod: Waiting, backoff: Backoff, now: int) -> QueuePlace:
    """Return where a pod stands at a time."""
    if pod.outside is not None:
        return pod.outside
    if not pod.was_tried:
        return QueuePlace.ACTIVE
    if not pod.is_awake:
        return QueuePlace.UNSCHEDULABLE
    return QueuePlace.BACKOFF if pod.failed_at is not None and now < _rested_at(pod, backoff) else QueuePlace.ACTIVE


def line_up(pods: Iterable[Waiting], backoff: Backoff, now: int) -> list[Standing]:
    """Return where all stand, in the order in which the scheduler would try them; who is not in line comes last.

    Within a place PrioritySort decides, but for pods that back off, of which the rest that ends in an earlier second
    goes first. Of pods that wait for an event it is the order in which one that wakes them all would have them tried.
    Who entered when nobody knows stands behind those of the same priority; equals keep the order that they are given.
    """
    placed = [(place_of(pod, backoff, now), row, pod) for row, pod in enumerate(pods)]
    placed.sort(key=lambda each: (_TURN[each[0]], _rest(each[0], each[2], backoff), _sorted_by(each[2])))
    return [
        Standing(row, place, position if place in IN_LINE else 0)
        for position, (place, row, _) in enumerate(placed, start=1)
    ]


def _sorted_by(pod: Waiting) -> tuple[int, int]:
    return order(pod.priority, _NEVER if pod.queued_at is None else pod.queued_at)


def _rest(place: QueuePlace, pod: Waiting, backoff: Backoff) -> int:
    return _rested_at(pod, backoff) if place is QueuePlace.BACKOFF else 0


def _rested_at(pod: Waiting, backoff: Backoff) -> int:
    return backoff.over_at(pod.failed_at or 0, pod.failures)
