"""GPUs that a driver offers by dynamic resource allocation, and the claims of the pods that use them.

Two of the GPU nodes have them; the other two still have a device plugin, and count theirs as ``nvidia.com/gpu``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from clusters.demo.identity import Document, ago, metadata, suffix, uid
from clusters.demo.nodes import GPU_DRIVER_NODES

if TYPE_CHECKING:
    from collections.abc import Mapping

_VERSION = "resource.k8s.io/v1"
_DRIVER = "gpu.nvidia.com"
_CLASS = "gpu.nvidia.com"
_LARGE_CLASS = "large-gpu"
# The entry in a pod's spec, and the request in its claim.
_GPU = "gpu"
_DEVICES_EACH = 4
_LARGE = f"device.capacity['{_DRIVER}'].memory.compareTo(quantity('40Gi')) >= 0"
# What the driver found this morning.
_FAILED_NODE, _FAILED_DEVICE = "gpu-b-02", 3


class _Model(Struct, frozen=True):
    """A model of GPU; memory in MiB."""

    product: str
    architecture: str
    capability: str
    memory: int


_MODELS: Mapping[str, _Model] = {
    "gpu-a-02": _Model("NVIDIA A10G", "Ampere", "8.6.0", 23028),
    "gpu-b-02": _Model("NVIDIA L40S", "Ada Lovelace", "8.9.0", 46068),
}
# By the name of the template: which GPUs its claims request beside those of the class.
_TEMPLATES: Mapping[str, tuple[str, ...]] = {"inference": (), "video-captions": (_LARGE,)}


def devices() -> list[Document]:
    """Return the DeviceClasses, the ResourceSlices, and the templates of claims."""
    is_gpu = f"device.driver == '{_DRIVER}' && device.attributes['{_DRIVER}'].type == 'gpu'"
    return [
        _class(_CLASS, is_gpu),
        _class(_LARGE_CLASS, is_gpu, _LARGE),
        *(
            {
                "apiVersion": _VERSION,
                "kind": "ResourceSlice",
                "metadata": metadata("ResourceSlice", f"{node}-{_DRIVER}-{suffix(f'{node}/{_DRIVER}', 5)}"),
                "spec": {
                    "driver": _DRIVER,
                    "nodeName": node,
                    "pool": {"name": node, "generation": 1, "resourceSliceCount": 1},
                    "devices": [_device(node, index) for index in range(_DEVICES_EACH)],
                },
            }
            for node in GPU_DRIVER_NODES
        ),
        *(
            {
                "apiVersion": _VERSION,
                "kind": "ResourceClaimTemplate",
                "metadata": metadata("ResourceClaimTemplate", name, "ml"),
                "spec": {"spec": _claim_spec(_CLASS, *selectors)},
            }
            for name, selectors in _TEMPLATES.items()
        ),
    ]


def own_claim() -> Document:
    """Return a claim that somebody wrote by hand, and that no pod uses yet."""
    return _claim("workbench", _claim_spec(_LARGE_CLASS))


def pod_claim(pod: Document, template: str) -> Document:
    """Return the claim that the control plane makes for a pod from a template, and note it in the pod's status."""
    name, namespace = pod["metadata"]["name"], pod["metadata"]["namespace"]
    claim_name = f"{name}-{_GPU}-{suffix(f'{namespace}/{name}/{_GPU}', 5)}"
    pod["status"]["resourceClaimStatuses"] = [{"name": _GPU, "resourceClaimName": claim_name}]
    owner = {"apiVersion": "v1", "kind": "Pod", "name": name, "uid": pod["metadata"]["uid"], "controller": True}
    return _claim(
        claim_name,
        _claim_spec(_CLASS, *_TEMPLATES[template]),
        annotations={"resource.kubernetes.io/pod-claim-name": _GPU},
        creationTimestamp=pod["metadata"]["creationTimestamp"],
        ownerReferences=[owner],
    )


def pod_fields(template: str) -> tuple[Document, Document]:
    """Return what the spec of a pod, and the resources of its container, say of a claim made from a template."""
    return (
        {"resourceClaims": [{"name": _GPU, "resourceClaimTemplateName": template}]},
        {"claims": [{"name": _GPU}]},
    )


def _class(name: str, *expressions: str) -> Document:
    return {
        "apiVersion": _VERSION,
        "kind": "DeviceClass",
        "metadata": metadata("DeviceClass", name),
        "spec": {"selectors": [{"cel": {"expression": each}} for each in expressions]},
    }


def _device(node: str, index: int) -> Document:
    model = _MODELS[node]
    found: Document = {
        "name": f"gpu-{index}",
        "attributes": {
            "type": {"string": "gpu"},
            "productName": {"string": model.product},
            "architecture": {"string": model.architecture},
            "cudaComputeCapability": {"version": model.capability},
            "driverVersion": {"version": "580.95.5"},
            "uuid": {"string": f"GPU-{uid('Device', node, str(index))}"},
            "resource.kubernetes.io/pcieRoot": {"string": f"pci0000:{16 + index // 2:02x}"},
        },
        "capacity": {"memory": {"value": f"{model.memory}Mi"}},
    }
    if (node, index) == (_FAILED_NODE, _FAILED_DEVICE):
        found["taints"] = [
            {"key": f"{_DRIVER}/xid", "value": "79", "effect": "NoSchedule", "timeAdded": ago(hours=3, minutes=12)}
        ]
    return found


def _claim(name: str, spec: Document, **fields: object) -> Document:
    return {
        "apiVersion": _VERSION,
        "kind": "ResourceClaim",
        "metadata": metadata("ResourceClaim", name, "ml", **fields),
        "spec": spec,
        "status": {},
    }


def _claim_spec(device_class: str, *selectors: str) -> Document:
    exactly: Document = {"deviceClassName": device_class, "allocationMode": "ExactCount", "count": 1}
    if selectors:
        exactly["selectors"] = [{"cel": {"expression": each}} for each in selectors]
    return {"devices": {"requests": [{"name": _GPU, "exactly": exactly}]}}
