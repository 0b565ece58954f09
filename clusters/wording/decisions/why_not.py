"""Why a pod is not on some node, or how the node compares where it would fit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clusters.wording.amounts import grouped
from clusters.wording.attempts import error_sentence, nomination_sentence
from clusters.wording.lists import listed

if TYPE_CHECKING:
    from clusters.engine import Explanation


def runs_here() -> str:
    """Say that the pod is on the node already."""
    return _("The pod is on it.")


def would_not_fit_now() -> str:
    """Say that the pod is on the node, which would reject it now."""
    return _("The pod is on it, but would not fit if it were scheduled now.")


def passes_every_filter(node: str) -> str:
    """Say that a node passes every filter, whatever comes of it."""
    return _("%(node)s passes every filter.") % {"node": node}


def taken_elsewhere(explanation: Explanation, node: str) -> str:
    """Say why a feasible node is not compared by its total: an error ends the attempt, or a nomination decides it."""
    if explanation.error is not None:
        return " ".join((passes_every_filter(node), error_sentence(explanation.error)))
    if node in explanation.choices:
        return nomination_sentence(explanation)
    return " ".join((passes_every_filter(node), nomination_sentence(explanation)))


def only_feasible(node: str) -> str:
    """Say that no other node is feasible."""
    return _("%(node)s is the only feasible node.") % {"node": node}


def tied_best(node: str, total: int, others: int) -> str:
    """Say that a node shares the highest total with others."""
    return ngettext(
        "%(node)s has the highest total, %(points)s points, as has %(others)s other node.",
        "%(node)s has the highest total, %(points)s points, as have %(others)s other nodes.",
        others,
    ) % {"node": node, "points": grouped(total), "others": grouped(others)}


def best(node: str, total: int) -> str:
    """Say that a node has the highest total."""
    return ngettext("%(node)s is the best: %(points)s point.", "%(node)s is the best: %(points)s points.", total) % {
        "node": node,
        "points": grouped(total),
    }


def behind(node: str, other: str, points: int) -> str:
    """Say by how much a feasible node is behind another."""
    return ngettext(
        "%(node)s is feasible, but %(points)s point behind %(other)s.",
        "%(node)s is feasible, but %(points)s points behind %(other)s.",
        points,
    ) % {"node": node, "points": grouped(points), "other": other}


def largest_part(plugin: str, signed: str) -> str:
    """Name the plugin that makes most of a difference."""
    return _("%(plugin)s makes most of it: %(points)s.") % {"plugin": plugin, "points": signed}


def left_out(explanation: Explanation, node: str) -> str:
    """Say what would have to change for a node that no filter was asked about."""
    if explanation.cycle.stopped_by is not None:
        return _("No change of %(node)s would help: the pod is rejected before any node is filtered.") % {"node": node}
    plugins = explanation.cycle.restricting
    return _("%(plugins)s would have to name %(node)s among the nodes to filter.") % {
        "plugins": listed(plugins),
        "node": node,
    }
