"""What pods use, beside what they request, in words."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy, pgettext_lazy

from clusters.engine.resources import CPU, MEMORY
from clusters.engine.usage import RULES, Sizing
from clusters.wording.amounts import as_in_manifests, cpu, size
from clusters.wording.messages import message, plural

# -- What the page about usage says -----------------------------------------------------------------------------------


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
NOTHING_TO_SIMULATE: Final = gettext_lazy("No workload should have other requests.")
HOUR: Final = pgettext_lazy("column", "Hour")
SEARCH_HINT: Final = pgettext_lazy("hint in a field", "Part of a workload's name")
CHANGES: Final = pgettext_lazy("choice of a filter", "Should change")


_FREED = message("Recommended requests change the sum by %(cpu)s and %(memory)s of memory.")


def _signed(amount: str, freed: int) -> str:
    """Write an amount that is freed as negative, one that is taken as positive."""
    return f"\u2212{amount}" if freed > 0 else f"+{amount}" if freed else amount


def freed(cpu_milli: int, memory_bytes: int) -> str:
    """Say what recommended requests take off the present ones, or add to them."""
    return _FREED(cpu=_signed(cpu(abs(cpu_milli)), cpu_milli), memory=_signed(size(abs(memory_bytes)), memory_bytes))


def freed_by_one(cpu_milli: int, memory_bytes: int) -> str:
    """Say beside a workload's name what recommended requests take off its present ones, or add to them."""
    return f"{_signed(cpu(abs(cpu_milli)), cpu_milli)}, {_signed(size(abs(memory_bytes)), memory_bytes)}"


NOTHING_TO_CHANGE: Final = gettext_lazy("Every request fits what its containers use.")
SAMPLES = plural("%(hours)s hourly sample, from %(source)s.", "%(hours)s hourly samples, from %(source)s.", by="hours")
NOT_READ_YET: Final = gettext_lazy("Berth reads metrics.k8s.io once an hour, 12 minutes past; it has not yet.")


FEW = plural(
    "Only %(hours)s hourly sample: the busiest hour of a day may be missing.",
    "Only %(hours)s hourly samples: the busiest hour of a day may be missing.",
    by="hours",
)
WITHOUT = plural(
    "%(workloads)s workload with pods has no sample.",
    "%(workloads)s workloads with pods have no sample.",
    by="workloads",
)


_RULE = message(
    "Recommended: %(cpu_margin)s %% of CPU p95, at least %(cpu_least)s; %(memory_margin)s %% of the memory maximum, "
    "at least %(memory_least)s. Over-requested: more than %(over)s %% of that, and at least %(cpu_slack)s or "
    "%(memory_slack)s more."
)


def rule() -> str:
    """State the rule by which requests are recommended."""
    of_cpu, of_memory = RULES[CPU], RULES[MEMORY]
    return _RULE(
        cpu_margin=of_cpu.margin,
        cpu_least=as_in_manifests(CPU, of_cpu.least),
        memory_margin=of_memory.margin,
        memory_least=size(of_memory.least),
        over=of_cpu.over,
        cpu_slack=as_in_manifests(CPU, of_cpu.slack),
        memory_slack=size(of_memory.slack),
    )


CONTAINERS_OF = message("Containers of %(workload)s")
COUNTED_SAMPLES = plural("%(samples)s samples in %(hours)s hour", "%(samples)s samples in %(hours)s hours", by="hours")
BAR = message("%(resource)s: %(requested)s requested, %(used)s used, %(recommended)s recommended")
CAPPED = message("Kept down by the limit of %(limit)s: raise that first.")
POD_LEVEL: Final = gettext_lazy("No recommendation: its pods have pod-level requests.")


WHOLE_POD_ONLY: Final = gettext_lazy("Only sums of pods are known: sample with --containers.")
KILLED = plural(
    "OOMKilled in %(pods)s pod: raise the memory limit.",
    "OOMKilled in %(pods)s pods: raise the memory limit.",
    by="pods",
)
LOSES_GUARANTEE: Final = gettext_lazy("Guaranteed pods become Burstable.")
MADE_BY_HAND: Final = gettext_lazy("Nothing recreates these pods: change their manifest.")
IMMUTABLE_TEMPLATE = message("A %(kind)s cannot be changed: create it anew.")
OTHER_CONTROLLER = message("Change the template of the %(kind)s.")
TREND_SUMMARY = message("Newest hour: %(used)s used, %(requested)s of %(allocatable)s requested.")
