"""Edits of a pod's manifest that lift a requirement, each named by the content that it concerns.

An entry of a list is named by a digest of what it says, never by where it stands: of two edits of one list neither
changes what the other means, and an edit of an entry that is gone finds nothing instead of another entry.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from copy import deepcopy
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from clusters.engine.objects import HostPort
from clusters.engine.relaxing.entries import (
    REQUIRED,
    REQUIREMENT_FIELDS,
    containers,
    digest,
    entries,
    mapping,
    remove,
    requirement_digest,
    requirement_name,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusters.engine.matching.selectors import Requirement
    from clusters.engine.matching.taints import Taint
    from clusters.engine.objects import Document


class Edit(ABC):
    """One edit of a pod; two are equal where they do the same. ``kind`` names its type in addresses."""

    __slots__ = ()

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

    @abstractmethod
    def _make(self, spec: dict[str, Any]) -> None:
        """Edit a pod's spec in place."""


@dataclass(frozen=True, slots=True)
class EntryEdit(Edit):
    """An edit that removes an entry of a list, named by its digest; ``entry`` None: all of the list."""

    entry: str | None = None

    def entry_in(self, document: Document) -> dict[str, Any] | None:
        """Return the entry that the edit removes from a document; None where it names none that is there."""
        spec = mapping(dict(document), "spec")
        return next((each for each, name in self._named(spec) if isinstance(each, dict) and name == self.entry), None)

    @abstractmethod
    def _named(self, spec: dict[str, Any]) -> Iterator[tuple[Any, str]]:
        """Yield the entries of the list, each with its name."""


def _untouched(spec: dict[str, Any]) -> Iterator[Any]:
    """Yield entries, possibly thousands, that edits add to and remove but never change: they need no copy."""
    affinity = mapping(spec, "affinity")
    yield from entries(spec.get("topologySpreadConstraints"))
    for rules in (RemovePodAffinity.rules, RemovePodAntiAffinity.rules):
        yield from entries(mapping(affinity, rules).get(REQUIRED))


# -- fields and lists --------------------------------------------------------------------------------------------------


class _RemoveField(Edit):
    """An edit that removes a whole field of the spec."""

    __slots__ = ()

    field: ClassVar[str]

    def _make(self, spec: dict[str, Any]) -> None:
        spec.pop(self.field, None)


@dataclass(frozen=True, slots=True)
class RemoveGates(_RemoveField):
    """Removes the scheduling gates."""

    kind: ClassVar[str] = "no-gates"
    field: ClassVar[str] = "schedulingGates"


@dataclass(frozen=True, slots=True)
class RemoveNodeName(_RemoveField):
    """Removes ``nodeName``."""

    kind: ClassVar[str] = "no-node-name"
    field: ClassVar[str] = "nodeName"


@dataclass(frozen=True, slots=True)
class RemoveNodeSelector(_RemoveField):
    """Removes the node selector with all of its labels."""

    kind: ClassVar[str] = "no-node-selector"
    field: ClassVar[str] = "nodeSelector"


@dataclass(frozen=True, slots=True)
class RemoveSelectorLabel(Edit):
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


@dataclass(frozen=True, slots=True)
class RemoveNodeAffinity(Edit):
    """Removes all of the required node affinity."""

    kind: ClassVar[str] = "no-node-affinity"

    def _make(self, spec: dict[str, Any]) -> None:
        mapping(mapping(spec, "affinity"), "nodeAffinity").pop(REQUIRED, None)
        _tidy(spec, "nodeAffinity")


@dataclass(frozen=True, slots=True)
class RemoveNodeRequirement(EntryEdit):
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


@dataclass(frozen=True, slots=True)
class _RemoveTerms(EntryEdit):
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


@dataclass(frozen=True, slots=True)
class RemovePodAffinity(_RemoveTerms):
    """Removes required pod affinity."""

    kind: ClassVar[str] = "no-pod-affinity"
    rules: ClassVar[str] = "podAffinity"


@dataclass(frozen=True, slots=True)
class RemovePodAntiAffinity(_RemoveTerms):
    """Removes required pod anti-affinity."""

    kind: ClassVar[str] = "no-pod-anti-affinity"
    rules: ClassVar[str] = "podAntiAffinity"


@dataclass(frozen=True, slots=True)
class RemoveSpread(EntryEdit):
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


@dataclass(frozen=True, slots=True)
class AdjustSpread(EntryEdit):
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


@dataclass(frozen=True, slots=True)
class RemoveHostPorts(Edit):
    """Gives up all host ports. On the host's network a port that is declared is a host port."""

    kind: ClassVar[str] = "no-host-ports"

    def _make(self, spec: dict[str, Any]) -> None:
        if spec.get("hostNetwork") is True:
            del spec["hostNetwork"]
        for container in containers(spec):
            ports = entries(container.get("ports"))
            if ports:
                container["ports"] = [_without_host(port) for port in ports]


@dataclass(frozen=True, slots=True)
class RemoveHostPort(Edit):
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


@dataclass(frozen=True, slots=True)
class SetPriorityClass(Edit):
    """Gives the pod a priority class; admission finds the number and the policy of the class."""

    kind: ClassVar[str] = "priority"

    name: str

    def _make(self, spec: dict[str, Any]) -> None:
        for field in ("priority", "preemptionPolicy"):
            spec.pop(field, None)
        spec["priorityClassName"] = self.name


@dataclass(frozen=True, slots=True)
class Tolerate(Edit):
    """Adds a toleration of a taint."""

    kind: ClassVar[str] = "tolerate"

    taint: Taint

    def _make(self, spec: dict[str, Any]) -> None:
        taint = self.taint
        of_value = {"operator": "Equal", "value": taint.value} if taint.value else {"operator": "Exists"}
        _add_toleration(spec, {"key": taint.key, **of_value, "effect": taint.effect})


@dataclass(frozen=True, slots=True)
class TolerateEverything(Edit):
    """Adds a toleration of every taint."""

    kind: ClassVar[str] = "tolerate-everything"

    def _make(self, spec: dict[str, Any]) -> None:
        _add_toleration(spec, {"operator": "Exists"})


def _add_toleration(spec: dict[str, Any], added: dict[str, Any]) -> None:
    given = spec.get("tolerations") or []
    if isinstance(given, list) and added not in given:
        spec["tolerations"] = [*given, added]
