"""Selectors, affinity terms, taints and labels, evaluated over many nodes and pods at once."""

from __future__ import annotations

import marshal
from collections import defaultdict
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec import Struct

from clusters.engine.evidence import NodeRequirement, NodeTerm
from clusters.engine.labels import LabelIndex, LabelSet
from clusters.engine.objects import AffinityTerm, Pod, PodAffinity, labels_of, name_of
from clusters.engine.selectors import NodeSelector, NodeSelectorTerm, Requirement

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from clusters.engine.columns import NodeTable, Slots
    from clusters.engine.snapshot import Snapshot
    from clusters.engine.status import Index, Ints, Mask
    from clusters.engine.taints import Taint, Toleration
    from clusters.engine.world import World

# Label sets that selectors find without looking at each: numbered, and indexed by key, by value and by namespace.
#
# What a cluster's pods and somebody's selectors say is not ours to choose: thousands of either must not be
# multiplied.


# Node selectors, node affinity and taints evaluated over all nodes at once.
#
# A requirement is evaluated once per distinct label value and a toleration once per distinct set of taints; the
# answers are then given to the nodes.
#
# Upstream: ``k8s.io/component-helpers/scheduling/corev1`` v1.34.1.

# No key or value of a label or taint is written so.
_ANY = "*"


def tolerates(tolerations: Iterable[Toleration], taint: Taint) -> bool:
    """Whether any toleration covers the taint."""
    return any(toleration.tolerates(taint) for toleration in tolerations)


def untolerated(taint_sets: Iterable[tuple[Taint, ...]], tolerations: Iterable[Toleration]) -> dict[Taint, None]:
    """The distinct taints of some sets that no toleration covers, in the order in which they are met.

    A taint is compared with the tolerations that name its key and value, or leave them open.
    """
    naming: dict[tuple[str, str], dict[Toleration, None]] = {}
    for toleration in tolerations:
        value = toleration.value if toleration.operator == "Equal" else _ANY
        naming.setdefault((toleration.key or _ANY, value), {})[toleration] = None
    left: dict[Taint, None] = {}
    for taint in dict.fromkeys(taint for taints in taint_sets for taint in taints):
        named = ((key, value) for key in (taint.key, _ANY) for value in (taint.value, _ANY))
        if not any(tolerates(naming.get(pair, ()), taint) for pair in named):
            left[taint] = None
    return left


def tolerated_taint_sets(taint_sets: Sequence[tuple[Taint, ...]], tolerations: Sequence[Toleration]) -> Mask:
    """Shape (T,): taint sets none of whose scheduling taints is left untolerated."""
    left = {taint for taint in untolerated(taint_sets, tolerations) if taint.forbids_scheduling}
    return np.array([left.isdisjoint(taints) for taints in taint_sets], np.bool_)


def requirement_mask(nodes: NodeTable, requirement: Requirement) -> Mask:
    """Shape (N,): nodes whose labels meet one requirement."""
    column = nodes.label(requirement.key)
    if requirement.operator in ("In", "NotIn"):
        mask = column.equals_any(requirement.values)
        return mask if requirement.operator == "In" else ~mask
    if requirement.operator in ("Exists", "DoesNotExist"):
        return column.present if requirement.operator == "Exists" else ~column.present
    answers = [requirement.matches_value(value) for value in (*column.values, None)]
    return np.array(answers, np.bool_)[column.codes]


def term_mask(nodes: NodeTable, term: NodeSelectorTerm) -> Mask:
    """Shape (N,): nodes that one node selector term matches; an empty or unreadable term matches none."""
    if term.errors or term.is_empty:
        return np.zeros(len(nodes), np.bool_)
    mask = np.ones(len(nodes), np.bool_)
    for requirement in term.expressions:
        mask &= requirement_mask(nodes, requirement)
    for requirement in term.fields:
        if requirement.key == "metadata.name":
            mask &= _named(nodes, requirement)
        else:
            mask &= requirement.matches_value("")
    return mask


