"""A pod's page says which ResourceClaims it has, which devices those have, and why others cannot be had."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client

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


def test_claims_are_listed_and_one_that_is_missing_keeps_the_pod_out_of_the_queue(page: str) -> None:
    assert "held (allocated: gpu.example.com/n0/gpu-0); wanted (not allocated); later (no ResourceClaim)" in page

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


# -- states ------------------------------------------------------------------------------------------------------------


PATH = ["Created", "SchedulingGated", "Ready to be scheduled", "Scheduled", "Running"]
REJECTED = {"phase": "Failed", "reason": "OutOfcpu", "message": "Pod was rejected: Node didn't have enough resource"}


@pytest.mark.parametrize(
    ("document", "path", "own"),
    [
        (pod(schedulingGates=[{"name": "example.com/foo"}]), PATH, "SchedulingGated"),
        (pod(), PATH, "Ready to be scheduled"),
        # Nothing decides for its scheduler here.
        (pod(schedulerName="volcano"), PATH, "Ready to be scheduled"),
        ({**pod(on="n1"), "status": {"phase": "Pending"}}, PATH, "Scheduled"),
        (pod(on="n1"), PATH, "Running"),
        ({**pod(on="n1"), "status": {"phase": "Succeeded"}}, [*PATH, "Succeeded"], "Succeeded"),
        ({**pod(on="n1"), "status": REJECTED}, [*PATH[:-1], "Failed"], "Failed"),
    ],
)
def test_the_page_of_a_pod_draws_its_states_and_marks_its_own(
    document: dict[str, Any], path: list[str], own: str, tmp_path: Path, signed_in_client: Client
) -> None:
    load(tmp_path, "shop", [node("n1"), document])

    html = signed_in_client.get("/clusters/shop/pods/shop/web/").text

    (drawn,) = re.findall(r'<ol class="pod-states".*?</ol>', html, re.DOTALL)
    items = re.findall(r"<li([^>]*)>([^<]+)</li>", drawn)
    assert [name for _, name in items] == path
    assert [name for attributes, name in items if 'aria-current="step"' in attributes] == [own]
    passed_by = [name for attributes, name in items if "Only with scheduling gates" in attributes]
    assert passed_by == ([] if own == "SchedulingGated" else ["SchedulingGated"])
