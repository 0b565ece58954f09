"""How good the node of a pod that has one is, evaluated as of now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _, ngettext

from clusters.wording.amounts import grouped
from clusters.wording.decisions.nodes import rank, rejection_sentence
from clusters.wording.decisions.verdict import best_sentence, verdict_sentence

if TYPE_CHECKING:
    from clusters.engine import Explanation


def placement_sentence(explanation: Explanation, node: str, phase: str) -> str:
    """Say where a pod runs, and what the scheduler would decide now; ``phase`` is the pod's."""
    row = explanation.snapshot.nodes.index.get(node)
    if row is None:
        unknown = _("Bound to %(node)s, which is not known here.") % {"node": node}
        return " ".join((unknown, verdict_sentence(explanation)))
    total = explanation.total_of(row)
    if total is None:
        now = _("Scheduled now, it would not fit there:")
        return " ".join(
            (where_sentence(node, phase), now, rejection_sentence(explanation, row), verdict_sentence(explanation))
        )
    return " ".join((where_sentence(node, phase), _how_good(explanation, node, total)))


def where_sentence(node: str, phase: str) -> str:
    """Say on which node a pod runs or ran."""
    match phase:
        case "Running":
            return _("Runs on %(node)s.") % {"node": node}
        case "Succeeded" | "Failed":
            return _("Ran on %(node)s.") % {"node": node}
        case _never:
            return _("Scheduled to %(node)s.") % {"node": node}


def _how_good(explanation: Explanation, node: str, total: int) -> str:
    feasible = len(explanation.cycle.feasible)
    if feasible == 1:
        return ngettext(
            "It is the only one of %(nodes)s node that fits.",
            "It is the only one of %(nodes)s nodes that fits.",
            explanation.node_count,
        ) % {"nodes": grouped(explanation.node_count)}
    if node not in explanation.best:
        place = ngettext(
            "With %(points)s point it ranks %(rank)s of %(nodes)s feasible nodes.",
            "With %(points)s points it ranks %(rank)s of %(nodes)s feasible nodes.",
            total,
        ) % {"points": grouped(total), "rank": grouped(rank(explanation, total)), "nodes": grouped(feasible)}
        return place if explanation.error is not None else " ".join((place, best_sentence(explanation)))
    others = len(explanation.best) - 1
    if others:
        return ngettext(
            "Of %(nodes)s feasible nodes it shares the highest total with %(others)s other: %(points)s points.",
            "Of %(nodes)s feasible nodes it shares the highest total with %(others)s others: %(points)s points.",
            others,
        ) % {"nodes": grouped(feasible), "others": grouped(others), "points": grouped(total)}
    return ngettext(
        "It is the best of %(nodes)s feasible nodes: %(points)s point.",
        "It is the best of %(nodes)s feasible nodes: %(points)s points.",
        total,
    ) % {"nodes": grouped(feasible), "points": grouped(total)}
