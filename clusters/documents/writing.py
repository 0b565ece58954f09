"""Writing an explanation down, as much of it as somebody wants listed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar, get_args

import msgspec
import numpy as np
import orjson
from msgspec import UNSET, Struct, UnsetType

from clusters.documents.explanation import (
    VERSION,
    BestDocument,
    CandidateChangeDocument,
    CandidateDocument,
    ChoiceDocument,
    ChosenBy,
    ConstraintDocument,
    CycleErrorDocument,
    Dropped,
    ExplanationDocument,
    FunnelDocument,
    GroupDocument,
    LiftDocument,
    NodeDocument,
    OtherGroupsDocument,
    PreemptionDocument,
    RankedDocument,
    ReductionDocument,
    RejectionDocument,
    RelaxationsDocument,
    SamplingDocument,
    ScoreDocument,
    ScoreEvidenceDocument,
    StatusDocument,
    Value,
    pod_group_document,
    pool_documents,
)
from clusters.documents.values import constraint_document, fits_or_unknown, kinds_of, value_document, value_schemas
from clusters.engine.analysis import ClaimRemedy, Remedy, remedies_of
from clusters.engine.conclusion import Uncertainty
from clusters.engine.evidence import Comparison, Normalisation, ScorePart, Subject
from clusters.engine.scheduling import Candidate, Lift, Preemption, Reduction, likely_row
from clusters.engine.status import CycleError, Index, QuotedReason, Reason, Rejection, Status

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from clusters.engine import Explanation, NodeGroup

T = TypeVar("T")


class Bounds(Struct, frozen=True, kw_only=True):
    """How many of each are listed, and how many bytes a text may have; None is all of it.

    What is counted is counted in full. ``relaxations``: whether it is tried what would gain nodes, which costs more
    than all the rest. ``pools``: so many nodes are named by zone and pool, of more they are counted; None: neither.
    """

    groups: int | None = None
    examples: int | None = None
    choices: int | None = None
    ranking: int | None = None
    candidates: int | None = None
    victims: int | None = None
    reasons: int | None = None
    text: int | None = None
    message: int | None = None
    relaxations: bool = True
    pools: int | None = None


EVERYTHING: Final = Bounds()
EXAMPLES: Final = 5
# A line among many, or one node's answers: without what would gain nodes.
BRIEF: Final = Bounds(examples=EXAMPLES, choices=EXAMPLES, ranking=EXAMPLES, candidates=EXAMPLES, relaxations=False)


def compact(top: int) -> Bounds:
    """Bounds of an answer that names a few examples of everything, and ``top`` nodes of rankings."""
    return Bounds(examples=EXAMPLES, choices=EXAMPLES, ranking=top, candidates=top)


def explanation_document(
    explanation: Explanation,
    bounds: Bounds = EVERYTHING,
    *,
    nodes: Iterable[int] = (),
    evidence: bool = False,
) -> ExplanationDocument:
    """Write an explanation down within bounds.

    ``nodes`` are rows of the snapshot whose every answer is wanted; with ``evidence`` also what each filter and each
    score was made from there.
    """
    return _Writer(explanation, bounds).document(nodes, evidence=evidence)


class _Writer:
    """Writes one document within bounds, and remembers which texts did not fit."""

    def __init__(self, explanation: Explanation, bounds: Bounds) -> None:
        self.explanation = explanation
        self.names = explanation.snapshot.nodes.names
        self.bounds = bounds
        self.dropped: set[Dropped] = set()

    def document(self, nodes: Iterable[int], *, evidence: bool) -> ExplanationDocument:
        explanation, cycle, sampling = self.explanation, self.explanation.cycle, self.explanation.sampling
        return ExplanationDocument(
            pod=explanation.pod.key,
            scheduler_name=self._text(explanation.profile.scheduler_name),
            release=explanation.snapshot.release.compared,
            feature_gates=explanation.snapshot.release.changed_gates or UNSET,
            gates=self._texts(explanation.pod.scheduling_gates),
            pod_group=pod_group_document(explanation.group, self._text, self._message),
            conclusion=explanation.conclusion,
            fits=fits_or_unknown(explanation.conclusion),
            uncertainties=self._uncertainties(),
            unknown_plugins=self._texts(explanation.unknown_plugins),
            extenders=self._texts(each.address for each in explanation.profile.extenders),
            node_count=explanation.node_count,
            considered_count=int(cycle.considered.sum()),
            feasible_count=len(cycle.feasible),
            sampling=SamplingDocument(nodes=sampling.nodes, wanted=sampling.wanted, complete=sampling.complete),
            choice=self._choice(),
            best=self._best(),
            nominated_node=self._text(explanation.pod.nominated_node_name) or None,
            error=self._error(explanation.error),
            # Where texts are bounded it is not worth its bytes: the message begins with it.
            fit_error=explanation.fit_error if self.bounds.message is None else UNSET,
            message=self._message(explanation.message),
            pre_filter_verdict=self._rejection(cycle.stopped_by),
            funnel=self._funnel(),
            groups=tuple(self._group(group) for group in explanation.groups[: self.bounds.groups]),
            other_groups=self._other_groups(),
            pools=UNSET if self.bounds.pools is None else pool_documents(explanation, self.bounds.pools, self._text),
            weights={score.plugin: score.weight for score in explanation.scores},
            unscored=tuple(cycle.unscored),
            ranking=self._ranking(),
            nodes={self.names[row]: self._node(row, evidence=evidence) for row in nodes},
            relaxations=self._relaxations() if self.bounds.relaxations else UNSET,
            preemption=self._preemption(),
            # Last, once all has been written.
            dropped=tuple(sorted(self.dropped)),
        )

    # -- texts -----------------------------------------------------------------------------------------------------

    def _cut(self, text: str, limit: int | None, dropped: Dropped) -> str:
        if limit is None or len(encoded := text.encode()) <= limit:
            return text
        self.dropped.add(dropped)
        return f"{encoded[:limit].decode(errors='ignore')}…"

    def _text(self, text: str) -> str:
        return self._cut(text, self.bounds.text, "reasons")

    def _texts(self, texts: Iterable[str]) -> tuple[str, ...]:
        return tuple(self._text(text) for text in self._few(tuple(texts)))

    def _few(self, every: tuple[T, ...]) -> tuple[T, ...]:
        if self.bounds.reasons is not None and len(every) > self.bounds.reasons:
            self.dropped.add("reasons")
        return every[: self.bounds.reasons]

    def _message(self, message: str | None) -> str | None:
        return None if message is None else self._cut(message, self.bounds.message, "message")

    def _status(self, status: Status) -> StatusDocument:
        return StatusDocument(
            code=status.code, reasons=self._texts(status.texts), reason_values=self._reason_values(status)
        )

    def _reason_values(self, status: Status) -> tuple[Value, ...] | UnsetType:
        if all(isinstance(reason, QuotedReason) for reason in status.reasons):
            return UNSET
        return tuple(map(self._value, map(value_document, self._few(status.reasons))))

    def _statuses(self, filters: Mapping[str, Status]) -> dict[str, StatusDocument]:
        return {plugin: self._status(status) for plugin, status in filters.items()}

    def _rejection(self, rejection: Rejection | None) -> RejectionDocument | None:
        if rejection is None:
            return None
        status = rejection.status
        return RejectionDocument(
            plugin=self._text(rejection.plugin),
            code=status.code,
            reasons=self._texts(status.texts),
            reason_values=self._reason_values(status),
        )

    def _error(self, error: CycleError | None) -> CycleErrorDocument | None:
        if error is None:
            return None
        message = self._cut(error.message, self.bounds.message, "message")
        return CycleErrorDocument(phase=error.phase, plugin=error.plugin, node=error.node or None, message=message)

    def _uncertainties(self) -> tuple[Value, ...]:
        return tuple(map(self._value, map(value_document, self._few(self.explanation.uncertainties))))

    def _value(self, document: Value) -> Value:
        return {name: value if name == "kind" else self._leaf(value) for name, value in document.items()}

    def _leaf(self, value: Any) -> Any:
        if isinstance(value, str):
            return self._text(value)
        return list(self._texts(value)) if isinstance(value, list) else value

    # -- nodes -----------------------------------------------------------------------------------------------------

    def _named(self, rows: Index, most: int | None) -> tuple[str, ...]:
        return tuple(self.names[row] for row in rows[:most].tolist())

    def _funnel(self) -> tuple[FunnelDocument, ...]:
        return tuple(
            FunnelDocument(
                plugin=self._text(step.plugin),
                left=step.left,
                rejected_here=step.rejected_here,
                rejected_alone=step.rejected_alone,
                skipped=step.skipped,
            )
            for step in self.explanation.funnel
        )

    def _group(self, group: NodeGroup) -> GroupDocument:
        return GroupDocument(
            count=len(group),
            examples=self._named(group.rows, self.bounds.examples),
            verdict=self._rejection(group.verdict),
            filters=self._statuses(group.filters),
            nominated=nominated_for(self.explanation, group)[: self.bounds.choices],
        )

    def _other_groups(self) -> OtherGroupsDocument | None:
        listed = self.bounds.groups
        others = [] if listed is None else self.explanation.groups[listed:]
        return OtherGroupsDocument(groups=len(others), nodes=sum(map(len, others))) if others else None

    def _node(self, row: int, *, evidence: bool) -> NodeDocument:
        explanation = self.explanation
        total = explanation.total_of(row)
        return NodeDocument(
            verdict=self._rejection(explanation.verdict_of(row)),
            filters=self._statuses(explanation.rejections_of(row)),
            total=total,
            rank=None if total is None else self._rank(total),
            scores=self._scores(row),
            nominated=tuple(explanation.nominated_on(row)) if evidence else UNSET,
            evidence=self._evidence(row) if evidence else UNSET,
            score_evidence=self._score_evidence(row) if evidence else UNSET,
        )

    def _evidence(self, row: int) -> dict[str, tuple[Value, ...]]:
        found = self.explanation.evidence(row)
        return {plugin: tuple(map(value_document, compared)) for plugin, compared in found.items()}

    # -- scores ----------------------------------------------------------------------------------------------------

    def _choice(self) -> ChoiceDocument | None:
        rows = self.explanation.cycle.choices
        if not len(rows):
            return None
        by: ChosenBy = "score" if len(self.explanation.cycle.feasible) > 1 else "only-node"
        return ChoiceDocument(
            by="nomination" if self.explanation.takes_nominated else by,
            count=len(rows),
            examples=self._named(rows, self.bounds.choices),
            total=self.explanation.total_of(int(rows[0])) or 0,
            likely=None if (likely := likely_row(self.explanation)) is None else self.names[likely],
        )

    def _best(self) -> BestDocument | None:
        rows = self.explanation.cycle.best
        if not len(rows) or not self.explanation.scores:
            return None
        total = int(self.explanation.cycle.totals.max())
        return BestDocument(count=len(rows), examples=self._named(rows, self.bounds.choices), total=total)

    def _ranking(self) -> tuple[RankedDocument, ...]:
        rows = self.explanation.ranking()[: self.bounds.ranking].tolist()
        totals = [(row, self.explanation.total_of(row) or 0) for row in rows]
        return tuple(
            RankedDocument(node=self.names[row], rank=self._rank(total), total=total, scores=self._scores(row))
            for row, total in totals
        )

    def _rank(self, total: int) -> int:
        """The place of a total: 1 for the best, the same for ties."""
        return 1 + int(np.count_nonzero(self.explanation.cycle.totals > total))

    def _scores(self, row: int) -> dict[str, ScoreDocument]:
        return {
            cell.plugin: ScoreDocument(raw=cell.raw, normalised=cell.normalised, weighted=cell.weighted)
            for cell in self.explanation.cells_of(row)
        }

    def _score_evidence(self, row: int) -> dict[str, ScoreEvidenceDocument]:
        explanation = self.explanation
        if explanation.total_of(row) is None:
            return {}
        found = {}
        for score in explanation.scores:
            scaled = explanation.normalisation(row, score.plugin)
            found[score.plugin] = ScoreEvidenceDocument(
                parts=tuple(map(value_document, explanation.score_evidence(row, score.plugin))),
                normalisation=None if scaled is None else value_document(scaled),
            )
        return found

    # -- what would help -------------------------------------------------------------------------------------------

    def _relaxations(self) -> RelaxationsDocument:
        found, remedies = self.explanation.relaxations, remedies_of(self.explanation)
        return RelaxationsDocument(
            filters=tuple(map(self._lift, found.filters)),
            singles=tuple(map(self._lift, found.singles)),
            pairs=tuple(map(self._lift, found.pairs)),
            reductions=tuple(map(self._reduction, found.reductions)),
            together=tuple(map(self._reduction, found.together)),
            adjustments=tuple(map(self._lift, found.adjustments)),
            volumes=tuple(value_document(each) for each in remedies if isinstance(each, ClaimRemedy)),
            remedies=tuple(value_document(each) for each in remedies if not isinstance(each, ClaimRemedy)),
        )

    def _lift(self, lift: Lift) -> LiftDocument:
        return LiftDocument(
            lifted=tuple(msgspec.convert(constraint_document(each), ConstraintDocument) for each in lift.lifted),
            gained=lift.gained,
            lost=lift.lost,
            examples=tuple(self.names[row] for row in lift.rows[: self.bounds.examples]),
        )

    def _reduction(self, reduction: Reduction) -> ReductionDocument:
        return ReductionDocument(
            resource=reduction.resource,
            requested=reduction.asked,
            fitting=reduction.fitting,
            node=self.names[reduction.row],
        )

    def _preemption(self) -> PreemptionDocument | None:
        found = self.explanation.preemption
        if found is None:
            return None
        ranked = sorted(found.candidates, key=lambda candidate: candidate.preference())
        return PreemptionDocument(
            eligible=found.eligible,
            message=self._message(found.message or None),
            count=len(ranked),
            selected=self._candidate(ranked[0]) if ranked else None,
            candidates=tuple(map(self._candidate, ranked[: self.bounds.candidates])),
            potential_nodes=found.potential_nodes,
            sample=found.sample,
            changes=self._changes(found),
        )

    def _changes(self, found: Preemption) -> tuple[CandidateChangeDocument, ...] | UnsetType:
        if not any(call.is_answered for call in found.calls):
            return UNSET
        changes = [(call.extender.address, change) for call in found.calls for change in call.changes]
        return tuple(
            CandidateChangeDocument(
                extender=extender,
                node=change.node,
                before=None if change.before is None else self._candidate(change.before),
                after=None if change.after is None else self._candidate(change.after),
            )
            for extender, change in changes[: self.bounds.candidates]
        )

    def _candidate(self, candidate: Candidate) -> CandidateDocument:
        return CandidateDocument(
            node=candidate.node,
            victims=candidate.victims[: self.bounds.victims],
            victim_count=len(candidate.victims),
            priorities=candidate.priorities[: self.bounds.victims],
            pdb_violations=candidate.pdb_violations,
        )


def nominated_for(explanation: Explanation, group: NodeGroup) -> tuple[str, ...]:
    """Return the nominated pods without which the verdict on a group would be another; empty where it would not."""
    if not explanation.decided_by_nominated(int(group.rows[0])):
        return ()
    return tuple(dict.fromkeys(key for row in group.rows.tolist() for key in explanation.nominated_on(row)))


# Reading explanations that were written down.


def read_explanation(stored: Mapping[str, Any]) -> ExplanationDocument:
    """Return a document as values. Raises ValueError for an unknown version."""
    if stored.get("version") != VERSION:
        raise ValueError(f"an explanation of version {stored.get('version')!r} is not known")
    return msgspec.convert(stored, ExplanationDocument)


# The JSON schema of an explanation, made from the types that write it.
#
# ``python -m clusters.documents.writing`` writes it into the file beside this one; a test compares.

PATH: Final = Path(__file__).parent / f"explanation-v{VERSION}.schema.json"
# Where other schemas refer to; the types of documents name them in `explanation`.
_DEFINITIONS: Final = "#/$defs/"


def explanation_schema() -> dict[str, Any]:
    """Return the schema by itself, as JSON Schema 2020-12."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"explanation-v{VERSION}",
        "$ref": f"{_DEFINITIONS}{ExplanationDocument.__name__}",
        "$defs": definitions(_DEFINITIONS),
    }


