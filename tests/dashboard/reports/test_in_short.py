"""What a review says first, and what it leaves out."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from clusters.models import KubeObject
from clusters.services import reports, runs
from clusters.services.runs.starting import stored_run
from dashboard.reports.blocks import Findings, Table
from dashboard.reports.layout import blocks_of
from dashboard.reports.markdown import markdown_of
from tests.clusters.reports.review_cluster import review_cluster
from tests.dashboard.reports.documents import a_document

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.django_db
def test_a_simulation_s_review_has_its_changes_in_words_and_a_row_a_cause(tmp_path: Path) -> None:
    cluster = review_cluster(tmp_path)
    # It would refuse the pods, which are to be pending here.
    KubeObject.objects.filter(cluster=cluster, kind="ResourceQuota").delete()
    cluster.refresh_from_db()
    more = {"change": "scale", "kind": "ReplicaSet", "namespace": "shop", "name": "web-1", "by": 30}
    spec = runs.read_spec({"version": 1, "base": {"kind": "cluster"}, "changes": [more]})
    run = stored_run(cluster=cluster, spec=spec, title="More", user=None)
    runs.work(run.pk)
    report = reports.stored_report(order={"run": run.pk, "sections": ["run", "pending"]}, user=None)
    reports.write(report.pk)
    report.refresh_from_db()

    assert report.document is not None
    text = markdown_of(report.document)
    facts = report.document["sections"][0]["facts"]
    left, newly, still = facts["pending"], facts["newly_pending"], facts["still_pending"]
    assert newly > 3
    assert newly + still == left
    (first,) = re.findall(r"^- \d+ pods placed.*", text, re.MULTILINE)
    assert f" {newly} newly pending. {still} still pending. Main cause: insufficient CPU (" in first
    assert first.endswith("[Simulation](#simulation)")
    assert "| 1 | Add 30 replicas to ReplicaSet shop/web-1 |" in text
    table = next(each for each in blocks_of(report.document) if getattr(each, "name", "") == "pending_causes")
    assert isinstance(table, Table)
    assert sum(int(row[0]) for row in table.rows) == left > len(table.rows)
    assert table.rows[0][1] == "insufficient CPU", "in words, as the simulation's page says it"


@pytest.mark.django_db
def test_pods_that_a_quota_refuses_are_counted_by_themselves(tmp_path: Path) -> None:
    cluster = review_cluster(tmp_path)
    cluster.refresh_from_db()
    more = {"change": "scale", "kind": "ReplicaSet", "namespace": "shop", "name": "web-1", "by": 30}
    spec = runs.read_spec({"version": 1, "base": {"kind": "cluster"}, "changes": [more]})
    run = stored_run(cluster=cluster, spec=spec, title="More", user=None)
    runs.work(run.pk)
    report = reports.stored_report(order={"run": run.pk, "sections": ["run"]}, user=None)
    reports.write(report.pk)
    report.refresh_from_db()

    assert report.document is not None
    facts = report.document["sections"][0]["facts"]
    assert facts["forbidden"] == 29, "the first fits what is left of the quota"
    assert "0 newly pending. 29 not created." in markdown_of(report.document)


def test_the_worst_loss_is_said_and_rows_that_say_nothing_are_left_out() -> None:
    document = a_document()
    loss = {
        "shape": "small",
        "lost": "zone",
        "name": "b",
        "fits": 7,
        "displaced": 9,
        "newly_pending": 4,
        "is_capped": False,
    }
    (headroom,) = (section for section in document["sections"] if section["key"] == "headroom")
    headroom["tables"].append(
        {"name": "losses", "columns": [], "rows": [loss, {**loss, "name": "a", "newly_pending": 0}]}
    )
    heads = [{"key": "domain", "kind": "name"}, {"key": "excess", "kind": "number"}]
    rows = [{"domain": "full", "excess": 1}, {"domain": "fine", "excess": 0}]
    idle = [{"key": "resource", "kind": "name"}, {"key": "requested", "kind": "amount"}]
    tables = [
        {"name": "domains", "columns": heads, "rows": rows},
        {"name": "zones_other", "columns": idle, "rows": [{"resource": "x.io/y", "unit": "count", "requested": 0}]},
    ]
    document["sections"].append(
        {"key": "spread", "facts": {"groups": 0, "violated": 0, "blocking": 0, "unreadable": 0}, "tables": tables}
    )

    blocks = blocks_of(document)
    findings = next(block for block in blocks if isinstance(block, Findings))
    said = {finding.anchor: finding.text for finding in findings.items}
    assert said["section-headroom"].startswith(
        "If zone b is lost, 9 pods are recreated. 4 newly pending. Then 7 more of shape small fit, "
    )
    assert said["section-maintenance"].startswith("Budgets and controllers allow the drain of 14 of 20 nodes.")
    shown = {block.name: block.rows for block in blocks if isinstance(block, Table)}
    assert shown["domains"] == (("full", "1"),)
    assert "zones_other" not in shown
