"""The sections of the navigation: those of a cluster, by the name of the page that each begins with, and the others."""

from __future__ import annotations

from typing import Final

from django.utils.translation import pgettext_lazy

from clusters.wording import states

GROUPS: Final = {
    "now": pgettext_lazy("group of sections", "Now"),
    "objects": pgettext_lazy("group of sections", "Objects"),
    "risk": pgettext_lazy("group of sections", "Risk"),
    "plan": pgettext_lazy("group of sections", "Plan"),
}
SECTIONS: Final = {
    "cluster": pgettext_lazy("section of a cluster", "Overview"),
    "pending": states.PENDING,
    "journal": pgettext_lazy("section of a cluster", "Journal"),
    "pods": pgettext_lazy("section of a cluster", "Pods"),
    "workloads": pgettext_lazy("section of a cluster", "Workloads"),
    "nodes": pgettext_lazy("section of a cluster", "Nodes"),
    "devices": pgettext_lazy("section of a cluster", "Devices"),
    "pod-groups": pgettext_lazy("section of a cluster", "Pod groups"),
    "spread": pgettext_lazy("section of a cluster", "Spread"),
    "budgets": pgettext_lazy("section of a cluster", "Budgets"),
    "drain": pgettext_lazy("section of a cluster", "Drain"),
    "zones": pgettext_lazy("section of a cluster", "Zone loss"),
    "quotas": pgettext_lazy("section of a cluster", "Quotas"),
    "cluster-runs": pgettext_lazy("section of a cluster", "Simulate"),
    "headroom": pgettext_lazy("section of a cluster", "Headroom"),
    "upgrade": pgettext_lazy("section of a cluster", "Upgrade"),
    "usage": pgettext_lazy("section of a cluster", "Usage"),
    "reports": pgettext_lazy("section of a cluster", "Reviews"),
    "cluster-configuration": pgettext_lazy("section of a cluster", "Scheduler"),
}
CLUSTERS: Final = pgettext_lazy("section", "Clusters")
SIMULATIONS: Final = pgettext_lazy("section", "Simulations")
AGREEMENT: Final = pgettext_lazy("section", "Agreement")
LESSONS: Final = pgettext_lazy("section", "Lessons")
CLASSROOMS: Final = pgettext_lazy("section", "Classrooms")