def definitions(prefix: str) -> dict[str, Any]:
    """Return the schema of each part by name; ``prefix`` is what references to them begin with."""
    _, parts = msgspec.json.schema_components([ExplanationDocument], ref_template=f"{_DEFINITIONS}{{name}}")
    families = _families()
    parts |= value_schemas((each for family in families.values() for each in family), _DEFINITIONS)
    for name, family in families.items():
        parts[name] = {"anyOf": [{"$ref": f"{_DEFINITIONS}{each.__name__}"} for each in family]}
    written = orjson.dumps(dict(sorted(parts.items()))).decode()
    replaced: dict[str, Any] = orjson.loads(written.replace(f'"{_DEFINITIONS}', f'"{prefix}'))
    return replaced


def _families() -> dict[str, tuple[type, ...]]:
    """Return what is written by its fields, by the names by which the documents' types refer to it."""
    bases: dict[str, type] = {
        "Comparison": Comparison,
        "Normalisation": Normalisation,
        "Reason": Reason,
        "Remedy": Remedy,
        "ScorePart": ScorePart,
        "Subject": Subject,
    }
    families: dict[str, tuple[type, ...]] = {name: tuple(kinds_of(base).values()) for name, base in bases.items()}
    return {**families, "Uncertainty": get_args(Uncertainty)}


def written_schema() -> bytes:
    """Return the schema as the file holds it."""
    return orjson.dumps(explanation_schema(), option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


if __name__ == "__main__":
    PATH.write_bytes(written_schema())
