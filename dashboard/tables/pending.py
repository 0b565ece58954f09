"""The tables of pending pods, of pods that cannot be created, and of those that may be preempted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeVar

from django.utils.translation import pgettext_lazy

from clusters.wording import columns, refusals
from dashboard.lists.columns import DataColumn, DataTable, FileColumn
from dashboard.presenters.pending import PendingRow, place_of
from dashboard.tables import headings

if TYPE_CHECKING:
    from collections.abc import Callable

    from clusters.services.pending.pods import WaitingPod
    from dashboard.presenters.pending import RefusedWorkload, RiskRow


Row = TypeVar("Row")


def named(pod_of: Callable[[Row], WaitingPod]) -> tuple[FileColumn[Row], ...]:
    """Return how a file names a pending pod and its workload."""
    return (
        FileColumn(headings.NAMESPACE, lambda row: pod_of(row).namespace),
        FileColumn(headings.POD, lambda row: pod_of(row).name),
        FileColumn(headings.WORKLOAD_KIND, lambda row: pod_of(row).workload.kind),
        FileColumn(headings.WORKLOAD, lambda row: pod_of(row).workload.name),
    )


def pod_group(pod_of: Callable[[Row], WaitingPod]) -> FileColumn[Row]:
    """Return how a file names the pod group of a pending pod."""
    return FileColumn(headings.POD_GROUP, lambda row: (place_of(pod_of(row).pod_group) or ("", ""))[1])


PODS: Final[DataTable[PendingRow]] = DataTable(
    DataColumn("pod", columns.POD, file=named(lambda row: row.pod)),
    DataColumn(
        "age", headings.PENDING_FOR, css="nowrap", file=(FileColumn(headings.CREATED, lambda row: row.pod.created_at),)
    ),
    DataColumn(
        "cause",
        file=(
            FileColumn(headings.STATE, lambda row: row.cause.badge[0]),
            FileColumn(headings.CAUSE, lambda row: row.cause.name),
            FileColumn(pgettext_lazy("column of a file", "plugin"), lambda row: row.cause.plugins),
            FileColumn(pgettext_lazy("column of a file", "reason"), lambda row: row.cause.reason),
            FileColumn(pgettext_lazy("column of a file", "nodes with reason"), lambda row: row.finding.nodes),
            FileColumn(pgettext_lazy("column of a file", "nodes"), lambda row: row.finding.node_count),
            FileColumn(pgettext_lazy("column of a file", "feasible nodes"), lambda row: row.finding.feasible),
            FileColumn(pgettext_lazy("column of a file", "where"), lambda row: row.where),
        ),
    ),
    DataColumn(
        "attempts",
        pgettext_lazy("column", "Attempts"),
        file=(
            FileColumn(headings.ATTEMPTS, lambda row: row.attempts.count if row.attempts else None),
            FileColumn(headings.LAST_ATTEMPT, lambda row: row.attempts.last_at if row.attempts else None),
        ),
    ),
    DataColumn(
        "next",
        headings.NEXT_ATTEMPT,
        file=(
            FileColumn(headings.NOT_BEFORE, lambda row: row.next_attempt.earliest),
            FileColumn(pgettext_lazy("column of a file", "expected by"), lambda row: row.next_attempt.latest),
        ),
    ),
    DataColumn(
        "way",
        file=(
            FileColumn(pgettext_lazy("column of a file", "one change that would be enough"), lambda row: row.cause.way),
        ),
    ),
    DataColumn(
        "report",
        pgettext_lazy("column", "Scheduler's report"),
        label=headings.REPORT,
        css="message",
        file=(
            FileColumn(pgettext_lazy("column of a file", "report"), lambda row: row.report[0]),
            FileColumn(headings.MESSAGE, lambda row: row.message),
        ),
    ),
    DataColumn("pod group", file=(pod_group(lambda row: row.pod),)),
    key=lambda row: row.pod.key,
)

REFUSED: Final[DataTable[RefusedWorkload]] = DataTable(
    DataColumn(
        "workload",
        columns.WORKLOAD,
        file=(
            FileColumn(headings.NAMESPACE, lambda row: row.failure.workload.namespace),
            FileColumn(headings.WORKLOAD_KIND, lambda row: row.failure.workload.kind),
            FileColumn(headings.WORKLOAD, lambda row: row.failure.workload.name),
        ),
    ),
    DataColumn(
        "missing",
        pgettext_lazy("column", "Missing pods"),
        is_number=True,
        value=lambda row: row.failure.missing,
        file=(FileColumn(pgettext_lazy("column of a file", "missing pods"), lambda row: row.failure.missing),),
    ),
    DataColumn(
        "since",
        pgettext_lazy("column", "Since"),
        css="nowrap",
        file=(FileColumn(pgettext_lazy("column of a file", "since"), lambda row: row.since),),
    ),
    DataColumn(
        "cause",
        file=(
            FileColumn(
                pgettext_lazy("column of a file", "kinds of causes"),
                lambda row: ", ".join(dict.fromkeys(each.kind for each in row.problems)),
            ),
            FileColumn(headings.CAUSE, lambda row: refusals.because(row.failure)),
        ),
    ),
    DataColumn(
        "next",
        pgettext_lazy("column", "Next try"),
        value=lambda row: refusals.outcome(row.failure.next_try),
        file=(
            FileColumn(pgettext_lazy("column of a file", "now"), lambda row: refusals.outlook(row.failure)),
            FileColumn(pgettext_lazy("column of a file", "remedy"), lambda row: row.remedy),
        ),
    ),
    DataColumn(
        "report",
        pgettext_lazy("column", "Controller's report"),
        label=headings.REPORT,
        css="message",
        file=(
            FileColumn(pgettext_lazy("column of a file", "reason"), lambda row: row.failure.reason),
            FileColumn(pgettext_lazy("column of a file", "message"), lambda row: row.failure.message),
        ),
    ),
    key=lambda row: f"{row.failure.workload.kind} {row.failure.workload.namespace}/{row.failure.workload.name}",
)


RISKS: Final[DataTable[RiskRow]] = DataTable(
    DataColumn("workload", columns.WORKLOAD),
    DataColumn("selected", pgettext_lazy("column", "Pods removed now"), is_number=True, value=lambda row: row.selected),
    DataColumn("pods", pgettext_lazy("column", "Which")),
    DataColumn("preemptors", pgettext_lazy("column", "Removed for")),
    DataColumn(
        "possible",
        pgettext_lazy("column", "Victims on any candidate node"),
        is_number=True,
        value=lambda row: row.possible,
    ),
    key=lambda row: row.title,
)
