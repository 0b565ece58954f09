"""Edits of a pod's manifest that lift a requirement, each named by the content that it concerns.

An entry of a list is named by a digest of what it says, never by where it stands: of two edits of one list neither
changes what the other means, and an edit of an entry that is gone finds nothing instead of another entry."""

from __future__ import annotations

import re
from copy import deepcopy
from fractions import Fraction
from functools import partial
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, ClassVar, Final

from msgspec import Struct

from clusters.engine.objects import Document, HostPort
from clusters.engine.quantity import QuantityError, milli_value
from clusters.engine.resources import CPU, EPHEMERAL_STORAGE, MEMORY, pod_amounts
from clusters.engine.selectors import Operator, Requirement
from clusters.engine.taints import Taint

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


# Entries of a manifest's lists, named by what they say: a name means the same wherever in the list an entry stands.

REQUIRED: Final = "requiredDuringSchedulingIgnoredDuringExecution"
REQUIREMENT_FIELDS: Final = ("matchExpressions", "matchFields")
"""The lists of a node selector term."""
_MERGED_KEYS: Final = ("matchLabelKeys", "mismatchLabelKeys")


def digest(entry: Any) -> str:
    """Name an entry of a list by what it says, in 12 hexadecimal digits.

    The API server writes requirements for matchLabelKeys into selectors when it creates a pod: an entry is the same
    with and without them. It is the same where a field is null and where it is missing.
    """
    if isinstance(entry, dict):
        entry = _as_authored({key: value for key, value in entry.items() if value is not None})
    return blake2b(repr(_ordered(entry)).encode(), digest_size=6).hexdigest()


def requirement_digest(field: str, requirement: Requirement) -> str:
    """Name a requirement of node affinity, an entry of one of REQUIREMENT_FIELDS."""
    return digest([field, requirement.key, str(requirement.operator), list(requirement.values)])


def requirement_name(field: str, entry: Any) -> str:
    """Name an entry as the requirement that it is read as; empty for what cannot be read."""
    try:
        requirement = Requirement.of(entry["key"], Operator(entry["operator"]), entry.get("values") or ())
    except (TypeError, KeyError, ValueError, AttributeError):
        return ""
    return requirement_digest(field, requirement)


def entries(value: Any) -> list[Any]:
    """Return a list of a manifest; empty for what is none."""
    return value if isinstance(value, list) else []


def mapping(owner: dict[str, Any], name: str) -> dict[str, Any]:
    """Return a mapping of a manifest; empty where it is missing or is none."""
    value = owner.get(name)
    return value if isinstance(value, dict) else {}


