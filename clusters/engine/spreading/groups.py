"""Which pods of a cluster share a topology spread constraint, and how evenly they are spread."""

from __future__ import annotations

import enum
import marshal
from collections import defaultdict
from heapq import nsmallest
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from msgspec import Struct, field

from clusters.engine.configuration.arguments import PodTopologySpreadArgs
from clusters.engine.matching import required_terms
from clusters.engine.objects import Document, Labels, Pod, labels_of
from clusters.engine.owners import PodTemplate, Workload, template_source
from clusters.engine.plugin import Context
from clusters.engine.selectors import NodeSelector, Operator, Requirement, SelectorError
from clusters.engine.spreading.constraints import (
    DO_NOT_SCHEDULE,
    HOSTNAME,
    PLUGIN,
    SCHEDULE_ANYWAY,
    ZONE,
    SpreadConstraint,
    all_labelled,
    constraints_of,
    matching_slots,
    needs_every_key,
)
from clusters.engine.volumes import BETA_REGION, BETA_ZONE, REGION, ZONE as ZONE_LABEL, spec_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from clusters.engine.columns import LabelColumn, Slots
    from clusters.engine.configuration import Profile
    from clusters.engine.snapshot import Snapshot
    from clusters.engine.status import Index, Ints, Mask
    from clusters.engine.taints import Toleration

# How many pods there are of every template and label set, placed and pending.


class Count(Struct, frozen=True):
    """Pods on nodes, those of them that are being deleted, and pending pods."""

    placed: int = 0
    terminating: int = 0
    pending: int = 0

    def __add__(self, other: Count) -> Count:
        return Count(self.placed + other.placed, self.terminating + other.terminating, self.pending + other.pending)


class Members(Struct, frozen=True):
    """The pods of one template, by their labels."""

    template: PodTemplate
    by_labels: tuple[tuple[Labels, Count], ...]


def waiting(snapshot: Snapshot, pending: Iterable[Document]) -> Iterator[Pod]:
    """The pods among ``pending`` that wait for a node and that the snapshot does not hold as nominated."""
    for document in pending:
        pod = Pod(document)
        if not (pod.node_name or pod.finished or pod.terminating or pod.key in snapshot.pods.slot_of):
            yield pod


