"""NodeAffinity: node selector and node affinity of the pod, and the affinity that a profile adds.

Upstream: ``pkg/scheduler/framework/plugins/nodeaffinity`` v1.34.1.
"""

from __future__ import annotations

import marshal
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from clusters.engine.configuration import NodeAffinityArgs
from clusters.engine.edits import RemoveNodeAffinity, RemoveNodeRequirement, RemoveNodeSelector, RemoveSelectorLabel
from clusters.engine.evidence import ByMaximum, Comparison, NodeRequirement, NodeTerm, ScorePart, Subject
from clusters.engine.matching import (
    compared_terms,
    map_mask,
    required_terms,
    requirement_mask,
    selector_mask,
    term_mask,
)
from clusters.engine.plugin import (
    NOTHING_LIFTED,
    PROCEED,
    SKIP_FILTER,
    ClusterEvent,
    Constraint,
    Plugin,
    PreFilter,
    Reads,
    by_maximum,
    normalise_by_maximum,
)
from clusters.engine.selectors import (
    NodePreference,
    NodeSelector,
    NodeSelectorTerm,
    Requirement,
    SelectorError,
    node_preferences,
)
from clusters.engine.status import (
    SKIP,
    SUCCESS,
    FilterAnswer,
    Index,
    Ints,
    Mask,
    Reason,
    Status,
    failure,
    unresolvable,
)

if TYPE_CHECKING:
    from clusters.engine.world import World


class NoNodeAffinity(Reason, frozen=True):
    """The node is not one that the pod's node selector or affinity admits."""

    kind = "no-node-affinity"
    plugin = "NodeAffinity"
    text = "node(s) didn't match Pod's node affinity/selector"


class NoEnforcedAffinity(Reason, frozen=True):
    """The node is not one that the profile's added affinity admits."""

    kind = "no-enforced-affinity"
    plugin = "NodeAffinity"
    text = "node(s) didn't match scheduler-enforced node affinity"


class ConflictingTerms(Reason, frozen=True):
    """The pod's affinity names nodes so that none is left."""

    kind = "conflicting-terms"
    plugin = "NodeAffinity"
    text = "pod affinity terms conflict"


SELECTOR = "nodeSelector "
_REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
_PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution"


class SelectorSubject(Subject, frozen=True):
    """A label of the pod's node selector."""

    kind: ClassVar[str] = "node-selector"

    key: str
    value: str


class RequirementSubject(Subject, frozen=True):
    """A requirement of the only term of the pod's node affinity; ``field`` is matchExpressions or matchFields."""

    kind: ClassVar[str] = "node-affinity-requirement"
    may_prefer: ClassVar[bool] = True

    field: str
    requirement: Requirement


class TermsSubject(Subject, frozen=True):
    """The pod's node affinity where it has another number of ``terms`` than one that can be read: one must match."""

    kind: ClassVar[str] = "node-affinity-terms"
    may_prefer: ClassVar[bool] = True

    terms: int


class AddedAffinitySubject(Subject, frozen=True):
    """The node affinity that the profile adds to every pod."""

    kind: ClassVar[str] = "added-affinity"


class SelectorComparison(Comparison, frozen=True):
    """A label of the pod's node selector, and what the node has; None where it has no such label."""

    kind = "node-selector"

    key: str
    value: str
    node_value: str | None

    @property
    def holds(self) -> bool:
        return self.node_value == self.value


class RequirementComparison(Comparison, frozen=True):
    """A requirement of the only term of the pod's required node affinity."""

    kind = "node-affinity-requirement"

    requirement: NodeRequirement

    @property
    def holds(self) -> bool:
        return self.requirement.matches


class TermsComparison(Comparison, frozen=True):
    """The terms of a required node affinity, of which one must match; the pod's own, or what its profile adds."""

    kind = "node-affinity-terms"

    added_by_profile: bool
    terms: tuple[NodeTerm, ...]

    @property
    def holds(self) -> bool:
        return any(term.matches for term in self.terms)