def _named(nodes: NodeTable, requirement: Requirement) -> Mask:
    """Shape (N,): nodes whose name meets a requirement, which is one of In and NotIn."""
    mask = np.zeros(len(nodes), np.bool_)
    mask[[nodes.index[name] for name in requirement.values if name in nodes.index]] = True
    return mask if requirement.operator == "In" else ~mask


def selector_mask(nodes: NodeTable, selector: NodeSelector) -> Mask:
    """Shape (N,): nodes that any term matches."""
    mask = np.zeros(len(nodes), np.bool_)
    for term in selector.terms:
        mask |= term_mask(nodes, term)
    return mask


def compared(requirement: Requirement, node_value: str | None) -> NodeRequirement:
    """One requirement and the value that it meets on a node."""
    return NodeRequirement(
        requirement.key,
        requirement.operator,
        requirement.values,
        node_value,
        requirement.matches_value(node_value),
    )


def compared_terms(selector: NodeSelector, labels: Mapping[str, str], name: str | None) -> tuple[NodeTerm, ...]:
    """The terms of a selector and what they meet on a node; conditions on fields apply where ``name`` is given."""
    return tuple(_compared_term(term, labels, name) for term in selector.terms)


def _compared_term(term: NodeSelectorTerm, labels: Mapping[str, str], name: str | None) -> NodeTerm:
    fields = (
        ()
        if name is None
        else tuple(compared(each, name if each.key == "metadata.name" else "") for each in term.fields)
    )
    found = (*(compared(each, labels.get(each.key)) for each in term.expressions), *fields)
    return NodeTerm(found, not term.errors and not term.is_empty and all(each.matches for each in found))


def map_mask(nodes: NodeTable, labels: Mapping[str, str]) -> Mask:
    """Shape (N,): nodes that carry all of the labels."""
    mask = np.ones(len(nodes), np.bool_)
    for key, value in labels.items():
        mask &= nodes.label(key).equals(value)
    return mask


def required_terms(pod: Pod) -> NodeSelector | None:
    """The pod's required node affinity, None when it has none."""
    node_affinity: Any = (pod.spec.get("affinity") or {}).get("nodeAffinity") or {}
    required = node_affinity.get("requiredDuringSchedulingIgnoredDuringExecution")
    return None if required is None else _node_selector(marshal.dumps(required, 0))


@lru_cache(maxsize=1 << 10)
def _node_selector(source: bytes) -> NodeSelector:
    """A selector as it was written, parsed once for all pods that have it."""
    return NodeSelector.from_dict(marshal.loads(source))  # noqa: S302 - what was dumped to look it up


def required_node_affinity(nodes: NodeTable, pod: Pod) -> Mask:
    """Shape (N,): nodes that the pod's nodeSelector and required node affinity admit."""
    labels, selector = pod.spec.get("nodeSelector") or {}, required_terms(pod)

    def admitted() -> Mask:
        mask = map_mask(nodes, labels)
        return mask if selector is None else mask & selector_mask(nodes, selector)

    return nodes.kept.by_nodes(("required", tuple(labels.items()), selector), admitted)


# Counting pods that inter-pod affinity terms mean, per topology domain.
#
# Terms are counted together: a pod weighs as much as the terms over one topology key that mean it, and the pods of
# every domain are added up once for each key, however many terms there are.
#
# Upstream: ``pkg/scheduler/framework/plugins/interpodaffinity/filtering.go`` v1.34.1 (topologyToMatchedTermCount).


class Weighing(Struct, frozen=True, eq=False):
    """What pods weigh by what they have in common: their label set, or their affinity group.

    ``entry`` (P,) says for each slot what it has, ``weights`` (E,) by topology key what the pods with each entry weigh;
    ``holders`` finds the bound pods with some entries.
    """

    entry: Slots
    weights: Mapping[str, Ints]
    holders: Callable[[Index], Slots]

    def slots(self, topology_key: str) -> Slots:
        """The bound pods that weigh anything."""
        return self.holders(np.flatnonzero(self.weights[topology_key]))

    def of(self, topology_key: str, slots: Index | Slots) -> Ints:
        """What some pods weigh, shape (M,)."""
        return self.weights[topology_key][self.entry[slots]]


