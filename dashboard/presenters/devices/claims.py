"""ResourceClaims as rows of a table and as a page of their own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from clusters.engine.devices import ResourceClaimPhase, allocation_of
from clusters.wording.devices import claims as words
from clusters.wording.devices import states
from clusters.wording.pods.facts import alternatives
from dashboard.presenters.pods.facts import node_term_text, toleration_text
from dashboard.presenters.pods.listing import state_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from clusters.engine.devices import ClaimOutlook, DeviceId, DeviceRequest, RequestOutlook, ResourceClaimState
    from clusters.models import Pod
    from clusters.services.mirror.state import ClusterDevices

MOST_NAMES: Final = 4
_BADGES: Final = {
    ResourceClaimPhase.PENDING: "warn",
    ResourceClaimPhase.ALLOCATED: "info",
    ResourceClaimPhase.RESERVED: "good",
    ResourceClaimPhase.DELETED: "bad",
    ResourceClaimPhase.DELETED_ALLOCATED: "bad",
    ResourceClaimPhase.DELETED_RESERVED: "bad",
}


@dataclass(frozen=True, slots=True)
class HeldDevice:
    """A device of a claim; the page of its pool has it, if it is offered still."""

    driver: str
    pool: str
    device: str
    text: str
    is_offered: bool


@dataclass(frozen=True, slots=True)
class ResourceClaimRow:
    """One claim of the list; the first of its devices and pods are named, and the others counted."""

    namespace: str
    name: str
    state: str
    badge: str
    requests: tuple[str, ...]
    devices: tuple[HeldDevice, ...]
    more_devices: str
    pods: tuple[str, ...]
    more_pods: str


@dataclass(frozen=True, slots=True)
class DeviceRequestView:
    """One request or alternative: what it is for, what it got, and of a pending claim what excludes devices."""

    wants: str
    selectors: tuple[str, ...]
    tolerations: str
    devices: tuple[HeldDevice, ...]
    available: str
    excluded: tuple[str, ...]
    remarks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ClaimPodRow:
    """A pod that uses a claim or has reserved it; without ``state`` there is no such pod any more."""

    name: str
    state: str
    badge: str
    node: str
    reserved: str


@dataclass(frozen=True, slots=True)
class ClaimAnswer:
    """How a claim is, in a sentence, and what kube-scheduler says of it, empty where it says nothing."""

    sentence: str
    quote: str = ""


def claim_row(claim: ResourceClaimState, found: ClusterDevices) -> ResourceClaimRow:
    """Present a claim as a row."""
    return ResourceClaimRow(
        namespace=claim.namespace,
        name=claim.name,
        state=str(states.CLAIM[claim.phase]),
        badge=_BADGES[claim.phase],
        requests=tuple(wants(request) for request in first_requests(claim)),
        devices=tuple(held_devices(claim.devices[:MOST_NAMES], found)),
        more_devices=_more(len(claim.devices), states.more_devices),
        pods=claim.pods[:MOST_NAMES],
        more_pods=_more(len(claim.pods), states.more_pods),
    )


def _more(number: int, write: Callable[[int], str]) -> str:
    return write(number - MOST_NAMES) if number > MOST_NAMES else ""


def first_requests(claim: ResourceClaimState) -> Iterator[DeviceRequest]:
    """Yield each request, of one with alternatives all of them."""
    return (request for alternatives in claim.claim.requests for request in alternatives)


def wants(request: DeviceRequest) -> str:
    """Say how many devices of which class a request is for."""
    count = None if request.wants_all else request.count
    return words.wants(name=request.full_name, count=count, device_class=request.device_class)


def held_devices(devices: Iterable[DeviceId], found: ClusterDevices) -> Iterator[HeldDevice]:
    """Present devices that a claim has."""
    for each in devices:
        is_offered = each in found.offered
        yield HeldDevice(*each, str(each) if is_offered else words.NOT_OFFERED(device=str(each)), is_offered)


def claim_answer(claim: ResourceClaimState, outlook: ClaimOutlook | None, *, is_used: bool) -> ClaimAnswer:
    """Say how a claim is; ``outlook`` is that of a pending one, ``is_used``: a pod uses it."""
    if claim.phase.is_deleted:
        return ClaimAnswer(str(words.BEING_DELETED))
    if outlook is None:
        return ClaimAnswer(words.reserved(len(claim.reservations)) if claim.reservations else str(words.ALLOCATED))
    if outlook.refusal is not None:
        return ClaimAnswer(str(words.REFUSED), ", ".join(outlook.refusal.status.reasons))
    if outlook.fault:
        return ClaimAnswer(words.fails(outlook), outlook.fault)
    if outlook.is_unknown:
        return ClaimAnswer(str(words.UNKNOWN))
    return ClaimAnswer(words.found(outlook) if is_used else words.found_unused(outlook))


def request_views(
    claim: ResourceClaimState, outlook: ClaimOutlook | None, found: ClusterDevices
) -> Iterator[DeviceRequestView]:
    """Present each request of a claim; ``outlook`` is that of a pending one."""
    outlooks = {each.request.full_name: each for each in outlook.requests} if outlook else {}
    for request, tolerations in zip(first_requests(claim), _tolerations(claim), strict=True):
        name = request.full_name
        available, excluded = _excluded(outlooks.get(name), len(found.offered))
        yield DeviceRequestView(
            wants=wants(request),
            selectors=tuple(each or "" for each in request.expressions),
            tolerations=tolerations,
            devices=tuple(held_devices(claim.devices_by_request.get(name, ()), found)),
            available=available,
            excluded=excluded,
            remarks=tuple(_remarks(request)),
        )


def _remarks(request: DeviceRequest) -> Iterator[str]:
    if request.admin_access:
        yield str(words.ADMIN_ACCESS)
    if request.parent:
        yield str(words.ALTERNATIVE)


def _excluded(outlook: RequestOutlook | None, every: int) -> tuple[str, tuple[str, ...]]:
    if outlook is None:
        return "", ()
    return words.AVAILABLE(devices=outlook.available, every=every), tuple(map(words.excluded, outlook.excluded))


def _tolerations(claim: ResourceClaimState) -> Iterator[str]:
    """Yield the tolerations of each request, those of alternatives one by one."""
    devices = (claim.document.get("spec") or {}).get("devices") or {}
    for request in devices.get("requests") or ():
        bodies = [request["exactly"]] if request.get("exactly") is not None else request.get("firstAvailable") or ()
        for body in bodies:
            yield "; ".join(toleration_text(each) for each in body.get("tolerations") or ())


def claim_facts(claim: ResourceClaimState) -> list[tuple[str, str]]:
    """Present what holds for all requests of a claim together."""
    facts = [(str(words.CONSTRAINT), rule.attribute) for rule in claim.claim.constraints]
    allocation = allocation_of(claim.document)
    if allocation is not None:
        terms = (allocation.get("nodeSelector") or {}).get("nodeSelectorTerms") or ()
        nodes = alternatives(node_term_text(term) for term in terms)
        facts.append((str(words.NODE_SELECTOR), nodes or str(words.EVERY_NODE)))
    return facts


def pod_rows(claim: ResourceClaimState, pods: Iterable[Pod]) -> list[ClaimPodRow]:
    """Present the pods that use a claim, and then who else has reserved it."""
    reserved = {each.uid: each for each in claim.reservations}
    rows = []
    for pod in pods:
        has_reserved = reserved.pop(pod.uid, None) is not None
        rows.append(ClaimPodRow(pod.name, *state_of(pod), pod.node_name, str(words.RESERVED[has_reserved])))
    for each in reserved.values():
        gone = words.GONE if each.resource == "pods" else words.NOT_A_POD
        rows.append(ClaimPodRow(each.name, "", "", "", str(gone)))
    return rows
