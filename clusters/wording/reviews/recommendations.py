"""What a review recommends, and what a simulation shows of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from clusters.wording.amounts import grouped
from clusters.wording.lists import first_of

if TYPE_CHECKING:
    from collections.abc import Sequence

_NAMED = 5

NOTHING_RECOMMENDED: Final = gettext_lazy("Nothing is recommended: no simulation shows a change that would help.")
ROOM_ELSEWHERE: Final = gettext_lazy(
    "Less than half of what they have is requested, and their pods fit on other nodes, with budgets, constraints and "
    "taints respected."
)
TRIED_AGAIN: Final = gettext_lazy("Both simulations first try all pending pods again.")


def number_made(number: int) -> str:
    """Say how many changes are recommended."""
    return ngettext(
        "%(changes)s change is recommended, backed by a simulation that shows its effect.",
        "%(changes)s changes are recommended, each backed by a simulation that shows its effect.",
        number,
    ) % {"changes": grouped(number)}


def allow_disruption(budget: str) -> str:
    """Recommend that a budget allows one disruption."""
    return _("Let the budget %(budget)s allow one disruption at a time") % {"budget": budget}


def replace_field(*, budget: str, field: str, value: str) -> str:
    """Say which field of a budget to replace."""
    return _("Replace %(field)s: %(value)s of the PodDisruptionBudget %(budget)s by maxUnavailable: 1.") % {
        "field": field,
        "value": value,
        "budget": budget,
    }


def never_allows(pods: int) -> str:
    """Say that a budget never allows a disruption of its pods."""
    return ngettext(
        "It never allows a disruption of its %(pods)s pod.",
        "It never allows a disruption of its %(pods)s pods.",
        pods,
    ) % {"pods": grouped(pods)}


def blocks_nodes(nodes: int, node: str) -> str:
    """Say how many nodes a budget keeps from being drained, and which is the one with the most pods of it."""
    return ngettext(
        "%(nodes)s node cannot be drained because of it: %(node)s.",
        "%(nodes)s nodes cannot be drained because of it; the most of its pods run on %(node)s.",
        nodes,
    ) % {"nodes": grouped(nodes), "node": node}


def add_nodes(nodes: int, like: str) -> str:
    """Recommend more nodes like one that is there."""
    return ngettext("Add %(nodes)s node like %(like)s", "Add %(nodes)s nodes like %(like)s", nodes) % {
        "nodes": grouped(nodes),
        "like": like,
    }


def same_resources(*, nodes: int, like: str) -> str:
    """Say that the new nodes are to have what another one has."""
    return ngettext(
        "Add %(nodes)s node with the resources, labels and taints of %(like)s.",
        "Add %(nodes)s nodes with the resources, labels and taints of %(like)s.",
        nodes,
    ) % {"nodes": grouped(nodes), "like": like}


def instance_type(name: str) -> str:
    """Say of which instance type it is."""
    return _("Its instance type is %(type)s.") % {"type": name}


def pool(name: str) -> str:
    """Say of which pool it is."""
    return _("Its pool is %(pool)s.") % {"pool": name}


def uncordon(nodes: Sequence[str]) -> str:
    """Recommend to uncordon nodes."""
    return _("Uncordon %(nodes)s") % {"nodes": first_of(nodes, most=_NAMED)}


def run_uncordon(nodes: Sequence[str]) -> str:
    """Say how nodes are uncordoned, and what to look at before."""
    return _("Run kubectl uncordon for %(nodes)s, unless maintenance is in progress there.") % {
        "nodes": first_of(nodes, most=_NAMED)
    }


def remove_taint(taint: str, nodes: int) -> str:
    """Recommend to remove a taint."""
    return ngettext(
        "Remove the taint %(taint)s from %(nodes)s node",
        "Remove the taint %(taint)s from %(nodes)s nodes",
        nodes,
    ) % {"taint": taint, "nodes": grouped(nodes)}


def remove_taint_from(nodes: Sequence[str]) -> str:
    """Say from which nodes to remove it, or what would help as well."""
    return _("Remove it from %(nodes)s, or let the pending pods tolerate it.") % {"nodes": first_of(nodes, most=_NAMED)}


def untolerated(pods: int) -> str:
    """Say that no pod tolerates the taint, and how many pods its removal helps."""
    return ngettext(
        "No pod tolerates it. %(pods)s pending pod would be scheduled.",
        "No pod tolerates it. %(pods)s pending pods would be scheduled.",
        pods,
    ) % {"pods": grouped(pods)}


def fewer_pending(pods: int) -> str:
    """Say how many pending pods a change helps."""
    return ngettext("%(pods)s pending pod would be scheduled.", "%(pods)s pending pods would be scheduled.", pods) % {
        "pods": grouped(pods)
    }


def remove_nodes(nodes: int) -> str:
    """Recommend to remove nodes."""
    return ngettext("Remove %(nodes)s node", "Remove %(nodes)s nodes", nodes) % {"nodes": grouped(nodes)}


def drain_and_remove(nodes: Sequence[str]) -> str:
    """Say which nodes to drain and remove."""
    return _("Drain %(nodes)s, and remove them from the cluster.") % {"nodes": first_of(nodes, most=_NAMED)}


def drain_and_remove_one(node: str) -> str:
    """Say which node to drain and remove."""
    return _("Drain %(node)s, and remove it from the cluster.") % {"node": node}


def not_evicted(before: int, after: int) -> str:
    """Say how many pods a drain cannot evict, without a change and with it."""
    return ngettext(
        "%(before)s pod not evicted without it, %(after)s with it",
        "%(before)s pods not evicted without it, %(after)s with it",
        before,
    ) % {"before": grouped(before), "after": grouped(after)}


def pending(before: int, after: int) -> str:
    """Say how many pods are pending, without a change and with it."""
    return ngettext(
        "%(before)s pending pod without it, %(after)s with it",
        "%(before)s pending pods without it, %(after)s with it",
        before,
    ) % {"before": grouped(before), "after": grouped(after)}


def nodes(before: int, after: int) -> str:
    """Say how many nodes there are, without a change and with it."""
    return ngettext(
        "%(before)s node without it, %(after)s with it",
        "%(before)s nodes without it, %(after)s with it",
        before,
    ) % {"before": grouped(before), "after": grouped(after)}


def simulated(effects: Sequence[str]) -> str:
    """Say what the simulations show."""
    return _("Simulated: %(effects)s.") % {"effects": "; ".join(effects)}


def simulation(run: int) -> str:
    """Say which simulation shows it."""
    return _("It is simulation %(run)s in Berth.") % {"run": str(run)}


def with_effect(title: str, effects: Sequence[str]) -> str:
    """Write a recommendation with its effect, as a list of several takes it in."""
    return _("%(title)s (%(effects)s)") % {"title": title, "effects": "; ".join(effects)}


def recommended(advice: Sequence[str]) -> str:
    """Say in one sentence what is recommended."""
    return _("Recommended: %(advice)s.") % {"advice": "; ".join(advice)}