def containers(spec: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the containers of a pod, init containers last."""
    for kind in ("containers", "initContainers"):
        yield from (each for each in entries(spec.get(kind)) if isinstance(each, dict))


def remove(owner: dict[str, Any], field: str, name: str, named: Callable[[Any], str] = digest) -> None:
    """Remove every entry of a list that has a name, and the list with its last entry."""
    found = owner.get(field)
    if not isinstance(found, list):
        return
    kept = [each for each in found if named(each) != name]
    if len(kept) < len(found):
        owner[field] = kept
        if not kept:
            del owner[field]


def _ordered(value: Any) -> Any:
    """Put every map of a value into an order that does not depend on how it was written."""
    if isinstance(value, dict):
        return [(key, _ordered(value[key])) for key in sorted(value, key=str)]
    return [_ordered(each) for each in value] if isinstance(value, list) else value


def _as_authored(entry: dict[str, Any]) -> dict[str, Any]:
    keys = [key for field in _MERGED_KEYS for key in entries(entry.get(field))]
    selector = entry.get("labelSelector")
    if not keys or not isinstance(selector, dict):
        return entry
    rest = {field: value for field, value in selector.items() if field != "matchExpressions"}
    written = [
        each
        for each in entries(selector.get("matchExpressions"))
        if not isinstance(each, dict) or each.get("key") not in keys
    ]
    return {**entry, "labelSelector": {**rest, "matchExpressions": written} if written else rest}


class Edit(Struct, frozen=True):
    """One edit of a pod; two are equal where they do the same. ``kind`` names its type in addresses."""

    kind: ClassVar[str]

    def apply(self, document: Document) -> dict[str, Any]:
        """Return the document with the edit made, and leave the given one as it is.

        Where there is nothing to edit it comes out as it was, as does what is not of the right type.
        """
        changed = deepcopy(dict(document), {id(entry): entry for entry in _untouched(mapping(dict(document), "spec"))})
        spec = changed.get("spec")
        if isinstance(spec, dict):
            self._make(spec)
        return changed

    def _make(self, spec: dict[str, Any]) -> None:
        """Edit a pod's spec in place."""
        raise NotImplementedError


class EntryEdit(Edit, frozen=True):
    """An edit that removes an entry of a list, named by its digest; ``entry`` None: all of the list."""

    entry: str | None = None

    def entry_in(self, document: Document) -> dict[str, Any] | None:
        """Return the entry that the edit removes from a document; None where it names none that is there."""
        spec = mapping(dict(document), "spec")
        return next((each for each, name in self._named(spec) if isinstance(each, dict) and name == self.entry), None)

    def _named(self, spec: dict[str, Any]) -> Iterator[tuple[Any, str]]:
        """Yield the entries of the list, each with its name."""
        raise NotImplementedError


def _untouched(spec: dict[str, Any]) -> Iterator[Any]:
    """Yield entries, possibly thousands, that edits add to and remove but never change: they need no copy."""
    affinity = mapping(spec, "affinity")
    yield from entries(spec.get("topologySpreadConstraints"))
    for rules in (RemovePodAffinity.rules, RemovePodAntiAffinity.rules):
        yield from entries(mapping(affinity, rules).get(REQUIRED))


# -- fields and lists --------------------------------------------------------------------------------------------------


class _RemoveField(Edit, frozen=True):
    """An edit that removes a whole field of the spec."""

    field: ClassVar[str]

    def _make(self, spec: dict[str, Any]) -> None:
        spec.pop(self.field, None)


class RemoveGates(_RemoveField, frozen=True):
    """Removes the scheduling gates."""

    kind: ClassVar[str] = "no-gates"
    field: ClassVar[str] = "schedulingGates"


class RemoveNodeName(_RemoveField, frozen=True):
    """Removes ``nodeName``."""

    kind: ClassVar[str] = "no-node-name"
    field: ClassVar[str] = "nodeName"


class RemoveNodeSelector(_RemoveField, frozen=True):
    """Removes the node selector with all of its labels."""

    kind: ClassVar[str] = "no-node-selector"
    field: ClassVar[str] = "nodeSelector"


class RemoveSelectorLabel(Edit, frozen=True):
    """Removes one label of the node selector."""

    kind: ClassVar[str] = "no-selector"

    key: str
    value: str

    def _make(self, spec: dict[str, Any]) -> None:
        selector = mapping(spec, "nodeSelector")
        if selector.get(self.key) == self.value:
            del selector[self.key]
            if not selector:
                del spec["nodeSelector"]


class RemoveNodeAffinity(Edit, frozen=True):
    """Removes all of the required node affinity."""

    kind: ClassVar[str] = "no-node-affinity"

    def _make(self, spec: dict[str, Any]) -> None:
        mapping(mapping(spec, "affinity"), "nodeAffinity").pop(REQUIRED, None)
        _tidy(spec, "nodeAffinity")


class RemoveNodeRequirement(EntryEdit, frozen=True):
    """Removes a requirement from each term of the node affinity; a term without any would match no node, so it goes."""

    kind: ClassVar[str] = "no-node-requirement"

    @classmethod
    def of(cls, field: str, requirement: Requirement) -> RemoveNodeRequirement:
        """Return the edit that removes a requirement, one of ``matchExpressions`` or ``matchFields``."""
        return cls(requirement_digest(field, requirement))

    def _make(self, spec: dict[str, Any]) -> None:
        rules = mapping(mapping(spec, "affinity"), "nodeAffinity")
        required = mapping(rules, REQUIRED)
        terms = entries(required.get("nodeSelectorTerms"))
        for term in terms:
            for field in REQUIREMENT_FIELDS if isinstance(term, dict) and self.entry else ():
                remove(term, field, self.entry or "", partial(requirement_name, field))
        if {} in terms:
            required["nodeSelectorTerms"] = kept = [term for term in terms if term != {}]
            if not kept:
                del rules[REQUIRED]
                _tidy(spec, "nodeAffinity")

    def _named(self, spec: dict[str, Any]) -> Iterator[tuple[Any, str]]:
        required = mapping(mapping(mapping(spec, "affinity"), "nodeAffinity"), REQUIRED)
        for field in REQUIREMENT_FIELDS:
            for term in entries(required.get("nodeSelectorTerms")):
                for each in entries(term.get(field)) if isinstance(term, dict) else ():
                    yield each, requirement_name(field, each)


class _RemoveTerms(EntryEdit, frozen=True):
    """Removes what affinity to pods requires: all of it, or one term of a list."""

    rules: ClassVar[str]

    def _make(self, spec: dict[str, Any]) -> None:
        rules = mapping(mapping(spec, "affinity"), self.rules)
        if self.entry is None:
            rules.pop(REQUIRED, None)
        else:
            remove(rules, REQUIRED, self.entry)
        _tidy(spec, self.rules)

    def _named(self, spec: dict[str, Any]) -> Iterator[tuple[Any, str]]:
        for each in entries(mapping(mapping(spec, "affinity"), self.rules).get(REQUIRED)):
            yield each, digest(each)


class RemovePodAffinity(_RemoveTerms, frozen=True):
    """Removes required pod affinity."""

    kind: ClassVar[str] = "no-pod-affinity"
    rules: ClassVar[str] = "podAffinity"


class RemovePodAntiAffinity(_RemoveTerms, frozen=True):
    """Removes required pod anti-affinity."""

    kind: ClassVar[str] = "no-pod-anti-affinity"
    rules: ClassVar[str] = "podAntiAffinity"


class RemoveSpread(EntryEdit, frozen=True):
    """Removes spread constraints."""

    kind: ClassVar[str] = "no-spread"

    def _make(self, spec: dict[str, Any]) -> None:
        if self.entry is None:
            spec.pop("topologySpreadConstraints", None)
        else:
            remove(spec, "topologySpreadConstraints", self.entry)

    def _named(self, spec: dict[str, Any]) -> Iterator[tuple[Any, str]]:
        for each in entries(spec.get("topologySpreadConstraints")):
            yield each, digest(each)


class AdjustSpread(EntryEdit, frozen=True):
    """Sets a field of one spread constraint, and keeps the constraint."""

    kind: ClassVar[str] = "spread"

    field: str = ""
    value: int | str = ""

    def _make(self, spec: dict[str, Any]) -> None:
        given = entries(spec.get("topologySpreadConstraints"))
        if any(name == self.entry for _, name in self._named(spec)):
            spec["topologySpreadConstraints"] = [
                {**each, self.field: self.value} if digest(each) == self.entry else each for each in given
            ]

    def _named(self, spec: dict[str, Any]) -> Iterator[tuple[Any, str]]:
        for each in entries(spec.get("topologySpreadConstraints")):
            yield each, digest(each)


def _tidy(spec: dict[str, Any], rules: str) -> None:
    """Leave no empty affinity behind."""
    affinity = mapping(spec, "affinity")
    if affinity.get(rules) == {}:
        del affinity[rules]
    if spec.get("affinity") == {}:
        del spec["affinity"]


# -- host ports, priority, tolerations ---------------------------------------------------------------------------------


class RemoveHostPorts(Edit, frozen=True):
    """Gives up all host ports. On the host's network a port that is declared is a host port."""

    kind: ClassVar[str] = "no-host-ports"

    def _make(self, spec: dict[str, Any]) -> None:
        if spec.get("hostNetwork") is True:
            del spec["hostNetwork"]
        for container in containers(spec):
            ports = entries(container.get("ports"))
            if ports:
                container["ports"] = [_without_host(port) for port in ports]


class RemoveHostPort(Edit, frozen=True):
    """Gives up one host port. On the host's network a port that is declared is a host port."""

    kind: ClassVar[str] = "no-host-port"

    port: HostPort

    def _make(self, spec: dict[str, Any]) -> None:
        on_host = spec.get("hostNetwork") is True
        for container in containers(spec):
            ports = entries(container.get("ports"))
            kept = [
                _without_host(port) if self._is_taken(port) else port
                for port in ports
                if not (on_host and self._is_taken(port))
            ]
            if kept:
                container["ports"] = kept
            elif ports:
                del container["ports"]

    def _is_taken(self, port: Any) -> bool:
        try:
            return isinstance(port, dict) and HostPort.from_dict(port) == self.port
        except (TypeError, ValueError):
            return False


def _without_host(port: Any) -> Any:
    if not isinstance(port, dict):
        return port
    return {key: value for key, value in port.items() if key not in ("hostPort", "hostIP")}


class SetPriorityClass(Edit, frozen=True):
    """Gives the pod a priority class; admission finds the number and the policy of the class."""

    kind: ClassVar[str] = "priority"

    name: str

    def _make(self, spec: dict[str, Any]) -> None:
        for field in ("priority", "preemptionPolicy"):
            spec.pop(field, None)
        spec["priorityClassName"] = self.name


class Tolerate(Edit, frozen=True):
    """Adds a toleration of a taint."""

    kind: ClassVar[str] = "tolerate"

    taint: Taint

    def _make(self, spec: dict[str, Any]) -> None:
        taint = self.taint
        of_value = {"operator": "Equal", "value": taint.value} if taint.value else {"operator": "Exists"}
        _add_toleration(spec, {"key": taint.key, **of_value, "effect": taint.effect})


class TolerateEverything(Edit, frozen=True):
    """Adds a toleration of every taint."""

    kind: ClassVar[str] = "tolerate-everything"

    def _make(self, spec: dict[str, Any]) -> None:
        _add_toleration(spec, {"operator": "Exists"})


def _add_toleration(spec: dict[str, Any], added: dict[str, Any]) -> None:
    given = spec.get("tolerations") or []
    if isinstance(given, list) and added not in given:
        spec["tolerations"] = [*given, added]


# Edits of a pod's manifest that change what it requests.


class _ScaleRequests(Edit, frozen=True):
    """An edit that multiplies every request."""

    factor: ClassVar[Fraction]

    def _make(self, spec: dict[str, Any]) -> None:
        for holder in _holders(spec):
            for resource in list(_requests(holder)):
                _scale(holder, resource, self.factor)


class DoubleRequests(_ScaleRequests, frozen=True):
    """Requests twice as much of every resource."""

    kind: ClassVar[str] = "double-requests"
    factor: ClassVar[Fraction] = Fraction(2)


class HalveRequests(_ScaleRequests, frozen=True):
    """Requests half as much of every resource."""

    kind: ClassVar[str] = "halve-requests"
    factor: ClassVar[Fraction] = Fraction(1, 2)


class LowerRequest(Edit, frozen=True):
    """Brings the whole pod's request for a resource, overhead included, down to an amount, all by the same factor.

    ``amount`` is in base units: milli-CPU, bytes, or a count.
    """

    kind: ClassVar[str] = "ask"

    resource: str
    amount: int

    def _make(self, spec: dict[str, Any]) -> None:
        per_unit = 1 if self.resource == CPU else 1000
        try:
            # What a RuntimeClass adds is not the pod's to change: the rest has to make up for it.
            overhead = milli_value(mapping(spec, "overhead").get(self.resource, 0))
            own = {key: part for key, part in spec.items() if key != "overhead"}
            asked = pod_amounts({"spec": own}, use_status=False)
        except (QuantityError, TypeError, AttributeError):
            return
        target = max(0, self.amount * per_unit - overhead)
        present = asked.get(self.resource, 0) * per_unit
        if present and target < present:
            for holder in _holders(spec):
                if self.resource in _requests(holder):
                    _scale(holder, self.resource, Fraction(target, present))


def _holders(spec: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield all that has requests: containers, and the pod where it has some at its own level."""
    yield from containers(spec)
    if isinstance(spec.get("resources"), dict):
        yield spec


def _requests(holder: dict[str, Any]) -> dict[str, Any]:
    return mapping(mapping(holder, "resources"), "requests")


def _scale(holder: dict[str, Any], resource: str, factor: Fraction) -> None:
    """Multiply one request, rounded down, and keep its limit one that the API server takes.

    A limit below the request is raised along; of a resource that is never overcommitted the two are equal.
    """
    requests, limits = _requests(holder), mapping(mapping(holder, "resources"), "limits")
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


# Edits as text, as an address holds them: made and read here alone.
#
# ``kind`` or ``kind:content``; the content is what the edit concerns: a label, a taint, a digest of an entry of a
# list.

_LABEL_NAME: Final = r"[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?"
_DOMAIN: Final = r"[a-z0-9](?:[-a-z0-9.]{0,251}[a-z0-9])?"
_KEY: Final = rf"(?:{_DOMAIN}/)?{_LABEL_NAME}"
_DIGEST: Final = r"(?P<entry>[0-9a-f]{12})"

_WHOLE: Final[dict[str, type[Edit]]] = {
    each.kind: each
    for each in (
        DoubleRequests,
        HalveRequests,
        RemoveGates,
        RemoveHostPorts,
        RemoveNodeAffinity,
        RemoveNodeName,
        RemoveNodeSelector,
        RemovePodAffinity,
        RemovePodAntiAffinity,
        RemoveSpread,
        TolerateEverything,
    )
}
"""The edits that need no content: there is one of each, or they concern all of a list."""


def _lower_request(match: re.Match[str]) -> Edit | None:
    """Read an amount in base units, of CPU in CPUs or thousandths of one."""
    resource, amount, milli = match["resource"], int(match["amount"]), bool(match["milli"])
    if resource == CPU:
        return LowerRequest(resource, amount if milli else amount * 1000)
    return None if milli else LowerRequest(resource, amount)


def _adjust_spread(match: re.Match[str]) -> Edit:
    if match["field"]:
        return AdjustSpread(match["entry"], match["field"], int(match["number"]))
    return AdjustSpread(match["entry"], match["policy"], "Honor")


_OF_CONTENT: Final[dict[str, tuple[str, Callable[[re.Match[str]], Edit | None]]]] = {
    LowerRequest.kind: (
        rf"(?P<resource>{_KEY})=(?P<amount>[0-9]{{1,25}})(?P<milli>m?)",
        _lower_request,
    ),
    AdjustSpread.kind: (
        rf"{_DIGEST}/(?:(?P<policy>node(?:Taints|Affinity)Policy)=Honor|(?P<field>maxSkew|minDomains)=(?P<number>[1-9][0-9]{{0,9}}))",
        _adjust_spread,
    ),
    RemoveHostPort.kind: (
        r"(?P<ip>[0-9A-Fa-f.:]{2,45}):(?P<port>[0-9]{1,5})/(?P<protocol>[A-Z]{1,8})",
        lambda match: RemoveHostPort(HostPort(match["ip"], match["protocol"], int(match["port"]))),
    ),
    RemoveNodeRequirement.kind: (_DIGEST, lambda match: RemoveNodeRequirement(match["entry"])),
    RemovePodAffinity.kind: (_DIGEST, lambda match: RemovePodAffinity(match["entry"])),
    RemovePodAntiAffinity.kind: (_DIGEST, lambda match: RemovePodAntiAffinity(match["entry"])),
    RemoveSelectorLabel.kind: (
        rf"(?P<key>{_KEY})=(?P<value>(?:{_LABEL_NAME})?)",
        lambda match: RemoveSelectorLabel(match["key"], match["value"]),
    ),
    RemoveSpread.kind: (_DIGEST, lambda match: RemoveSpread(match["entry"])),
    SetPriorityClass.kind: (rf"(?P<name>{_DOMAIN})", lambda match: SetPriorityClass(match["name"])),
    Tolerate.kind: (
        rf"(?P<key>{_KEY})(?:=(?P<value>{_LABEL_NAME}))?:(?P<effect>NoSchedule|NoExecute|PreferNoSchedule)",
        lambda match: Tolerate(Taint(match["key"], match["value"] or "", match["effect"])),
    ),
}
"""By kind what may stand after the colon, and the edit that it means."""


def text_of(edit: Edit) -> str:
    """Return what stands for an edit in an address."""
    content = _content(edit)
    return f"{edit.kind}:{content}" if content else edit.kind


def _content(edit: Edit) -> str:
    match edit:
        case AdjustSpread():
            return f"{edit.entry}/{edit.field}={edit.value}"
        case EntryEdit():
            return edit.entry or ""
        case LowerRequest():
            return f"{edit.resource}={edit.amount}{'m' if edit.resource == CPU else ''}"
        case RemoveHostPort():
            return str(edit.port)
        case RemoveSelectorLabel():
            return f"{edit.key}={edit.value}"
        case SetPriorityClass():
            return edit.name
        case Tolerate():
            return str(edit.taint)
        case _:
            return ""


def edit_of(text: str) -> Edit | None:
    """Return the edit that a text stands for; None where it stands for none."""
    kind, colon, content = text.partition(":")
    if not colon:
        return _WHOLE[kind]() if kind in _WHOLE else None
    pattern, edit = _OF_CONTENT.get(kind, ("", None))
    match = re.fullmatch(pattern, content)
    return None if match is None or edit is None else edit(match)
