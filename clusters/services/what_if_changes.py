"""Changes to a pod that need no YAML: each has a name that can stand in an address, and says in words what it does.

Each works on a document as it is written, and leaves the given one as it is.
"""

from __future__ import annotations

from copy import deepcopy
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from clusters.engine.plugins.node_resources_fit import PODS
from clusters.engine.quantity import QuantityError, milli_value
from clusters.engine.requests import pod_amounts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from clusters.engine import Explanation
    from clusters.engine.plugin import Constraint

REQUIRED: Final = "requiredDuringSchedulingIgnoredDuringExecution"
_MOST_CLASSES: Final = 3
_MOST_TAINTS: Final = 4


class Change(NamedTuple):
    """One change; ``about`` is what it is applied to, empty where there is only one such thing."""

    kind: str
    about: str = ""

    @property
    def name(self) -> str:
        """Return what stands for the change in an address."""
        return f"{self.kind}:{self.about}" if self.about else self.kind

    @classmethod
    def named(cls, name: str) -> Change | None:
        """Return the change of a name, None where there is none such."""
        kind, _, about = name.partition(":")
        return cls(kind, about) if kind in _APPLY else None

    def apply(self, document: dict[str, Any]) -> dict[str, Any]:
        """Return the document with the change made. Where it has nothing to change, it comes out as it was."""
        changed = deepcopy(document)
        spec = changed.get("spec")
        if isinstance(spec, dict):
            _APPLY[self.kind](spec, self.about)
        return changed


def offered(document: dict[str, Any], explanation: Explanation) -> Iterator[Change]:
    """Yield the changes that would change something about a pod as the explanation found it, the gentlest first."""
    spec = document.get("spec") or {}
    for change in _by_field(spec):
        if change.apply(document) != document:
            yield change
    classes = sorted(
        (int(each.get("value") or 0), str((each.get("metadata") or {}).get("name")))
        for each in explanation.snapshot.objects("PriorityClass")
    )
    higher = [name for value, name in classes if value > explanation.pod.priority and not name.startswith("system-")]
    yield from (Change("priority", name) for name in higher[-_MOST_CLASSES:])
    yield from (Change("tolerate", taint) for taint in _taints(explanation))


def _by_field(spec: dict[str, Any]) -> Iterator[Change]:
    yield Change("no-gates")
    yield Change("no-node-selector")
    yield Change("no-node-affinity")
    yield from (Change("no-spread", str(number)) for number in range(len(spec.get("topologySpreadConstraints") or ())))
    yield Change("no-pod-affinity")
    yield Change("no-pod-anti-affinity")
    yield Change("no-host-ports")
    yield Change("halve-requests")
    yield Change("double-requests")


def _taints(explanation: Explanation) -> list[str]:
    plugin = explanation.cycle.plugins.get("TaintToleration")
    if plugin is None or "TaintToleration" not in explanation.cycle.filters:
        return []
    return [constraint.about for constraint in plugin.constraints()][:_MOST_TAINTS]


def that_lift(explanation: Explanation, constraints: Iterable[Constraint]) -> list[Change] | None:
    """Return the changes to the pod that lift requirements, None where one of them is not the pod's to change."""
    found = [_lifting(explanation, constraint) for constraint in constraints]
    return None if None in found else [change for change in found if change is not None]


def to_ask_for(resource: str, amount: int) -> Change | None:
    """Return the change that asks for so much of a resource, in base units; None for what no pod asks for."""
    if resource == PODS:
        return None
    return Change("ask", f"{resource}={amount}m" if resource == "cpu" else f"{resource}={amount}")


def _lifting(explanation: Explanation, constraint: Constraint) -> Change | None:
    plugin, about = constraint.plugin, constraint.about
    spec = explanation.pod.spec
    if plugin == "TaintToleration" and about:
        return Change("tolerate", about)
    if plugin == "NodeAffinity":
        if about.startswith("nodeSelector "):
            return Change("no-selector", about.removeprefix("nodeSelector ").partition("=")[0])
        return Change("no-node-affinity") if "addedAffinity" not in about else None
    if plugin == "PodTopologySpread":
        hard = [
            number
            for number, each in enumerate(spec.get("topologySpreadConstraints") or ())
            if (each.get("whenUnsatisfiable") or "DoNotSchedule") == "DoNotSchedule"
        ]
        return Change("no-spread", str(hard[constraint.number])) if 0 <= constraint.number < len(hard) else None
    if plugin == "InterPodAffinity":
        rules = explanation.pod.affinity
        near, apart = len(rules.required), len(rules.required_anti)
        if 0 <= constraint.number < near:
            return Change("no-pod-affinity", str(constraint.number))
        if near <= constraint.number < near + apart:
            return Change("no-pod-anti-affinity", str(constraint.number - near))
        return None
    if plugin == "NodePorts":
        return Change("no-host-ports")
    if plugin == "NodeName":
        return Change("no-node-name")
    return None


# -- what each does ----------------------------------------------------------------------------------------------------


def _drop(field: str) -> Callable[[dict[str, Any], str], None]:
    def apply(spec: dict[str, Any], _: str) -> None:
        spec.pop(field, None)

    return apply


def _no_selector(spec: dict[str, Any], key: str) -> None:
    selector = spec.get("nodeSelector")
    if isinstance(selector, dict):
        selector.pop(key, None)
        if not selector:
            del spec["nodeSelector"]


