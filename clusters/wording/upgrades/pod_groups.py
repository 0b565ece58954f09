"""What an upgrade changes for groups of pods, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from clusters.wording.amounts import grouped
from clusters.wording.lists import first_of

if TYPE_CHECKING:
    from collections.abc import Sequence

TITLE: Final = gettext_lazy("Pod groups")
GROUP: Final = pgettext_lazy("column in the terminal", "Pod group")
ALONE: Final = gettext_lazy("Each of its pods is scheduled by itself.")
NOT_FOUND: Final = gettext_lazy("No such group is held: its pods stay out of the queue.")
GATED: Final = gettext_lazy("SchedulingGated: a pod is kept out of the queue, and with it the whole group.")
ERROR: Final = gettext_lazy("SchedulerError: every attempt to schedule the group ends with an error.")
UNCERTAIN: Final = pgettext_lazy("what becomes of a group of pods", "Uncertain: it is not computed.")


def headline(*, changed: int, evaluated: int) -> str:
    """Say how many groups are placed otherwise, of those with pending pods."""
    if not changed:
        return ngettext(
            "Nothing changes for %(evaluated)s pod group with pending pods.",
            "Nothing changes for %(evaluated)s pod groups with pending pods.",
            evaluated,
        ) % {"evaluated": grouped(evaluated)}
    return ngettext(
        "%(changed)s of %(evaluated)s pod group with pending pods would be placed otherwise.",
        "%(changed)s of %(evaluated)s pod groups with pending pods would be placed otherwise.",
        evaluated,
    ) % {"changed": grouped(changed), "evaluated": grouped(evaluated)}


def left_out(groups: int) -> str:
    """Say that some groups were not evaluated."""
    return ngettext(
        "%(groups)s pod group with pending pods was not evaluated.",
        "%(groups)s pod groups with pending pods were not evaluated.",
        groups,
    ) % {"groups": grouped(groups)}


def waiting(*, pods: int, least: int) -> str:
    """Say that a group lacks pods."""
    return ngettext(
        "Waiting for pods: %(pods)s of minCount %(least)s pod exists.",
        "Waiting for pods: %(pods)s of minCount %(least)s pods exist.",
        least,
    ) % {"pods": grouped(pods), "least": grouped(least)}


def scheduled(*, found: int, nodes: Sequence[str], total: int, domain: str) -> str:
    """Say that a group is scheduled, on which nodes, and in which topology domain if it asks for one."""
    named = {"found": grouped(found), "nodes": first_of(nodes, total=total), "domain": domain}
    if domain:
        return (
            ngettext(
                "Scheduled: %(found)s pod has or finds a node in the topology domain %(domain)s (%(nodes)s).",
                "Scheduled: %(found)s pods have or find a node in the topology domain %(domain)s (%(nodes)s).",
                found,
            )
            % named
        )
    return (
        ngettext(
            "Scheduled: %(found)s pod has or finds a node (%(nodes)s).",
            "Scheduled: %(found)s pods have or find a node (%(nodes)s).",
            found,
        )
        % named
    )


def unschedulable(*, found: int, least: int) -> str:
    """Say that a group is not scheduled."""
    return ngettext(
        "Unschedulable: %(found)s of minCount %(least)s pod has or finds a node.",
        "Unschedulable: %(found)s of minCount %(least)s pods have or find a node.",
        least,
    ) % {"found": grouped(found), "least": grouped(least)}


def waits_on_permit(*, found: int, least: int) -> str:
    """Say that pods of a group keep their nodes for some minutes."""
    return ngettext(
        "Unschedulable for now: %(found)s of minCount %(least)s pod has or finds a node, where it waits at Permit.",
        "Unschedulable for now: %(found)s of minCount %(least)s pods have or find a node, where they wait at Permit.",
        least,
    ) % {"found": grouped(found), "least": grouped(least)}


def preempts(victims: Sequence[str], *, total: int) -> str:
    """Say which pods are removed for a group."""
    return ngettext(
        "Fits by preemption: the group is scheduled once %(victims)s pod is removed (%(names)s).",
        "Fits by preemption: the group is scheduled once %(victims)s pods are removed (%(names)s).",
        total,
    ) % {"victims": grouped(total), "names": first_of(victims, total=total)}