def _held(snapshot: Snapshot) -> Iterator[Members]:
    """Bound and nominated pods."""
    pods = snapshot.pods
    label_sets = len(pods.label_sets)
    bound = np.flatnonzero(pods.node >= 0)
    nominees = np.array(sorted(slot for slot in pods.nominees if not pods.terminating[slot]), np.intp)
    state = np.concatenate([pods.terminating[bound].astype(np.int64), np.full(len(nominees), 2)])
    slots = np.concatenate([bound, nominees])
    kin = pods.template[slots].astype(np.int64) * label_sets + pods.label_set[slots]
    found, sizes = np.unique(kin * 3 + state, return_counts=True)
    by_template: dict[int, dict[int, Count]] = {}
    for code, size in zip(found.tolist(), sizes.tolist(), strict=True):
        template, label_set = divmod(code // 3, label_sets)
        count = (Count(placed=size), Count(placed=size, terminating=size), Count(pending=size))[code % 3]
        known = by_template.setdefault(template, {})
        known[label_set] = known.get(label_set, Count()) + count
    for template, counts in by_template.items():
        by_labels = tuple((pods.label_sets[label_set].labels, count) for label_set, count in counts.items())
        yield Members(pods.templates[template], by_labels)


def _waiting(snapshot: Snapshot, pending: Iterable[Document]) -> Iterator[Members]:
    """Pods that nothing but their documents tells of; those with byte-equal sources are read once."""
    kin: dict[bytes, tuple[Pod, dict[bytes, tuple[Labels, int]]]] = {}
    for pod in waiting(snapshot, pending):
        _, by_labels = kin.setdefault(marshal.dumps(template_source(pod), 0), (pod, {}))
        memo = marshal.dumps(sorted(pod.labels.items()), 0)
        by_labels[memo] = pod.labels, by_labels.get(memo, (pod.labels, 0))[1] + 1
    for pod, by_labels in kin.values():
        yield Members(PodTemplate.of(pod), tuple((labels, Count(pending=size)) for labels, size in by_labels.values()))


# Which nodes a spread constraint counts, and why it leaves out the others.
#
# Upstream: ``pkg/scheduler/framework/plugins/podtopologyspread/{common,filtering}.go`` v1.34.1.


class Exclusion(enum.StrEnum):
    """Why a node does not count, in the order in which the scheduler looks."""

    LABEL = "label"
    AFFINITY = "affinity"
    TAINTS = "taints"


class Eligibility(Struct, frozen=True, eq=False):
    """The domains of a constraint: V values of its key, N nodes.

    ``mask`` (N,) nodes that count; ``nodes`` (V,) how many have the value and ``eligible`` (V,) how many of them count;
    ``excluded`` (V,) how many do not, by reason. ``without_key``: nodes that lack the key and so are in no domain.
    ``domains``: how many count.
    """

    column: LabelColumn
    mask: Mask
    nodes: Ints
    eligible: Ints
    excluded: dict[Exclusion, Ints]
    without_key: int
    domains: int

    @classmethod
    def of(cls, context: Context, constraint: SpreadConstraint, labelled: Mask) -> Eligibility:
        """``labelled`` (N,): nodes that carry every key that they must carry to count."""
        column = context.snapshot.nodes.label(constraint.topology_key)
        nobody = np.zeros(len(labelled), np.bool_)
        reasons = {
            Exclusion.LABEL: ~labelled,
            Exclusion.AFFINITY: ~context.node_affinity if constraint.honours_affinity else nobody,
            Exclusion.TAINTS: ~context.tolerated if constraint.honours_taints else nobody,
        }
        left = column.present
        nodes = _by_value(column, left)
        excluded = {}
        for reason, mask in reasons.items():
            excluded[reason] = _by_value(column, left & mask)
            left = left & ~mask
        eligible = _by_value(column, left)
        without_key, domains = len(labelled) - int(nodes.sum()), int((eligible > 0).sum())
        return cls(column, left, nodes, eligible, excluded, without_key, domains)

    @property
    def exists(self) -> Mask:
        """Shape (V,): domains that count, as one of their nodes does."""
        return self.eligible > 0

    def why_not(self, number: int) -> dict[Exclusion, int]:
        """How many nodes of a domain are left out, by reason; empty when all count."""
        return {reason: int(nodes[number]) for reason, nodes in self.excluded.items() if nodes[number]}


def _by_value(column: LabelColumn, mask: Mask) -> Ints:
    return np.bincount(column.codes[mask], minlength=len(column.values)).astype(np.int64)


# One group of pods under one constraint: what its domains hold, and where the next pod of the group may go.


class Source(enum.StrEnum):
    """Where the constraint of a group comes from."""

    POD = "pod"
    SYSTEM = "System"
    LIST = "List"


class DomainCount(Struct, frozen=True):
    """One domain of a group. ``skew`` is ``pods`` less the global minimum; both are 0 where the domain does not count.

    ``excluded``: its nodes that do not count, by reason. ``admits``: whether the next pod of the group may enter.
    """

    value: str
    pods: int
    skew: int
    excess: int
    nodes: int
    eligible_nodes: int
    excluded: dict[Exclusion, int]
    admits: bool

    @property
    def is_eligible(self) -> bool:
        return self.eligible_nodes > 0


class SpreadGroup(Struct, frozen=True, eq=False):
    """The pods of a namespace that share a constraint, and all that decides which nodes it counts; V domains.

    ``itself`` is 1 when the group's pods match their own selector. ``template``: one of the group's; the others agree
    with it in what the constraint honours. ``members``: pods that have the constraint. ``identity`` is the same text
    for the same group in every snapshot and process, and another one for every other group. The pods that it counts
    are those that ``constraint.selector`` matches, unless they are being deleted: ``held`` (K,) of them lie in the
    domains numbered ``occupied`` (K,), and ``uncounted`` on nodes that do not count. ``zone_loss`` is of all of them.
    ``nodeless``: domains that do not count, as they have no node. ``unlike``: counted pods that do not have
    the constraint, empty for default constraints.
    """

    identity: str
    namespace: str
    constraint: SpreadConstraint
    action: str
    source: Source
    itself: int
    template: PodTemplate
    workloads: tuple[Workload, ...]
    members: Count
    eligibility: Eligibility
    nodeless: tuple[NodelessDomain, ...]
    unlike: tuple[UnlikePods, ...]
    occupied: Index
    held: Ints
    uncounted: int
    minimum: int
    zone_loss: ZoneLoss

    @property
    def blocks(self) -> bool:
        """Whether the constraint keeps pods pending; otherwise it only prefers."""
        return self.action == DO_NOT_SCHEDULE

    @property
    def values(self) -> tuple[str, ...]:
        """The values of the topology key, shape (V,)."""
        return self.eligibility.column.values

    @property
    def counts(self) -> Ints:
        """Shape (V,): matching pods that count in each domain."""
        counts = np.zeros(len(self.values), np.int64)
        counts[self.occupied] = self.held
        return counts

    @property
    def skew(self) -> Ints:
        """Shape (V,): what each domain holds above the global minimum; 0 where the domain does not count."""
        return np.where(self.eligibility.exists, self.counts - self.minimum, 0)

    @property
    def largest_skew(self) -> int:
        """The skew of the fullest domain; 0 when none holds more than the global minimum."""
        return max(0, int(self.held.max(initial=self.minimum)) - self.minimum)

    @property
    def domain_count(self) -> int:
        """How many domains count."""
        return self.eligibility.domains

    @property
    def missing_domains(self) -> int:
        """How many domains fewer than minDomains there are; while any is missing, the global minimum is 0."""
        return max(0, self.constraint.min_domains - self.domain_count)

    @property
    def violation(self) -> int:
        """By how much the fullest domain exceeds maxSkew; 0 when none does."""
        return max(0, self.largest_skew - self.constraint.max_skew)

    @property
    def unevenness(self) -> tuple[int, int]:
        """What orders groups by their skew: how far it is over maxSkew, then the skew itself."""
        return self.violation, self.largest_skew

    @property
    def within(self) -> Mask:
        """Shape (V,): domains that count and would stay within maxSkew with one more pod of the group."""
        wanted = self.counts + self.itself - self.minimum
        return self.eligibility.exists & (wanted <= self.constraint.max_skew)

    @property
    def admits(self) -> Mask:
        """Shape (V,): domains that count and that the constraint lets the next pod enter."""
        return self.within if self.blocks else self.eligibility.exists

    def domains(self, most: int | None = None) -> list[DomainCount]:
        """Every domain, or the first of them: the fullest first, then those that do not count."""
        counts, skew, admits, eligibility = self.counts, self.skew, self.admits, self.eligibility
        numbers = range(len(self.values))
        ranks = zip((~eligibility.exists).tolist(), (-counts).tolist(), self.values, numbers, strict=True)
        ranked = sorted(ranks) if most is None else nsmallest(most, ranks)
        order = [number for *_, number in ranked]
        return [
            DomainCount(
                value=self.values[number],
                pods=int(counts[number]),
                skew=int(skew[number]),
                excess=max(0, int(skew[number]) - self.constraint.max_skew),
                nodes=int(eligibility.nodes[number]),
                eligible_nodes=int(eligibility.eligible[number]),
                excluded=eligibility.why_not(number),
                admits=bool(admits[number]),
            )
            for number in order
        ]


# What the loss of one zone takes of the pods that a constraint counts, whatever the constraint itself allows.


class ZoneLoss(Struct, frozen=True):
    """The zone with most of a group's pods: ``pods`` of all ``of`` that run; a node without a zone counts as one.

    ``zone`` is empty where ``node`` names such a node; both are where no pod runs.
    """

    zone: str = ""
    node: str = ""
    pods: int = 0
    of: int = 0

    @property
    def share(self) -> float:
        """Which part of the pods is lost with it; 0 for fewer than two pods, which nothing can spread."""
        return self.pods / self.of if self.of > 1 else 0.0


class FailureDomains:
    """The zones of a snapshot's nodes, for counting any pods by them."""

    def __init__(self, snapshot: Snapshot) -> None:
        column = snapshot.nodes.label(ZONE)
        self._names = snapshot.nodes.names
        self._zones = column.values
        has_zone = column.spread(np.array([bool(value) for value in column.values], np.int64)) > 0
        alone = len(column.values) + np.arange(len(snapshot.nodes))
        self._place = np.where(has_zone, column.codes, alone)

    def worst(self, rows: Index) -> ZoneLoss:
        """Find the zone with most of some pods, given the rows of their nodes; among equals the first by name."""
        if not len(rows):
            return ZoneLoss()
        counts = np.bincount(self._place[rows])
        most = int(counts.max())
        zone, node = min(
            map(self._named, np.flatnonzero(counts == most).tolist()), key=lambda each: (not each[0], each)
        )
        return ZoneLoss(zone, node, most, len(rows))

    def _named(self, place: int) -> tuple[str, str]:
        width = len(self._zones)
        return (self._zones[place], "") if place < width else ("", self._names[place - width])


# Which pods a constraint counts that do not have it themselves: all pods of a group should have the same one.


class UnlikePods(Struct, frozen=True, order=True):
    """Counted pods of a workload: those that have another constraint for the same key, or those that have none."""

    workload: Workload
    has_another: bool
    pods: int


def unlike_pods(
    snapshot: Snapshot, constraint: SpreadConstraint, action: str, counted: Slots
) -> tuple[UnlikePods, ...]:
    """The pods among those that a constraint counts which do not have it; those of DaemonSets are left out."""
    pods = snapshot.pods
    label_sets = len(pods.label_sets)
    template = pods.template[counted].astype(np.int64)
    used, place = np.unique(template, return_inverse=True)
    # What constraints are may depend on labels only where they are merged into them.
    merges = [
        any(entry.get("matchLabelKeys") for entry in pods.templates[number].constraints) for number in used.tolist()
    ]
    kin = template * label_sets + np.where(np.array(merges, np.bool_)[place], pods.label_set[counted], 0)
    found: dict[tuple[Workload, bool], int] = {}
    for first, size in zip(*np.unique(kin, return_index=True, return_counts=True)[1:], strict=True):
        slot = counted[first]
        made_from = pods.templates[pods.template[slot]]
        own = _own(made_from, pods.label_sets[pods.label_set[slot]].labels, constraint.topology_key)
        if not made_from.is_pinned and (constraint, action) not in own:
            key = made_from.workload, bool(own)
            found[key] = found.get(key, 0) + int(size)
    return tuple(sorted(UnlikePods(workload, another, size) for (workload, another), size in found.items()))


def _own(template: PodTemplate, labels: Labels, key: str) -> list[tuple[SpreadConstraint | None, str]]:
    """The constraints of a pod for one key, each with what it does; None stands for one that cannot be read."""
    found: list[tuple[SpreadConstraint | None, str]] = []
    for entry in template.constraints:
        if entry.get("topologyKey") == key:
            try:
                read = SpreadConstraint.from_dict(entry, labels)
            except SelectorError:
                read = None
            found.append((read, str(entry.get("whenUnsatisfiable"))))
    return found


# Domains that objects of the cluster name and no node has: the scheduler knows the domains of existing nodes alone.

_TODAY = {BETA_ZONE: ZONE_LABEL, BETA_REGION: REGION}
# Volumes of former minors carry these as labels, with several values in a row.
_LABELS = (ZONE_LABEL, REGION, *_TODAY)
_SEVERAL_VALUES = "__"


class NamedBy(enum.StrEnum):
    """What names a domain."""

    VOLUMES = "volumes"
    CLASSES = "classes"
    PODS = "pods"


class NodelessDomain(Struct, frozen=True):
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
        there = self._there[key] = {column.values[code] for code in set(column.codes[column.present].tolist())}
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


# Finding every group of pods that shares a topology spread constraint, in the order of what a zone's loss takes.
#
# Upstream: ``pkg/scheduler/framework/plugins/podtopologyspread`` v1.34.1. Pods are taken together by template and by
# the few labels that decide their constraints, so the work grows with the workloads, not with the pods.

_NO_DEFAULTS = PodTopologySpreadArgs()


class UnreadableConstraints(Struct, frozen=True):
    """Pods whose constraints Kubernetes would refuse, and why; they belong to no group."""

    template: PodTemplate
    message: str
    members: Count


class Spreading(Struct, frozen=True):
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


class _Gathering(Struct):
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
    for members in [*_held(snapshot), *_waiting(snapshot, pending)]:
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
                known = self._eligibilities.get(domain)
                if known is None:
                    required = [each for each in constraints if each.topology_key in domain.keys]
                    labelled = all_labelled(self.snapshot, required)
                    known = self._eligibilities[domain] = Eligibility.of(context, constraint, labelled)
                eligibility = known
                for labels, count in alike:
                    itself = int(constraint.selector.matches(labels))
                    key = _Key(template.namespace, constraint, action, source, itself, domain)
                    gathering = self._gatherings.get(key)
                    if gathering is None:
                        nodeless = self._named_domains.without_nodes(constraint, pod)
                        gathering = self._gatherings[key] = _Gathering(template, eligibility, nodeless)
                    gathering.members += count
                    gathering.workloads.add(template.workload)

    def groups(self) -> Iterator[SpreadGroup]:
        """Count what every group's domains hold."""
        node = self.snapshot.pods.node
        zones = FailureDomains(self.snapshot)
        for key, gathering in self._gatherings.items():
            eligibility, constraint = gathering.eligibility, key.constraint
            slots = matching_slots(self.snapshot, constraint.selector, key.namespace)
            rows = node[slots]
            counted = slots[eligibility.mask[rows]]
            codes = eligibility.column.codes[node[counted]]
            is_own = key.source is Source.POD
            # A column of all domains for each group of each workload would be as many as nodes times workloads.
            occupied, held = np.unique(codes, return_counts=True)
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
                held=held,
                uncounted=len(rows) - len(codes),
                minimum=_minimum(eligibility, held, constraint.min_domains),
                zone_loss=zones.worst(rows),
            )


