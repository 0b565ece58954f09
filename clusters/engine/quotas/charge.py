"""What one object is charged in quotas.

Upstream: ``PodUsageFunc`` of ``pods.go``, ``Usage`` of ``persistent_volume_claims.go`` and ``resource_claims.go`` in
``pkg/quota/v1/evaluator/core``, and of ``k8s.io/apiserver/pkg/quota/v1/generic``; v1.34.1 with its gates at their
defaults, and what v1.35.4, v1.36.3 and v1.37.2 have otherwise of devices. A pod that is deleted is charged until it is
gone: the mirror does not know its grace period.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from clusters.engine.devices.extended_resources import ANNOTATION, IMPLICIT
from clusters.engine.objects import name_of, namespace_of
from clusters.engine.quotas import resources as names
from clusters.engine.quotas.device_rules import CLASSES_ALONE
from clusters.engine.resources.quantity import NANO, QuantityFormat, canonical_text, parsed
from clusters.engine.resources.requests import HUGE_PAGES, has_pod_level, is_extended, pod_quantities
from clusters.engine.volumes.claims import annotations_of, class_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from clusters.engine.objects import Document
    from clusters.engine.quotas.device_rules import DeviceQuotaRules
    from clusters.engine.quotas.scopes import QuotaScope
    from clusters.engine.resources.quantity import Quantity

_ONE: Final = 10**NANO
# So many devices a claim for all of them may get (AllocationResultsMaxSize).
_MOST_DEVICES: Final = 32
_ENDED: Final = ("Succeeded", "Failed")


class QuotaAmount(NamedTuple):
    """An exact amount in nano-units, and how it is written."""

    nanos: int
    format: QuantityFormat = QuantityFormat.DECIMAL_SI

    def __str__(self) -> str:
        return canonical_text(self.nanos, self.format)

    @classmethod
    def of(cls, quantity: Quantity) -> QuotaAmount:
        """The amount of a quantity."""
        return cls(quantity.nano_units, quantity.format)

    @classmethod
    def read(cls, text: Any) -> QuotaAmount:
        """The amount that a field has. Raises QuantityError."""
        return cls.of(parsed(text))

    def plus(self, other: QuotaAmount) -> QuotaAmount:
        """Both together, written as the first that is not 0."""
        return QuotaAmount(self.nanos + other.nanos, self.format if self.nanos else other.format)

    def times(self, objects: int) -> QuotaAmount:
        """So many of it, written as before."""
        return QuotaAmount(self.nanos * objects, self.format)

    def minus(self, other: QuotaAmount) -> QuotaAmount:
        """What is left, written as before."""
        return QuotaAmount(self.nanos - other.nanos, self.format if self.nanos else other.format)


_NOTHING: Final = QuotaAmount(0)
_NOTHING_PAID: Final[Mapping[str, QuotaAmount]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Charge:
    """What an object is charged: ``amounts`` by resource of quotas, without those of 0.

    ``plural``: its kind as the API server names it in messages, with its group. ``missing``: of the resources that a
    quota makes containers specify, those that some do not, with these containers' names in order.
    """

    namespace: str
    name: str
    plural: str
    amounts: Mapping[str, QuotaAmount]
    is_of: Callable[[str], bool]
    means: Callable[[QuotaScope], bool]
    missing: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def of_another(self, namespace: str, name: str) -> Charge:
        """The charge of an object that is the same but for its name."""
        return replace(self, namespace=namespace, name=name)


def pod_charge(pod: Document, rules: DeviceQuotaRules = CLASSES_ALONE) -> Charge:
    """What a pod is charged: nothing but its count once it has finished. Raises QuantityError."""
    amounts = {names.POD_COUNT: QuotaAmount(_ONE)}
    if (pod.get("status") or {}).get("phase") not in _ENDED:
        requests, limits = (
            {name: QuotaAmount.of(quantity) for name, quantity in pod_quantities(pod, role).items()}
            for role in ("requests", "limits")
        )
        amounts |= {names.PODS: QuotaAmount(_ONE), **_compute(requests, limits)}
        if rules.counts_class_names:
            implicit = (name for name in requests if name.startswith(IMPLICIT))
            amounts |= {f"{names.REQUESTS}{name}": requests[name] for name in implicit}

    def is_of(resource: str) -> bool:
        return names.is_of_pods(resource) or (rules.counts_class_names and names.is_of_class_names(resource))

    scopes = _pod_scopes(pod)
    return Charge(namespace_of(pod), name_of(pod), "pods", _positive(amounts), is_of, scopes, _missing(pod))


def claim_charge(claim: Document) -> Charge:
    """What a PersistentVolumeClaim is charged, also in the name of its class. Raises QuantityError."""
    amounts = {names.CLAIMS: QuotaAmount(_ONE), names.CLAIM_COUNT: QuotaAmount(_ONE)}
    stored = ((claim.get("spec") or {}).get("resources") or {}).get("requests") or {}
    if "storage" in stored:
        size = QuotaAmount.read(stored["storage"])
        # Whole bytes are counted.
        amounts[names.STORAGE] = size._replace(nanos=-(-size.nanos // _ONE) * _ONE)
    named = class_of(claim)
    if named:
        for resource in (names.CLAIMS, names.STORAGE):
            if resource in amounts:
                amounts[f"{named}{names.OF_CLASS}{resource}"] = amounts[resource]

    def means(scope: QuotaScope) -> bool:
        return scope.means_claim(claim)

    plural = "persistentvolumeclaims"
    return Charge(namespace_of(claim), name_of(claim), plural, _positive(amounts), names.is_of_claims, means)


def device_claim_charge(
    claim: Document, rules: DeviceQuotaRules = CLASSES_ALONE, paid: Mapping[str, QuotaAmount] = _NOTHING_PAID
) -> Charge:
    """What a ResourceClaim is charged: of each DeviceClass the most devices that it may get.

    Where classes stand for extended resources, as much of these; of a claim that the scheduler made for a pod without
    what the pod was charged for them, which is ``paid``.
    """
    devices: Counter[str] = Counter()
    for request in ((claim.get("spec") or {}).get("devices") or {}).get("requests") or ():
        alternatives: Counter[str] = Counter()
        for each in request.get("firstAvailable") or (request.get("exactly") or request,):
            alternatives |= Counter({str(each.get("deviceClassName") or ""): _devices(each)})
        devices += alternatives
    amounts = {f"{name}{names.DEVICES}": QuotaAmount(number * _ONE) for name, number in devices.items() if name}
    if rules.counts_resources:
        is_of_scheduler = annotations_of(claim).get(ANNOTATION) == "true"
        for resource, amount in _as_resources(devices, rules).items():
            left = amount.minus(paid.get(resource, _NOTHING)) if is_of_scheduler else amount
            if left.nanos > 0:
                amounts[resource] = left
    amounts[names.DEVICE_CLAIM_COUNT] = QuotaAmount(_ONE)

    def is_of(resource: str) -> bool:
        is_known = resource.startswith(names.REQUESTS) and resource.removeprefix(names.REQUESTS) in rules.classes
        return names.is_of_device_claims(resource) or is_known

    plural = "resourceclaims.resource.k8s.io"
    return Charge(namespace_of(claim), name_of(claim), plural, _positive(amounts), is_of, _no_scope)


def _as_resources(devices: Mapping[str, int], rules: DeviceQuotaRules) -> dict[str, QuotaAmount]:
    """Devices by the extended resources that their classes stand for; of several classes of one the last counts."""
    found: dict[str, QuotaAmount] = {}
    for device_class, number in sorted(devices.items()):
        if device_class:
            found[f"{names.REQUESTS}{IMPLICIT}{device_class}"] = QuotaAmount(number * _ONE)
            if device_class in rules.resources:
                found[f"{names.REQUESTS}{rules.resources[device_class]}"] = QuotaAmount(number * _ONE)
    return found


def object_charge(document: Document, plural: str, group: str = "") -> Charge:
    """What an object of any other kind is charged, which is named as in addresses of the API: its count."""
    counted = names.count_names(plural, group)
    amounts = dict.fromkeys(counted, QuotaAmount(_ONE))
    named = f"{plural}.{group}" if group else plural
    return Charge(namespace_of(document), name_of(document), named, amounts, amounts.__contains__, _no_scope)


def _no_scope(_: QuotaScope) -> bool:
    return False


def _positive(amounts: Mapping[str, QuotaAmount]) -> dict[str, QuotaAmount]:
    return {resource: amount for resource, amount in amounts.items() if amount.nanos}


def _pod_scopes(pod: Document) -> Callable[[QuotaScope], bool]:
    def means(scope: QuotaScope) -> bool:
        return scope.means_pod(pod)

    return means


def _compute(requests: Mapping[str, QuotaAmount], limits: Mapping[str, QuotaAmount]) -> dict[str, QuotaAmount]:
    """Requests and limits by the names that quotas have for them."""
    found: dict[str, QuotaAmount] = {}
    for name, amount in requests.items():
        if name in names.COMPUTE or name.startswith(HUGE_PAGES):
            found[name] = found[f"requests.{name}"] = amount
        elif is_extended(name):
            found[f"requests.{name}"] = amount
    return found | {f"limits.{name}": limits[name] for name in names.COMPUTE if name in limits}


def _missing(pod: Document) -> dict[str, tuple[str, ...]]:
    """The containers without each resource that quotas want specified; nothing where the pod itself has resources."""
    spec = pod.get("spec") or {}
    if has_pod_level(spec):
        return {}
    found: dict[str, set[str]] = {}
    for kind in ("containers", "initContainers"):
        for container in spec.get(kind) or ():
            own = container.get("resources") or {}
            given = _compute(
                *({name: QuotaAmount(0) for name in own.get(role) or ()} for role in ("requests", "limits"))
            )
            for resource in names.TO_BE_SPECIFIED - given.keys():
                found.setdefault(resource, set()).add(str(container.get("name") or ""))
    return {resource: tuple(sorted(found[resource])) for resource in sorted(found)}


def _devices(request: Mapping[str, Any]) -> int:
    match request.get("allocationMode") or "ExactCount":
        case "ExactCount":
            return int(request.get("count") or 1)
        case "All":
            return _MOST_DEVICES
        case _:
            return 0
