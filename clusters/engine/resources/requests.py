"""What a pod requests of a node, in exact base units (milli-CPU, bytes, counts).

Upstream: ``k8s.io/component-helpers/resource/helpers.go`` (PodRequests) and
``pkg/scheduler/framework/types.go`` (CalculateResource), both v1.34.1 with the feature gates at their
defaults: in-place vertical scaling, sidecar containers and pod-level resources are on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from clusters.engine.resources.quantity import (
    MAX_INT64,
    NANO,
    Quantity,
    milli_value,
    nano_units,
    parsed,
    taken_over,
    value,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

Amounts = dict[str, int]
Number = TypeVar("Number", int, Quantity)

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


def amount(resource: str, quantity: Any) -> int:
    """A quantity of a resource in its base unit: milli for cpu, whole units (rounded up) otherwise."""
    return milli_value(quantity) if resource == CPU else value(quantity)


def is_extended(resource: str) -> bool:
    """Whether a resource is an extended one: a domain of its own, not one that Kubernetes reserves."""
    return "/" in resource and NATIVE_DOMAIN not in resource and not resource.startswith("requests.")


def is_scalar(resource: str) -> bool:
    """Whether the scheduler counts a resource beside cpu, memory and ephemeral storage."""
    return is_extended(resource) or NATIVE_DOMAIN in resource or resource.startswith((HUGE_PAGES, _ATTACHABLE))


def node_amounts(quantities: Mapping[str, Any] | None) -> Amounts:
    """The allocatable quantities of a node that the scheduler reads."""
    found: Amounts = {}
    for resource, quantity in (quantities or {}).items():
        if resource in (CPU, MEMORY, EPHEMERAL_STORAGE, PODS) or is_scalar(resource):
            found[resource] = amount(resource, quantity)
    return found


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
        if condition.get("type") == "PodResizePending":
            return bool(condition.get("reason") == "Infeasible")
    return False


def _restartable(container: Mapping[str, Any]) -> bool:
    return container.get("restartPolicy") == "Always"


def _status_aware(
    pod: Mapping[str, Any], read: Callable[[Mapping[str, Any] | None], dict[str, Number]], role: str
) -> Callable[[Mapping[str, Any]], dict[str, Number]]:
    """How a container's requests or limits are read while a resize may be under way."""
    status = pod.get("status") or {}
    by_name = {
        entry.get("name"): entry
        for key in ("containerStatuses", "initContainerStatuses")
        for entry in status.get(key) or ()
    }
    infeasible = _resize_infeasible(status)

    def requests(container: Mapping[str, Any]) -> dict[str, Number]:
        wanted = read((container.get("resources") or {}).get(role))
        entry = by_name.get(container.get("name"))
        if entry is None or entry.get("resources") is None:
            return wanted
        given: dict[str, Number] = {} if infeasible else wanted
        _raise_to(given, read(entry["resources"].get(role)))
        if role == "requests":
            _raise_to(given, read(entry.get("allocatedResources")))
        return given

    return requests


def pod_amounts(
    pod: Mapping[str, Any],
    *,
    use_status: bool = True,
    pod_level: bool = True,
    missing: Mapping[str, int] | None = None,
) -> Amounts:
    """The requests of a whole pod: containers, sidecars, init containers, pod level and overhead.

    ``missing`` gives the amount that a container counts with when it does not mention a resource.
    ``use_status`` reads what the kubelet has allocated while a resize is under way.
    """

    def total(parse: Callable[[Any], Number], defaults: Mapping[str, Number]) -> dict[str, Number]:
        return _total(pod, parse, defaults, use_status=use_status, pod_level=pod_level)

    units = {name: 3 if name == CPU else 0 for name in missing or ()}
    # Exact, and the same as the scheduler's own as long as nothing is negative or leaves int64.
    nanos = total(nano_units, {name: number * 10 ** (NANO - units[name]) for name, number in (missing or {}).items()})
    if all(0 <= number <= _MOST_NANOS for number in nanos.values()):
        return {name: -(-number // (_NANOS_PER_MILLI if name == CPU else _NANOS)) for name, number in nanos.items()}
    quantities = total(parsed, {name: Quantity(number, -units[name]) for name, number in (missing or {}).items()})
    return {name: number.scaled(3 if name == CPU else 0) for name, number in quantities.items()}


def pod_quantities(pod: Mapping[str, Any], role: str) -> dict[str, Quantity]:
    """The ``requests`` or ``limits`` of a whole pod as quantities, as exact and as written as Go adds them up.

    Upstream: ``PodRequests`` and ``PodLimits``, as the API server charges quotas. Raises QuantityError.
    """
    return _total(pod, parsed, {}, use_status=True, pod_level=True, role=role)


def _total(
    pod: Mapping[str, Any],
    parse: Callable[[Any], Number],
    missing: Mapping[str, Number],
    *,
    use_status: bool,
    pod_level: bool,
    role: str = "requests",
) -> dict[str, Number]:
    """``pod_amounts`` in the arithmetic of one kind of number."""
    spec = pod.get("spec") or {}

    def read(quantities: Mapping[str, Any] | None) -> dict[str, Number]:
        return {name: parse(quantity) for name, quantity in (quantities or {}).items()}

    def spec_only(container: Mapping[str, Any]) -> dict[str, Number]:
        return read((container.get("resources") or {}).get(role))

    reader = _status_aware(pod, read, role) if use_status else spec_only

    def requests(container: Mapping[str, Any], reader: Callable[[Mapping[str, Any]], dict[str, Number]]) -> Any:
        found = reader(container)
        for resource, number in missing.items():
            found.setdefault(resource, number)
        return found

    total: dict[str, Number] = {}
    for container in spec.get("containers") or ():
        _add(total, requests(container, reader))
    sidecars: dict[str, Number] = {}
    starting: dict[str, Number] = {}
    for container in spec.get("initContainers") or ():
        if _restartable(container):
            own = requests(container, reader)
            _add(total, own)
            _add(sidecars, own)
            _raise_to(starting, sidecars)
        else:
            own = requests(container, spec_only)
            _add(own, sidecars)
            _raise_to(starting, own)
    _raise_to(total, starting)
    if pod_level:
        total.update(read(_pod_level(spec, role)))
    overhead = read(spec.get("overhead"))
    if role == "limits":
        # Where there is no limit, overhead makes none.
        zero = parse("0")
        overhead = {name: number for name, number in overhead.items() if total.get(name, zero) > zero}
    _add(total, overhead)
    return total


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


def non_zero_amounts(pod: Mapping[str, Any], requests: Amounts) -> tuple[int, int]:
    """(milli-CPU, bytes) that a placed pod counts with in scoring, where nothing counts as something."""
    if _pod_level(pod.get("spec") or {}, "requests"):
        missing = {resource: number for resource, number in NON_ZERO_DEFAULTS.items() if resource not in requests}
    else:
        missing = dict(NON_ZERO_DEFAULTS)
    counted = pod_amounts(pod, missing=missing) if missing else requests
    return counted.get(CPU, 0), counted.get(MEMORY, 0)


def scheduled_amounts(requests: Mapping[str, int]) -> Amounts:
    """The part of a pod's requests that the scheduler books on a node."""
    return {
        resource: number
        for resource, number in requests.items()
        if resource in (CPU, MEMORY, EPHEMERAL_STORAGE) or is_scalar(resource)
    }
