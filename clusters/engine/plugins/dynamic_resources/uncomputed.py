"""What decides about a pod's devices and is not computed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from clusters.engine.devices.extended_resources import undecided_resources
from clusters.engine.devices.group_claims import shared_entries
from clusters.engine.devices.unknown import holds_devices, is_known, is_request_known
from clusters.engine.plugins.dynamic_resources.node_resources import counts_node_resources

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from clusters.engine.devices.node_search import DeviceSearch
    from clusters.engine.devices.requests import Claim
    from clusters.engine.objects import Document, Pod
    from clusters.engine.snapshot import Snapshot

CLAIMS: Final = "spec.resourceClaims"
# An expression, or the search for devices, takes too much.
COSTLY_CLAIMS: Final = "spec.resourceClaims (cost)"
RESOURCES: Final = "resources.requests"


def uncomputed_field(snapshot: Snapshot, pod: Pod, claims: Sequence[Document], own: Sequence[Claim]) -> str:
    """The field of the pod by which something not computed decides: what its claims depend on, or mapped resources.

    ``own``: what the scheduler's own claim for extended resources requests.
    """
    if pod.spec.get("resourceClaims") and not holds_devices(snapshot):
        return CLAIMS
    if not is_known(snapshot, claims):
        return CLAIMS
    if counts_node_resources(snapshot) and shared_entries(snapshot, pod):
        # Whether the pods of a group may share such a claim depends on which of them are tried together.
        return CLAIMS
    if own and not is_request_known(snapshot, own):
        return RESOURCES
    names = undecided_resources(snapshot)
    requested = (name for name, amount in pod.requests.items() if amount) if names else ()
    return RESOURCES if any(name in names for name in requested) else ""


def given_up_field(searches: Iterable[DeviceSearch]) -> str:
    """The field by which searches decide that were given up on some node, and whether they cost too much."""
    given_up = [search for search in searches if search.gave_up]
    if any(search.is_costly for search in given_up):
        return COSTLY_CLAIMS
    return CLAIMS if given_up else ""
