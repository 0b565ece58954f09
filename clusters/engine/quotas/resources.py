"""The names of resources in quotas, and of which objects each of them speaks.

Upstream: ``podResources`` of ``pods.go``, ``pvcResources`` of ``persistent_volume_claims.go``, ``resource_claims.go``
and ``registry.go`` in ``pkg/quota/v1/evaluator/core``; ``ObjectCountQuotaResourceNameFor`` of ``k8s.io/apiserver``;
v1.34.1.
"""

from __future__ import annotations

from typing import Final

from clusters.engine.devices.extended_resources import IMPLICIT
from clusters.engine.resources.requests import HUGE_PAGES, NATIVE_DOMAIN

REQUESTS: Final = "requests."
PODS, POD_COUNT = "pods", "count/pods"
CLAIMS, CLAIM_COUNT = "persistentvolumeclaims", "count/persistentvolumeclaims"
STORAGE: Final = "requests.storage"
OF_CLASS: Final = ".storageclass.storage.k8s.io/"
DEVICE_CLAIM_COUNT: Final = "count/resourceclaims.resource.k8s.io"
DEVICES: Final = ".deviceclass.resource.k8s.io/devices"
COMPUTE: Final = ("cpu", "memory", "ephemeral-storage")
# Whoever is counted by a quota of these has to say how much it requests or is limited to.
TO_BE_SPECIFIED: Final = frozenset({"cpu", "memory", "requests.cpu", "requests.memory", "limits.cpu", "limits.memory"})

_OF_PODS: Final = frozenset(
    {PODS, POD_COUNT, *COMPUTE, *(f"requests.{name}" for name in COMPUTE), *(f"limits.{name}" for name in COMPUTE)}
)
_OF_CLAIMS: Final = frozenset({CLAIMS, CLAIM_COUNT, STORAGE})
_BY_CLASS: Final = (f"{OF_CLASS}{CLAIMS}", f"{OF_CLASS}{STORAGE}")
# The kinds that had a name of their own in quotas before all kinds were counted.
_PLAIN_NAMES: Final = ("configmaps", "resourcequotas", "replicationcontrollers", "secrets", "services")


def is_of_pods(resource: str) -> bool:
    """Whether pods are charged for a resource of a quota."""
    if resource in _OF_PODS or resource.startswith((HUGE_PAGES, f"{REQUESTS}{HUGE_PAGES}")):
        return True
    is_native = "/" not in resource or NATIVE_DOMAIN in resource
    return resource.startswith(REQUESTS) and not is_native


def is_of_class_names(resource: str) -> bool:
    """Whether pods are charged for a resource of a quota that has the name of a DeviceClass."""
    return resource.startswith(f"{REQUESTS}{IMPLICIT}")


def is_of_claims(resource: str) -> bool:
    """Whether PersistentVolumeClaims are charged for a resource of a quota."""
    return resource in _OF_CLAIMS or resource.endswith(_BY_CLASS)


def is_of_device_claims(resource: str) -> bool:
    """Whether ResourceClaims are charged for a resource of a quota."""
    return resource == DEVICE_CLAIM_COUNT or resource.endswith(DEVICES)


def count_names(plural: str, group: str = "") -> tuple[str, ...]:
    """The names under which quotas count objects of a kind, which is named as in addresses of the API."""
    name = f"count/{plural}.{group}" if group else f"count/{plural}"
    return (name, plural) if not group and plural in _PLAIN_NAMES else (name,)
