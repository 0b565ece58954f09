"""The pages of devices: pools, DeviceClasses, who holds what, and what keeps a claim from being allocated."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Any

import pytest

from clusters.wording import devices as devices_words
from tests.clusters.dumps import node, pod
from tests.engine.device_builders import (
    BROKEN,
    DRIVER,
    MODEL,
    a_class,
    a_device,
    a_request,
    a_resource_claim,
    a_slice,
    claiming,
)
from tests.support.mirrored import load, text

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client

    from clusters.models import Cluster

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


def in_shop(claim: dict[str, Any], *pods: str) -> dict[str, Any]:
    reserved = [{"resource": "pods", "name": name, "uid": f"pod-shop-{name}"} for name in pods]
    status = {**claim["status"], "reservedFor": reserved} if pods else claim["status"]
    return {**claim, "metadata": {**claim["metadata"], "namespace": "shop"}, "status": status}


def consuming(name: str, amount: str) -> dict[str, Any]:
    uses = [{"counterSet": "gpu", "counters": {"memory": {"value": amount}}}]
    return a_device(name, model="slice", consumesCounters=uses)


def objects() -> list[dict[str, Any]]:
    """Three pools, one of them incomplete; a claim with devices, one that waits and one that nobody uses."""
    devices = [a_device("gpu-0", model="a100", memory="40Gi"), a_device("gpu-1", model="t4", taints=[BROKEN])]
    devices.append(a_device("gpu-2", model="t4"))
    counters = [{"name": "gpu", "counters": {"memory": {"value": "8Gi"}}}]
    partitions = [consuming("part-0", "6Gi"), consuming("part-1", "6Gi")]
    held = a_resource_claim(a_request(), name="held", allocated=["gpu-0"])
    partition = a_resource_claim(a_request(), name="partition", allocated=["part-0"])
    partition["status"]["allocation"]["devices"]["results"][0]["pool"] = "n1"
    wanted = a_resource_claim(a_request("gpu", MODEL % "a100", count=2), name="wanted")
    unused = a_resource_claim(a_request(), name="unused")
    train = pod("train", on="n0", resourceClaims=claiming("held"))
    waiting = pod("waiting", resourceClaims=claiming("wanted"))
    return [
        node("n0"),
        node("n1"),
        a_class(),
        a_class(MODEL % "a100", name="big"),
        a_slice(*devices, node="n0"),
        a_slice(*partitions, node="n1", sharedCounters=counters),
        a_slice(
            a_device("net-0", model="net"),
            pool="fabric/a",
            name="fabric",
            held={"resourceSliceCount": 2},
            allNodes=True,
        ),
        in_shop(held, "train"),
        in_shop(partition, "gone"),
        in_shop(wanted),
        in_shop(unused),
        train,
        waiting,
    ]


@pytest.fixture
def gpus(tmp_path: Path) -> Cluster:
    return load(tmp_path, "gpus", objects())


@pytest.mark.usefixtures("gpus")
def test_pools_and_classes_say_what_is_left_of_them(signed_in_client: Client) -> None:
    said = text(signed_in_client, "/clusters/gpus/devices/")
    assert "Devices 6 Free 2 Held 2 Tainted 1 Counters used 1" in said
    assert f"{DRIVER} 3 2 6 2 free, 2 held, 1 tainted, 1 with counters used" in said
    assert "1 pool is incomplete or invalid" in said
    assert said.index("fabric/a") < said.index(f"{DRIVER}/ n0")
    assert "1 of 2 slices: requests with allocationMode All fail" in said
    assert "gpu/memory 6Gi of 8Gi 75 %" in said
    assert "gpu-0: held by shop/held" in said

    assert f"big {MODEL % 'a100'} 1 0 1 held" in said
    assert "gpu none: all devices 6 2 2 free" in said


@pytest.mark.usefixtures("gpus")
def test_filters_choose_pools_on_the_page_and_in_the_file(signed_in_client: Client) -> None:
    for query, pools in [
        ("q=n1", {"n1"}),
        ("q=part-1", {"n1"}),
        ("node=n1", {"n1", "fabric/a"}),
        ("node=absent", set()),
        ("state=unusual", {"fabric/a"}),
        ("state=none-free", {"n1"}),
        ("state=tainted", {"n0"}),
        ("state=counters", {"n1"}),
        (f"driver={DRIVER}&state=free", {"n0", "fabric/a"}),
        ("driver=other", {"n0", "n1", "fabric/a"}),
    ]:
        page = signed_in_client.get(f"/clusters/gpus/devices/?{query}")
        file = signed_in_client.get(f"/clusters/gpus/devices/devices.csv?{query}")
        assert {row.name for row in page.context["rows"]} == pools
        assert {row["pool"] for row in csv.DictReader(io.StringIO(file.text))} == pools


@pytest.mark.usefixtures("gpus")
def test_the_file_has_a_row_for_each_device(signed_in_client: Client) -> None:
    rows = list(csv.DictReader(io.StringIO(signed_in_client.get("/clusters/gpus/devices/devices.csv").text)))

    found = {row["device"]: row for row in rows}
    assert len(rows) == 6
    assert (found["gpu-0"]["state"], found["gpu-0"]["claim"], found["gpu-0"]["pods"]) == ("Held", "shop/held", "train")
    assert (found["gpu-1"]["taints"], found["part-1"]["lacks counter"]) == ("health=broken:NoSchedule", "gpu/memory")
    assert (found["net-0"]["nodes"], found["net-0"]["pool complete"]) == ("2", "no")


@pytest.mark.usefixtures("gpus")
def test_the_page_of_a_pool_leads_from_a_device_to_its_claim_and_pods(signed_in_client: Client) -> None:
    response = signed_in_client.get(f"/clusters/gpus/devices/pools/{DRIVER}/n0/")
    said = text(signed_in_client, f"/clusters/gpus/devices/pools/{DRIVER}/n0/")

    assert 'href="/clusters/gpus/devices/claims/shop/held/"' in response.text
    assert 'href="/clusters/gpus/pods/shop/train/"' in response.text
    assert 'href="/clusters/gpus/nodes/n0/"' in response.text
    assert "gpu-0 Held shop/held train – memory = 40Gi model = a100" in said
    assert "gpu-1 Tainted – – health=broken:NoSchedule model = t4" in said
    assert "takes 6Gi of the counter gpu/memory, of which 2Gi is left" in text(
        signed_in_client, f"/clusters/gpus/devices/pools/{DRIVER}/n1/"
    )
    # Names of pools may have slashes.
    assert "net-0 Free" in text(signed_in_client, f"/clusters/gpus/devices/pools/{DRIVER}/fabric/a/")
    assert signed_in_client.get(f"/clusters/gpus/devices/pools/{DRIVER}/absent/").status_code == 404


@pytest.mark.usefixtures("gpus")
def test_claims_are_listed_with_devices_and_pods_pending_ones_first(signed_in_client: Client) -> None:
    response = signed_in_client.get("/clusters/gpus/devices/claims/")
    said = text(signed_in_client, "/clusters/gpus/devices/claims/")

    assert [(row.name, row.state) for row in response.context["rows"]] == [
        ("unused", "pending"),
        ("wanted", "pending"),
        ("held", "allocated,reserved"),
        ("partition", "allocated,reserved"),
    ]
    assert f"shop/ held allocated,reserved gpu: 1 device of class gpu {DRIVER}/n0/gpu-0 train" in said
    assert f'href="/clusters/gpus/devices/pools/{DRIVER}/n0/"' in response.text


@pytest.mark.usefixtures("gpus")
def test_filters_choose_claims_on_the_page_and_in_the_file(signed_in_client: Client) -> None:
    for query, claims in [
        ("q=want", {"wanted"}),
        ("q=train", {"held"}),
        ("q=shop/h", {"held"}),
        ("state=pending", {"wanted", "unused"}),
        # Which namespace was asked for is remembered, so these come last.
        ("namespace=shop&state=allocated,reserved", {"held", "partition"}),
        ("namespace=other", set()),
    ]:
        page = signed_in_client.get(f"/clusters/gpus/devices/claims/?{query}")
        file = signed_in_client.get(f"/clusters/gpus/devices/claims.csv?{query}")
        assert {row.name for row in page.context["rows"]} == claims
        assert {row["claim"] for row in csv.DictReader(io.StringIO(file.text))} == claims


@pytest.mark.usefixtures("gpus")
def test_a_claim_says_why_it_is_pending_or_who_has_reserved_it(signed_in_client: Client) -> None:
    said = text(signed_in_client, "/clusters/gpus/devices/claims/shop/wanted/")
    assert "Pending: devices for all its requests are on 0 of 2 nodes." in said
    assert "gpu: 2 devices of class gpu" in said
    # The two that are held are not asked for anything else.
    assert "0 of 6 devices can be allocated not selected by" in said
    assert "held by claims: 2" in said
    assert "waiting Pending – not reserved" in said

    said = text(signed_in_client, "/clusters/gpus/devices/claims/shop/unused/")
    assert "Pending: devices for all its requests are on 2 of 2 nodes." in said
    assert "No pod uses it" in said

    held = text(signed_in_client, "/clusters/gpus/devices/claims/shop/held/")
    partition = text(signed_in_client, "/clusters/gpus/devices/claims/shop/partition/")
    assert "Allocated, and reserved for 1 pod." in held
    assert "train Running n0 reserved" in held
    assert "gone – – reserved; no such pod" in partition
    assert signed_in_client.get("/clusters/gpus/devices/claims/shop/absent/").status_code == 404


def test_a_claim_says_in_the_schedulers_words_what_is_wrong_with_it(tmp_path: Path, signed_in_client: Client) -> None:
    whole = a_resource_claim(a_request(allocationMode="All"), name="whole")
    other = a_resource_claim(a_request(deviceClassName="none"), name="other")
    missing = a_resource_claim(a_request(), name="missing", allocated=["absent"])
    deleted = a_resource_claim(a_request(), name="deleted", deletionTimestamp="2025-01-01T00:00:00Z")
    shared = a_slice(a_device(), node="n0", held={"resourceSliceCount": 2})
    claims = [in_shop(each) for each in (whole, other, missing, deleted)]
    load(tmp_path, "gpus", [node("n0"), a_class(), shared, *claims])

    def said(claim: str) -> str:
        return text(signed_in_client, f"/clusters/gpus/devices/claims/shop/{claim}/")

    assert "The search for devices fails on 1 of 1 node".lower() in said("whole").lower()
    assert f"but resource pool {DRIVER}/n0 is currently being updated" in said("whole")
    assert "request gpu: device class none does not exist" in said("other")
    assert f"{DRIVER}/n0/absent (no ResourceSlice offers it now)" in said("missing")
    assert "Allocated, and reserved for 0 pods" in said("missing")
    assert "Being deleted" in said("deleted")


def test_a_dump_without_devices_says_which_kinds_are_missing_and_how_to_get_them(
    tmp_path: Path, signed_in_client: Client
) -> None:
    load(tmp_path, "plain", [node("n0")])

    said = text(signed_in_client, "/clusters/plain/devices/")

    assert "No objects of these kinds: ResourceSlice, DeviceClass and ResourceClaim." in said
    assert "for kind in resourceslices resourceclaims resourceclaimtemplates deviceclasses devicetaintrules; do" in said
    assert "No resource claims here" in text(signed_in_client, "/clusters/plain/devices/claims/")


def test_a_large_cluster_is_listed_page_by_page(tmp_path: Path, signed_in_client: Client) -> None:
    nodes = [f"n{number:04}" for number in range(60)]
    slices = [a_slice(*(a_device(f"gpu-{place}") for place in range(8)), node=name) for name in nodes]
    load(tmp_path, "large", [*map(node, nodes), a_class(), *slices])

    first = signed_in_client.get("/clusters/large/devices/")
    last = signed_in_client.get("/clusters/large/devices/?page=3")

    assert [row.name for row in first.context["rows"]] == nodes[:20]
    assert [row.name for row in last.context["rows"]] == nodes[-20:]
    assert len(first.content) < 60 * 1024


def test_a_pool_says_which_devices_a_feature_treats_otherwise(tmp_path: Path, signed_in_client: Client) -> None:
    devices = [a_device("gpu-0", allowMultipleAllocations=True), a_device("gpu-1", bindingConditions=["ready"])]
    load(tmp_path, "gpus", [node("n0"), a_class(), a_slice(*devices, node="n0")])

    said = text(signed_in_client, f"/clusters/gpus/devices/pools/{DRIVER}/n0/")

    assert devices_words.SHARED(devices=1, minor="1.34") in said
    assert devices_words.CONDITIONAL(devices=1, minor="1.34") in said


def test_a_shared_device_says_who_shares_it_and_what_is_consumed(tmp_path: Path, signed_in_client: Client) -> None:
    claim = a_resource_claim(a_request(), name="part", allocated=["gpu-0"])
    share = {"shareID": "1b2c", "consumedCapacity": {"memory": "10Gi"}}
    claim["status"]["allocation"]["devices"]["results"][0] |= share
    of_1_36 = {**node("n0"), "status": {**node("n0")["status"], "nodeInfo": {"kubeletVersion": "v1.36.3"}}}
    device = a_device("gpu-0", memory="40Gi", allowMultipleAllocations=True)
    load(tmp_path, "gpus", [of_1_36, a_class(), a_slice(device, node="n0"), in_shop(claim)])

    said = text(signed_in_client, f"/clusters/gpus/devices/pools/{DRIVER}/n0/")

    assert "shared by shop/part" in said
    assert "10Gi of 40Gi memory consumed" in said
    assert "allows multiple allocations" not in said
    assert "1 shared" in text(signed_in_client, "/clusters/gpus/devices/")
