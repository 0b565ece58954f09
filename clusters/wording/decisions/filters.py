"""The filters over all nodes in words: how many nodes each leaves, and what the nodes of a group have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _, gettext_lazy, ngettext

from clusters.wording.amounts import grouped
from clusters.wording.decisions.nodes import phrases
from clusters.wording.lists import first_of, listed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusters.engine import Explanation
    from clusters.engine.scheduling import NodeGroup
    from clusters.engine.status import Rejection


ALL_NODES: Final = gettext_lazy("All nodes")
BEFORE_FILTERING: Final = gettext_lazy("before any node is filtered")


def ended_in_pre_filter(stopped: Rejection) -> str:
    """Say which plugin rejects the pod before any node is filtered."""
    return _("%(plugin)s rejects the pod: %(reasons)s.") % {
        "plugin": stopped.plugin or "PreFilter",
        "reasons": stopped.status.reported,
    }


def restricted(plugins: Sequence[str]) -> str:
    """Say which plugins name the only nodes to look at."""
    return ngettext(
        "%(plugins)s limits the nodes to filter.", "%(plugins)s limit the nodes to filter.", len(plugins)
    ) % {"plugins": listed(plugins)}


def rejects(*, left: int, here: int, alone: int, nodes: int) -> str:
    """Say how many of the remaining nodes a filter rejects (``left`` pass), and how many it would reject alone."""
    if not alone:
        return _("Rejects no node.")
    remaining = left + here
    if here == alone and remaining == nodes:
        return _("Rejects %(rejected)s of %(nodes)s.") % {
            "rejected": grouped(here),
            "nodes": grouped(nodes),
        }
    return _("Rejects %(rejected)s of the remaining %(remaining)s (%(alone)s of %(nodes)s alone).") % {
        "rejected": grouped(here),
        "remaining": grouped(remaining),
        "alone": grouped(alone),
        "nodes": grouped(nodes),
    }


def group_summary(found: NodeGroup) -> str:
    """Say in a few words why the nodes of a group reject the pod, every filter that does."""
    if found.verdict is None:
        return _("no filter rejects the pod")
    return phrases(found.filters.values() or (found.verdict.status,))


def nothing_fails(explanation: Explanation, found: NodeGroup) -> str:
    """Say why nodes that no filter rejects are rejected all the same."""
    if found.verdict is None or found.filters:
        return _("nothing")
    if explanation.decided_by_nominated(int(found.rows[0])):
        return _("nothing without the nominated pods")
    if explanation.cycle.stopped_by is not None:
        return _("nothing: the attempt had ended before Filter")
    return _("nothing: %(plugins)s left these nodes out") % {"plugins": listed(explanation.cycle.restricting)}


def counts_nominated(pods: Sequence[str], nodes: int) -> str:
    """Name the nominated pods that make the verdict on the nodes of a group another one."""
    return ngettext("Counts %(pods)s, nominated here.", "Counts %(pods)s, nominated here.", nodes) % {
        "pods": first_of(pods)
    }
