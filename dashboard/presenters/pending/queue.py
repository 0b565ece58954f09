"""Pending pods as the scheduler's queue has them: rank, part of the queue, next attempt, what rejects them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from clusters.engine.analysis import Kind, is_of_group
from clusters.engine.configuration import LONGEST_WAIT, LOOKED_UP_EVERY, tried_again_by
from clusters.engine.queueing import QueuePlace
from clusters.wording import amounts, counts
from clusters.wording.amounts import grouped
from clusters.wording.causes import cause_reason
from clusters.wording.evaluation import counted
from clusters.wording.lists import begun
from clusters.wording.pending import queue as words
from clusters.wording.pending.page import pending
from clusters.wording.plugins import requeues_of
from dashboard.presenters.pending.causes import name_of
from dashboard.presenters.pending.page import NextAttempt, place_of
from dashboard.presenters.shared import failures

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from clusters.engine.configuration import Backoff
    from clusters.engine.queueing import Waiting
    from clusters.engine.versions import Release
    from clusters.services.pending.queue import QueuedPodState

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_WITHOUT_TIME = {
    QueuePlace.BINDING: words.BOUND_FIRST,
    QueuePlace.GATED: words.WITHOUT_GATES,
    QueuePlace.OTHER_SCHEDULER: words.NOT_KNOWN,
    QueuePlace.EVALUATING: words.NOT_KNOWN,
    QueuePlace.ACTIVE: words.IN_ORDER,
}
_BADGES = {
    QueuePlace.ACTIVE: "good",
    QueuePlace.BACKOFF: "warn",
    QueuePlace.UNSCHEDULABLE: "bad",
    QueuePlace.BINDING: "info",
    QueuePlace.GATED: "info",
    QueuePlace.OTHER_SCHEDULER: "",
    QueuePlace.EVALUATING: "info",
}


@dataclass(frozen=True, slots=True)
class QueueRow:
    """One pod; `rank` is empty for one that is not to be tried, `place` a badge's text, kind and title.

    `rejected_by` begins with the plugin that keeps it pending; `others` counts those after it. `pod_group`: namespace
    and name of the group that it names.
    """

    rank: str
    namespace: str
    name: str
    workload: str
    owner_kind: str
    owner_name: str
    priority: str
    priority_class: str
    created_at: datetime | None
    age: str
    place: tuple[str, str, str]
    nominated_node: str
    note: str
    next_attempt: NextAttempt
    rejected_by: tuple[str, ...]
    others: str
    attempts: str
    last_at: datetime | None
    last: str
    pod_group: tuple[str, str] | None


@dataclass(frozen=True, slots=True)
class PluginRequeues:
    """A plugin, how many unschedulable pods it rejects, and what requeues those, each with its events."""

    plugin: str
    pods: str
    events: tuple[tuple[str, str], ...]


def part_tiles(placed: Iterable[QueuedPodState], address: str) -> list[tuple[str, str, str]]:
    """Return for each part of the queue its name, how many pods it has, and the address that shows those alone."""
    pods = Counter(each.standing.place for each in placed)
    return [
        (str(words.PLACES[place]), _counted(pods, place), f"{address}?state={place}" if pods[place] else "")
        for place in QueuePlace
        if pods[place] or place in (QueuePlace.ACTIVE, QueuePlace.BACKOFF, QueuePlace.UNSCHEDULABLE)
    ]


def sentence(placed: Sequence[QueuedPodState]) -> str:
    """Say how many pods are pending, in which part of the queue they are, and which is tried first."""
    pods = Counter(each.standing.place for each in placed)
    said = [pending(len(placed)), words.in_parts((place, _counted(pods, place)) for place in QueuePlace if pods[place])]
    first = placed[0]
    if first.standing.rank:
        pod = first.queued.pod
        said.append(words.first(f"{pod.namespace}/{pod.name}", first.queued.priority))
    return " ".join(said)


def _counted(pods: Counter[QueuePlace], place: QueuePlace) -> str:
    return counted(pods[place], is_whole=place is QueuePlace.EVALUATING or not pods[QueuePlace.EVALUATING])


def queue_row(placed: QueuedPodState, backoff: Backoff, now: datetime) -> QueueRow:
    """Present one pod as of a moment."""
    queued, standing = placed
    pod, attempts, place = queued.pod, queued.attempts, standing.place
    last_at = attempts.last_at if attempts else None
    rejected_by = _rejected_by(placed)
    return QueueRow(
        rank=grouped(standing.rank) if standing.rank else "",
        namespace=pod.namespace,
        name=pod.name,
        workload=f"{pod.workload.kind} {pod.workload.name}".strip(),
        owner_kind=pod.workload.kind,
        owner_name=pod.workload.name,
        priority=grouped(queued.priority),
        priority_class=queued.priority_class,
        created_at=pod.created_at,
        age=amounts.age(now - pod.created_at) if pod.created_at else "",
        place=(str(words.PLACES[place]), _BADGES[place], str(words.MEANINGS[place])),
        nominated_node=queued.nominated_node,
        note=_note(placed),
        next_attempt=next_attempt(place, queued.waiting, backoff, now),
        rejected_by=rejected_by,
        others=words.other_plugins(len(rejected_by) - 1) if len(rejected_by) > 1 else "",
        attempts=words.attempts(attempts.count) if attempts else _unrecorded(queued.waiting),
        last_at=last_at,
        last=words.last_attempt(amounts.age(now - last_at)) if last_at else "",
        pod_group=place_of(pod.pod_group),
    )


def _rejected_by(placed: QueuedPodState) -> tuple[str, ...]:
    if placed.standing.place is not QueuePlace.UNSCHEDULABLE:
        return ()
    finding = placed.queued.pod.finding
    return tuple(sorted(finding.rejected_by, key=lambda plugin: plugin not in finding.cause.plugins[:1]))


def _unrecorded(waiting: Waiting) -> str:
    if waiting.outside in (QueuePlace.GATED, QueuePlace.OTHER_SCHEDULER):
        return ""
    return str(words.ATTEMPT_AT_UNKNOWN_TIME if waiting.was_tried else words.NO_ATTEMPT)


def _note(placed: QueuedPodState) -> str:
    queued, standing = placed
    finding = queued.pod.finding
    match standing.place:
        case QueuePlace.GATED | QueuePlace.UNSCHEDULABLE if queued.pod.pod_group and is_of_group(finding.cause):
            return begun(name_of(queued.pod))
        case QueuePlace.GATED if finding.cause.plugins:
            return words.kept_out(cause_reason(finding.cause))
        case QueuePlace.GATED:
            return words.gates(cause_reason(finding.cause))
        case QueuePlace.OTHER_SCHEDULER:
            return queued.scheduler_name
        case QueuePlace.ACTIVE | QueuePlace.BACKOFF if finding.cause.kind is Kind.FITS and queued.waiting.was_tried:
            return str(words.FITS_NOW)
        case QueuePlace.UNSCHEDULABLE if finding.cause.kind is Kind.UNCERTAIN:
            return words.uncertain(cause_reason(finding.cause))
        case QueuePlace.UNSCHEDULABLE if finding.cause.kind is Kind.NOT_COMPUTED:
            return failures.what(finding.cause.reference)
        case QueuePlace.BINDING:
            return words.bound_to(finding.node)
        case _:
            return ""


def next_attempt(place: QueuePlace, waiting: Waiting, backoff: Backoff, now: datetime) -> NextAttempt:
    """Say when the scheduler tries a pod next, as far as it is known when it last did."""
    if place in _WITHOUT_TIME:
        return NextAttempt(str(_WITHOUT_TIME[place]))
    if waiting.failed_at is None:
        return NextAttempt(words.requeued_within(amounts.age(timedelta(seconds=LONGEST_WAIT + LOOKED_UP_EVERY))))
    earliest = _moment(backoff.over_at(waiting.failed_at, waiting.failures))
    latest = _moment(tried_again_by(waiting.failed_at))
    if place is QueuePlace.BACKOFF:
        return NextAttempt(str(words.NOT_BEFORE), earliest, earliest)
    if now < earliest:
        return NextAttempt(str(words.REQUEUED_NOT_BEFORE), earliest, earliest, latest)
    if now < latest:
        return NextAttempt(str(words.REQUEUED_OR), latest, earliest, latest)
    return NextAttempt(str(words.TRIED_SINCE), None, earliest, latest)


def _moment(nanoseconds: int) -> datetime:
    return _EPOCH + timedelta(microseconds=nanoseconds // 1000)


def requeues(placed: Sequence[QueuedPodState], release: Release) -> list[PluginRequeues]:
    """Return what requeues unschedulable pods in a release, the plugin that rejects most of them first."""
    pods: Counter[str] = Counter()
    for each in placed:
        if each.standing.place is QueuePlace.UNSCHEDULABLE:
            pods.update(each.queued.pod.finding.rejected_by)
    return [
        PluginRequeues(
            plugin,
            counts.pods(number),
            tuple((each.when, ", ".join(each.events)) for each in requeues_of(plugin, release)),
        )
        for plugin, number in pods.most_common()
    ]
