"""What the page about usage says: requests against what is used, and what would change."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _, gettext_lazy, ngettext, pgettext_lazy

from clusters.engine.resources import CPU, MEMORY
from clusters.engine.usage import FEW_HOURS, RULES, Sizing
from clusters.wording.amounts import as_in_manifests, cpu, grouped, size
from clusters.wording.messages import message, plural

SIZINGS: Final = {
    Sizing.OVER: pgettext_lazy("state of a request", "Over-requested"),
    Sizing.UNDER: pgettext_lazy("state of a request", "Under-requested"),
    Sizing.NOT_REQUESTED: pgettext_lazy("state of a request", "Not requested"),
    Sizing.FITTING: pgettext_lazy("state of a request", "Fits usage"),
}
SOURCES: Final = {
    "metrics": gettext_lazy("metrics-server"),
    "prometheus": gettext_lazy("Prometheus"),
    "file": gettext_lazy("an uploaded file"),
}
FEW_SAMPLES: Final = pgettext_lazy("badge of a workload", "Few samples")
NO_REQUEST: Final = pgettext_lazy("request for a resource", "none")
WHOLE_POD: Final = pgettext_lazy("what usage is of", "whole pod")
CPU_TITLE: Final = gettext_lazy("CPU used and requested, hour by hour")
MEMORY_TITLE: Final = gettext_lazy("Memory used and requested, hour by hour")
USED: Final = pgettext_lazy("line of a picture", "used")
REQUESTED: Final = pgettext_lazy("line of a picture", "requested now")
RIGHT_SIZED: Final = pgettext_lazy("line of a picture", "right-sized")
ALLOCATABLE: Final = pgettext_lazy("line of a picture", "allocatable")
NOTHING_TO_SIMULATE: Final = gettext_lazy(
    "No Deployment, StatefulSet, DaemonSet or ReplicaSet should have other requests."
)
HOUR: Final = pgettext_lazy("column", "Hour")
SEARCH_HINT: Final = pgettext_lazy("hint in a field", "Part of a workload's name")
CHANGES: Final = pgettext_lazy("choice of a filter", "Should change")


def requested_cpu(*, requested: int, allocatable: int, share: str) -> str:
    """Say how much CPU is requested of a cluster."""
    return _("%(requested)s of %(allocatable)s allocatable are requested (%(share)s).") % {
        "requested": cpu(requested),
        "allocatable": cpu(allocatable),
        "share": share,
    }


def used_cpu(*, used: int, share: str) -> str:
    """Say how much CPU is used at most in 95 of 100 hours."""
    return _("In 95 %% of the sampled hours pods use at most %(used)s (%(share)s).") % {
        "used": cpu(used),
        "share": share,
    }


def requested_memory(*, requested: int, allocatable: int, share: str) -> str:
    """Say how much memory is requested of a cluster."""
    return _("%(requested)s of %(allocatable)s of allocatable memory are requested (%(share)s).") % {
        "requested": size(requested),
        "allocatable": size(allocatable),
        "share": share,
    }


def used_memory(*, used: int, share: str) -> str:
    """Say how much memory is used at most in 95 of 100 hours."""
    return _("In 95 %% of the sampled hours pods use at most %(used)s of memory (%(share)s).") % {
        "used": size(used),
        "share": share,
    }


def freed(cpu_milli: int, memory_bytes: int) -> str:
    """Say what recommended requests take off the present ones, or add to them."""
    amounts = {"cpu": cpu(abs(cpu_milli)), "memory": size(abs(memory_bytes))}
    if not memory_bytes:
        of_cpu = {"cpu": amounts["cpu"]}
        if cpu_milli >= 0:
            return _("Recommended requests free %(cpu)s.") % of_cpu
        return _("Recommended requests take %(cpu)s more.") % of_cpu
    if not cpu_milli:
        of_memory = {"memory": amounts["memory"]}
        if memory_bytes >= 0:
            return _("Recommended requests free %(memory)s of memory.") % of_memory
        return _("Recommended requests take %(memory)s of memory more.") % of_memory
    if cpu_milli >= 0 and memory_bytes >= 0:
        return _("Recommended requests free %(cpu)s and %(memory)s of memory.") % amounts
    if cpu_milli >= 0:
        return _("Recommended requests free %(cpu)s and take %(memory)s of memory more.") % amounts
    if memory_bytes >= 0:
        return _("Recommended requests take %(cpu)s more and free %(memory)s of memory.") % amounts
    return _("Recommended requests take %(cpu)s and %(memory)s of memory more.") % amounts


def freed_by_one(cpu_milli: int, memory_bytes: int) -> str:
    """Say beside a workload's name what recommended requests take off its present ones, or add to them."""
    amounts = {"cpu": cpu(abs(cpu_milli)), "memory": size(abs(memory_bytes))}
    if cpu_milli >= 0 and memory_bytes >= 0:
        return _("%(cpu)s and %(memory)s less") % amounts
    if cpu_milli >= 0:
        return _("%(cpu)s less, %(memory)s more") % amounts
    if memory_bytes >= 0:
        return _("%(cpu)s more, %(memory)s less") % amounts
    return _("%(cpu)s and %(memory)s more") % amounts


