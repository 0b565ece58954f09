"""InterPodAffinity: what the pod says about other pods, and what they say about it."""

from __future__ import annotations

import enum
from functools import cached_property
from itertools import zip_longest
from typing import TYPE_CHECKING, ClassVar, TypeVar

import numpy as np
from msgspec import Struct

from clusters.engine.configuration import InterPodAffinityArgs
from clusters.engine.edits import REQUIRED, RemovePodAffinity, RemovePodAntiAffinity, digest
from clusters.engine.evidence import Comparison, CountedPod, Normalisation, ScorePart, Subject
from clusters.engine.matching import (
    PairCounts,
    PlacedTerm,
    by_group,
    by_labels,
    meant_by,
    meant_by_all,
    occupied,
    placed_terms,
    reaches,
    terms_about,
)
from clusters.engine.plugin import (
    MAX_NODE_SCORE,
    NOTHING_LIFTED,
    PROCEED,
    SKIP_FILTER,
    ClusterEvent,
    Constraint,
    Plugin,
    PreFilter,
    Reads,
)
from clusters.engine.selectors import LabelSelector, SelectorError
from clusters.engine.status import (
    SKIP,
    SUCCESS,
    FilterAnswer,
    Index,
    Ints,
    Mask,
    QuotedReason,
    Reason,
    Status,
    failure,
    unresolvable,
    unschedulable,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from clusters.engine.columns import Slots
    from clusters.engine.objects import AffinityTerm, Pod, PodAffinity
    from clusters.engine.world import World

# What InterPodAffinity compared on a node, and what it made its score from.

# So many pods are named; the others are counted.
_SHOWN_PODS = 5


class PodTerm(Struct, frozen=True):
    """Which pods a term means, and the topology key within whose domains.

    ``namespaces`` are named, in their order; ``namespace_selector`` adds namespaces by label (None adds none).
    """

    topology_key: str
    selector: LabelSelector
    namespaces: tuple[str, ...]
    namespace_selector: LabelSelector | None

    @classmethod
    def of(cls, term: AffinityTerm) -> PodTerm:
        return cls(term.topology_key, term.selector, tuple(sorted(term.namespaces)), term.namespace_selector)


class TermSource(enum.StrEnum):
    """Whose term it is, and whether it draws pods together or keeps them apart."""

    AFFINITY = "affinity"
    ANTI_AFFINITY = "anti-affinity"
    ANTI_AFFINITY_OF_PODS = "anti-affinity-of-pods"


class TermComparison(Comparison, frozen=True):
    """The pods of the node's domain that a required term is about.

    ``value`` is None where the node lacks the topology label. ``count`` are those pods, nominated ones included, and
    ``pods`` the first of them; for affinity with several terms they are the pods that all of its terms mean.
    ``first_of_group`` says that no pod anywhere meets the pod's affinity and the pod itself does, so that it may start
    its group.
    """

    kind = "pod-affinity-term"

    source: TermSource
    term: PodTerm
    value: str | None
    count: int
    pods: tuple[CountedPod, ...]
    first_of_group: bool

    @classmethod
    def of(
        cls, source: TermSource, term: AffinityTerm, value: str | None, here: list[CountedPod], *, first_of_group: bool
    ) -> TermComparison:
        """State a term and the pods that it is about in a node's domain."""
        return cls(source, PodTerm.of(term), value, len(here), tuple(here[:_SHOWN_PODS]), first_of_group)

    @property
    def holds(self) -> bool:
        if self.source is not TermSource.AFFINITY:
            return self.count == 0
        return self.value is not None and (self.count > 0 or self.first_of_group)


class PreferenceSource(enum.StrEnum):
    """Whose preference it is; that of other pods is about the pod as they would have it."""

    AFFINITY = "preferred-affinity"
    ANTI_AFFINITY = "preferred-anti-affinity"
    PODS = "preferred-by-pods"


class TermScore(ScorePart, frozen=True):
    """The pods of the node's domain that a preferred term is about; they add count × weight to the raw score."""

    kind = "preferred-pod-affinity-term"

    source: PreferenceSource
    term: PodTerm
    value: str
    count: int
    weight: int


class ByRange(Normalisation, frozen=True):
    """100 × ((raw − lowest) ÷ (highest − lowest)) in 64-bit floats, rounded down; 0 where all are the same."""

    kind = "by-range"

    highest: int
    lowest: int


# What InterPodAffinity requires of a node: one term of the pod's rules, or of those of existing pods.


class TermSubject(Subject, frozen=True):
    """A required term of affinity or anti-affinity between pods."""

    term: AffinityTerm


class AffinitySubject(TermSubject, frozen=True):
    """A required affinity term of the pod."""

    kind: ClassVar[str] = "pod-affinity"
    may_prefer: ClassVar[bool] = True


class AntiAffinitySubject(TermSubject, frozen=True):
    """A required anti-affinity term of the pod."""

    kind: ClassVar[str] = "pod-anti-affinity"
    may_prefer: ClassVar[bool] = True


class ExistingAntiAffinitySubject(TermSubject, frozen=True):
    """A required anti-affinity term of existing pods that means the pod."""

    kind: ClassVar[str] = "existing-pod-anti-affinity"


# The rules of InterPodAffinity.
#
# Upstream: ``pkg/scheduler/framework/plugins/interpodaffinity`` v1.34.1, v1.37.2.


class NoPodAffinity(Reason, frozen=True):
    """No pods that the pod wants beside it."""

    kind = "no-pod-affinity"
    plugin = "InterPodAffinity"
    text = "node(s) didn't match pod affinity rules"


class PodAntiAffinity(Reason, frozen=True):
    """Pods that the pod does not want beside it."""

    kind = "pod-anti-affinity"
    plugin = "InterPodAffinity"
    text = "node(s) didn't match pod anti-affinity rules"


class ExistingAntiAffinity(Reason, frozen=True):
    """Pods that do not want the pod beside them."""

    kind = "existing-anti-affinity"
    plugin = "InterPodAffinity"
    text = "node(s) didn't satisfy existing pods anti-affinity rules"


class _Preference(Struct, frozen=True):
    """A term that moves scores, with a signed weight; ``group`` are the placed pods that have it, None for the pod."""

    source: PreferenceSource
    term: AffinityTerm
    weight: int
    group: int | None = None


class InterPodAffinity(Plugin):
    """Filters by required terms, own and of placed pods; scores by preferred ones."""

    name = "InterPodAffinity"
    reads = Reads.NODES | Reads.PODS
    requeue_on = (
        ClusterEvent.POD_ADD,
        ClusterEvent.POD_DELETE,
        ClusterEvent.POD_LABEL,
        ClusterEvent.NODE_ADD,
        ClusterEvent.NODE_LABEL,
    )
    colour = "magenta"
    lasting = frozenset({"_namespace_labels"})
    whole = (RemovePodAffinity(), RemovePodAntiAffinity())
    unprepared = 'error reading "PreFilterInterPodAffinity" from cycleState: not found'

    @property
    def _arguments(self) -> InterPodAffinityArgs:
        return self.context.arguments_of(self.name, InterPodAffinityArgs)

    # -- filtering ---------------------------------------------------------------------------------------

    @property
    def counts_together(self) -> bool:
        # Affinity counts the pods that all of its terms mean.
        return len(self.pod.affinity.required) > 1

    def pre_filter(self) -> PreFilter:
        affinity = self.pod.affinity
        if affinity.errors:
            return PreFilter(unresolvable(QuotedReason(f"parsing pod: {self.said(SelectorError(*affinity.errors))}")))
        if affinity.required or affinity.required_anti or (self._objections and not self._existing.empty):
            return PROCEED
        return SKIP_FILTER

    def _matches_incoming(self, term: AffinityTerm) -> bool:
        """Whether a term of a placed pod means the incoming one."""
        return term.matches(self.pod.namespace, self.pod.labels, self._namespace_labels)

    def is_concerned(self, affinities: Iterable[PodAffinity]) -> bool:
        own = self.pod.affinity
        return bool(own) or bool(own.errors) or any(map(self._is_meant_by, affinities))

    def _is_meant_by(self, affinity: PodAffinity) -> bool:
        """Whether any term of a placed pod with this affinity means the incoming one."""
        kinds = (affinity.required, affinity.required_anti, affinity.preferred, affinity.preferred_anti)
        return any(self._matches_incoming(term) for terms in kinds for term in terms)

    def is_helped_by(self, placed: Pod) -> bool:
        return any(self._means(term, placed) for term in self.pod.affinity.required)

    @cached_property
    def _namespace_labels(self) -> dict[str, str]:
        return dict(self.snapshot.namespace_labels(self.pod.namespace))

    def _matches_itself(self, terms: Iterable[AffinityTerm]) -> bool:
        """Whether the pod meets all of its own affinity terms."""
        return all(self._means(term, self.pod) for term in terms)

    def _means(self, term: AffinityTerm, other: Pod) -> bool:
        """Whether a term of the incoming pod means another one, or itself."""
        return term.selector.matches(other.labels) and reaches(self.snapshot, term, other.namespace)

    @cached_property
    def _about(self) -> Mapping[int, PodAffinity]:
        return terms_about(self.snapshot, self.pod)

    @cached_property
    def _objections(self) -> tuple[PlacedTerm, ...]:
        """Distinct required anti-affinity terms of placed and nominated pods that mean the incoming one."""
        pods = self.snapshot.pods
        nominated, about = {int(pods.affinity[slot]) for slot in pods.nominees}, self._about
        there = (group for group in sorted(about) if group in pods.by_affinity or group in nominated)
        return placed_terms((group, about[group].required_anti) for group in there)

    def _existing_counts(self, objections: Iterable[PlacedTerm]) -> PairCounts:
        """Pods whose anti-affinity means the incoming one, by topology pair."""
        each = ((each.term.topology_key, group, 1) for each in objections for group in each.groups)
        return PairCounts(self.snapshot, by_group(self.snapshot, each))

    @cached_property
    def _existing(self) -> PairCounts:
        return self._existing_counts(self._objections)

    def _own_counts(self, terms: Iterable[tuple[AffinityTerm, Index]]) -> PairCounts:
        """Pods that terms of the incoming pod mean, by topology pair."""
        each = ((term.topology_key, meant, 1) for term, meant in terms)
        return PairCounts(self.snapshot, by_labels(self.snapshot, each))

    def _together(self, terms: Sequence[AffinityTerm]) -> PairCounts:
        """Pods that all of some affinity terms mean, under the key of each."""
        meant = meant_by_all(self.snapshot, terms)
        return self._own_counts((term, meant) for term in {term.topology_key: term for term in terms}.values())

    @cached_property
    def _attracting(self) -> PairCounts:
        return self._together(self.pod.affinity.required)

    def _apart(self, terms: Iterable[AffinityTerm]) -> PairCounts:
        """Pods that any of some anti-affinity terms means, under the key of each."""
        return self._own_counts((term, meant_by(self.snapshot, term)) for term in terms)

    @cached_property
    def _repelling(self) -> PairCounts:
        return self._apart(self.pod.affinity.required_anti)

    def _away_by_affinity(self, terms: Sequence[AffinityTerm], counts: PairCounts, world: World | None) -> Mask:
        """Shape (N,): nodes that do not meet these affinity terms; ``counts`` are those of ``_together``."""
        nodes = self.snapshot.nodes
        if not terms:
            return np.zeros(len(nodes), np.bool_)
        labelled = np.ones(len(nodes), np.bool_)
        satisfied = np.ones(len(nodes), np.bool_)
        for key in dict.fromkeys(term.topology_key for term in terms):
            labelled &= nodes.label(key).present
            satisfied &= counts.at(key, world) > 0
        if self._matches_itself(terms):
            # The first pod of a group that has affinity to itself may go anywhere with the labels.
            satisfied |= counts.total(world) == 0
        return ~(labelled & satisfied)

    def filter(self, world: World | None = None, lifted: frozenset[int] = NOTHING_LIFTED) -> FilterAnswer:
        required: Sequence[AffinityTerm] = self.pod.affinity.required
        if not lifted:
            attracting, repelling, existing = self._attracting, self._repelling, self._existing
        else:
            first, second = len(required), len(required) + len(self.pod.affinity.required_anti)
            required = _standing(required, 0, lifted)
            attracting = self._together(required)
            repelling = self._apart(_standing(self.pod.affinity.required_anti, first, lifted))
            existing = self._existing_counts(_standing(self._objections, second, lifted))
        return FilterAnswer.first_of(
            (self._away_by_affinity(required, attracting, world), unresolvable(NoPodAffinity())),
            (repelling.any_at(world), unschedulable(PodAntiAffinity())),
            (existing.any_at(world), unschedulable(ExistingAntiAffinity())),
        )

    def blocking(self, world: World | None = None) -> Iterator[Mask]:
        """Judges each term by the pods that it is about, so that thousands of terms do not recount all pods."""
        for required in self.pod.affinity.required:
            yield self._away_by_affinity((required,), self._together((required,)), world)
        for required in self.pod.affinity.required_anti:
            snapshot, meant = self.snapshot, meant_by(self.snapshot, required)
            changes = None if world is None else world.count(snapshot.pods, meant, len(snapshot.nodes))
            yield occupied(snapshot, required.topology_key, snapshot.pods.bound_slots(meant), changes)
        for objection in self._objections:
            yield self._objected(objection, world)

    def _objected(self, objection: PlacedTerm, world: World | None) -> Mask:
        pods, changes = self.snapshot.pods, None
        if world is not None:
            theirs = np.isin(pods.affinity[world.slots], objection.groups).astype(np.int64)
            changes = world.per_node(theirs, len(self.snapshot.nodes))
        owners = pods.by_affinity.slots_of(objection.groups)
        return occupied(self.snapshot, objection.term.topology_key, owners, changes)

    def constraints(self) -> tuple[Constraint, ...]:
        edits = [
            edit(digest(entry))
            for edit in (RemovePodAffinity, RemovePodAntiAffinity)
            for entry in ((self.pod.spec.get("affinity") or {}).get(edit.rules) or {}).get(REQUIRED) or ()
        ]
        affinity = self.pod.affinity
        subjects: list[TermSubject] = [
            *(AffinitySubject(term) for term in affinity.required),
            *(AntiAffinitySubject(term) for term in affinity.required_anti),
            *(ExistingAntiAffinitySubject(each.term) for each in self._objections),
        ]
        return tuple(Constraint(self.name, subject, edit) for subject, edit in zip_longest(subjects, edits))

    def evidence(self, row: int, world: World | None = None) -> tuple[Comparison, ...]:
        affinity, pods = self.pod.affinity, self.snapshot.pods
        alone = int(self._attracting.total(world)[row]) == 0
        first_of_group = alone and self._matches_itself(affinity.required)
        together = meant_by_all(self.snapshot, affinity.required)
        bound, joining = pods.bound_slots(together), self.joining(row, world)
        found = []
        for term in affinity.required:
            coming = [slot for slot in joining if pods.label_set[slot] in together]
            found.append(self._compared(TermSource.AFFINITY, term, bound, coming, row, first_of_group=first_of_group))
        for term in affinity.required_anti:
            meant = meant_by(self.snapshot, term)
            coming = [slot for slot in joining if pods.label_set[slot] in meant]
            found.append(self._compared(TermSource.ANTI_AFFINITY, term, pods.bound_slots(meant), coming, row))
        for each in self._objections:
            coming = [slot for slot in joining if pods.affinity[slot] in each.groups]
            owners = pods.by_affinity.slots_of(each.groups)
            found.append(self._compared(TermSource.ANTI_AFFINITY_OF_PODS, each.term, owners, coming, row))
        return tuple(found)

    def _compared(
        self,
        source: TermSource,
        term: AffinityTerm,
        slots: Slots,
        joining: list[int],
        row: int,
        *,
        first_of_group: bool = False,
    ) -> TermComparison:
        """How many of these bound pods, and of the ``joining`` ones, are in the node's domain."""
        pods, column = self.snapshot.pods, self.snapshot.nodes.label(term.topology_key)
        code, here = int(column.codes[row]), []
        if code >= 0:
            here = [CountedPod(pods.keys[slot], nominated=True) for slot in joining]
            here += [CountedPod(pods.keys[slot]) for slot in slots[column.codes[pods.node[slots]] == code].tolist()]
        value = None if code < 0 else column.values[code]
        return TermComparison.of(source, term, value, here, first_of_group=first_of_group)

    # -- scoring -----------------------------------------------------------------------------------------

    @cached_property
    def _preferences(self) -> list[_Preference]:
        """Every term that may count, the pod's own and those of placed pods that mean it."""
        affinity, pods = self.pod.affinity, self.snapshot.pods
        hard_weight = self._arguments.hard_pod_affinity_weight
        found = [_Preference(PreferenceSource.AFFINITY, term, term.weight) for term in affinity.preferred]
        found += [_Preference(PreferenceSource.ANTI_AFFINITY, term, -term.weight) for term in affinity.preferred_anti]
        for group in pods.by_affinity:
            theirs = self._about.get(group)
            if theirs is None:
                continue
            weights = [(term, hard_weight) for term in theirs.required] if hard_weight > 0 else []
            weights += [(term, term.weight) for term in theirs.preferred]
            weights += [(term, -term.weight) for term in theirs.preferred_anti]
            found += [_Preference(PreferenceSource.PODS, term, weight, group) for term, weight in weights]
        return found

    def _preferred(self, weight_of: Callable[[_Preference], int]) -> tuple[PairCounts, PairCounts]:
        """Pods that the pod's own preferences mean, and those whose preferences mean the pod, with some weight."""
        snapshot, preferences = self.snapshot, self._preferences
        own = (
            (each.term.topology_key, meant_by(snapshot, each.term), weight_of(each))
            for each in preferences
            if each.group is None
        )
        theirs = (
            (each.term.topology_key, each.group, weight_of(each)) for each in preferences if each.group is not None
        )
        return PairCounts(snapshot, by_labels(snapshot, own)), PairCounts(snapshot, by_group(snapshot, theirs))

    def _weigh(self) -> tuple[bool, Ints]:
        """Whether any pod counts, and raw scores, shape (N,)."""
        own, theirs = self._preferred(lambda preference: preference.weight)
        is_any = not (own.empty and theirs.empty)
        if not is_any:
            # Weights may cancel each other out; the terms count nevertheless.
            is_any = any(not each.empty for each in self._preferred(lambda _: 1))
        return is_any, own.spread() + theirs.spread()

    @cached_property
    def _weighed(self) -> tuple[bool, Ints]:
        pod, hard_weight = self.pod, self._arguments.hard_pod_affinity_weight
        if pod.affinity.preferred or pod.affinity.preferred_anti:
            return self._weigh()
        meant = pod.namespace, frozenset(pod.labels.items()), frozenset(self._namespace_labels.items())
        # What placed pods say of others stays the same until one that says anything comes or goes.
        changes = self.snapshot.pods.by_affinity.changes
        return self.snapshot.nodes.kept.by_nodes((self.name, hard_weight, *meant), self._weigh, changes)

    @property
    def unprepared_score(self) -> str:
        return 'failed to read "PreScoreInterPodAffinity" from cycleState: not found'

    def pre_score(self, feasible: Index) -> Status:
        affinity = self.pod.affinity
        indifferent = not (affinity.preferred or affinity.preferred_anti or affinity.errors)
        if indifferent and self._arguments.ignore_preferred_terms_of_existing_pods:
            return SKIP
        if affinity.errors:
            return failure(f"failed to parse pod: {self.said(SelectorError(*affinity.errors))}")
        return SUCCESS if self._weighed[0] else SKIP

    def score(self, feasible: Index) -> Ints:
        return self._weighed[1].take(feasible)

    def normalise(self, scores: Ints) -> Ints:
        lowest, highest = int(scores.min()), int(scores.max())
        if highest == lowest:
            return np.zeros_like(scores)
        scaled = float(MAX_NODE_SCORE) * ((scores - lowest).astype(np.float64) / float(highest - lowest))
        return scaled.astype(np.int64)

    def normalisation(self, scores: Ints, number: int) -> ByRange:
        return ByRange(
            raw=int(scores[number]),
            normalised=int(self.normalise(scores)[number]),
            highest=int(scores.max()),
            lowest=int(scores.min()),
        )

    def score_evidence(self, row: int) -> tuple[ScorePart, ...]:
        pods, found = self.snapshot.pods, []
        for each in self._preferences:
            column = self.snapshot.nodes.label(each.term.topology_key)
            if each.group is None:
                slots = pods.bound_slots(meant_by(self.snapshot, each.term))
            else:
                slots = pods.by_affinity.slots(each.group)
            code = int(column.codes[row])
            count = 0 if code < 0 else int(np.count_nonzero(column.codes[pods.node[slots]] == code))
            if count:
                found.append(TermScore(each.source, PodTerm.of(each.term), column.values[code], count, each.weight))
        return tuple(found)


_Entry = TypeVar("_Entry")


def _standing(entries: Sequence[_Entry], first: int, lifted: frozenset[int]) -> list[_Entry]:
    """The entries that are not lifted, where the first of them has this number."""
    return [entry for number, entry in enumerate(entries, first) if number not in lifted]
