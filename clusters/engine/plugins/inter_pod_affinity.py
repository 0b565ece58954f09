"""InterPodAffinity: what the pod says about other pods, and what they say about it.

Upstream: ``pkg/scheduler/framework/plugins/interpodaffinity`` v1.34.1.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import zip_longest
from typing import TYPE_CHECKING

import numpy as np

from clusters.engine.configuration import InterPodAffinityArgs
from clusters.engine.edits import REQUIRED, Edit, digest
from clusters.engine.evidence import Evidence, Fact, Unit, text
from clusters.engine.plugin import (
    MAX_NODE_SCORE,
    NOTHING_LIFTED,
    OVER_FEASIBLE,
    PROCEED,
    SKIP_FILTER,
    Constraint,
    Plugin,
    PreFilter,
    nominated_here,
)
from clusters.engine.pod_affinity import (
    PairCounts,
    count_by_node,
    group_by_node,
    group_changes,
    meant_by,
    meant_by_all,
    namespaces_of,
)
from clusters.engine.status import SKIP, SUCCESS, Index, Ints, Mask, Outcome, Status, unresolvable, unschedulable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clusters.engine.objects import AffinityTerm, PodAffinity
    from clusters.engine.world import World

REASON_AFFINITY = "node(s) didn't match pod affinity rules"
REASON_ANTI_AFFINITY = "node(s) didn't match pod anti-affinity rules"
REASON_EXISTING = "node(s) didn't satisfy existing pods anti-affinity rules"

_SHOWN_PODS = 5


@dataclass(frozen=True, slots=True)
class _Weighed:
    """A term that moves scores: pods per node (N,) times a signed weight, over a topology."""

    about: str
    topology_key: str
    weight: int
    pods: Ints


class InterPodAffinity(Plugin):
    """Filters by required terms, own and of placed pods; scores by preferred ones."""

    name = "InterPodAffinity"
    reads_pods = True
    unprepared = 'error reading "PreFilterInterPodAffinity" from cycleState: not found'
    unprepared_score = 'failed to read "PreScoreInterPodAffinity" from cycleState: not found'

    @property
    def _arguments(self) -> InterPodAffinityArgs:
        return self.context.arguments_of(self.name, InterPodAffinityArgs)

    # -- filtering ---------------------------------------------------------------------------------------

    def pre_filter(self) -> PreFilter:
        affinity = self.pod.affinity
        if affinity.errors:
            return PreFilter(unresolvable(f"parsing pod: {'; '.join(affinity.errors)}"))
        if affinity.required or affinity.required_anti or not self._existing_counts(None, NOTHING_LIFTED).empty:
            return PROCEED
        return SKIP_FILTER

    def _matches_incoming(self, term: AffinityTerm) -> bool:
        """Whether a term of a placed pod means the incoming one."""
        return term.matches(self.pod.namespace, self.pod.labels, self._namespace_labels)

    def is_meant_by(self, affinity: PodAffinity) -> bool:
        """Whether any term of a placed pod with this affinity means the incoming one."""
        kinds = (affinity.required, affinity.required_anti, affinity.preferred, affinity.preferred_anti)
        return any(self._matches_incoming(term) for terms in kinds for term in terms)

    @cached_property
    def _namespace_labels(self) -> dict[str, str]:
        return dict(self.snapshot.namespace_labels(self.pod.namespace))

    def _matches_itself(self, terms: Iterable[AffinityTerm]) -> bool:
        """Whether the pod meets all of its own affinity terms."""
        for term in terms:
            namespaces = namespaces_of(self.snapshot, term)
            if namespaces is not None and self.pod.namespace not in namespaces:
                return False
            if not term.selector.matches(self.pod.labels):
                return False
        return True

    @cached_property
    def _objections(self) -> list[AffinityTerm]:
        """Distinct required anti-affinity terms of placed pods that mean the incoming one."""
        terms = {
            term: None
            for group in self._groups
            for term in self.snapshot.pods.affinities[group].required_anti
            if self._matches_incoming(term)
        }
        return list(terms)

    @property
    def _groups(self) -> list[int]:
        """Affinity groups of placed and nominated pods."""
        pods = self.snapshot.pods
        nominated = (int(pods.affinity[slot]) for slot in pods.nominees if pods.affinity[slot])
        return sorted({*pods.by_affinity, *nominated})

    def _existing_counts(self, world: World | None, lifted: frozenset[int]) -> PairCounts:
        """Pods whose anti-affinity means the incoming one, by topology pair."""
        counts = PairCounts(self.snapshot)
        first = len(self.pod.affinity.required) + len(self.pod.affinity.required_anti)
        standing = {term for number, term in enumerate(self._objections) if first + number not in lifted}
        if not standing:
            return counts
        for group in self._groups:
            terms = [term for term in self.snapshot.pods.affinities[group].required_anti if term in standing]
            if not terms:
                continue
            pods = group_by_node(self.snapshot, group)
            changes = None if world is None else group_changes(self.snapshot, group, world)
            for term in terms:
                counts.add(term.topology_key, pods, changes)
        return counts

    def _own_counts(self, terms: Iterable[tuple[AffinityTerm, list[int]]], world: World | None) -> PairCounts:
        """Pods that terms of the incoming pod mean, by topology pair."""
        counts = PairCounts(self.snapshot)
        for term, meant in terms:
            changes = None if world is None else world.count(self.snapshot.pods, meant, len(self.snapshot.nodes))
            counts.add(term.topology_key, count_by_node(self.snapshot, meant), changes)
        return counts

    def _away_by_affinity(self, world: World | None, lifted: frozenset[int]) -> Mask:
        terms = [term for number, term in enumerate(self.pod.affinity.required) if number not in lifted]
        nodes = self.snapshot.nodes
        if not terms:
            return np.zeros(len(nodes), np.bool_)
        meant = meant_by_all(self.snapshot, terms)
        counts = self._own_counts([(term, meant) for term in terms], world)
        labelled = np.ones(len(nodes), np.bool_)
        satisfied = np.ones(len(nodes), np.bool_)
        for term in terms:
            labelled &= nodes.label(term.topology_key).present
            satisfied &= counts.at(term.topology_key) > 0
        if self._matches_itself(terms):
            # The first pod of a group that has affinity to itself may go anywhere with the labels.
            satisfied |= counts.total() == 0
        return ~(labelled & satisfied)

    def _away_by_anti_affinity(self, world: World | None, lifted: frozenset[int]) -> Mask:
        first = len(self.pod.affinity.required)
        terms = [term for number, term in enumerate(self.pod.affinity.required_anti) if first + number not in lifted]
        return self._own_counts([(term, meant_by(self.snapshot, term)) for term in terms], world).any_at()

    def filter(self, world: World | None = None, lifted: frozenset[int] = NOTHING_LIFTED) -> Outcome:
        return Outcome.first_of(
            (self._away_by_affinity(world, lifted), unresolvable(REASON_AFFINITY)),
            (self._away_by_anti_affinity(world, lifted), unschedulable(REASON_ANTI_AFFINITY)),
            (self._existing_counts(world, lifted).any_at(), unschedulable(REASON_EXISTING)),
        )

    def _labelled_terms(self) -> list[tuple[str, AffinityTerm]]:
        affinity = self.pod.affinity
        return [
            *(("affinity", term) for term in affinity.required),
            *(("anti-affinity", term) for term in affinity.required_anti),
            *(("anti-affinity of placed pods", term) for term in self._objections),
        ]

    def constraints(self) -> tuple[Constraint, ...]:
        own = [
            Edit(edit, digest(entry))
            for edit, kind in (("no-pod-affinity", "podAffinity"), ("no-pod-anti-affinity", "podAntiAffinity"))
            for entry in ((self.pod.spec.get("affinity") or {}).get(kind) or {}).get(REQUIRED) or ()
        ]
        return tuple(
            Constraint(self.name, f"{kind}: {_spelled(term)}", term, edit)
            for (kind, term), edit in zip_longest(self._labelled_terms(), own)
        )

    def evidence(self, row: int, world: World | None = None) -> tuple[Evidence, ...]:
        affinity, pods = self.pod.affinity, self.snapshot.pods
        together = meant_by_all(self.snapshot, affinity.required)
        alone = int(self._own_counts([(term, together) for term in affinity.required], world).total()[row]) == 0
        first_of_group = alone and self._matches_itself(affinity.required)
        joining = self.joining(row, world)
        found = []
        for term in affinity.required:
            coming = [slot for slot in joining if pods.label_set[slot] in together]
            found.append(self._term_evidence("affinity", term, pods.bound_slots(together), coming, row, first_of_group))
        for term in affinity.required_anti:
            meant = meant_by(self.snapshot, term)
            coming = [slot for slot in joining if pods.label_set[slot] in meant]
            found.append(self._term_evidence("anti-affinity", term, pods.bound_slots(meant), coming, row, None))
        for term in self._objections:
            groups = [g for g in self._groups if term in pods.affinities[g].required_anti]
            coming = [slot for slot in joining if pods.affinity[slot] in groups]
            owners = pods.by_affinity.slots_of(groups)
            found.append(self._term_evidence("anti-affinity of placed pods", term, owners, coming, row, None))
        return tuple(found)

    def _term_evidence(
        self,
        kind: str,
        term: AffinityTerm,
        slots: np.ndarray,
        joining: list[int],
        row: int,
        first_of_group: bool | None,
    ) -> Evidence:
        """How many pods stand in the node's domain, nominated ones too; ``first_of_group`` is for affinity only."""
        pods, column = self.snapshot.pods, self.snapshot.nodes.label(term.topology_key)
        code = int(column.codes[row])
        about = f"{kind}: {_spelled(term)}"
        if code < 0:
            return Evidence(about, (text("domain", "no such label"),), holds=first_of_group is None)
        placed = slots[column.codes[pods.node[slots]] == code].tolist()
        here = [*(nominated_here(pods.keys[slot]) for slot in joining), *(pods.keys[slot] for slot in placed)]
        names = tuple(text("pod", name) for name in here[:_SHOWN_PODS])
        facts = (text("domain", column.values[code]), Fact("matching pods", len(here)), *names)
        holds = len(here) == 0 if first_of_group is None else len(here) > 0 or first_of_group
        if first_of_group:
            facts = (*facts, text("first of its group", True))
        return Evidence(about, facts, holds=holds)

    # -- scoring -----------------------------------------------------------------------------------------

    @cached_property
    def _weighed(self) -> list[_Weighed]:
        """Every term, own or of placed pods, that has pods to count."""
        affinity, snapshot = self.pod.affinity, self.snapshot
        hard_weight = self._arguments.hard_pod_affinity_weight
        found = [
            _Weighed(f"preferred {kind}: {_spelled(term)}", term.topology_key, sign * term.weight, pods)
            for kind, sign, terms in (
                ("affinity", 1, affinity.preferred),
                ("anti-affinity", -1, affinity.preferred_anti),
            )
            for term in terms
            if (pods := count_by_node(snapshot, meant_by(snapshot, term))).any()
        ]
        for group in snapshot.pods.by_affinity:
            theirs = snapshot.pods.affinities[group]
            weights = [(term, hard_weight) for term in theirs.required] if hard_weight > 0 else []
            weights += [(term, term.weight) for term in theirs.preferred]
            weights += [(term, -term.weight) for term in theirs.preferred_anti]
            matched = [(term, weight) for term, weight in weights if self._matches_incoming(term)]
            if matched:
                pods = group_by_node(snapshot, group)
                found += [
                    _Weighed(f"of placed pods: {_spelled(term)}", term.topology_key, weight, pods)
                    for term, weight in matched
                ]
        return [each for each in found if (each.pods * snapshot.nodes.label(each.topology_key).present).any()]

    def pre_score(self, feasible: Index) -> Status:
        affinity = self.pod.affinity
        indifferent = not (affinity.preferred or affinity.preferred_anti)
        if indifferent and self._arguments.ignore_preferred_terms_of_existing_pods:
            return SKIP
        return SUCCESS if self._weighed else SKIP

    @cached_property
    def _sums(self) -> Ints:
        """Shape (N,): raw scores."""
        per_key: dict[str, Ints] = {}
        for each in self._weighed:
            weighed = each.pods * each.weight
            known = per_key.get(each.topology_key)
            per_key[each.topology_key] = weighed if known is None else known + weighed
        total = np.zeros(len(self.snapshot.nodes), np.int64)
        for key, weighed in per_key.items():
            column = self.snapshot.nodes.label(key)
            total += column.spread(column.sum_by_value(weighed))
        return total

    def score(self, feasible: Index) -> Ints:
        return self._sums[feasible]

    def normalise(self, scores: Ints) -> Ints:
        lowest, highest = int(scores.min()), int(scores.max())
        if highest == lowest:
            return np.zeros_like(scores)
        scaled = float(MAX_NODE_SCORE) * ((scores - lowest).astype(np.float64) / float(highest - lowest))
        return scaled.astype(np.int64)

    def normalisation(self, scores: Ints, number: int) -> Evidence:
        facts = (
            Fact("raw", int(scores[number]), Unit.SCORE),
            Fact("highest", int(scores.max()), Unit.SCORE),
            Fact("lowest", int(scores.min()), Unit.SCORE),
        )
        if scores.max() == scores.min():
            return Evidence(OVER_FEASIBLE, facts, formula="0 for every node")
        return Evidence(OVER_FEASIBLE, facts, formula="⌊100 × ((raw − lowest) ÷ (highest − lowest))⌋")

    def score_evidence(self, row: int) -> tuple[Evidence, ...]:
        found = []
        for each in self._weighed:
            column = self.snapshot.nodes.label(each.topology_key)
            count = int(column.spread(column.sum_by_value(each.pods))[row])
            if count:
                facts = (
                    text("domain", column.values[int(column.codes[row])]),
                    Fact("matching pods", count),
                    Fact("weight", each.weight),
                )
                found.append(Evidence(each.about, facts, formula="matching pods × weight"))
        return tuple(found)


def _spelled(term: AffinityTerm) -> str:
    parts = [
        f"{requirement.key} {requirement.operator} {', '.join(requirement.values)}".strip()
        for requirement in term.selector.requirements
    ]
    return f"pods with {' and '.join(parts) or 'any labels'} per {term.topology_key}"