NOTHING_TO_CHANGE: Final = gettext_lazy("Every request fits what its containers use.")
SAMPLES = plural("%(hours)s hourly sample, from %(source)s.", "%(hours)s hourly samples, from %(source)s.", by="hours")
NOT_READ_YET: Final = gettext_lazy(
    "Berth reads metrics.k8s.io of this cluster once an hour, 12 minutes past; it has not yet."
)


def few_hours(hours: int) -> str:
    """Say that samples do not cover a day."""
    return ngettext(
        "There is only %(hours)s hourly sample: with fewer than %(least)s the busiest hour of a day may be missing.",
        "There are only %(hours)s hourly samples: with fewer than %(least)s the busiest hour of a day may be missing.",
        hours,
    ) % {"hours": grouped(hours), "least": FEW_HOURS}


WITHOUT = plural(
    "%(workloads)s workload with pods has no sample.",
    "%(workloads)s workloads with pods have no sample.",
    by="workloads",
)


def rule() -> str:
    """State the rule by which requests are recommended."""
    of_cpu, of_memory = RULES[CPU], RULES[MEMORY]
    return _(
        "Recommended: of CPU %(cpu_margin)s %% of the p95 of all samples, at least %(cpu_least)s; of memory "
        "%(memory_margin)s %% of the maximum, at least %(memory_least)s. Over-requested: more than %(over)s %% of "
        "that, and at least %(cpu_slack)s or %(memory_slack)s more. Under-requested: less than is used."
    ) % {
        "cpu_margin": of_cpu.margin,
        "cpu_least": as_in_manifests(CPU, of_cpu.least),
        "memory_margin": of_memory.margin,
        "memory_least": size(of_memory.least),
        "over": of_cpu.over,
        "cpu_slack": as_in_manifests(CPU, of_cpu.slack),
        "memory_slack": size(of_memory.slack),
    }


REPLICAS = plural("%(pods)s pod", "%(pods)s pods", by="pods")
CONTAINERS_OF = message("Containers of %(workload)s with their requests and what they use")
COUNTED_SAMPLES = plural("%(samples)s samples in %(hours)s hour", "%(samples)s samples in %(hours)s hours", by="hours")
BAR = message("%(resource)s: %(requested)s requested, %(used)s used, %(recommended)s recommended")
CAPPED = message("The limit of %(limit)s keeps the recommendation down: raise the limit first.")
POD_LEVEL: Final = gettext_lazy("Its pods request CPU or memory at pod level, which counts instead: no recommendation.")


def whole_pod() -> str:
    """Say why nothing is recommended where only sums are known."""
    return _("Only sums of pods are known: sample with --containers for recommendations.")


KILLED = plural(
    "A container of %(pods)s of its pods was OOMKilled: raise its memory limit. It needs more than it has used.",
    "Containers of %(pods)s of its pods were OOMKilled: raise their memory limits. They need more than they used.",
    by="pods",
)
LOSES_GUARANTEE: Final = gettext_lazy(
    "Its pods are Guaranteed and become Burstable, as requests then differ from limits."
)
MADE_BY_HAND: Final = gettext_lazy("Nothing recreates these pods: change their manifest.")
IMMUTABLE_TEMPLATE = message("The template of a %(kind)s cannot be changed: create it anew with these requests.")
OTHER_CONTROLLER = message("Change the template of the %(kind)s: where it has that is not known here.")
TREND_SUMMARY = message("Newest hour: %(used)s used, %(requested)s requested, of %(allocatable)s allocatable.")
