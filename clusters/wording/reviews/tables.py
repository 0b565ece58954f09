"""The names of a review's sections and tables."""

from __future__ import annotations

from typing import Final

from django.utils.translation import pgettext_lazy

from clusters.wording.messages import message

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
