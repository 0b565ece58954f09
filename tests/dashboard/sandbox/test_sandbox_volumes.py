"""Volumes and devices in the sandbox: what their plugins say of nodes is said in the learner's language."""

from __future__ import annotations

from html import unescape
from typing import TYPE_CHECKING, Any, Final

import pytest
import yaml
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils.translation import override

from clusters.engine.plugins.dynamic_resources import NoDevices
from clusters.engine.plugins.node_volume_limits import VolumeLimitReached
from clusters.engine.plugins.volume_binding import NoVolume, VolumeElsewhere
from clusters.engine.plugins.volume_restrictions import DiskTaken
from clusters.engine.plugins.volume_zone import OtherZone
from clusters.wording.plugins.reasons import reason_phrases
from tests.dashboard.sandbox.test_sandbox import HERE
from tests.support.untranslated import readable, untranslated

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.test import Client

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

ZONE: Final = "topology.kubernetes.io/zone"
DRIVER: Final = "disks.example"


def node(name: str, zone: str) -> dict[str, Any]:
    labels = {ZONE: zone, "kubernetes.io/hostname": name}
    capacity = {"cpu": "8", "memory": "16Gi", "pods": "110"}
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "labels": labels},
        "status": {"capacity": capacity},
    }


def pod(name: str, **spec: Any) -> dict[str, Any]:
    requests = {"cpu": "1", **spec.pop("requests", {})}
    resources = {"requests": requests, "limits": {key: value for key, value in requests.items() if "/" in key}}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, "namespace": "shop"},
        "spec": {"containers": [{"name": "main", "image": "main:1", "resources": resources}], **spec},
    }


def using(claim: str, name: str = "", **spec: Any) -> dict[str, Any]:
    volumes = [{"name": claim, "persistentVolumeClaim": {"claimName": claim}}]
    return pod(name or f"uses-{claim}", volumes=volumes, **spec)


def claim(name: str, volume: str = "", *, storage_class: str = "", **spec: Any) -> dict[str, Any]:
    annotations = {"pv.kubernetes.io/bind-completed": "yes"} if volume else {}
    size = {"requests": {"storage": "5Gi"}}
    given = {"accessModes": ["ReadWriteOnce"], "resources": size, "storageClassName": storage_class, **spec}
    return {
        "apiVersion": "v1",
        "kind": "PersistentVolumeClaim",
        "metadata": {"name": name, "namespace": "shop", "annotations": annotations},
        "spec": {**given, **({"volumeName": volume} if volume else {})},
        "status": {"phase": "Bound" if volume else "Pending"},
    }


def volume(name: str, bound_to: str, labels: Mapping[str, str] | None = None, **spec: Any) -> dict[str, Any]:
    return {
        "apiVersion": "v1",
        "kind": "PersistentVolume",
        "metadata": {"name": name, "labels": dict(labels or {})},
        "spec": {
            "capacity": {"storage": "10Gi"},
            "accessModes": ["ReadWriteOnce"],
            "csi": {"driver": DRIVER, "volumeHandle": name},
            "claimRef": {"kind": "PersistentVolumeClaim", "namespace": "shop", "name": bound_to},
            **spec,
        },
        "status": {"phase": "Bound"},
    }


def storage_class(name: str, provisioner: str, mode: str = "WaitForFirstConsumer", **more: Any) -> dict[str, Any]:
    kind = {"apiVersion": "storage.k8s.io/v1", "kind": "StorageClass", "metadata": {"name": name}}
    return {**kind, "provisioner": provisioner, "volumeBindingMode": mode, **more}


def on_zone(zone: str) -> dict[str, Any]:
    term = {"matchExpressions": [{"key": ZONE, "operator": "In", "values": [zone]}]}
    return {"nodeAffinity": {"required": {"nodeSelectorTerms": [term]}}}


def csi_node(name: str, most: int) -> dict[str, Any]:
    return {
        "apiVersion": "storage.k8s.io/v1",
        "kind": "CSINode",
        "metadata": {"name": name},
        "spec": {"drivers": [{"name": DRIVER, "nodeID": name, "allocatable": {"count": most}}]},
    }


