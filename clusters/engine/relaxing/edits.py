"""Edits of a pod's manifest that lift a requirement or lower a request: each is named by the content it concerns.

An entry of a list is named by a digest of what it says, never by where it stands: of two edits of one list neither
changes what the other means, and an edit of an entry that is gone finds nothing instead of another entry.
"""

from __future__ import annotations

from copy import deepcopy
from fractions import Fraction
from functools import partial
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from clusters.engine.matching.selectors import Operator, Requirement
from clusters.engine.objects import HostPort
from clusters.engine.resources.quantity import QuantityError, milli_value
from clusters.engine.resources.requests import CPU, EPHEMERAL_STORAGE, MEMORY, pod_amounts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from clusters.engine.matching.taints import Taint
    from clusters.engine.objects import Document

REQUIRED: Final = "requiredDuringSchedulingIgnoredDuringExecution"
_REQUIREMENTS: Final = ("matchExpressions", "matchFields")
_MERGED_KEYS: Final = ("matchLabelKeys", "mismatchLabelKeys")


class Edit(NamedTuple):
    """One edit; ``about`` is what it is applied to, empty where there is only one such thing."""

    kind: str
    about: str = ""

    def apply(self, document: Document) -> dict[str, Any]:
        """Return the document with the edit made, and leave the given one as it is.

        Where there is nothing to edit it comes out as it was, as does what is not of the right type.
        """
        changed = deepcopy(dict(document), {id(entry): entry for entry in _untouched(_field(dict(document), "spec"))})
        spec = changed.get("spec")
        if isinstance(spec, dict):
            EDITS[self.kind](spec, self.about)
        return changed


def tolerating(taint: Taint) -> Edit:
    """Return the edit that adds a toleration of a taint."""
    return Edit("tolerate", str(taint))


def without_port(port: HostPort) -> Edit:
    """Return the edit that gives up a host port."""
    return Edit("no-host-port", str(port))


def without_requirement(field: str, requirement: Requirement) -> Edit:
    """Return the edit that removes a requirement of node affinity, one of matchExpressions or matchFields."""
    return Edit("no-node-requirement", _requirement_digest(field, requirement))


def _requirement_digest(field: str, requirement: Requirement) -> str:
    return digest([field, requirement.key, str(requirement.operator), list(requirement.values)])


def asking(resource: str, amount: int) -> Edit:
    """Return the edit that requests at most so much of a resource, in base units."""
    return Edit("ask", f"{resource}={amount}m" if resource == CPU else f"{resource}={amount}")


def digest(entry: Any) -> str:
    """Name an entry of a list by what it says, in 12 hexadecimal digits.

    The API server writes requirements for matchLabelKeys into selectors when it creates a pod: an entry is the same
    with and without them. It is the same where a field is null and where it is missing.
    """
    if isinstance(entry, dict):
        entry = _as_authored({key: value for key, value in entry.items() if value is not None})
    return blake2b(repr(_ordered(entry)).encode(), digest_size=6).hexdigest()


def _ordered(value: Any) -> Any:
    """Put every map of a value into an order that does not depend on how it was written."""
    if isinstance(value, dict):
        return [(key, _ordered(value[key])) for key in sorted(value, key=str)]
    return [_ordered(each) for each in value] if isinstance(value, list) else value


def _as_authored(entry: dict[str, Any]) -> dict[str, Any]:
    keys = [key for field in _MERGED_KEYS for key in _entries(entry.get(field))]
    selector = entry.get("labelSelector")
    if not keys or not isinstance(selector, dict):
        return entry
    rest = {field: value for field, value in selector.items() if field != "matchExpressions"}
    written = [
        each
        for each in _entries(selector.get("matchExpressions"))
        if not isinstance(each, dict) or each.get("key") not in keys
    ]
    return {**entry, "labelSelector": {**rest, "matchExpressions": written} if written else rest}