def by_labels(snapshot: Snapshot, terms: Iterable[tuple[str, Index, int]]) -> Weighing:
    """Terms given as topology key, label sets that they mean, and weight."""
    pods = snapshot.pods
    weights: dict[str, Ints] = defaultdict(lambda: np.zeros(len(pods.label_sets), np.int64))
    for key, label_sets, weight in terms:
        weights[key][label_sets] += weight
    return Weighing(pods.label_set, weights, pods.bound_slots)


def by_group(snapshot: Snapshot, terms: Iterable[tuple[str, int, int]]) -> Weighing:
    """Terms given as topology key, affinity group of the pods that have them, and weight."""
    pods = snapshot.pods
    weights: dict[str, Ints] = defaultdict(lambda: np.zeros(len(pods.affinities), np.int64))
    for key, group, weight in terms:
        weights[key][group] += weight
    return Weighing(pods.affinity, weights, pods.bound_with_affinity)


class PairCounts:
    """Weights of pods by (topology key, value); in a world, each node sees what its own domain gains."""

    def __init__(self, snapshot: Snapshot, weighing: Weighing) -> None:
        self._snapshot, self._weighing = snapshot, weighing
        self._sums: dict[str, Ints] = {}
        pods, nodes = snapshot.pods, snapshot.nodes
        for key in weighing.weights:
            slots, column = weighing.slots(key), nodes.label(key)
            codes = column.codes[pods.node[slots]] + 1
            # Sums of whole numbers far below 2**53 are exact.
            sums = np.bincount(codes, weights=weighing.of(key, slots), minlength=len(column.values) + 1)
            self._sums[key] = sums[1:].astype(np.int64)

    def at(self, topology_key: str, world: World | None = None) -> Ints:
        """Shape (N,): the sum in each node's own domain; 0 where it has none."""
        nodes = self._snapshot.nodes
        if topology_key not in self._sums:
            return np.zeros(len(nodes), np.int64)
        here = nodes.label(topology_key).spread(self._sums[topology_key])
        return here if world is None else here + self._gained(topology_key, world)

    def any_at(self, world: World | None = None) -> Mask:
        """Shape (N,): nodes in whose domains anything was counted, whatever the key."""
        mask = np.zeros(len(self._snapshot.nodes), np.bool_)
        for key in self._sums:
            mask |= self.at(key, world) > 0
        return mask

    def total(self, world: World | None = None) -> Ints:
        """Shape (N,): everything counted anywhere, as each node's world has it."""
        total = np.full(len(self._snapshot.nodes), sum(int(sums.sum()) for sums in self._sums.values()), np.int64)
        if world is not None:
            for key in self._sums:
                total += self._gained(key, world)
        return total

    def spread(self) -> Ints:
        """Shape (N,): the sums of each node's domains, over all keys."""
        return sum(map(self.at, self._sums), np.zeros(len(self._snapshot.nodes), np.int64))

    @property
    def empty(self) -> bool:
        return not any(sums.any() for sums in self._sums.values())

    def _gained(self, topology_key: str, world: World) -> Ints:
        nodes = self._snapshot.nodes
        changes = world.per_node(self._weighing.of(topology_key, world.slots), len(nodes))
        return np.where(nodes.label(topology_key).present, changes, 0)


def occupied(snapshot: Snapshot, topology_key: str, slots: Slots, changes: Ints | None = None) -> Mask:
    """Shape (N,): nodes in whose domain any of these bound pods is; ``changes`` is what each gains in its own world."""
    column = snapshot.nodes.label(topology_key)
    codes = column.codes[snapshot.pods.node[slots]]
    here = np.bincount(codes[codes >= 0], minlength=len(column.values) + 1)[column.codes]
    return here > 0 if changes is None else here + np.where(column.present, changes, 0) > 0


# So many different pods are kept in mind.
_MOST_MEANT = 256


