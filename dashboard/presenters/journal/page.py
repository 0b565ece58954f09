"""Decisions as rows of the timeline."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from clusters.models import Decision
from clusters.wording.journal import decisions as words
from dashboard.presenters.shared.links import node_links, workload_links

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from clusters.models import Cluster

Kind, Verdict = Decision.Kind, Decision.Verdict

# What rows read; the explanation stays packed in the database.
COLUMNS = (
    "cluster_id", "kind", "pod_uid", "namespace", "name", "owner_kind", "owner_name", "heard_at", "last_heard_at",
    "attempts", "node_name", "message", "preemptor_namespace", "preemptor_name", "verdict", "reason", "reported_at",
    "scheduler_name", "priority", "basis_state",
)  # fmt: skip

VERDICT_BADGES = {
    Verdict.WAITING: "info",
    Verdict.AGREES: "good",
    Verdict.SAMPLED: "good",
    Verdict.DISAGREES: "bad",
    Verdict.UNJUDGED: "",
}


@dataclass(frozen=True, slots=True)
class DecisionRow:
    """One decision of a list; `kind` names it with its node, `attempts` is empty for a single one.

    `is_simulated`: no scheduler decided so, it was recorded from a simulation.
    """

    pk: int
    namespace: str
    name: str
    workload: str
    kind: str
    node: str
    heard_at: datetime
    verdict: str
    badge: str
    reason: str
    message: str
    attempts: str
    is_simulated: bool
    # The pages of both, where the cluster still has them.
    workload_url: str = ""
    node_url: str = ""


def decision_rows(cluster: Cluster, decisions: Iterable[Decision]) -> list[DecisionRow]:
    """Present decisions of one cluster, with the pages of their workloads and nodes, by two queries."""
    rows = list(decisions)
    nodes = node_links(cluster, {row.node_name for row in rows if row.node_name})
    workloads = workload_links(cluster, {_owner(row) for row in rows if row.owner_name})
    return [
        replace(decision_row(row), workload_url=workloads.get(_owner(row), ""), node_url=nodes.get(row.node_name, ""))
        for row in rows
    ]


def _owner(decision: Decision) -> tuple[str, str, str]:
    return decision.owner_kind, decision.namespace, decision.owner_name


def decision_row(decision: Decision) -> DecisionRow:
    """Present a decision."""
    return DecisionRow(
        pk=decision.pk,
        namespace=decision.namespace,
        name=decision.name,
        workload=workload(decision),
        kind=words.kind(decision.kind, node=decision.node_name),
        node=decision.node_name,
        heard_at=decision.heard_at,
        verdict=str(words.VERDICTS[decision.verdict]),
        badge=VERDICT_BADGES[Verdict(decision.verdict)],
        reason=reason(decision),
        message=decision.message or (decision.event or {}).get("note", "") if decision.kind in _WITH_MESSAGE else "",
        attempts=words.ATTEMPTS(attempts=decision.attempts) if decision.attempts > 1 else "",
        is_simulated=decision.reason == Decision.Reason.SIMULATED,
    )


# For the others the row itself says everything.
_WITH_MESSAGE = frozenset({Kind.UNSCHEDULABLE, Kind.PREEMPTED, Kind.EVICTED})


def workload(decision: Decision) -> str:
    """Return the controller as kind/name; empty for a pod that has none."""
    return f"{decision.owner_kind}/{decision.owner_name}" if decision.owner_name else ""


def reason(decision: Decision) -> str:
    """Return why a decision was not agreed with or not judged; empty for an agreement and what is no decision."""
    if not decision.reason or decision.reason == Decision.Reason.NO_DECISION:
        return ""
    return str(words.REASONS[decision.reason])
