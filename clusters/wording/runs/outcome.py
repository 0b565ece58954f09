"""What came of a simulation, in one line: how many pods were placed, by what brought them, and whether all fits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext as _, gettext_lazy, ngettext, pgettext_lazy

from clusters.engine.conclusion import Conclusion
from clusters.wording.amounts import grouped
from clusters.wording.conclusions import uncertainty_clauses
from clusters.wording.drains.kept import kept_sentence
from clusters.wording.lists import side_by_side
from clusters.wording.messages import plural
from clusters.wording.problems import problem_sentence

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from clusters.engine.simulation import Verdict

PENDING_BEFORE: Final = "pending_before"
# What brought pods, in the order in which it is told: by the names of a summary's origins.
_ORIGINS: Final = {
    "added": gettext_lazy("Added pods: %(counts)s."),
    "displaced": gettext_lazy("Displaced pods: %(counts)s."),
    "successors": gettext_lazy("Recreated pods: %(counts)s."),
    PENDING_BEFORE: gettext_lazy("Previously pending pods: %(counts)s."),
}
_CONCLUSIONS: Final = {
    Conclusion.FITS: pgettext_lazy("what came of a simulation", "Fits."),
    Conclusion.UNSCHEDULABLE: pgettext_lazy("what came of a simulation", "Does not fit."),
    Conclusion.UNCERTAIN: pgettext_lazy("what came of a simulation", "Uncertain."),
}
NOTHING_TO_PLACE: Final = gettext_lazy("Nothing to place: no pods were added.")


def origin_sentences(origins: Mapping[str, Mapping[str, Any]], *, with_sum: bool = True) -> list[str]:
    """Say how it went for the pods of each origin, those that were added first.

    Where pods of several origins are newly pending, their sum comes first, unless it is said elsewhere.
    """
    told = {name: counts for name in _ORIGINS if (counts := origins[name])["total"]}
    said = [str(_ORIGINS[name] % {"counts": side_by_side(_counts(counts))}) for name, counts in told.items()]
    newly = [counts["pending"] for name, counts in told.items() if counts["pending"] and name != PENDING_BEFORE]
    return [_NEWLY_PENDING(pods=sum(newly)), *said] if with_sum and len(newly) > 1 else said


_NEWLY_PENDING = plural("%(pods)s pod is newly pending.", "%(pods)s pods are newly pending.", by="pods")


def _counts(counts: Mapping[str, Any]) -> Iterable[str]:
    yield ngettext("%(placed)s of %(total)s placed", "%(placed)s of %(total)s placed", counts["total"]) % {
        "placed": grouped(counts["placed"]),
        "total": grouped(counts["total"]),
    }
    if uncertain := counts["uncertain"]:
        yield ngettext("%(pods)s uncertain", "%(pods)s uncertain", uncertain) % {"pods": grouped(uncertain)}
    if pending := counts["pending"]:
        yield ngettext("%(pods)s pending", "%(pods)s pending", pending) % {"pods": grouped(pending)}
    if forbidden := counts["forbidden"]:
        yield ngettext("%(pods)s not created", "%(pods)s not created", forbidden) % {"pods": grouped(forbidden)}
    if gone := counts["gone"]:
        yield ngettext(
            "%(pods)s placed, then preempted or evicted", "%(pods)s placed, then preempted or evicted", gone
        ) % {"pods": grouped(gone)}
    if deleted := counts["deleted"]:
        yield ngettext("%(pods)s deleted with its Job", "%(pods)s deleted with their Jobs", deleted) % {
            "pods": grouped(deleted)
        }


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
        reasons = uncertainty_clauses(verdict.doubts)
        return _("%(pod)s: %(reasons)s.") % {"pod": verdict.uncertain[0], "reasons": reasons}
    return ""


def _pending_pod(pod: str, message: str) -> str:
    if not message:
        return _("%(pod)s: no node accepts it.") % {"pod": pod}
    return _("%(pod)s: %(message)s") % {"pod": pod, "message": message}
