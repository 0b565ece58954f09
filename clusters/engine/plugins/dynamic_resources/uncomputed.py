"""What decides about a pod's devices and is not computed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from clusters.engine.devices.unknown import class_resources, holds_devices, is_known

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusters.engine.objects import Document, Pod
    from clusters.engine.snapshot import Snapshot

CLAIMS: Final = "spec.resourceClaims"


def uncomputed_field(snapshot: Snapshot, pod: Pod, claims: Sequence[Document]) -> str:
    """The field of the pod by which something not computed decides: what its claims depend on, or mapped resources."""
    if pod.spec.get("resourceClaims") and not holds_devices(snapshot):
        return CLAIMS
    if not is_known(snapshot, claims):
        return CLAIMS
    names = class_resources(snapshot)
    requested = (name for name, amount in pod.requests.items() if amount) if names else ()
    return "resources.requests" if any(name in names for name in requested) else ""
