"""A review of a simulation counts what nodes have in all, as one of the cluster does."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from clusters.services import reports, runs
from clusters.services.runs.starting import stored_run
from tests.clusters.dumps import node
from tests.clusters.reports.review_cluster import section
from tests.support.mirrored import load

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.django_db


def test_review_of_a_run_counts_what_nodes_keep_for_the_system(tmp_path: Path) -> None:
    reserving = node("n1")
    reserving["status"] = {**reserving["status"], "capacity": {"cpu": "5", "memory": "10Gi", "pods": "110"}}
    cluster = load(tmp_path, "reserving", [reserving])
    more = {"change": "add-nodes", "count": 2, "like": "n1"}
    spec = runs.read_spec({"version": 1, "base": {"kind": "cluster"}, "changes": [more]})
    run = stored_run(cluster=cluster, spec=spec, title="Two more", user=None)
    runs.work(run.pk)
    report = reports.stored_report(order={"run": run.pk}, user=None)

    reports.write(report.pk)

    report.refresh_from_db()
    assert report.document is not None
    cpu = section(report.document, "utilisation")["facts"]["resources"]["cpu"]
    assert (cpu["capacity"], cpu["allocatable"]) == (15_000, 12_000)
