"""What a changed manifest is to achieve."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from clusters.wording.messages import message, plural

if TYPE_CHECKING:
    from clusters.engine.lessons import Goal

# By key; what is not a number of the goal is its subject.
_GOALS: Final = {
    "fits": message("The pod is scheduled, and no other is removed."),
    "unschedulable": message("The pod stays pending, and no other is removed."),
    "fitsOn": message("The pod passes every filter on %(node)s."),
    "notOn": message("The pod does not pass every filter on %(node)s."),
    "chosen": message("kube-scheduler takes %(node)s, and no other node has the same total."),
    "preempts": message("Other pods are removed for the pod."),
    "doesNotPreempt": message("No other pod is removed for the pod."),
    "admitted": message("The API server creates the pod."),
    "evictable": message("The API server allows the eviction of %(pod)s."),
    "fitsTimes": plural(
        "%(number)s copy of the pod is scheduled.", "%(number)s copies of the pod are scheduled.", by="number"
    ),
    "skewAtMost": plural(
        "After %(copies)s copy the skew over %(topology_key)s is at most %(number)s.",
        "After %(copies)s copies the skew over %(topology_key)s is at most %(number)s.",
        by="copies",
    ),
}
_HELD_BACK: Final = message("The pod is held back and not tried.")
_NOT_HELD_BACK: Final = message("The pod is not held back.")


def goal_words(goal: Goal) -> str:
    """Say what a changed manifest is to achieve."""
    template = _GOALS.get(goal.key) or (_HELD_BACK if goal.is_wanted else _NOT_HELD_BACK)
    return template(**{name: getattr(goal, name, goal.subject) for name in template.values})
