"""How many pods a cluster has: counted once a revision, and never of an earlier one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from clusters.models import Cluster
from clusters.services.mirror.state import PodCounts, pod_counts
from tests.clusters.live_batches import apply, followed_cluster
from tests.support.decision_cluster import node, pod
from tests.support.mirrored import load

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.django_db


def in_namespace(namespace: str, name: str, **spec: Any) -> dict[str, Any]:
    document = pod(name, **spec)
    return {**document, "metadata": {**document["metadata"], "namespace": namespace, "uid": f"{namespace}-{name}"}}


def test_pods_are_counted_in_all_namespaces(tmp_path: Path) -> None:
    objects = [
        node("ash", "north"),
        in_namespace("web", "front", nodeName="ash"),
        in_namespace("web", "back"),
        in_namespace("batch", "job"),
        in_namespace("batch", "done", nodeName="ash", status={"phase": "Succeeded"}),
    ]

    assert pod_counts(load(tmp_path, "shop", objects)) == PodCounts(("batch", "web"), pods=4, pending=2)


def test_a_cluster_without_pods_has_no_namespaces(tmp_path: Path) -> None:
    assert pod_counts(load(tmp_path, "shop", [node("ash", "north")])) == PodCounts((), pods=0, pending=0)


def test_each_revision_is_counted_once() -> None:
    cluster, lease = followed_cluster()
    apply(lease, put=(node("ash", "north"), in_namespace("web", "front")))
    before = pod_counts(Cluster.objects.get(pk=cluster.pk))
    apply(lease, put=(in_namespace("web", "front", nodeName="ash"), in_namespace("batch", "job")))
    present = Cluster.objects.get(pk=cluster.pk)

    with CaptureQueriesContext(connection) as asked:
        after = pod_counts(present), pod_counts(present)

    assert before == PodCounts(("web",), pods=1, pending=1)
    assert after == (PodCounts(("batch", "web"), pods=2, pending=1),) * 2
    assert len(asked) == 1


def test_a_cluster_made_anew_is_another_one(tmp_path: Path) -> None:
    first = load(tmp_path, "shop", [in_namespace("web", "front")])
    counted = pod_counts(first)
    Cluster.objects.filter(pk=first.pk).delete()
    second = Cluster.objects.create(pk=first.pk, name="shop", revision=first.revision)

    assert counted.pods == 1
    assert pod_counts(second).pods == 0
