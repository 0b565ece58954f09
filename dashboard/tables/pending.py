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
        FileColumn("namespace", lambda row: pod_of(row).namespace),
        FileColumn("pod", lambda row: pod_of(row).name),
        FileColumn("workload kind", lambda row: pod_of(row).workload.kind),
        FileColumn("workload", lambda row: pod_of(row).workload.name),
    )


def pod_group(pod_of: Callable[[Row], WaitingPod]) -> FileColumn[Row]:
    """Return how a file names the pod group of a pending pod."""
    return FileColumn("pod group", lambda row: getattr(place_of(pod_of(row).pod_group), "name", ""))


PODS: Final[DataTable[PendingRow]] = DataTable(
    DataColumn("pod", columns.POD, file=named(lambda row: row.pod)),
    DataColumn(
        "age", headings.PENDING_FOR, css="nowrap", file=(FileColumn("created", lambda row: row.pod.created_at),)
    ),
    DataColumn(
        "cause",
        file=(
            FileColumn("state", lambda row: row.cause.badge[0]),
            FileColumn("cause", lambda row: row.cause.name),
            FileColumn("plugin", lambda row: row.cause.plugins),
            FileColumn("reason", lambda row: row.cause.reason),
            FileColumn("nodes with reason", lambda row: row.finding.nodes),
            FileColumn("nodes", lambda row: row.finding.node_count),
            FileColumn("feasible nodes", lambda row: row.finding.feasible),
            FileColumn("where", lambda row: row.where),
        ),
    ),
    DataColumn(
        "attempts",
        pgettext_lazy("column", "Attempts"),
        file=(
            FileColumn("attempts at least", lambda row: row.attempts.count if row.attempts else None),
            FileColumn("last attempt", lambda row: row.attempts.last_at if row.attempts else None),
        ),
    ),
    DataColumn(
        "next",
        headings.NEXT_ATTEMPT,
        file=(
            FileColumn("not before", lambda row: row.next_attempt.earliest),
            FileColumn("expected by", lambda row: row.next_attempt.latest),
        ),
    ),
    DataColumn(
        "way",
        file=(FileColumn("one change that would be enough", lambda row: row.cause.way),),
    ),
    DataColumn(
        "report",
        pgettext_lazy("column", "Scheduler's report"),
        label=headings.REPORT,
        css="message",
        file=(
            FileColumn("report", lambda row: row.report[0]),
            FileColumn("scheduler's message", lambda row: row.message),
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
            FileColumn("namespace", lambda row: row.failure.workload.namespace),
            FileColumn("workload kind", lambda row: row.failure.workload.kind),
            FileColumn("workload", lambda row: row.failure.workload.name),
        ),
    ),
    DataColumn(
        "missing",
        pgettext_lazy("column", "Missing pods"),
        is_number=True,
        value=lambda row: row.failure.missing,
        file=(FileColumn("missing pods", lambda row: row.failure.missing),),
    ),
    DataColumn(
        "since",
        pgettext_lazy("column", "Since"),
        css="nowrap",
        file=(FileColumn("since", lambda row: row.since),),
    ),
    DataColumn(
        "cause",
        file=(
            FileColumn(
                "kinds of causes",
                lambda row: ", ".join(dict.fromkeys(each.kind for each in row.problems)),
            ),
            FileColumn("cause", lambda row: refusals.because(row.failure)),
        ),
    ),
    DataColumn(
        "next",
        pgettext_lazy("column", "Next try"),
        value=lambda row: refusals.outcome(row.failure.next_try),
        file=(
            FileColumn("now", lambda row: refusals.outlook(row.failure)),
            FileColumn("remedy", lambda row: row.remedy),
        ),
    ),
    DataColumn(
        "report",
        pgettext_lazy("column", "Controller's report"),
        label=headings.REPORT,
        css="message",
        file=(
            FileColumn("reason", lambda row: row.failure.reason),
            FileColumn("message", lambda row: row.failure.message),
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
