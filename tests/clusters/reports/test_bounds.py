"""What a review says where counting or trying ended at a bound: never that this is all."""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING

import pytest

from clusters.adapters.usage import UsageFound
from clusters.engine.simulation import play_losses
from clusters.engine.usage import PodUsage, UsedAmounts
from clusters.models import UsageHour
from clusters.services.reports import capacity_samples, subject
from clusters.services.reports.sections import history, losses, recommendations
from clusters.services.usage.keeping import keep_usage
from clusters.wording.reviews.sections import NOT_SOUGHT, WORST_SIMULATED_NODE
from dashboard.reports.markdown import markdown_of
from dashboard.reports.words import in_short
from tests.clusters.reports.review_cluster import NOW, node, pod, review_cluster, reviewed, rows, section
from tests.support.mirrored import load

if TYPE_CHECKING:
    from pathlib import Path

    from clusters.models import Cluster


@pytest.fixture
def harbour(tmp_path: Path) -> Cluster:
    return review_cluster(tmp_path)


@pytest.mark.django_db
def test_pods_that_are_counted_up_to_a_bound_are_at_least_as_many(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(losses, "MOST_PODS", 1)
    # Pods with a host port are placed one by one, one on a node.
    ports = {"containers": [{"name": "main", "ports": [{"hostPort": 80, "containerPort": 80}]}]}
    port = pod("shop", "port-0", "1", "1Gi", "n1", **ports)
    cluster = load(tmp_path, "ports", [*(node(f"n{number}", f"z{number}", "web") for number in range(1, 6)), port])
    shape = {"name": "port", "like": {"kind": "ReplicaSet", "namespace": "shop", "name": "port-1"}}

    found = reviewed(cluster, "headroom", shapes=[shape])

    (row,) = rows(found, "headroom", "shapes")
    assert (row["now"], row["is_capped"], row["after_node"], row["after_node_is_capped"]) == (1, True, 1, True)
    assert all(loss["is_capped"] for loss in rows(found, "headroom", "losses"))


@pytest.mark.django_db
def test_recommendations_that_are_not_sought_are_not_said_to_be_none(
    harbour: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recommendations, "MOST_PODS", 1)

    found = reviewed(harbour, "recommendations")

    assert section(found, "recommendations")["facts"]["tried"] == 0
    (finding,) = in_short(found)
    assert finding.text == NOT_SOUGHT(pods=1)


@pytest.mark.django_db
def test_a_namespace_that_a_sample_leaves_out_is_not_empty_there(
    harbour: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (capacity_samples, history):
        monkeypatch.setattr(module, "MOST_NAMESPACES", 1)
    end = NOW.replace(minute=0)
    last = capacity_samples.sample(cluster=harbour)
    assert last is not None
    last.at = end
    last.save()
    (largest,) = last.amounts["namespaces"]
    last.pk, last.at = None, end - timedelta(hours=1)
    last.amounts = {**last.amounts, "namespaces": {"former": [10, 10, 1]}}
    last.save(force_insert=True)

    found = reviewed(harbour, "trend", period={"from": "2026-03-19T12:00:00Z", "to": "2026-03-20T12:00:00Z"})

    by_name = {row["namespace"]: row for row in rows(found, "trend", "trend_namespaces")}
    assert by_name["former"]["cpu_last"] is None
    assert by_name[largest]["cpu_first"] is None
    markdown_of(found)


@pytest.mark.django_db
def test_a_namespace_whose_change_is_unknown_comes_after_those_that_changed(
    harbour: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (capacity_samples, history):
        monkeypatch.setattr(module, "MOST_NAMESPACES", 2)
    end = NOW.replace(minute=0)
    last = capacity_samples.sample(cluster=harbour)
    assert last is not None
    last.at = end
    last.amounts = {**last.amounts, "namespaces": {"came": [9_000, 10, 1], "stayed": [110, 10, 1]}}
    last.save()
    last.pk, last.at = None, end - timedelta(hours=1)
    last.amounts = {**last.amounts, "namespaces": {"went": [5_000, 10, 1], "stayed": [100, 10, 1]}}
    last.save(force_insert=True)

    found = reviewed(harbour, "trend", period={"from": "2026-03-19T12:00:00Z", "to": "2026-03-20T12:00:00Z"})

    assert [row["namespace"] for row in rows(found, "trend", "trend_namespaces")] == ["stayed", "came", "went"]


@pytest.mark.django_db
def test_the_worst_of_some_losses_is_not_the_worst_of_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subject, "play_losses", partial(play_losses, most_losses=1))
    nodes = [node(f"n{number}", "north", "web", cpu=f"{number + 1}") for number in range(1, 4)]
    cluster = load(tmp_path, "north", [*nodes, pod("shop", "web-1", "100m", "64Mi", "n1")])

    (finding,) = in_short(reviewed(cluster, "headroom", shapes=[{"name": "one", "cpu": "1"}]))

    assert finding.text.startswith(WORST_SIMULATED_NODE(nodes=1, name="n3"))


@pytest.mark.django_db
def test_nodes_that_are_not_tried_may_go_too(harbour: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subject, "MOST_PLACEMENTS", 0)
    usage = UsageFound()
    usage.add_pod(NOW, PodUsage("shop", "web-1", {"main": UsedAmounts(400, 2**25)}))
    keep_usage(cluster=harbour, found=usage, source=UsageHour.Source.METRICS)

    assert "at least 0 of 4, at least 0 now" in markdown_of(reviewed(harbour, "usage"))
