"""Reviews that releases before stored are read in the present form."""

from __future__ import annotations

from typing import Any

import pytest

from clusters.documents.reviews import REVIEW_VERSION, read_review
from clusters.models import Cluster, Report

TABLES = ("run_changes", "left_over_causes", "left_over", "stuck_nodes")
PLAN = {"batches": 1, "nodes": 2, "evictions": 1, "stuck": 2}
MADE = {"rule": "uncordon", "before": {"waiting": 2, "kept": 1}, "after": {"waiting": 0, "kept": 1}}


def section(key: str, facts: dict[str, Any], *tables: str) -> dict[str, Any]:
    return {"key": key, "facts": facts, "tables": [{"name": name, "columns": [], "rows": []} for name in tables]}


def stored(plan: dict[str, int] | None) -> dict[str, Any]:
    return {
        "schema": "berth-review",
        "version": 1,
        "title": "Spring",
        "sections": [
            section("run", {"id": 1, "left_over": 4}, *TABLES),
            section("pending", {"waiting": 3, "causes": 1, "recorded": None}),
            section("agreement", {"judged": 1, "waiting": 5}),
            section("maintenance", {"budgets": 2, "plan": plan}),
            section("recommendations", {"made": [MADE], "tried": 1}),
        ],
    }


@pytest.mark.django_db
def test_a_review_of_before_is_read_in_the_present_form() -> None:
    report = Report(cluster=Cluster.objects.create(name="prod"), title="Spring", order={})
    report.document = stored(PLAN)
    report.save()
    document = Report.objects.get(pk=report.pk).document

    assert document is not None
    assert (document["version"], document["title"]) == (REVIEW_VERSION, "Spring")
    assert read_review(document) is document
    run, pending, agreement, maintenance, recommendations = document["sections"]
    assert run["facts"] == {"id": 1, "pending": 4}
    assert [table["name"] for table in run["tables"]] == [
        "run_changes",
        "pending_causes",
        "pending_pods",
        "not_drained_nodes",
    ]
    assert pending["facts"] == {"pending": 3, "causes": 1, "recorded": None}
    # Decisions that are not judged yet.
    assert agreement["facts"] == {"judged": 1, "waiting": 5}
    assert maintenance["facts"]["plan"] == {"batches": 1, "nodes": 2, "evictions": 1, "not_drained": 2}
    assert recommendations["facts"]["made"] == [
        {"rule": "uncordon", "before": {"pending": 2, "kept": 1}, "after": {"pending": 0, "kept": 1}}
    ]


def test_causes_of_before_are_read() -> None:
    document = stored(None)
    document["sections"][1]["tables"] = [{"name": "causes", "columns": [], "rows": [{"kind": "not-judged", "pods": 2}]}]

    [table] = read_review(document)["sections"][1]["tables"]
    assert table["rows"] == [{"kind": "not-evaluated", "pods": 2}]


def test_a_review_that_planned_no_drains_has_no_plan() -> None:
    assert read_review(stored(None))["sections"][3]["facts"] == {"budgets": 2, "plan": None}
