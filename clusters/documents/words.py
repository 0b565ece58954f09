"""Explanations and runs as they are sent: with sentences beside what is stored."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple, Union

import msgspec

from clusters.documents.stored_problems import decoded, encoded, problem_of_text, text_of_problem
from clusters.documents.values import read_uncertainty, value_document
from clusters.engine.analysis import Advice, ClaimRemedy, remedies_of
from clusters.engine.simulation import GroupResult, Remark, Step
from clusters.wording.advice import way_sentence
from clusters.wording.conclusions import circumstance_sentences, doubts, uncertainty_clauses, uncertainty_sentence
from clusters.wording.problems import problem_sentence
from clusters.wording.remedies import remedy_sentence
from clusters.wording.runs.comparing import cost_sentence, why_sentence
from clusters.wording.runs.groups import end_word, group_sentence
from clusters.wording.runs.remarks import remark_sentence

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from clusters.engine import Explanation
    from clusters.engine.conclusion import Uncertainty
    from clusters.engine.problems import Problem


def words(explanation: Explanation, verdict: str, found: Sequence[Advice] = ()) -> dict[str, Any]:
    """Return the verdict, a sentence for each of the ``uncertainties``, all doubts, and what to do about volumes.

    ``found``: what would make the pod schedulable, the ``ways`` in their order.
    """
    return {
        "verdict": verdict,
        "uncertainties": [uncertainty_sentence(each) for each in explanation.uncertainties],
        "doubts": doubts(explanation),
        "volumes": [remedy_sentence(each) for each in remedies_of(explanation) if isinstance(each, ClaimRemedy)],
        "ways": [way_sentence(explanation, way) for each in found for way in each.ways],
        "circumstances": circumstance_sentences(explanation),
    }


def uncertainty_with_words(each: Uncertainty) -> dict[str, Any]:
    """Return an uncertainty with its sentence, where it stands outside of an explanation."""
    return {**value_document(each), "sentence": uncertainty_sentence(each)}


def sentence_of_uncertainty(stored: Mapping[str, Any]) -> str:
    """Say an uncertainty as runs and studies store it."""
    return uncertainty_sentence(read_uncertainty(stored))


def with_sentence(stored: Mapping[str, Any]) -> dict[str, Any]:
    """Return an uncertainty as runs and studies store it with its sentence, which is how programs read it."""
    return {**stored, "sentence": sentence_of_uncertainty(stored)}


# A comparison of two simulations in words, the problems that its reasons hold as documents too.


def why_of(placement: Mapping[str, Any]) -> str:
    """Say why a pod ended elsewhere; ``placement`` is one of a comparison of two simulations."""
    reason = placement["reason"]
    if reason["problem"] is None:
        return why_sentence(placement)
    said = problem_sentence(decoded(reason["problem"]))
    return why_sentence({**placement, "reason": {**reason, "reasons": [*reason["reasons"], said]}})


def comparison_in_words(comparison: Mapping[str, Any]) -> dict[str, Any]:
    """Return a comparison of two simulations with ``why`` of each placement and its ``cost`` as sentences."""
    placements = [{**each, "why": why_of(each)} for each in comparison["placements"]]
    return {**comparison, "placements": placements, "cost": cost_sentence(comparison["cost"])}


# How groups of pods end in a simulation, as its summary stores them, and in words.


def group_document(result: GroupResult) -> dict[str, Any]:
    """Return how a group ends as plain JSON, its fields in camel case."""
    document: dict[str, Any] = msgspec.to_builtins(result)
    return document


def read_group(stored: Mapping[str, Any]) -> GroupResult:
    """Return the result that `group_document` wrote."""
    return msgspec.convert(stored, GroupResult)


def both_ways(stored: Mapping[str, Any]) -> tuple[GroupResult | None, GroupResult | None]:
    """Return how a group ends pod by pod and by the batch scheduler, whichever the run is; None for no answer."""
    own = read_group(stored)
    beside = None if stored["beside"] is None else read_group(stored["beside"])
    return (beside, own) if stored["way"] == "batch" else (own, beside)


def group_in_words(stored: Mapping[str, Any]) -> dict[str, Any]:
    """Return a stored group with a word and a sentence for how it ends, as programs read it, and so ``beside``."""
    beside = stored.get("beside")
    return {**_run_groups_said(stored), "beside": None if beside is None else _run_groups_said(beside)}


def _run_groups_said(stored: Mapping[str, Any]) -> dict[str, Any]:
    result = read_group(stored)
    return {**stored, "state": end_word(result.end), "sentence": group_sentence(result)}


# What keeps a pod of a simulation from a node, as its steps, its row and the summary hold it.
#
# A message of kube-scheduler or the API server is a text. A problem is a document, and so are uncertainties; a column
# of text holds them as JSON.

# No message of kube-scheduler begins so.
_UNCERTAINTIES: Final = '[{"kind":'
_PROBLEM: Final = '{"kind":'


class StoredMessage(NamedTuple):
    """A message as it is quoted, or the ``problem`` in its place."""

    text: str
    problem: Problem | None = None


def message_document(step: Step) -> str | dict[str, Any]:
    """Return the message of a step, or its problem, as a chunk of steps holds it."""
    return step.message if step.problem is None else encoded(step.problem)


def read_message(stored: str | Mapping[str, Any]) -> StoredMessage:
    """Return what `message_document` or `text_of_step` wrote."""
    if not isinstance(stored, str):
        return StoredMessage("", decoded(stored))
    if stored.startswith(_PROBLEM):
        return StoredMessage("", problem_of_text(stored))
    return StoredMessage(stored)


def text_of_step(step: Step) -> str:
    """Return the message of a step, or its problem, as a column of text holds it."""
    return step.message if step.problem is None else text_of_problem(step.problem)


def text_of_uncertainties(uncertainties: Iterable[Uncertainty]) -> str:
    """Return uncertainties as a column of text holds them."""
    return msgspec.json.encode([value_document(each) for each in uncertainties]).decode()


def message_in_words(stored: str) -> str:
    """Return what a column of text holds as people read it: problems and uncertainties in words, messages quoted."""
    if stored.startswith(_UNCERTAINTIES):
        return uncertainty_clauses(map(read_uncertainty, msgspec.json.decode(stored)))
    message = read_message(stored)
    return message.text if message.problem is None else problem_sentence(message.problem)


# Remarks about a simulation as its summary stores them, and the summary with whatever it stores by kind in words.


_ANY_REMARK: Final = Union[tuple(Remark.__subclasses__())]  # noqa: UP007 - of all that there are


def remark_document(remark: Remark) -> dict[str, Any]:
    """Return a remark as plain JSON: its ``kind``, and its fields in camel case."""
    document: dict[str, Any] = msgspec.to_builtins(remark)
    return document


def read_remark(stored: Any) -> Remark | None:
    """Return the remark that `remark_document` wrote; None for anything else."""
    try:
        remark: Remark = msgspec.convert(stored, _ANY_REMARK)
    except msgspec.ValidationError:
        return None
    return remark


def note_in_words(stored: str | Mapping[str, Any]) -> str:
    """Say a stored remark; a text that somebody sent is said as it is."""
    remark = read_remark(stored)
    if remark is not None:
        return remark_sentence(remark)
    return stored if isinstance(stored, str) else str(dict(stored))


def summary_in_words(summary: Mapping[str, Any]) -> dict[str, Any]:
    """Return the summary of a simulation with what it stores by kind in sentences, which is how programs read it."""
    notes, relaxed = (list(map(note_in_words, summary[name])) for name in ("notes", "relaxed"))
    origins = {name: _origin(counts) for name, counts in summary["origins"].items()}
    causes = list(map(_said, summary["pending_causes"]))
    said = {"notes": notes, "relaxed": relaxed, "origins": origins, "pending_causes": causes}
    return {**summary, **said, "pod_groups": list(map(group_in_words, summary["pod_groups"]))}


def _origin(counts: Mapping[str, Any]) -> dict[str, Any]:
    groups = [{**group, "why": list(map(with_sentence, group["why"]))} for group in counts["uncertainties"]]
    return {**_said(counts), "uncertainties": groups}


def answer_in_words(answer: Mapping[str, Any]) -> dict[str, Any]:
    """Return the answer to a part of a study with uncertainties as sentences, too, which is how programs read it."""
    if "uncertainties" not in answer:
        return dict(answer)
    return {**answer, "uncertainties": list(map(with_sentence, answer["uncertainties"]))}


def _said(part: Mapping[str, Any]) -> dict[str, Any]:
    return {**part, "message": message_in_words(part["message"])}