def entry_of(document: Document, edit: Edit) -> dict[str, Any] | None:
    """Return the entry of a document that an edit removes; None where it names none that is there."""
    spec = _field(dict(document), "spec")
    affinity = _field(spec, "affinity")
    named: list[tuple[Any, str]] = []
    if edit.kind == "no-spread":
        named = [(each, digest(each)) for each in _entries(spec.get("topologySpreadConstraints"))]
    elif edit.kind in _AFFINITIES:
        named = [(each, digest(each)) for each in _entries(_field(affinity, _AFFINITIES[edit.kind]).get(REQUIRED))]
    elif edit.kind == "no-node-requirement":
        terms = _entries(_field(_field(affinity, "nodeAffinity"), REQUIRED).get("nodeSelectorTerms"))
        named = [
            (each, _named_requirement(field, each))
            for field in _REQUIREMENTS
            for term in terms
            for each in _entries(_field({"term": term}, "term").get(field))
        ]
    return next((each for each, name in named if isinstance(each, dict) and name == edit.about), None)


def _untouched(spec: dict[str, Any]) -> Iterator[Any]:
    """Yield entries, possibly thousands, that edits add to and remove but never change: they need no copy."""
    affinity = _field(spec, "affinity")
    yield from _entries(spec.get("topologySpreadConstraints"))
    for kind in _AFFINITIES.values():
        yield from _entries(_field(affinity, kind).get(REQUIRED))


# -- what each does ----------------------------------------------------------------------------------------------------


