"""Workloads whose pods cannot be created, by what the API server refuses them for."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from clusters.engine.admission.problems import AboveMaximum, AboveRatio, BelowMinimum, NoPriorityClass, NoRuntimeClass
from clusters.engine.quotas.problems import QuotaExceeded, QuotaUnspecified
from clusters.engine.workloads.failures import FailureKind
from clusters.engine.workloads.problems import (
    AbsentPriorityClass,
    AbsentRuntimeClass,
    InvalidField,
    PodSecurityViolated,
    PolicyDenied,
    WebhookDenied,
    WebhookFailed,
)

if TYPE_CHECKING:
    from collections.abc import Hashable

    from clusters.engine.problems import Problem
    from clusters.engine.workloads.failures import Failures, WorkloadFailure


@dataclass(frozen=True, slots=True)
class RefusedGroup:
    """Workloads that the API server refuses pods, or Jobs, for the same reason, those that lack most pods first."""

    failures: tuple[WorkloadFailure, ...]

    @property
    def missing(self) -> int:
        """How many pods they lack together, as far as that is known."""
        return sum(failure.missing or 0 for failure in self.failures)

    @property
    def since(self) -> str:
        """Since when the first of them fails (RFC 3339), empty where that is not told."""
        return min((failure.since for failure in self.failures if failure.since), default="")


def refused(failures: Failures) -> list[WorkloadFailure]:
    """The failure of each workload whose pods, or Jobs, cannot be created."""
    return [found[0] for found in failures.values() if found[0].kind is FailureKind.CREATE]


def late(failures: Failures) -> list[WorkloadFailure]:
    """The failure of each CronJob of which nothing graver is known than that it has missed starts."""
    return [found[0] for found in failures.values() if found[0].kind is FailureKind.STARTS]


def refused_groups(failures: Failures) -> list[RefusedGroup]:
    """Workloads whose pods cannot be created by cause, the cause for which most pods are missing first."""
    by_cause: dict[Hashable, list[WorkloadFailure]] = {}
    for failure in refused(failures):
        by_cause.setdefault(_cause(failure), []).append(failure)
    groups = [
        RefusedGroup(tuple(sorted(found, key=lambda failure: (-(failure.missing or 0), failure.workload))))
        for found in by_cause.values()
    ]
    return sorted(groups, key=lambda group: (-group.missing, group.failures[0].workload))


def _cause(failure: WorkloadFailure) -> Hashable:
    """What is the same for all workloads that one change would help."""
    if failure.refusal is None:
        return failure.workload
    return failure.workload.namespace, failure.refusal.resource, tuple(map(cause_of, failure.refusal.problems))


def cause_of(problem: Problem) -> Problem:
    """A problem without what differs from pod to pod: what is left tells causes apart."""
    match problem:
        case QuotaExceeded():
            return replace(problem, message="", requested=(), used=(), limited=())
        case QuotaUnspecified():
            return replace(problem, message="", containers=())
        case BelowMinimum() | AboveMaximum():
            return replace(problem, amount="")
        case AboveRatio():
            return replace(problem, times=0.0)
        case PodSecurityViolated() | PolicyDenied() | WebhookDenied() | WebhookFailed() | InvalidField():
            return replace(problem, said="")
        case NoPriorityClass():
            return AbsentPriorityClass(problem.name)
        case NoRuntimeClass():
            return AbsentRuntimeClass(problem.name)
        case _as_it_is:
            return problem
