"""What is worth knowing beside the verdict of a pod that fits nowhere: its size, nodes that come or go, a minimum."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from clusters.engine.analysis.other_remedies import standing_taints
from clusters.engine.analysis.stateful_remedies import OrdinalPlace
from clusters.engine.matching.known_taints import KnownTaint, TaintMeaning, known_taint
from clusters.engine.objects import name_of

# NodeResourcesFit by name: what nodes have is compared with what it compares with what is free.
from clusters.engine.plugins.node_resources_fit import NodeResourcesFit, reason_of

# PodTopologySpread by name: its limit follows from the domains that hold the fewest pods.
from clusters.engine.plugins.pod_topology_spread import PodTopologySpread
from clusters.engine.resources.requests import is_extended
from clusters.engine.rollout.plan import Way
from clusters.engine.status import SUCCESS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusters.engine import Explanation
    from clusters.engine.spreading.constraints import Domains
    from clusters.engine.status import Index, Status

# Taints that are told, in this order.
_TOLD: Final = (TaintMeaning.STARTING, TaintMeaning.LEAVING, TaintMeaning.VIRTUAL)
# So many nodes or domains are named.
_MOST_NAMED: Final = 5


@dataclass(frozen=True, slots=True)
class TaintedNodes:
    """Nodes, ``number`` in all, that a component has given a taint which nobody should tolerate."""

    meaning: TaintMeaning
    taint: str
    setter: str
    nodes: tuple[str, ...]
    number: int


@dataclass(frozen=True, slots=True)
class TooFewDomains:
    """A spread constraint that counts the minimum as 0, as there are fewer ``domains`` than ``min_domains``."""

    topology_key: str
    domains: int
    min_domains: int


@dataclass(frozen=True, slots=True)
class UnreachedMinimum:
    """The domains, ``number`` in all, with the fewest pods of a spread constraint, and what rejects the pod there."""

    topology_key: str
    minimum: int
    max_skew: int
    domains: tuple[str, ...]
    number: int
    plugin: str
    status: Status


@dataclass(frozen=True, slots=True)
class HeldTemplate:
    """A StatefulSet that replaces no pod before this one is Ready, also not after a change of its template.

    With ``is_on_delete`` it replaces none that nobody deletes.
    """

    namespace: str
    name: str
    is_on_delete: bool


@dataclass(frozen=True, slots=True)
class LargerThanNodes:
    """The pod requests more of a resource, ``asked``, than ``most``, which ``node`` has; empty where none has any."""

    resource: str
    asked: int
    most: int
    node: str


@dataclass(frozen=True, slots=True)
class ReservedForResource:
    """Nodes, ``number`` in all, whose taint is named after an extended resource that the pod requests."""

    resource: str
    nodes: tuple[str, ...]
    number: int


Circumstance = HeldTemplate | LargerThanNodes | ReservedForResource | TaintedNodes | TooFewDomains | UnreachedMinimum


def circumstances(explanation: Explanation) -> list[Circumstance]:
    """Return what is worth knowing of a pod that fits nowhere; nothing of one for which no node was looked at."""
    if explanation.fits or explanation.cycle.stopped_by is not None or not explanation.node_count:
        return []
    return [
        *larger_than_nodes(explanation),
        *_reserved(explanation),
        *_minimums(explanation),
        *_tainted(explanation),
        *_held(explanation),
    ]


def _reserved(explanation: Explanation) -> Iterator[ReservedForResource]:
    """Nodes that are kept for pods with a resource, which ExtendedResourceToleration would let the pod tolerate.

    Upstream: ``plugin/pkg/admission/extendedresourcetoleration`` v1.34.1, which is off by default.
    """
    nodes, taints = explanation.snapshot.nodes, standing_taints(explanation)
    for resource in filter(is_extended, explanation.pod.requests):
        numbers = [number for number, found in taints.items() if resource in {taint.key for taint in found}]
        rows = np.flatnonzero(np.isin(nodes.taint_set, numbers)).tolist()
        if rows:
            yield ReservedForResource(resource, tuple(nodes.names[row] for row in rows[:_MOST_NAMED]), len(rows))


def _held(explanation: Explanation) -> Iterator[HeldTemplate]:
    """Told where a change of the template would help at all."""
    place, found = OrdinalPlace.of(explanation), explanation.relaxations
    is_changed = found.adjustments or found.singles or found.pairs or found.reductions or found.together
    if place is not None and place.is_held and not place.is_outdated and is_changed:
        yield HeldTemplate(explanation.pod.namespace, name_of(place.owner), place.plan.way is Way.ON_DELETE)


def larger_than_nodes(explanation: Explanation) -> Iterator[LargerThanNodes]:
    """Yield the resources of which the pod requests more than any node has, whatever runs there.

    Devices that are there and not offered count: a node has them.
    """
    outcome = explanation.cycle.filters.get(NodeResourcesFit.name)
    nodes = explanation.snapshot.nodes
    rejecting = set() if outcome is None else {reason for status in outcome.statuses for reason in status.reasons}
    for resource, asked in explanation.pod.requests.items():
        if reason_of(resource) not in rejecting:
            continue
        nodes.ensure_resources([resource])
        has = nodes.allocatable[:, nodes.resources.index(resource)].copy()
        if is_extended(resource):
            has += np.array([dict(node.unhealthy).get(resource, 0) for node in nodes.nodes], np.int64)
        row = int(np.argmax(has))
        if asked > has[row]:
            yield LargerThanNodes(resource, asked, int(has[row]), nodes.names[row] if has[row] else "")


def _tainted(explanation: Explanation) -> Iterator[TaintedNodes]:
    nodes = explanation.snapshot.nodes
    found: dict[tuple[KnownTaint, str], list[int]] = defaultdict(list)
    for number, taints in standing_taints(explanation).items():
        for taint in taints:
            known = known_taint(taint.key, taint.value)
            if known is not None and known.meaning in _TOLD:
                found[known, taint.key].append(number)
    for (known, key), numbers in sorted(found.items(), key=lambda each: _TOLD.index(each[0][0].meaning)):
        rows = np.flatnonzero(np.isin(nodes.taint_set, numbers)).tolist()
        if rows:
            names = tuple(nodes.names[row] for row in rows[:_MOST_NAMED])
            yield TaintedNodes(known.meaning, key, known.setter, names, len(rows))


def _minimums(explanation: Explanation) -> Iterator[Circumstance]:
    cycle = explanation.cycle
    plugin = cycle.plugins.get(PodTopologySpread.name)
    if not isinstance(plugin, PodTopologySpread) or plugin.name not in cycle.filters:
        return
    for domains in plugin.domains:
        key, max_skew = domains.constraint.topology_key, domains.constraint.max_skew
        rejected = domains.column.present & (domains.skew(cycle.context, None) > max_skew)
        if not rejected.any():
            continue
        if not domains.enough_domains:
            yield TooFewDomains(key, int(domains.exists.sum()), domains.constraint.min_domains)
            continue
        lowest = np.flatnonzero(domains.exists & (domains.counts == domains.minimum))
        name, status = _rejection(explanation, domains, lowest)
        if name:
            values = tuple(domains.column.values[value] for value in lowest[:_MOST_NAMED].tolist())
            yield UnreachedMinimum(key, domains.minimum, max_skew, values, len(lowest), name, status)


def _rejection(explanation: Explanation, domains: Domains, lowest: Index) -> tuple[str, Status]:
    """The first filter that rejects the pod on every node of some domains, and why on the first; empty for none."""
    rows = np.flatnonzero(np.isin(domains.column.codes, lowest))
    cycle = explanation.cycle
    for name in cycle.filters:
        answer = cycle.plugins[name].filter()
        if name != PodTopologySpread.name and len(rows) and answer.failed is not None and answer.failed[rows].all():
            return name, answer.at(int(rows[0]))
    return "", SUCCESS
