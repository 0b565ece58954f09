"""In which order the scheduler took up the pods that it decided about.

Bindings are written side by side, and what waits for the API server is told in another order than it was decided. The
scheduler takes up pods by priority, and those of one priority in the order in which it heard of them, which is that of
their creation. A pod that was tried before is taken up again at a moment that nobody outside knows, mostly together
with others like it: it is compared with such pods, and with those that were in the queue before it came.

Upstream: ``Less`` of ``pkg/scheduler/framework/plugins/queuesort/priority_sort.go`` v1.34.1.
"""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clusters.engine.journal.history import RecordedChange


class QueuePlace(NamedTuple):
    """What orders pods in the queue: the lower of two that were tried before, or of two that were not, comes first."""

    was_tried: bool
    urgency: int
    # The version of its creation.
    came: int

    def is_before(self, other: QueuePlace) -> bool:
        """Whether the scheduler took up this pod first, as far as that is known."""
        if self.was_tried == other.was_tried:
            return self < other
        # It was waiting in the queue when the other one was created, and so when that was queued once more.
        return other.was_tried and self.urgency <= other.urgency and self.came < other.came


def place_in_queue(step: RecordedChange) -> QueuePlace | None:
    """Return the place of the pod about which a step tells a decision; None where nobody saw the pod come."""
    if step.came is None:
        return None
    priority = (step.document.get("spec") or {}).get("priority") or 0
    return QueuePlace(_was_tried(step), -int(priority), step.came)


def earlier_ones(step: RecordedChange, others: Iterable[RecordedChange]) -> list[RecordedChange]:
    """Return the steps that tell what the scheduler took up before the pod of this one, in that order."""
    place = place_in_queue(step)
    if place is None:
        return []
    places = ((place_in_queue(each), each) for each in others)
    earlier = [(other, each) for other, each in places if other is not None and other.is_before(place)]
    return [each for _, each in sorted(earlier, key=itemgetter(0))]


def later_ones(step: RecordedChange, others: Iterable[RecordedChange]) -> list[RecordedChange]:
    """Return the steps that tell what the scheduler took up after the pod of this one."""
    place = place_in_queue(step)
    if place is None:
        return []
    return [each for each in others if (other := place_in_queue(each)) is not None and place.is_before(other)]


def incomparable_ones(step: RecordedChange, others: Iterable[RecordedChange]) -> list[RecordedChange]:
    """Return, in order, the steps of pods taken up before or after the pod of this one, nobody knows which."""
    place = place_in_queue(step)
    if place is None:
        return []
    places = ((place_in_queue(each), each) for each in others)
    open_ones = [
        (other, each)
        for other, each in places
        if other is not None and not place.is_before(other) and not other.is_before(place)
    ]
    return [each for _, each in sorted(open_ones, key=itemgetter(0))]


def _was_tried(step: RecordedChange) -> bool:
    """Whether the scheduler had refused the pod before, or it was gated."""
    status = (step.before or {}).get("status") or {}
    return any(
        each.get("type") == "PodScheduled" and each.get("status") == "False" for each in status.get("conditions") or ()
    )
