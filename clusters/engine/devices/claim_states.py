"""The ResourceClaims of a cluster: in what state each is, and what keeps one from being allocated by itself.

Upstream: ``resourceClaimState`` of ``pkg/printers/internalversion`` v1.34.1, and the allocator for the rest.
"""

from __future__ import annotations

import enum
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from clusters.engine.devices.exclusions import DeviceExclusion, Exclusions
from clusters.engine.devices.holders import held_devices
from clusters.engine.devices.node_search import NodeSearch
from clusters.engine.devices.pod_claims import CLAIM, allocation_of, devices_of, refusal_of
from clusters.engine.devices.requests import Claim
from clusters.engine.devices.suitability import Suitability
from clusters.engine.devices.unknown import is_known
from clusters.engine.objects import key_of, metadata, name_of, namespace_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from clusters.engine.devices.claim_refusals import RefusedClaim
    from clusters.engine.devices.inventory import DeviceId
    from clusters.engine.devices.requests import DeviceRequest
    from clusters.engine.devices.states import PoolState
    from clusters.engine.objects import Document
    from clusters.engine.snapshot import Snapshot


class ResourceClaimPhase(enum.StrEnum):
    """How far a claim is, as ``kubectl get resourceclaims`` writes it."""

    PENDING = "pending"
    ALLOCATED = "allocated"
    RESERVED = "allocated,reserved"
    DELETED = "deleted"
    DELETED_ALLOCATED = "deleted,allocated"
    DELETED_RESERVED = "deleted,allocated,reserved"

    @property
    def is_deleted(self) -> bool:
        """Whether the claim is being deleted."""
        return self.startswith("deleted")


class ClaimReservation(NamedTuple):
    """Who has reserved a claim; ``resource`` is ``pods`` for a pod."""

    resource: str
    name: str
    uid: str


@dataclass(frozen=True)
class ResourceClaimState:
    """A ResourceClaim as it stands."""

    document: Document

    @property
    def namespace(self) -> str:
        return namespace_of(self.document)

    @property
    def name(self) -> str:
        return name_of(self.document)

    @property
    def key(self) -> str:
        return key_of(self.document)

    @cached_property
    def claim(self) -> Claim:
        """What it requests."""
        return Claim.from_dict(self.document)

    @cached_property
    def devices(self) -> tuple[DeviceId, ...]:
        """The devices that it has."""
        return tuple(devices_of(self.document))

    @cached_property
    def devices_by_request(self) -> Mapping[str, tuple[DeviceId, ...]]:
        """The devices that it has, by the full name of the request that got them."""
        results = ((allocation_of(self.document) or {}).get("devices") or {}).get("results") or ()
        found: dict[str, tuple[DeviceId, ...]] = {}
        for result, device in zip(results, self.devices, strict=True):
            name = str(result.get("request") or "")
            found[name] = (*found.get(name, ()), device)
        return found

    @cached_property
    def reservations(self) -> tuple[ClaimReservation, ...]:
        """Who has reserved it."""
        entries = (self.document.get("status") or {}).get("reservedFor") or ()
        return tuple(
            ClaimReservation(str(each.get("resource") or ""), str(each.get("name") or ""), str(each.get("uid") or ""))
            for each in entries
        )

    @property
    def pods(self) -> tuple[str, ...]:
        """The names of the pods that have reserved it."""
        return tuple(each.name for each in self.reservations if each.resource == "pods")

    @property
    def phase(self) -> ResourceClaimPhase:
        """How far it is."""
        is_deleted = bool(metadata(self.document).get("deletionTimestamp"))
        if allocation_of(self.document) is None:
            return ResourceClaimPhase.DELETED if is_deleted else ResourceClaimPhase.PENDING
        if self.reservations:
            return ResourceClaimPhase.DELETED_RESERVED if is_deleted else ResourceClaimPhase.RESERVED
        return ResourceClaimPhase.DELETED_ALLOCATED if is_deleted else ResourceClaimPhase.ALLOCATED


def claim_states(snapshot: Snapshot) -> tuple[ResourceClaimState, ...]:
    """All claims, by namespace and name."""
    found = (ResourceClaimState(each) for each in snapshot.objects(CLAIM))
    return tuple(sorted(found, key=lambda each: (each.namespace, each.name)))


class ExclusionCount(NamedTuple):
    """How many devices are excluded alike; ``by`` is the selector, counter, taint or attribute, empty for held ones."""

    exclusion: DeviceExclusion
    by: str
    devices: int


@dataclass(frozen=True, slots=True)
class RequestOutlook:
    """How many devices of the cluster a request could have by itself, and what excludes the others."""

    request: DeviceRequest
    available: int
    excluded: tuple[ExclusionCount, ...]


@dataclass(frozen=True, slots=True)
class ClaimOutlook:
    """Whether devices can be had for a claim that has none, apart from the other claims of a pod.

    ``refusal`` holds whatever the node. Devices for all requests are found on ``nodes`` of ``every`` node. ``fault`` is
    the error of kube-scheduler on one of ``faulty`` nodes. ``is_unknown``: it depends on what is not computed.
    """

    refusal: RefusedClaim | None
    nodes: int
    every: int
    fault: str
    faulty: int
    is_unknown: bool
    requests: tuple[RequestOutlook, ...]


def claim_outlook(snapshot: Snapshot, state: ResourceClaimState, pools: Iterable[PoolState]) -> ClaimOutlook:
    """What keeps a claim without devices from being allocated; ``pools`` are all of the cluster."""
    every, claim, document = len(snapshot.nodes), state.claim, state.document
    refusal = refusal_of(snapshot, document)
    if refusal is not None:
        return ClaimOutlook(refusal, 0, every, "", 0, is_unknown=False, requests=())
    requests = tuple(_request_outlooks(snapshot, claim, tuple(pools)))
    if not is_known(snapshot, (document,)):
        return ClaimOutlook(None, 0, every, "", 0, is_unknown=True, requests=requests)
    found = NodeSearch(snapshot).everywhere((claim,))
    faults = [search.fault for search in found if search.fault]
    return ClaimOutlook(
        refusal=None,
        nodes=sum(search.allocated is not None for search in found),
        every=every,
        fault=faults[0] if faults else "",
        faulty=len(faults),
        is_unknown=any(search.gave_up for search in found),
        requests=requests,
    )


def _request_outlooks(snapshot: Snapshot, claim: Claim, pools: tuple[PoolState, ...]) -> Iterable[RequestOutlook]:
    exclusions = Exclusions(Suitability(snapshot), held_devices(snapshot), snapshot.release.devices)
    for request in (request for alternatives in claim.requests for request in alternatives):
        counts: Counter[tuple[DeviceExclusion, str]] = Counter()
        available = 0
        for pool in pools:
            for each in pool.devices:
                found = exclusions.of(claim, request, each.slice, each.device, None)
                if found is None:
                    available += 1
                else:
                    counts[found.exclusion, "" if found.exclusion == DeviceExclusion.HELD else found.by] += 1
        excluded = tuple(ExclusionCount(*key, number) for key, number in counts.most_common())
        yield RequestOutlook(request, available, excluded)
