"""Why a pod ended on another node in one simulation than in another, and what the one costs more."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext as _, gettext_lazy, ngettext

from clusters.engine.simulation import Why
from clusters.wording.amounts import grouped

if TYPE_CHECKING:
    from collections.abc import Mapping

_SIDES: Final = {"left": gettext_lazy("Left simulation"), "right": gettext_lazy("Right simulation")}
# Of these it does not matter in which of the two simulations.
_OF_BOTH: Final = frozenset({Why.SCORED, Why.TIE, Why.NOT_COMPUTED})
KNOCK_ON: Final = gettext_lazy("Possibly a knock-on effect of an earlier difference.")


def why_sentence(placement: Mapping[str, Any]) -> str:
    """Say why a pod ended elsewhere; ``placement`` is one of a comparison of two simulations."""
    reason = placement["reason"]
    why = Why(reason["kind"])
    said = _tipped(placement) if why is Why.SCORED else _why(why, placement)
    if why not in _OF_BOTH:
        side = str(_SIDES[reason["side"]]) if reason["side"] else _("Both simulations")
        said = _("%(simulation)s: %(said)s") % {"simulation": side, "said": said}
    return " ".join((said, str(KNOCK_ON))) if reason["state_differed"] else said


def _why(why: Why, placement: Mapping[str, Any]) -> str:
    reason = placement["reason"]
    said = ", ".join(reason["reasons"])
    # The node on which the pod ended in the other simulation.
    node = placement["left"] if reason["side"] == "right" else placement["right"]
    match why:
        case Why.NOT_WANTED:
            return _("there is no such pod.")
        case Why.NODE_GONE:
            return _("it was deleted with its node %(node)s and not recreated.") % {"node": said}
        case Why.REPLACED:
            return _replaced(placement)
        case Why.GONE:
            return _("it was removed (%(reasons)s).") % {"reasons": said}
        case Why.NOT_TRIED:
            return _("it was not attempted again.")
        case Why.GATED:
            return _("it is SchedulingGated: %(reasons)s") % {"reasons": said}
        case Why.FAILED:
            return _("its decision could not be computed: %(reasons)s") % {"reasons": said}
        case Why.NO_SUCH_NODE:
            return _("there is no node %(node)s.") % {"node": node}
        case Why.FILTERED:
            return _("%(plugin)s rejects %(node)s: %(reasons)s.") % {
                "plugin": reason["plugin"],
                "node": node,
                "reasons": said,
            }
        case Why.NOT_LOOKED_AT:
            return _("the search for nodes ended before %(node)s.") % {"node": node}
        case Why.TIE:
            return _("Both nodes have the same score; the order of the search decided (until 1.34 the seed).")
        case Why.NOT_COMPUTED:
            return _("Not computed for so many pods: the comparison's page computes those it shows.")
        case _unknown:
            return said or _("the reason is not known.")


def _replaced(placement: Mapping[str, Any]) -> str:
    """Say what replaced a pod, and where the replacement ended."""
    later, *met = placement["reason"]["reasons"]
    node = placement["left"] if placement["reason"]["side"] == "left" else placement["right"]
    if met:
        return _("it was deleted; its replacement %(pod)s is unschedulable: %(message)s") % {
            "pod": later,
            "message": " ".join(met),
        }
    if not node:
        return _("it was deleted; its replacement %(pod)s has no node.") % {"pod": later}
    return _("it was deleted; its replacement %(pod)s was placed on %(node)s.") % {"pod": later, "node": node}


def _tipped(placement: Mapping[str, Any]) -> str:
    """Say by how much the plugin that made the most of the difference scores the two nodes otherwise."""
    first = placement["reason"]["points"][0]
    return _(
        "%(plugin)s: %(left)s is %(in_left)s points from %(right)s on the left, and %(in_right)s on the right."
    ) % {
        "plugin": first["plugin"],
        "left": placement["left"],
        "right": placement["right"],
        "in_left": f"{first['left']:+,}",
        "in_right": f"{first['right']:+,}",
    }


# -- what the right one costs ------------------------------------------------------------------------------------------


def cost_sentence(cost: Mapping[str, int]) -> str:
    """Say what the right simulation costs more or less than the left one.

    ``cost``: by how much ``nodes`` in use, pods ``preempted`` and ``evicted``, and evictions ``refused`` are more.
    """
    said = [_cost(name, difference) for name, difference in cost.items() if difference]
    return " ".join(said) if said else _("Neither simulation uses more nodes or disrupts more pods.")


def _cost(name: str, difference: int) -> str:
    count = abs(difference)
    number = grouped(count)
    match name, difference > 0:
        case ("nodes", True):
            return ngettext(
                "The right simulation uses %(number)s more node.",
                "The right simulation uses %(number)s more nodes.",
                count,
            ) % {"number": number}
        case ("nodes", False):
            return ngettext(
                "The right simulation uses %(number)s fewer node.",
                "The right simulation uses %(number)s fewer nodes.",
                count,
            ) % {"number": number}
        case ("preempted", True):
            return ngettext(
                "The right simulation preempts %(number)s more pod.",
                "The right simulation preempts %(number)s more pods.",
                count,
            ) % {"number": number}
        case ("preempted", False):
            return ngettext(
                "The right simulation preempts %(number)s fewer pod.",
                "The right simulation preempts %(number)s fewer pods.",
                count,
            ) % {"number": number}
        case ("evicted", True):
            return ngettext(
                "The right simulation evicts %(number)s more pod.",
                "The right simulation evicts %(number)s more pods.",
                count,
            ) % {"number": number}
        case ("evicted", False):
            return ngettext(
                "The right simulation evicts %(number)s fewer pod.",
                "The right simulation evicts %(number)s fewer pods.",
                count,
            ) % {"number": number}
        case ("refused", True):
            return ngettext(
                "In the right simulation budgets refuse %(number)s more eviction.",
                "In the right simulation budgets refuse %(number)s more evictions.",
                count,
            ) % {"number": number}
        case _refused_fewer:
            return ngettext(
                "In the right simulation budgets refuse %(number)s fewer eviction.",
                "In the right simulation budgets refuse %(number)s fewer evictions.",
                count,
            ) % {"number": number}
