"""How workloads are: their pods, zones, skew and budgets."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext, pgettext_lazy

from clusters.wording.amounts import grouped

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
COLUMN_WORKLOAD: Final = pgettext_lazy("column", "Workload")
COLUMN_ON_NODES: Final = pgettext_lazy("column", "On nodes")
COLUMN_BY_ZONE: Final = pgettext_lazy("column", "By zone")
COLUMN_SKEW: Final = pgettext_lazy("column", "Worst skew")
COLUMN_BUDGET: Final = pgettext_lazy("column", "Budget")
COLUMN_CPU: Final = pgettext_lazy("column", "CPU")
COLUMN_MEMORY: Final = pgettext_lazy("column", "Memory")


def scheduled_pods(*, workloads: str, pods: str) -> str:
    """Say how many workloads a cluster has, and how many of their pods have a node."""
    return _("%(workloads)s with %(pods)s on nodes.") % {"workloads": workloads, "pods": pods}


def pods_astray(pods: int) -> str:
    """Say how many pods have a node about which nothing was read."""
    return ngettext(
        "The node of %(pods)s of these pods is missing from the cluster's data.",
        "The nodes of %(pods)s of these pods are missing from the cluster's data.",
        pods,
    ) % {"pods": grouped(pods)}


def no_pending() -> str:
    """Say that no workload has pending pods."""
    return _("No pod is pending.")


def pending_pods(pods: int, *, workloads: str) -> str:
    """Say how many pods are pending, and of how many workloads."""
    return ngettext(
        "%(pods)s pod of %(workloads)s is pending.", "%(pods)s pods of %(workloads)s are pending.", pods
    ) % {
        "pods": grouped(pods),
        "workloads": workloads,
    }


def not_mirrored(replica_sets: int) -> str:
    """Say that ReplicaSets which own pods are not known."""
    return ngettext(
        "%(number)s ReplicaSet that owns pods is not in the mirror. Deployments are told by the ReplicaSets' names "
        "then; a ReplicaSet whose name does not tell stands for itself.",
        "%(number)s ReplicaSets that own pods are not in the mirror. Deployments are told by the ReplicaSets' names "
        "then; a ReplicaSet whose name does not tell stands for itself.",
        replica_sets,
    ) % {"number": grouped(replica_sets)}


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


def some_zones(held: int, zones: int) -> str:
    """Count the zones that have pods of a workload."""
    return ngettext("%(held)s of %(zones)s zone", "%(held)s of %(zones)s zones", zones) % {
        "held": grouped(held),
        "zones": grouped(zones),
    }


def without_zone(pods: int) -> str:
    """Count pods on nodes that have no zone."""
    return _("%(pods)s without a zone") % {"pods": grouped(pods)}


def in_zone(zone: str, pods: int) -> str:
    """Write how many pods of a workload a zone has."""
    return _("%(zone)s: %(pods)s") % {"zone": zone, "pods": grouped(pods)}


def of_desired(placed: int, desired: int) -> str:
    """Write how many pods have a node, of how many that are desired."""
    return _("%(placed)s of %(desired)s") % {"placed": grouped(placed), "desired": grouped(desired)}


def ready(pods: int) -> str:
    """Count ready pods."""
    return pgettext("number of pods", "%(pods)s ready") % {"pods": grouped(pods)}


def priorities(lowest: int, highest: int) -> str:
    """Write the priorities of a workload's pods where they differ."""
    return _("%(lowest)s to %(highest)s") % {"lowest": grouped(lowest), "highest": grouped(highest)}


def no_pods() -> str:
    """Say that a workload has no pods."""
    return _("It has no pods.")


def no_pods_of(desired: int) -> str:
    """Say that a workload has no pods though some are desired."""
    return ngettext(
        "It has no pods, and %(desired)s is desired.", "It has no pods, and %(desired)s are desired.", desired
    ) % {"desired": grouped(desired)}


def scheduled(*, placed: int, desired: int, ready: int) -> str:
    """Say how many of a workload's pods have a node, and how many are ready."""
    return ngettext(
        "%(placed)s of %(desired)s pod is scheduled, %(ready)s ready.",
        "%(placed)s of %(desired)s pods are scheduled, %(ready)s ready.",
        desired,
    ) % {"placed": grouped(placed), "desired": grouped(desired), "ready": grouped(ready)}


def runs_on(nodes: str) -> str:
    """Say on how many nodes a workload's pods run."""
    return _("It runs on %(nodes)s.") % {"nodes": nodes}


def runs_in_one_zone(nodes: str, zone: str) -> str:
    """Say on how many nodes a workload's pods run, all in one zone."""
    return _("It runs on %(nodes)s, all in %(zone)s.") % {"nodes": nodes, "zone": zone}


def by_zone(pods: str) -> str:
    """Say how many pods of a workload each zone has; ``pods``: one number for each zone, such as 5–3–0."""
    return _("Pods by zone: %(pods)s.") % {"pods": pods}


def are_pending(pods: int) -> str:
    """Say how many pods of a workload are pending."""
    return ngettext("%(pods)s pod is pending.", "%(pods)s pods are pending.", pods) % {"pods": grouped(pods)}


def allows(disruptions: int) -> str:
    """Say how many disruptions a budget allows."""
    return pgettext("budget of a workload", "allows %(disruptions)s") % {"disruptions": grouped(disruptions)}


def budget_badge(state: str) -> str:
    """Write a badge about a workload's budget."""
    return pgettext("badge of a workload", "Budget: %(state)s") % {"state": state}


def not_created(pods: int) -> str:
    """Count the pods that a controller has not created."""
    return ngettext("%(pods)s pod is not created", "%(pods)s pods are not created", pods) % {"pods": grouped(pods)}


def terminating(pods: int) -> str:
    """Count the pods that are being deleted."""
    return pgettext("badge of a workload", "%(pods)s terminating") % {"pods": grouped(pods)}
