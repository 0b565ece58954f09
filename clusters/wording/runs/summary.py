"""What a run comes to: pods, causes, capacity, affected workloads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext as _, gettext_lazy, pgettext_lazy

from clusters.engine.conclusion import Conclusion
from clusters.engine.simulation import WorkloadEffect
from clusters.wording import states
from clusters.wording.blocked_drains import kept_sentence
from clusters.wording.conclusions import uncertainty_clauses
from clusters.wording.lists import first_of
from clusters.wording.messages import message, plural
from clusters.wording.problems import problem_sentence
from clusters.wording.resources import resource_amount

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from clusters.engine.simulation import Verdict


# Key numbers.
PLACED: Final = gettext_lazy("placed")
PLACED_UNCERTAIN: Final = gettext_lazy("placed, uncertain")
NEWLY_PENDING: Final = gettext_lazy("newly pending")
STILL_PENDING: Final = gettext_lazy("still pending")
FORBIDDEN: Final = gettext_lazy("not created")
FORBIDDEN_BADGE: Final = pgettext_lazy("answer", "Forbidden (403)")
ERROR_BADGE: Final = pgettext_lazy("answer", "Internal error (500)")
INVALID_BADGE: Final = pgettext_lazy("answer", "Invalid (422)")
PREEMPTED: Final = gettext_lazy("preempted")
EVICTED: Final = gettext_lazy("evicted")
DELETED: Final = gettext_lazy("deleted with failed Jobs")
EVICTIONS_REFUSED: Final = gettext_lazy("evictions refused")

# The cluster before and after.
NODES: Final = gettext_lazy("Nodes")
OPEN_NODES: Final = gettext_lazy("Nodes that accept pods")
EMPTY_NODES: Final = gettext_lazy("Empty nodes")
PODS_ON_NODES: Final = gettext_lazy("Pods on nodes")
PENDING_BEFORE: Final = gettext_lazy("Pods pending before")
NEWLY_PENDING_PODS: Final = gettext_lazy("Newly pending pods")
VIOLATED: Final = gettext_lazy("Spread constraints violated")
LARGEST_SKEW: Final = gettext_lazy("Largest DoNotSchedule skew")
ALLOWED: Final = gettext_lazy("Disruptions allowed")
ALLOW_NONE: Final = gettext_lazy("Budgets allowing none")

NO_ZONE: Final = gettext_lazy("No zone")
NO_POOL: Final = gettext_lazy("No pool")


def resource_title(resource: str) -> str:
    """Name a resource as headings do; "pods" are the pods that nodes may hold."""
    return {"cpu": _("CPU"), "memory": _("Memory"), "pods": _("Pods")}.get(resource, resource)


def requested(resource: str) -> str:
    """Name the share of a resource that pods request."""
    return _("%(resource)s requested") % {"resource": resource_title(resource)}


OPEN_CAPACITY = message("%(resource)s of nodes that accept pods")
POINTS = message("%(difference)s points")
# Bars of a zone or pool.
METER_BEFORE = message("%(resource)s in %(part)s before")
METER_AFTER = message("%(resource)s in %(part)s after")
ALL_POOLS = plural("%(number)s pool", "All %(number)s pools", by="number")

# -- pending pods by cause ---------------------------------------------------------------------------------------------
REFUSED_BY_QUOTA = message("%(pods)s: ResourceQuota %(namespace)s/%(quota)s")
REFUSED_BY_LIMIT_RANGE = message("%(pods)s: LimitRange %(namespace)s/%(limit_range)s")
INVALID_BY_DEFAULTS = message("%(pods)s: invalid with the LimitRange defaults of %(namespace)s")
UNCOVERED = message("%(pods)s: not covered by any ResourceQuota of %(namespace)s")
MORE_CAUSES = plural("%(causes)s more cause, %(pods)s", "%(causes)s more causes, %(pods)s", by="causes")
OF_WORKLOADS = plural("of %(workloads)s workload", "of %(workloads)s workloads", by="workloads")
MORE_OF_WORKLOADS = plural(
    "and %(pods)s more, of %(workloads)s workload", "and %(pods)s more, of %(workloads)s workloads", by="workloads"
)
# Each pod is evaluated by itself.
WOULD_FIT = message("%(remedy)s Then %(pods)s of %(total)s fit, evaluated independently.")
WOULD_FIT_REQUESTING_LESS = message("%(pods)s of %(total)s fit with less %(resources)s, evaluated independently.")
WOULD_FIT_WITHOUT = plural(
    "%(pods)s of %(total)s would fit on %(nodes)s node without %(plugins)s.",
    "%(pods)s of %(total)s would fit on %(nodes)s nodes without %(plugins)s.",
    by="nodes",
)
PODS_UNCERTAIN = plural("%(pods)s pod placed, uncertain", "%(pods)s pods placed, uncertain", by="pods")


# -- free capacity -----------------------------------------------------------------------------------------------------
def pod_shape(requests: Iterable[tuple[str, int]]) -> str:
    """Name a shape of pod by what it requests, in base units."""
    return ", ".join(resource_amount(resource, amount) for resource, amount in requests)


MORE_FIT = message("%(pods)s more on %(nodes)s.")
AT_LEAST = message("At least %(pods)s more.")
OF_NO_USE = message("%(fit)s On other nodes: %(shares)s.")
SHARE_OF_FREE = message("%(share)s of the free %(resource)s")
STRANDED = message("%(amount)s on %(nodes)s with insufficient %(resources)s")
ALL_STRANDED = message("Stranded: %(parts)s.")
NO_DISRUPTION_ALLOWED = message("No disruption allowed: %(budgets)s.")


OUTCOME_PENDING_BEFORE: Final = "pending_before"
# What brought pods, in the order in which it is told: by the names of a summary's origins.
_ORIGINS: Final = {
    "added": message("Added pods: %(counts)s."),
    "displaced": message("Displaced pods: %(counts)s."),
    "successors": message("Recreated pods: %(counts)s."),
    OUTCOME_PENDING_BEFORE: message("Previously pending pods: %(counts)s."),
}
_CONCLUSIONS: Final = {
    Conclusion.FITS: pgettext_lazy("simulation", "Fits."),
    Conclusion.UNSCHEDULABLE: pgettext_lazy("simulation", "Does not fit."),
    Conclusion.UNCERTAIN: pgettext_lazy("simulation", "Uncertain."),
}
NOTHING_TO_PLACE: Final = gettext_lazy("Nothing to place.")
_PLACED: Final = message("%(placed)s of %(total)s placed")
_COUNTS: Final = {
    "uncertain": message("%(number)s uncertain"),
    "pending": message("%(number)s pending"),
    "forbidden": message("%(number)s not created"),
    "gone": message("%(number)s placed, then preempted or evicted"),
    "deleted": message("%(number)s deleted with their Jobs"),
}
_NO_NODE: Final = message("%(pod)s: no node accepts it.")


def origin_sentences(origins: Mapping[str, Mapping[str, Any]], *, with_sum: bool = True) -> list[str]:
    """Say how it went for the pods of each origin, those that were added first.

    Where pods of several origins are newly pending, their sum comes first, unless it is said elsewhere.
    """
    told = {name: counts for name in _ORIGINS if (counts := origins[name])["total"]}
    said = [_ORIGINS[name](counts=_counts(counts)) for name, counts in told.items()]
    newly = [counts["pending"] for name, counts in told.items() if counts["pending"] and name != OUTCOME_PENDING_BEFORE]
    return [PODS_NEWLY_PENDING(pods=sum(newly)), *said] if with_sum and len(newly) > 1 else said


def _counts(counts: Mapping[str, Any]) -> str:
    others = (say(number=counts[name]) for name, say in _COUNTS.items() if counts[name])
    return ", ".join((_PLACED(placed=counts["placed"], total=counts["total"]), *others))


def verdict_sentence(summary: Mapping[str, Any], verdict: Verdict) -> str:
    """Say whether what a simulation was asked fits, how its pods ended, and why the first one is in the way."""
    is_nothing = verdict.conclusion is Conclusion.FITS and not verdict.has_pods
    opening = str(NOTHING_TO_PLACE if is_nothing else _CONCLUSIONS[verdict.conclusion])
    said = origin_sentences(summary["origins"])
    return " ".join(filter(None, (opening, *said, _first(verdict), kept_sentence(summary))))


def _first(verdict: Verdict) -> str:
    if verdict.problem is not None:
        return _pending_pod(verdict.pending[0], problem_sentence(verdict.problem))
    if verdict.message is not None:
        return _pending_pod((*verdict.pending, *verdict.forbidden)[0], " ".join(verdict.message.split()))
    if verdict.doubts:
        return f"{verdict.uncertain[0]}: {uncertainty_clauses(verdict.doubts)}."
    return ""


def _pending_pod(pod: str, message: str) -> str:
    return f"{pod}: {message}" if message else _NO_NODE(pod=pod)


# How a pod ended, by what a simulation stores.
OUTCOMES: Final = {
    "placed": pgettext_lazy("outcome", "Placed"),
    "uncertain": pgettext_lazy("outcome", "Placed, uncertain"),
    "completed": pgettext_lazy("outcome", "Completed"),
    "unschedulable": states.UNSCHEDULABLE,
    "gated": states.GATED,
    "forbidden": states.NOT_CREATED,
    "not-computed": states.NOT_COMPUTED,
    "preempted": pgettext_lazy("outcome", "Preempted"),
    "evicted": pgettext_lazy("outcome", "Evicted"),
    "terminated": pgettext_lazy("outcome", "Terminated"),
    "deleted": pgettext_lazy("outcome", "Deleted"),
    "refused": pgettext_lazy("outcome", "Eviction refused by a budget"),
    "held": states.NEEDS_FORCE,
}

# Columns.
POD: Final = pgettext_lazy("column", "Pod")
OUTCOME: Final = pgettext_lazy("column", "Outcome")
NODE: Final = pgettext_lazy("column", "Node")
STEP: Final = pgettext_lazy("column", "Step")
ATTEMPTS: Final = pgettext_lazy("column", "Attempts")
MESSAGE: Final = pgettext_lazy("column", "Message")

# Hints of filters.
WORKLOAD_HINT: Final = gettext_lazy("Part of its name")


# Key numbers.
WORKLOADS: Final = gettext_lazy("affected workloads")
FEWER: Final = gettext_lazy("run fewer pods")
QUORUM_LOST: Final = gettext_lazy("quorum lost")
BUDGETS: Final = gettext_lazy("budgets broken")
EFFECTS: Final = {
    WorkloadEffect.LOSES_QUORUM: pgettext_lazy("effect", "Quorum lost"),
    WorkloadEffect.QUORUM_INTERRUPTED: pgettext_lazy("effect", "No quorum until recreated"),
    WorkloadEffect.STOPPED: pgettext_lazy("effect", "No pod runs"),
    WorkloadEffect.RUNS_FEWER: pgettext_lazy("effect", "Runs fewer pods"),
    WorkloadEffect.RECREATED: pgettext_lazy("effect", "Recreated in full"),
    WorkloadEffect.MORE_PENDING: pgettext_lazy("effect", "More pods pending"),
}
PODS_NEWLY_PENDING = plural("%(pods)s pod is newly pending.", "%(pods)s pods are newly pending.", by="pods")
FEWER_PODS = plural(
    "%(fewer)s of %(workloads)s affected workload runs fewer pods.",
    "%(fewer)s of %(workloads)s affected workloads run fewer pods.",
    by="workloads",
)
_STOPPED: Final = message("No pod left of %(workloads)s.")
_QUORUM_LOST: Final = message("Quorum lost: %(workloads)s.")
_INTERRUPTED: Final = message("No quorum until recreated: %(workloads)s.")
_BROKEN: Final = message("Fewer healthy pods than required: %(budgets)s.")


def affected_sentences(affected: Mapping[str, Any], newly: int) -> list[str]:
    """Say what a loss or a drain comes to: newly pending pods, workloads with fewer pods, quorums and budgets.

    ``newly``: how many pods are newly pending.
    """
    budgets = [each["budget"] for each in affected["broken_budgets"]]
    return [
        PODS_NEWLY_PENDING(pods=newly),
        FEWER_PODS(fewer=affected["fewer"], workloads=affected["workloads"]),
        *grave_sentences(affected),
        _BROKEN(budgets=first_of(budgets, total=affected["budgets"])) if affected["budgets"] else "",
    ]


def grave_sentences(affected: Mapping[str, Any]) -> list[str]:
    """Name the workloads that stop or are without their quorum, at the end or for a while."""
    first: Sequence[Mapping[str, Any]] = affected["first"]
    told = (
        (_STOPPED, affected["stopped"], [each for each in first if not each["after"] and each["missing"]]),
        (_QUORUM_LOST, affected["quorum_lost"], [each for each in first if each["quorum"] == "lost"]),
        (_INTERRUPTED, affected["quorum_interrupted"], [each for each in first if each["quorum"] == "interrupted"]),
    )
    return [say(workloads=first_of(list(map(full_name, named)), total=number)) for say, number, named in told if number]


def full_name(workload: Mapping[str, Any]) -> str:
    """Name a workload with its kind and namespace."""
    return f"{workload['kind']} {workload['namespace']}/{workload['name']}"


MORE_WORKLOADS = plural(
    "%(workloads)s more workload, recreated in full",
    "%(workloads)s more workloads, recreated in full",
    by="workloads",
)


RIGHT_SIZED_NODES: Final = gettext_lazy("Removable nodes, with recommended requests")
REMOVABLE_NODES: Final = gettext_lazy("Removable nodes")
HEADROOM_OF_MIX: Final = gettext_lazy("Headroom for a mix of pods")
NODES_FOR_MANIFEST: Final = gettext_lazy("Nodes needed for a manifest")

# How many pods fit, at the end of a bar.
NOW: Final = pgettext_lazy("headroom", "now")
AFTER_NODE: Final = pgettext_lazy("headroom", "after losing a node")
AFTER_ZONE: Final = pgettext_lazy("headroom", "after losing a zone")


HEADROOM_OF_SHAPES = plural(
    "Headroom for %(shapes)s shape of pods", "Headroom for %(shapes)s shapes of pods", by="shapes"
)
SHAPE_OF = message("%(cpu)s CPU, %(memory)s")
HEADROOM_OF = message("Headroom for more of %(pods)s")
NODES_FOR_REPLICAS = plural(
    "Nodes needed for %(replicas)s more replica of %(workload)s",
    "Nodes needed for %(replicas)s more replicas of %(workload)s",
    by="replicas",
)
