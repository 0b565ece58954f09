"""What becomes of the group of a pod, in sentences."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _, ngettext

from clusters.engine.scheduling import GroupAttempt, GroupVerdict
from clusters.wording.amounts import grouped
from clusters.wording.lists import first_of

_NAMED: Final = 3


def with_group(group: GroupAttempt | None) -> tuple[str, ...]:
    """Say of a pod that fits how its group does; nothing of one without a group, or where that is uncertain."""
    if group is None or group.verdict is not GroupVerdict.SCHEDULED:
        return ()
    if group.least is None:
        said = _("Its group %(group)s has the basic policy: its pods are scheduled one by one.") % {
            "group": str(group.key)
        }
    else:
        said = ngettext(
            "Its group %(group)s is scheduled: %(found)s pod of at least %(least)s.",
            "Its group %(group)s is scheduled: %(found)s pods of at least %(least)s.",
            group.found,
        ) % {"group": str(group.key), "found": grouped(group.found), "least": grouped(group.least)}
    if not group.domain:
        return (said,)
    where = _("All its pods go to %(domain)s; only nodes there are shown.") % {"domain": group.domain}
    return (said, where)


def blocked_by_group(group: GroupAttempt) -> str:
    """Say why a pod that finds a node does not get it."""
    match group.verdict:
        case GroupVerdict.ERROR:
            return _("SchedulerError: the group %(group)s is not scheduled: %(message)s.") % {
                "group": str(group.key),
                "message": group.message,
            }
        case GroupVerdict.GATED:
            return _("%(pod)s keeps its whole group %(group)s out of the queue.") % {
                "pod": group.held_back,
                "group": str(group.key),
            }
        case GroupVerdict.WAITS_ON_PERMIT:
            said = _("Unschedulable for now: waits at Permit for its group %(group)s.") % {"group": str(group.key)}
        case _:
            said = _("It finds a node, but its group %(group)s is not schedulable.") % {"group": str(group.key)}
    return " ".join((said, *_lacking(group)))


def preempting_group(group: GroupAttempt) -> str:
    """Say that pods go so that a group is scheduled, and name the first of them."""
    return ngettext(
        "Fits by preemption with its group %(group)s, removing %(number)s pod: %(victims)s.",
        "Fits by preemption with its group %(group)s, removing %(number)s pods: %(victims)s.",
        len(group.victims),
    ) % {
        "group": str(group.key),
        "number": grouped(len(group.victims)),
        "victims": first_of(group.victims, most=_NAMED),
    }


def attempt_of_group(group: GroupAttempt) -> str:
    """Say how an attempt ends for a pod that finds a node while its group is not scheduled."""
    return _("A node passes Filter, but the group %(group)s is not scheduled.") % {"group": str(group.key)}


def _lacking(group: GroupAttempt) -> tuple[str, ...]:
    """How many pods of the group have or find a node, and the first that finds none."""
    least = group.least or 1
    counted = ngettext(
        "%(found)s of %(least)s required pod has or finds a node.",
        "%(found)s of %(least)s required pods have or find a node.",
        least,
    ) % {"found": grouped(group.found), "least": grouped(least)}
    first = next(iter(group.refused), None)
    if first is None:
        return (counted,)
    blocking = _("%(pod)s finds none: %(message)s") % {"pod": first.pod, "message": first.refusal}
    return (counted, blocking)
