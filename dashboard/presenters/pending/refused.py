"""Workloads whose pods the API server refuses to create, by cause."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from clusters.engine.quotas import QuotaExceeded, QuotaUnspecified
from clusters.engine.workloads import Failures, RefusedGroup, WorkloadFailure, refused, refused_groups
from clusters.wording import amounts, refusals
from clusters.wording import workload_failures as failure_words
from clusters.wording.amounts import grouped, moment
from clusters.wording.pending import refused as words
from dashboard.presenters.pending.page import share_of_largest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusters.engine.owners import Workload

GROUPS = 10
WORKLOADS_PER_GROUP = 5


@dataclass(frozen=True, slots=True)
class RefusedView:
    """One workload; ``missing`` is empty where it is not known how many pods it lacks, ``age`` since when.

    ``next_try``: how many of them are created next.
    """

    workload: Workload
    missing: str
    since: datetime | None
    age: str
    next_try: str
    quote: str


@dataclass(frozen=True, slots=True)
class RefusedGroupView:
    """The workloads of one cause; ``is_of_quota``: the page of quotas shows what it is about.

    ``count``: how many pods are missing, ``share`` that is of those of the largest cause, 0 to 100.
    """

    title: str
    because: str
    count: str
    share: int
    age: str
    remedy: str
    is_of_quota: bool
    workloads: tuple[RefusedView, ...]
    more: str


def sentence(failures: Failures) -> str:
    """Say how many workloads cannot create how many pods; empty where all can."""
    found = refused(failures)
    return words.sentence(workloads=len(found), pods=sum(each.missing or 0 for each in found)) if found else ""


def group_views(failures: Failures, now: datetime) -> tuple[list[RefusedGroupView], str]:
    """Present the causes for which most pods are missing, and count the others."""
    groups = refused_groups(failures)
    rest = len(groups) - GROUPS
    most = max((group.missing for group in groups), default=0)
    return [_group(group, most, now) for group in groups[:GROUPS]], words.more_causes(rest) if rest > 0 else ""


def _group(group: RefusedGroup, most: int, now: datetime) -> RefusedGroupView:
    shown = group.failures[:WORKLOADS_PER_GROUP]
    workloads = len(group.failures)
    rest = workloads - len(shown)
    first, since = shown[0], _moment(group.since)
    problems = first.refusal.problems if first.refusal is not None else ()
    return RefusedGroupView(
        title=words.title(workloads=workloads, pods=group.missing)
        if group.missing
        else failure_words.CANNOT_CREATE(workloads=workloads),
        because=refusals.because(first),
        count=grouped(group.missing),
        share=share_of_largest(group.missing, most),
        age="" if since is None else amounts.age(now - since),
        remedy=refusals.remedy(group.failures),
        is_of_quota=any(isinstance(each, QuotaExceeded | QuotaUnspecified) for each in problems),
        workloads=tuple(_row(each, now) for each in shown),
        more=words.more(rest) if rest > 0 else "",
    )


def _row(failure: WorkloadFailure, now: datetime) -> RefusedView:
    since = _moment(failure.since)
    return RefusedView(
        workload=failure.workload,
        missing="" if failure.missing is None else grouped(failure.missing),
        since=since,
        age="" if since is None else amounts.age(now - since),
        next_try=refusals.outcome(failure.next_try),
        quote=failure_words.quoted(failure),
    )


def cells(failures: Failures) -> Iterator[tuple[str | int, ...]]:
    """Yield a row of a file for each workload, in the order of its columns; times in UTC."""
    for group in refused_groups(failures):
        for failure in group.failures:
            workload = failure.workload
            problems = failure.refusal.problems if failure.refusal is not None else ()
            yield (
                workload.namespace,
                workload.kind,
                workload.name,
                "" if failure.missing is None else failure.missing,
                moment(_moment(failure.since)),
                ", ".join(dict.fromkeys(each.kind for each in problems)),
                refusals.because(failure),
                refusals.outlook(failure),
                failure_words.remedy(failure, failures[workload]),
                failure.reason,
                failure.message,
            )


def _moment(text: str) -> datetime | None:
    return datetime.fromisoformat(text) if text else None