def _no_terms(kind: str) -> Callable[[dict[str, Any], str], None]:
    """Build the change that removes what affinity requires: all of it, or one term of a list."""

    def apply(spec: dict[str, Any], about: str) -> None:
        affinity = spec.get("affinity")
        if not isinstance(affinity, dict):
            return
        rules = affinity.get(kind)
        if not isinstance(rules, dict) or REQUIRED not in rules:
            return
        terms = rules[REQUIRED]
        if about.isdecimal() and isinstance(terms, list) and len(terms) > 1:
            rules[REQUIRED] = [term for number, term in enumerate(terms) if number != int(about)]
            return
        del rules[REQUIRED]
        if not rules:
            del affinity[kind]
        if not affinity:
            del spec["affinity"]

    return apply


def _no_spread(spec: dict[str, Any], about: str) -> None:
    constraints = spec.get("topologySpreadConstraints")
    if isinstance(constraints, list) and about.isdecimal() and int(about) < len(constraints):
        spec["topologySpreadConstraints"] = [each for number, each in enumerate(constraints) if number != int(about)]
        if not spec["topologySpreadConstraints"]:
            del spec["topologySpreadConstraints"]


def _no_host_ports(spec: dict[str, Any], _: str) -> None:
    spec.pop("hostNetwork", None)
    for container in _containers(spec):
        for port in container.get("ports") or ():
            if isinstance(port, dict):
                port.pop("hostPort", None)
                port.pop("hostIP", None)


def _priority(spec: dict[str, Any], name: str) -> None:
    # Admission finds the number and the policy of the class.
    for field in ("priority", "preemptionPolicy"):
        spec.pop(field, None)
    spec["priorityClassName"] = name


def _tolerate(spec: dict[str, Any], taint: str) -> None:
    pair, _, effect = taint.rpartition(":") if ":" in taint else (taint, "", "")
    key, _, value = pair.partition("=")
    added: dict[str, Any] = {"key": key, "operator": "Equal", "value": value} if value else {"key": key}
    added.setdefault("operator", "Exists")
    if effect:
        added["effect"] = effect
    given = spec.get("tolerations") or []
    if isinstance(given, list) and added not in given:
        spec["tolerations"] = [*given, added]


def _times(factor: Fraction) -> Callable[[dict[str, Any], str], None]:
    def apply(spec: dict[str, Any], _: str) -> None:
        for holder in _holders(spec):
            for resource in list(_requests(holder)):
                _scale(holder, resource, factor)

    return apply


def _ask(spec: dict[str, Any], about: str) -> None:
    """Bring the whole pod's request for a resource, overhead included, down to an amount, all by the same factor."""
    resource, _, wanted = about.partition("=")
    try:
        # What a RuntimeClass adds is not the pod's to change: the rest has to make up for it.
        target = max(0, milli_value(wanted) - milli_value((spec.get("overhead") or {}).get(resource, 0)))
        asked = pod_amounts({"spec": {key: part for key, part in spec.items() if key != "overhead"}}, use_status=False)
    except (QuantityError, TypeError, AttributeError):
        return
    present = asked.get(resource, 0) * (1 if resource == "cpu" else 1000)
    if present and target < present:
        for holder in _holders(spec):
            if resource in _requests(holder):
                _scale(holder, resource, Fraction(target, present))


def _containers(spec: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for kind in ("containers", "initContainers"):
        containers = spec.get(kind)
        yield from (each for each in (containers if isinstance(containers, list) else ()) if isinstance(each, dict))


def _holders(spec: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield all that has requests: containers, and the pod where it has some at its own level."""
    yield from _containers(spec)
    if isinstance(spec.get("resources"), dict):
        yield spec


def _requests(holder: dict[str, Any]) -> dict[str, Any]:
    requests = (holder.get("resources") or {}).get("requests")
    return requests if isinstance(requests, dict) else {}


def _scale(holder: dict[str, Any], resource: str, factor: Fraction) -> None:
    """Multiply one request, rounded down; a limit below it is raised along, as the API server takes none such."""
    requests = _requests(holder)
    limits = (holder.get("resources") or {}).get("limits")
    try:
        thousandths = int(milli_value(requests[resource]) * factor)
        written = _written(resource, thousandths)
        if isinstance(limits, dict) and resource in limits and milli_value(limits[resource]) < thousandths:
            limits[resource] = written
    except QuantityError:
        return
    requests[resource] = written


def _written(resource: str, thousandths: int) -> str:
    if resource == "cpu" and thousandths % 1000:
        return f"{thousandths}m"
    whole = thousandths // 1000
    for unit, size in (("Gi", 2**30), ("Mi", 2**20), ("Ki", 2**10)):
        if resource != "cpu" and whole and whole % size == 0:
            return f"{whole // size}{unit}"
    return str(whole)


_APPLY: Final[dict[str, Callable[[dict[str, Any], str], None]]] = {
    "ask": _ask,
    "double-requests": _times(Fraction(2)),
    "halve-requests": _times(Fraction(1, 2)),
    "no-gates": _drop("schedulingGates"),
    "no-host-ports": _no_host_ports,
    "no-node-affinity": _no_terms("nodeAffinity"),
    "no-node-name": _drop("nodeName"),
    "no-node-selector": _drop("nodeSelector"),
    "no-pod-affinity": _no_terms("podAffinity"),
    "no-pod-anti-affinity": _no_terms("podAntiAffinity"),
    "no-selector": _no_selector,
    "no-spread": _no_spread,
    "priority": _priority,
    "tolerate": _tolerate,
}
