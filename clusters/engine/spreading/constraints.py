"""Topology spread arithmetic: which nodes count, how many pods each domain holds, and what the minimum is.

Upstream: ``pkg/scheduler/framework/plugins/podtopologyspread/{plugin,common,filtering}.go`` v1.34.1."""

from __future__ import annotations

import marshal
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from clusters.engine.configuration.arguments import DefaultingType, PodTopologySpreadArgs
from clusters.engine.objects import Document, Pod
from clusters.engine.plugin import Context
from clusters.engine.selectors import EVERYTHING, NOTHING, LabelSelector, SelectorError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from clusters.engine.columns import LabelColumn, Slots
    from clusters.engine.configuration import Profile
    from clusters.engine.snapshot import Snapshot
    from clusters.engine.status import Index, Ints, Mask
    from clusters.engine.world import World

# The selector by which a pod without spread constraints of its own is spread: that of its services and controller.
#
# Upstream: ``pkg/scheduler/framework/plugins/helper/spread.go`` v1.34.1.

_CONTROLLERS = {
    ("v1", "ReplicationController"),
    ("apps/v1", "ReplicaSet"),
    ("apps/v1", "StatefulSet"),
}


def default_selector(snapshot: Snapshot, pod: Pod) -> LabelSelector:
    """What the services that select the pod and its controller demand together; everything when there are none."""
    labels: dict[str, str] = {}
    for service in snapshot.objects("Service", pod.namespace):
        selector = (service.get("spec") or {}).get("selector")
        if selector is not None and all(pod.labels.get(key) == value for key, value in selector.items()):
            labels.update(selector)
    owner = pod.controller
    if owner is None or (owner.get("apiVersion"), owner.get("kind")) not in _CONTROLLERS:
        return EVERYTHING.with_labels(labels)
    controller = snapshot.object(str(owner["kind"]), str(owner.get("name")), pod.namespace)
    if controller is None:
        return EVERYTHING.with_labels(labels)
    demanded = (controller.get("spec") or {}).get("selector")
    if owner["kind"] == "ReplicationController":
        return EVERYTHING.with_labels({**labels, **(demanded or {})})
    try:
        own = LabelSelector.from_dict(demanded)
    except SelectorError:
        return EVERYTHING.with_labels(labels)
    return EVERYTHING.with_labels(labels).with_requirements(*own.requirements)


# PodTopologySpread by name: the constraints of pods without their own are its arguments.
PLUGIN: Final = "PodTopologySpread"
"""The plugin whose arguments hold the constraints of pods without their own."""
HOSTNAME = "kubernetes.io/hostname"
ZONE = "topology.kubernetes.io/zone"
DO_NOT_SCHEDULE, SCHEDULE_ANYWAY = "DoNotSchedule", "ScheduleAnyway"
_SYSTEM_DEFAULTS: tuple[Mapping[str, Any], ...] = (
    {"maxSkew": 3, "topologyKey": HOSTNAME, "whenUnsatisfiable": SCHEDULE_ANYWAY},
    {"maxSkew": 5, "topologyKey": ZONE, "whenUnsatisfiable": SCHEDULE_ANYWAY},
)
_FAR = np.iinfo(np.int64).max // 4


class SpreadConstraint(Struct, frozen=True):
    """One topology spread constraint, with defaults filled in and matchLabelKeys merged into the selector."""

    max_skew: int
    topology_key: str
    selector: LabelSelector
    min_domains: int
    honours_affinity: bool
    honours_taints: bool

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], pod_labels: Mapping[str, str]) -> SpreadConstraint:
        """Parse a constraint of a pod with these labels. Raises SelectorError."""
        selector = LabelSelector.from_dict(data.get("labelSelector"))
        keys = data.get("matchLabelKeys") or ()
        return cls(
            max_skew=int(data.get("maxSkew") or 1),
            topology_key=str(data.get("topologyKey") or ""),
            selector=selector.with_labels({key: pod_labels[key] for key in keys if key in pod_labels}),
            min_domains=1 if data.get("minDomains") is None else int(data["minDomains"]),
            honours_affinity=(data.get("nodeAffinityPolicy") or "Honor") == "Honor",
            honours_taints=(data.get("nodeTaintsPolicy") or "Ignore") == "Honor",
        )


def constraints_of(
    snapshot: Snapshot, pod: Pod, arguments: PodTopologySpreadArgs, action: str
) -> list[SpreadConstraint]:
    """The constraints that take ``action`` when they cannot be met: the pod's, or the defaults when it has none at all.

    ``action`` is DoNotSchedule or ScheduleAnyway. Raises SelectorError.
    """
    own = pod.spec.get("topologySpreadConstraints") or ()
    if own:
        return _taking(action, own, pod)
    system = arguments.defaulting_type is DefaultingType.SYSTEM
    constraints = _taking(action, _SYSTEM_DEFAULTS if system else arguments.default_constraints, pod)
    if not constraints:
        return []
    selector = default_selector(snapshot, pod)
    return [] if selector.matches_everything else [replace(each, selector=selector) for each in constraints]


