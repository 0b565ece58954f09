"""Finding every group of pods that shares a topology spread constraint, in the order of what a zone's loss takes.

Upstream: ``pkg/scheduler/framework/plugins/podtopologyspread`` v1.34.1. Pods are taken together by template and by the
few labels that decide their constraints, so the work grows with the workloads, not with the pods.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from clusters.engine.configuration.arguments import PodTopologySpreadArgs
from clusters.engine.matching.nodes import required_terms
from clusters.engine.matching.selectors import NodeSelector, SelectorError
from clusters.engine.plugin import Context
from clusters.engine.spreading.constraints import (
    DO_NOT_SCHEDULE,
    PLUGIN,
    SCHEDULE_ANYWAY,
    SpreadConstraint,
    all_labelled,
    constraints_of,
    global_minimum,
    matching_slots,
    needs_every_key,
)
from clusters.engine.spreading.groups.census import Count, Members, members_of
from clusters.engine.spreading.groups.eligibility import Eligibility
from clusters.engine.spreading.groups.group import Source, SpreadGroup
from clusters.engine.spreading.groups.loss import FailureDomains
from clusters.engine.spreading.groups.mixed import unlike_pods
from clusters.engine.spreading.groups.nodeless import NamedDomains, NodelessDomain

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from clusters.engine.configuration import Profile
    from clusters.engine.matching.taints import Toleration
    from clusters.engine.objects import Document, Labels
    from clusters.engine.snapshot import Snapshot
    from clusters.engine.workloads.pod_template import PodTemplate, Workload

_NO_DEFAULTS = PodTopologySpreadArgs()


@dataclass(frozen=True, slots=True)
class UnreadableConstraints:
    """Pods whose constraints Kubernetes would refuse, and why; they belong to no group."""

    template: PodTemplate
    message: str
    members: Count


@dataclass(frozen=True, slots=True)
class Spreading:
    """All groups of a cluster, those with most of their pods in one zone first."""

    groups: tuple[SpreadGroup, ...]
    unreadable: tuple[UnreadableConstraints, ...]


class _Affinity(NamedTuple):
    """What a pod demands of a node's labels, comparable."""

    labels: tuple[tuple[str, str], ...]
    terms: NodeSelector | None


class _Domain(NamedTuple):
    """All that decides which nodes a constraint counts; None where its policy ignores it."""

    topology_key: str
    keys: frozenset[str]
    affinity: _Affinity | None
    tolerations: frozenset[Toleration] | None


class _Key(NamedTuple):
    """What the pods of a group have in common."""

    namespace: str
    constraint: SpreadConstraint
    action: str
    source: Source
    itself: int
    domain: _Domain


@dataclass(slots=True)
class _Gathering:
    """A group while its pods are found."""

    template: PodTemplate
    eligibility: Eligibility
    nodeless: tuple[NodelessDomain, ...]
    members: Count = field(default_factory=Count)
    workloads: set[Workload] = field(default_factory=set)


def first_of_each(groups: Iterable[tuple[str, SpreadGroup]]) -> list[tuple[str, SpreadGroup]]:
    """Keep of named groups the first of the same workloads: those of a zone and of a node say one thing of its loss."""
    found: dict[tuple[Workload, ...], tuple[str, SpreadGroup]] = {}
    for name, group in groups:
        found.setdefault(group.workloads, (name, group))
    return list(found.values())


def worst_of(groups: Iterable[SpreadGroup]) -> SpreadGroup | None:
    """The group with the worst skew: over its maxSkew by most, then the largest, then the first in the order given."""
    return max(groups, key=lambda group: group.unevenness, default=None)


def spreading_of(snapshot: Snapshot, profiles: Iterable[Profile], pending: Iterable[Document] = ()) -> Spreading:
    """Group the pods of a snapshot, and the ``pending`` ones that it does not hold, by the constraints they share.

    Pods without constraints of their own have the defaults of the profile that schedules them. Those of a DaemonSet
    are in no group, as each of them has one node to go to; selectors count them like any other.
    """
    search = _Search(snapshot, {profile.scheduler_name: profile for profile in profiles})
    for members in members_of(snapshot, pending):
        search.add(members)
    return Spreading(tuple(sorted(search.groups(), key=_urgency)), tuple(search.unreadable))


def _urgency(group: SpreadGroup) -> tuple[float, int, bool, int, int, str, str, str]:
    """Sort key: the largest share of pods in one zone first, whatever the constraint allows, then the most violated.

    Then come constraints that block before others, few domains before many, larger groups, and names.
    """
    constraint = group.constraint
    size = group.members.placed + group.members.pending
    return (
        -group.zone_loss.share,
        -group.violation,
        not group.blocks,
        group.domain_count,
        -size,
        group.namespace,
        constraint.topology_key,
        repr(constraint),
    )


