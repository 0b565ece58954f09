"""Words for what is wrong with the situation of a lesson, with a question about it, or with an answer."""

from __future__ import annotations

from django.utils.translation import gettext as _

from clusters.engine.lessons import problems as wrong
from clusters.wording.lists import alternatives, listed
from clusters.wording.problems.registry import Words, problem_sentence, remedy_sentence, words


@words.register(wrong.NoSuchPod)
def no_such_pod(problem: wrong.NoSuchPod) -> Words:
    """Name the pod."""
    return Words(
        _("There is no pod %(pod)s here.") % {"pod": problem.pod},
        _("Name a pod of the step's objects as namespace/name."),
    )


@words.register(wrong.PodHasNode)
def pod_has_node(problem: wrong.PodHasNode) -> Words:
    """Say that a scheduled pod cannot be the pod in question."""
    return Words(
        _("Pod %(pod)s already runs on node %(node)s.") % {"pod": problem.pod, "node": problem.node},
        _("Remove spec.nodeName from the pod that the step is about, or name another pod."),
    )


@words.register(wrong.PlacedPodRefused)
def placed_pod_refused(problem: wrong.PlacedPodRefused) -> Words:
    """Say who refuses the pod, and why."""
    return Words(
        _("Pod %(pod)s could not have been created, as %(by)s refuses it: %(reason)s")
        % {"pod": problem.pod, "by": problem.by, "reason": problem_sentence(problem.reason)},
        remedy_sentence(problem.reason),
    )


@words.register(wrong.BudgetNotComputed)
def budget_not_computed(problem: wrong.BudgetNotComputed) -> Words:
    """Say which object the budget lacks."""
    return Words(
        _("The status of PodDisruptionBudget %(budget)s depends on %(missing)s, which is not here.")
        % {"budget": problem.budget, "missing": problem.missing},
        _("Add the controller of its pods, or write the number of pods into minAvailable."),
    )


@words.register(wrong.NoPodInQuestion)
def no_pod_in_question(_problem: wrong.NoPodInQuestion) -> Words:
    """Say that the question needs a pod."""
    return Words(_("The question is about a pod, and the step names none."), _("Name the pod under pod."))


@words.register(wrong.PodIsRefused)
def pod_is_refused(problem: wrong.PodIsRefused) -> Words:
    """Say who refuses the pod, and why."""
    return Words(
        _("Pod %(pod)s is not created, as %(by)s refuses it: %(reason)s")
        % {"pod": problem.pod, "by": problem.by, "reason": problem_sentence(problem.reason)},
        remedy_sentence(problem.reason),
    )


@words.register(wrong.PodIsHeldBack)
def pod_is_held_back(problem: wrong.PodIsHeldBack) -> Words:
    """Say that the scheduler does not try the pod."""
    return Words(
        _("Pod %(pod)s does not enter the scheduling queue.") % {"pod": problem.pod},
        _("Remove its scheduling gates, or complete its group."),
    )


@words.register(wrong.AnswerIsUncertain)
def answer_is_uncertain(problem: wrong.AnswerIsUncertain) -> Words:
    """Name what decides and is not computed."""
    return Words(
        _("What becomes of pod %(pod)s is uncertain: %(kinds)s.")
        % {"pod": problem.pod, "kinds": listed(problem.kinds)},
        _("Change the configuration or the pod so that only plugins of Kubernetes decide."),
    )


@words.register(wrong.AttemptFails)
def attempt_fails(problem: wrong.AttemptFails) -> Words:
    """Quote the scheduler's error."""
    return Words(
        _("The attempt to schedule pod %(pod)s ends in an error: %(message)s")
        % {"pod": problem.pod, "message": problem.message},
        _("Change the pod or the configuration so that the attempt has a result."),
    )


@words.register(wrong.NotOneKindOfQuestion)
def not_one_kind_of_question(problem: wrong.NotOneKindOfQuestion) -> Words:
    """Name what was found."""
    found = (
        _("The question has the kinds %(kinds)s.") % {"kinds": listed(problem.found)}
        if problem.found
        else _("The question has no kind.")
    )
    return Words(found, _("Write exactly one of %(known)s.") % {"known": alternatives(problem.known)})