def has_constraints(pod: Pod, arguments: PodTopologySpreadArgs) -> bool:
    """Whether a pod has constraints of its own, or there are any for pods that have none."""
    is_spread_by_default = arguments.defaulting_type is DefaultingType.SYSTEM or bool(arguments.default_constraints)
    return is_spread_by_default or bool(pod.spec.get("topologySpreadConstraints"))


def needs_every_key(pod: Pod, arguments: PodTopologySpreadArgs) -> bool:
    """Whether a node must carry the key of every constraint to count for any; not so under Kubernetes' own defaults."""
    return bool(pod.spec.get("topologySpreadConstraints")) or arguments.defaulting_type is not DefaultingType.SYSTEM


def _taking(action: str, constraints: Iterable[Mapping[str, Any]], pod: Pod) -> list[SpreadConstraint]:
    source = marshal.dumps((tuple(map(dict, constraints)), pod.labels), 0)
    return list(_taken(action, source))


@lru_cache(maxsize=1 << 10)
def _taken(action: str, source: bytes) -> tuple[SpreadConstraint, ...]:
    """Constraints and labels as they were written, parsed once for all pods that have them. Raises SelectorError."""
    constraints, labels = marshal.loads(source)  # noqa: S302 - what was dumped to look it up
    return tuple(
        SpreadConstraint.from_dict(data, labels)
        for data in constraints
        if (data.get("whenUnsatisfiable") or DO_NOT_SCHEDULE) == action
    )


def all_labelled(snapshot: Snapshot, constraints: Iterable[SpreadConstraint]) -> Mask:
    """Shape (N,): nodes that carry the topology key of every constraint."""
    nodes, keys = snapshot.nodes, tuple(constraint.topology_key for constraint in constraints)

    def labelled() -> Mask:
        mask = np.ones(len(nodes), np.bool_)
        for key in keys:
            mask &= nodes.label(key).present
        return mask

    return nodes.kept.by_nodes(("labelled", keys), labelled)


def included(context: Context, constraint: SpreadConstraint) -> Mask:
    """Shape (N,): nodes that the inclusion policies of a constraint let count."""
    mask = np.ones(len(context.snapshot.nodes), np.bool_)
    if constraint.honours_affinity:
        mask &= context.node_affinity
    if constraint.honours_taints:
        mask &= context.tolerated
    return mask


def counted_label_sets(snapshot: Snapshot, selector: LabelSelector, namespace: str) -> Index:
    """Ids of the label sets that a constraint with this selector counts. Until 1.37 an empty selector counts none."""
    counts_all = snapshot.release.rules.counts_for_empty_selectors
    counted = NOTHING if selector.matches_everything and not counts_all else selector
    return snapshot.pods.select(counted, frozenset({namespace}))


def matching_slots(snapshot: Snapshot, selector: LabelSelector, namespace: str) -> Slots:
    """Slots of the bound pods that a constraint with this selector counts: none that is being deleted."""
    return snapshot.pods.bound_slots(counted_label_sets(snapshot, selector, namespace), terminating=False)


def matching_rows(snapshot: Snapshot, selector: LabelSelector, namespace: str) -> Ints:
    """The node of each bound pod that a constraint with this selector counts."""
    rows: Ints = snapshot.pods.node[matching_slots(snapshot, selector, namespace)]
    return rows


class DomainCounts(Struct, frozen=True, eq=False):
    """How many pods each of V domains holds, ``counts`` (V,).

    ``codes`` (N,): the domain of each node; ``counted`` (N,): the nodes whose pods count.
    """

    codes: Index
    counted: Mask
    counts: Ints

    @classmethod
    def of(cls, codes: Index, counted: Mask, domains: int, rows: Ints) -> DomainCounts:
        """Count pods, each given by the row of its node."""
        return cls(codes, counted, np.bincount(codes.take(rows[counted.take(rows)]), minlength=domains))

    def move(self, row: int, more: int) -> None:
        """Count so many more pods on a row."""
        if self.counted[row]:
            self.counts[self.codes[row]] += more


def global_minimum(counts: Ints, exists: Mask, min_domains: int) -> int:
    """Fewest matching pods in any eligible domain, arrays (V,); 0 when there are fewer of them than ``min_domains``."""
    found = counts[exists]
    return int(found.min()) if len(found) and len(found) >= min_domains else 0