def _minimum(eligibility: Eligibility, held: Ints, min_domains: int) -> int:
    """The global minimum, given what the domains hold that hold any: pods on nodes that count are counted alone."""
    is_everywhere = eligibility.domains == len(held) > 0
    return int(held.min()) if is_everywhere and len(held) >= min_domains else 0


def _identity(key: _Key) -> str:
    """A text that tells the group from every other; sets are sorted, as their order differs between processes."""
    domain = key.domain
    tolerations = None if domain.tolerations is None else sorted(map(repr, domain.tolerations))
    return repr((*key[:-1], domain.topology_key, sorted(domain.keys), domain.affinity, tolerations))


# Which pods a group's constraint counts, by name.


def counted_pods(snapshot: Snapshot, group: SpreadGroup, domain: str | None = None) -> list[str]:
    """The pods that a group of this snapshot counts, all or those of one domain, as sorted ``namespace/name``."""
    pods, eligibility = snapshot.pods, group.eligibility
    slots = matching_slots(snapshot, group.constraint.selector, group.namespace)
    slots = slots[eligibility.mask[pods.node[slots]]]
    if domain is not None:
        known = {value: number for number, value in enumerate(group.values)}
        slots = slots[eligibility.column.codes[pods.node[slots]] == known.get(domain, len(known))]
    return sorted(pods.keys[slot] for slot in slots.tolist())


