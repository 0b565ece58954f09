"""The heads of the columns of a review's tables."""

from __future__ import annotations

from typing import Final

from django.utils.translation import pgettext, pgettext_lazy

from clusters.wording import states
from clusters.wording.resources import resource_name

COLUMNS: Final = {
    "a_week": pgettext_lazy("column of a review", "Requested a week"),
    "about": pgettext_lazy("column of a review", "About"),
    "action": pgettext_lazy("column of a review", "When unsatisfiable"),
    "after_node": pgettext_lazy("column of a review", "Without the worst node"),
    "after_zone": pgettext_lazy("column of a review", "Without the worst zone"),
    "after": pgettext_lazy("column of a review", "After"),
    "agreeing": pgettext_lazy("column of a review", "Agree"),
    "allocatable": pgettext_lazy("column of a review", "Allocatable"),
    "allocatable_first": pgettext_lazy("column of a review", "Allocatable at first"),
    "allocatable_last": pgettext_lazy("column of a review", "Allocatable at last"),
    "allowed": pgettext_lazy("column of a review", "Allowed"),
    "at": pgettext_lazy("column of a review", "At"),
    "attempts": pgettext_lazy("column of a review", "Attempts"),
    "batch": pgettext_lazy("column of a review", "Batch"),
    "before": pgettext_lazy("column of a review", "Before"),
    "budgets": pgettext_lazy("column of a review", "Budgets"),
    "capacity": pgettext_lazy("column of a review", "Capacity"),
    "cause": pgettext_lazy("column of a review", "Why"),
    "change": pgettext_lazy("column of a review", "Change"),
    "container": pgettext_lazy("column of a review", "Container"),
    "cost": pgettext_lazy("column of a review", "Cost a month"),
    "claims": pgettext_lazy("column of a review", "Claims"),
    "decisions": pgettext_lazy("column of a review", "Decisions"),
    "default": pgettext_lazy("column of a review", "Default limit"),
    "default_request": pgettext_lazy("column of a review", "Default request"),
    "desired": pgettext_lazy("column of a review", "Required healthy"),
    "disagrees": pgettext_lazy("column of a review", "Disagree"),
    "displaced": pgettext_lazy("column of a review", "Recreated"),
    "devices": pgettext_lazy("column of a review", "Devices"),
    "driver": pgettext_lazy("column of a review", "Driver"),
    "free": pgettext_lazy("column of a review", "Free"),
    "nodes_full": pgettext_lazy("column of a review", "Nodes at their limit"),
    "pools": pgettext_lazy("column of a review", "Pools"),
    "storage_class": pgettext_lazy("column of a review", "StorageClass"),
    "domain": pgettext_lazy("column of a review", "Domain"),
    "effect": pgettext_lazy("column of a review", "Effect"),
    "evictions": pgettext_lazy("column of a review", "Evictions"),
    "examples": pgettext_lazy("column of a review", "For example"),
    "excess": pgettext_lazy("column of a review", "Excess"),
    "fits": pgettext_lazy("column of a review", "Fit"),
    "further_pods": pgettext_lazy("column of a review", "Further pods"),
    "full_at": pgettext_lazy("column of a review", "Full at"),
    "hard": pgettext_lazy("column of a review", "Limit"),
    "healthy": pgettext_lazy("column of a review", "Healthy"),
    "newly_pending": pgettext_lazy("column of a review", "Newly pending"),
    "is_capped": pgettext_lazy("column of a review", "At least"),
    "judged": pgettext_lazy("column of a review", "Judged"),
    "kind": pgettext_lazy("column of a review", "Kind"),
    "lasts": pgettext_lazy("column of a review", "Until changed"),
    "left": pgettext_lazy("column of a review", "Left"),
    "fewer": pgettext_lazy("column of a review", "Run fewer pods"),
    "quorums": pgettext_lazy("column of a review", "Quorum lost"),
    "like": pgettext_lazy("column of a review", "Like"),
    "lost": pgettext_lazy("column of a review", "Lost"),
    "max": pgettext_lazy("column of a review", "Maximum"),
    "max_skew": pgettext_lazy("column of a review", "maxSkew"),
    "measure": pgettext_lazy("column of a review", "Counted"),
    "message": pgettext_lazy("column of a review", "Message"),
    "min": pgettext_lazy("column of a review", "Minimum"),
    "name": pgettext_lazy("column of a review", "Name"),
    "names": pgettext_lazy("column of a review", "Names"),
    "namespace": pgettext_lazy("column of a review", "Namespace"),
    "never": pgettext_lazy("column of a review", "Why never"),
    "node": pgettext_lazy("column of a review", "Node"),
    "nodes": pgettext_lazy("column of a review", "Nodes"),
    "now": pgettext_lazy("column of a review", "Now"),
    "number": pgettext_lazy("column of a review", "No."),
    "object": pgettext_lazy("column of a review", "Object"),
    "oldest": pgettext_lazy("column of a review", "Pending since"),
    "on_nodes": pgettext_lazy("column of a review", "On nodes"),
    "outcome": pgettext_lazy("column of a review", "Outcome"),
    "outlook": pgettext_lazy("column of a review", "Outlook"),
    "pending": states.PENDING,
    "plugin": pgettext_lazy("column of a review", "Plugin"),
    "pod": pgettext_lazy("column of a review", "Pod"),
    "pods": pgettext_lazy("column of a review", "Pods"),
    "pods_lost": pgettext_lazy("column of a review", "Lost with the zone"),
    "pool": pgettext_lazy("column of a review", "Pool"),
    "priority": pgettext_lazy("column of a review", "Priority"),
    "priority_class": pgettext_lazy("column of a review", "Priority class"),
    "qos": pgettext_lazy("column of a review", "QoS class"),
    "reason": pgettext_lazy("column of a review", "Reason"),
    "refused": pgettext_lazy("column of a review", "Evictions refused"),
    "requested": pgettext_lazy("column of a review", "Requested"),
    "requested_first": pgettext_lazy("column of a review", "Requested at first"),
    "requested_last": pgettext_lazy("column of a review", "Requested at last"),
    "resource": pgettext_lazy("column of a review", "Resource"),
    "rounds": pgettext_lazy("column of a review", "Rounds"),
    "rule": pgettext_lazy("column of a review", "Rule"),
    "run": pgettext_lazy("column of a review", "Run"),
    "sampled": pgettext_lazy("column of a review", "Within sampling"),
    "scopes": pgettext_lazy("column of a review", "Scopes"),
    "shape": pgettext_lazy("column of a review", "Shape"),
    "share": pgettext_lazy("column of a review", "Share"),
    "skew": pgettext_lazy("column of a review", "Skew"),
    "source": pgettext_lazy("column of a review", "From"),
    "taint": pgettext_lazy("column of a review", "Taint"),
    "topology_key": pgettext_lazy("column of a review", "Topology key"),
    "type": pgettext_lazy("column of a review", "Type"),
    "unschedulable": states.UNSCHEDULABLE,
    "unit": pgettext_lazy("column of a review", "Unit"),
    "unspecified": pgettext_lazy("column of a review", "To be specified"),
    "unjudged": pgettext_lazy("column of a review", "Not judged"),
    "used": pgettext_lazy("column of a review", "Used"),
    "value": pgettext_lazy("column of a review", "Value"),
    "waiting": pgettext_lazy("column of a review", "Not judged yet"),
    "why": pgettext_lazy("column of a review", "Why"),
    "workload": pgettext_lazy("column of a review", "Workload"),
    "without_cpu": pgettext_lazy("column of a review", "Insufficient CPU"),
    "without_memory": pgettext_lazy("column of a review", "Insufficient memory"),
    "without_pods": pgettext_lazy("column of a review", "Pod limit reached"),
    "workloads": pgettext_lazy("column of a review", "Workloads"),
    "worst_node": pgettext_lazy("column of a review", "Worst node"),
    "worst_zone": pgettext_lazy("column of a review", "Worst zone"),
    "release": pgettext_lazy("column of a review", "Release"),
    "difference": pgettext_lazy("column of a review", "Difference"),
    "rules": pgettext_lazy("column of a review", "Because"),
    "admissions": pgettext_lazy("column of a review", "Admissions"),
    "verdicts": pgettext_lazy("column of a review", "Verdicts"),
    "preemptions": pgettext_lazy("column of a review", "Preemptions"),
    "best_nodes": pgettext_lazy("column of a review", "Best nodes"),
    "messages": pgettext_lazy("column of a review", "Messages"),
    "pod_group": pgettext_lazy("column of a review", "Pod group"),
    "pod_groups": pgettext_lazy("column of a review", "Pod groups"),
    "drains": pgettext_lazy("column of a review", "Drains"),
    "nodes_drained": pgettext_lazy("column of a review", "Nodes evaluated"),
    "nodes_changed": pgettext_lazy("column of a review", "Nodes that differ"),
    "brings": pgettext_lazy("column of a review", "Brings"),
    "costs": pgettext_lazy("column of a review", "Costs"),
    "pods_scheduled": pgettext_lazy("column of a review", "Pods scheduled"),
    "nodes_drainable": pgettext_lazy("column of a review", "Nodes drainable"),
    "nodes_removed": pgettext_lazy("column of a review", "Nodes removed"),
    "nodes_added": pgettext_lazy("column of a review", "Nodes added"),
    "pods_evicted": pgettext_lazy("column of a review", "Pods evicted"),
    "pods_restarted": pgettext_lazy("column of a review", "Pods restarted"),
    "workloads_fewer": pgettext_lazy("column of a review", "Workloads with fewer pods"),
    "quorums_lost": pgettext_lazy("column of a review", "Quorums lost"),
    "budgets_broken": pgettext_lazy("column of a review", "Budgets broken"),
    "worth": pgettext_lazy("column of a review", "Worth (‰)"),
    "alone": pgettext_lazy("column of a review", "By it alone"),
    "blocked": pgettext_lazy("column of a review", "Nodes blocked"),
    "budget": pgettext_lazy("column of a review", "Budget"),
    "fix": pgettext_lazy("column of a review", "What helps"),
    "zone": pgettext_lazy("column of a review", "Zone"),
}


def of_resource(resource: str, measure: str) -> str:
    """Head a column of amounts of one resource by what is measured of it."""
    name = resource_name(resource)
    match measure:
        case "allocatable":
            return pgettext("column of a review", "%(resource)s allocatable") % {"resource": name}
        case "requested":
            return pgettext("column of a review", "%(resource)s requested") % {"resource": name}
        case "used":
            return pgettext("column of a review", "%(resource)s used") % {"resource": name}
        case "recommended":
            return pgettext("column of a review", "%(resource)s recommended") % {"resource": name}
        case "share":
            return pgettext("column of a review", "%(resource)s share") % {"resource": name}
        case "left":
            return pgettext("column of a review", "%(resource)s left") % {"resource": name}
        case "freed":
            return pgettext("column of a review", "%(resource)s freed") % {"resource": name}
        case "first":
            return pgettext("column of a review", "%(resource)s at first") % {"resource": name}
        case _:
            return pgettext("column of a review", "%(resource)s at last") % {"resource": name}