class Domains(Struct, frozen=True):
    """The counts of one DoNotSchedule constraint: V values of its key, N nodes.

    ``counts`` (V,) matching pods; ``exists`` (V,) values with an eligible node; ``eligible`` (N,) nodes that count;
    ``itself`` is 1 when the pod matches its own selector.
    """

    constraint: SpreadConstraint
    column: LabelColumn
    counts: Ints
    exists: Mask
    eligible: Mask
    itself: int

    @classmethod
    def of(cls, context: Context, constraint: SpreadConstraint, labelled: Mask) -> Domains:
        """``labelled`` (N,): nodes that carry every key that they must carry to count, this one among them."""
        column = context.snapshot.nodes.label(constraint.topology_key)
        eligible = labelled & included(context, constraint)
        exists = np.ones(len(column.values), np.bool_)
        if not eligible.all():
            exists[:] = False
            exists[column.codes[eligible]] = True
        itself = int(constraint.selector.matches(context.pod.labels))
        rows = matching_rows(context.snapshot, constraint.selector, context.pod.namespace)
        counts = DomainCounts.of(column.codes, eligible, len(column.values), rows).counts
        return cls(constraint, column, counts, exists, eligible, itself)

    @property
    def enough_domains(self) -> bool:
        return int(self.exists.sum()) >= self.constraint.min_domains

    @property
    def minimum(self) -> int:
        """The global minimum."""
        return global_minimum(self.counts, self.exists, self.constraint.min_domains)

    @property
    def exceeding(self) -> Mask:
        """Shape (V,): values whose nodes would exceed the skew that is allowed with the pod on them."""
        mask: Mask = self.counts + self.itself - self.minimum > self.constraint.max_skew
        return mask

    def skew(self, context: Context, world: World | None) -> Ints:
        """Shape (N,): skew that each node's domain would have with the pod; meaningless where the key is missing."""
        here = self.column.spread(self.counts)
        if world is None:
            return here + self.itself - self.minimum
        here = here + np.where(self.eligible, self._changes(context, world), 0)
        return here + self.itself - self._minimum_in_worlds(here)

    def _changes(self, context: Context, world: World) -> Ints:
        pods = context.snapshot.pods
        matched = pods.select(self.constraint.selector, frozenset({context.pod.namespace}))
        return world.count(pods, matched, len(self.eligible))

    def _minimum_in_worlds(self, here: Ints) -> Ints:
        """Shape (N,): the global minimum where node n's domain holds ``here[n]`` and the others what they hold."""
        if not self.enough_domains:
            return np.zeros(len(here), np.int64)
        counts = np.where(self.exists, self.counts, _FAR)
        others = np.full(len(counts), counts.min(initial=_FAR), np.int64)
        if len(counts):
            lowest = int(counts.argmin())
            others[lowest] = np.delete(counts, lowest).min(initial=_FAR)
        own_counts = np.where(self.column.spread(self.exists.astype(np.int64)) > 0, here, _FAR)
        return np.minimum(
            np.where(self.column.present, self.column.spread(others), counts.min(initial=_FAR)), own_counts
        )


# How far apart the domains of a pod's topology spread constraints are.
#
# Upstream: ``pkg/scheduler/framework/plugins/podtopologyspread/{common,filtering}.go`` v1.34.1.


class Skew(Struct, frozen=True):
    """One constraint and its skew: what the fullest domain that counts holds above the global minimum."""

    topology_key: str
    max_skew: int
    action: str
    skew: int

    @property
    def is_violated(self) -> bool:
        return self.skew > self.max_skew

    @property
    def blocks(self) -> bool:
        """Whether a pod waits rather than exceed ``max_skew``."""
        return self.action == DO_NOT_SCHEDULE


def skews_of(snapshot: Snapshot, pod: Document, profile: Profile) -> tuple[Skew, ...]:
    """The skew of each of a pod's constraints, defaults among them, as the snapshot is. Raises SelectorError."""
    typed = Pod(pod)
    context = Context(snapshot, typed, profile.args)
    arguments = context.arguments_of(PLUGIN, PodTopologySpreadArgs)
    found = []
    for action in (DO_NOT_SCHEDULE, SCHEDULE_ANYWAY):
        constraints = constraints_of(snapshot, typed, arguments, action)
        for constraint in constraints:
            required = constraints if needs_every_key(typed, arguments) else [constraint]
            domains = Domains.of(context, constraint, all_labelled(snapshot, required))
            most = int(domains.counts[domains.exists].max(initial=0))
            skew = max(0, most - domains.minimum)
            found.append(Skew(constraint.topology_key, constraint.max_skew, action, skew))
    return tuple(found)


def widest(first: tuple[Skew, ...], second: tuple[Skew, ...]) -> tuple[Skew, ...]:
    """The larger skew of each constraint at two moments; a moment without constraints counts for nothing."""
    if not first or not second:
        return first or second
    return tuple(max(pair, key=lambda each: each.skew) for pair in zip(first, second, strict=True))
