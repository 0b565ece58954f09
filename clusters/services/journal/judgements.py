"""Judging one decision: the explanation of the state just before, and whether the scheduler may have decided so."""

from __future__ import annotations

from functools import partial
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, NamedTuple

from clusters.engine import UnknownScheduler, explain
from clusters.engine.conclusion import FilteringExtender, ForeignPlugin, UncomputedField, UncomputedObject
from clusters.engine.journal.agreement import (
    Agreement,
    distance_of_refusal,
    judge_nomination,
    judge_placement,
    judge_refusal,
)
from clusters.engine.messages import tells_failed_binding
from clusters.engine.sampling import foreign_scorers
from clusters.engine.uncertainty import scoring_extenders, unknown_preempting
from clusters.models import Decision
from clusters.services.journal.document import decision_document
from clusters.services.journal.searches import search_document
from clusters.services.journal.states import JUST_BEFORE, NearbyState, as_queued, interleaved, moment_of
from clusters.services.journal.writing import Judgement

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusters.documents.explanation import ExplanationDocument
    from clusters.engine import Explanation, Profile, SchedulerConfiguration
    from clusters.engine.journal.history import History, RecordedChange
    from clusters.engine.searching.following import HeardAttempt
    from clusters.services.journal.ledger import PodFact
    from clusters.services.journal.searches import Searches

Kind, Verdict, Reason = Decision.Kind, Decision.Verdict, Decision.Reason

NOT_SEEN = Judgement(Verdict.UNJUDGED, Reason.GAP, None, None)
FAILED = Judgement(Verdict.UNJUDGED, Reason.ERROR, None, None)
UNREADABLE_CONFIGURATION = Judgement(Verdict.UNJUDGED, Reason.CONFIGURATION, None, None)
_OF_ANOTHER = Judgement(Verdict.UNJUDGED, Reason.OTHER_SCHEDULER, None, None)

_REASONS = {
    Agreement.INFEASIBLE: Reason.INFEASIBLE,
    Agreement.LOWER_SCORE: Reason.LOWER_SCORE,
    Agreement.FITS: Reason.FITS,
    Agreement.OTHER_MESSAGE: Reason.OTHER_MESSAGE,
}
# Where the scheduler found fewer nodes, or took another, than all that is computed allows.
_MAY_BE_OTHERS = (Agreement.FITS, Agreement.LOWER_SCORE)


class _Answer(NamedTuple):
    """What one state says about a decision; ``unknown``: who else has a say in it, None where nobody has.

    ``is_tied``: several nodes have the highest total. ``heard``: what it says of the search for nodes, where searches
    are followed.
    """

    agreement: Agreement
    document: ExplanationDocument | None
    unknown: Decision.Reason | None
    is_tied: bool
    heard: HeardAttempt | None

    @property
    def is_open(self) -> bool:
        """Whether what is not computed may have decided so: it takes nodes away and adds points, but opens no node."""
        return self.unknown is not None and self.agreement in _MAY_BE_OTHERS


def judge(
    fact: PodFact,
    step: RecordedChange,
    history: History,
    configuration: SchedulerConfiguration,
    *,
    most_states: int,
    most_searched: int = 0,
    searches: Searches | None = None,
) -> Judgement:
    """Judge a fact that a step brought, by the state just before it and those nearby, up to a number.

    Where the one just before leaves it open which nodes the scheduler looked at, the one that the order of the queue
    makes likely has the last word. A refusal that agrees with none of them has its state searched, which looks at
    ``most_searched`` states more. The explanation kept is that of the state which agrees, or of the one just before
    where none does. ``searches`` are followed on; None for a decision after which others were judged already.
    """
    pod = _as_decided(step)
    try:
        profile = configuration.profile_for(pod)
    except UnknownScheduler:
        return _OF_ANOTHER
    first = _answer(fact, pod, profile, history, step.version, JUST_BEFORE, searches)
    if first.agreement is Agreement.AGREES:
        return _agreed(first, JUST_BEFORE, step, searches)
    if _is_untold(fact, first):
        return _not_told(first, step, searches)
    queued = as_queued(history, step)
    if queued != JUST_BEFORE:
        answer = _answer(fact, pod, profile, history, step.version, queued, searches)
        if answer.agreement.holds:
            return _agreed(answer, queued, step, searches)
    if first.agreement.holds:
        return _agreed(first, JUST_BEFORE, step, searches)
    moment = moment_of(history, step)
    # The first of them is the one that was tried.
    orders = islice(interleaved(history, step), 1, None)
    for state in islice(chain(orders, moment.states(most_states)), most_states):
        answer = _answer(fact, pod, profile, history, step.version, state, searches)
        if answer.agreement.holds:
            return _agreed(answer, state, step, searches)
    if fact.kind == Kind.UNSCHEDULABLE and most_searched:
        distance = partial(_distance_of, fact.message, pod, profile, history, step.version)
        state = moment.nearest(distance, most=most_searched)
        answer = _answer(fact, pod, profile, history, step.version, state, searches)
        if answer.agreement.holds:
            return _agreed(answer, state, step, searches)
    if searches is not None:
        searches.take(first.heard)
    reason = first.unknown or (Reason.LAG if moment.is_crowded else _REASONS[first.agreement])
    verdict = Verdict.UNJUDGED if first.is_open else Verdict.DISAGREES
    return Judgement(verdict, reason, JUST_BEFORE.basis(step.moment), first.document)


