"""How workloads are: their pods, zones, skew and budgets, and the schedule of a CronJob."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext_lazy, pgettext_lazy

from clusters.engine.cron import CronStart, StartKind
from clusters.engine.workloads import IndexState
from clusters.wording.messages import message, plural

if TYPE_CHECKING:
    from datetime import datetime

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

# The filter of the list.
KIND: Final = pgettext_lazy("label of a filter", "Kind")
NAME_HINT: Final = gettext_lazy("Part of a workload's name")
FAILING: Final = pgettext_lazy("filter of workloads", "Failing")
WITH_PENDING: Final = pgettext_lazy("filter of workloads", "With pending pods")
TOO_FEW_READY: Final = pgettext_lazy("filter of workloads", "Fewer ready than desired")
BEYOND_MAX_SKEW: Final = pgettext_lazy("filter of workloads", "Over maxSkew")
WITHOUT_BUDGET: Final = pgettext_lazy("filter of workloads", "Without a budget")
NO_DISRUPTIONS: Final = pgettext_lazy("filter of workloads", "Budget allows 0 disruptions")
WITHOUT_PODS: Final = pgettext_lazy("filter of workloads", "Without pods")

SCHEDULED_PODS = message("%(workloads)s, %(pods)s on nodes.")
PODS_ASTRAY = message("Nodes missing from the cluster's data: those of %(pods)s.")
PENDING_PODS = message("%(pods)s in %(workloads)s.")

SKEW = message("%(skew)s over %(domains)s, maxSkew %(max_skew)s")
PREFERRED_SKEW = message("%(skew)s over %(domains)s, preferred maxSkew %(max_skew)s")
SOME_ZONES = plural("%(held)s of %(zones)s zone", "%(held)s of %(zones)s zones", by="zones")
WITHOUT_ZONE = message("%(pods)s without a zone")
IN_ZONE = message("%(zone)s: %(pods)s")
PRIORITIES = message("%(lowest)s to %(highest)s")
ALLOWS = message("allows %(disruptions)s", context="budget of a workload")
BUDGET_BADGE = message("Budget: %(state)s", context="badge of a workload")
NOT_CREATED = plural("%(pods)s pod is not created", "%(pods)s pods are not created", by="pods")
TERMINATING = message("%(pods)s terminating", context="badge of a workload")

INDEX_STATES: Final = {
    IndexState.COMPLETED: pgettext_lazy("state of an index", "Completed"),
    IndexState.FAILED: pgettext_lazy("state of an index", "Failed"),
    IndexState.ACTIVE: pgettext_lazy("state of an index", "With a pod"),
    IndexState.TERMINATING: pgettext_lazy("state of an index", "Pod terminating"),
    IndexState.NEXT: pgettext_lazy("state of an index", "Pod created next"),
    IndexState.LATER: pgettext_lazy("state of an index", "Later, as parallelism allows"),
}
AT_ONCE: Final = gettext_lazy("at once")

# CronJobs.
UNREADABLE = message("The schedule %(schedule)s cannot be read: no Job starts.")
SCHEDULED = message("Schedule %(schedule)s (%(zone)s).")
UNKNOWN_ZONE: Final = gettext_lazy("UTC assumed for kube-controller-manager")
_STARTS: Final = {
    StartKind.SUSPENDED: message("Suspended."),
    StartKind.NEVER: message("No start within five years."),
    StartKind.NOT_DUE: message("Next start: %(following)s."),
    StartKind.ALREADY_ACTIVE: message(
        "The start at %(due)s waits for the active Job (concurrencyPolicy Forbid). Next: %(following)s."
    ),
    StartKind.STARTS: message("The start at %(due)s is due. Next: %(following)s."),
}
_MISSED = message("Missed starts: %(starts)s; only the latest is made up for.")
_MISSED_WHILE_SUSPENDED = message("Missed starts: %(starts)s; the latest is made up for when resumed.")
_TOO_MANY_MISSED = message(
    "Missed starts: %(starts)s (event TooManyMissedTimes); only the latest is made up for. Check that "
    "kube-controller-manager runs and clocks agree."
)


def start(found: CronStart, *, due: datetime | None, following: datetime | None) -> str:
    """Say what the controller does now; ``due`` and ``following`` are the moments of ``found``."""
    return _STARTS[found.kind](due=_written(due), following=_written(following))


def missed(found: CronStart) -> str:
    """Say how many starts were missed; empty where none but the one that is due was."""
    if found.missed < 2:
        return ""
    if found.kind is StartKind.SUSPENDED:
        return _MISSED_WHILE_SUSPENDED(starts=found.missed)
    return (_TOO_MANY_MISSED if found.warns else _MISSED)(starts=found.missed)


def _written(at: datetime | None) -> str:
    return "" if at is None else f"{at:%Y-%m-%d %H:%M:%S %Z}"
