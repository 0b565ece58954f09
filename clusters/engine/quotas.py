"""ResourceQuotas: which objects they count, what each is charged, and what the API server answers when it is too much.

Upstream (v1.34.1): ``pkg/quota/v1/evaluator/core`` and ``k8s.io/apiserver`` (``pkg/quota/v1/generic``,
``pkg/admission/plugin/resourcequota``)."""

from __future__ import annotations

from collections import Counter, defaultdict
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from clusters.engine.conclusion import AppliedQuota
from clusters.engine.devices.claims import (
    ANNOTATION,
    IMPLICIT,
    claims_from_templates,
    classes_by_resource,
    is_imagined,
    named_resource,
    owner_of,
)
from clusters.engine.devices.inventory import CLAIM, CLASS, made_for
from clusters.engine.objects import Document, Pod, key_of, labels_of, metadata, name_of, namespace_of
from clusters.engine.owners import TEMPLATE_HASH, Controller, Workload
from clusters.engine.problems import QUOTED, Problem, message
from clusters.engine.qos import QualityOfService, quality_of_service
from clusters.engine.quantity import MAX_INT64, NANO, Quantity, QuantityError, QuantityFormat, canonical_text, parsed
from clusters.engine.resources import CPU, HUGE_PAGES, MEMORY, NATIVE_DOMAIN, has_pod_level, is_extended, pod_quantities
from clusters.engine.versions import Gate
from clusters.engine.volumes import IMAGINED_CLAIM, annotations_of, claim_use, class_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from clusters.engine.snapshot import Snapshot

# Why quotas refuse an object, as typed values; ``message`` has the API server's words, of status 403 (Forbidden).


class QuotaExceeded(Problem, kind="QuotaExceeded"):
    """With the object more than ``limited`` would be used; amounts are quantities, in the order of ``resources``."""

    sentence = QUOTED
    remedy = message("Raise %(resources)s of ResourceQuota %(namespace)s/%(quota)s, or request less.")

    namespace: str
    quota: str
    message: str
    resources: tuple[str, ...]
    requested: tuple[str, ...]
    used: tuple[str, ...]
    limited: tuple[str, ...]


class QuotaUnspecified(Problem, kind="QuotaUnspecified"):
    """The quota counts ``resources`` that ``containers`` of the pod do not specify."""

    sentence = QUOTED
    remedy = message("Specify %(resources)s for %(containers)s, or add a LimitRange to %(namespace)s.")

    namespace: str
    quota: str
    message: str
    resources: tuple[str, ...]
    containers: tuple[str, ...]


class QuotaUncovered(Problem, kind="QuotaUncovered"):
    """The API server limits ``resources`` by default, or else ``scopes``, and no quota of the namespace covers them.

    Of scopes its answer is an error of its own (status 500) instead of Forbidden.
    """

    sentence = QUOTED
    remedy = (
        message("Add a ResourceQuota with the scope %(scopes)s to %(namespace)s."),
        message("Add a ResourceQuota for %(resources)s to %(namespace)s."),
    )

    namespace: str
    message: str
    resources: tuple[str, ...]
    scopes: tuple[str, ...]


QuotaRefusal = QuotaExceeded | QuotaUnspecified | QuotaUncovered

# The names of resources in quotas, and of which objects each of them speaks.
#
# Upstream: ``podResources`` of ``pods.go``, ``pvcResources`` of ``persistent_volume_claims.go``,
# ``resource_claims.go`` and ``registry.go`` in ``pkg/quota/v1/evaluator/core``; ``ObjectCountQuotaResourceNameFor``
# of ``k8s.io/apiserver``; v1.34.1.

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


def is_of_claims(resource: str) -> bool:
    """Whether PersistentVolumeClaims are charged for a resource of a quota."""
    return resource in _OF_CLAIMS or resource.endswith(_BY_CLASS)


# Which objects a quota's scopes mean: all of its scopes have to mean an object for the quota to count it.
#
# Upstream: ``podMatchesScopeFunc`` of ``pods.go`` and ``pvcMatchesScopeFunc`` of ``persistent_volume_claims.go`` in
# ``pkg/quota/v1/evaluator/core``; ``getScopeSelectorsFromQuota`` of ``k8s.io/apiserver/pkg/quota/v1/generic``;
# v1.34.1, where the gate VolumeAttributesClass is on.


