"""What can be wrong with the situation of a lesson, with a question about it, or with an answer."""

from __future__ import annotations

from clusters.engine.problems import Chosen, OneOf, Problem, message


class NoSuchPod(Problem, kind="NoSuchPod"):
    """A pod (``namespace/name``) that the situation does not have."""

    sentence = message("There is no pod %(pod)s here.")
    remedy = message("Name a pod of the step's objects as namespace/name.")

    pod: str


class PodHasNode(Problem, kind="PodHasNode"):
    """The pod in question has a node already."""

    sentence = message("Pod %(pod)s already runs on node %(node)s.")
    remedy = message("Remove spec.nodeName from the pod that the step is about, or name another pod.")

    pod: str
    node: str


class PlacedPodRefused(Problem, kind="PlacedPodRefused"):
    """A pod that runs, or that is pending beside the one in question, and that the API server would not create."""

    sentence = message("Pod %(pod)s could not have been created, as %(by)s refuses it: %(reason)s")

    pod: str
    by: str
    reason: Problem


class BudgetNotComputed(Problem, kind="BudgetNotComputed"):
    """A PodDisruptionBudget whose status depends on a controller that the situation does not have."""

    sentence = message("The status of PodDisruptionBudget %(budget)s depends on %(missing)s, which is not here.")
    remedy = message("Add the controller of its pods, or write the number of pods into minAvailable.")

    budget: str
    missing: str


class NoPodInQuestion(Problem, kind="NoPodInQuestion"):
    """The question is about the pod in question, and the situation names none."""

    sentence = message("The question is about a pod, and the step names none.")
    remedy = message("Name the pod under pod.")


class PodIsRefused(Problem, kind="PodIsRefused"):
    """The API server refuses the pod in question, so that no scheduler sees it."""

    sentence = message("Pod %(pod)s is not created, as %(by)s refuses it: %(reason)s")

    pod: str
    by: str
    reason: Problem


class PodIsHeldBack(Problem, kind="PodIsHeldBack"):
    """Scheduling gates, or its group, keep the pod in question out of the scheduler's queue."""

    sentence = message("Pod %(pod)s does not enter the scheduling queue.")
    remedy = message("Remove its scheduling gates, or complete its group.")

    pod: str


class AnswerIsUncertain(Problem, kind="AnswerIsUncertain"):
    """Something decides about the pod in question that is not computed; ``kinds`` says of which sorts it is."""

    sentence = message("What becomes of pod %(pod)s is uncertain: %(kinds)s.")
    remedy = message("Change the configuration or the pod so that only plugins of Kubernetes decide.")

    pod: str
    kinds: tuple[str, ...]


class AttemptFails(Problem, kind="AttemptFails"):
    """The attempt to schedule the pod in question ends in an error; ``message`` is the scheduler's."""

    sentence = message("The attempt to schedule pod %(pod)s ends in an error: %(message)s")
    remedy = message("Change the pod or the configuration so that the attempt has a result.")

    pod: str
    message: str


class NotOneKindOfQuestion(Problem, kind="NotOneKindOfQuestion"):
    """A question that has no kind, or several; ``known`` are those that there are."""

    sentence = (message("The question has the kinds %(found)s."), message("The question has no kind."))
    remedy = message("Write exactly one of %(known)s.")

    found: tuple[str, ...]
    known: OneOf


class DrainOrderUnknown(Problem, kind="DrainOrderUnknown"):
    """A node of whose pods a budget lets some go and not all: which of them depends on whose eviction comes first."""

    sentence = message("A budget lets some pods of node %(node)s go and not all, and which ones cannot be known.")
    remedy = message("Move pods to other nodes, or change the budget, so that it allows all evictions there or none.")

    node: str


class UsageUnknown(Problem, kind="UsageUnknown"):
    """A pod of which nobody says how much memory it uses, so that its rank is not certain."""

    sentence = message("Nobody says how much memory pod %(pod)s uses.")
    remedy = message("Add the pod to the usage.")

    pod: str


class QueueOrderUnknown(Problem, kind="QueueOrderUnknown"):
    """Of pods of one priority some have a time of creation and others, as this one, do not, or the other way round."""

    sentence = message(
        "Of the pending pods with the priority of %(pod)s, some have a creation time and others have none."
    )
    remedy = message("Give all of them a metadata.creationTimestamp, or none.")

    pod: str


class NodeDoesNotFit(Problem, kind="NodeDoesNotFit"):
    """A node that is not scored, as ``plugin`` rejects the pod in question there."""

    sentence = message("Node %(node)s has no score, as %(plugin)s rejects the pod there.")
    remedy = message("Name a node that passes every filter.")

    node: str
    plugin: str


class PluginDoesNotScore(Problem, kind="PluginDoesNotScore"):
    """A plugin that gives the nodes of this pod no score; ``scoring`` are those that do."""

    sentence = message("%(plugin)s gives the nodes of this pod no score.")
    remedy = message("Name one of %(scoring)s.")

    plugin: str
    scoring: OneOf