def terms_about(snapshot: Snapshot, pod: Pod) -> Mapping[int, PodAffinity]:
    """Of each affinity group that has any the terms that mean a pod, whether or not pods of the group are placed."""
    pods, namespace_labels = snapshot.pods, snapshot.namespace_labels(pod.namespace)
    asked = pod.namespace, frozenset(pod.labels.items()), frozenset(namespace_labels.items())
    seen, known = pods.meanings.get(asked, (0, {}))
    if seen == len(pods.affinities):
        return known

    def about(terms: Iterable[AffinityTerm]) -> tuple[AffinityTerm, ...]:
        return tuple(term for term in terms if term.matches(pod.namespace, pod.labels, namespace_labels))

    found, new = dict(known), pods.affinities[seen:]
    for group, said in enumerate(new, seen):
        meaning = PodAffinity(
            about(said.required), about(said.required_anti), about(said.preferred), about(said.preferred_anti)
        )
        if meaning:
            found[group] = meaning
    if len(pods.meanings) >= _MOST_MEANT:
        pods.meanings.clear()
    pods.meanings[asked] = seen + len(new), found
    return found


class PlacedTerm(Struct, frozen=True, eq=False):
    """A distinct term of placed or nominated pods that means the incoming one, and the affinity groups that have it."""

    term: AffinityTerm
    groups: list[int]


def placed_terms(terms_of_groups: Iterable[tuple[int, Sequence[AffinityTerm]]]) -> tuple[PlacedTerm, ...]:
    """The distinct ones of the terms of some affinity groups, in the order of the groups."""
    found: dict[AffinityTerm, PlacedTerm] = {}
    for group, terms in terms_of_groups:
        for term in terms:
            known = found.setdefault(term, PlacedTerm(term, []))
            if not known.groups or known.groups[-1] != group:
                known.groups.append(group)
    return tuple(found.values())


class _Namespaces(Struct, frozen=True, eq=False):
    """The namespaces of a cluster, found by their labels."""

    names: tuple[str, ...]
    index: LabelIndex


def _namespaces(snapshot: Snapshot) -> _Namespaces:
    documents, index = snapshot.objects("Namespace"), LabelIndex()
    for document in documents:
        index.add(LabelSet("", labels_of(document)))
    return _Namespaces(tuple(map(name_of, documents)), index)


def namespaces_of(snapshot: Snapshot, term: AffinityTerm) -> frozenset[str] | None:
    """The namespaces that a term of the incoming pod reaches; None stands for all.

    The namespaces that the selector finds are added to those of the term by name. Until 1.36 placed pods are then
    compared with the selector, too, as if their namespaces had no labels: so one that only excludes (NotIn,
    DoesNotExist) reaches every namespace.
    """
    selector = term.namespace_selector
    if selector is None:
        return term.namespaces
    if selector.matches_everything or (selector.matches({}) and snapshot.release.rules.compares_unnamed_namespaces):
        return None
    known = snapshot.derived(_namespaces, "Namespace")
    matched = known.index.select(selector, None)
    return term.namespaces | frozenset(known.names[number] for number in matched.tolist())


def reaches(snapshot: Snapshot, term: AffinityTerm, namespace: str) -> bool:
    """Whether pods of a namespace can be meant by a term of the incoming pod."""
    namespaces = namespaces_of(snapshot, term)
    return namespaces is None or namespace in namespaces


def meant_by(snapshot: Snapshot, term: AffinityTerm) -> Index:
    """Ids of the label sets that a term of the incoming pod means."""
    return snapshot.pods.select(term.selector, namespaces_of(snapshot, term))


def meant_by_all(snapshot: Snapshot, terms: Sequence[AffinityTerm]) -> Index:
    """Ids of the label sets that every one of the terms means; none without terms."""
    by = np.zeros(len(snapshot.pods.label_sets), np.int64)
    for term in terms:
        by[meant_by(snapshot, term)] += 1
    return np.flatnonzero(by == len(terms)) if terms else np.empty(0, np.intp)