class _Search:
    """The groups found so far."""

    def __init__(self, snapshot: Snapshot, profiles: Mapping[str, Profile]) -> None:
        self.snapshot = snapshot
        self.profiles = profiles
        self.unreadable: list[UnreadableConstraints] = []
        self._gatherings: dict[_Key, _Gathering] = {}
        self._eligibilities: dict[_Domain, Eligibility] = {}
        self._named_domains = NamedDomains(snapshot)
        self._service_keys: dict[str, tuple[str, ...]] = {}

    def add(self, members: Members) -> None:
        """Put the pods of a template into their groups."""
        template = members.template
        profile = self.profiles.get(template.scheduler_name)
        if template.is_pinned or (not template.constraints and profile is None):
            return
        for alike in self._alike(members):
            try:
                self._gather(template, profile, alike)
            except SelectorError as error:
                count = sum((count for _, count in alike), Count())
                self.unreadable.append(UnreadableConstraints(template, error.kubernetes, count))

    def _alike(self, members: Members) -> Iterable[list[tuple[Labels, Count]]]:
        """The pods of a template by the labels that decide what their constraints are."""
        keys = self._deciding_keys(members.template)
        buckets: defaultdict[tuple[str | None, ...], list[tuple[Labels, Count]]] = defaultdict(list)
        for labels, count in members.by_labels:
            buckets[tuple(labels.get(key) for key in keys)].append((labels, count))
        return buckets.values()

    def _deciding_keys(self, template: PodTemplate) -> tuple[str, ...]:
        """Labels that are merged into own constraints, or by which services find pods without any."""
        if template.constraints:
            return tuple(key for entry in template.constraints for key in entry.get("matchLabelKeys") or ())
        if template.namespace not in self._service_keys:
            services = self.snapshot.objects("Service", template.namespace)
            keys = {key for service in services for key in (service.get("spec") or {}).get("selector") or ()}
            self._service_keys[template.namespace] = tuple(sorted(keys))
        return self._service_keys[template.namespace]

    def _gather(self, template: PodTemplate, profile: Profile | None, alike: list[tuple[Labels, Count]]) -> None:
        pod = template.pod(alike[0][0])
        context = Context(self.snapshot, pod, profile.args if profile else {})
        arguments = context.arguments_of(PLUGIN, PodTopologySpreadArgs) if profile else _NO_DEFAULTS
        source = Source.POD if template.constraints else Source(arguments.defaulting_type.value)
        affinity = _Affinity(tuple(sorted(template.node_selector.items())), required_terms(pod))
        for action in (DO_NOT_SCHEDULE, SCHEDULE_ANYWAY):
            constraints = constraints_of(self.snapshot, pod, arguments, action)
            every = frozenset(constraint.topology_key for constraint in constraints)
            for constraint in dict.fromkeys(constraints):
                keys = every if needs_every_key(pod, arguments) else frozenset({constraint.topology_key})
                domain = _Domain(
                    constraint.topology_key,
                    keys,
                    affinity if constraint.honours_affinity else None,
                    frozenset(context.tolerations) if constraint.honours_taints else None,
                )
                eligibility = self._eligibility(domain, context, constraint, constraints)
                for labels, count in alike:
                    itself = int(constraint.selector.matches(labels))
                    key = _Key(template.namespace, constraint, action, source, itself, domain)
                    gathering = self._gatherings.get(key)
                    if gathering is None:
                        nodeless = self._named_domains.without_nodes(constraint, pod)
                        gathering = self._gatherings[key] = _Gathering(template, eligibility, nodeless)
                    gathering.members += count
                    gathering.workloads.add(template.workload)

    def _eligibility(
        self, domain: _Domain, context: Context, constraint: SpreadConstraint, constraints: list[SpreadConstraint]
    ) -> Eligibility:
        known = self._eligibilities.get(domain)
        if known is None:
            required = [each for each in constraints if each.topology_key in domain.keys]
            labelled = all_labelled(self.snapshot, required)
            known = self._eligibilities[domain] = Eligibility.of(context, constraint, labelled)
        return known

    def groups(self) -> Iterator[SpreadGroup]:
        """Count what every group's domains hold."""
        node = self.snapshot.pods.node
        zones = FailureDomains(self.snapshot)
        for key, gathering in self._gatherings.items():
            eligibility, constraint = gathering.eligibility, key.constraint
            slots = matching_slots(self.snapshot, constraint, key.namespace)
            rows = node[slots]
            counted = slots[eligibility.mask[rows]]
            codes = eligibility.column.codes[node[counted]]
            is_own = key.source is Source.POD
            counts = np.bincount(codes, minlength=len(eligibility.column.values)).astype(np.int64)
            occupied = np.flatnonzero(counts)
            yield SpreadGroup(
                identity=_identity(key),
                namespace=key.namespace,
                constraint=constraint,
                action=key.action,
                source=key.source,
                itself=key.itself,
                template=gathering.template,
                workloads=tuple(sorted(gathering.workloads)),
                members=gathering.members,
                eligibility=eligibility,
                nodeless=gathering.nodeless,
                unlike=unlike_pods(self.snapshot, constraint, key.action, counted) if is_own else (),
                occupied=occupied,
                held=counts[occupied],
                uncounted=len(rows) - len(codes),
                minimum=global_minimum(counts, eligibility.exists, constraint.min_domains),
                zone_loss=zones.worst(rows),
            )


def _identity(key: _Key) -> str:
    """A text that tells the group from every other; sets are sorted, as their order differs between processes."""
    domain = key.domain
    tolerations = None if domain.tolerations is None else sorted(map(repr, domain.tolerations))
    return repr((*key[:-1], domain.topology_key, sorted(domain.keys), domain.affinity, tolerations))
