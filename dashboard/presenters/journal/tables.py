"""Decisions as tables of plain values, for files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.wording.amounts import moment
from dashboard.presenters.journal.page import workload

if TYPE_CHECKING:
    from clusters.models import Decision


def cells(decision: Decision) -> tuple[str | int, ...]:
    """Return one decision's values in the order of the columns; times are in ISO 8601, in UTC."""
    by = f"{decision.preemptor_namespace}/{decision.preemptor_name}" if decision.preemptor_name else ""
    return (
        decision.pk,
        moment(decision.heard_at),
        moment(decision.last_heard_at),
        moment(decision.reported_at),
        decision.attempts,
        decision.kind,
        decision.namespace,
        decision.name,
        decision.pod_uid,
        workload(decision),
        decision.scheduler_name,
        "" if decision.priority is None else decision.priority,
        decision.node_name,
        decision.message,
        by,
        decision.verdict,
        decision.reason,
        decision.basis_state or "",
    )
