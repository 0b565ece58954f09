"""What came of a simulation, in one line: how many pods were placed, by what brought them, and whether all fits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext_lazy, pgettext_lazy

from clusters.engine.conclusion import Conclusion
from clusters.wording.blocked_drains import kept_sentence
from clusters.wording.conclusions import uncertainty_clauses
from clusters.wording.lists import side_by_side
from clusters.wording.messages import message
from clusters.wording.problems import problem_sentence
from clusters.wording.runs.affected import NEWLY_PENDING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusters.engine.simulation import Verdict

PENDING_BEFORE: Final = "pending_before"
# What brought pods, in the order in which it is told: by the names of a summary's origins.
_ORIGINS: Final = {
    "added": message("Added pods: %(counts)s."),
    "displaced": message("Displaced pods: %(counts)s."),
    "successors": message("Recreated pods: %(counts)s."),
    PENDING_BEFORE: message("Previously pending pods: %(counts)s."),
}
_CONCLUSIONS: Final = {
    Conclusion.FITS: pgettext_lazy("simulation", "Fits."),
    Conclusion.UNSCHEDULABLE: pgettext_lazy("simulation", "Does not fit."),
    Conclusion.UNCERTAIN: pgettext_lazy("simulation", "Uncertain."),
}
NOTHING_TO_PLACE: Final = gettext_lazy("Nothing to place.")
_PLACED: Final = message("%(placed)s of %(total)s placed")
_COUNTS: Final = {
    "uncertain": message("%(pods)s uncertain"),
    "pending": message("%(pods)s pending"),
    "forbidden": message("%(pods)s not created"),
    "gone": message("%(pods)s placed, then preempted or evicted"),
    "deleted": message("%(pods)s deleted with their Jobs"),
}
_NO_NODE: Final = message("%(pod)s: no node accepts it.")
_OF_POD: Final = message("%(pod)s: %(message)s")
_UNCERTAIN_POD: Final = message("%(pod)s: %(reasons)s.")


def origin_sentences(origins: Mapping[str, Mapping[str, Any]], *, with_sum: bool = True) -> list[str]:
    """Say how it went for the pods of each origin, those that were added first.

    Where pods of several origins are newly pending, their sum comes first, unless it is said elsewhere.
    """
    told = {name: counts for name in _ORIGINS if (counts := origins[name])["total"]}
    said = [_ORIGINS[name](counts=_counts(counts)) for name, counts in told.items()]
    newly = [counts["pending"] for name, counts in told.items() if counts["pending"] and name != PENDING_BEFORE]
    return [NEWLY_PENDING(pods=sum(newly)), *said] if with_sum and len(newly) > 1 else said


def _counts(counts: Mapping[str, Any]) -> str:
    others = (say(pods=counts[name]) for name, say in _COUNTS.items() if counts[name])
    return side_by_side((_PLACED(placed=counts["placed"], total=counts["total"]), *others))


def verdict_sentence(summary: Mapping[str, Any], verdict: Verdict) -> str:
    """Say whether what a simulation was asked fits, how its pods ended, and why the first one is in the way."""
    is_nothing = verdict.conclusion is Conclusion.FITS and not verdict.has_pods
    opening = str(NOTHING_TO_PLACE if is_nothing else _CONCLUSIONS[verdict.conclusion])
    said = origin_sentences(summary["origins"])
    return " ".join(filter(None, (opening, *said, _first(verdict), kept_sentence(summary))))


def _first(verdict: Verdict) -> str:
    if verdict.problem is not None:
        return _pending_pod(verdict.pending[0], problem_sentence(verdict.problem))
    if verdict.message is not None:
        return _pending_pod((*verdict.pending, *verdict.forbidden)[0], " ".join(verdict.message.split()))
    if verdict.doubts:
        return _UNCERTAIN_POD(pod=verdict.uncertain[0], reasons=uncertainty_clauses(verdict.doubts))
    return ""


def _pending_pod(pod: str, message: str) -> str:
    return _OF_POD(pod=pod, message=message) if message else _NO_NODE(pod=pod)
