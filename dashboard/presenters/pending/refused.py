"""Workloads whose pods the API server refuses to create, by cause."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from clusters.engine.quotas import QuotaExceeded, QuotaUnspecified
from clusters.engine.workloads import Failures, RefusedGroup, WorkloadFailure, refused_groups
from clusters.wording import refusals, workload_failures as failure_words
from dashboard.presenters.pending.page import share_of_largest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusters.engine.problems import Problem

CAUSES = 10
WORKLOADS_PER_CAUSE = 5


class RefusedWorkload(NamedTuple):
    """A workload that fails for the cause, and all of its failures, the gravest first."""

    failure: WorkloadFailure
    among: tuple[WorkloadFailure, ...]

    @property
    def since(self) -> datetime | None:
        """Since when it fails."""
        return _moment(self.failure.since)

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Why the API server refuses its pods."""
        return self.failure.refusal.problems if self.failure.refusal is not None else ()

    @property
    def remedy(self) -> str:
        """What to do about it alone."""
        return failure_words.remedy(self.failure, self.among)


class RefusedCause(NamedTuple):
    """The workloads of one cause; ``most`` pods are missing for the cause for which most are."""

    group: RefusedGroup
    failures: Failures
    most: int

    @property
    def because(self) -> str:
        """Why the pods are refused; of what fails otherwise, how many workloads do."""
        return refusals.because(self.group.failures[0]) or failure_words.CANNOT_CREATE(
            workloads=len(self.group.failures)
        )

    @property
    def share(self) -> int:
        """How many pods are missing, of those of the largest cause, 0 to 100."""
        return share_of_largest(self.group.missing, self.most)

    @property
    def since(self) -> datetime | None:
        """Since when the first of them fails."""
        return _moment(self.group.since)

    @property
    def remedy(self) -> str:
        """What to do about all of them together."""
        return refusals.remedy(self.group.failures)

    @property
    def is_of_quota(self) -> bool:
        """Whether the page of quotas shows what it is about."""
        problems = next(self.workloads()).problems
        return any(isinstance(each, QuotaExceeded | QuotaUnspecified) for each in problems)

    @property
    def unlisted(self) -> int:
        """How many workloads have no row."""
        return max(0, len(self.group.failures) - WORKLOADS_PER_CAUSE)

    def workloads(self) -> Iterator[RefusedWorkload]:
        """Yield the workloads, those that lack most pods first."""
        for failure in self.group.failures:
            yield RefusedWorkload(failure, self.failures[failure.workload])


def refused_causes(failures: Failures) -> list[RefusedCause]:
    """Return the causes, that for which most pods are missing first."""
    groups = refused_groups(failures)
    most = max((group.missing for group in groups), default=0)
    return [RefusedCause(group, failures, most) for group in groups]


def _moment(text: str) -> datetime | None:
    return datetime.fromisoformat(text) if text else None
