"""Pending pods in words: what keeps them, where they would fit, and what would help."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext_lazy, pgettext_lazy

from clusters.engine.analysis import Cause, Kind, PendingFinding, is_of_group
from clusters.engine.queueing import QueuePlace
from clusters.engine.registry import reads_amounts
from clusters.engine.resources import PODS
from clusters.engine.volumes import ClaimProblem
from clusters.wording import states
from clusters.wording.evaluation import counted
from clusters.wording.lists import first_of, listed
from clusters.wording.messages import message, plural
from clusters.wording.plugins import wording_of
from clusters.wording.plugins.reasons import named_as_cause
from clusters.wording.requeues import cause_reason
from clusters.wording.resources import resource_name

if TYPE_CHECKING:
    from collections.abc import Sequence


# -- What keeps pods pending, named as rows and headings name it ------------------------------------------------------


KIND_WORDS: Final = {
    Kind.UNSCHEDULABLE: states.UNSCHEDULABLE,
    Kind.FITS: states.SCHEDULABLE,
    Kind.PREEMPTS: states.FITS_BY_PREEMPTION,
    Kind.NOMINATED: states.NOMINATED,
    Kind.VOLUME: states.WAITS_FOR_VOLUME,
    Kind.GATED: states.GATED,
    Kind.OTHER_SCHEDULER: states.OTHER_SCHEDULER,
    Kind.ERROR: states.SCHEDULER_ERROR,
    Kind.UNCERTAIN: states.UNCERTAIN,
    Kind.NOT_EVALUATED: states.NOT_EVALUATED,
    Kind.EVALUATING: states.EVALUATING,
    Kind.NOT_COMPUTED: states.NOT_COMPUTED,
}
_NAMES: Final = {
    Kind.FITS: gettext_lazy("schedulable, in the queue"),
    Kind.PREEMPTS: gettext_lazy("preemption possible"),
    Kind.NOMINATED: gettext_lazy("nominated, waiting for victims to terminate"),
    Kind.VOLUME: gettext_lazy("volume being provisioned"),
    Kind.NOT_EVALUATED: gettext_lazy("not evaluated here"),
    Kind.EVALUATING: gettext_lazy("still being evaluated"),
    Kind.NOT_COMPUTED: gettext_lazy("could not be computed"),
}
_CLAIMS: Final = {
    ClaimProblem.NOT_FOUND: gettext_lazy("PersistentVolumeClaim not found"),
    ClaimProblem.BEING_DELETED: gettext_lazy("PersistentVolumeClaim being deleted"),
    ClaimProblem.NOT_BOUND: gettext_lazy("PersistentVolumeClaim not bound"),
}
_NO_NODES: Final = gettext_lazy("no nodes mirrored")
_INSUFFICIENT = message("insufficient %(resource)s")
# Whatever runs there.
_TOO_LARGE = message("insufficient %(resource)s, larger than any node")
_TOGETHER = message("%(causes)s together")
_GATES = plural("scheduling gate %(names)s", "scheduling gates %(names)s", by="number")
_KEPT_OUT = message("kept out of the queue by %(plugin)s")
_OTHER_SCHEDULER = message("scheduler %(name)s")
_ERROR = message("error of %(plugin)s")
_UNCERTAIN = message("uncertain: %(why)s")
# Of reasons that have no names of their own.
_VOLUME = message("volume: %(reason)s")


def cause_name(cause: Cause) -> str:
    """Name what keeps pods pending, as `3 pods pending: …` ends and as a row shows it."""
    match cause.kind:
        case Kind.GATED if cause.plugins:
            return _KEPT_OUT(plugin=cause.plugins[0])
        case Kind.GATED:
            return _GATES(number=len(cause.gates), names=", ".join(cause.gates))
        case Kind.OTHER_SCHEDULER:
            return _OTHER_SCHEDULER(name=cause.scheduler_name)
        case Kind.UNCERTAIN if cause.has_no_nodes:
            return str(_NO_NODES)
        case Kind.ERROR if not is_of_group(cause):
            return _ERROR(plugin=", ".join(cause.plugins))
        case Kind.UNCERTAIN:
            return _UNCERTAIN(why=cause_reason(cause))
        case Kind.UNSCHEDULABLE if isinstance(cause.claim_problem, ClaimProblem):
            known = _CLAIMS.get(cause.claim_problem)
            return _VOLUME(reason=cause_reason(cause)) if known is None else str(known)
        case Kind.UNSCHEDULABLE | Kind.ERROR:
            return _rejected(cause)
        case _:
            return str(_NAMES[cause.kind])


def _rejected(cause: Cause) -> str:
    if len(cause.plugins) > 1:
        return _TOGETHER(causes=listed(_several(cause)))
    if lacking := _lacking(cause):
        return (_TOO_LARGE if cause.is_too_large else _INSUFFICIENT)(resource=listed(lacking))
    plugin = ", ".join(cause.plugins)
    if not cause.reasons:
        # Of a pod that leaves a simulation unscheduled the plugins alone may be known.
        return plugin
    return named_as_cause(cause.reasons) or f"{plugin}: {cause.quoted}"


def _lacking(cause: Cause) -> list[str]:
    """Name the resources whose lack a cause is; empty where it is something else."""
    return [] if PODS in cause.resources else list(map(resource_name, cause.resources))


def _several(cause: Cause) -> list[str]:
    """Name what frees pods only together."""
    lacking = _lacking(cause)
    return [
        _INSUFFICIENT(resource=listed(lacking)) if lacking and reads_amounts(plugin) else wording_of(plugin).requires()
        for plugin in cause.plugins
    ]


# -- Which nodes the cause of one pending pod is about ----------------------------------------------------------------


AWAITS_VICTIMS = message("Nominated to %(node)s: waiting for victims to terminate.")
_NOMINATED_IN_VAIN = message("Nominated for %(node)s; no victim is terminating.")
_VICTIMS = plural(
    "Preempting %(pods)s pod on %(node)s would make room.",
    "Preempting %(pods)s pods on %(node)s would make room.",
    by="pods",
)
_VICTIMS_FOR_GROUP = plural(
    "Preempting %(pods)s pod would make room for its group.",
    "Preempting %(pods)s pods would make room for its group.",
    by="pods",
)
_PROVISIONED = message("Its volume is being provisioned for %(node)s.")
_FITS = plural("Fits on %(feasible)s of %(nodes)s node.", "Fits on %(feasible)s of %(nodes)s nodes.", by="nodes")
FITS_IN_QUEUE = plural(
    "In the queue it would fit on %(nodes)s node.", "In the queue it would fit on %(nodes)s nodes.", by="nodes"
)
FITS_WITHOUT_GATES = plural(
    "Without its gates it would fit on %(nodes)s node.",
    "Without its gates it would fit on %(nodes)s nodes.",
    by="nodes",
)


def where(finding: PendingFinding) -> str:
    """Say it by the kind of the cause; empty where its name says all."""
    match finding.cause.kind:
        case Kind.NOMINATED:
            return (AWAITS_VICTIMS if finding.is_leaving else _NOMINATED_IN_VAIN)(node=finding.node)
        case Kind.PREEMPTS if finding.node:
            return _VICTIMS(pods=finding.victims, node=finding.node)
        case Kind.PREEMPTS:
            return _VICTIMS_FOR_GROUP(pods=finding.victims)
        case Kind.VOLUME:
            return _PROVISIONED(node=finding.node)
        case Kind.FITS:
            return _FITS(feasible=finding.feasible, nodes=finding.node_count)
        case Kind.GATED if finding.cause.plugins:
            return FITS_IN_QUEUE(nodes=finding.feasible)
        case Kind.GATED:
            return FITS_WITHOUT_GATES(nodes=finding.feasible)
        case _:
            return ""


# -- The single change after which most pods of a cause would fit -----------------------------------------------------


NO_SINGLE_CHANGE: Final = gettext_lazy("No single tried change is enough.")
# Requests, without their capital letters.
REQUEST_LESS = message("request less %(resources)s")
_ADD_NODE = message("add one more node like %(node)s")
_ADD_NODE_OF_POOL = message("add one more node like %(node)s (pool %(pool)s)")
# How many pods would fit after a request.
_WOULD_FIT = message("%(change)s: it would fit.")
_FITS_ON = plural(
    "%(change)s: it would fit on %(nodes)s node.", "%(change)s: it would fit on %(nodes)s nodes.", by="nodes"
)
_SOME_FIT = message("%(change)s: %(fitting)s of %(pods)s would fit.")
_SOME_FIT_ON = plural(
    "%(change)s: %(fitting)s of %(pods)s would fit on %(nodes)s node.",
    "%(change)s: %(fitting)s of %(pods)s would fit on %(nodes)s nodes.",
    by="nodes",
)
THEN_FIT = message("%(fitting)s of %(pods)s would then fit.")
_WAIT_FOR_NOMINATION = message("Wait: it is nominated to %(node)s.")
_NOMINATED_WAITING = message("Wait for %(pods)s to terminate (nominated to %(node)s).")
_ALL_NOMINATED = message("Wait: nominated to %(nodes)s.")


def add_node(like: str, pool: str) -> str:
    """Say which node is to be added, as a request without its capital letter."""
    return _ADD_NODE_OF_POOL(node=like, pool=pool) if pool else _ADD_NODE(node=like)


def takes(change: str, placed: int, pods: int, *, is_whole: bool) -> str:
    """Say how many pods a node that is added takes; ``change`` is a request. At least as many, unless ``is_whole``."""
    if pods == 1:
        return _WOULD_FIT(change=change)
    return _SOME_FIT(change=change, fitting=counted(placed, is_whole=is_whole), pods=pods)


def frees(change: str, fitting: int, pods: int, nodes: int | None) -> str:
    """Say how many of the pods would fit after a request, and on how many nodes where that is the same for each."""
    if nodes is None:
        return _WOULD_FIT(change=change) if pods == 1 else _SOME_FIT(change=change, fitting=fitting, pods=pods)
    if pods == 1:
        return _FITS_ON(change=change, nodes=nodes)
    return _SOME_FIT_ON(change=change, fitting=fitting, pods=pods, nodes=nodes)


def await_nomination(node: str, leaving: Sequence[str]) -> str:
    """Say which node a pod is nominated to, and whose termination it waits for."""
    return _NOMINATED_WAITING(node=node, pods=first_of(leaving)) if leaving else _WAIT_FOR_NOMINATION(node=node)


def await_nominations(nodes: Sequence[str], leaving: Sequence[str]) -> str:
    """Say which nodes pods are nominated to, and whose termination they wait for."""
    if not leaving:
        return _ALL_NOMINATED(nodes=first_of(nodes))
    return _NOMINATED_WAITING(node=first_of(nodes), pods=first_of(leaving))


# -- The scheduler's queue --------------------------------------------------------------------------------------------


PLACES: Final = {
    QueuePlace.ACTIVE: pgettext_lazy("part of the queue", "Active"),
    QueuePlace.BACKOFF: pgettext_lazy("part of the queue", "Backoff"),
    QueuePlace.UNSCHEDULABLE: states.UNSCHEDULABLE,
    QueuePlace.BINDING: pgettext_lazy("part of the queue", "Binding"),
    QueuePlace.GATED: states.GATED,
    QueuePlace.OTHER_SCHEDULER: states.OTHER_SCHEDULER,
    QueuePlace.EVALUATING: states.EVALUATING,
}

# When a pod is tried next.
BOUND_FIRST: Final = pgettext_lazy("next attempt", "only if binding fails")
IN_ORDER: Final = pgettext_lazy("next attempt", "in its turn")
REQUEUED_WITHIN = message("when requeued, at most %(age)s later")

QUEUE_SEARCH_HINT: Final = gettext_lazy("Part of its name or workload")


# -- What pages, files and filters say of pending pods ----------------------------------------------------------------


# How the scheduler's own report compares with what is computed.
AGREES: Final = pgettext_lazy("comparison of reports", "Agrees")
DIFFERS: Final = pgettext_lazy("comparison of reports", "Differs")
REPORTED: Final = pgettext_lazy("comparison of reports", "Reported")
NOTHING_REPORTED: Final = pgettext_lazy("comparison of reports", "Nothing reported")

# When the scheduler tries a pod next; the last three end with a time.
NOT_KNOWN: Final = pgettext_lazy("next attempt", "not known")
WITH_GROUP: Final = pgettext_lazy("next attempt", "when its group is complete")
WITHOUT_GATES: Final = pgettext_lazy("next attempt", "when its gates are removed")
TRIED_SINCE: Final = pgettext_lazy("next attempt", "not known: it was tried since, or no scheduler runs")
NOT_BEFORE: Final = pgettext_lazy("next attempt, with a time", "not before")
EXPECTED: Final = pgettext_lazy("next attempt, with a time", "expected by")
REQUEUED_OR: Final = pgettext_lazy("next attempt, with a time", "when requeued, else by")

SEARCH_HINT: Final = gettext_lazy("Part of its name or message")
CAUSE_LABEL: Final = pgettext_lazy("label of a filter", "Cause")
STATE_LABEL: Final = pgettext_lazy("label of a filter", "State")
CAUSE_GONE: Final = gettext_lazy("a cause that no pod has now")

PENDING_FOR = plural("%(pods)s pod pending: %(cause)s", "%(pods)s pods pending: %(cause)s", by="pods")
# There may be more of them.
AT_LEAST_PENDING_FOR = plural(
    "At least %(pods)s pod pending: %(cause)s", "At least %(pods)s pods pending: %(cause)s", by="pods"
)
PENDING_BECAUSE = message("Pending: %(cause)s")
NOT_COMPUTED = plural("%(pods)s pod could not be computed", "%(pods)s pods could not be computed", by="pods")
