"""What a changed manifest is to achieve."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

if TYPE_CHECKING:
    from clusters.engine.lessons.mistakes import Mistake

# By the keys of goals; the last three are followed by what they are about.
GOALS: Final = {
    "fits": gettext_lazy("the pod fits on a node"),
    "unschedulable": gettext_lazy("the pod fits on no node"),
    "fitsOn": gettext_lazy("the pod fits on the node that is asked for"),
    "notOn": gettext_lazy("the pod does not fit on the node that is named"),
    "chosen": gettext_lazy("the node that is asked for is the one that kube-scheduler takes"),
    "doesNotPreempt": gettext_lazy("no pod is removed for it"),
    "preempts": gettext_lazy("the pod preempts others"),
    "gated": gettext_lazy("no scheduling gate holds the pod back"),
    "admitted": gettext_lazy("the API server creates the pod"),
    "fitsTimes": gettext_lazy("so many copies fit"),
    "skewAtMost": gettext_lazy("the skew stays within the limit"),
    "evictable": gettext_lazy("the pod can be evicted"),
}


def goal_words(mistake: Mistake) -> str:
    """Say what a changed manifest does not achieve yet."""
    goal = GOALS.get(mistake.given)
    return str(goal) if goal is not None else _("the goal “%(goal)s”") % {"goal": mistake.given}
