"""The evidence on one node: each device that it reaches, and why a request cannot have it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from clusters.engine.devices.allocation import OfferedDevice, attribute_of, available_counters
from clusters.engine.devices.pools import holders_of
from clusters.engine.devices.requests import ClaimFault
from clusters.engine.devices.selecting import UnsupportedExpressionError
from clusters.engine.devices.suitability import Suitability
from clusters.engine.matching.nodes import compared_terms, tolerates
from clusters.engine.matching.selectors import NodeSelector
from clusters.engine.objects import key_of
from clusters.engine.plugins.dynamic_resources.evidence import (
    AllocatedClaimComparison,
    DeviceComparison,
    DeviceExclusion,
    DeviceRequestComparison,
    DevicesTogetherComparison,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from fractions import Fraction

    from clusters.engine.devices.inventory import DeviceId
    from clusters.engine.devices.pod_claims import PodClaim
    from clusters.engine.devices.pools import Pool
    from clusters.engine.devices.requests import Claim, DeviceRequest
    from clusters.engine.evidence import Comparison
    from clusters.engine.plugins.dynamic_resources.plugin import DeviceSearch
    from clusters.engine.snapshot import Snapshot

# How many devices of one node are shown for a request; a summary counts them all.
MAX_DEVICES: Final = 64


def claim_evidence(snapshot: Snapshot, row: int, claim: PodClaim) -> AllocatedClaimComparison:
    """Whether a node reaches the devices that a claim has."""
    node = snapshot.nodes.nodes[row]
    selector = (claim.allocation or {}).get("nodeSelector")
    terms = () if selector is None else compared_terms(NodeSelector.from_dict(selector), node.labels, node.name)
    return AllocatedClaimComparison(key_of(claim.document), terms)


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
        self._held = holders_of(snapshot)
        self._suitability = Suitability(snapshot)
        self._slices = [each for pool in pools for each in pool.slices]
        self._left = {each.name: available_counters(each, self._held) for each in self._slices}

    def compared(
        self, claim: Claim, request: DeviceRequest, taken: set[tuple[str, str, DeviceId]]
    ) -> Iterator[DeviceComparison]:
        for each in self._slices:
            for device in each.devices:
                candidate = OfferedDevice(device, each)
                plain = DeviceComparison(claim.key, request.full_name, str(candidate.id))
                if (claim.key, request.full_name, candidate.id) in taken:
                    yield _with(plain, allocated=True)
                else:
                    yield self._excluded(plain, claim, request, candidate)

    def _excluded(
        self, plain: DeviceComparison, claim: Claim, request: DeviceRequest, candidate: OfferedDevice
    ) -> DeviceComparison:
        device = candidate.device
        if not request.admin_access and candidate.id in self._held:
            return _with(plain, DeviceExclusion.HELD, self._held[candidate.id])
        try:
            use = self._suitability.excluding(claim, request, candidate.slice, device)
        except (ClaimFault, UnsupportedExpressionError):
            # The whole search fails, or is open, for it.
            use = None
        if use is not None:
            return _with(plain, DeviceExclusion.SELECTOR, use.expression, owner=use.owner)
        if candidate.slice.has_reach_by_device and not self._suitability.is_reached(device, self._row):
            return _with(plain, DeviceExclusion.NODE)
        left = self._left[candidate.slice.name]
        for counter in device.uses:
            available = left.get((counter.counter_set, counter.counter))
            if available is not None and counter.amount > available:
                name = f"{counter.counter_set}/{counter.counter}"
                amounts = _text(counter.amount), _text(available)
                return _with(plain, DeviceExclusion.COUNTER, name, requested=amounts[0], available=amounts[1])
        for taint in device.taints:
            if not tolerates(request.tolerations, taint):
                return _with(plain, DeviceExclusion.TAINT, str(taint))
        for rule in claim.constraints:
            if rule.concerns(request) and attribute_of(candidate, rule.attribute) is None:
                return _with(plain, DeviceExclusion.ATTRIBUTE, rule.attribute)
        return plain


def _text(amount: Fraction) -> str:
    return str(amount.numerator) if amount.denominator == 1 else str(float(amount))


def _with(
    plain: DeviceComparison,
    exclusion: DeviceExclusion | None = None,
    by: str = "",
    *,
    owner: str = "",
    requested: str = "",
    available: str = "",
    allocated: bool = False,
) -> DeviceComparison:
    return DeviceComparison(
        plain.claim, plain.request, plain.device, exclusion, by, owner, requested, available, allocated
    )