class PreferredTerm(ScorePart, frozen=True):
    """A preferred term; it adds its weight to the raw score where it matches the node."""

    kind = "preferred-node-affinity"

    weight: int
    term: NodeTerm


class NodeAffinity(Plugin):
    """Filters by node selector and required affinity; scores by preferred affinity."""

    name = "NodeAffinity"
    reads = Reads.NODES
    requeue_on = (ClusterEvent.NODE_ADD, ClusterEvent.NODE_LABEL)
    colour = "orange"
    whole = (RemoveNodeSelector(), RemoveNodeAffinity())

    @cached_property
    def _own(self) -> dict[str, Any]:
        return (self.pod.spec.get("affinity") or {}).get("nodeAffinity") or {}

    @cached_property
    def _added(self) -> dict[str, Any]:
        """The node affinity that the profile demands of every pod."""
        return dict(self.context.arguments_of(self.name, NodeAffinityArgs).added_affinity or {})

    @cached_property
    def _selector(self) -> dict[str, str]:
        return self.pod.spec.get("nodeSelector") or {}

    @cached_property
    def _required(self) -> NodeSelector | None:
        return required_terms(self.pod)

    @property
    def _sole_term(self) -> NodeSelectorTerm | None:
        """The term of a required node affinity that has only one, each of whose requirements then must hold."""
        required = self._required
        if required is None or len(required.terms) != 1 or required.errors or required.terms[0].is_empty:
            return None
        return required.terms[0]

    @cached_property
    def _enforced(self) -> NodeSelector | None:
        required = self._added.get(_REQUIRED)
        return None if required is None else NodeSelector.from_dict(required)

    # -- filtering ---------------------------------------------------------------------------------------

    def pre_filter(self) -> PreFilter:
        if self._required is None and self._enforced is None and self.pod.spec.get("nodeSelector") is None:
            return SKIP_FILTER
        if self._required is None or not self._required.terms:
            return PROCEED
        names: set[str] = set()
        for term in self._own[_REQUIRED]["nodeSelectorTerms"]:
            named = _named_nodes(term)
            if named is None:
                return PROCEED
            names |= named
        return PreFilter(node_names=frozenset(names)) if names else PreFilter(unresolvable(ConflictingTerms()))

    @cached_property
    def _parts(self) -> list[tuple[Constraint, Mask]]:
        """The pod's own requirements that must all hold, each with the nodes that meet it."""
        nodes = self.snapshot.nodes
        parts = [
            (
                Constraint(self.name, SelectorSubject(key, value), RemoveSelectorLabel(key, value)),
                map_mask(nodes, {key: value}),
            )
            for key, value in self._selector.items()
        ]
        if self._required is None:
            return parts
        term = self._sole_term
        if term is not None:
            parts += [
                (self._required_part("matchExpressions", part), requirement_mask(nodes, part))
                for part in term.expressions
            ]
            parts += [
                (self._required_part("matchFields", part), term_mask(nodes, type(term)(fields=(part,))))
                for part in term.fields
            ]
        else:
            whole = Constraint(self.name, TermsSubject(len(self._required.terms)), RemoveNodeAffinity())
            parts.append((whole, selector_mask(nodes, self._required)))
        return parts

    def _required_part(self, field: str, part: Requirement) -> Constraint:
        return Constraint(self.name, RequirementSubject(field, part), RemoveNodeRequirement.of(field, part))

    @cached_property
    def _enforced_mask(self) -> Mask:
        assert self._enforced is not None  # noqa: S101 - asked only when the profile enforces something
        return selector_mask(self.snapshot.nodes, self._enforced)

    def filter(self, world: World | None = None, lifted: frozenset[int] = NOTHING_LIFTED) -> FilterAnswer:
        if lifted:
            return self._without(lifted)
        asked = self.name, marshal.dumps((self._selector, self._own.get(_REQUIRED), self._added.get(_REQUIRED)), 0)
        return self.snapshot.nodes.kept.by_nodes(asked, lambda: self._without(NOTHING_LIFTED))

    def _without(self, lifted: frozenset[int]) -> FilterAnswer:
        """The answer without some constraints."""
        count = len(self.snapshot.nodes)
        enforced_away = np.zeros(count, np.bool_)
        if self._enforced is not None and len(self._parts) not in lifted:
            enforced_away = ~self._enforced_mask
        if lifted:
            matching = np.ones(count, np.bool_)
            for number, (_, mask) in enumerate(self._parts):
                if number not in lifted:
                    matching &= mask
        else:
            matching = self.context.node_affinity
        return FilterAnswer.first_of(
            (enforced_away, unresolvable(NoEnforcedAffinity())), (~matching, unresolvable(NoNodeAffinity()))
        )

    def constraints(self) -> tuple[Constraint, ...]:
        own = tuple(constraint for constraint, _ in self._parts)
        return own if self._enforced is None else (*own, Constraint(self.name, AddedAffinitySubject()))

    def evidence(self, row: int, world: World | None = None) -> tuple[Comparison, ...]:
        node = self.snapshot.nodes.nodes[row]
        found: list[Comparison] = [
            SelectorComparison(key, value, node.labels.get(key)) for key, value in self._selector.items()
        ]
        if self._required is not None and self._sole_term is not None:
            (term,) = compared_terms(self._required, node.labels, node.name)
            found += [RequirementComparison(each) for each in term.requirements]
        elif self._required is not None:
            found.append(TermsComparison(False, compared_terms(self._required, node.labels, node.name)))
        if self._enforced is not None:
            found.append(TermsComparison(True, compared_terms(self._enforced, node.labels, node.name)))
        return tuple(found)

    # -- scoring -----------------------------------------------------------------------------------------

    @cached_property
    def _preferences(self) -> tuple[NodePreference, ...]:
        """Weighted terms of the pod and of the profile. Raises SelectorError."""
        return tuple(
            each
            for affinity in (self._own, self._added)
            for each in _parsed(marshal.dumps(affinity.get(_PREFERRED), 0))
        )

    def pre_score(self, feasible: Index) -> Status:
        if self._own.get(_PREFERRED) is None and not self._added.get(_PREFERRED):
            return SKIP
        error = self.unprepared_score
        return SUCCESS if error is None else failure(error)

    @property
    def unprepared_score(self) -> str | None:
        """The error of a preference that cannot be read; it ends the cycle, in Score where PreScore is not run."""
        try:
            self._preferences  # noqa: B018 - parsed where it is first asked for
        except SelectorError as error:
            return self.said(error)
        return None

    def score(self, feasible: Index) -> Ints:
        asked = self.name, self._preferences
        return self.snapshot.nodes.kept.by_nodes(asked, self._preferred).take(feasible)

    def _preferred(self) -> Ints:
        """Shape (N,): raw scores."""
        totals = np.zeros(len(self.snapshot.nodes), np.int64)
        for preference in self._preferences:
            totals += preference.weight * term_mask(self.snapshot.nodes, preference.term)
        return totals

    def normalise(self, scores: Ints) -> Ints:
        return normalise_by_maximum(scores)

    def normalisation(self, scores: Ints, number: int) -> ByMaximum:
        return by_maximum(scores, number)

    def score_evidence(self, row: int) -> tuple[ScorePart, ...]:
        node = self.snapshot.nodes.nodes[row]
        return tuple(
            PreferredTerm(preference.weight, term)
            for preference in self._preferences
            for term in compared_terms(NodeSelector((preference.term,)), node.labels, node.name)
        )


@lru_cache(maxsize=1 << 10)
def _parsed(source: bytes) -> tuple[NodePreference, ...]:
    """Preferences as they were written, parsed once for all pods that have them. Raises SelectorError."""
    return node_preferences(marshal.loads(source))  # noqa: S302 - what was dumped to look it up


def _named_nodes(term: dict[str, Any]) -> set[str] | None:
    """The nodes that a term names; None where it names none."""
    named: set[str] | None = None
    for requirement in term.get("matchFields") or ():
        if requirement.get("key") == "metadata.name" and requirement.get("operator") == "In":
            values = set(requirement.get("values") or ())
            named = values if named is None else named & values
    return named
