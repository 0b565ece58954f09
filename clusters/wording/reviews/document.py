"""What stands around the sections of a review: titles, cover, names of sections, tables, columns and values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext as _, gettext_lazy, ngettext, pgettext_lazy

from clusters.wording import states
from clusters.wording.amounts import grouped
from clusters.wording.lists import first_of
from clusters.wording.messages import message

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
            return _("%(subject)s uncordoned") % {"subject": first_of(facts["nodes"])}
        case "remove-taint":
            return _("without the taint %(taint)s:%(effect)s") % {"taint": facts["taint"], "effect": facts["effect"]}
        case "remove-budget":
            return _("without the budget %(budget)s") % {"budget": target}
        case "set-requests":
            return _("recommended requests")
        case _:
            return _("without %(nodes)s") % {"nodes": first_of(facts["nodes"])}


KIND: Final = gettext_lazy("Capacity review")
CONTENTS: Final = pgettext_lazy("heading", "Contents")
IN_SHORT: Final = pgettext_lazy("heading", "In short")
NOTES: Final = pgettext_lazy("heading", "The reviewer's notes")
INCOMPLETE_DATA: Final = pgettext_lazy("heading", "Incomplete data")
GAPS: Final = pgettext_lazy("table", "Gaps")
NOT_READ: Final = pgettext_lazy("column", "Not read")
WHY: Final = pgettext_lazy("column", "Why")
UNCERTAIN: Final = pgettext_lazy("column", "What is uncertain")

# Terms of the cover.
CLUSTER: Final = pgettext_lazy("fact", "Cluster")
SIMULATION: Final = pgettext_lazy("fact", "Simulation")
KUBERNETES: Final = pgettext_lazy("fact", "Kubernetes")
ANSWERED_AS: Final = pgettext_lazy("fact", "Answered as kube-scheduler")
FEATURE_GATES: Final = pgettext_lazy("fact", "Feature gates (non-default)")
PERIOD: Final = pgettext_lazy("fact", "Period")
STATE_OF: Final = pgettext_lazy("fact", "State of")
WRITTEN: Final = pgettext_lazy("fact", "Written")
BY: Final = pgettext_lazy("fact", "By")
FROM_TERMINAL: Final = gettext_lazy("from the terminal")


RUN = message("%(title)s (run %(run)s)")
MOMENT = message("%(at)s UTC")
STATE_AT = message("%(at)s UTC, revision %(revision)s")
UNCERTAIN_ANSWERS = message("Gaps in the data make some answers uncertain: %(gaps)s.")
DESCRIPTION = message("Capacity review of %(cluster)s")
WRITTEN_BY_BERTH = message("Written by Berth, %(at)s UTC")


SECTIONS: Final = {
    "run": pgettext_lazy("section", "Simulation"),
    "utilisation": pgettext_lazy("section", "Requested, allocatable and capacity"),
    "cost": pgettext_lazy("section", "Cost"),
    "trend": pgettext_lazy("section", "Trend"),
    "stranded": pgettext_lazy("section", "Stranded capacity"),
    "headroom": pgettext_lazy("section", "Losses and headroom"),
    "spread": pgettext_lazy("section", "Spread"),
    "maintenance": pgettext_lazy("section", "Maintenance"),
    "upgrade": pgettext_lazy("section", "Upgrade preview"),
    "quotas": pgettext_lazy("section", "Quotas and limits"),
    "usage": pgettext_lazy("section", "Requests beside usage"),
    "pending": pgettext_lazy("section", "Pending pods"),
    "agreement": pgettext_lazy("section", "Agreement with kube-scheduler"),
    "recommendations": pgettext_lazy("section", "Recommendations"),
}

CAPTIONS: Final = {
    "run_changes": pgettext_lazy("table", "Changes"),
    "pending_pods": pgettext_lazy("table", "Pending at the end"),
    "pending_causes": pgettext_lazy("table", "Pending at the end, by cause"),
    "uncertain": pgettext_lazy("table", "Placed, uncertain"),
    "resources": pgettext_lazy("table", "By resource"),
    "zones": pgettext_lazy("table", "By zone"),
    "zones_other": pgettext_lazy("table", "Other resources by zone"),
    "pools_other": pgettext_lazy("table", "Other resources by pool"),
    "namespaces_other": pgettext_lazy("table", "Other resources by namespace"),
    "pools": pgettext_lazy("table", "By pool"),
    "namespaces": pgettext_lazy("table", "By namespace"),
    "priorities": pgettext_lazy("table", "By priority class"),
    "qos": pgettext_lazy("table", "By QoS class"),
    "devices": pgettext_lazy("table", "Devices of ResourceSlices by driver"),
    "volumes": pgettext_lazy("table", "Attached volumes by driver, nodes with limits"),
    "storage_classes": pgettext_lazy("table", "PersistentVolumeClaims by StorageClass"),
    "storage_zones": pgettext_lazy("table", "Free storage by StorageClass and zone"),
    "costs": pgettext_lazy("table", "Cost of requests a month, by namespace"),
    "changes": pgettext_lazy("table", "From the first sample to the last"),
    "trend_zones": pgettext_lazy("table", "Requests by zone"),
    "trend_namespaces": pgettext_lazy("table", "Requests by namespace"),
    "samples": pgettext_lazy("table", "Samples"),
    "stranded": pgettext_lazy("table", "Stranded capacity by resource"),
    "stranded_nodes": pgettext_lazy("table", "Nodes with stranded capacity"),
    "taints": pgettext_lazy("table", "Taints that no pod tolerates"),
    "full_of_pods": pgettext_lazy("table", "Nodes at their pod limit"),
    "zone_effects": pgettext_lazy("table", "The loss of each zone"),
    "zone_workloads": pgettext_lazy("table", "Workloads affected by a zone loss"),
    "zone_budgets": pgettext_lazy("table", "Budgets broken by a zone loss"),
    "shapes": pgettext_lazy("table", "Pods that fit, by shape"),
    "losses": pgettext_lazy("table", "Pods that fit after a loss"),
    "shape_stops": pgettext_lazy("table", "Why the next pod is rejected"),
    "zone_losses": pgettext_lazy("table", "Workloads mostly in one zone"),
    "violations": pgettext_lazy("table", "Violated constraints"),
    "domains": pgettext_lazy("table", "Domains above maxSkew"),
    "drain_outlooks": pgettext_lazy("table", "Drains now, by outlook"),
    "drain_workloads": pgettext_lazy("table", "Workloads unschedulable after a drain"),
    "drain_blockers": pgettext_lazy("table", "Budgets that block drains"),
    "not_drained": pgettext_lazy("table", "Nodes not drained, by reason"),
    "budgets": pgettext_lazy("table", "Budgets that allow 0 disruptions"),
    "shared_budgets": pgettext_lazy("table", "Budgets selecting the same pods"),
    "blocked_nodes": pgettext_lazy("table", "Nodes blocked by budgets"),
    "batches": pgettext_lazy("table", "Batches of nodes, in order"),
    "not_drained_nodes": pgettext_lazy("table", "Nodes not drained"),
    "upgrade_releases": pgettext_lazy("table", "Differences by release"),
    "upgrade_differences": pgettext_lazy("table", "Pods and workloads that differ"),
    "upgrade_pod_groups": pgettext_lazy("table", "Pod groups placed otherwise"),
    "upgrade_pools": pgettext_lazy("table", "Drain of each node pool"),
    "upgrade_drains": pgettext_lazy("table", "Drains that differ, by node"),
    "quotas": pgettext_lazy("table", "Quotas and their use"),
    "quota_users": pgettext_lazy("table", "The fullest quotas"),
    "usage": pgettext_lazy("table", "Containers with unsuitable requests"),
    "limits": pgettext_lazy("table", "Bounds and defaults of LimitRanges"),
    "causes": pgettext_lazy("table", "Why pods are pending now"),
    "recorded": pgettext_lazy("table", "Recorded reasons of kube-scheduler"),
    "agreement": pgettext_lazy("table", "By kind of decision"),
    "disagreements": pgettext_lazy("table", "Disagreements by reason"),
    "ranking": pgettext_lazy("table", "By effect against cost"),
    "recommendations": pgettext_lazy("table", "Effect of each recommendation"),
    "recommendations_weighed": pgettext_lazy("table", "Effect and cost of each recommendation"),
}


REST = message("All %(rows)s are in the CSV files.")


COLUMNS: Final = {
    "a_week": pgettext_lazy("column", "Requested a week"),
    "about": pgettext_lazy("column", "About"),
    "action": pgettext_lazy("column", "When unsatisfiable"),
    "after_node": pgettext_lazy("column", "Without the worst node"),
    "after_zone": pgettext_lazy("column", "Without the worst zone"),
    "after": pgettext_lazy("column", "After"),
    "agreeing": pgettext_lazy("column", "Agree"),
    "allocatable": pgettext_lazy("column", "Allocatable"),
    "allocatable_first": pgettext_lazy("column", "Allocatable at first"),
    "allocatable_last": pgettext_lazy("column", "Allocatable at last"),
    "allowed": pgettext_lazy("column", "Allowed"),
    "at": pgettext_lazy("column", "At"),
    "attempts": pgettext_lazy("column", "Attempts"),
    "batch": pgettext_lazy("column", "Batch"),
    "before": pgettext_lazy("column", "Before"),
    "budgets": pgettext_lazy("column", "Budgets"),
    "capacity": pgettext_lazy("column", "Capacity"),
    "cause": pgettext_lazy("column", "Why"),
    "change": pgettext_lazy("column", "Change"),
    "container": pgettext_lazy("column", "Container"),
    "cost": pgettext_lazy("column", "Cost a month"),
    "claims": pgettext_lazy("column", "Claims"),
    "decisions": pgettext_lazy("column", "Decisions"),
    "default": pgettext_lazy("column", "Default limit"),
    "default_request": pgettext_lazy("column", "Default request"),
    "desired": pgettext_lazy("column", "Required healthy"),
    "disagrees": pgettext_lazy("column", "Disagree"),
    "displaced": pgettext_lazy("column", "Recreated"),
    "devices": pgettext_lazy("column", "Devices"),
    "driver": pgettext_lazy("column", "Driver"),
    "free": pgettext_lazy("column", "Free"),
    "nodes_full": pgettext_lazy("column", "Nodes at their limit"),
    "pools": pgettext_lazy("column", "Pools"),
    "storage_class": pgettext_lazy("column", "StorageClass"),
    "domain": pgettext_lazy("column", "Domain"),
    "effect": pgettext_lazy("column", "Effect"),
    "evictions": pgettext_lazy("column", "Evictions"),
    "examples": pgettext_lazy("column", "For example"),
    "excess": pgettext_lazy("column", "Excess"),
    "fits": pgettext_lazy("column", "Fit"),
    "further_pods": pgettext_lazy("column", "Further pods"),
    "full_at": pgettext_lazy("column", "Full at"),
    "hard": pgettext_lazy("column", "Limit"),
    "healthy": pgettext_lazy("column", "Healthy"),
    "newly_pending": pgettext_lazy("column", "Newly pending"),
    "is_capped": pgettext_lazy("column", "At least"),
    "judged": pgettext_lazy("column", "Judged"),
    "kind": pgettext_lazy("column", "Kind"),
    "lasts": pgettext_lazy("column", "Until changed"),
    "left": pgettext_lazy("column", "Left"),
    "fewer": pgettext_lazy("column", "Run fewer pods"),
    "quorums": pgettext_lazy("column", "Quorum lost"),
    "like": pgettext_lazy("column", "Like"),
    "lost": pgettext_lazy("column", "Lost"),
    "max": pgettext_lazy("column", "Maximum"),
    "max_skew": pgettext_lazy("column", "maxSkew"),
    "measure": pgettext_lazy("column", "Counted"),
    "message": pgettext_lazy("column", "Message"),
    "min": pgettext_lazy("column", "Minimum"),
    "name": pgettext_lazy("column", "Name"),
    "names": pgettext_lazy("column", "Names"),
    "namespace": pgettext_lazy("column", "Namespace"),
    "never": pgettext_lazy("column", "Why never"),
    "node": pgettext_lazy("column", "Node"),
    "nodes": pgettext_lazy("column", "Nodes"),
    "now": pgettext_lazy("column", "Now"),
    "number": pgettext_lazy("column", "No."),
    "object": pgettext_lazy("column", "Object"),
    "oldest": pgettext_lazy("column", "Pending since"),
    "on_nodes": pgettext_lazy("column", "On nodes"),
    "outcome": pgettext_lazy("column", "Outcome"),
    "outlook": pgettext_lazy("column", "Outlook"),
    "pending": states.PENDING,
    "plugin": pgettext_lazy("column", "Plugin"),
    "pod": pgettext_lazy("column", "Pod"),
    "pods": pgettext_lazy("column", "Pods"),
    "pods_lost": pgettext_lazy("column", "Lost with the zone"),
    "pool": pgettext_lazy("column", "Pool"),
    "priority": pgettext_lazy("column", "Priority"),
    "priority_class": pgettext_lazy("column", "Priority class"),
    "qos": pgettext_lazy("column", "QoS class"),
    "reason": pgettext_lazy("column", "Reason"),
    "refused": pgettext_lazy("column", "Evictions refused"),
    "requested": pgettext_lazy("column", "Requested"),
    "requested_first": pgettext_lazy("column", "Requested at first"),
    "requested_last": pgettext_lazy("column", "Requested at last"),
    "resource": pgettext_lazy("column", "Resource"),
    "rounds": pgettext_lazy("column", "Rounds"),
    "rule": pgettext_lazy("column", "Rule"),
    "run": pgettext_lazy("column", "Run"),
    "sampled": pgettext_lazy("column", "Within sampling"),
    "scopes": pgettext_lazy("column", "Scopes"),
    "shape": pgettext_lazy("column", "Shape"),
    "share": pgettext_lazy("column", "Share"),
    "skew": pgettext_lazy("column", "Skew"),
    "source": pgettext_lazy("column", "From"),
    "taint": pgettext_lazy("column", "Taint"),
    "topology_key": pgettext_lazy("column", "Topology key"),
    "type": pgettext_lazy("column", "Type"),
    "unschedulable": states.UNSCHEDULABLE,
    "unit": pgettext_lazy("column", "Unit"),
    "unspecified": pgettext_lazy("column", "To be specified"),
    "unjudged": pgettext_lazy("column", "Not judged"),
    "used": pgettext_lazy("column", "Used"),
    "value": pgettext_lazy("column", "Value"),
    "waiting": pgettext_lazy("column", "Not judged yet"),
    "why": pgettext_lazy("column", "Why"),
    "workload": pgettext_lazy("column", "Workload"),
    "without_cpu": pgettext_lazy("column", "Insufficient CPU"),
    "without_memory": pgettext_lazy("column", "Insufficient memory"),
    "without_pods": pgettext_lazy("column", "Pod limit reached"),
    "workloads": pgettext_lazy("column", "Workloads"),
    "worst_node": pgettext_lazy("column", "Worst node"),
    "worst_zone": pgettext_lazy("column", "Worst zone"),
    "release": pgettext_lazy("column", "Release"),
    "difference": pgettext_lazy("column", "Difference"),
    "rules": pgettext_lazy("column", "Because"),
    "admissions": pgettext_lazy("column", "Admissions"),
    "verdicts": pgettext_lazy("column", "Verdicts"),
    "preemptions": pgettext_lazy("column", "Preemptions"),
    "best_nodes": pgettext_lazy("column", "Best nodes"),
    "messages": pgettext_lazy("column", "Messages"),
    "pod_group": pgettext_lazy("column", "Pod group"),
    "pod_groups": pgettext_lazy("column", "Pod groups"),
    "drains": pgettext_lazy("column", "Drains"),
    "nodes_drained": pgettext_lazy("column", "Nodes evaluated"),
    "nodes_changed": pgettext_lazy("column", "Nodes that differ"),
    "brings": pgettext_lazy("column", "Brings"),
    "costs": pgettext_lazy("column", "Costs"),
    "pods_scheduled": pgettext_lazy("column", "Pods scheduled"),
    "nodes_drainable": pgettext_lazy("column", "Nodes drainable"),
    "nodes_removed": pgettext_lazy("column", "Nodes removed"),
    "nodes_added": pgettext_lazy("column", "Nodes added"),
    "pods_evicted": pgettext_lazy("column", "Pods evicted"),
    "pods_restarted": pgettext_lazy("column", "Pods restarted"),
    "workloads_fewer": pgettext_lazy("column", "Workloads with fewer pods"),
    "quorums_lost": pgettext_lazy("column", "Quorums lost"),
    "budgets_broken": pgettext_lazy("column", "Budgets broken"),
    "worth": pgettext_lazy("column", "Worth (‰)"),
    "alone": pgettext_lazy("column", "By it alone"),
    "blocked": pgettext_lazy("column", "Nodes blocked"),
    "budget": pgettext_lazy("column", "Budget"),
    "fix": pgettext_lazy("column", "What helps"),
    "zone": pgettext_lazy("column", "Zone"),
}


# Of amounts of one resource, by what is measured of it.
MEASURES: Final = {
    "allocatable": message("%(resource)s allocatable"),
    "requested": message("%(resource)s requested"),
    "used": message("%(resource)s used"),
    "recommended": message("%(resource)s recommended"),
    "share": message("%(resource)s share"),
    "left": message("%(resource)s left"),
    "freed": message("%(resource)s freed"),
    "first": message("%(resource)s at first"),
    "last": message("%(resource)s at last"),
}


YES: Final = pgettext_lazy("value", "yes")
NO: Final = pgettext_lazy("value", "no")
TOTAL: Final = pgettext_lazy("table", "Total")

# For how long budgets block a node from draining.
OUTLOOKS: Final = {
    "lasting": pgettext_lazy("outlook", "until a budget is changed"),
    "waits": pgettext_lazy("outlook", "until pods are ready"),
}
DECISIONS: Final = {
    "bound": states.SCHEDULED,
    "unschedulable": states.UNSCHEDULABLE,
    "nominated": states.NOMINATED,
}
LOST: Final = {
    "node": pgettext_lazy("loss", "node"),
    "zone": pgettext_lazy("loss", "zone"),
}


# Heads of columns of amounts, by the kind of the column.
UNITS: Final = {
    "cpu": message("%(title)s (millicores)"),
    "memory": message("%(title)s (bytes)"),
    "share": message("%(title)s (0 to 1)"),
}