def _entries(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _field(owner: dict[str, Any], name: str) -> dict[str, Any]:
    value = owner.get(name)
    return value if isinstance(value, dict) else {}


def _drop(field: str) -> Callable[[dict[str, Any], str], None]:
    def apply(spec: dict[str, Any], _: str) -> None:
        spec.pop(field, None)

    return apply


def _no_selector(spec: dict[str, Any], pair: str) -> None:
    key, _, value = pair.partition("=")
    selector = _field(spec, "nodeSelector")
    if selector.get(key) == value:
        del selector[key]
        if not selector:
            del spec["nodeSelector"]


def _remove(owner: dict[str, Any], field: str, name: str, named: Callable[[Any], str] = digest) -> None:
    """Remove every entry of a list that a digest names, and the list with its last entry."""
    entries = owner.get(field)
    if not isinstance(entries, list):
        return
    kept = [each for each in entries if named(each) != name]
    if len(kept) < len(entries):
        owner[field] = kept
        if not kept:
            del owner[field]


def _no_terms(kind: str) -> Callable[[dict[str, Any], str], None]:
    """Build the edit that removes what affinity requires: all of it, or one term of a list."""

    def apply(spec: dict[str, Any], name: str) -> None:
        rules = _field(_field(spec, "affinity"), kind)
        if name:
            _remove(rules, REQUIRED, name)
        else:
            rules.pop(REQUIRED, None)
        _tidy(spec, kind)

    return apply


def _tidy(spec: dict[str, Any], kind: str) -> None:
    """Leave no empty affinity behind."""
    affinity = _field(spec, "affinity")
    if affinity.get(kind) == {}:
        del affinity[kind]
    if spec.get("affinity") == {}:
        del spec["affinity"]


def _no_node_requirement(spec: dict[str, Any], name: str) -> None:
    """Remove a requirement from each term of the node affinity; a term without any would match no node, so it goes."""
    rules = _field(_field(spec, "affinity"), "nodeAffinity")
    required = _field(rules, REQUIRED)
    terms = _entries(required.get("nodeSelectorTerms"))
    for term in terms:
        for field in _REQUIREMENTS if isinstance(term, dict) else ():
            _remove(term, field, name, partial(_named_requirement, field))
    if {} in terms:
        required["nodeSelectorTerms"] = kept = [term for term in terms if term != {}]
        if not kept:
            del rules[REQUIRED]
            _tidy(spec, "nodeAffinity")


def _named_requirement(field: str, entry: Any) -> str:
    """Name an entry as the requirement that it is read as; nothing for what cannot be read."""
    try:
        return _requirement_digest(
            field, Requirement.of(entry["key"], Operator(entry["operator"]), entry.get("values") or ())
        )
    except (TypeError, KeyError, ValueError, AttributeError):
        return ""


def _no_spread(spec: dict[str, Any], name: str) -> None:
    if name:
        _remove(spec, "topologySpreadConstraints", name)
    else:
        spec.pop("topologySpreadConstraints", None)


def _no_host_ports(spec: dict[str, Any], about: str) -> None:
    """Give up one host port, or all of them. On the host's network a port that is declared is a host port."""
    on_host = spec.get("hostNetwork") is True
    if on_host and not about:
        del spec["hostNetwork"]
    for container in _containers(spec):
        ports = container.get("ports")
        if not isinstance(ports, list):
            continue
        kept = []
        for port in ports:
            if not isinstance(port, dict) or not _takes(port, about):
                kept.append(port)
            elif not (on_host and about):
                kept.append({key: value for key, value in port.items() if key not in ("hostPort", "hostIP")})
        container["ports"] = kept
        if ports and not kept:
            del container["ports"]


def _takes(port: dict[str, Any], about: str) -> bool:
    try:
        return not about or str(HostPort.from_dict(port)) == about
    except (TypeError, ValueError):
        return False


def _priority(spec: dict[str, Any], name: str) -> None:
    # Admission finds the number and the policy of the class.
    for field in ("priority", "preemptionPolicy"):
        spec.pop(field, None)
    spec["priorityClassName"] = name


def _tolerate(spec: dict[str, Any], taint: str) -> None:
    pair, _, effect = taint.rpartition(":")
    key, _, value = pair.partition("=")
    of_value = {"operator": "Equal", "value": value} if value else {"operator": "Exists"}
    _add_toleration(spec, {"key": key, **of_value, "effect": effect})


def _tolerate_everything(spec: dict[str, Any], _: str) -> None:
    _add_toleration(spec, {"operator": "Exists"})


def _add_toleration(spec: dict[str, Any], added: dict[str, Any]) -> None:
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
        target = max(0, milli_value(wanted) - milli_value(_field(spec, "overhead").get(resource, 0)))
        asked = pod_amounts({"spec": {key: part for key, part in spec.items() if key != "overhead"}}, use_status=False)
    except (QuantityError, TypeError, AttributeError):
        return
    present = asked.get(resource, 0) * (1 if resource == CPU else 1000)
    if present and target < present:
        for holder in _holders(spec):
            if resource in _requests(holder):
                _scale(holder, resource, Fraction(target, present))


def _containers(spec: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for kind in ("containers", "initContainers"):
        yield from (each for each in _entries(spec.get(kind)) if isinstance(each, dict))


def _holders(spec: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield all that has requests: containers, and the pod where it has some at its own level."""
    yield from _containers(spec)
    if isinstance(spec.get("resources"), dict):
        yield spec


def _requests(holder: dict[str, Any]) -> dict[str, Any]:
    return _field(_field(holder, "resources"), "requests")


def _scale(holder: dict[str, Any], resource: str, factor: Fraction) -> None:
    """Multiply one request, rounded down, and keep its limit one that the API server takes.

    A limit below the request is raised along; of a resource that is never overcommitted the two are equal.
    """
    requests, limits = _requests(holder), _field(_field(holder, "resources"), "limits")
    may_differ = resource in (CPU, MEMORY, EPHEMERAL_STORAGE)
    try:
        thousandths = int(milli_value(requests[resource]) * factor)
        written = _written(resource, thousandths)
        if resource in limits and not (may_differ and milli_value(limits[resource]) >= thousandths):
            limits[resource] = written
    except QuantityError:
        return
    requests[resource] = written


def _written(resource: str, thousandths: int) -> str:
    if resource == CPU and thousandths % 1000:
        return f"{thousandths}m"
    whole = thousandths // 1000
    for unit, size in (("Gi", 2**30), ("Mi", 2**20), ("Ki", 2**10)):
        if resource != CPU and whole and whole % size == 0:
            return f"{whole // size}{unit}"
    return str(whole)


_AFFINITIES: Final = {"no-pod-affinity": "podAffinity", "no-pod-anti-affinity": "podAntiAffinity"}
EDITS: Final[dict[str, Callable[[dict[str, Any], str], None]]] = {
    "ask": _ask,
    "double-requests": _times(Fraction(2)),
    "halve-requests": _times(Fraction(1, 2)),
    "no-gates": _drop("schedulingGates"),
    "no-host-port": _no_host_ports,
    "no-host-ports": _no_host_ports,
    "no-node-affinity": _no_terms("nodeAffinity"),
    "no-node-name": _drop("nodeName"),
    "no-node-requirement": _no_node_requirement,
    "no-node-selector": _drop("nodeSelector"),
    **{edit: _no_terms(kind) for edit, kind in _AFFINITIES.items()},
    "no-selector": _no_selector,
    "no-spread": _no_spread,
    "priority": _priority,
    "tolerate": _tolerate,
    "tolerate-everything": _tolerate_everything,
}