class QuotaScope(NamedTuple):
    """A scope of a quota; ``values`` only of the operators ``In`` and ``NotIn``."""

    name: str
    operator: str
    values: tuple[str, ...]

    def __str__(self) -> str:
        """The scope as a manifest writes it, such as ``PriorityClass In high, low``."""
        return (
            self.name if self.operator == "Exists" else f"{self.name} {self.operator} {', '.join(self.values)}".strip()
        )

    @classmethod
    def all_of(cls, spec: Document) -> tuple[QuotaScope, ...]:
        """The scopes of a quota's spec, those of ``scopes`` first."""
        plain = (cls(str(name), "Exists", ()) for name in spec.get("scopes") or ())
        expressions = (spec.get("scopeSelector") or {}).get("matchExpressions") or ()
        selected = (
            cls(str(each.get("scopeName")), str(each.get("operator")), tuple(each.get("values") or ()))
            for each in expressions
        )
        return (*plain, *selected)

    def means_pod(self, pod: Document) -> bool:
        """Whether the scope means a pod; a scope of other objects means none."""
        spec: Document = pod.get("spec") or {}
        match self.name:
            case "Terminating":
                return _ends(spec)
            case "NotTerminating":
                return not _ends(spec)
            case "BestEffort":
                return quality_of_service(pod) is QualityOfService.BEST_EFFORT
            case "NotBestEffort":
                return quality_of_service(pod) is not QualityOfService.BEST_EFFORT
            case "PriorityClass":
                named = str(spec.get("priorityClassName") or "")
                return self._selects(frozenset({named} - {""}))
            case "CrossNamespacePodAffinity":
                return any(
                    term.get("namespaces") or term.get("namespaceSelector") is not None
                    for term in _terms(spec.get("affinity") or {})
                )
            case _:
                return False

    def _selects(self, named: frozenset[str]) -> bool:
        """Whether the operator and its values select one of the names, or an object without any."""
        match self.operator:
            case "In":
                return not named.isdisjoint(self.values)
            case "NotIn":
                return named.isdisjoint(self.values)
            case "Exists":
                return bool(named)
            case "DoesNotExist":
                return not named
            case _:
                return False


def _ends(spec: Document) -> bool:
    seconds = spec.get("activeDeadlineSeconds")
    return seconds is not None and int(seconds) >= 0


def _terms(affinity: Document) -> Iterator[Document]:
    for kind in ("podAffinity", "podAntiAffinity"):
        terms = affinity.get(kind) or {}
        yield from terms.get("requiredDuringSchedulingIgnoredDuringExecution") or ()
        for weighted in terms.get("preferredDuringSchedulingIgnoredDuringExecution") or ():
            yield weighted.get("podAffinityTerm") or {}


# The quotas of a cluster as objects come and go: each is charged or refused as the API server would.
#
# Upstream: ``CheckRequest`` of ``k8s.io/apiserver/pkg/admission/plugin/resourcequota/controller.go``, v1.34.1.


