"""The form of an explanation that is written down; docs/explanation-document.md describes every field.

Names are those of the JSON in snake case. A field that may be missing (``UNSET``) was not asked for; ``None`` says that
there is nothing."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

import msgspec
import numpy as np
from msgspec import UNSET, UnsetType, to_builtins

from clusters.documents.values import kinds_of, read_reason, read_uncertainty, read_value, value_document
from clusters.engine.analysis import Cause, Kind, Remedy, rejecting_sources
from clusters.engine.batch_groups import AnyGroupState, BatchGroupState, api_group_of
from clusters.engine.conclusion import Conclusion
from clusters.engine.group_states import PodGroupState
from clusters.engine.nodes import pools_or_zones
from clusters.engine.scheduling import GroupAttempt, GroupVerdict
from clusters.engine.status import Code, Phase, QuotedReason, Reason

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from clusters.engine import Explanation


VERSION: Final = 2

# Values of the engine in their own fields, with their ``kind``: see clusters.documents.values.
Value = dict[str, Any]
ComparisonValue = Annotated[Value, msgspec.Meta(extra_json_schema={"$ref": "#/$defs/Comparison"})]
ScorePartValue = Annotated[Value, msgspec.Meta(extra_json_schema={"$ref": "#/$defs/ScorePart"})]
NormalisationValue = Annotated[Value, msgspec.Meta(extra_json_schema={"$ref": "#/$defs/Normalisation"})]
ReasonValue = Annotated[Value, msgspec.Meta(extra_json_schema={"$ref": "#/$defs/Reason"})]
RemedyValue = Annotated[Value, msgspec.Meta(extra_json_schema={"$ref": "#/$defs/Remedy"})]
SubjectValue = Annotated[Value, msgspec.Meta(extra_json_schema={"$ref": "#/$defs/Subject"})]
UncertaintyValue = Annotated[Value, msgspec.Meta(extra_json_schema={"$ref": "#/$defs/Uncertainty"})]
ChosenBy = Literal["score", "only-node", "nomination"]
Dropped = Literal["examples", "groups", "reasons", "message"]


class Part(msgspec.Struct, frozen=True, rename="camel"):
    """A part of a document."""


class StatusDocument(Part, frozen=True, kw_only=True):
    """What a plugin said.

    ``reason_values`` are the ``reasons`` as values of their plugin; missing where all that there is is their words.
    """

    code: Code
    reasons: tuple[str, ...]
    reason_values: tuple[ReasonValue, ...] | UnsetType = UNSET


class RejectionDocument(Part, frozen=True, kw_only=True):
    """A rejection that the scheduler records: by which plugin or plugins, and how; reasons as of a status."""

    plugin: str
    code: Code
    reasons: tuple[str, ...]
    reason_values: tuple[ReasonValue, ...] | UnsetType = UNSET


def reasons_of(document: StatusDocument | RejectionDocument) -> tuple[Reason, ...]:
    """Return the reasons that a document holds."""
    if document.reason_values is UNSET:
        return tuple(map(QuotedReason, document.reasons))
    return tuple(map(read_reason, document.reason_values))


class CycleErrorDocument(Part, frozen=True, kw_only=True):
    """The error that ends an attempt; ``node`` is null where the plugin looked at no single node."""

    phase: Phase
    plugin: str
    node: str | None
    message: str | None


class SamplingDocument(Part, frozen=True, kw_only=True):
    """The search ends after ``wanted`` feasible nodes of ``nodes``; ``complete`` when that is all of them."""

    nodes: int
    wanted: int
    complete: bool


class FunnelDocument(Part, frozen=True, kw_only=True):
    """How many nodes are left after one more filter; ``skipped`` filters had nothing to check."""

    plugin: str
    left: int
    rejected_here: int
    rejected_alone: int
    skipped: bool


class GroupDocument(Part, frozen=True, kw_only=True):
    """Nodes about which all filters and the verdict say the same; ``verdict`` is null where the pod fits.

    ``nominated`` are the nominated pods without which the verdict would be another.
    """

    count: int
    examples: tuple[str, ...]
    verdict: RejectionDocument | None
    filters: dict[str, StatusDocument]
    nominated: tuple[str, ...] | UnsetType = UNSET


class OtherGroupsDocument(Part, frozen=True, kw_only=True):
    """How many groups, with how many nodes, are not listed."""

    groups: int
    nodes: int


class PoolDocument(Part, frozen=True, kw_only=True):
    """The nodes of one zone and pool: how many there are, are feasible, and are rejected by whom.

    ``rejected`` is by plugin or extender; by an empty name of nodes that no filter came to. ``nodes`` has by name the
    total of a feasible node, or who rejects it.
    """

    zone: str
    name: str
    count: int
    feasible: int
    rejected: dict[str, int]
    nodes: dict[str, int | str] | UnsetType = UNSET


class ScoreDocument(Part, frozen=True, array_like=True, kw_only=True):
    """One plugin's score of a node: raw, brought to 0..100, and times the plugin's weight."""

    raw: int
    normalised: int
    weighted: int


class RankedDocument(Part, frozen=True, kw_only=True):
    """One node of the ranking; nodes with one total share a rank."""

    node: str
    rank: int
    total: int
    scores: dict[str, ScoreDocument]


class ChoiceDocument(Part, frozen=True, kw_only=True):
    """The nodes of which the scheduler takes one, the first by name, and why these.

    ``likely``: the one that it nearly always takes; null where that is random, or depends on where the search starts.
    """

    by: ChosenBy
    count: int
    examples: tuple[str, ...]
    total: int
    likely: str | UnsetType | None = UNSET


class BestDocument(Part, frozen=True, kw_only=True):
    """The nodes with the highest total, whether or not the scheduler comes to compare them."""

    count: int
    examples: tuple[str, ...]
    total: int


class ScoreEvidenceDocument(Part, frozen=True, kw_only=True):
    """What a plugin's raw score of a node was made from, and how it came to 0..100 (null: it stayed as it was)."""

    parts: tuple[ScorePartValue, ...]
    normalisation: NormalisationValue | None


