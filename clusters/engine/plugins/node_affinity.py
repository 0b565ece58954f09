"""NodeAffinity: node selector and node affinity of the pod, and the affinity that a profile adds.

Upstream: ``pkg/scheduler/framework/plugins/nodeaffinity`` v1.34.1.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from clusters.engine.configuration import NodeAffinityArgs
from clusters.engine.evidence import Evidence, Fact, text
from clusters.engine.matching.nodes import map_mask, requirement_mask, selector_mask, term_mask
from clusters.engine.matching.selectors import (
    NodePreference,
    NodeSelector,
    Operator,
    Requirement,
    SelectorError,
    node_preferences,
)
from clusters.engine.plugin import (
    NOTHING_LIFTED,
    PROCEED,
    SKIP_FILTER,
    Constraint,
    Plugin,
    PreFilter,
    maximum_evidence,
    normalise_by_maximum,
)
from clusters.engine.relaxing.edits import (
    RemoveNodeAffinity,
    RemoveNodeRequirement,
    RemoveNodeSelector,
    RemoveSelectorLabel,
)
from clusters.engine.status import SKIP, SUCCESS, Code, Index, Ints, Mask, Outcome, Status, unresolvable
from clusters.engine.subjects import Subject
from clusters.engine.traits import ClusterEvent, Reads

if TYPE_CHECKING:
    from clusters.engine.world import World

REASON_POD = "node(s) didn't match Pod's node affinity/selector"
REASON_ENFORCED = "node(s) didn't match scheduler-enforced node affinity"
REASON_CONFLICT = "pod affinity terms conflict"

SELECTOR = "nodeSelector "
_REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
_PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution"


@dataclass(frozen=True, slots=True)
class SelectorSubject(Subject):
    """A label of the pod's node selector."""

    kind: ClassVar[str] = "node-selector"

    key: str
    value: str


@dataclass(frozen=True, slots=True)
class RequirementSubject(Subject):
    """A requirement of the only term of the pod's node affinity; ``field`` is matchExpressions or matchFields."""

    kind: ClassVar[str] = "node-affinity-requirement"

    field: str
    requirement: Requirement


@dataclass(frozen=True, slots=True)
class TermsSubject(Subject):
    """The pod's node affinity where it has another number of ``terms`` than one that can be read: one must match."""

    kind: ClassVar[str] = "node-affinity-terms"

    terms: int


@dataclass(frozen=True, slots=True)
class AddedAffinitySubject(Subject):
    """The node affinity that the profile adds to every pod."""

    kind: ClassVar[str] = "added-affinity"


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
        required = self._own.get(_REQUIRED)
        return None if required is None else NodeSelector.from_dict(required)

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
        return PreFilter(node_names=frozenset(names)) if names else PreFilter(unresolvable(REASON_CONFLICT))

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
        if len(self._required.terms) == 1 and not self._required.errors and not self._required.terms[0].is_empty:
            term = self._required.terms[0]
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

    def filter(self, world: World | None = None, lifted: frozenset[int] = NOTHING_LIFTED) -> Outcome:
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
        return Outcome.first_of((enforced_away, unresolvable(REASON_ENFORCED)), (~matching, unresolvable(REASON_POD)))

    def constraints(self) -> tuple[Constraint, ...]:
        own = tuple(constraint for constraint, _ in self._parts)
        return own if self._enforced is None else (*own, Constraint(self.name, AddedAffinitySubject()))

    def evidence(self, row: int, world: World | None = None) -> tuple[Evidence, ...]:
        labels = self.snapshot.nodes.nodes[row].labels
        found = []
        for constraint, mask in self._parts:
            about, key = _about(constraint.subject)
            found.append(Evidence(about, (text("node has", labels.get(key, "no such label")),), holds=bool(mask[row])))
        if self._enforced is not None:
            found.append(Evidence("addedAffinity of the profile", (), holds=bool(self._enforced_mask[row])))
        return tuple(found)

    # -- scoring -----------------------------------------------------------------------------------------

    @cached_property
    def _preferences(self) -> tuple[NodePreference, ...]:
        """Weighted terms of the pod and of the profile. Raises SelectorError."""
        return node_preferences(self._own.get(_PREFERRED)) + node_preferences(self._added.get(_PREFERRED))

    def pre_score(self, feasible: Index) -> Status:
        if self._own.get(_PREFERRED) is None and not self._added.get(_PREFERRED):
            return SKIP
        error = self.unprepared_score
        return SUCCESS if error is None else Status(Code.ERROR, (error,))

    @property
    def unprepared_score(self) -> str | None:
        """The error of a preference that cannot be read; it ends the cycle, in Score where PreScore is not run."""
        try:
            self._preferences  # noqa: B018 - parsed where it is first asked for
        except SelectorError as error:
            return error.kubernetes
        return None

    def score(self, feasible: Index) -> Ints:
        totals = np.zeros(len(self.snapshot.nodes), np.int64)
        for preference in self._preferences:
            totals += preference.weight * term_mask(self.snapshot.nodes, preference.term)
        return totals[feasible]

    def normalise(self, scores: Ints) -> Ints:
        return normalise_by_maximum(scores)

    def normalisation(self, scores: Ints, number: int) -> Evidence:
        return maximum_evidence(scores, number)

    def score_evidence(self, row: int) -> tuple[Evidence, ...]:
        return tuple(
            Evidence(
                " and ".join(_spelled(part) for part in (*preference.term.expressions, *preference.term.fields)),
                (
                    Fact("weight", preference.weight),
                    text("matches", bool(term_mask(self.snapshot.nodes, preference.term)[row])),
                ),
                formula="weight where it matches",
            )
            for preference in self._preferences
        )


def _named_nodes(term: dict[str, Any]) -> set[str] | None:
    """The nodes that a term asks for by name; None when it asks for none."""
    named: set[str] | None = None
    for requirement in term.get("matchFields") or ():
        if requirement.get("key") == "metadata.name" and requirement.get("operator") == "In":
            values = set(requirement.get("values") or ())
            named = values if named is None else named & values
    return named


def _about(subject: Subject | None) -> tuple[str, str]:
    """Name a part of the pod's node selector or affinity, and the key that it asks for."""
    match subject:
        case SelectorSubject():
            return f"{SELECTOR}{subject.key}={subject.value}", subject.key
        case RequirementSubject():
            return _spelled(subject.requirement), subject.requirement.key
        case TermsSubject():
            return f"any of {subject.terms} terms", ""
        case _:
            return "", ""


def _spelled(requirement: Requirement) -> str:
    if requirement.operator in (Operator.EXISTS, Operator.DOES_NOT_EXIST):
        return f"{requirement.key} {requirement.operator}"
    return f"{requirement.key} {requirement.operator} {', '.join(requirement.values)}"