def _distance_of(
    message: str, pod: Mapping[str, Any], profile: Profile, history: History, version: int, state: NearbyState
) -> int:
    with history.state(version, without=state.without, beyond=state.beyond) as snapshot:
        return distance_of_refusal(explain(snapshot, pod, profile), message)


def _is_untold(fact: PodFact, answer: _Answer) -> bool:
    """Whether a node was chosen, and a binding that failed leaves unsaid which."""
    return answer.agreement is Agreement.FITS and tells_failed_binding(fact.message)


def _not_told(answer: _Answer, step: RecordedChange, searches: Searches | None) -> Judgement:
    if searches is not None:
        searches.take(answer.heard)
    return Judgement(Verdict.UNJUDGED, Reason.NO_DECISION, JUST_BEFORE.basis(step.moment), answer.document)


def _as_decided(step: RecordedChange) -> Mapping[str, Any]:
    """Return the pod as the scheduler took it up."""
    if step.before is not None:
        return step.before
    pod = step.document
    return {**pod, "spec": {name: part for name, part in (pod.get("spec") or {}).items() if name != "nodeName"}}


def _answer(
    fact: PodFact,
    pod: Mapping[str, Any],
    profile: Profile,
    history: History,
    version: int,
    state: NearbyState,
    searches: Searches | None,
) -> _Answer:
    with history.state(version, without=state.without, beyond=state.beyond) as snapshot:
        explanation = explain(snapshot, pod, profile)
        agreement = _agreement(fact, explanation)
        # Now, while the history stands there.
        wanted = agreement.holds or state is JUST_BEFORE
        document = decision_document(explanation, fact.node_name or None) if wanted else None
        heard = None
        if wanted and searches is not None:
            heard = searches.hear(fact, explanation, is_allowed=agreement.holds)
        is_tied = len(explanation.cycle.choices) > 1
        return _Answer(agreement, document, _unknown(explanation), is_tied, heard)


def _unknown(explanation: Explanation) -> Decision.Reason | None:
    """Return who else has a say in a decision, by rejecting nodes, by scoring them or in preemption."""
    profile, pod = explanation.profile, explanation.pod
    if any(isinstance(each, ForeignPlugin | UncomputedField | UncomputedObject) for each in explanation.uncertainties):
        return Reason.UNKNOWN_PLUGIN
    if foreign_scorers(profile):
        return Reason.UNKNOWN_PLUGIN
    has_extender = any(isinstance(each, FilteringExtender) for each in explanation.uncertainties)
    has_extender = has_extender or bool(scoring_extenders(profile, pod) or unknown_preempting(explanation))
    return Reason.EXTENDER if has_extender else None


def _agreement(fact: PodFact, explanation: Explanation) -> Agreement:
    match fact.kind:
        case Kind.BOUND:
            return judge_placement(explanation, fact.node_name)
        case Kind.NOMINATED:
            return judge_nomination(explanation, fact.node_name)
        case _:
            return judge_refusal(explanation, fact.message)


def _agreed(answer: _Answer, state: NearbyState, step: RecordedChange, searches: Searches | None) -> Judgement:
    verdict = Verdict.SAMPLED if answer.agreement is Agreement.SAMPLED else Verdict.AGREES
    reason = Reason.TIE if verdict == Verdict.AGREES and answer.is_tied else None
    basis = state.basis(step.moment)
    if searches is None or answer.heard is None:
        return Judgement(verdict, reason, basis, answer.document)
    searches.take(answer.heard)
    finding = answer.heard.finding
    if finding is None:
        return Judgement(verdict, reason, basis, answer.document)
    basis["search"] = search_document(finding)
    if verdict == Verdict.SAMPLED and finding.is_proof:
        return Judgement(Verdict.AGREES, Reason.SEARCH, basis, answer.document)
    return Judgement(verdict, reason, basis, answer.document)
