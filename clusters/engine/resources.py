"""What pods request of resources, container by container, and what nodes have."""

from __future__ import annotations

import enum
import marshal
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from sys import intern
from typing import Any, Final, Generic, TypeVar

from msgspec import Struct

from clusters.engine.quantity import MAX_INT64, NANO, Quantity, milli_value, nano_units, parsed, taken_over, whole_value

# What a pod requests of a node, in exact base units (milli-CPU, bytes, counts).
#
# Upstream: ``k8s.io/component-helpers/resource/helpers.go`` (PodRequests) and ``pkg/scheduler/framework/types.go``
# (CalculateResource), both v1.34.1 with the feature gates at their defaults: in-place vertical scaling, sidecar
# containers and pod-level resources are on; of v1.36.3 and v1.37.2 for pods that are resized; of v1.38.0-beta.0 for
# amounts beyond int64, and for what devices take of their node for a container.

# Quantities, what pods request, what nodes have, and scores made from both.

Amounts = dict[str, int]
Number = TypeVar("Number", int, Quantity)
_Reader = Callable[[Mapping[str, Any]], dict[str, Number]]

CPU = "cpu"
MEMORY = "memory"
EPHEMERAL_STORAGE = "ephemeral-storage"
PODS = "pods"

# What scoring assumes of a container that requests nothing.
DEFAULT_CPU_MILLI = 100
DEFAULT_MEMORY_BYTES = 200 * 1024 * 1024

NON_ZERO_DEFAULTS: Mapping[str, int] = {CPU: DEFAULT_CPU_MILLI, MEMORY: DEFAULT_MEMORY_BYTES}

_NANOS = 10**NANO
_NANOS_PER_MILLI = 10 ** (NANO - 3)
# Of this many no thousandths leave int64.
_MOST_NANOS = MAX_INT64 * _NANOS_PER_MILLI
_POD_LEVEL = frozenset({CPU, MEMORY})
HUGE_PAGES = "hugepages-"
NATIVE_DOMAIN = "kubernetes.io/"
_ATTACHABLE = "attachable-volumes-"
# The condition of a pod that waits to be resized, and its reasons.
RESIZE_PENDING: Final = "PodResizePending"
DEFERRED: Final = "Deferred"
_INFEASIBLE: Final = "Infeasible"


def base_amount(resource: str, quantity: Any, *, saturates: bool = False) -> int:
    """A quantity of a resource in its base unit: milli for cpu, whole units (rounded up) otherwise."""
    return (milli_value if resource == CPU else whole_value)(quantity, saturates=saturates)


def is_extended(resource: str) -> bool:
    """Whether a resource is an extended one: a domain of its own, not one that Kubernetes reserves."""
    return "/" in resource and NATIVE_DOMAIN not in resource and not resource.startswith("requests.")


def is_scalar(resource: str) -> bool:
    """Whether the scheduler counts a resource beside cpu, memory and ephemeral storage."""
    return is_extended(resource) or NATIVE_DOMAIN in resource or resource.startswith((HUGE_PAGES, _ATTACHABLE))


def node_amounts(quantities: Mapping[str, Any] | None, *, saturates: bool = False) -> Mapping[str, int]:
    """The allocatable quantities of a node that the scheduler reads; nodes of one size share them."""
    return _node_amounts(tuple((quantities or {}).items()), saturates)


@lru_cache(1024)
def _node_amounts(quantities: tuple[tuple[str, Any], ...], saturates: bool) -> Mapping[str, int]:
    return {
        resource: base_amount(resource, quantity, saturates=saturates)
        for resource, quantity in quantities
        if resource in (CPU, MEMORY, EPHEMERAL_STORAGE, PODS) or is_scalar(resource)
    }


def unhealthy_devices(
    capacity: Mapping[str, Any] | None, allocatable: Mapping[str, Any] | None
) -> tuple[tuple[str, int], ...]:
    """How much of each extended resource a node has and does not offer: its kubelet offers healthy devices alone.

    Upstream (v1.37.2): ``GetCapacity`` in ``pkg/kubelet/cm/devicemanager/manager.go``.
    """
    offered = allocatable or {}
    found = (
        (name, base_amount(name, quantity) - base_amount(name, offered.get(name) or "0"))
        for name, quantity in (capacity or {}).items()
        if is_extended(name)
    )
    return tuple((name, number) for name, number in found if number > 0)