class NodeDocument(Part, frozen=True, kw_only=True):
    """Every answer about one node; where the pod does not fit, ``total`` and ``rank`` are null and ``scores`` empty."""

    verdict: RejectionDocument | None
    filters: dict[str, StatusDocument]
    total: int | None
    rank: int | None
    scores: dict[str, ScoreDocument]
    nominated: tuple[str, ...] | UnsetType = UNSET
    evidence: dict[str, tuple[ComparisonValue, ...]] | UnsetType = UNSET
    score_evidence: dict[str, ScoreEvidenceDocument] | UnsetType = UNSET


class ConstraintDocument(Part, frozen=True, kw_only=True):
    """A requirement that could be lifted; ``subject`` is null for a whole filter."""

    plugin: str
    subject: SubjectValue | None


class LiftDocument(Part, frozen=True, kw_only=True):
    """Requirements lifted together: how many nodes are gained, and lost. ``examples`` are of those gained."""

    lifted: tuple[ConstraintDocument, ...]
    gained: int
    lost: int
    examples: tuple[str, ...]


class ReductionDocument(Part, frozen=True, kw_only=True):
    """How much of a resource is requested, and how much would fit on a node, in base units."""

    resource: str
    requested: int
    fitting: int
    node: str


class RelaxationsDocument(Part, frozen=True, kw_only=True):
    """What would gain nodes: requirements lifted or adjusted, smaller requests, and what somebody could do.

    ``volumes``: about claims; ``remedies``: about nodes that are not ready and pods that hold what the pod needs.
    """

    filters: tuple[LiftDocument, ...]
    singles: tuple[LiftDocument, ...]
    pairs: tuple[LiftDocument, ...]
    reductions: tuple[ReductionDocument, ...]
    together: tuple[ReductionDocument, ...]
    adjustments: tuple[LiftDocument, ...] = ()
    volumes: tuple[RemedyValue, ...]
    remedies: tuple[RemedyValue, ...] = ()


class CandidateDocument(Part, frozen=True, kw_only=True):
    """A node where the pod would fit without the victims, the most important of which come first."""

    node: str
    victims: tuple[str, ...]
    victim_count: int
    priorities: tuple[int, ...] | UnsetType = UNSET
    pdb_violations: int


class CandidateChangeDocument(Part, frozen=True, kw_only=True):
    """What an extender made of a candidate: it took away what has no ``after``, and added what has no ``before``."""

    extender: str
    node: str
    before: CandidateDocument | None
    after: CandidateDocument | None


class PreemptionDocument(Part, frozen=True, kw_only=True):
    """Whether and how preemption would help.

    ``count`` nodes are candidates, of which the first are listed in the scheduler's order of preference. ``changes``:
    what extenders changed, where one answered.
    """

    eligible: bool
    message: str | None
    count: int
    selected: CandidateDocument | None
    candidates: tuple[CandidateDocument, ...] | UnsetType = UNSET
    potential_nodes: int | UnsetType = UNSET
    sample: int | UnsetType = UNSET
    changes: tuple[CandidateChangeDocument, ...] | UnsetType = UNSET


