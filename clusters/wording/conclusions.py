"""Conclusions about pods, and why one stays open, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from clusters.engine.conclusion import (
    AppliedQuota,
    Conclusion,
    FailedComputation,
    FilteringExtender,
    ForeignPlugin,
    PossibleError,
    UncomputedField,
)
from clusters.engine.uncertainty import foreign_scorers, preempting_extenders, scoring_extenders

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clusters.engine import Explanation
    from clusters.engine.conclusion import Uncertainty

# What fields of a pod that are not computed are called.
_FIELDS: Final = {"spec.resourceClaims": "resource claims"}


def conclusion_word(conclusion: Conclusion) -> str:
    """Return the word for a conclusion as a sentence or a badge begins with it."""
    return str(conclusion).capitalize()


def uncertainty_clause(each: Uncertainty) -> str:
    """Say why a conclusion stays open, as part of a sentence."""
    match each:
        case UncomputedField():
            return f"{_FIELDS.get(each.field, each.field)} are not computed ({each.plugin})"
        case ForeignPlugin():
            return f"the plugin {each.plugin} is not part of Kubernetes and is not computed"
        case FilteringExtender():
            whom = f" for {', '.join(each.resources)}" if each.resources else ""
            silent = ", unless it does not answer" if each.ignorable else ""
            return f"{extender_name(each.url_prefix)} filters the nodes{whom}{silent}"
        case AppliedQuota():
            return f"a ResourceQuota applies ({each.namespace}/{each.name})"
        case FailedComputation():
            return f"it could not be computed (Berth's log has the error under {each.reference})"
        case PossibleError():
            return f"{each.plugin} fails on {each.node}, a node that the search may come to or not"


def extender_name(url_prefix: str) -> str:
    """Name an extender by its address, as far as that was kept."""
    return f"the extender {url_prefix}" if url_prefix else "an extender"


def uncertainty_clauses(uncertainties: Iterable[Uncertainty]) -> str:
    """Say in one breath why a conclusion stays open."""
    return "; ".join(uncertainty_clause(each) for each in uncertainties)


def uncertainty_sentence(each: Uncertainty) -> str:
    """Say why a conclusion stays open, and what would settle it."""
    clause = uncertainty_clause(each)
    return f"{clause[:1].upper()}{clause[1:]}. {_meaning(each)}"


def _meaning(each: Uncertainty) -> str:
    match each:
        case UncomputedField():
            return f"{each.plugin} may reject every node; only the scheduler can say."
        case ForeignPlugin():
            return "It may reject nodes or the pod; only the scheduler that has it can say."
        case FilteringExtender():
            return "Only the extender can say which of them it keeps."
        case AppliedQuota():
            return "The API server may refuse the pod: compare its requests with what the quota still allows."
        case FailedComputation():
            return "This is a defect of Berth: report it with that error."
        case PossibleError():
            return "An error ends the attempt; the search ends before it where it has found enough other nodes."


def doubts(explanation: Explanation) -> list[str]:
    """Say what is not computed about a pod, and where that leaves the best node or preemption open."""
    profile, pod = explanation.profile, explanation.pod
    found = [uncertainty_sentence(each) for each in explanation.uncertainties]
    scorers = (*foreign_scorers(profile), *map(extender_name, scoring_extenders(profile, pod)))
    if scorers and explanation.fits:
        found.append(f"Scores of {', '.join(scorers)} are not computed, so another node may be the best.")
    preempting = preempting_extenders(profile, pod)
    if preempting and explanation.preemption is not None and explanation.preemption.candidates:
        names = ", ".join(map(extender_name, preempting))
        found.append(f"Which pods are preempted is also for {names} to say.")
    return found
