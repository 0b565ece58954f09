"""Pending pods as the scheduler's queue has them: rank, part of the queue, next attempt, what rejects them."""

from __future__ import annotations

from collections import Counter
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

from clusters.engine.analysis import Kind, is_of_group
from clusters.engine.configuration import LONGEST_WAIT, LOOKED_UP_EVERY, Backoff
from clusters.engine.queueing import QueuePlace, Standing
from clusters.wording import amounts, pending as words
from clusters.wording.evaluation import counted
from clusters.wording.lists import begun
from clusters.wording.requeues import Requeue, requeues_of
from dashboard.presenters.pending.attempts import NextAttempt, next_attempt, retry_times
from dashboard.presenters.pending.causes import name_of
from dashboard.presenters.pending.page import place_of
from dashboard.presenters.shared.page import not_computed_sentence

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from clusters.engine.versions import Release
    from clusters.services.pending.pods import WaitingPod
    from clusters.services.pending.queue import QueuedPod, QueuedPodState

BADGES = {
    QueuePlace.ACTIVE: "good",
    QueuePlace.BACKOFF: "warn",
    QueuePlace.UNSCHEDULABLE: "bad",
    QueuePlace.BINDING: "info",
    QueuePlace.GATED: "info",
    QueuePlace.OTHER_SCHEDULER: "",
    QueuePlace.EVALUATING: "info",
}


class QueueRow(NamedTuple):
    """One pod of the queue."""

    queued: QueuedPod
    standing: Standing
    next_attempt: NextAttempt
    release: Release

    @property
    def pod(self) -> WaitingPod:
        """The pod."""
        return self.queued.pod

    @property
    def badge(self) -> tuple[str, str]:
        """The part of the queue: a badge's text and kind."""
        return str(words.PLACES[self.standing.place]), BADGES[self.standing.place]

    @property
    def pod_group(self) -> tuple[str, str] | None:
        """Namespace and name of the group of pods that it names."""
        return place_of(self.pod.pod_group)

    @property
    def cause(self) -> str:
        """What keeps the pod pending, where no plugin that rejects it says so."""
        cause, place = self.pod.finding.cause, self.standing.place
        if cause.kind is Kind.NOT_COMPUTED:
            return not_computed_sentence(cause.reference)
        is_said = place is QueuePlace.UNSCHEDULABLE and not is_of_group(cause) and cause.kind is not Kind.UNCERTAIN
        is_inside = place in (QueuePlace.ACTIVE, QueuePlace.BACKOFF, QueuePlace.BINDING, QueuePlace.EVALUATING)
        return "" if is_said or is_inside else begun(name_of(self.pod))

    @property
    def fits_now(self) -> bool:
        """Whether the pod was rejected before, and fits now."""
        return self.standing.place in (QueuePlace.ACTIVE, QueuePlace.BACKOFF) and (
            self.pod.finding.cause.kind is Kind.FITS and self.queued.waiting.was_tried
        )

    @property
    def rejected_by(self) -> list[str]:
        """The plugins that reject a pod which is unschedulable, first the one that keeps it pending."""
        finding = self.pod.finding
        if self.standing.place is not QueuePlace.UNSCHEDULABLE:
            return []
        return sorted(finding.rejected_by, key=lambda plugin: plugin not in finding.cause.plugins[:1])


class PluginRequeues(NamedTuple):
    """A plugin, how many unschedulable pods it rejects, and what requeues those."""

    plugin: str
    pods: int
    requeues: tuple[Requeue, ...]


def part_tiles(placed: Iterable[QueuedPodState], address: str) -> list[tuple[str, str, str]]:
    """Return for each part of the queue its name, how many pods it has, and the address that shows those alone."""
    pods = Counter(each.standing.place for each in placed)
    evaluating = pods[QueuePlace.EVALUATING]
    return [
        (
            str(words.PLACES[place]),
            counted(pods[place], is_whole=place is QueuePlace.EVALUATING or not evaluating),
            f"{address}?state={place}" if pods[place] else "",
        )
        for place in QueuePlace
        if pods[place] or place in (QueuePlace.ACTIVE, QueuePlace.BACKOFF, QueuePlace.UNSCHEDULABLE)
    ]


def queue_rows(
    placed: Iterable[QueuedPodState], backoff: Backoff, release: Release, now: datetime
) -> Iterable[QueueRow]:
    """Yield the rows of pods as of a moment."""
    for queued, standing in placed:
        yield QueueRow(queued, standing, _next_attempt(queued, standing.place, backoff, now), release)


def _next_attempt(queued: QueuedPod, place: QueuePlace, backoff: Backoff, now: datetime) -> NextAttempt:
    """Say when the scheduler tries a pod next, as far as it is known when it last did."""
    attempts = queued.attempts
    match place:
        case QueuePlace.BINDING:
            return NextAttempt(words.BOUND_FIRST)
        case QueuePlace.ACTIVE:
            return NextAttempt(words.IN_ORDER)
        case QueuePlace.UNSCHEDULABLE if attempts is None or attempts.last_at is None:
            longest = amounts.age(timedelta(seconds=LONGEST_WAIT + LOOKED_UP_EVERY))
            return NextAttempt(words.REQUEUED_WITHIN(age=longest))
        case QueuePlace.BACKOFF if attempts is not None and attempts.last_at is not None:
            earliest, _ = retry_times(attempts.last_at, attempts.count, backoff)
            return NextAttempt(words.NOT_BEFORE, earliest, earliest)
    return next_attempt(queued.pod.finding, attempts, backoff, now)


def requeues(placed: Sequence[QueuedPodState], release: Release) -> list[PluginRequeues]:
    """Return what requeues unschedulable pods in a release, the plugin that rejects most of them first."""
    pods: Counter[str] = Counter()
    for each in placed:
        if each.standing.place is QueuePlace.UNSCHEDULABLE:
            pods.update(each.queued.pod.finding.rejected_by)
    return [PluginRequeues(plugin, number, requeues_of(plugin, release)) for plugin, number in pods.most_common()]
