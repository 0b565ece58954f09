"""What the journal keeps of a decision, in words: groups of nodes, scores and preemption as they were then."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _, gettext_lazy, ngettext

from clusters.wording import counts
from clusters.wording.amounts import grouped
from clusters.wording.journal.judgement import fits_on
from clusters.wording.lists import listed
from clusters.wording.messages import message, plural

if TYPE_CHECKING:
    from collections.abc import Sequence

# By the names that a document gives to what it dropped.
_DROPPED: Final = {
    "examples": gettext_lazy("names of nodes and victims"),
    "groups": gettext_lazy("groups of nodes"),
    "reasons": gettext_lazy("reasons"),
    "message": gettext_lazy("messages"),
}


def groups_not_listed(groups: int, nodes: int) -> str:
    """Say how many groups of nodes the journal does not list."""
    return ngettext(
        "%(groups)s smaller group is not listed in the journal (%(nodes)s).",
        "%(groups)s smaller groups are not listed in the journal (%(nodes)s).",
        groups,
    ) % {"groups": grouped(groups), "nodes": counts.nodes(nodes)}


AND_MORE = message("and %(number)s more")
RESTRICTED: Final = gettext_lazy("PreFilter names the only nodes to filter.")
KEPT_STEPS: Final = gettext_lazy("The journal keeps the attempt's filters, preemption and scores in short.")
WEIGHT = message("Scores with weight %(weight)s.")
NO_NODE = plural("The %(nodes)s node did not fit.", "None of %(nodes)s nodes fitted.", by="nodes")
NODE_OF_ITS_TIME = message("%(node)s at the time of the decision")


def ends_in_error(feasible: int, nodes: int) -> str:
    """Say that the pod fits, and that scoring ends in an error all the same."""
    return " ".join((fits_on(feasible, nodes), _("The attempt ends in an error.")))


def nothing_to_compare(feasible: int, nodes: int) -> str:
    """Say that the one feasible node is not compared with others."""
    return " ".join((fits_on(feasible, nodes), _("With one feasible node the scheduler does not score.")))


def highest_total(feasible: int, nodes: int, *, tied: int, total: int) -> str:
    """Say how many of the feasible nodes have the highest total."""
    highest = ngettext(
        "%(tied)s node has the highest total, %(total)s.", "%(tied)s nodes have the highest total, %(total)s.", tied
    ) % {"tied": grouped(tied), "total": grouped(total)}
    return " ".join((fits_on(feasible, nodes), highest))


SAMPLED = plural(
    "The scheduler stops looking after %(wanted)s feasible node of %(nodes)s, starting at a node that cannot be "
    "known; here all are compared.",
    "The scheduler stops looking after %(wanted)s feasible nodes of %(nodes)s, starting at a node that cannot be "
    "known; here all are compared.",
    by="wanted",
)


def error_of(plugin: str, message: str | None) -> str:
    """Say which plugin ends the attempt, in the scheduler's own message where it is kept."""
    if not message:
        return _("The attempt ends in an error of %(plugin)s.") % {"plugin": plugin}
    return _("The attempt ends in an error of %(plugin)s: %(message)s.") % {"plugin": plugin, "message": message}


TAKES_NOMINATED: Final = gettext_lazy(
    "The scheduler takes the node that status.nominatedNodeName names: it is tried first, and the other nodes are "
    "not scored."
)
PREEMPTION_NOT_TRIED: Final = gettext_lazy("Preemption is not tried for this pod.")
PREEMPTION_NOT_HELPFUL: Final = gettext_lazy("Preemption is not helpful on any node.")


def makes_room(node: str, *, victims: int, violations: int, others: int) -> str:
    """Say what preemption would remove, how many budgets that violates, and on how many other nodes it helps."""
    said = [
        ngettext(
            "Removing %(victims)s pod of lower priority from %(node)s makes room.",
            "Removing %(victims)s pods of lower priority from %(node)s makes room.",
            victims,
        )
        % {"victims": grouped(victims), "node": node}
    ]
    if violations:
        said.append(
            ngettext(
                "It violates a disruption budget for %(victims)s victim.",
                "It violates a disruption budget for %(victims)s victims.",
                violations,
            )
            % {"victims": grouped(violations)}
        )
    if others:
        said.append(
            ngettext(
                "Preemption would also help on %(nodes)s other node.",
                "Preemption would also help on %(nodes)s other nodes.",
                others,
            )
            % {"nodes": grouped(others)}
        )
    return " ".join(said)


def dropped(parts: Sequence[str]) -> str:
    """Say what the journal had no room for."""
    return _("The journal keeps less than usual of this decision: fewer or shorter %(parts)s.") % {
        "parts": listed([str(_DROPPED[each]) for each in parts])
    }
