"""Which pods a taint NoExecute of a device evicts, on the pages of the pod, of its node and of its claim."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from dashboard.views import devices as resource_claims
from tests.clusters.dumps import node, pod
from tests.dashboard.test_devices import in_shop
from tests.engine.device_builders import DRIVER, a_class, a_device, a_request, a_resource_claim, a_slice, claiming
from tests.support.mirrored import load, text

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


UNHEALTHY = {"key": "health", "value": "broken", "effect": "NoExecute", "timeAdded": "2025-01-01T00:00:00Z"}


def tainted(*tolerations: dict[str, Any], requested: bool = False) -> list[dict[str, Any]]:
    """A pod on a node with a device that has a taint NoExecute, which its allocation tolerates so."""
    wanted = a_request(tolerations=[{"operator": "Exists"}] if requested else [])
    held = a_resource_claim(wanted, name="held", allocated=["gpu-0"])
    held["status"]["allocation"]["devices"]["results"][0]["tolerations"] = list(tolerations)
    offered = a_slice(a_device(taints=[UNHEALTHY]), a_device("gpu-1"), node="n0")
    train = pod("train", on="n0", resourceClaims=claiming("held"))
    return [node("n0"), node("n1"), a_class(), offered, in_shop(held, "train"), train, pod("web", on="n0")]


PLACES = ("pods/shop/train/?at=now", "nodes/n0/", "devices/claims/shop/held/")


def test_pods_whose_device_has_a_taint_that_evicts_are_told_of(tmp_path: Path, signed_in_client: Client) -> None:
    load(tmp_path, "gpus", tainted())

    for place in PLACES:
        said = text(signed_in_client, f"/clusters/gpus/{place}")
        assert (
            "Deleted at once. The allocation does not tolerate the taint health=broken:NoExecute of "
            f"{DRIVER}/n0/gpu-0 (claim shop/held)." in said
        )
        assert "the feature gate DRADeviceTaints on" in said
        assert "does not copy tolerations" not in said


def test_a_pod_whose_allocation_tolerates_the_taint_for_a_while_is_deleted_then(
    tmp_path: Path, signed_in_client: Client
) -> None:
    load(tmp_path, "gpus", tainted({"operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 3600}))

    said = text(signed_in_client, "/clusters/gpus/nodes/n0/")

    assert "Deleted at 2025-01-01T01:00:00Z. The allocation tolerates the taint" in said
    assert "for 3 600 s." in said


def test_a_toleration_that_only_the_request_has_is_said_to_be_in_vain(tmp_path: Path, signed_in_client: Client) -> None:
    load(tmp_path, "gpus", tainted(requested=True))

    said = text(signed_in_client, "/clusters/gpus/pods/shop/train/?at=now")

    assert "does not copy tolerations" in said


def test_a_taint_that_is_tolerated_evicts_nobody(tmp_path: Path, signed_in_client: Client) -> None:
    load(tmp_path, "gpus", tainted({"operator": "Exists", "effect": "NoExecute"}))

    for place in PLACES:
        assert "Evicted for a device taint" not in text(signed_in_client, f"/clusters/gpus/{place}")


def test_a_moment_that_the_calendar_does_not_have_never_comes(
    tmp_path: Path, signed_in_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(UNHEALTHY, "timeAdded", "9999-12-31T23:59:59Z")
    load(tmp_path, "gpus", tainted({"operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 3600}))

    for place in PLACES:
        assert "Evicted for a device taint" not in text(signed_in_client, f"/clusters/gpus/{place}")


def test_pods_beyond_those_that_a_claim_lists_are_counted_and_evicted_too(
    tmp_path: Path, signed_in_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(resource_claims, "MOST_PODS", 1)
    objects = tainted()
    objects.append(pod("also", on="n0", resourceClaims=claiming("held")))
    load(tmp_path, "gpus", objects)

    said = text(signed_in_client, "/clusters/gpus/devices/claims/shop/held/")

    # The pod that has reserved the claim is the second by name.
    assert "no such pod" not in said
    assert "also Running n0 not reserved" in said
    assert "and 1 more" in said
    assert "Deleted at once. " in said