class MemberDocument(Part, frozen=True, kw_only=True):
    """A pod of a group that waits for a node: the one that it would take, or why it takes none."""

    pod: str
    node: str | None
    message: str | None
    reached: bool


class PlacementDocument(Part, frozen=True, kw_only=True):
    """A topology domain that the group was tried in; ``score``: null where it was not compared with others."""

    domain: str
    nodes: int
    found: int
    feasible: bool
    message: str | None
    score: int | None


class PodGroupDocument(Part, frozen=True, kw_only=True):
    """What becomes of the group of the pod; ``members`` in the order in which they are tried.

    ``nominations``: the node that each pod takes once the ``victims`` are gone. ``random``: of equally good
    ``placements`` the scheduler takes any.
    """

    name: str
    least: int | None
    existing: int
    scheduled: int
    found: int
    verdict: GroupVerdict
    message: str | None
    members: tuple[MemberDocument, ...]
    victims: tuple[str, ...]
    nominations: dict[str, str] = {}
    domain: str | None
    placements: tuple[PlacementDocument, ...] = ()
    random: bool = False


class ExplanationDocument(Part, frozen=True, kw_only=True):
    """What a scheduling cycle found about a pod."""

    version: Literal[2] = VERSION
    pod: str | UnsetType = UNSET
    scheduler_name: str
    release: str
    feature_gates: dict[str, bool] | UnsetType = UNSET
    gates: tuple[str, ...] | UnsetType = UNSET
    pod_group: PodGroupDocument | UnsetType = UNSET
    conclusion: Conclusion
    fits: bool | None
    uncertainties: tuple[UncertaintyValue, ...] | UnsetType = UNSET
    unknown_plugins: tuple[str, ...]
    extenders: tuple[str, ...] | UnsetType = UNSET
    node_count: int
    considered_count: int
    feasible_count: int
    sampling: SamplingDocument
    choice: ChoiceDocument | None
    best: BestDocument | UnsetType | None = UNSET
    nominated_node: str | UnsetType | None = UNSET
    error: CycleErrorDocument | None
    fit_error: str | UnsetType | None = UNSET
    message: str | None
    pre_filter_verdict: RejectionDocument | None
    funnel: tuple[FunnelDocument, ...]
    groups: tuple[GroupDocument, ...]
    other_groups: OtherGroupsDocument | None
    pools: tuple[PoolDocument, ...] | UnsetType = UNSET
    weights: dict[str, int] | UnsetType = UNSET
    unscored: tuple[str, ...] | UnsetType = UNSET
    ranking: tuple[RankedDocument, ...]
    nodes: dict[str, NodeDocument]
    relaxations: RelaxationsDocument | UnsetType = UNSET
    preemption: PreemptionDocument | None
    dropped: tuple[Dropped, ...]

    def scored(self, node: str) -> RankedDocument | None:
        """Return the scores of a node whose answers were asked for; None where it has none."""
        found = self.nodes.get(node)
        if found is None or found.total is None or found.rank is None:
            return None
        return RankedDocument(node=node, rank=found.rank, total=found.total, scores=found.scores)


# The nodes of a decision by zone and pool, as documents keep them.

# Of more pools only zones are told apart, and of more zones nothing.
MOST_POOLS: Final = 30


def pool_documents(
    explanation: Explanation, most: int, bounded: Callable[[str], str]
) -> tuple[PoolDocument, ...] | UnsetType:
    """Write down who rejects the pod where; up to ``most`` nodes are named. ``bounded`` shortens texts."""
    cycle, names = explanation.cycle, explanation.snapshot.nodes.names
    found = pools_or_zones(explanation.snapshot.nodes, MOST_POOLS)
    if len(found) > MOST_POOLS:
        return UNSET
    sources = [bounded(source) for source in rejecting_sources(explanation)]
    totals = np.zeros(explanation.node_count, np.int64)
    if len(cycle.totals) == len(cycle.feasible):
        totals[cycle.feasible] = cycle.totals
    pools = []
    for pool in found:
        numbers = cycle.rejected_by[pool.rows].tolist()
        rejected = Counter(sources[number] for number in numbers if number >= 0)
        nodes: dict[str, int | str] = {
            names[row]: sources[number] if number >= 0 else int(totals[row])
            for row, number in zip(pool.rows.tolist(), numbers, strict=True)
        }
        pools.append(
            PoolDocument(
                zone=bounded(pool.zone),
                name=bounded(pool.name),
                count=len(numbers),
                feasible=len(numbers) - rejected.total(),
                rejected=dict(rejected),
                nodes=nodes if explanation.node_count <= most else UNSET,
            )
        )
    return tuple(pools)