class PluginDoesNotFilter(Problem, kind="PluginDoesNotFilter"):
    """A plugin that rejects no nodes in the profile of this pod; ``filtering`` are those that may."""

    sentence = message("%(plugin)s does not filter nodes here.")
    remedy = message("Name one of %(filtering)s.")

    plugin: str
    filtering: OneOf


class OnePluginOffered(Problem, kind="OnePluginOffered"):
    """The only plugin of which a learner could choose, which says that it is the one that rejects."""

    sentence = message("Only %(plugin)s is offered, which gives the answer away.")
    remedy = message("Name other plugins under offers, or leave offers out to offer all that filter.")

    plugin: str


class NotInSituation(Problem, kind="NotInSituation"):
    """An object, a resource or a topology domain that the situation does not have; ``known`` are those that it has."""

    sentence = message("There is no %(found)s here.")
    remedy = (message("Name one of %(known)s."), "")

    found: str
    known: OneOf


class StaysForEver(Problem, kind="StaysForEver"):
    """A pod that no NoExecute taint evicts."""

    sentence = message("No taint evicts pod %(pod)s.")
    remedy = message("Taint its node NoExecute, or ask about another pod.")

    pod: str


class NeverEnds(Problem, kind="NeverEnds"):
    """More than ``most`` pods like the one in question fit."""

    sentence = message("More than %(most)s pods like this one fit.")
    remedy = message("Let the pod request more, or the nodes have less.")

    most: int


class PodHasNoNode(Problem, kind="PodHasNoNode"):
    """A pod that is pending, where one with a node is asked about."""

    sentence = message("Pod %(pod)s is pending.")
    remedy = message("Give it a node, or ask about a pod that runs.")

    pod: str


class NotRequestedToCapacityRatio(Problem, kind="NotRequestedToCapacityRatio"):
    """A profile that does not score by RequestedToCapacityRatio."""

    sentence = message("The scheduler's profile does not score by RequestedToCapacityRatio.")
    # NodeResourcesFit by name: the strategy is one of its arguments.
    remedy = message("Set it as scoringStrategy of NodeResourcesFit in the step's configuration.")


class NotOneGoal(Problem, kind="NotOneGoal"):
    """Something else than a goal, or several at once; ``known`` are those that there are."""

    sentence = message("%(found)s is not one goal.")
    remedy = message("Write one of %(known)s.")

    found: str
    known: OneOf


class GoalsMet(Problem, kind="GoalsMet"):
    """An object that does not have to be changed, as all goals are met."""

    sentence = message("The object meets all goals as it is.")
    remedy = message("Add a goal that it does not meet.")


class WrongSuffix(Problem, kind="WrongSuffix"):
    """A number with a suffix that its ``unit`` does not have."""

    sentence = message("%(found)s is not a suffix of this number.")
    remedy = Chosen(
        "unit",
        {
            "cpu": message("Write CPU such as 1500m or 1.5."),
            "bytes": message("Write bytes, or a quantity such as 2Gi."),
        },
        message("Write the number alone."),
    )

    found: str
    unit: str


class SolutionIsWrong(Problem, kind="SolutionIsWrong"):
    """A solution that comes with the lesson and does not meet the goals, or changes what has to stay."""

    sentence = message("The solution does not meet all goals, or changes a field that stays.")
    remedy = message("Correct it, or leave it out.")


class NotThatObject(Problem, kind="NotThatObject"):
    """An answer that is another object than the one to be changed; ``right`` is that one as ``Kind/namespace/name``."""

    sentence = message("This is %(found)s, not %(right)s.")
    remedy = message("Keep kind, namespace and name.")

    found: str
    right: str


class NotAnObjectPath(Problem, kind="NotAnObjectPath"):
    """Something else than ``Kind/name`` or ``Kind/namespace/name``."""

    sentence = message("%(found)s names no object.")
    remedy = message("Write Kind/name or Kind/namespace/name.")

    found: str


class NotAFieldPath(Problem, kind="NotAFieldPath"):
    """Something else than the path of a field, such as ``spec.containers[0].resources``."""

    sentence = message("%(found)s is not the path of a field.")
    remedy = message("Write names with dots between them, such as spec.containers[0].resources.")

    found: str


class NoKnownEdit(Problem, kind="NoKnownEdit"):
    """No edit that the engine knows meets the goals; there may be others."""

    sentence = message("No single edit that lifts a requirement of the pod meets all goals.")
    remedy = message("Other edits may: see what the explanation compares.")


class CapacityUnknown(Problem, kind="CapacityUnknown"):
    """What is asked for goes by a capacity that the node does not report."""

    sentence = message("%(asked)s goes by a capacity that node %(node)s does not report.")
    remedy = message(
        "Give the node that capacity, as of memory or ephemeral-storage, or write a threshold as an amount."
    )

    node: str
    asked: str
