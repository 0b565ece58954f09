"""Heads and lines of what `manage.py explain` prints around the sentences that the pages show too."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clusters.wording.amounts import grouped
from clusters.wording.lists import first_of, listed

if TYPE_CHECKING:
    from collections.abc import Sequence

_MOST_NAMES = 6


def runs_on(node: str) -> str:
    """Say that a pod runs, and is evaluated as if it were pending."""
    return _("It runs on %(node)s; this is what would be decided if it were pending.") % {"node": node}


def reported_head() -> str:
    """Name the section with the scheduler's own message."""
    return _("As the scheduler reports it")


def incomplete_head() -> str:
    """Name the section with what is not computed."""
    return _("Incomplete data")


def filters_head() -> str:
    """Name the section with the filters."""
    return _("Filters, in their order")


def filter_columns() -> tuple[str, str, str, str]:
    """Name the columns of the filters: filter, nodes left after it, nodes it rejects, nodes it rejects alone."""
    return _("Filter"), _("Remaining"), _("Rejects"), _("Alone")


def nothing_to_check(filters: Sequence[str]) -> str:
    """Name the filters that have nothing to check."""
    return _("Nothing to check for this pod: %(filters)s.") % {"filters": listed(filters)}


def groups_head() -> str:
    """Name the section with the groups of nodes."""
    return _("Nodes by verdict")


def more_groups(groups: int, nodes: int) -> str:
    """Say how many more groups of nodes there are."""
    return ngettext(
        "… and %(groups)s more group (nodes: %(nodes)s); -o json has them all.",
        "… and %(groups)s more groups (nodes: %(nodes)s); -o json has them all.",
        groups,
    ) % {"groups": grouped(groups), "nodes": grouped(nodes)}


def also(plugin: str, reasons: str) -> str:
    """Say what else rejects the nodes of a group, in the scheduler's words."""
    return _("also %(plugin)s: %(reasons)s") % {"plugin": plugin, "reasons": reasons}


def scores_head(shown: int, feasible: int) -> str:
    """Name the section with the scores, and say how many of the feasible nodes it shows."""
    if shown < feasible:
        return ngettext(
            "Scores of the best %(shown)s of %(nodes)s feasible node",
            "Scores of the best %(shown)s of %(nodes)s feasible nodes",
            feasible,
        ) % {"shown": grouped(shown), "nodes": grouped(feasible)}
    return ngettext("Scores of the %(nodes)s feasible node", "Scores of all %(nodes)s feasible nodes", feasible) % {
        "nodes": grouped(feasible)
    }


def score_columns() -> tuple[str, str]:
    """Name the first columns of the scores."""
    return _("Plugin"), _("Weight")


def total() -> str:
    """Name the row with the totals."""
    return _("total")


def nothing_to_score(plugins: Sequence[str]) -> str:
    """Name the plugins that have nothing to score."""
    return _("Nothing to score for this pod: %(plugins)s.") % {"plugins": listed(plugins)}


def preemption_head() -> str:
    """Name the section with the nodes where preemption makes room."""
    return _("Preemption")


def candidate_columns() -> tuple[str, str, str, str, str]:
    """Name the columns of the nodes where preemption makes room."""
    return _("Node"), _("Victims"), _("Highest priority"), _("Budgets violated"), _("Which")


def more_nodes(nodes: int) -> str:
    """Say how many more nodes there are where preemption makes room."""
    return ngettext(
        "… and %(nodes)s more node; -o json has them all.", "… and %(nodes)s more nodes; -o json has them all.", nodes
    ) % {"nodes": grouped(nodes)}


def selected(node: str, victims: Sequence[str]) -> str:
    """Say which pods the scheduler would remove from which node."""
    return _("The scheduler would remove %(victims)s from %(node)s.") % {
        "victims": first_of(victims, most=_MOST_NAMES),
        "node": node,
    }