class Quota:
    """One quota: what is ``hard``, and what is ``used`` of that by now."""

    def __init__(self, document: Document) -> None:
        spec, status = document.get("spec") or {}, document.get("status") or {}
        self.namespace = namespace_of(document)
        self.name = name_of(document)
        self.scopes = QuotaScope.all_of(spec)
        # What the API server compares with; a quota that no controller has seen yet has only a spec.
        self.hard = _amounts(status.get("hard") or spec.get("hard") or {})
        self.is_counted = "used" in status
        used = _amounts(status.get("used") or {})
        self.used = {resource: used.get(resource, _NOTHING) for resource in self.hard}

    def counts(self, charge: Charge) -> bool:
        """Whether an object is counted: for one of the resources at least, and by all scopes."""
        return any(map(charge.is_of, self.hard)) and all(map(charge.means, self.scopes))

    def unspecified(self, charge: Charge) -> QuotaUnspecified | None:
        """What containers have to specify for this quota and do not; None where nothing is missing."""
        wanted = TO_BE_SPECIFIED.intersection(self.hard)
        missing = {name: containers for name, containers in charge.missing.items() if name in wanted}
        if not missing:
            return None
        said = "; ".join(f"{name} for: {','.join(containers)}" for name, containers in missing.items())
        message = _forbidden(charge, f"failed quota: {self.name}: must specify {said}")
        containers = sorted({name for named in missing.values() for name in named})
        return QuotaUnspecified(self.namespace, self.name, message, tuple(missing), tuple(containers))

    def exceeded(self, charge: Charge) -> QuotaExceeded | None:
        """The resources of which too much would be used; None where all are within bounds."""
        over = [
            resource
            for resource, amount in charge.amounts.items()
            if resource in self.hard and self.used[resource].nanos + amount.nanos > self.hard[resource].nanos
        ]
        if not over:
            return None
        over.sort()
        lists = [tuple(str(amounts[name]) for name in over) for amounts in (charge.amounts, self.used, self.hard)]
        said = [",".join(f"{name}={text}" for name, text in zip(over, texts, strict=True)) for texts in lists]
        words = f"exceeded quota: {self.name}, requested: {said[0]}, used: {said[1]}, limited: {said[2]}"
        return QuotaExceeded(self.namespace, self.name, _forbidden(charge, words), tuple(over), *lists)

    def add(self, charge: Charge, objects: int = 1) -> None:
        """Use what so many objects are charged."""
        for resource, amount in charge.amounts.items():
            if resource in self.hard and objects:
                self.used[resource] = self.used[resource].plus(amount.times(objects))

    def free(self, charge: Charge) -> None:
        """Free what an object that is gone was charged."""
        for resource, amount in charge.amounts.items():
            if resource in self.hard:
                left = self.used[resource].minus(amount)
                # The controller counts anew, so that nothing is ever below 0.
                self.used[resource] = left if left.nanos > 0 else left._replace(nanos=0)

    def room_for(self, charge: Charge) -> int | None:
        """How many more such objects fit; None where nothing that it is charged for is bounded."""
        return min(
            (
                max(0, (self.hard[resource].nanos - self.used[resource].nanos) // amount.nanos)
                for resource, amount in charge.amounts.items()
                if resource in self.hard
            ),
            default=None,
        )


class QuotaLedger:
    """The quotas by namespace. Where several would refuse an object, the first by name does.

    The API server has no order among the quotas of a namespace, so that it may name another of those. ``limited``: what
    a quota has to cover.
    """

    def __init__(self, quotas: Iterable[Document], limited: Sequence[LimitedResource] = ()) -> None:
        self._limited = limited
        self._quotas: dict[str, list[Quota]] = {}
        for document in sorted(quotas, key=lambda each: (namespace_of(each), name_of(each))):
            self._quotas.setdefault(namespace_of(document), []).append(Quota(document))

    def __bool__(self) -> bool:
        """Whether there is any quota, or anything that needs one."""
        return bool(self._quotas or self._limited)

    def __iter__(self) -> Iterator[Quota]:
        """All quotas by namespace and name."""
        return (quota for quotas in self._quotas.values() for quota in quotas)

    def has(self, namespace: str) -> bool:
        """Whether a namespace has quotas, or may need one."""
        return namespace in self._quotas or bool(self._limited)

    def counting(self, charge: Charge) -> list[Quota]:
        """The quotas that count an object."""
        return [quota for quota in self._quotas.get(charge.namespace, ()) if quota.counts(charge)]

    def room_for(self, charge: Charge) -> int | None:
        """How many more such objects are created; None where no quota bounds what they are charged for."""
        counting = self.counting(charge)
        if any(quota.unspecified(charge) for quota in counting) or self._uncovered(charge, counting):
            return 0
        rooms = (quota.room_for(charge) for quota in counting)
        return min((room for room in rooms if room is not None), default=None)

    def refusal(self, charge: Charge) -> QuotaRefusal | None:
        """Why an object would not be created now; None where it would. Nothing is charged."""
        counting = self.counting(charge)
        return (
            next(filter(None, (quota.unspecified(charge) for quota in counting)), None)
            or self._uncovered(charge, counting)
            or next(filter(None, (quota.exceeded(charge) for quota in counting)), None)
        )

    def _uncovered(self, charge: Charge, counting: Iterable[Quota]) -> QuotaUncovered | None:
        """What no quota covers of what the API server limits by default; None where all is covered."""
        if not self._limited:
            return None
        named = {resource for limited in self._limited for resource in limited.resources(charge)}
        covered = {resource for quota in counting for resource in quota.hard}
        missing = tuple(sorted(named - covered))
        if missing:
            message = _forbidden(charge, f"insufficient quota to consume: {','.join(missing)}")
            return QuotaUncovered(charge.namespace, message, missing, ())
        # A scope is covered as soon as one of the same name means the object, even if its quota does not count it.
        here = {
            scope.name
            for quota in self._quotas.get(charge.namespace, ())
            for scope in quota.scopes
            if charge.means(scope)
        }
        wanted = [scope for limited in self._limited for scope in limited.scopes if charge.means(scope)]
        open_scopes = [scope for scope in wanted if scope.name not in here]
        if not open_scopes:
            return None
        said = " ".join(f"{{{scope.name} {scope.operator} [{' '.join(scope.values)}]}}" for scope in open_scopes)
        message = f"insufficient quota to match these scopes: [{said}]"
        return QuotaUncovered(charge.namespace, message, (), tuple(map(str, open_scopes)))

    def charge(self, charge: Charge) -> QuotaRefusal | None:
        """Charge every quota that counts an object; where one refuses it, return why, and charge none."""
        refusal = self.refusal(charge)
        if refusal is None:
            self.count(charge)
        return refusal

    def count(self, charge: Charge) -> None:
        """Charge for an object that is there already, whatever is allowed."""
        for quota in self.counting(charge):
            quota.add(charge)

    def release(self, charge: Charge) -> None:
        """Free what an object that is gone was charged."""
        for quota in self.counting(charge):
            quota.free(charge)


def _forbidden(charge: Charge, why: str) -> str:
    return f'{charge.plural} "{charge.name}" is forbidden: {why}'


def _amounts(quantities: Mapping[str, object]) -> dict[str, QuotaAmount]:
    """Quantities by resource; one that cannot be read bounds nothing, as the API server would not have stored it."""
    found = {}
    for resource, quantity in quantities.items():
        try:
            found[resource] = QuotaAmount.read(quantity)
        except QuantityError:
            continue
    return found


# How much of each quota is used, resource by resource.

_LIMITS: Final = "limits."


class QuotaUse(Struct, frozen=True):
    """One resource of a quota: ``used`` and ``hard`` in base units (milli-CPU, bytes, counts), rounded up.

    What is beyond 64 bits is the greatest number that they hold.
    """

    namespace: str
    quota: str
    resource: str
    used: int
    hard: int
    scopes: tuple[QuotaScope, ...]

    @property
    def counted(self) -> str:
        """The resource of pods that it is about: ``requests.cpu`` and ``limits.cpu`` are both of ``cpu``."""
        return counted_resource(self.resource)

    @property
    def share(self) -> float:
        """What is used of what there is; of a quota of nothing all is used as soon as anything is."""
        return self.used / self.hard if self.hard else float(self.used > 0)


def fullest_share(quota: Quota) -> float:
    """What is used of the resource of a quota of which most is used."""
    return max((use.share for use in quota_uses([quota])), default=0.0)


def fullest_first(quotas: Iterable[Quota]) -> list[Quota]:
    """Put quotas in order by the resource of which most is used, then by name."""
    return sorted(quotas, key=lambda quota: (-fullest_share(quota), quota.namespace, quota.name))


def counted_resource(resource: str) -> str:
    """The resource of pods that a resource of quotas or LimitRanges is about; storage is counted as memory is."""
    stem = resource.removeprefix(REQUESTS).removeprefix(_LIMITS)
    return MEMORY if stem == "storage" or stem.endswith(f"/{STORAGE}") else stem


def quota_uses(quotas: Iterable[Quota]) -> Iterator[QuotaUse]:
    """Every resource of every quota, by name within each."""
    for quota in quotas:
        for resource in sorted(quota.hard):
            places = NANO - 3 if counted_resource(resource) == CPU else NANO
            used, hard = (
                min(-(-amounts[resource].nanos // 10**places), MAX_INT64) for amounts in (quota.used, quota.hard)
            )
            yield QuotaUse(quota.namespace, quota.name, resource, used, hard, quota.scopes)


# How quotas of a release count devices: by class alone, or also as the extended resource that a class stands for.
#
# Upstream: ``MatchingResources`` and ``addExtendedResourceQuota`` of ``resource_claims.go`` and
# ``isExtendedResourceNameForQuota`` of ``pods.go`` in ``pkg/quota/v1/evaluator/core``, v1.34.1, v1.35.4, v1.36.3 and
# v1.37.2.

_NONE: Final[Mapping[str, str]] = MappingProxyType({})


class DeviceQuotaRules(NamedTuple):
    """What of devices a release counts.

    ``counts_class_names``: pods are charged for extended resources that have the name of a DeviceClass (from 1.35).
    ``counts_resources``: ResourceClaims are charged for extended resources too, where classes stand for these.
    ``classes``: by extended resource the class that stands for it; ``resources``: the other way round, as far as the
    class itself says a name.
    """

    counts_class_names: bool = True
    counts_resources: bool = False
    classes: Mapping[str, str] = _NONE
    resources: Mapping[str, str] = _NONE


CLASSES_ALONE: Final = DeviceQuotaRules()


def device_quota_rules(snapshot: Snapshot) -> DeviceQuotaRules:
    """Return how the release of a snapshot counts devices; read once until a DeviceClass changes."""
    return snapshot.derived(_read, CLASS)


def _read(snapshot: Snapshot) -> DeviceQuotaRules:
    release = snapshot.release
    counts = release.device_rules.has_both_names_of_classes
    if not counts or not release.enables(Gate.DRA_EXTENDED_RESOURCE):
        return DeviceQuotaRules(counts_class_names=counts)
    named = {name_of(each): named_resource(each) for each in snapshot.objects(CLASS)}
    resources = {name: resource for name, resource in named.items() if resource}
    return DeviceQuotaRules(counts, counts_resources=True, classes=classes_by_resource(snapshot), resources=resources)


# What one object is charged in quotas.
#
# Upstream: ``PodUsageFunc`` of ``pods.go``, ``Usage`` of ``persistent_volume_claims.go`` and ``resource_claims.go``
# in ``pkg/quota/v1/evaluator/core``, and of ``k8s.io/apiserver/pkg/quota/v1/generic``; v1.34.1 with its gates at
# their defaults, and what v1.35.4, v1.36.3 and v1.37.2 have otherwise of devices. A pod that is deleted is charged
# until it is gone: the mirror does not know its grace period.

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


class Charge(Struct, frozen=True):
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
    amounts = {POD_COUNT: QuotaAmount(_ONE)}
    if (pod.get("status") or {}).get("phase") not in _ENDED:
        requests, limits = (
            {name: QuotaAmount.of(quantity) for name, quantity in pod_quantities(pod, role).items()}
            for role in ("requests", "limits")
        )
        amounts |= {PODS: QuotaAmount(_ONE), **_compute(requests, limits)}
        if rules.counts_class_names:
            implicit = (name for name in requests if name.startswith(IMPLICIT))
            amounts |= {f"{REQUESTS}{name}": requests[name] for name in implicit}

    def is_of(resource: str) -> bool:
        return is_of_pods(resource) or (rules.counts_class_names and resource.startswith(f"{REQUESTS}{IMPLICIT}"))

    scopes = _pod_scopes(pod)
    return Charge(namespace_of(pod), name_of(pod), "pods", _positive(amounts), is_of, scopes, _missing(pod))


def claim_charge(claim: Document) -> Charge:
    """What a PersistentVolumeClaim is charged, also in the name of its class. Raises QuantityError."""
    amounts = {CLAIMS: QuotaAmount(_ONE), CLAIM_COUNT: QuotaAmount(_ONE)}
    stored = ((claim.get("spec") or {}).get("resources") or {}).get("requests") or {}
    if "storage" in stored:
        size = QuotaAmount.read(stored["storage"])
        # Whole bytes are counted.
        amounts[STORAGE] = size._replace(nanos=-(-size.nanos // _ONE) * _ONE)
    named = class_of(claim)
    if named:
        for resource in (CLAIMS, STORAGE):
            if resource in amounts:
                amounts[f"{named}{OF_CLASS}{resource}"] = amounts[resource]

    def means(scope: QuotaScope) -> bool:
        if scope.name != "VolumeAttributesClass":
            return False
        named = str((claim.get("spec") or {}).get("volumeAttributesClassName") or "")
        return scope._selects(frozenset({named} - {""}))

    plural = "persistentvolumeclaims"
    return Charge(namespace_of(claim), name_of(claim), plural, _positive(amounts), is_of_claims, means)


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
    amounts = {f"{name}{DEVICES}": QuotaAmount(number * _ONE) for name, number in devices.items() if name}
    if rules.counts_resources:
        is_of_scheduler = annotations_of(claim).get(ANNOTATION) == "true"
        for resource, amount in _as_resources(devices, rules).items():
            left = amount.minus(paid.get(resource, _NOTHING)) if is_of_scheduler else amount
            if left.nanos > 0:
                amounts[resource] = left
    amounts[DEVICE_CLAIM_COUNT] = QuotaAmount(_ONE)

    def is_of(resource: str) -> bool:
        is_known = resource.startswith(REQUESTS) and resource.removeprefix(REQUESTS) in rules.classes
        return resource == DEVICE_CLAIM_COUNT or resource.endswith(DEVICES) or is_known

    plural = "resourceclaims.resource.k8s.io"
    return Charge(namespace_of(claim), name_of(claim), plural, _positive(amounts), is_of, _no_scope)


def _as_resources(devices: Mapping[str, int], rules: DeviceQuotaRules) -> dict[str, QuotaAmount]:
    """Devices by the extended resources that their classes stand for; of several classes of one the last counts."""
    found: dict[str, QuotaAmount] = {}
    for device_class, number in sorted(devices.items()):
        if device_class:
            found[f"{REQUESTS}{IMPLICIT}{device_class}"] = QuotaAmount(number * _ONE)
            if device_class in rules.resources:
                found[f"{REQUESTS}{rules.resources[device_class]}"] = QuotaAmount(number * _ONE)
    return found


def object_charge(document: Document, plural: str, group: str = "") -> Charge:
    """What an object of any other kind is charged, which is named as in addresses of the API: its count."""
    name = f"count/{plural}.{group}" if group else f"count/{plural}"
    counted = (name, plural) if not group and plural in _PLAIN_NAMES else (name,)
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
        if name in COMPUTE or name.startswith(HUGE_PAGES):
            found[name] = found[f"requests.{name}"] = amount
        elif is_extended(name):
            found[f"requests.{name}"] = amount
    return found | {f"limits.{name}": limits[name] for name in COMPUTE if name in limits}


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
            for resource in TO_BE_SPECIFIED - given.keys():
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


# Which quotas would count a pod that is created, where what they still allow is not computed.


def applied_quotas(snapshot: Snapshot, pod: Pod) -> tuple[AppliedQuota, ...]:
    """The quotas that would be charged for a pod, were it created now, by name.

    Also those that are charged for claims that come to be with it: of ephemeral volumes, and from templates.
    """
    ledger = QuotaLedger(snapshot.objects("ResourceQuota", pod.namespace))
    if not ledger:
        return ()
    rules = device_quota_rules(snapshot)
    charges = [
        pod_charge(pod.document, rules),
        *map(claim_charge, new_claims(snapshot, pod)),
        *(device_claim_charge(claim, rules) for claim in templated_claims(snapshot, pod) if is_imagined(claim)),
    ]
    found: dict[str, Quota] = {quota.name: quota for charge in charges for quota in ledger.counting(charge)}
    return tuple(AppliedQuota(pod.namespace, name) for name in sorted(found))


def new_claims(snapshot: Snapshot, pod: Pod) -> Iterator[Document]:
    """The claims that come to be with a pod: those of ephemeral volumes, and those that were made for it."""
    for volume in pod.spec.get("volumes") or ():
        use = claim_use(volume, pod.name)
        if use is None:
            continue
        claim = snapshot.object("PersistentVolumeClaim", use.claim, pod.namespace)
        if claim is None and use.ephemeral:
            template = volume["ephemeral"].get("volumeClaimTemplate") or {}
            yield {**template, "metadata": {"name": use.claim, "namespace": pod.namespace}}
        elif claim is not None and str(metadata(claim).get("uid") or "").startswith(IMAGINED_CLAIM):
            yield claim


def templated_claims(snapshot: Snapshot, pod: Pod) -> Iterator[Document]:
    """The ResourceClaims that a pod has from templates, as they are held, or as they come to be with it."""
    if not pod.spec.get("resourceClaims"):
        return
    names, claims = claims_from_templates(snapshot, pod.document)
    told, made = made_for(pod), {name_of(claim): claim for claim in claims}
    for entry, name in names.items():
        claim = snapshot.object(CLAIM, told.get(entry, name), pod.namespace) or made.get(name)
        if claim is not None:
            yield claim


# Quotas that no controller has counted yet, counted from the objects that there are.
#
# Upstream: ``syncResourceQuota`` of ``pkg/controller/resourcequota/resource_quota_controller.go``, v1.34.1; of pods
# and claims, of workloads, and of the kinds that have a plain name in quotas; Services not by their type.

# Kinds of which no more than the number is charged, with their names in addresses of the API, and their groups.
_PLURALS: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        "ConfigMap": ("configmaps", ""),
        "ReplicationController": ("replicationcontrollers", ""),
        "ResourceQuota": ("resourcequotas", ""),
        "Secret": ("secrets", ""),
        "Service": ("services", ""),
        "DaemonSet": ("daemonsets", "apps"),
        "Deployment": ("deployments", "apps"),
        "ReplicaSet": ("replicasets", "apps"),
        "StatefulSet": ("statefulsets", "apps"),
        "CronJob": ("cronjobs", "batch"),
        "Job": ("jobs", "batch"),
    }
)


def is_counted(quota: Document) -> bool:
    """Whether a quota's status says what is used."""
    return "used" in (quota.get("status") or {})


def counted_quotas(
    quotas: Iterable[Document],
    pods: Iterable[Document],
    claims: Iterable[Document],
    device_claims: Iterable[Document] = (),
    rules: DeviceQuotaRules = CLASSES_ALONE,
    others: Iterable[Document] = (),
) -> Iterator[Document]:
    """Those of the quotas that have no status, with the one that these objects give them.

    ``others``: objects of any kind; those that no quota counts by itself, pods and claims among them, are passed over.
    """
    uncounted = [quota for quota in quotas if not is_counted(quota)]
    ledger = QuotaLedger(uncounted)
    charged = [each for each in device_claims if ledger.has(namespace_of(each))] if uncounted else []
    owners = {f"{namespace_of(claim)}/{owner_of(claim)}" for claim in charged}
    paid: dict[str, Mapping[str, QuotaAmount]] = {}
    for pod in pods if uncounted else ():
        if ledger.has(namespace_of(pod)):
            charge = pod_charge(pod, rules)
            ledger.count(charge)
            if key_of(pod) in owners:
                paid[key_of(pod)] = charge.amounts
    for claim in claims if uncounted else ():
        if ledger.has(namespace_of(claim)):
            ledger.count(claim_charge(claim))
    for claim in charged:
        ledger.count(device_claim_charge(claim, rules, paid.get(f"{namespace_of(claim)}/{owner_of(claim)}", {})))
    for document in others if uncounted else ():
        kind = str(document.get("kind"))
        if kind in _PLURALS and ledger.has(namespace_of(document)):
            ledger.count(object_charge(document, *_PLURALS[kind]))
    return with_status(uncounted, ledger)


def with_status(quotas: Iterable[Document], ledger: QuotaLedger) -> Iterator[Document]:
    """Those of the quotas that a ledger has, with its amounts as their status."""
    found = {f"{quota.namespace}/{quota.name}": quota for quota in ledger}
    for document in quotas:
        quota = found.get(key_of(document))
        if quota is not None:
            hard, used = (
                {resource: str(amount) for resource, amount in amounts.items()} for amounts in (quota.hard, quota.used)
            )
            yield {**document, "status": {"hard": hard, "used": used}}


# What the API server limits by default: resources and scopes that a quota has to cover before anything uses them.
#
# Upstream: ``limitedByDefault``, ``getMatchedLimitedScopes`` and ``CheckRequest`` of
# ``k8s.io/apiserver/pkg/admission/plugin/resourcequota/controller.go``, ``UncoveredQuotaScopes`` of the evaluators in
# ``pkg/quota/v1/evaluator/core``; v1.34.1.

# The ResourceQuotaConfiguration of an API server, as the mirror keeps it.
CONFIGURATION: Final = "ResourceQuotaConfiguration"


class LimitedResource(NamedTuple):
    """Objects of a kind, named as in addresses of the API with the group behind it, that a quota has to cover.

    ``contains``: parts of the names of the quota's resources that are meant; ``scopes`` mean objects of every kind.
    """

    plural: str
    contains: tuple[str, ...]
    scopes: tuple[QuotaScope, ...]

    @classmethod
    def all_of(cls, configurations: Iterable[Document]) -> tuple[LimitedResource, ...]:
        """What some configurations limit, in order."""
        return tuple(
            cls(
                ".".join(filter(None, (str(each.get("resource") or ""), str(each.get("apiGroup") or "")))),
                tuple(map(str, each.get("matchContains") or ())),
                QuotaScope.all_of({"scopeSelector": {"matchExpressions": each.get("matchScopes") or ()}}),
            )
            for configuration in configurations
            for each in configuration.get("limitedResources") or ()
        )

    def resources(self, charge: Charge) -> Iterator[str]:
        """The resources of quotas that an object is charged for and that have to be covered."""
        if charge.plural == self.plural:
            for resource in charge.amounts:
                if any(part in resource for part in self.contains):
                    yield resource


# To what quotas have to be raised for more objects.


class QuotaDemand(NamedTuple):
    """What ``objects`` more pods, or other objects, would use of a resource of a quota: ``each`` so much."""

    namespace: str
    quota: str
    resource: str
    hard: QuotaAmount
    used: QuotaAmount
    each: QuotaAmount
    objects: int


class QuotaRaise(NamedTuple):
    """What ``hard`` of a resource of a quota is, and what it has to be at least; both as manifests write them."""

    namespace: str
    quota: str
    resource: str
    hard: str
    needed: str


def demands_of(problem: QuotaExceeded, objects: int) -> Iterator[QuotaDemand]:
    """Yield what so many objects like the refused one would use; nothing of a resource whose amounts are unreadable."""
    amounts = zip(problem.resources, problem.limited, problem.used, problem.requested, strict=True)
    for resource, *texts in amounts:
        try:
            hard, used, each = map(QuotaAmount.read, texts)
        except QuantityError:
            continue
        yield QuotaDemand(problem.namespace, problem.quota, resource, hard, used, each, objects)


def raises(demands: Iterable[QuotaDemand]) -> Iterator[QuotaRaise]:
    """Yield to what quotas have to be raised for all of that together, by quota and resource, where they are too small.

    Where what is used was told at different times, the most counts.
    """
    by_resource: defaultdict[tuple[str, str, str], list[QuotaDemand]] = defaultdict(list)
    for demand in demands:
        by_resource[demand.namespace, demand.quota, demand.resource].append(demand)
    for (namespace, quota, resource), found in sorted(by_resource.items()):
        needed, hard = max((demand.used for demand in found), key=lambda used: used.nanos), found[0].hard
        for demand in found:
            needed = needed.plus(demand.each.times(demand.objects))
        if needed.nanos > hard.nanos:
            yield QuotaRaise(namespace, quota, resource, str(hard), str(needed))


# Who uses a quota, and how many more pods like theirs it lets in.


class QuotaUser(Struct, frozen=True):
    """A workload whose pods a quota counts: how many, and what they use of each of its resources.

    ``share``: what they use of the resource of which they use most, from 0. ``more``: how many further pods like the
    one that is charged most the quota lets in; None where nothing that it is charged for is bounded. ``unspecified``:
    the resources that keep it out, as its containers do not specify them.
    """

    workload: Workload
    pods: int
    amounts: Mapping[str, QuotaAmount]
    share: float
    more: int | None
    unspecified: tuple[str, ...]


class _Use(Struct):
    """What the pods of a workload that a quota counts use together, and the one that is charged most, with its share.

    ``amounts`` are those of the quota's own resources.
    """

    largest: Charge
    share: float = -1.0
    pods: int = 0
    amounts: dict[str, QuotaAmount] = field(default_factory=dict)

    def add(self, quota: Quota, charge: Charge) -> None:
        self.pods += 1
        share = _share(quota, charge.amounts)
        if share > self.share:
            self.largest, self.share = charge, share
        for resource, amount in charge.amounts.items():
            if resource in quota.hard:
                self.amounts[resource] = self.amounts[resource].plus(amount) if resource in self.amounts else amount


def quota_users(quotas: Sequence[Quota], pods: Iterable[Document]) -> list[list[QuotaUser]]:
    """The workloads that use each of the quotas, those that use most of any of its resources first.

    Pods are taken one at a time, and none is kept but the largest of each workload. Raises QuantityError.
    """
    uses: list[dict[Workload, _Use]] = [{} for _ in quotas]
    by_namespace: defaultdict[str, list[tuple[Quota, dict[Workload, _Use]]]] = defaultdict(list)
    for quota, found in zip(quotas, uses, strict=True):
        by_namespace[quota.namespace].append((quota, found))
    for pod in pods:
        namespace = namespace_of(pod)
        if namespace not in by_namespace:
            continue
        charge = pod_charge(pod)
        workload = Workload.of(namespace, Controller.of(pod), labels_of(pod).get(TEMPLATE_HASH, ""))
        for quota, found in by_namespace[namespace]:
            if quota.counts(charge):
                found.setdefault(workload, _Use(charge)).add(quota, charge)
    return [_users(quota, found) for quota, found in zip(quotas, uses, strict=True)]


def _users(quota: Quota, uses: Mapping[Workload, _Use]) -> list[QuotaUser]:
    users = []
    for workload, use in uses.items():
        refusal = quota.unspecified(use.largest)
        missing = () if refusal is None else refusal.resources
        more = 0 if missing else quota.room_for(use.largest)
        users.append(QuotaUser(workload, use.pods, use.amounts, _share(quota, use.amounts), more, missing))
    return sorted(users, key=lambda user: (-user.share, user.workload))


def _share(quota: Quota, amounts: Mapping[str, QuotaAmount]) -> float:
    shares = (
        amount.nanos / quota.hard[resource].nanos
        for resource, amount in amounts.items()
        if resource in quota.hard and quota.hard[resource].nanos
    )
    return max(shares, default=0.0)
