"""What can keep a decision from becoming a lesson, in words."""

from __future__ import annotations

from django.utils.translation import gettext as _

from clusters.problems.lessons import DecisionNotKept, PodNotKept, TooMuchForALesson
from clusters.wording.amounts import size
from clusters.wording.problems.registry import Words, words


@words.register(DecisionNotKept)
def decision_not_kept(problem: DecisionNotKept) -> Words:
    """Say what the journal needs for it."""
    return Words(
        _("The journal does not know which pods and nodes there were at this decision."),
        _("Take a decision that was made since the journal keeps what is deleted."),
    )


@words.register(PodNotKept)
def pod_not_kept(problem: PodNotKept) -> Words:
    """Name the pod."""
    return Words(
        _("The pod %(pod)s was deleted before it had a node, and its manifest is not kept.") % {"pod": problem.pod},
        _("Take a decision about a pod that still exists, or that had a node."),
    )


@words.register(TooMuchForALesson)
def too_much_for_a_lesson(problem: TooMuchForALesson) -> Words:
    """Say how much a lesson holds."""
    return Words(
        _("The pod and what it is scheduled by take more than a lesson holds: %(most)s.")
        % {"most": size(problem.most_bytes)},
        _("Take a pod with fewer claims and shorter manifests."),
    )
