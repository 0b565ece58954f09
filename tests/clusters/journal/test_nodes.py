"""What becomes of a followed cluster's nodes is kept in its journal."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.utils import timezone

from clusters.models import NodeChange
from clusters.services.journal.writing import prune
from tests.clusters.live_batches import apply, followed_cluster, list_kind

if TYPE_CHECKING:
    from clusters.services.watching.watcher import Lease

pytestmark = pytest.mark.django_db


@pytest.fixture
def lease() -> Lease:
    return followed_cluster()[1]


def node(name: str = "n", *, ready: str = "True", pressure: str = "False", **spec: Any) -> dict[str, Any]:
    conditions = [{"type": "Ready", "status": ready}, {"type": "MemoryPressure", "status": pressure}]
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "uid": f"uid-{name}", "labels": {}},
        "spec": spec,
        "status": {"allocatable": {"cpu": "4", "memory": "8Gi", "pods": "10"}, "conditions": conditions},
    }


def told() -> list[tuple[str, str, str]]:
    return list(NodeChange.objects.order_by("pk").values_list("node_name", "kind", "condition"))


def test_every_change_that_decides_which_pods_a_node_takes_is_kept(lease: Lease) -> None:
    apply(lease, put=(node(),))
    apply(lease, put=(node(unschedulable=True),))
    apply(lease, put=(node(ready="Unknown", pressure="True"),))
    apply(lease, put=(node(),))
    apply(lease, gone=(node(),))

    assert told() == [
        ("n", "added", ""),
        ("n", "cordoned", ""),
        ("n", "uncordoned", ""),
        ("n", "not-ready", ""),
        ("n", "pressure", "MemoryPressure"),
        ("n", "ready", ""),
        ("n", "relieved", "MemoryPressure"),
        ("n", "removed", ""),
    ]


def test_other_changes_and_lists_tell_nothing(lease: Lease) -> None:
    list_kind(lease, "Node", node("listed"))
    changed = node("listed")
    changed["metadata"]["labels"] = {"pool": "green"}
    apply(lease, put=(changed,))
    apply(lease, gone=(node("never-heard-of"),))

    assert told() == []


def test_old_changes_go_with_the_decisions(lease: Lease) -> None:
    apply(lease, put=(node("old"), node("new")))
    NodeChange.objects.filter(node_name="old").update(heard_at=timezone.now() - timedelta(days=9))

    prune(keep=timedelta(days=2))

    assert told() == [("new", "added", "")]
