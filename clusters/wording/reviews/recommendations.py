"""What a review recommends, and what a simulation shows of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _, gettext_lazy, ngettext

from clusters.wording.amounts import grouped
from clusters.wording.lists import alternatives, first_of
from clusters.wording.messages import message, plural

if TYPE_CHECKING:
    from collections.abc import Sequence

_NAMED = 5

NOTHING_RECOMMENDED: Final = gettext_lazy("Nothing is recommended: no simulation shows a change that would help.")
NO_COST: Final = gettext_lazy("No node is added, no pod is evicted")
RIGHT_SIZE: Final = gettext_lazy("Give workloads the requests that their usage calls for")
RESTARTED: Final = gettext_lazy("Each workload is rolled out by its budget and strategy.")
ROOM_ELSEWHERE: Final = gettext_lazy("Less than half requested, and their pods fit on other nodes.")
TRIED_AGAIN: Final = gettext_lazy("Both simulations first try all pending pods again.")


NOT_SOUGHT = plural(
    "Recommendations are not evaluated with more than %(pods)s pod on nodes.",
    "Recommendations are not evaluated with more than %(pods)s pods on nodes.",
    by="pods",
)
NUMBER_MADE = plural(
    "%(changes)s change is recommended, shown by simulation.",
    "%(changes)s changes are recommended, each shown by simulation.",
    by="changes",
)
ALLOW_DISRUPTION = message("Let the budget %(budget)s allow one disruption at a time")
REPLACE_FIELD = message("Replace %(field)s: %(value)s of the PodDisruptionBudget %(budget)s by maxUnavailable: 1.")
NEVER_ALLOWS = plural(
    "It never allows a disruption of its %(pods)s pod.", "It never allows a disruption of its %(pods)s pods.", by="pods"
)
BLOCKS_NODES = plural(
    "%(nodes)s node cannot be drained because of it: %(node)s.",
    "%(nodes)s nodes cannot be drained because of it; the most of its pods run on %(node)s.",
    by="nodes",
)
ADD_NODES = plural("Add %(nodes)s node like %(like)s", "Add %(nodes)s nodes like %(like)s", by="nodes")
SAME_RESOURCES = plural(
    "Add %(nodes)s node with the resources, labels and taints of %(like)s.",
    "Add %(nodes)s nodes with the resources, labels and taints of %(like)s.",
    by="nodes",
)
INSTANCE_TYPE = message("Its instance type is %(type)s.")
POOL = message("Its pool is %(pool)s.")


def uncordon(nodes: Sequence[str]) -> str:
    """Recommend to uncordon nodes."""
    return _("Uncordon %(nodes)s") % {"nodes": first_of(nodes, most=_NAMED)}


def run_uncordon(nodes: Sequence[str]) -> str:
    """Say how nodes are uncordoned, and what to look at before."""
    return _("Run kubectl uncordon for %(nodes)s, unless maintenance is in progress there.") % {
        "nodes": first_of(nodes, most=_NAMED)
    }


REMOVE_TAINT = plural(
    "Remove the taint %(taint)s from %(nodes)s node", "Remove the taint %(taint)s from %(nodes)s nodes", by="nodes"
)


def remove_taint_from(nodes: Sequence[str]) -> str:
    """Say from which nodes to remove it, or what would help as well."""
    return _("Remove it from %(nodes)s, or let the pending pods tolerate it.") % {"nodes": first_of(nodes, most=_NAMED)}


UNTOLERATED = plural(
    "No pod tolerates it. %(pods)s pending pod would be scheduled.",
    "No pod tolerates it. %(pods)s pending pods would be scheduled.",
    by="pods",
)
FEWER_PENDING = plural(
    "%(pods)s pending pod would be scheduled.", "%(pods)s pending pods would be scheduled.", by="pods"
)
REMOVE_NODES = plural("Remove %(nodes)s node", "Remove %(nodes)s nodes", by="nodes")


def drain_and_remove(nodes: Sequence[str]) -> str:
    """Say which nodes to drain and remove."""
    return _("Drain %(nodes)s, and remove them from the cluster.") % {"nodes": first_of(nodes, most=_NAMED)}


DRAIN_AND_REMOVE_ONE = message("Drain %(node)s, and remove it from the cluster.")


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


def simulated_drain(node: str, effects: Sequence[str]) -> str:
    """Say what the simulations of a drain show."""
    return _("A simulated drain of %(node)s: %(effects)s.") % {"node": node, "effects": "; ".join(effects)}


def simulation(run: int) -> str:
    """Say which simulation shows it."""
    return _("It is simulation %(run)s in Berth.") % {"run": str(run)}


REMOVE_BUDGET = message("Delete the budget %(budget)s, or narrow its selector")


def selected_by_others(*, budget: str, budgets: Sequence[str]) -> str:
    """Say which other budgets keep the pods of a budget that is to be deleted."""
    return _("Delete the PodDisruptionBudget %(budget)s: each of its pods is also selected by %(budgets)s.") % {
        "budget": budget,
        "budgets": alternatives(budgets),
    }


REFUSED_EVICTION = plural(
    "The API server answers an eviction of its %(pods)s pod with an error (500) while several budgets select it.",
    "The API server answers evictions of its %(pods)s pods with an error (500) while several budgets select them.",
    by="pods",
)


def counts_on(budgets: Sequence[str]) -> str:
    """Say which budgets have to be changed before a change has the effect that is said."""
    return ngettext(
        "This counts on the change of the budget %(budgets)s.",
        "This counts on the changes of the budgets %(budgets)s.",
        len(budgets),
    ) % {"budgets": first_of(budgets)}


SET_REQUESTS = plural(
    "Set the recommended requests of %(workloads)s workload with %(pods)s pods (section on usage).",
    "Set the recommended requests of %(workloads)s workloads with %(pods)s pods (section on usage).",
    by="workloads",
)


def of_pools(pools: Sequence[tuple[str, int]]) -> str:
    """Say how many of the nodes are of which pool."""
    named = [
        _("%(nodes)s of pool %(pool)s") % {"nodes": grouped(nodes), "pool": pool}
        if pool
        else _("%(nodes)s of no pool") % {"nodes": grouped(nodes)}
        for pool, nodes in pools
    ]
    return _("They are %(pools)s.") % {"pools": ", ".join(named)}


def helped(pods: Sequence[str], total: int) -> str:
    """Name the pending pods that a change helps."""
    return ngettext("Scheduled is %(pods)s.", "Scheduled are %(pods)s.", total) % {"pods": first_of(pods, total=total)}


def covered(numbers: Sequence[int]) -> str:
    """Say that recommendations further up schedule the same pods."""
    return ngettext(
        "Not needed after recommendation %(numbers)s, which schedules the same pods.",
        "Not needed after recommendations %(numbers)s, which schedule the same pods.",
        len(numbers),
    ) % {"numbers": ", ".join(map(str, numbers))}


ZONE_LOSS = plural(
    "If zone %(zone)s is lost then, %(after)s pod is newly pending (without this change: %(before)s).",
    "If zone %(zone)s is lost then, %(after)s pods are newly pending (without this change: %(before)s).",
    by="after",
)


def why_both(*, number: int, nodes: int, pools: Sequence[str], reasons: Sequence[str]) -> str:
    """Say why nodes are added although those of another recommendation can be removed."""
    return ngettext(
        "The %(nodes)s node that recommendation %(number)s removes (%(pools)s) rejects these pods: %(reasons)s.",
        "The %(nodes)s nodes that recommendation %(number)s removes (%(pools)s) reject these pods: %(reasons)s.",
        nodes,
    ) % {
        "nodes": grouped(nodes),
        "number": str(number),
        "pools": ", ".join(pools),
        "reasons": "; ".join(reasons),
    }


def pods_scheduled(pods: int) -> str:
    """Say how many pending pods a change brings a node."""
    return ngettext("%(pods)s pending pod is scheduled", "%(pods)s pending pods are scheduled", pods) % {
        "pods": grouped(pods)
    }


def nodes_drainable(nodes: int) -> str:
    """Say how many nodes budgets do not block any more."""
    return ngettext(
        "budgets no longer block %(nodes)s node from draining",
        "budgets no longer block %(nodes)s nodes from draining",
        nodes,
    ) % {"nodes": grouped(nodes)}


def nodes_removed(nodes: int) -> str:
    """Say how many nodes are not needed any more."""
    return ngettext("%(nodes)s fewer node", "%(nodes)s fewer nodes", nodes) % {"nodes": grouped(nodes)}


FREED = message("%(cpu)s and %(memory)s freed")


def nodes_added(nodes: int) -> str:
    """Say how many nodes a change adds."""
    return ngettext("%(nodes)s more node", "%(nodes)s more nodes", nodes) % {"nodes": grouped(nodes)}


def pods_evicted(pods: int) -> str:
    """Say how many running pods have to leave their nodes."""
    return ngettext("%(pods)s pod leaves its node", "%(pods)s pods leave their nodes", pods) % {"pods": grouped(pods)}


def pods_restarted(pods: int) -> str:
    """Say how many pods are restarted in rollouts."""
    return ngettext("%(pods)s pod is restarted by a rollout", "%(pods)s pods are restarted by rollouts", pods) % {
        "pods": grouped(pods)
    }


def newly_pending(pods: int) -> str:
    """Say how many pods are pending for a change."""
    return ngettext("%(pods)s pod is newly pending", "%(pods)s pods are newly pending", pods) % {"pods": grouped(pods)}


def workloads_fewer(workloads: int) -> str:
    """Say how many workloads run fewer pods for a change."""
    return ngettext("%(workloads)s workload runs fewer pods", "%(workloads)s workloads run fewer pods", workloads) % {
        "workloads": grouped(workloads)
    }


def quorums_lost(sets: int) -> str:
    """Say how many StatefulSets lose their quorum for a change."""
    return ngettext("%(sets)s StatefulSet loses its quorum", "%(sets)s StatefulSets lose their quorum", sets) % {
        "sets": grouped(sets)
    }


def budgets_broken(budgets: int) -> str:
    """Say how many budgets have fewer healthy pods than they require for a change."""
    return ngettext("%(budgets)s budget is broken", "%(budgets)s budgets are broken", budgets) % {
        "budgets": grouped(budgets)
    }
