"""How workloads are: their pods, zones, skew and budgets."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _, gettext_lazy, pgettext_lazy

from clusters.wording.amounts import grouped
from clusters.wording.messages import message, plural

STATIC_PODS: Final = pgettext_lazy("kind of a workload", "static pods of a node")
NO_BUDGET: Final = pgettext_lazy("budget of a workload", "none")
ALLOWS_NONE_NOW: Final = pgettext_lazy("budget of a workload", "allows 0 until pods are ready")
ALLOWS_NONE: Final = pgettext_lazy("budget of a workload", "allows 0 until changed")

# The numbers of a workload.
DESIRED: Final = pgettext_lazy("number of pods", "desired")
ON_NODES: Final = pgettext_lazy("number of pods", "on nodes")
READY: Final = pgettext_lazy("number of pods", "ready")
PENDING: Final = pgettext_lazy("number of pods", "pending")
NODES: Final = pgettext_lazy("number of nodes", "nodes")
CPU: Final = pgettext_lazy("number of a workload", "CPU requested")
MEMORY: Final = pgettext_lazy("number of a workload", "memory requested")
PRIORITY: Final = pgettext_lazy("number of a workload", "priority")
NOT_KNOWN: Final = pgettext_lazy("number of pods", "not known")

# Heads of columns that no other page has.
COLUMN_CPU: Final = pgettext_lazy("column", "CPU")
COLUMN_MEMORY: Final = pgettext_lazy("column", "Memory")


SCHEDULED_PODS = message("%(workloads)s with %(pods)s on nodes.")
PODS_ASTRAY = plural(
    "The node of %(pods)s of these pods is missing from the cluster's data.",
    "The nodes of %(pods)s of these pods are missing from the cluster's data.",
    by="pods",
)
NO_PENDING: Final = gettext_lazy("No pod is pending.")
PENDING_PODS = plural(
    "%(pods)s pod of %(workloads)s is pending.", "%(pods)s pods of %(workloads)s are pending.", by="pods"
)
NOT_MIRRORED = plural(
    "%(number)s ReplicaSet that owns pods is not in the mirror. Deployments are told by the ReplicaSets' names "
    "then; a ReplicaSet whose name does not tell stands for itself.",
    "%(number)s ReplicaSets that own pods are not in the mirror. Deployments are told by the ReplicaSets' names "
    "then; a ReplicaSet whose name does not tell stands for itself.",
    by="number",
)


def skew_cell(*, skew: int, max_skew: int, domains: str, blocks: bool) -> str:
    """Write the skew of a workload beside what its constraint allows; ``domains``: zones, nodes."""
    if blocks:
        return _("%(skew)s over %(domains)s, maxSkew %(max_skew)s") % {
            "skew": grouped(skew),
            "domains": domains,
            "max_skew": grouped(max_skew),
        }
    return _("%(skew)s over %(domains)s, preferred maxSkew %(max_skew)s") % {
        "skew": grouped(skew),
        "domains": domains,
        "max_skew": grouped(max_skew),
    }


def skew_within(*, skew: int, max_skew: int, domains: str) -> str:
    """Say how uneven a workload is, within its maxSkew."""
    return _("Its skew is %(skew)s over %(domains)s, with maxSkew %(max_skew)s.") % {
        "skew": grouped(skew),
        "domains": domains,
        "max_skew": grouped(max_skew),
    }


def skew_exceeds(*, skew: int, max_skew: int, domains: str) -> str:
    """Say that a workload exceeds its maxSkew."""
    return _("Its skew is %(skew)s over %(domains)s, which exceeds maxSkew %(max_skew)s.") % {
        "skew": grouped(skew),
        "domains": domains,
        "max_skew": grouped(max_skew),
    }


SOME_ZONES = plural("%(held)s of %(zones)s zone", "%(held)s of %(zones)s zones", by="zones")
WITHOUT_ZONE = message("%(pods)s without a zone")
IN_ZONE = message("%(zone)s: %(pods)s")


PRIORITIES = message("%(lowest)s to %(highest)s")
NO_PODS: Final = gettext_lazy("It has no pods.")
NO_PODS_OF = plural(
    "It has no pods, and %(desired)s is desired.", "It has no pods, and %(desired)s are desired.", by="desired"
)
SCHEDULED = plural(
    "%(placed)s of %(desired)s pod is scheduled, %(ready)s ready.",
    "%(placed)s of %(desired)s pods are scheduled, %(ready)s ready.",
    by="desired",
)
RUNS_ON = message("It runs on %(nodes)s.")
RUNS_IN_ONE_ZONE = message("It runs on %(nodes)s, all in %(zone)s.")
BY_ZONE = message("Pods by zone: %(pods)s.")
ARE_PENDING = plural("%(pods)s pod is pending.", "%(pods)s pods are pending.", by="pods")
ALLOWS = message("allows %(disruptions)s", context="budget of a workload")
BUDGET_BADGE = message("Budget: %(state)s", context="badge of a workload")
NOT_CREATED = plural("%(pods)s pod is not created", "%(pods)s pods are not created", by="pods")
TERMINATING = message("%(pods)s terminating", context="badge of a workload")
