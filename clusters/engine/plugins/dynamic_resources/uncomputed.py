"""What decides about a pod's devices and is not computed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from clusters.engine.devices.pod_claims import CLAIM, CLASS, SLICE
from clusters.engine.devices.pools import slices_of
from clusters.engine.devices.selecting import CompileError, UnsupportedExpressionError, compiled
from clusters.engine.devices.suitability import uses_of
from clusters.engine.objects import name_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusters.engine.devices.requests import Claim
    from clusters.engine.objects import Pod
    from clusters.engine.snapshot import Snapshot

CLAIMS: Final = "spec.resourceClaims"
_IMPLICIT: Final = "deviceclass.resource.kubernetes.io/"


def uncomputed_field(snapshot: Snapshot, pod: Pod, claims: Sequence[Claim]) -> str:
    """The field of the pod by which something not computed decides: expressions, shared devices, mapped resources."""
    if pod.spec.get("resourceClaims") and not holds_devices(snapshot):
        return CLAIMS
    if claims and (not _are_selectors_known(snapshot, claims) or _has_shared_devices(snapshot)):
        return CLAIMS
    names = snapshot.derived(_mapped_resources, CLASS)
    requested = (name for name, amount in pod.requests.items() if amount) if names else ()
    return "resources.requests" if any(name in names for name in requested) else ""


def holds_devices(snapshot: Snapshot) -> bool:
    """Whether there is any object about devices: where there is none, the source most likely has left them out."""
    return snapshot.derived(_any_object, CLAIM, CLASS, SLICE)


def _any_object(snapshot: Snapshot) -> bool:
    return any(snapshot.objects(kind) for kind in (CLAIM, CLASS, SLICE))


def _are_selectors_known(snapshot: Snapshot, claims: Sequence[Claim]) -> bool:
    requests = ((claim, request) for claim in claims for choices in claim.requests for request in choices)
    for claim, request in requests:
        for use in uses_of(snapshot, claim, request):
            try:
                compiled(use.expression)
            except UnsupportedExpressionError:
                return False
            except CompileError:
                continue
    return True


def _has_shared_devices(snapshot: Snapshot) -> bool:
    """Whether devices can be allocated several times, by capacity: stored only where that feature is on."""
    return any(device.is_shared for each in slices_of(snapshot) for device in each.devices)


def _mapped_resources(snapshot: Snapshot) -> frozenset[str]:
    """Extended resources that classes stand for, stored only where that feature is on."""
    classes = snapshot.objects(CLASS)
    named = {str((each.get("spec") or {}).get("extendedResourceName") or "") for each in classes} - {""}
    return frozenset(named | {_IMPLICIT + name_of(each) for each in classes}) if named else frozenset()
