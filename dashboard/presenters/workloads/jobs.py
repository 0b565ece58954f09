"""How far a Job is: in sentences, and its indexes in a table."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from clusters.engine.workloads import IndexState
from clusters.services.workloads.listing import MOST_PODS
from clusters.wording.amounts import grouped
from clusters.wording.workloads import jobs as words
from dashboard.presenters.shared.moments import later

if TYPE_CHECKING:
    from clusters.engine.workloads import IndexGroup, JobProgress

# Rows of a table of indexes: each has its own number of failures, or its own time.
GROUPS_SHOWN: Final = 20
# Of indexes in one cell: intervals beyond are left out.
_INTERVALS_SHOWN: Final = 30
_NONE: Final = "–"


@dataclass(frozen=True, slots=True)
class IndexRow:
    """Indexes of a Job that are alike, as a row shows them."""

    state: str
    indexes: str
    number: str
    failures: str
    left: str
    next_pod: str


@dataclass(frozen=True, slots=True)
class JobView:
    """A Job on the page of its workload; ``has_limits``: whether its indexes have a limit of failures of their own."""

    name: str
    sentence: str
    rows: tuple[IndexRow, ...] = ()
    has_limits: bool = False
    more: str = ""


def job_view(job: JobProgress) -> JobView:
    """Present how far a Job is."""
    groups = () if job.indexes is None or job.managed_by else job.indexes.groups
    more = len(groups) - GROUPS_SHOWN
    return JobView(
        name=job.name,
        sentence=job_sentence(job),
        rows=tuple(_row(group) for group in groups[:GROUPS_SHOWN]),
        has_limits=job.indexes is not None and job.indexes.limit is not None,
        more=words.MORE_GROUPS(more=more) if more > 0 else "",
    )


def job_sentence(job: JobProgress) -> str:
    """Say how far a Job is, what ends it, and when its next pod comes."""
    if job.managed_by:
        return words.managed_by(job)
    if job.is_suspended:
        return words.counted(job)
    said = [words.counted(job)]
    if job.ending is not None:
        return " ".join((*said, words.ending(job.ending)))
    said += [words.left(job), *_about_indexes(job)]
    if job.policy is not None:
        said.append(words.failure_policy(job.policy))
    if job.waits_for_ended:
        said.append(str(words.WAITS_FOR_ENDED))
    if job.in_a_row and job.last_failed and (at := later(job.last_failed, job.delay)) is not None:
        said.append(words.next_pod(job, delay=timedelta(seconds=job.delay), at=at))
    # A deadline beyond the calendar ends nothing.
    if job.deadline is not None and job.started and (at := later(job.started, job.deadline)) is not None:
        said.append(words.deadline(at))
    return " ".join(filter(None, said))


def _about_indexes(job: JobProgress) -> list[str]:
    if job.indexes is None:
        return []
    said = [words.index_limit(job.indexes), *map(words.success_rule, job.indexes.success)]
    return said if job.indexes.is_whole else [*said, words.PARTLY_KNOWN(pods=MOST_PODS)]


def _row(group: IndexGroup) -> IndexRow:
    next_pod = ""
    if group.state is IndexState.NEXT:
        next_pod = str(words.AT_ONCE)
        if group.last_failed and (at := later(group.last_failed, group.delay)) is not None:
            next_pod = words.not_before(at)
    return IndexRow(
        state=words.index_state(group.state),
        indexes=_shortened(str(group.indexes)),
        number=grouped(group.indexes.count),
        failures=_NONE if group.failures is None else grouped(group.failures),
        left=_NONE if group.left is None else grouped(group.left),
        next_pod=next_pod,
    )


def _shortened(indexes: str) -> str:
    parts = indexes.split(",")
    return ", ".join(parts[:_INTERVALS_SHOWN]) + (" …" if len(parts) > _INTERVALS_SHOWN else "")
