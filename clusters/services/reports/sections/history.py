"""What happened: in the simulation, over the period, to pending pods; how often Berth agreed with the scheduler."""

from __future__ import annotations

from collections import defaultdict
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from django.db.models import Count

from clusters.documents.explanation import cause_document
from clusters.documents.words import message_in_words, sentence_of_uncertainty
from clusters.engine.objects import key_of, metadata
from clusters.engine.resources import CPU, MEMORY, PODS
from clusters.engine.status import read_refusal
from clusters.models import Cluster, Decision
from clusters.services.journal.timeline import COUNTED_KINDS, Rate, Tally
from clusters.services.pending.pods import findings_of
from clusters.services.reports import subject as tables
from clusters.services.reports.capacity_samples import MOST_NAMESPACES, samples_between
from clusters.services.runs.results import PENDING, pending_after, uncertain_groups

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from clusters.engine.analysis import Cause
    from clusters.models import SimulationRun
    from clusters.services.reports.subject import Row, Subject


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


# So many points are drawn and listed; what changed is computed from all samples.
MOST_POINTS = 400
_USUAL = (CPU, MEMORY, PODS)
_WEEK = timedelta(weeks=1)
# A growth that fills the cluster later than this is no forecast.
_FARTHEST = timedelta(days=730)


def trend(subject: Subject, start: datetime, end: datetime) -> Row:
    """Samples over the period, thinned out evenly, and what changed from the first to the last."""
    samples = samples_between(subject.cluster, start, end)
    step = -(-len(samples) // MOST_POINTS) or 1
    # Counted from the last one, which is what the review is about.
    points = samples[::-1][::step][::-1]
    amounts = [each for _, each in points]
    facts = {
        "taken": len(samples),
        "times": [tables.moment(at) for at, _ in points],
        "series": {
            resource: {
                "requested": [each["resources"].get(resource, (0, 0))[0] for each in amounts],
                "allocatable": [each["resources"].get(resource, (0, 0))[1] for each in amounts],
            }
            for resource in _USUAL
        },
        "nodes": [each["nodes"] for each in amounts],
        "pending": [each["pending"] for each in amounts],
    }
    found = []
    if len(samples) > 1:
        found = [
            _changes(samples),
            _places("trend_zones", "zone", samples),
            _places("trend_namespaces", "namespace", samples),
        ]
    return tables.section("trend", facts, [*found, _listed(points)])


def _changes(samples: Sequence[tuple[datetime, dict[str, Any]]]) -> Row:
    (first_at, first), (last_at, last) = samples[0], samples[-1]
    rows = []
    for resource in tables.in_order({*first["resources"], *last["resources"]}):
        before, after = first["resources"].get(resource, (0, 0)), last["resources"].get(resource, (0, 0))
        growth = after[0] - before[0]
        rows.append(
            {
                "resource": resource,
                "unit": tables.unit_of(resource),
                "requested_first": before[0],
                "requested_last": after[0],
                "a_week": round(growth * (_WEEK / (last_at - first_at))),
                "allocatable_first": before[1],
                "allocatable_last": after[1],
                "full_at": _full_at(last_at, last_at - first_at, growth, after[1] - after[0]),
            }
        )
    keys = ("requested_first", "requested_last", "a_week", "allocatable_first", "allocatable_last")
    columns = [tables.name("resource"), tables.text("unit"), *({"key": key, "kind": "amount"} for key in keys)]
    return tables.table("changes", [*columns, tables.time("full_at")], rows)


def _full_at(now: datetime, period: timedelta, growth: int, left: int) -> str | None:
    """When what is left is requested, if that grows on as over the period; None of what lies too far away."""
    # A few bytes more of many terabytes are more days than a time can have: compared before there is a time.
    if growth <= 0 or left <= 0 or left / growth >= _FARTHEST / period:
        return None
    return tables.moment(now + period * (left / growth))


def _places(table: str, key: str, samples: Sequence[tuple[datetime, dict[str, Any]]]) -> Row:
    """What is requested in each zone or namespace at first and at last, what changed most first.

    Of a namespace that is not among the largest ones of a sample nothing is known; it comes last.
    """
    first, last = (_requested(sample[f"{key}s"]) for _, sample in (samples[0], samples[-1]))
    unknown = [
        (None if key == "namespace" and len(each) >= MOST_NAMESPACES else 0,) * len(_USUAL) for each in (first, last)
    ]
    rows = []
    for name in {**first, **last}:
        before, after = first.get(name, unknown[0]), last.get(name, unknown[1])
        row: Row = {key: name}
        for resource, old, new in zip(_USUAL, before, after, strict=True):
            row[f"{resource}_first"], row[f"{resource}_last"] = old, new
        rows.append(row)
    rows.sort(key=lambda row: (*_by_change(row["cpu_first"], row["cpu_last"]), row[key]))
    columns = [tables.name(key)]
    columns += [tables.resource(resource, measure) for resource in _USUAL for measure in ("first", "last")]
    return tables.table(table, columns, rows)


def _by_change(first: int | None, last: int | None) -> tuple[bool, int]:
    return (True, 0) if first is None or last is None else (False, -abs(last - first))


def _requested(places: dict[str, Any]) -> dict[str, tuple[int, ...]]:
    return {
        name: tuple(each[resource][0] for resource in _USUAL) if isinstance(each, dict) else tuple(each)
        for name, each in places.items()
    }


def _listed(points: Sequence[tuple[datetime, dict[str, Any]]]) -> Row:
    columns = [tables.time("at"), *map(tables.number, ("nodes", "pods", "pending"))]
    columns += [
        tables.resource(resource, measure) for resource in (CPU, MEMORY) for measure in ("requested", "allocatable")
    ]
    rows = []
    for at, each in points:
        row = {"at": tables.moment(at), **{key: each[key] for key in ("nodes", "pods", "pending")}}
        for resource in (CPU, MEMORY):
            row[f"{resource}_requested"], row[f"{resource}_allocatable"] = each["resources"].get(resource, (0, 0))
        rows.append(row)
    return tables.table("samples", columns, rows)


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


_WINDOW = "period"
_COUNTS = ("judged", "agreeing", "sampled", "disagrees", "waiting", "unjudged")


def agreement(cluster: Cluster, start: datetime, end: datetime) -> Row:
    """Decisions of the period by how they were judged, in all and by kind."""
    rows = (
        Decision.objects.filter(cluster=cluster, heard_at__gte=start, heard_at__lte=end)
        .order_by()
        .values_list("kind", "verdict", "reason", "basis_state")
        .annotate(number=Count("pk"))
    )
    tallies = [
        Tally(cluster.pk, kind, verdict, reason, state == "nearby", {_WINDOW: number})
        for kind, verdict, reason, state, number in rows
    ]
    whole = _rate(tallies)
    kinds = [(kind, _rate([each for each in tallies if each.kind == kind])) for kind in COUNTED_KINDS]
    found = [
        {"kind": str(kind), **_counts(rate), "share": tables.ratio(rate.agreeing, rate.judged)}
        for kind, rate in kinds
        if rate.judged or rate.waiting or rate.unjudged
    ]
    disagreements = [
        {"reason": reason, "decisions": number}
        for reason, number in sorted(whole.disagreements.items(), key=lambda item: (-item[1], item[0]))
    ]
    columns = [tables.text("kind"), *map(tables.number, _COUNTS), {"key": "share", "kind": "share"}]
    return tables.section(
        "agreement",
        {**_counts(whole), "share": tables.ratio(whole.agreeing, whole.judged)},
        [
            tables.table("agreement", columns, found),
            tables.table("disagreements", [tables.text("reason"), tables.number("decisions")], disagreements),
        ],
    )


def _rate(tallies: list[Tally]) -> Rate:
    rate = Rate()
    for tally in tallies:
        rate.add(tally, tally.numbers[_WINDOW])
    return rate


def _counts(rate: Rate) -> dict[str, int]:
    return {name: getattr(rate, name) for name in _COUNTS}
