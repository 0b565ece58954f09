"""What a review recommends, and what a simulation shows of it."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy

from clusters.wording.messages import message, plural

NOTHING_RECOMMENDED: Final = gettext_lazy("Nothing recommended: no simulation shows a change that helps.")
NO_COST: Final = gettext_lazy("No node is added, no pod is evicted")
RIGHT_SIZE: Final = gettext_lazy("Set the recommended requests")
RESTARTED: Final = gettext_lazy("Each workload is rolled out.")
ROOM_ELSEWHERE: Final = gettext_lazy("Less than half requested, and their pods fit elsewhere.")
TRIED_AGAIN: Final = gettext_lazy("Both simulations first try all pending pods again.")
NOT_SOUGHT = message("Not evaluated: more than %(pods)s pods on nodes.")
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
BLOCKS_NODES = message("It blocks drains of %(nodes)s nodes, such as %(node)s.")
ADD_NODES = plural("Add %(nodes)s node like %(like)s", "Add %(nodes)s nodes like %(like)s", by="nodes")
SAME_RESOURCES = message("With the resources, labels and taints of %(like)s.")
INSTANCE_TYPE = message("Instance type: %(type)s.")
POOL = message("Pool: %(pool)s.")
UNCORDON = message("Uncordon %(nodes)s")
RUN_UNCORDON = message("Run kubectl uncordon for %(nodes)s, unless maintenance is in progress.")
REMOVE_TAINT = plural(
    "Remove the taint %(taint)s from %(nodes)s node", "Remove the taint %(taint)s from %(nodes)s nodes", by="nodes"
)
REMOVE_TAINT_FROM = message("Remove it from %(nodes)s, or let the pending pods tolerate it.")
UNTOLERATED = message("No pod tolerates it. Pending pods that would be scheduled: %(pods)s.")
FEWER_PENDING = message("Pending pods that would be scheduled: %(pods)s.")
REMOVE_NODES = plural("Remove %(nodes)s node", "Remove %(nodes)s nodes", by="nodes")
DRAIN_AND_REMOVE = message("Drain and remove %(nodes)s.")
REMOVE_BUDGET = message("Delete the budget %(budget)s, or narrow its selector")
SELECTED_BY_OTHERS = message("Its pods are also selected by %(budgets)s.")
REFUSED_EVICTION = message("Evictions of its pods (%(pods)s) fail (500) while several budgets select them.")
COUNTS_ON = message("After the change of budgets: %(budgets)s.")
SET_REQUESTS = plural(
    "%(workloads)s workload, %(pods)s pods (see usage).",
    "%(workloads)s workloads, %(pods)s pods (see usage).",
    by="workloads",
)
OF_POOL = message("%(nodes)s of pool %(pool)s")
OF_NO_POOL = message("%(nodes)s of no pool")
OF_POOLS = message("Nodes: %(pools)s.")
HELPED = message("Scheduled: %(pods)s.")
COVERED = message("Not needed after recommendation %(numbers)s, for the same pods.")
ZONE_LOSS = message("If zone %(zone)s is lost, newly pending: %(after)s (without this: %(before)s).")
WHY_BOTH = message("The nodes that recommendation %(number)s removes (%(pools)s) reject these pods: %(reasons)s.")

# -- simulated ---------------------------------------------------------------------------------------------------------
# By what is measured, without a change and with it.
MEASURES: Final = {
    "kept": message("pods not evicted: %(before)s → %(after)s"),
    "pending": message("pending pods: %(before)s → %(after)s"),
    "nodes": message("nodes: %(before)s → %(after)s"),
}
SIMULATED = message("Simulated: %(effects)s.")
SIMULATED_DRAIN = message("Simulated drain of %(node)s: %(effects)s.")
SIMULATION = message("Simulation %(run)s in Berth.")

# -- what a change brings, and what it costs ---------------------------------------------------------------------------
GAINS: Final = {
    "pods_scheduled": plural("%(number)s pending pod scheduled", "%(number)s pending pods scheduled", by="number"),
    "nodes_drainable": plural(
        "budgets no longer block %(number)s node", "budgets no longer block %(number)s nodes", by="number"
    ),
    "nodes_removed": plural("%(number)s fewer node", "%(number)s fewer nodes", by="number"),
}
FREED = message("%(cpu)s and %(memory)s freed")
COSTS: Final = {
    "nodes_added": plural("%(number)s more node", "%(number)s more nodes", by="number"),
    "pods_evicted": plural("%(number)s pod leaves its node", "%(number)s pods leave their nodes", by="number"),
    "pods_restarted": plural("%(number)s pod restarted", "%(number)s pods restarted", by="number"),
    "newly_pending": plural("%(number)s pod newly pending", "%(number)s pods newly pending", by="number"),
    "workloads_fewer": plural(
        "%(number)s workload runs fewer pods", "%(number)s workloads run fewer pods", by="number"
    ),
    "quorums_lost": plural("%(number)s quorum lost", "%(number)s quorums lost", by="number"),
    "budgets_broken": plural("%(number)s budget broken", "%(number)s budgets broken", by="number"),
}
