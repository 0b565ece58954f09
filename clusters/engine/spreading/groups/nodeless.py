"""Domains that objects of the cluster name and no node has: the scheduler knows the domains of existing nodes alone."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from clusters.engine.matching.nodes import required_terms
from clusters.engine.matching.selectors import NodeSelector, Operator, Requirement
from clusters.engine.objects import labels_of
from clusters.engine.spreading.constraints import HOSTNAME
from clusters.engine.volumes.claims import spec_of
from clusters.engine.volumes.csi_migration import BETA_REGION, BETA_ZONE, REGION, ZONE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from clusters.engine.objects import Pod
    from clusters.engine.snapshot import Snapshot
    from clusters.engine.spreading.constraints import SpreadConstraint

_TODAY = {BETA_ZONE: ZONE, BETA_REGION: REGION}
# Volumes of former minors carry these as labels, with several values in a row.
_LABELS = (ZONE, REGION, *_TODAY)
_SEVERAL_VALUES = "__"


class NamedBy(enum.StrEnum):
    """What names a domain."""

    VOLUMES = "volumes"
    CLASSES = "classes"
    PODS = "pods"


@dataclass(frozen=True, slots=True)
class NodelessDomain:
    """A value of the topology key that no node has, and what names it, in the order of ``NamedBy``."""

    value: str
    named_by: tuple[NamedBy, ...]


class NamedDomains:
    """The domains that objects of a snapshot name, found once for each topology key."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._absent: dict[str, dict[str, set[NamedBy]]] = {}
        self._there: dict[str, set[str]] = {}

    def without_nodes(self, constraint: SpreadConstraint, pod: Pod) -> tuple[NodelessDomain, ...]:
        """The domains without nodes that a constraint of this pod would count if they had any, by value.

        Hosts are none: a node that is gone is no domain to come back. Raises SelectorError.
        """
        key = constraint.topology_key
        if key == HOSTNAME:
            return ()
        if key not in self._there:
            self._read(key)
        named, there = self._absent[key], self._there[key]
        alternatives = _demands(pod, key) if constraint.honours_affinity else [[]]
        asked = {
            value
            for every in alternatives
            for each in every
            if each.operator == Operator.IN
            for value in each.values
            if value not in there
        }
        by = {
            value: {*named.get(value, ()), *([NamedBy.PODS] if value in asked else ())}
            for value in named.keys() | asked
        }
        return tuple(
            NodelessDomain(value, tuple(each for each in NamedBy if each in by[value]))
            for value in sorted(by)
            if any(all(each.matches_value(value) for each in every) for every in alternatives)
        )

    def _read(self, key: str) -> None:
        """Find which values of a label nodes have, and which others are named."""
        column = self._snapshot.nodes.label(key)
        there = self._there[key] = {column.values[code] for code in np.unique(column.codes[column.present]).tolist()}
        absent = self._absent[key] = {}
        for other, values in self._snapshot.derived(_named, "PersistentVolume", "StorageClass").items():
            if _are_alike(self._snapshot, key, other):
                for value in values.keys() - there:
                    absent.setdefault(value, set()).update(values[value])


def _demands(pod: Pod, key: str) -> list[list[Requirement]]:
    """What the pod's node selector and required affinity ask of one label: alternatives, each all of its parts."""
    selector = pod.spec.get("nodeSelector") or {}
    own = [Requirement.of(key, Operator.IN, [selector[key]])] if key in selector else []
    required = required_terms(pod)
    if required is None:
        return [own]
    terms = (each for each in required.terms if not (each.errors or each.is_empty))
    return [[*own, *(each for each in term.expressions if each.key == key)] for term in terms]


def _named(snapshot: Snapshot) -> dict[str, dict[str, set[NamedBy]]]:
    """The values of every label that volumes and classes of volumes name, and which of them do."""
    found: dict[str, dict[str, set[NamedBy]]] = {}
    for by, key, values in _namings(snapshot):
        for value in values:
            found.setdefault(key, {}).setdefault(value, set()).add(by)
    return found


def _namings(snapshot: Snapshot) -> Iterator[tuple[NamedBy, str, Iterable[str]]]:
    for volume in snapshot.objects("PersistentVolume"):
        required = (spec_of(volume).get("nodeAffinity") or {}).get("required")
        for term in NodeSelector.from_dict(required).terms:
            for each in term.expressions:
                if each.operator == Operator.IN:
                    yield NamedBy.VOLUMES, each.key, each.values
        labels: Mapping[str, str] = labels_of(volume)
        for key in _LABELS:
            yield NamedBy.VOLUMES, key, filter(None, map(str.strip, labels.get(key, "").split(_SEVERAL_VALUES)))
    for storage_class in snapshot.objects("StorageClass"):
        for term in storage_class.get("allowedTopologies") or ():
            for expression in term.get("matchLabelExpressions") or ():
                yield NamedBy.CLASSES, expression.get("key") or "", expression.get("values") or ()


def _are_alike(snapshot: Snapshot, key: str, other: str) -> bool:
    """Whether two labels name the same domains, as those of a volume's driver do: nodes that have both agree."""
    if _TODAY.get(key, key) == _TODAY.get(other, other):
        return True
    mine, theirs = snapshot.nodes.label(key), snapshot.nodes.label(other)
    both = mine.present & theirs.present
    translated = np.array([mine.numbers.get(value, -1) for value in theirs.values], np.intp)
    return bool(both.any()) and bool((translated[theirs.codes[both]] == mine.codes[both]).all())
