"""Words for a search that ends early: in which order nodes stand, and with what chance each is looked at and taken."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _, gettext_lazy, ngettext, pgettext_lazy

from clusters.wording.amounts import grouped, rate
from clusters.wording.messages import message, plural

if TYPE_CHECKING:
    from clusters.engine import Explanation
    from clusters.engine.scheduling import SearchChances

TITLE: Final = gettext_lazy("Search order")
FIGURE_TITLE: Final = gettext_lazy("Chance that a search looks at a node, in the order of the search")
FEASIBLE: Final = pgettext_lazy("nodes in a picture of the search", "feasible")
REJECTED: Final = pgettext_lazy("nodes in a picture of the search", "rejected")
AXIS: Final = gettext_lazy("Looked at, percent of the start positions")
NO_SEARCH_ORDER: Final = gettext_lazy("The search looks at every node now, or at a known one.")
PLACES: Final = pgettext_lazy("column of a table: a stretch of the search", "Places in the order")
NODES: Final = pgettext_lazy("column of a table: how many nodes", "Nodes")
LEAST: Final = gettext_lazy("Least chance")
MOST: Final = gettext_lazy("Greatest chance")


def whole_sentence(explanation: Explanation) -> str:
    """Say why a search looks at every node."""
    nodes = explanation.sampling.nodes
    if nodes < 100:
        return ngettext(
            "The scheduler looks at every node: %(nodes)s node is fewer than 100.",
            "The scheduler looks at every node: %(nodes)s nodes are fewer than 100.",
            nodes,
        ) % {"nodes": grouped(nodes)}
    return _("The scheduler looks at every node: percentageOfNodesToScore comes to all of them.")


def found_all_sentence(explanation: Explanation) -> str:
    """Say that so few nodes fit that a search comes to the end of the nodes."""
    wanted = grouped(explanation.sampling.wanted)
    return ngettext(
        "The scheduler would stop after %(wanted)s feasible nodes. Only %(feasible)s node is feasible, so it looks "
        "at every node, wherever it starts.",
        "The scheduler would stop after %(wanted)s feasible nodes. Only %(feasible)s nodes are feasible, so it looks "
        "at every node, wherever it starts.",
        len(explanation.cycle.feasible),
    ) % {"wanted": wanted, "feasible": grouped(len(explanation.cycle.feasible))}


def search_sentence(chances: SearchChances) -> str:
    """Say how far a search goes, in which order, and what is not known of it."""
    said = ngettext(
        "The scheduler stops its search of %(nodes)s nodes once it has found %(wanted)s of the %(feasible)s feasible "
        "nodes, and compares only that one.",
        "The scheduler stops its search of %(nodes)s nodes once it has found %(wanted)s of the %(feasible)s feasible "
        "nodes, and compares only those.",
        chances.wanted,
    ) % {
        "nodes": grouped(chances.starts),
        "wanted": grouped(chances.wanted),
        "feasible": grouped(chances.feasible),
    }
    order = _(
        "Zones take turns: the first node of each zone, then the second of each. A search starts where the one before "
        "it ended, which is not known from outside; counted are all start positions, each as likely as any other."
    )
    return f"{said} {order}"


ORDER_NOTE: Final = gettext_lazy(
    "The order is that of a scheduler which started with these nodes, by name within each zone; nodes that join "
    "later stand at the end of their zone. kube-scheduler looks at several nodes at once, so that a search may end "
    "a few nodes earlier or later."
)


def node_sentence(chances: SearchChances, node: str, row: int) -> str:
    """Say from how many starts a search looks at a node."""
    reached = int(chances.reached[row])
    return _("A search looks at %(node)s from %(reached)s of %(starts)s start positions (%(share)s).") % {
        "node": node,
        "reached": grouped(reached),
        "starts": grouped(chances.starts),
        "share": rate(reached, chances.starts),
    }


def choice_sentence(node: str, chance: float) -> str:
    """Say with what chance the pod gets a node."""
    if not chance:
        return _("From every start another node has a higher total than %(node)s.") % {"node": node}
    return _("The pod gets %(node)s with a chance of %(share)s.") % {"node": node, "share": chance_text(chance)}


def chance_text(chance: float) -> str:
    """Write a chance from 0 to 1 in percent with two decimals."""
    return rate(round(chance * 1_000_000), 1_000_000)


NO_CHOICES: Final = gettext_lazy(
    "Which of the nodes that it finds the scheduler takes is not computed: something that is not computed rejects "
    "or scores nodes, or there are too many different searches."
)
CANDIDATES_SENTENCE = plural("The pod may get %(count)s node.", "The pod may get %(count)s nodes.", by="count")
BIN_LABEL = message("%(first)s to %(last)s")
