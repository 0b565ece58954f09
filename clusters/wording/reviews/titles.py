"""Titles of reviews that nobody gave one, and of the simulations that a review makes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _, ngettext

from clusters.wording.amounts import grouped
from clusters.wording.lists import first_of

if TYPE_CHECKING:
    from collections.abc import Mapping


def review_title(*, cluster: str, simulation: str) -> str:
    """Name a review of a cluster, or of one of its simulations."""
    if not simulation:
        return _("Capacity review of %(cluster)s") % {"cluster": cluster}
    return _("Capacity review of %(cluster)s: %(simulation)s") % {"cluster": cluster, "simulation": simulation}


def trial_title(*, number: int | None, cluster: str, change: str) -> str:
    """Name a simulation that a review makes, by what it changes; a review that is not stored has no number."""
    if number is None:
        return _("Review of %(cluster)s: %(change)s") % {"cluster": cluster, "change": change}
    return _("Review %(number)s of %(cluster)s: %(change)s") % {
        "number": str(number),
        "cluster": cluster,
        "change": change,
    }


def unchanged(drained: str) -> str:
    """Name what a change is compared with: the cluster as it is, or a drain of a node in it."""
    return _("drain of %(node)s, unchanged") % {"node": drained} if drained else _("unchanged")


def change_title(rule: str, target: str, facts: Mapping[str, Any]) -> str:
    """Name a proposed change of ``target`` by its rule and the facts of its proposal."""
    match rule:
        case "allow-disruption":
            return _("%(budget)s allows one eviction") % {"budget": target}
        case "add-nodes":
            return ngettext(
                "%(count)s more node like %(node)s", "%(count)s more nodes like %(node)s", facts["count"]
            ) % {
                "count": grouped(facts["count"]),
                "node": facts["like"],
            }
        case "uncordon":
            return _("%(nodes)s uncordoned") % {"nodes": first_of(facts["nodes"])}
        case "remove-taint":
            return _("without the taint %(taint)s:%(effect)s") % {"taint": facts["taint"], "effect": facts["effect"]}
        case "remove-budget":
            return _("without the budget %(budget)s") % {"budget": target}
        case "set-requests":
            return _("recommended requests")
        case _:
            return _("without %(nodes)s") % {"nodes": first_of(facts["nodes"])}
