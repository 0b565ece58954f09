"""What decides about a pod's devices and is not computed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from clusters.engine.devices.pod_claims import CLASS
from clusters.engine.devices.unknown import holds_devices, is_known
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
    if claims and not is_known(snapshot, claims):
        return CLAIMS
    names = snapshot.derived(_mapped_resources, CLASS)
    requested = (name for name, amount in pod.requests.items() if amount) if names else ()
    return "resources.requests" if any(name in names for name in requested) else ""


def _mapped_resources(snapshot: Snapshot) -> frozenset[str]:
    """Extended resources that classes stand for, stored only where that feature is on."""
    classes = snapshot.objects(CLASS)
    named = {str((each.get("spec") or {}).get("extendedResourceName") or "") for each in classes} - {""}
    return frozenset(named | {_IMPLICIT + name_of(each) for each in classes}) if named else frozenset()
