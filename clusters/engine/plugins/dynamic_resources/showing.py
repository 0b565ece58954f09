"""The evidence on one node: each device that it reaches, and why a request cannot have it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from clusters.engine.devices.binding_conditions import device_conditions
from clusters.engine.devices.exclusions import Exclusions
from clusters.engine.devices.holders import held_devices
from clusters.engine.devices.suitability import Suitability, skips_operations
from clusters.engine.matching.nodes import compared_terms
from clusters.engine.matching.selectors import NodeSelector
from clusters.engine.objects import key_of
from clusters.engine.plugins.dynamic_resources.evidence import (
    AllocatedClaimComparison,
    BindingConditionsComparison,
    DeviceComparison,
    DeviceRequestComparison,
    DevicesTogetherComparison,
)
from clusters.engine.plugins.dynamic_resources.reaching import needs_skipping
from clusters.engine.versions import Gate

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from clusters.engine.devices.inventory import DeviceId
    from clusters.engine.devices.node_search import DeviceSearch
    from clusters.engine.devices.pod_claims import PodClaim
    from clusters.engine.devices.pools import Pool
    from clusters.engine.devices.requests import Claim, DeviceRequest
    from clusters.engine.evidence import Comparison
    from clusters.engine.snapshot import Snapshot

# How many devices of one node are shown for a request; a summary counts them all.
MAX_DEVICES: Final = 64


def claim_evidence(snapshot: Snapshot, row: int, claim: PodClaim) -> AllocatedClaimComparison:
    """Whether a node reaches the devices that a claim has."""
    node = snapshot.nodes.nodes[row]
    selector = (claim.allocation or {}).get("nodeSelector")
    terms = () if selector is None else compared_terms(NodeSelector.from_dict(selector), node.labels, node.name)
    is_able = not needs_skipping(claim, snapshot.release) or skips_operations(node)
    lacking = "" if is_able else Gate.DRA_OPTIONAL_NODE_OPERATIONS.value
    return AllocatedClaimComparison(key_of(claim.document), terms, lacking)


def conditions_evidence(claim: PodClaim) -> Iterator[BindingConditionsComparison]:
    """Which conditions the devices of a claim wait for, and which have failed."""
    for each in device_conditions(claim.document):
        yield BindingConditionsComparison(key_of(claim.document), str(each.device), each.pending, each.failed)


def device_evidence(
    snapshot: Snapshot, row: int, claims: Sequence[Claim], pools: Sequence[Pool], search: DeviceSearch
) -> Iterator[Comparison]:
    """What was compared for each request, and whether all could be met at once."""
    found = search.allocated or ()
    taken = {(claims[each.claim].key, each.request.full_name, each.candidate.id) for each in found}
    view = _View(snapshot, row, pools)
    for claim in claims:
        for request in (request for alternatives in claim.requests for request in alternatives):
            devices = list(view.compared(claim, request, taken))
            wanted = None if request.wants_all else request.count
            available = sum(each.holds for each in devices)
            yield DeviceRequestComparison(
                claim.key, request.full_name, request.device_class, wanted, available, len(devices)
            )
            # Those that can be had first, then in the order of the slices.
            yield from sorted(devices, key=lambda each: (not each.allocated, not each.holds))[:MAX_DEVICES]
    keys = tuple(claim.key for claim in claims)
    yield DevicesTogetherComparison(keys, search.allocated is not None, search.gave_up, search.fault)


class _View:
    """The devices of one node."""

    def __init__(self, snapshot: Snapshot, row: int, pools: Sequence[Pool]) -> None:
        self._row = row
        self._exclusions = Exclusions(Suitability(snapshot), held_devices(snapshot), snapshot.release.devices)
        self._slices = [each for pool in pools for each in pool.slices]

    def compared(
        self, claim: Claim, request: DeviceRequest, taken: set[tuple[str, str, DeviceId]]
    ) -> Iterator[DeviceComparison]:
        for each in self._slices:
            for device, name in zip(each.devices, each.ids, strict=True):
                if (claim.key, request.full_name, name) in taken:
                    yield DeviceComparison(
                        claim.key, request.full_name, str(name), allocated=True, conditions=device.conditions
                    )
                else:
                    excluded = self._exclusions.of(claim, request, each, device, self._row)
                    yield DeviceComparison(claim.key, request.full_name, str(name), *(excluded or ()))
