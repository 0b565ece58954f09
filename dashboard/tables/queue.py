"""The table of the scheduler's queue."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import pgettext_lazy

from clusters.wording import columns
from clusters.wording.requeues import requeues_of
from dashboard.lists.columns import DataColumn, DataTable, FileColumn
from dashboard.tables import headings, pending

if TYPE_CHECKING:
    from dashboard.presenters.pending import QueueRow


def _requeued_when(row: QueueRow) -> str:
    """Join the events of each plugin that rejects a pod."""
    by_plugin = (
        "; ".join(each.when() for each in requeues_of(plugin, row.release)) for plugin in row.pod.finding.rejected_by
    )
    return " | ".join(filter(None, by_plugin))


PODS: Final[DataTable[QueueRow]] = DataTable(
    DataColumn(
        "rank",
        pgettext_lazy("column", "Rank"),
        is_number=True,
        value=lambda row: row.standing.rank,
        file=(FileColumn("rank", lambda row: row.standing.rank),),
    ),
    DataColumn("pod", columns.POD, file=pending.named(lambda row: row.pod)),
    DataColumn(
        "priority",
        columns.PRIORITY,
        is_number=True,
        file=(
            FileColumn("priority", lambda row: row.queued.priority),
            FileColumn("priority class", lambda row: row.queued.priority_class),
        ),
    ),
    DataColumn(
        "scheduler",
        file=(FileColumn("scheduler", lambda row: row.queued.scheduler_name),),
    ),
    DataColumn(
        "age", headings.PENDING_FOR, css="nowrap", file=(FileColumn("created", lambda row: row.pod.created_at),)
    ),
    DataColumn(
        "state",
        columns.STATE,
        file=(
            FileColumn("state", lambda row: row.badge[0]),
            FileColumn("nominated node", lambda row: row.queued.nominated_node),
        ),
    ),
    DataColumn(
        "next",
        headings.NEXT_ATTEMPT,
        file=(
            FileColumn("attempts at least", lambda row: row.queued.attempts.count if row.queued.attempts else None),
            FileColumn("last attempt", lambda row: row.queued.attempts.last_at if row.queued.attempts else None),
            FileColumn("next attempt", lambda row: row.next_attempt.text),
            FileColumn("not before", lambda row: row.next_attempt.earliest),
            FileColumn("by", lambda row: row.next_attempt.latest),
        ),
    ),
    DataColumn(
        "rejected",
        pgettext_lazy("column", "Rejected by"),
        file=(
            FileColumn("rejected by", lambda row: " ".join(row.pod.finding.rejected_by)),
            FileColumn("requeued when", _requeued_when),
        ),
    ),
    DataColumn("pod group", file=(pending.pod_group(lambda row: row.pod),)),
    key=lambda row: row.pod.key,
    heads="pod",
)