def deferred_amounts(pod: Mapping[str, Any], counting: Counting) -> tuple[tuple[str, int], ...]:
    """How much a placed pod counts with for a resize alone that its kubelet has deferred, by resource."""
    status = pod.get("status") or {}
    conditions = status.get("conditions") or ()
    if not any((each.get("type"), each.get("reason")) == (RESIZE_PENDING, DEFERRED) for each in conditions):
        return ()
    reverted = {**pod, "status": {**status, "conditions": [{"type": RESIZE_PENDING, "reason": _INFEASIBLE}]}}
    less = pod_amounts(reverted, counting=counting)
    amounts = pod_amounts(pod, counting=counting)
    found = ((name, number - less.get(name, 0)) for name, number in sorted(amounts.items()))
    return tuple((name, number) for name, number in found if number > 0)


def _add(total: dict[str, Number], more: Mapping[str, Number]) -> None:
    for resource, number in more.items():
        total[resource] = total[resource] + number if resource in total else number


def _raise_to(total: dict[str, Number], other: Mapping[str, Number]) -> None:
    for resource, number in other.items():
        if resource not in total:
            total[resource] = number
        elif number > total[resource]:
            total[resource] = taken_over(number, total[resource])


def _resize_infeasible(status: Mapping[str, Any]) -> bool:
    for condition in status.get("conditions") or ():
        if condition.get("type") == RESIZE_PENDING:
            return bool(condition.get("reason") == _INFEASIBLE)
    return False


class Counting(Struct, frozen=True):
    """How a placed pod counts while it is resized.

    ``is_of_whole_pod``: with the largest of three totals, of what its spec says, what its kubelet has allocated and
    what its containers have (from 1.37); otherwise container by container with the largest. ``reads_pod_status``: the
    pod's own ``status.resources`` and ``status.allocatedResources`` count too. ``adds_devices``: what its devices take
    of the node's resources counts too, as its status says; ``ties_overhead``: what they take for a container counts
    while that runs alone. ``saturates``: what is beyond int64 stops there.
    """

    is_of_whole_pod: bool = False
    reads_pod_status: bool = False
    adds_devices: bool = False
    ties_overhead: bool = False
    saturates: bool = False


BY_CONTAINER: Final = Counting()


def pod_amounts(
    pod: Mapping[str, Any],
    *,
    use_status: bool = True,
    pod_level: bool = True,
    missing: Mapping[str, int] | None = None,
    counting: Counting = BY_CONTAINER,
    adds_devices: bool = False,
) -> Amounts:
    """The requests of a whole pod: containers, sidecars, init containers, pod level and overhead.

    ``missing`` gives the amount that a container counts with when it does not mention a resource.
    ``use_status`` reads what the kubelet has allocated while a resize is under way, as ``counting`` says;
    ``adds_devices``: what the pod's devices take counts even without that.
    """

    source = marshal.dumps(amounts_source(pod), 0)
    return dict(_pod_amounts(source, use_status, pod_level, tuple((missing or {}).items()), counting, adds_devices))


_SPEC = ("containers", "initContainers", "overhead", "resources")
_STATUS = ("resources", "allocatedResources", "nodeAllocatableResourceClaimStatuses")


