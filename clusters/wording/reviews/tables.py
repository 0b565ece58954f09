"""The names of a review's sections and tables."""

from __future__ import annotations

from typing import Final

from django.utils.translation import pgettext_lazy

from clusters.wording.messages import plural

SECTIONS: Final = {
    "run": pgettext_lazy("section of a review", "Simulation"),
    "utilisation": pgettext_lazy("section of a review", "Requested, allocatable and capacity"),
    "cost": pgettext_lazy("section of a review", "Cost"),
    "trend": pgettext_lazy("section of a review", "Trend"),
    "stranded": pgettext_lazy("section of a review", "Stranded capacity"),
    "headroom": pgettext_lazy("section of a review", "Losses and headroom"),
    "spread": pgettext_lazy("section of a review", "Spread"),
    "maintenance": pgettext_lazy("section of a review", "Maintenance"),
    "upgrade": pgettext_lazy("section of a review", "Upgrade preview"),
    "quotas": pgettext_lazy("section of a review", "Quotas and limits"),
    "usage": pgettext_lazy("section of a review", "Requests beside usage"),
    "pending": pgettext_lazy("section of a review", "Pending pods"),
    "agreement": pgettext_lazy("section of a review", "Agreement with kube-scheduler"),
    "recommendations": pgettext_lazy("section of a review", "Recommendations"),
}

CAPTIONS: Final = {
    "run_changes": pgettext_lazy("table of a review", "Changes"),
    "pending_pods": pgettext_lazy("table of a review", "Pods without a node at the end"),
    "pending_causes": pgettext_lazy("table of a review", "Pods without a node at the end, by cause"),
    "uncertain": pgettext_lazy("table of a review", "Pods placed, but uncertain"),
    "resources": pgettext_lazy("table of a review", "By resource"),
    "zones": pgettext_lazy("table of a review", "By zone"),
    "zones_other": pgettext_lazy("table of a review", "Other resources by zone"),
    "pools_other": pgettext_lazy("table of a review", "Other resources by pool"),
    "namespaces_other": pgettext_lazy("table of a review", "Other resources by namespace"),
    "pools": pgettext_lazy("table of a review", "By pool"),
    "namespaces": pgettext_lazy("table of a review", "By namespace"),
    "priorities": pgettext_lazy("table of a review", "By priority class"),
    "qos": pgettext_lazy("table of a review", "By QoS class"),
    "devices": pgettext_lazy("table of a review", "Devices of ResourceSlices by driver"),
    "volumes": pgettext_lazy("table of a review", "Attached volumes by driver, on nodes with a limit"),
    "storage_classes": pgettext_lazy("table of a review", "PersistentVolumeClaims by StorageClass"),
    "storage_zones": pgettext_lazy("table of a review", "Free storage by StorageClass and zone, as drivers publish it"),
    "costs": pgettext_lazy("table of a review", "Cost of the namespaces' requests a month"),
    "changes": pgettext_lazy("table of a review", "From the first sample to the last"),
    "trend_zones": pgettext_lazy("table of a review", "Requests by zone"),
    "trend_namespaces": pgettext_lazy("table of a review", "Requests by namespace"),
    "samples": pgettext_lazy("table of a review", "Samples"),
    "stranded": pgettext_lazy("table of a review", "Stranded capacity by resource"),
    "stranded_nodes": pgettext_lazy("table of a review", "Nodes with stranded capacity"),
    "taints": pgettext_lazy("table of a review", "Taints that no pod tolerates"),
    "full_of_pods": pgettext_lazy("table of a review", "Nodes at their pod limit"),
    "zone_effects": pgettext_lazy("table of a review", "The loss of each zone"),
    "zone_workloads": pgettext_lazy("table of a review", "Workloads that the loss of a zone affects"),
    "zone_budgets": pgettext_lazy("table of a review", "Budgets that the loss of a zone breaks"),
    "shapes": pgettext_lazy("table of a review", "Pods that fit, by shape"),
    "losses": pgettext_lazy("table of a review", "Pods that fit after a loss"),
    "shape_stops": pgettext_lazy("table of a review", "Why the next pod of a shape is rejected"),
    "zone_losses": pgettext_lazy("table of a review", "Workloads with most of their pods in one zone"),
    "violations": pgettext_lazy("table of a review", "Violated constraints"),
    "domains": pgettext_lazy("table of a review", "Domains above maxSkew"),
    "drain_outlooks": pgettext_lazy("table of a review", "Nodes by what a drain meets now"),
    "drain_workloads": pgettext_lazy(
        "table of a review", "Workloads whose replacements are unschedulable if a node is drained"
    ),
    "drain_blockers": pgettext_lazy("table of a review", "Budgets that block drains, and what helps"),
    "not_drained": pgettext_lazy("table of a review", "Nodes that the plan does not drain, by reason"),
    "budgets": pgettext_lazy("table of a review", "Budgets that allow 0 disruptions"),
    "shared_budgets": pgettext_lazy("table of a review", "Budgets that select the same pods"),
    "blocked_nodes": pgettext_lazy("table of a review", "Nodes that budgets block from draining"),
    "batches": pgettext_lazy("table of a review", "Batches of nodes, in order"),
    "not_drained_nodes": pgettext_lazy("table of a review", "Nodes that the plan does not drain"),
    "upgrade_releases": pgettext_lazy("table of a review", "Differences by release"),
    "upgrade_differences": pgettext_lazy("table of a review", "Pods and workloads that differ"),
    "upgrade_pod_groups": pgettext_lazy("table of a review", "Pod groups that are placed otherwise"),
    "upgrade_pools": pgettext_lazy("table of a review", "Drain of each node pool"),
    "upgrade_drains": pgettext_lazy("table of a review", "Drains that differ, by node"),
    "quotas": pgettext_lazy("table of a review", "Quotas and their use"),
    "quota_users": pgettext_lazy("table of a review", "Who uses the fullest quotas, and what fits next"),
    "usage": pgettext_lazy("table of a review", "Containers whose requests are off"),
    "limits": pgettext_lazy("table of a review", "Bounds and defaults of LimitRanges"),
    "causes": pgettext_lazy("table of a review", "Why pods are pending now"),
    "recorded": pgettext_lazy("table of a review", "Reasons that kube-scheduler gave over the period"),
    "agreement": pgettext_lazy("table of a review", "By kind of decision"),
    "disagreements": pgettext_lazy("table of a review", "Disagreements by reason"),
    "ranking": pgettext_lazy("table of a review", "By what they bring against what they cost"),
    "recommendations": pgettext_lazy("table of a review", "Effect of each recommendation"),
    "recommendations_weighed": pgettext_lazy("table of a review", "What each recommendation brings and costs"),
}


REST = plural("The CSV files have all %(rows)s row.", "The CSV files have all %(rows)s rows.", by="rows")