DISK: Final = {"gcePersistentDisk": {"pdName": "archive"}, "name": "archive"}
ASKED: Final[dict[str, dict[str, Any]]] = {
    "two": {"count": 2},
    "every": {"allocationMode": "All"},
    "blue": {"selectors": [{"cel": {"expression": f'device.attributes["{DRIVER}"].color == "blue"'}}]},
}
DEVICES: Final = [
    {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "DeviceClass",
        "metadata": {"name": "camera"},
        "spec": {"selectors": [{"cel": {"expression": f'device.driver == "{DRIVER}"'}}]},
    },
    {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceSlice",
        "metadata": {"name": "cameras"},
        "spec": {
            "driver": DRIVER,
            "nodeName": "ash",
            "pool": {"name": "ash", "generation": 1, "resourceSliceCount": 1},
            "devices": [
                {"name": "east", "attributes": {"color": {"string": "mono"}}},
                {"name": "west", "taints": [{"key": "broken", "effect": "NoSchedule"}]},
            ],
        },
    },
    *(
        {
            "apiVersion": "resource.k8s.io/v1",
            "kind": "ResourceClaim",
            "metadata": {"name": name, "namespace": "shop"},
            "spec": {"devices": {"requests": [{"name": "one", "exactly": {"deviceClassName": "camera", **asked}}]}},
        }
        for name, asked in ASKED.items()
    ),
]
PENDING: Final = [
    *(
        using(name)
        for name in ("far", "zoned", "lost", "provisioned", "nowhere", "small", "alone", "limited", "absent")
    ),
    pod("uses-disk", volumes=[DISK]),
    *(
        pod(f"claims-{name}", resourceClaims=[{"name": "own", "resourceClaimName": name}])
        for name in ("two", "every", "blue", "missing")
    ),
    pod("extended", requests={"lab.example/sequencer": "1"}),
]
CLUSTER: Final = [
    node("ash", "north"),
    node("elm", "south"),
    csi_node("ash", 1),
    storage_class("wait", DRIVER, allowedTopologies=[{"matchLabelExpressions": [{"key": ZONE, "values": ["west"]}]}]),
    storage_class("none", "kubernetes.io/no-provisioner"),
    storage_class("tracked", "tracked.example"),
    {
        "apiVersion": "storage.k8s.io/v1",
        "kind": "CSIDriver",
        "metadata": {"name": "tracked.example"},
        "spec": {"storageCapacity": True},
    },
    claim("far", "far"),
    volume("far", "far", **on_zone("west")),
    claim("zoned", "zoned"),
    volume("zoned", "zoned", {ZONE: "west"}),
    claim("lost", "gone"),
    claim("provisioned", storage_class="wait"),
    claim("nowhere", storage_class="none"),
    claim("small", storage_class="tracked"),
    claim("alone", "alone", accessModes=["ReadWriteOncePod"]),
    volume("alone", "alone", accessModes=["ReadWriteOncePod"]),
    claim("limited", "limited"),
    volume("limited", "limited"),
    using("alone", name="holds", nodeName="ash"),
    pod("has-disk", volumes=[DISK], nodeName="elm"),
    *DEVICES,
]


# Reasons that nodes of this cluster have.
REASONS: Final = (
    VolumeElsewhere(),
    NoVolume(),
    OtherZone(),
    DiskTaken(),
    VolumeLimitReached(),
    NoDevices(),
)


@pytest.mark.parametrize("language", ["uk", "id"])
def test_nothing_that_volume_and_device_plugins_say_is_untranslated(signed_in_client: Client, language: str) -> None:
    signed_in_client.post("/lessons/_language/", {"language": language})
    text = yaml.safe_dump_all([*CLUSTER, *PENDING], sort_keys=False)
    said = ""
    with untranslated(language) as found:
        uploaded = SimpleUploadedFile("cluster.yaml", text.encode())
        assert signed_in_client.post(HERE, {"act": "upload", "file": uploaded}).status_code == 302
        signed_in_client.post(HERE, {"act": "all"})
        for name in (each["metadata"]["name"] for each in PENDING):
            for address in ("", *(f"pods/shop/{name}/nodes/{node}/" for node in ("ash", "elm"))):
                page = signed_in_client.get(f"{HERE}{address}", {} if address else {"pod": f"shop/{name}"})
                assert page.status_code == 200, (name, address)
                said += unescape(page.text)
    assert readable(found.messages) == []
    with override(language):
        assert [reason for reason in REASONS if reason_phrases([reason]) not in said] == []
