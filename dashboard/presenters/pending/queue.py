"""Pods that wait as places in the scheduler's queue: rank, place, next attempt, and who rejects them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from clusters.engine.analysis.causes import Kind
from clusters.engine.queueing.backoff import LONGEST_WAIT, LOOKED_UP_EVERY, tried_again_by
from clusters.engine.queueing.queue import Place
from clusters.wording import amounts
from clusters.wording.amounts import grouped
from clusters.wording.causes import cause_reason
from clusters.wording.plugins import wording_of
from dashboard.presenters.pending import queue_words as words
from dashboard.presenters.pending.page import NextLook
from dashboard.presenters.shared import failures

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from clusters.engine.queueing.backoff import Backoff
    from clusters.engine.queueing.queue import Waiting
    from clusters.services.pending.queue import QueuedPodState

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_AT_ONCE = {
    Place.BINDING: "not before it has failed: it has a node",
    Place.GATED: "when the gates are gone",
    Place.FOREIGN: "not known",
}


@dataclass(frozen=True, slots=True)
class QueueRow:
    """One pod; `rank` is empty for who is not in line, `place` a badge's text, kind and title.

    `rejected_by` begins with the plugin that stands most in the way; `others` counts those after it.
    """

    rank: str
    namespace: str
    name: str
    workload: str
    priority: str
    priority_class: str
    created_at: datetime | None
    age: str
    place: tuple[str, str, str]
    nominated_node: str
    note: str
    next_try: NextLook
    rejected_by: tuple[str, ...]
    others: str
    attempts: str
    last_at: datetime | None
    last: str


@dataclass(frozen=True, slots=True)
class Waking:
    """A plugin, how many of the pods that wait for an event it rejects, and what wakes those."""

    plugin: str
    pods: str
    clauses: tuple[tuple[str, str], ...]


def lane_tiles(placed: Iterable[QueuedPodState], address: str) -> list[tuple[str, str, str]]:
    """Return for each place its name, how many pods stand there, and the address that shows those alone."""
    counts = Counter(each.standing.place for each in placed)
    return [
        (words.PLACES[place][0], grouped(counts[place]), f"{address}?state={place}" if counts[place] else "")
        for place in Place
        if counts[place] or place in (Place.ACTIVE, Place.BACKOFF, Place.UNSCHEDULABLE)
    ]


def queue_row(placed: QueuedPodState, backoff: Backoff, now: datetime) -> QueueRow:
    """Present one pod as of a moment."""
    queued, standing = placed
    pod, attempts = queued.pod, queued.attempts
    name, kind, meaning, _ = words.PLACES[standing.place]
    last_at = attempts.last_at if attempts else None
    rejected_by = _rejected_by(placed)
    return QueueRow(
        rank=grouped(standing.rank) if standing.rank else "",
        namespace=pod.namespace,
        name=pod.name,
        workload=f"{pod.workload.kind} {pod.workload.name}".strip(),
        priority=grouped(queued.priority),
        priority_class=queued.priority_class,
        created_at=pod.created_at,
        age=amounts.age(now - pod.created_at) if pod.created_at else "",
        place=(name, kind, meaning),
        nominated_node=queued.nominated_node,
        note=_note(placed),
        next_try=next_try(standing.place, queued.waiting, backoff, now),
        rejected_by=rejected_by,
        others=f"and {amounts.counted(len(rejected_by) - 1, 'other', 'others')}" if len(rejected_by) > 1 else "",
        attempts=f"at least {amounts.counted(attempts.count, 'attempt', 'attempts')}"
        if attempts
        else _untold(queued.waiting),
        last_at=last_at,
        last=f"{amounts.age(now - last_at)} before" if last_at else "",
    )


def _rejected_by(placed: QueuedPodState) -> tuple[str, ...]:
    if placed.standing.place is not Place.UNSCHEDULABLE:
        return ()
    finding = placed.queued.pod.finding
    return tuple(sorted(finding.rejected_by, key=lambda plugin: plugin not in finding.cause.plugins[:1]))


def _untold(waiting: Waiting) -> str:
    if waiting.outside in (Place.GATED, Place.FOREIGN):
        return ""
    return "tried; when is not told" if waiting.was_tried else "no attempt is told"


def _note(placed: QueuedPodState) -> str:
    queued, standing = placed
    finding = queued.pod.finding
    match standing.place:
        case Place.GATED:
            return f"Gates: {cause_reason(finding.cause)}"
        case Place.FOREIGN:
            return queued.scheduler_name
        case Place.ACTIVE | Place.BACKOFF if finding.cause.kind is Kind.FITS and queued.waiting.was_tried:
            return "Was rejected, and would fit now."
        case Place.UNSCHEDULABLE if finding.cause.kind is Kind.UNCERTAIN:
            return f"Uncertain: {cause_reason(finding.cause)}."
        case Place.UNSCHEDULABLE if finding.cause.kind is Kind.UNREAD:
            return "Not judged here: so many pods are unlike all others."
        case Place.UNSCHEDULABLE if finding.cause.kind is Kind.NOT_COMPUTED:
            return failures.what(finding.cause.reference)
        case Place.BINDING:
            return f"Chosen: {finding.node}"
        case _:
            return ""


def next_try(place: Place, waiting: Waiting, backoff: Backoff, now: datetime) -> NextLook:
    """Say when the scheduler tries a pod next, as far as it is known when it last did."""
    if place in _AT_ONCE:
        return NextLook(_AT_ONCE[place])
    if place is Place.ACTIVE:
        return NextLook("at its turn")
    if waiting.failed_at is None:
        return NextLook(f"when woken, at most {amounts.age(timedelta(seconds=LONGEST_WAIT + LOOKED_UP_EVERY))} later")
    earliest = _moment(backoff.over_at(waiting.failed_at, waiting.failures))
    latest = _moment(tried_again_by(waiting.failed_at))
    if place is Place.BACKOFF:
        return NextLook("not before", earliest, earliest)
    if now < earliest:
        return NextLook("when woken, not before", earliest, earliest, latest)
    if now < latest:
        return NextLook("when woken, else by", latest, earliest, latest)
    return NextLook("not known: it was tried since, or no scheduler runs", None, earliest, latest)


def _moment(nanoseconds: int) -> datetime:
    return _EPOCH + timedelta(microseconds=nanoseconds // 1000)


def wakings(placed: Sequence[QueuedPodState]) -> list[Waking]:
    """Return what would wake the pods that wait for an event, the plugin that rejects most of them first."""
    counts: Counter[str] = Counter()
    for each in placed:
        if each.standing.place is Place.UNSCHEDULABLE:
            counts.update(each.queued.pod.finding.rejected_by)
    return [
        Waking(
            plugin,
            amounts.counted(number, "pod", "pods"),
            tuple((each.when, ", ".join(each.events)) for each in wording_of(plugin).requeued_when()),
        )
        for plugin, number in counts.most_common()
    ]
