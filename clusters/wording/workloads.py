"""Workloads in words: what a change of one would do, and its summary."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext_lazy, pgettext_lazy

from clusters.engine.admission import CreationRefusal, InvalidDefaults, LimitRangeRefusal
from clusters.engine.cron import CronStart, StartKind
from clusters.engine.quotas import QuotaUncovered
from clusters.engine.workloads import IndexState
from clusters.wording.amounts import grouped
from clusters.wording.messages import message, plural

if TYPE_CHECKING:
    from datetime import datetime


# -- How workloads are ------------------------------------------------------------------------------------------------


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


# -- More replicas of a workload, a rollout, and the loss of a zone ---------------------------------------------------


NO_SAMPLE: Final = gettext_lazy("There is no pod of this workload to copy.")
MORE_PODS: Final = pgettext_lazy("label of a field", "more pods")
NO_WHOLE_NUMBER: Final = gettext_lazy("Write a whole number of pods.")
TOO_FEW: Final = gettext_lazy("Write 1 or more.")
_TOO_MANY: Final = gettext_lazy("At most %(most)s.")

# What decides for a node.
ONLY_NODE: Final = pgettext_lazy("what decides for a node", "the only feasible node")
EQUAL_SCORES: Final = pgettext_lazy("what decides for a node", "equal scores")

FIT_BADGE = message("%(fit)s of %(asked)s fit")
UNCERTAIN_BADGE = message("%(fit)s of %(asked)s uncertain")
PLACED_ON = message("Placed on %(nodes)s.")
PLACED_IN = message("Placed %(zones)s.")
PODS_WITHOUT_ZONE = message("%(pods)s on nodes without a zone", context="pods placed in a zone")
PODS_ELSEWHERE = message("%(pods)s elsewhere", context="pods placed in a zone")

# Pictures.
GROWTH_TITLE: Final = gettext_lazy("More pods by zone")
NOW: Final = pgettext_lazy("part of a picture", "Now")
MORE: Final = pgettext_lazy("part of a picture", "More that fit")
LOSS_TITLE: Final = gettext_lazy("What the loss of a zone leaves")
LEFT: Final = pgettext_lazy("part of a picture", "Pods left")
LOST: Final = pgettext_lazy("part of a picture", "Pods lost")
ZONE_LOST: Final = pgettext_lazy("column", "Zone lost")
WITHOUT = message("without %(zone)s", context="row of a picture")
WORST_LOSS = message("Losing %(zone)s leaves %(left)s of %(pods)s, until pods are recreated elsewhere.")
ROLLOUT_TITLE: Final = gettext_lazy("Pods during the rollout")
ROUND: Final = pgettext_lazy("column", "Round")
OLD: Final = pgettext_lazy("line in a picture", "old")
NEW: Final = pgettext_lazy("line in a picture", "new")
FEWEST: Final = pgettext_lazy("line in a picture", "available at least")
BEFORE: Final = pgettext_lazy("moment of a rollout", "before")
UNIT: Final = pgettext_lazy("unit of a picture", "pods")
ROUND_NUMBER = message("round %(number)s")
ROLLOUT = message("At most %(most)s at once, at least %(fewest)s available.")

# Outcomes of a rollout and of a round.
COMPLETES: Final = pgettext_lazy("outcome of a rollout", "Completes")
STALLS: Final = pgettext_lazy("outcome of a rollout", "Stalls")
NOT_COMPUTED: Final = pgettext_lazy("outcome of a rollout", "Not computed to its end")
PENDING_AND_REFUSED = message("%(waiting)s, and %(uncreated)s not created")
SKEW_AFTER = message("%(skew)s, maxSkew %(max_skew)s")

_LIMIT_RANGE_REFUSES = message("LimitRange %(namespace)s/%(limit_range)s refuses it.")
_INVALID = message("It is invalid with the LimitRange defaults of namespace %(namespace)s.")
_UNCOVERED = message("No ResourceQuota of namespace %(namespace)s covers it, which is required.")
_QUOTA_REFUSES = message("ResourceQuota %(namespace)s/%(quota)s refuses it.")


def too_many(most: int) -> str:
    """Say how many pods can be tried at once."""
    return str(_TOO_MANY) % {"most": grouped(most)}


def refused_by(refusal: CreationRefusal) -> str:
    """Name what refuses a pod."""
    match refusal:
        case LimitRangeRefusal():
            return _LIMIT_RANGE_REFUSES(namespace=refusal.namespace, limit_range=refusal.limit_range)
        case InvalidDefaults():
            return _INVALID(namespace=refusal.namespace)
        case QuotaUncovered():
            return _UNCOVERED(namespace=refusal.namespace)
        case _quota:
            return _QUOTA_REFUSES(namespace=refusal.namespace, quota=refusal.quota)
