"""Words for a search that ends early: in which order nodes stand, and with what chance each is looked at and taken."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _, gettext_lazy, ngettext, pgettext_lazy

from clusters.wording.amounts import grouped, rate
from clusters.wording.messages import message

if TYPE_CHECKING:
    from clusters.engine import Explanation
    from clusters.engine.scheduling import SearchChances

TITLE: Final = gettext_lazy("Search order")
FIGURE_TITLE: Final = gettext_lazy("Chance that a search looks at a node")
FEASIBLE: Final = pgettext_lazy("nodes in a picture of the search", "feasible")
REJECTED: Final = pgettext_lazy("nodes in a picture of the search", "rejected")
AXIS: Final = gettext_lazy("Looked at, percent of starts")
PLACES: Final = pgettext_lazy("column of a table: a stretch of the search", "Places in the order")
NODES: Final = pgettext_lazy("column of a table: how many nodes", "Nodes")
# So few nodes are all looked at.
_SMALL: Final = 100
LEAST: Final = gettext_lazy("Least chance")
MOST: Final = gettext_lazy("Greatest chance")


def sampling_sentence(explanation: Explanation) -> str:
    """Say how many nodes the scheduler looks at; empty where there are none."""
    sampling, feasible = explanation.sampling, len(explanation.cycle.feasible)
    if not explanation.node_count:
        return ""
    if sampling.complete and sampling.nodes < _SMALL:
        return _("The scheduler looks at every node: there are fewer than 100.")
    if sampling.complete:
        return _("The scheduler looks at every node, by percentageOfNodesToScore.")
    if feasible <= sampling.wanted:
        return ngettext(
            "The scheduler looks at every node: %(feasible)s is feasible, and it would stop after %(wanted)s.",
            "The scheduler looks at every node: %(feasible)s are feasible, and it would stop after %(wanted)s.",
            feasible,
        ) % {"wanted": grouped(sampling.wanted), "feasible": grouped(feasible)}
    return ngettext(
        "The scheduler stops after %(wanted)s feasible node, from an unknown start; here all %(nodes)s nodes are "
        "evaluated.",
        "The scheduler stops after %(wanted)s feasible nodes, from an unknown start; here all %(nodes)s nodes are "
        "evaluated.",
        sampling.wanted,
    ) % {"nodes": grouped(sampling.nodes), "wanted": grouped(sampling.wanted)}


def search_sentence(chances: SearchChances) -> str:
    """Say how far a search goes, in which order, and what is not known of it."""
    said = ngettext(
        "A search of %(nodes)s nodes stops at %(wanted)s of the %(feasible)s feasible ones and compares only that one.",
        "A search of %(nodes)s nodes stops at %(wanted)s of the %(feasible)s feasible ones and compares only those.",
        chances.wanted,
    ) % {
        "nodes": grouped(chances.starts),
        "wanted": grouped(chances.wanted),
        "feasible": grouped(chances.feasible),
    }
    order = _("Every start is counted as equally likely.")
    return f"{said} {order}"


def node_sentence(chances: SearchChances, node: str, row: int) -> str:
    """Say from how many starts a search looks at a node."""
    reached = int(chances.reached[row])
    return _("A search looks at %(node)s from %(reached)s of %(starts)s starts (%(share)s).") % {
        "node": node,
        "reached": grouped(reached),
        "starts": grouped(chances.starts),
        "share": rate(reached, chances.starts),
    }


def choice_sentence(node: str, chance: float) -> str:
    """Say with what chance the pod gets a node."""
    if not chance:
        return _("Another node always has a higher total than %(node)s.") % {"node": node}
    return _("The pod gets %(node)s with a chance of %(share)s.") % {"node": node, "share": chance_text(chance)}


def chance_text(chance: float) -> str:
    """Write a chance from 0 to 1 in percent with two decimals."""
    return rate(round(chance * 1_000_000), 1_000_000)


NO_CHOICES: Final = gettext_lazy("Which node is taken is not computed.")
BIN_LABEL = message("%(first)s to %(last)s")
