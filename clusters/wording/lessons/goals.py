"""What a changed manifest is to achieve."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _, ngettext

from clusters.wording.amounts import grouped

if TYPE_CHECKING:
    from clusters.engine.lessons import Goal


def goal_words(goal: Goal) -> str:
    """Say what a changed manifest is to achieve."""
    match goal.key:
        case "fits":
            return _("The pod is scheduled, and no other is removed.")
        case "unschedulable":
            return _("The pod stays pending, and no other is removed.")
        case "fitsOn":
            return _("The pod passes every filter on %(node)s.") % {"node": goal.subject}
        case "notOn":
            return _("The pod does not pass every filter on %(node)s.") % {"node": goal.subject}
        case "chosen":
            return _("kube-scheduler takes %(node)s, and no other node has the same total.") % {"node": goal.subject}
        case "preempts":
            return _("Other pods are removed for the pod.")
        case "doesNotPreempt":
            return _("No other pod is removed for the pod.")
        case "admitted":
            return _("The API server creates the pod.")
        case "evictable":
            return _("The API server allows the eviction of %(pod)s.") % {"pod": goal.subject}
        case "fitsTimes":
            return ngettext(
                "%(number)s copy of the pod is scheduled.", "%(number)s copies of the pod are scheduled.", goal.number
            ) % {"number": grouped(goal.number)}
        case "skewAtMost":
            return ngettext(
                "After %(copies)s copy the skew over %(key)s is at most %(number)s.",
                "After %(copies)s copies the skew over %(key)s is at most %(number)s.",
                goal.copies,
            ) % {"copies": grouped(goal.copies), "key": goal.subject, "number": grouped(goal.number)}
        case _gated if goal.is_wanted:
            return _("The pod is held back and not tried.")
        case _other:
            return _("The pod is not held back.")
