"""The simulation that a review is about: what was asked, and what came of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db.models import Count

from clusters.documents.run_words import message_in_words
from clusters.documents.words import sentence_of_uncertainty
from clusters.services.reports import subject as tables
from clusters.services.runs.results import PENDING, pending_after, uncertain_groups

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from clusters.models import SimulationRun
    from clusters.services.reports.subject import Row

# So many of the pending pods are listed.
MOST_LISTED = 200


def run_section(run: SimulationRun) -> Row:
    """The run's changes, its outcome in pods, and the pods that are pending after it."""
    counts = run.pods.order_by("outcome").values_list("outcome").annotate(number=Count("pk"))
    left = run.pods.filter(outcome__in=PENDING).order_by("step", "namespace", "name")
    rows = [
        {
            "pod": f"{pod.namespace}/{pod.name}",
            "outcome": pod.outcome,
            "attempts": pod.attempts,
            "message": message_in_words(pod.message),
        }
        for pod in left[:MOST_LISTED]
    ]
    asked = run.spec.get("changes") or ()
    changes = [
        {"number": number, "change": str(change.get("change", "")), "about": about_of(change)}
        for number, change in enumerate(asked, start=1)
    ]
    summary = run.summary or {}
    causes, pending = summary.get("pending_causes") or (), pending_after(summary.get("origins") or {})
    uncertain = [
        {"pods": each["pods"], "why": " ".join(map(sentence_of_uncertainty, each["why"])), "examples": each["examples"]}
        for each in (uncertain_groups(summary) if summary else ())
    ]
    facts = {
        "id": run.pk,
        "title": run.title,
        "seed": run.spec.get("seed", 0),
        "scheduler": (run.spec.get("scheduler") or {}).get("kind", "pods"),
        "steps": run.steps,
        "pods": dict(counts),
        "pending": left.count(),
        "newly_pending": pending.newly,
        "still_pending": pending.before,
        "forbidden": sum(refusal["pods"] for refusal in summary.get("refusals") or ()),
        "changes": [brief(change) for change in asked],
    }
    of_causes = [
        *map(tables.text, ("kind", "plugin", "reason")),
        *map(tables.number, ("pods", "workloads")),
        tables.names("examples"),
        tables.text("message"),
    ]
    columns = [tables.name("pod"), tables.text("outcome"), tables.number("attempts"), tables.text("message")]
    return tables.section(
        "run",
        facts,
        [
            tables.table(
                "run_changes", [tables.number("number"), tables.text("change"), tables.text("about")], changes
            ),
            tables.table(
                "pending_causes",
                of_causes,
                [_of_cause(cause, of_causes) for cause in causes],
            ),
            tables.table("pending_pods", columns, rows),
            tables.table("uncertain", [tables.number("pods"), tables.text("why"), tables.names("examples")], uncertain),
        ],
    )


def _of_cause(cause: Mapping[str, Any], columns: Iterable[tables.Column]) -> tables.Row:
    """Return the row of a cause, with the cause itself for those who say it."""
    row = {column["key"]: cause[column["key"]] for column in columns} | {"message": message_in_words(cause["message"])}
    return {**row, "cause": cause["cause"]}


def brief(change: dict[str, object]) -> dict[str, object]:
    """Return a change without what nobody reads in a review: of manifests the names stay, of traces the numbers."""
    found = dict(change)
    manifest = change.get("manifest")
    if isinstance(manifest, dict):
        metadata = manifest.get("metadata") or {}
        names = {key: metadata[key] for key in ("namespace", "name") if key in metadata}
        found["manifest"] = {"kind": manifest.get("kind"), "metadata": names}
    if change.get("change") == "trace":
        found |= {key: len(rows) for key in ("pods", "nodes") if isinstance(rows := change.get(key), list)}
    return found


def about_of(change: dict[str, object]) -> str:
    """Name what a change is about, briefly: its scalar fields, and the name of its manifest."""
    # PostgreSQL keeps no order of keys.
    fields = sorted(change.items())
    parts = [f"{key} {value}" for key, value in fields if key != "change" and isinstance(value, str | int)]
    for key, value in fields:
        if isinstance(value, list) and value and all(isinstance(each, str) for each in value):
            parts.append(f"{key} {', '.join(value[:5])}{' …' if len(value) > 5 else ''}")
    manifest = change.get("manifest")
    if isinstance(manifest, dict):
        metadata = manifest.get("metadata") or {}
        parts.append(f"{manifest.get('kind')} {metadata.get('namespace') or 'default'}/{metadata.get('name')}")
    return ", ".join(parts)