# How many pods of every workload run in every zone.


class WorkloadMatrix(Struct, frozen=True, eq=False):
    """W workloads by Z zones in order of name; the last zone, "", is that of nodes without one.

    Those with the largest skew come first, where it is above 1 the smaller ones before, and last those of DaemonSets,
    whose skew is that of the nodes.

    ``placed`` (W, Z): pods on nodes, those being deleted included; ``pending`` (W,): pending pods.
    """

    zones: tuple[str, ...]
    workloads: tuple[Workload, ...]
    placed: Ints
    pending: Ints


def workload_matrix(snapshot: Snapshot, pending: Iterable[Document] = ()) -> WorkloadMatrix:
    """Count the pods of a snapshot, and the ``pending`` ones that it does not hold, by workload and zone."""
    pods, column = snapshot.pods, snapshot.nodes.label(ZONE)
    known: dict[Workload, int] = {}
    of_template = np.array([known.setdefault(template.workload, len(known)) for template in pods.templates], np.intp)
    queue = [known.setdefault(PodTemplate.of(pod).workload, len(known)) for pod in waiting(snapshot, pending)]
    queue += [int(of_template[pods.template[slot]]) for slot in pods.nominees if not pods.terminating[slot]]
    width = len(column.values) + 1
    bound = np.flatnonzero(pods.node >= 0)
    zone = np.where(column.present, column.codes, width - 1)[pods.node[bound]]
    cells = of_template[pods.template[bound]] * width + zone
    placed = np.bincount(cells, minlength=len(known) * width).reshape(len(known), width)
    waits = np.bincount(np.array(queue, np.intp), minlength=len(known))

    # The empty value of a label and a missing one are one zone: neither has a name.
    named = sorted((number for number, value in enumerate(column.values) if value), key=column.values.__getitem__)
    unnamed = [number for number in range(width) if number not in named]
    placed = np.column_stack([placed[:, named], placed[:, unnamed].sum(axis=1)])
    workloads = list(known)
    sizes = placed.sum(axis=1) + waits
    skews = np.ptp(placed[:, :-1] if named else placed, axis=1)
    rows = sorted(
        (row for row in range(len(known)) if sizes[row]),
        key=lambda row: (
            workloads[row].kind == "DaemonSet",
            -skews[row],
            # Of few pods the same skew is the larger part; up to 1 it cannot always be less.
            sizes[row] if skews[row] > 1 else -sizes[row],
            workloads[row],
        ),
    )
    return WorkloadMatrix(
        zones=(*(column.values[number] for number in named), ""),
        workloads=tuple(workloads[row] for row in rows),
        placed=placed[rows].astype(np.int64),
        pending=waits[rows].astype(np.int64),
    )
