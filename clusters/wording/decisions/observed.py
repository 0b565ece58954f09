"""What others recorded of a pod's scheduling attempts, beside what is computed: in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _, gettext_lazy, ngettext, pgettext, pgettext_lazy

from clusters.wording import counts, states
from clusters.wording.amounts import grouped
from clusters.wording.lists import first_of
from clusters.wording.messages import message, plural

if TYPE_CHECKING:
    from collections.abc import Sequence

# By state of a pair: what stands between both sides for those who do not see the sign.
BETWEEN: Final = {
    "equal": gettext_lazy("equal to"),
    "differs": gettext_lazy("different from"),
    "unknown": gettext_lazy("not comparable with"),
}
# What stands in a cell where no scheduler said anything.
UNSAID: Final = {
    "not-asked": pgettext_lazy("a plugin's answer", "not asked"),
    "no-such-node": pgettext_lazy("a plugin's answer", "no such node now"),
    "not-computed": states.ANSWER_NOT_COMPUTED,
    "not-recorded": pgettext_lazy("a plugin's answer", "not recorded"),
    "does-not-fit": pgettext_lazy("a plugin's answer", "does not fit"),
    "skipped": pgettext_lazy("a plugin's answer", "skipped"),
    "all-nodes": pgettext_lazy("nodes that PreFilter leaves", "all nodes"),
    "no-node-fits": pgettext_lazy("the chosen node", "no node fits"),
    "no-node": pgettext_lazy("the nominated node", "none"),
    "fits": gettext_lazy("The pod fits."),
}
EMPTY: Final = pgettext_lazy("a message without text", "empty")
FACTS: Final = {
    "total": pgettext_lazy("sum of scores", "Total"),
    "chosen-node": gettext_lazy("Chosen node"),
    "message": pgettext_lazy("of a scheduler", "Message"),
    "nominated-node": gettext_lazy("Nominated node"),
}
BOTH_SIDES: Final = gettext_lazy("Observed and computed")
FILTERS: Final = pgettext_lazy("table of answers", "Filters")
SCORES: Final = gettext_lazy("Scores, normalised and weighted")
# By key of an attempt's document: what its value is.
DETAILS: Final = {
    "evaluatedNodes": gettext_lazy("Evaluated nodes"),
    "feasibleNodes": gettext_lazy("Feasible nodes among them"),
    "preFilterMessage": gettext_lazy("Message of PreFilter"),
    "postFilterMessage": gettext_lazy("Message of PostFilter"),
}
ORIGIN: Final = pgettext_lazy("file of a recorded attempt", "From")
LATEST_OF_SIMULATOR: Final = gettext_lazy("Simulator, latest")
# So many nodes are named in a cell.
_MOST_NODES: Final = 5


def score(weighted: int | None, raw: int | None) -> str:
    """Write a plugin's weighted score with the raw one behind it, or the one of them that there is."""
    if weighted is None:
        return pgettext("score", "raw %(raw)s") % {"raw": raw}
    if raw is None:
        return f"{weighted}"
    return pgettext("score", "%(weighted)s (raw %(raw)s)") % {"weighted": weighted, "raw": raw}


TOTAL_WITHOUT_EXTENDERS = message("%(total)s without extenders")


def nodes(names: Sequence[str]) -> str:
    """Name some nodes, or count them where they are many."""
    if 0 < len(names) <= _MOST_NODES:
        return ", ".join(names)
    return counts.NODES(number=len(names))


FITS_TOO = message("fits; highest total of all: %(nodes)s")


NODES_OF = message("%(plugin)s: nodes")


RECORDED_BY_SIMULATOR = plural(
    "kube-scheduler-simulator recorded %(attempts)s attempt.",
    "kube-scheduler-simulator recorded %(attempts)s attempts.",
    by="attempts",
)
RECORDED_BY_LOG = plural(
    "kube-scheduler's log recorded %(attempts)s attempt.",
    "kube-scheduler's log recorded %(attempts)s attempts.",
    by="attempts",
)
NOTHING_TO_COMPARE: Final = gettext_lazy("Nothing can be compared.")


EQUAL_CELLS = plural("%(equal)s of %(total)s cell is equal.", "%(equal)s of %(total)s cells are equal.", by="total")
INCOMPARABLE_CELLS = plural("%(number)s cannot be compared.", "%(number)s cannot be compared.", by="number")


def differing_cells(number: int, first: Sequence[str]) -> str:
    """Say how many cells differ; ``first`` names the first of them."""
    return ngettext("%(number)s differs: %(cells)s.", "%(number)s differ: %(cells)s.", number) % {
        "number": grouped(number),
        "cells": first_of(first, total=number, most=len(first)),
    }


LIMITS_OF_LOGS: Final = gettext_lazy("A log has scores and outcomes, but no filter results.")
SCORED_AMONG = plural(
    "%(scored)s node was scored then, of %(feasible)s feasible now.",
    "%(scored)s nodes were scored then, of %(feasible)s feasible now.",
    by="scored",
)


def attempt_in_log(number: int, when: str) -> str:
    """Name an attempt in a log by its number, and by when it was where the log says so, in UTC."""
    if not when:
        return _("Log %(number)s") % {"number": grouped(number)}
    return _("Log %(number)s, %(when)s UTC") % {"number": grouped(number), "when": when}


ATTEMPT_OF_SIMULATOR = message("Simulator %(number)s")
MORE_ATTEMPTS = plural("%(number)s earlier attempt not listed.", "%(number)s earlier attempts not listed.", by="number")
