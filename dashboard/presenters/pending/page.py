"""Pending pods as rows of their causes: when the scheduler tries each next, and what it reported."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clusters.documents.gaps import worded_gap
from clusters.engine.analysis import Kind, PendingFinding
from clusters.wording import pending as words
from clusters.wording.clusters import with_effect
from clusters.wording.pending import where
from dashboard.presenters.decisions.observed import compared
from dashboard.presenters.pending.attempts import NextAttempt, next_attempt
from dashboard.presenters.pending.causes import CauseFacts, requeues

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping, Sequence
    from datetime import datetime

    from django.utils.functional import _StrOrPromise

    from clusters.engine.configuration import Backoff
    from clusters.engine.group_states import PodGroupState
    from clusters.engine.versions import Release
    from clusters.models import Cluster
    from clusters.services.pending.pods import Attempts, WaitingPod
    from dashboard.lists.columns import TableRows

# Nothing was computed for these that a report could be compared with.
_INCOMPARABLE = frozenset({Kind.OTHER_SCHEDULER, Kind.EVALUATING, Kind.UNCERTAIN, Kind.NOT_COMPUTED})
# So many pods of a group are named that share a row.
_MOST_NAMED = 20
# A badge's text and kind for what a comparison comes to.
_COMPARED = {"success": (words.AGREES, "good"), "warning": (words.DIFFERS, "warn")}


@dataclass(frozen=True, slots=True)
class PendingRow:
    """A pending pod of a cause; `others` are those of its pod group that share the row, as the same holds for them."""

    cause: CauseFacts
    pod: WaitingPod
    attempts: Attempts | None
    next_attempt: NextAttempt
    others: tuple[WaitingPod, ...] = ()

    @property
    def finding(self) -> PendingFinding:
        """What was found of the pod."""
        return self.pod.finding

    @property
    def where(self) -> str:
        """Which nodes the cause is about; empty where its name says all."""
        return where(self.finding)

    @property
    def pod_group(self) -> tuple[str, str] | None:
        """Namespace and name of the group of pods that it names."""
        return place_of(self.pod.pod_group)

    @property
    def message(self) -> str:
        """The scheduler's own message: the condition in full, or else the latest event, which may be cut off."""
        return self.pod.reported or (self.attempts.message if self.attempts else "")

    @property
    def report(self) -> tuple[_StrOrPromise, str]:
        """How that compares with what is computed: a badge's text and kind, which is good where both agree."""
        if not self.message:
            return words.NOTHING_REPORTED, ""
        if self.finding.cause.kind in _INCOMPARABLE:
            return words.REPORTED, ""
        return _COMPARED.get(compared(self.message, self.finding)[0], (words.REPORTED, "info"))

    @property
    def named(self) -> tuple[WaitingPod, ...]:
        """The others that are named."""
        return self.others[:_MOST_NAMED]

    @property
    def unnamed(self) -> int:
        """How many others are not named."""
        return len(self.others) - len(self.named)


@dataclass(frozen=True, slots=True)
class CauseRow:
    """Pods pending for one cause, of which `found` pass the filter and `pods` have a row.

    `most` is how many pods the largest cause has that is listed beside it; `is_alone` tells that this cause alone was
    asked for, with all of its pods.
    """

    cause: CauseFacts
    release: Release
    found: int
    most: int
    pods: TableRows[PendingRow]
    is_alone: bool

    @property
    def share(self) -> int:
        """How many pods these are of those of the largest cause, 0 to 100."""
        return share_of_largest(len(self.cause.group.pods), self.most)

    @property
    def hidden(self) -> int:
        """How many of the pods the filters hide."""
        return len(self.cause.group.pods) - self.found

    @property
    def is_cut(self) -> bool:
        """Whether more pods pass the filter than have a row."""
        return not self.is_alone and self.found > sum(1 + len(row.others) for row in self.pods)

    @property
    def pod_group(self) -> tuple[str, str] | None:
        """Namespace and name of the group of pods in which the cause lies."""
        return place_of(self.cause.group.pod_group)

    @property
    def requeues(self) -> list[str]:
        """Which events requeue the pods; each is a clause."""
        return requeues(self.cause.group.cause, self.release)


def gap_lines(cluster: Cluster) -> list[str]:
    """Say what the source lacks that may keep some pod pending."""
    return [with_effect([gap.label], f"{gap.why} {gap.affects}") for gap in map(worded_gap, cluster.gaps) if gap.felt]


def alike_pods(pods: Iterable[WaitingPod]) -> list[list[WaitingPod]]:
    """Put together the pods of one pod group of which the same was found; others stay alone."""
    rows: dict[Hashable, list[WaitingPod]] = {}
    for pod in pods:
        alike = pod.uid if pod.pod_group is None else (pod.pod_group.key, id(pod.finding), pod.workload)
        rows.setdefault(alike, []).append(pod)
    return list(rows.values())


def pod_rows(
    cause: CauseFacts,
    alike: Iterable[Sequence[WaitingPod]],
    attempts: Mapping[str, Attempts],
    backoff: Backoff,
    now: datetime,
) -> list[PendingRow]:
    """Return rows of pods of a cause; alike ones share one where the scheduler's attempts are the same too."""
    rows: list[PendingRow] = []
    for pods in alike:
        shared: dict[Hashable, list[WaitingPod]] = {}
        for pod in pods:
            shared.setdefault((pod.reported, attempts.get(pod.uid)), []).append(pod)
        for first, *others in shared.values():
            tried = attempts.get(first.uid)
            look = next_attempt(first.finding, tried, backoff, now)
            rows.append(PendingRow(cause, first, tried, look, tuple(others)))
    return rows


def place_of(state: PodGroupState | None) -> tuple[str, str] | None:
    """Return namespace and name of a group of pods, as its page is found; None without one."""
    if state is None:
        return None
    namespace, _, name = str(state.key).partition("/")
    return namespace, name


def share_of_largest(number: int, largest: int) -> int:
    """Return a number's share of the largest beside it, 0 to 100; what is not nothing is at least 1."""
    return max(1, round(100 * number / largest)) if number else 0
