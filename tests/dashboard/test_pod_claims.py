"""A pod's page says which ResourceClaims it has, which devices those have, and why others cannot be had."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.clusters.dumps import node, pod
from tests.engine.device_builders import BROKEN, a_class, a_device, a_request, a_resource_claim, a_slice, claiming
from tests.support.mirrored import load

if TYPE_CHECKING:
    from pathlib import Path
    from typing import Any

    from django.test import Client

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


def in_shop(claim: dict[str, Any]) -> dict[str, Any]:
    return {**claim, "metadata": {**claim["metadata"], "namespace": "shop"}}


@pytest.fixture
def page(signed_in_client: Client, tmp_path: Path) -> str:
    claims = [
        a_resource_claim(a_request(), name="held", allocated=["gpu-0"]),
        a_resource_claim(a_request(count=2), name="wanted"),
    ]
    offered = a_slice(a_device(), a_device("gpu-1", taints=[BROKEN]), node="n1", pool="n0")
    claimed = claiming("held", "wanted", "absent")
    entries = [*claimed[:2], {"name": "later", "resourceClaimTemplateName": "gpu"}]
    load(
        tmp_path, "gpus", [node("n1"), a_class(), offered, *map(in_shop, claims), pod("train", resourceClaims=entries)]
    )
    return signed_in_client.get("/clusters/gpus/pods/shop/train/").content.decode()


def test_claims_are_listed_with_their_devices(page: str) -> None:
    assert "held (allocated: gpu.example.com/n0/gpu-0); wanted (not allocated); later (no ResourceClaim)" in page


def test_a_claim_that_is_not_created_yet_keeps_the_pod_out_of_the_queue(page: str) -> None:
    assert "ResourceClaim not created yet" in page
    assert "DynamicResources keeps the pod out of the queue." in page


def test_the_evidence_on_a_node_names_each_device_and_what_excludes_it(
    signed_in_client: Client, tmp_path: Path
) -> None:
    held = in_shop(a_resource_claim(a_request(), name="held", allocated=["gpu-0"]))
    wanted = in_shop(a_resource_claim(a_request(count=2), name="wanted"))
    devices = [a_device("gpu-0"), a_device("gpu-1", taints=[BROKEN]), a_device("gpu-2")]
    offered = a_slice(*devices, node="n1", pool="n0")
    waiting = pod("train", resourceClaims=claiming("wanted"))
    load(tmp_path, "gpus", [node("n1"), a_class(), offered, held, wanted, waiting])

    response = signed_in_client.get("/clusters/gpus/pods/shop/train/nodes/n1/")

    assert response.status_code == 200
    text = " ".join(response.content.decode().split())
    for said in ("gpu.example.com/n0/gpu-0", "shop/held", "health=broken:NoSchedule", "can be allocated"):
        assert said in text
