"""What a what-if offers without YAML."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.decision_cluster import ingested, node, pod

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


def test_to_tolerate_what_a_node_says_of_itself_is_not_offered(signed_in_client: Client, tmp_path: Path) -> None:
    tainted = {
        "cordoned": {"key": "node.kubernetes.io/unschedulable", "effect": "NoSchedule"},
        "dead": {"key": "node.kubernetes.io/unreachable", "effect": "NoSchedule"},
        "kept": {"key": "dedicated", "value": "batch", "effect": "NoSchedule"},
    }
    nodes = [{**node(name, "north"), "spec": {"taints": [taint]}} for name, taint in tainted.items()]
    nodes[0]["spec"]["unschedulable"] = True
    ingested(tmp_path, [*nodes, pod("waiting")])

    labels = [
        label for _, label, _ in signed_in_client.get("/clusters/shop/pods/shop/waiting/what-if/").context["helpful"]
    ]

    assert labels == ["Tolerate dedicated=batch:NoSchedule"]
