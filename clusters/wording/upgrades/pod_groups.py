"""What an upgrade changes for groups of pods, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from clusters.wording.amounts import grouped
from clusters.wording.lists import first_of
from clusters.wording.messages import plural

if TYPE_CHECKING:
    from collections.abc import Sequence

TITLE: Final = gettext_lazy("Pod groups")
GROUP: Final = pgettext_lazy("column in the terminal", "Pod group")
ALONE: Final = gettext_lazy("Each of its pods is scheduled by itself.")
NOT_FOUND: Final = gettext_lazy("The group does not exist: its pods stay out of the queue.")
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


LEFT_OUT = plural(
    "%(groups)s pod group with pending pods was not evaluated.",
    "%(groups)s pod groups with pending pods were not evaluated.",
    by="groups",
)
WAITING = plural(
    "Waiting for pods: %(pods)s of minCount %(least)s pod exists.",
    "Waiting for pods: %(pods)s of minCount %(least)s pods exist.",
    by="least",
)


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


UNSCHEDULABLE = plural(
    "Unschedulable: %(found)s of minCount %(least)s pod has or finds a node.",
    "Unschedulable: %(found)s of minCount %(least)s pods have or find a node.",
    by="least",
)
WAITS_ON_PERMIT = plural(
    "Unschedulable for now: %(found)s of minCount %(least)s pod has or finds a node, where it waits at Permit.",
    "Unschedulable for now: %(found)s of minCount %(least)s pods have or find a node, where they wait at Permit.",
    by="least",
)


def preempts(victims: Sequence[str], *, total: int) -> str:
    """Say which pods are removed for a group."""
    return ngettext(
        "Fits by preemption: the group is scheduled once %(victims)s pod is removed (%(names)s).",
        "Fits by preemption: the group is scheduled once %(victims)s pods are removed (%(names)s).",
        total,
    ) % {"victims": grouped(total), "names": first_of(victims, total=total)}
