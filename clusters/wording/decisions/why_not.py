"""Why a pod is not on some node, or how the node compares where it would fit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _, gettext_lazy

from clusters.wording.attempts import error_sentence, nomination_sentence
from clusters.wording.lists import listed
from clusters.wording.messages import message, plural

if TYPE_CHECKING:
    from clusters.engine import Explanation


RUNS_HERE: Final = gettext_lazy("The pod is on it.")
WOULD_NOT_FIT_NOW: Final = gettext_lazy("The pod is on it, but would not fit now.")
PASSES_EVERY_FILTER = message("%(node)s passes every filter.")


def taken_elsewhere(explanation: Explanation, node: str) -> str:
    """Say why a feasible node is not compared by its total: an error ends the attempt, or a nomination decides it."""
    if explanation.error is not None:
        return " ".join((PASSES_EVERY_FILTER(node=node), error_sentence(explanation.error)))
    if node in explanation.choices:
        return nomination_sentence(explanation)
    return " ".join((PASSES_EVERY_FILTER(node=node), nomination_sentence(explanation)))


ONLY_FEASIBLE = message("%(node)s is the only feasible node.")
TIED_BEST = plural(
    "%(node)s and %(others)s other share the highest total, %(points)s points.",
    "%(node)s and %(others)s others share the highest total: %(points)s points.",
    by="others",
)
BEST = plural("%(node)s is the best: %(points)s point.", "%(node)s is the best: %(points)s points.", by="points")
BEHIND = plural(
    "%(node)s is feasible, but %(points)s point behind %(other)s.",
    "%(node)s is feasible, but %(points)s points behind %(other)s.",
    by="points",
)
LARGEST_PART = message("%(plugin)s makes most of it: %(points)s.")


def left_out(explanation: Explanation, node: str) -> str:
    """Say what would have to change for a node that no filter was asked about."""
    if explanation.cycle.stopped_by is not None:
        return _("None: the pod is rejected before Filter.")
    plugins = explanation.cycle.restricting
    return _("%(plugins)s would have to include %(node)s.") % {
        "plugins": listed(plugins),
        "node": node,
    }