def amounts_source(pod: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """The parts of a pod that its amounts are read from: the same for pods that are written alike."""
    spec, status = pod.get("spec") or {}, pod.get("status") or {}
    read = {field: status[field] for field in _STATUS if status.get(field) is not None}
    entries = [
        {field: entry.get(field) for field in ("name", "resources", "allocatedResources")}
        for kind in ("initContainerStatuses", "containerStatuses")
        for entry in status.get(kind) or ()
        if entry.get("resources") is not None or entry.get("allocatedResources") is not None
    ]
    pending = [condition for condition in status.get("conditions") or () if condition.get("type") == RESIZE_PENDING]
    if entries:
        read["containerStatuses"] = entries
    if pending:
        read["conditions"] = pending
    return {"spec": {field: spec[field] for field in _SPEC if spec.get(field)}, "status": read}


@lru_cache(maxsize=1 << 10)
def _pod_amounts(
    source: bytes,
    use_status: bool,
    pod_level: bool,
    missing: tuple[tuple[str, int], ...],
    counting: Counting,
    adds_devices: bool,
) -> Amounts:
    """The amounts of all pods that are written alike, as `pod_amounts` explains them."""
    pod = marshal.loads(source)  # noqa: S302 - what was dumped to look it up

    def total(parse: Callable[[Any], Number], defaults: Mapping[str, Number]) -> dict[str, Number]:
        is_added = adds_devices or (use_status and counting.adds_devices)
        whole = _PodTotal(pod, parse, defaults, "requests", counting, use_status=use_status, adds_devices=is_added)
        return whole.amounts(pod_level=pod_level)

    units = {name: 3 if name == CPU else 0 for name, _ in missing}
    # Exact, and the same as the scheduler's own as long as nothing is negative or leaves int64.
    nanos = total(nano_units, {name: number * 10 ** (NANO - units[name]) for name, number in missing})
    if all(0 <= number <= _MOST_NANOS for number in nanos.values()):
        return {name: -(-number // (_NANOS_PER_MILLI if name == CPU else _NANOS)) for name, number in nanos.items()}
    quantities = total(parsed, {name: Quantity(number, -units[name]) for name, number in missing})
    return {
        name: number.scaled(3 if name == CPU else 0, saturates=counting.saturates)
        for name, number in quantities.items()
    }


def pod_quantities(
    pod: Mapping[str, Any], role: str, *, counting: Counting = BY_CONTAINER, adds_devices: bool = False
) -> dict[str, Quantity]:
    """The ``requests`` or ``limits`` of a whole pod as quantities, as exact and as written as Go adds them up.

    Upstream: ``PodRequests`` and ``PodLimits``, as the API server charges quotas. Raises QuantityError.
    """
    return _PodTotal(pod, parsed, {}, role, counting, adds_devices=adds_devices).amounts(pod_level=True)


class _PodTotal(Generic[Number]):
    """The requests or limits (``role``) of a whole pod in the arithmetic of one kind of number.

    ``counting``: how a pod counts that is resized. Without ``use_status`` it counts by its spec alone.
    """

    def __init__(
        self,
        pod: Mapping[str, Any],
        parse: Callable[[Any], Number],
        missing: Mapping[str, Number],
        role: str,
        counting: Counting,
        *,
        use_status: bool = True,
        adds_devices: bool = False,
    ) -> None:
        self._spec: Mapping[str, Any] = pod.get("spec") or {}
        self._status: Mapping[str, Any] = (use_status and pod.get("status")) or {}
        self._parse: Callable[[Any], Number] = parse
        self._missing: Mapping[str, Number] = missing
        self._role = role
        self._counting = counting
        self._entries = {
            entry.get("name"): entry
            for key in ("initContainerStatuses", "containerStatuses")
            for entry in self._status.get(key) or ()
        }
        self._is_infeasible = _resize_infeasible(self._status)
        self._devices: Sequence[Mapping[str, Any]] = (
            (pod.get("status") or {}).get("nodeAllocatableResourceClaimStatuses") or () if adds_devices else ()
        )

    def amounts(self, *, pod_level: bool) -> dict[str, Number]:
        if self._counting.is_of_whole_pod and self._role == "requests" and self._status:
            total = self._largest_total()
        else:
            total = self._sum(self._effective, self._wanted)
        if pod_level:
            self._apply_pod_level(total)
        overhead = self._read(self._spec.get("overhead"))
        if self._role == "limits":
            # Where there is no limit, overhead makes none.
            zero = self._parse("0")
            overhead = {name: number for name, number in overhead.items() if total.get(name, zero) > zero}
        _add(total, overhead)
        return total

    def _read(self, quantities: Mapping[str, Any] | None) -> dict[str, Number]:
        return {name: self._parse(quantity) for name, quantity in (quantities or {}).items()}

    def _sum(
        self, read: _Reader[Number], read_starting: _Reader[Number], *, with_devices: bool = True
    ) -> dict[str, Number]:
        """Containers and sidecars together, or what init containers need before; ``read_starting``: of those."""
        devices = self._devices if with_devices else ()
        tied = devices if self._counting.ties_overhead else ()
        total: dict[str, Number] = {}
        for container in self._spec.get("containers") or ():
            _add(total, self._completed(container, read(container), tied))
        sidecars: dict[str, Number] = {}
        starting: dict[str, Number] = {}
        for container in self._spec.get("initContainers") or ():
            if container.get("restartPolicy") == "Always":
                own = self._completed(container, read(container), tied)
                _add(total, own)
                _add(sidecars, own)
                _raise_to(starting, sidecars)
            else:
                own = self._completed(container, read_starting(container), tied)
                _add(own, sidecars)
                _raise_to(starting, own)
        _raise_to(total, starting)
        self._add_devices(total, devices)
        return total

    def _completed(
        self, container: Mapping[str, Any], found: dict[str, Number], tied: Sequence[Mapping[str, Any]]
    ) -> dict[str, Number]:
        """What a container counts with; ``tied``: the claims of devices that take of the node while it runs."""
        for resource, number in self._missing.items():
            found.setdefault(resource, number)
        for claim in tied:
            for _ in range((claim.get("containers") or ()).count(container.get("name"))):
                _add(found, self._overhead(claim, "perContainer"))
        return found

    # -- one container ---------------------------------------------------------------------------------------

    def _wanted(self, container: Mapping[str, Any]) -> dict[str, Number]:
        return self._read((container.get("resources") or {}).get(self._role))

    def _effective(self, container: Mapping[str, Any]) -> dict[str, Number]:
        entry = self._entries.get(container.get("name"))
        if entry is None or entry.get("resources") is None:
            return self._wanted(container)
        given = {} if self._is_infeasible else self._wanted(container)
        _raise_to(given, self._read(entry["resources"].get(self._role)))
        if self._role == "requests":
            _raise_to(given, self._read(entry.get("allocatedResources")))
        return given

    def _allocated(self, container: Mapping[str, Any]) -> dict[str, Number]:
        allocated = (self._entries.get(container.get("name")) or {}).get("allocatedResources")
        if allocated is not None:
            return self._read(allocated)
        return {} if self._is_infeasible else self._wanted(container)

    def _actuated(self, container: Mapping[str, Any]) -> dict[str, Number]:
        entry = self._entries.get(container.get("name")) or {}
        actuated = (entry.get("resources") or {}).get(self._role)
        return self._allocated(container) if actuated is None else self._read(actuated)

    # -- the pod as a whole ----------------------------------------------------------------------------------

    def _largest_total(self) -> dict[str, Number]:
        allocated, actuated = self._status.get("allocatedResources"), self._pod_status
        if self._counting.reads_pod_status and allocated is not None and actuated is not None:
            statuses = [self._read(actuated), self._read(allocated)]
        else:
            actuated_total = self._sum(self._actuated, self._actuated, with_devices=False)
            statuses = [actuated_total, self._sum(self._allocated, self._allocated)]
        total = {} if self._is_infeasible else self._sum(self._wanted, self._wanted)
        for each in statuses:
            _raise_to(total, each)
        return total

    def _add_devices(self, total: dict[str, Number], devices: Sequence[Mapping[str, Any]]) -> None:
        """Add what the pod's devices take of the node's resources as long as the pod is there."""
        for claim in devices:
            # Until 1.36 a map, from 1.37 lists.
            _add(total, self._read(claim.get("resources")))
            for mapped in claim.get("mapping") or ():
                _add(total, self._read({mapped["name"]: mapped["quantity"]}))
            _add(total, self._overhead(claim, "perPod"))
            for _ in () if self._counting.ties_overhead else claim.get("containers") or ():
                _add(total, self._overhead(claim, "perContainer"))

    def _overhead(self, claim: Mapping[str, Any], part: str) -> dict[str, Number]:
        """What a claim's devices take beside what they are, once for the pod or for each container."""
        found = (each for each in claim.get("overhead") or () if each.get(part))
        return self._read({each["name"]: each[part] for each in found})

    @property
    def _pod_status(self) -> Mapping[str, Any] | None:
        found: Mapping[str, Any] | None = (self._status.get("resources") or {}).get(self._role)
        return found

    def _apply_pod_level(self, total: dict[str, Number]) -> None:
        """Let what the pod requests as a whole stand for what its containers do."""
        wanted = self._read(_pod_level(self._spec, self._role))
        if not wanted or not self._counting.reads_pod_status or self._status.get("resources") is None:
            total.update(wanted)
            return
        given = {} if self._is_infeasible else dict(wanted)
        _raise_to(given, self._read(self._pod_status))
        if self._role == "requests":
            _raise_to(given, self._read(self._status.get("allocatedResources")))
        names = filter(is_pod_level, given) if self._counting.is_of_whole_pod else wanted
        total.update({name: given.get(name, self._parse("0")) for name in names})


def has_pod_level(spec: Mapping[str, Any]) -> bool:
    """Whether a pod requests or limits anything as a whole, beside what its containers do."""
    resources = spec.get("resources") or {}
    return any(is_pod_level(name) for kind in ("requests", "limits") for name in resources.get(kind) or ())


def is_pod_level(resource: str) -> bool:
    """Whether a pod may request or limit a resource as a whole."""
    return resource in _POD_LEVEL or resource.startswith(HUGE_PAGES)


def _pod_level(spec: Mapping[str, Any], role: str) -> dict[str, Any]:
    wanted = (spec.get("resources") or {}).get(role) or {}
    return {resource: quantity for resource, quantity in wanted.items() if is_pod_level(resource)}


def non_zero_amounts(pod: Mapping[str, Any], requests: Amounts, counting: Counting = BY_CONTAINER) -> tuple[int, int]:
    """(milli-CPU, bytes) that a placed pod counts with in scoring, where nothing counts as something."""
    if _pod_level(pod.get("spec") or {}, "requests"):
        missing = {resource: number for resource, number in NON_ZERO_DEFAULTS.items() if resource not in requests}
    else:
        missing = dict(NON_ZERO_DEFAULTS)
    counted = pod_amounts(pod, missing=missing, counting=counting) if missing else requests
    return counted.get(CPU, 0), counted.get(MEMORY, 0)


def scheduled_amounts(requests: Mapping[str, int]) -> Amounts:
    """The part of a pod's requests that the scheduler books on a node."""
    return {
        resource: number
        for resource, number in requests.items()
        if resource in (CPU, MEMORY, EPHEMERAL_STORAGE) or is_scalar(resource)
    }


# Sizes of the images that a node has.


def image_sizes(images: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    """Bytes by image name; an image listed twice keeps the first size, as in the scheduler's cache."""
    sizes: dict[str, int] = {}
    for image in images:
        for name in image.get("names") or ():
            sizes.setdefault(intern(str(name)), int(image.get("sizeBytes") or 0))
    return sizes


# What nodes have of resources, and what the pods on them request, as they are and in imagined worlds.


# Scores from how much of a node is asked for: shared arithmetic of the two node-resources score plugins.
#
# Upstream: ``pkg/scheduler/framework/plugins/noderesources`` v1.34.1. All integer arithmetic is int64 with the same
# truncations; the balanced score and the rounding of the shape score are float64, as there.


# In which unit amounts of a resource are kept, after it was read from a quantity.


class Unit(enum.StrEnum):
    """The unit in which amounts of a resource are kept."""

    MILLI_CPU = "milli-cpu"
    BYTES = "bytes"
    COUNT = "count"


def resource_unit(resource: str) -> Unit:
    """Return the unit in which amounts of a resource are kept."""
    if resource == CPU:
        return Unit.MILLI_CPU
    if resource in (MEMORY, EPHEMERAL_STORAGE) or resource.startswith(HUGE_PAGES):
        return Unit.BYTES
    return Unit.COUNT