# Why pods are pending, and what would free them, as plain values: what runs and reviews keep.


def cause_document(cause: Cause) -> dict[str, Any]:
    """Return a cause as `read_cause` reads it back."""
    return {
        "kind": str(cause.kind),
        "plugins": list(cause.plugins),
        "reasons": list(map(str, cause.reasons)),
        "reasonValues": list(map(value_document, cause.reasons)),
        "resources": list(cause.resources),
        "gates": list(cause.gates),
        "uncertainties": [value_document(each) for each in cause.uncertainties],
        "schedulerName": cause.scheduler_name,
        "reference": cause.reference,
        "isTooLarge": cause.is_too_large,
        "claimProblem": None if cause.claim_problem is None else str(cause.claim_problem),
    }


def read_cause(stored: Mapping[str, Any]) -> Cause:
    """Return the cause of a row, which has it under ``cause``."""
    cause = stored["cause"]
    return Cause(
        Kind(cause["kind"]),
        plugins=tuple(cause["plugins"]),
        reasons=tuple(map(read_reason, cause["reasonValues"])),
        gates=tuple(cause["gates"]),
        uncertainties=tuple(map(read_uncertainty, cause["uncertainties"])),
        scheduler_name=cause["schedulerName"],
        reference=cause["reference"],
        is_too_large=cause["isTooLarge"],
    )


_REMEDIES: Final = kinds_of(Remedy)


def read_remedy(stored: Mapping[str, Any]) -> Remedy:
    """Return the remedy that ``value_document`` wrote. Raises KeyError for a kind that there is not."""
    return read_value(_REMEDIES[stored["kind"]], stored)


# What becomes of the group of a pod, written down.


def pod_group_document(
    group: GroupAttempt | None, text: Callable[[str], str], message: Callable[[str | None], str | None]
) -> PodGroupDocument | UnsetType:
    """Write an attempt to schedule a group down; unset for a pod without one.

    ``text`` and ``message`` bound texts in length.
    """
    if group is None:
        return UNSET
    return PodGroupDocument(
        name=text(str(group.key)),
        least=group.least,
        existing=group.existing,
        scheduled=group.scheduled,
        found=group.found,
        verdict=group.verdict,
        message=message(group.message or None),
        domain=text(group.domain) or None,
        placements=tuple(
            PlacementDocument(
                domain=text(each.domain),
                nodes=each.nodes,
                found=each.found,
                feasible=each.is_feasible,
                message=message(each.message or None),
                score=each.score,
            )
            for each in group.placements
        ),
        random=group.is_random,
        victims=tuple(map(text, group.victims)),
        nominations={text(pod): node for pod, node in group.nominations.items()},
        members=tuple(
            MemberDocument(
                pod=text(each.pod),
                node=each.node or None,
                message=message(each.refusal or None),
                reached=each.is_reached,
            )
            for each in group.members
        ),
    )


def group_state_document(state: AnyGroupState) -> dict[str, Any]:
    """Return how far a group is; ``policy`` is null where no object of it is held, and of other systems' groups.

    ``system``: the API group of the group's object. ``needed``: how many pods there have to be; null where that is not
    known.
    """
    if isinstance(state, PodGroupState):
        policy = None if state.terms is None else "gang" if state.is_gang else "basic"
        least = state.quorum if state.is_gang else None
        own = policy, least, least, state.workload or None
    else:
        own = None, None, state.least, None
    return {
        "namespace": state.key.namespace,
        "name": str(state.key).partition("/")[2],
        "state": state.phase.value,
        "system": api_group_of(state),
        **dict(zip(("policy", "minCount", "needed", "workload"), own, strict=True)),
        "pods": len(state.members),
        "scheduled": state.scheduled,
        "pending": state.pending,
        "missing": state.missing,
        "controller": None if state.controller is None else dict(zip(("kind", "name"), state.controller, strict=True)),
    }


def reported_document(state: AnyGroupState) -> dict[str, Any]:
    """Return what is reported of a group: the phase of another system, and the conditions."""
    phase = state.reported_phase if isinstance(state, BatchGroupState) else ""
    fields = ("type", "status", "reason", "message")
    conditions = [{field: str(each.get(field) or "") for field in fields} for each in state.conditions]
    return {"phase": phase or None, "conditions": conditions}


def attempt_document(attempt: GroupAttempt | None) -> dict[str, Any] | None:
    """Return what an attempt for a group comes to, as explanations of its pods have it; None without one."""
    found = pod_group_document(attempt, lambda text: text, lambda message: message)
    if found is UNSET:
        return None
    document: dict[str, Any] = to_builtins(found)
    return document
