"""Words for what is wrong with the situation of a lesson, with a question about it, or with an answer."""

from __future__ import annotations

from django.utils.translation import gettext as _

from clusters.engine.lessons import problems as wrong
from clusters.wording.amounts import grouped
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


@words.register(wrong.DrainOrderUnknown)
def drain_order_unknown(problem: wrong.DrainOrderUnknown) -> Words:
    """Say of which node it is not known which pods go."""
    return Words(
        _("A budget lets some pods of node %(node)s go and not all, and which ones cannot be known.")
        % {"node": problem.node},
        _("Move pods to other nodes, or change the budget, so that it allows all evictions there or none."),
    )


@words.register(wrong.UsageUnknown)
def usage_unknown(problem: wrong.UsageUnknown) -> Words:
    """Name the pod."""
    return Words(
        _("Nobody says how much memory pod %(pod)s uses.") % {"pod": problem.pod}, _("Add the pod to the usage.")
    )


@words.register(wrong.QueueOrderUnknown)
def queue_order_unknown(problem: wrong.QueueOrderUnknown) -> Words:
    """Say what some pods lack."""
    return Words(
        _("Of the pending pods with the priority of %(pod)s, some have a creation time and others have none.")
        % {"pod": problem.pod},
        _("Give all of them a metadata.creationTimestamp, or none."),
    )


@words.register(wrong.NodeDoesNotFit)
def node_does_not_fit(problem: wrong.NodeDoesNotFit) -> Words:
    """Name the plugin that rejects the node."""
    return Words(
        _("Node %(node)s has no score, as %(plugin)s rejects the pod there.")
        % {"node": problem.node, "plugin": problem.plugin},
        _("Name a node that passes every filter."),
    )


@words.register(wrong.PluginDoesNotScore)
def plugin_does_not_score(problem: wrong.PluginDoesNotScore) -> Words:
    """Name the plugin, and those that score."""
    return Words(
        _("%(plugin)s gives the nodes of this pod no score.") % {"plugin": problem.plugin},
        _("Name one of %(plugins)s.") % {"plugins": alternatives(problem.scoring)},
    )


@words.register(wrong.PluginDoesNotFilter)
def plugin_does_not_filter(problem: wrong.PluginDoesNotFilter) -> Words:
    """Name the plugin, and those that filter."""
    return Words(
        _("%(plugin)s does not filter nodes here.") % {"plugin": problem.plugin},
        _("Name one of %(plugins)s.") % {"plugins": alternatives(problem.filtering)},
    )


@words.register(wrong.OnePluginOffered)
def one_plugin_offered(problem: wrong.OnePluginOffered) -> Words:
    """Say that there is nothing to choose."""
    return Words(
        _("Only %(plugin)s is offered, which gives the answer away.") % {"plugin": problem.plugin},
        _("Name other plugins under offers, or leave offers out to offer all that filter."),
    )


@words.register(wrong.NotInSituation)
def not_in_situation(problem: wrong.NotInSituation) -> Words:
    """Name what is missing, and what there is."""
    remedy = _("Name one of %(known)s.") % {"known": alternatives(problem.known)} if problem.known else ""
    return Words(_("There is no %(found)s here.") % {"found": problem.found}, remedy)


@words.register(wrong.StaysForEver)
def stays_for_ever(problem: wrong.StaysForEver) -> Words:
    """Name the pod."""
    return Words(
        _("No taint evicts pod %(pod)s.") % {"pod": problem.pod},
        _("Taint its node NoExecute, or ask about another pod."),
    )


@words.register(wrong.NeverEnds)
def never_ends(problem: wrong.NeverEnds) -> Words:
    """Say how many fit at least."""
    return Words(
        _("More than %(most)s pods like this one fit.") % {"most": grouped(problem.most)},
        _("Let the pod request more, or the nodes have less."),
    )


@words.register(wrong.PodHasNoNode)
def pod_has_no_node(problem: wrong.PodHasNoNode) -> Words:
    """Name the pod."""
    return Words(
        _("Pod %(pod)s is pending.") % {"pod": problem.pod}, _("Give it a node, or ask about a pod that runs.")
    )


@words.register(wrong.NotRequestedToCapacityRatio)
def not_requested_to_capacity_ratio(_problem: wrong.NotRequestedToCapacityRatio) -> Words:
    """Say what the profile lacks."""
    return Words(
        _("The scheduler's profile does not score by RequestedToCapacityRatio."),
        # NodeResourcesFit by name: the strategy is a field of its arguments.
        _("Set it as scoringStrategy of NodeResourcesFit in the step's configuration."),
    )


@words.register(wrong.NotOneGoal)
def not_one_goal(problem: wrong.NotOneGoal) -> Words:
    """Quote what was found."""
    return Words(
        _("%(found)s is not one goal.") % {"found": problem.found},
        _("Write one of %(known)s.") % {"known": alternatives(problem.known)},
    )


@words.register(wrong.GoalsMet)
def goals_met(_problem: wrong.GoalsMet) -> Words:
    """Say that there is nothing to change."""
    return Words(_("The object meets all goals as it is."), _("Add a goal that it does not meet."))


@words.register(wrong.WrongSuffix)
def wrong_suffix(problem: wrong.WrongSuffix) -> Words:
    """Say how the number is written."""
    said = _("%(found)s is not a suffix of this number.") % {"found": problem.found}
    match problem.unit:
        case "cpu":
            return Words(said, _("Write CPU such as 1500m or 1.5."))
        case "bytes":
            return Words(said, _("Write bytes, or a quantity such as 2Gi."))
        case _:
            return Words(said, _("Write the number alone."))


@words.register(wrong.SolutionIsWrong)
def solution_is_wrong(_problem: wrong.SolutionIsWrong) -> Words:
    """Say that the lesson's own answer would be judged wrong."""
    return Words(
        _("The solution does not meet all goals, or changes a field that stays."), _("Correct it, or leave it out.")
    )


@words.register(wrong.NotThatObject)
def not_that_object(problem: wrong.NotThatObject) -> Words:
    """Name both objects."""
    return Words(
        _("This is %(found)s, not %(right)s.") % {"found": problem.found, "right": problem.right},
        _("Keep kind, namespace and name."),
    )


@words.register(wrong.NotAnObjectPath)
def not_an_object_path(problem: wrong.NotAnObjectPath) -> Words:
    """Quote what was found."""
    return Words(
        _("%(found)s names no object.") % {"found": problem.found}, _("Write Kind/name or Kind/namespace/name.")
    )


@words.register(wrong.NotAFieldPath)
def not_a_field_path(problem: wrong.NotAFieldPath) -> Words:
    """Quote what was found."""
    return Words(
        _("%(found)s is not the path of a field.") % {"found": problem.found},
        _("Write names with dots between them, such as %(example)s.") % {"example": "spec.containers[0].resources"},
    )


@words.register(wrong.NoKnownEdit)
def no_known_edit(_problem: wrong.NoKnownEdit) -> Words:
    """Say that there may be other edits."""
    return Words(
        _("No single edit that lifts a requirement of the pod meets all goals."),
        _("Other edits may: see what the explanation compares."),
    )


@words.register(wrong.CapacityUnknown)
def capacity_unknown(problem: wrong.CapacityUnknown) -> Words:
    """Say what the node does not report."""
    return Words(
        _("%(asked)s goes by a capacity that node %(node)s does not report.")
        % {"asked": problem.asked, "node": problem.node},
        _("Give the node that capacity, as of memory or ephemeral-storage, or write a threshold as an amount."),
    )
