"""What keeps pods waiting: those that wait now, and those whose refusals the journal holds for the period."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

from clusters.documents.explanation import cause_document
from clusters.engine.objects import key_of, metadata
from clusters.engine.status import read_refusal
from clusters.models import Decision
from clusters.services.pending.pods import findings_of
from clusters.services.reports import subject as tables

if TYPE_CHECKING:
    from datetime import datetime

    from clusters.engine.analysis import Cause
    from clusters.services.reports.subject import Row, Subject

# So many of a cause's pods are named.
_EXAMPLES = 5
# Refusals of a period are read in batches.
_ROWS_AT_ONCE = 2_000


def pending(subject: Subject, start: datetime, end: datetime) -> Row:
    """Causes now by the number of pods, and by the scheduler's own reasons over the period."""
    groups: dict[Cause, list[dict[str, Any]]] = defaultdict(list)
    findings = findings_of(subject.snapshot, subject.configuration, subject.waiting)
    for pod, finding in zip(subject.waiting, findings, strict=True):
        groups[finding.cause].append(dict(pod))
    causes = []
    for cause, pods in sorted(groups.items(), key=lambda item: (-len(item[1]), repr(item[0]))):
        created = [str(metadata(pod).get("creationTimestamp") or "") for pod in pods]
        causes.append(
            {
                "kind": str(cause.kind),
                "plugin": ", ".join(cause.plugins),
                "reason": cause.quoted,
                "cause": cause_document(cause),
                "pods": len(pods),
                "oldest": min((each for each in created if each), default=None),
                "examples": sorted(key_of(pod) for pod in pods)[:_EXAMPLES],
            }
        )
    recorded, rows = (None, []) if subject.run is not None else _recorded(subject, start, end)
    columns = [
        *map(tables.text, ("kind", "plugin", "reason")),
        tables.number("pods"),
        tables.time("oldest"),
        tables.names("examples"),
    ]
    of_period = [tables.text("reason"), *map(tables.number, ("pods", "decisions", "attempts"))]
    facts = {"pending": len(subject.waiting), "causes": len(causes), "recorded": recorded}
    return tables.section(
        "pending", facts, [tables.table("causes", columns, causes), tables.table("recorded", of_period, rows)]
    )


def _recorded(subject: Subject, start: datetime, end: datetime) -> tuple[dict[str, int] | None, list[Row]]:
    """What the journal holds; nothing at all where no decision of the cluster was ever heard of."""
    decisions = Decision.objects.filter(cluster=subject.cluster)
    if not decisions.exists():
        return None, []
    refused = decisions.filter(kind=Decision.Kind.UNSCHEDULABLE, heard_at__gte=start, heard_at__lte=end)
    pods: dict[str, set[str]] = defaultdict(set)
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    everybody: set[str] = set()
    number = attempted = 0
    found = refused.values_list("pod_uid", "message", "attempts").iterator(_ROWS_AT_ONCE)
    for uid, message, attempts in found:
        number += 1
        attempted += attempts
        everybody.add(uid)
        for reason in reasons_of(message):
            pods[reason].add(uid)
            counts[reason][0] += 1
            counts[reason][1] += attempts
    rows = [
        {"reason": reason, "pods": len(pods[reason]), "decisions": counts[reason][0], "attempts": counts[reason][1]}
        for reason in sorted(pods, key=lambda reason: (-len(pods[reason]), -counts[reason][1], reason))
    ]
    return {"pods": len(everybody), "decisions": number, "attempts": attempted}, rows


def reasons_of(message: str) -> list[str]:
    """The reasons in a scheduler's message, each once; a message of another form is its own reason."""
    refusal = read_refusal(message)
    if refusal is None:
        return [message[:200]] if message else []
    return list(refusal.reasons) or [refusal.said]
