"""What others recorded of a pod's scheduling attempts, beside what is computed: in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _, gettext_lazy, ngettext, pgettext, pgettext_lazy

from clusters.wording import states
from clusters.wording.amounts import grouped
from clusters.wording.lists import first_of
from clusters.wording.messages import message, plural

if TYPE_CHECKING:
    from collections.abc import Sequence

# By state of a pair: what stands between both sides for those who do not see the sign.
BETWEEN: Final = {
    "equal": gettext_lazy("observed, the same as computed:"),
    "differs": gettext_lazy("observed, differs from computed:"),
    "unknown": gettext_lazy("observed, cannot be compared with computed:"),
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


def total_without_extenders(total: int) -> str:
    """Write a node's total where extenders scored too."""
    return _("%(total)s without extenders") % {"total": total}


def nodes(names: Sequence[str]) -> str:
    """Name some nodes, or count them where they are many."""
    if 0 < len(names) <= _MOST_NODES:
        return ", ".join(names)
    return ngettext("%(nodes)s node", "%(nodes)s nodes", len(names)) % {"nodes": grouped(len(names))}


def fits_too(best: Sequence[str]) -> str:
    """Say that the chosen node fits, and which nodes have the highest total of all."""
    return _("fits; highest total of all: %(nodes)s") % {"nodes": nodes(best)}


NODES_OF = message("%(plugin)s: nodes")


def recorded_by_simulator(attempts: int) -> str:
    """Say how many attempts kube-scheduler-simulator recorded."""
    return ngettext(
        "kube-scheduler-simulator recorded %(attempts)s attempt.",
        "kube-scheduler-simulator recorded %(attempts)s attempts.",
        attempts,
    ) % {"attempts": grouped(attempts)}


def recorded_by_log(attempts: int) -> str:
    """Say how many attempts are in kube-scheduler's log."""
    return ngettext(
        "kube-scheduler's log recorded %(attempts)s attempt.",
        "kube-scheduler's log recorded %(attempts)s attempts.",
        attempts,
    ) % {"attempts": grouped(attempts)}


def which_attempt(*, is_latest: bool) -> str:
    """Say which of several attempts is compared."""
    return _("The latest one is compared here.") if is_latest else _("The chosen one is compared here.")


NOTHING_TO_COMPARE: Final = gettext_lazy("It has nothing that could be compared.")


def equal_cells(equal: int, total: int) -> str:
    """Say how many cells are the same as computed."""
    if equal == total:
        return ngettext(
            "The %(total)s cell is the same as computed.", "All %(total)s cells are the same as computed.", total
        ) % {"total": grouped(total)}
    return ngettext(
        "%(equal)s of %(total)s cell is the same as computed.",
        "%(equal)s of %(total)s cells are the same as computed.",
        total,
    ) % {"equal": grouped(equal), "total": grouped(total)}


INCOMPARABLE_CELLS = plural("%(number)s cannot be compared.", "%(number)s cannot be compared.", by="number")


def differing_cells(number: int, first: Sequence[str]) -> str:
    """Say how many cells differ; ``first`` names the first of them."""
    return ngettext("%(number)s differs: %(cells)s.", "%(number)s differ: %(cells)s.", number) % {
        "number": grouped(number),
        "cells": first_of(first, total=number, most=len(first)),
    }


CELL = message("%(about)s on %(node)s")


def basis(*, is_placed: bool) -> str:
    """Say on which state of the cluster an attempt is computed."""
    if is_placed:
        return _(
            "Computed on the present state of the cluster, as if the pod were pending; when the attempt was made, the "
            "cluster may have looked different."
        )
    return _(
        "Computed on the present state of the cluster; when the attempt was made, the cluster may have looked "
        "different."
    )


LIMITS_OF_LOGS: Final = gettext_lazy("A log has scores and outcomes, but no filter results.")
SCORED_AMONG = plural(
    "Only %(scored)s node was scored then, of %(feasible)s feasible now; scores are among these.",
    "Only %(scored)s nodes were scored then, of %(feasible)s feasible now; scores are among these.",
    by="scored",
)


def attempt_in_log(number: int, when: str) -> str:
    """Name an attempt in a log by its number, and by when it was where the log says so, in UTC."""
    if not when:
        return _("Log %(number)s") % {"number": grouped(number)}
    return _("Log %(number)s, %(when)s UTC") % {"number": grouped(number), "when": when}


ATTEMPT_OF_SIMULATOR = message("Simulator %(number)s")
MORE_ATTEMPTS = plural("%(number)s earlier attempt not listed.", "%(number)s earlier attempts not listed.", by="number")
