"""What kube-scheduler says of the pods of a group that is not scheduled.

Upstream: ``schedule_one_podgroup.go`` and ``plugins/gangscheduling`` of v1.35.4, v1.36.3 and v1.37.2, and
``framework/preemption/podgrouppreemption.go`` of v1.37.2.
"""

from __future__ import annotations

from typing import Final

UNSCHEDULABLE: Final = "pod group is unschedulable"
WAITS_ON_PERMIT: Final = "waiting for minCount pods from a gang to be waiting on permit"
WAITS_TO_BE_SCHEDULED: Final = "waiting for minCount pods from a gang to be scheduled"
NEVER_PREEMPTS: Final = "pod group preemption: not eligible due to preemptionPolicy=Never."
NO_VICTIMS: Final = "pod group preemption: No preemption victims found for incoming preemptor"


NO_PLACEMENTS: Final = "no feasible placements found"


def no_placement_available(placements: int) -> str:
    """The group is scheduled in none of so many topology domains."""
    return f"0/{placements} placements are available, first placement status: {UNSCHEDULABLE}"


def preempts_in_vain(message: str) -> str:
    """The group is not scheduled either once all pods of lower priority are gone."""
    return f"pod group preemption: {message}"


def preempts(victims: int) -> str:
    """So many pods go for the group."""
    return f"pod group preemption: found a placement for podgroup, preempting {victims} victims"


def cannot_be_satisfied(least: int, scheduled: int, remaining: int) -> str:
    """Too few pods are left for the least number."""
    return f"minCount ({least}) cannot be satisfied: {scheduled} scheduled, {remaining} remaining"


def not_yet_satisfied(least: int, scheduled: int, remaining: int) -> str:
    """The least number is not reached, and may be."""
    return f"minCount ({least}) is not yet satisfied: {scheduled} scheduled, {remaining} remaining"


def unschedulable(*reasons: str) -> str:
    """The message of a group, or of a pod in it, with what led to it."""
    return ", ".join((UNSCHEDULABLE, *reasons))


def other_failed(error: str) -> str:
    """What is said of all pods of a group of which one ends in an error."""
    return f"failed to schedule other pod from a pod group: {error}"


def other_scheduler(name: str, first: str) -> str:
    """The pods of a group name several schedulers."""
    said = "all pods in a single pod group should have the same .spec.schedulerName set, got:"
    return f'{said} "{name}" and "{first}"'


def other_priority(pod: int, group: int) -> str:
    """A pod has another priority than its group."""
    said = "all pods in a single pod group should have the same priority as the pod group's priority, got"
    return f"{said} {pod} and {group}"


def other_policy_than_group(pod: str, group: str) -> str:
    """A pod has another preemption policy than its group."""
    said = "all pods in a single pod group should have the same preemption policy as the pod group's preemption policy"
    return f"{said}, got {pod} and {group}"


def other_policy(pod: str, first: str) -> str:
    """The pods of a group have several preemption policies."""
    return f"all pods in a single pod group should have the same preemption policy, got {pod} and {first}"
