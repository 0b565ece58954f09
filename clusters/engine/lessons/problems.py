"""What can be wrong with the situation of a lesson, with a question about it, or with an answer."""

from __future__ import annotations

from clusters.engine.problems import Problem, message


class PodHasNode(Problem, kind="PodHasNode"):
    sentence = message("Pod %(pod)s already runs on node %(node)s.")
    remedy = message("Remove its spec.nodeName, or name another pod.")

    pod: str
    node: str


class BudgetNotComputed(Problem, kind="BudgetNotComputed"):
    """A PodDisruptionBudget whose status depends on a controller that the situation does not have."""

    sentence = message("PodDisruptionBudget %(budget)s needs %(missing)s, which is not here.")
    remedy = message("Add it, or write a number into minAvailable.")

    budget: str
    missing: str


class PodIsRefused(Problem, kind="PodIsRefused"):
    sentence = message("%(by)s refuses pod %(pod)s: %(reason)s")

    pod: str
    by: str
    reason: Problem


class PodIsHeldBack(Problem, kind="PodIsHeldBack"):
    sentence = message("Pod %(pod)s does not enter the scheduling queue.")
    remedy = message("Remove its gates, or complete its group.")

    pod: str


class AnswerIsUncertain(Problem, kind="AnswerIsUncertain"):
    """Something decides about the pod in question that is not computed; ``kinds`` says of which sorts it is."""

    sentence = message("The result of pod %(pod)s is uncertain: %(kinds)s.")
    remedy = message("Let only plugins of Kubernetes decide.")

    pod: str
    kinds: tuple[str, ...]


class AttemptFails(Problem, kind="AttemptFails"):
    """The attempt to schedule the pod in question ends in an error; ``message`` is the scheduler's."""

    sentence = message("Scheduling pod %(pod)s ends in an error: %(message)s")
    remedy = message("Change the pod or the configuration.")

    pod: str
    message: str


class DrainOrderUnknown(Problem, kind="DrainOrderUnknown"):
    sentence = message("A budget allows only some evictions on node %(node)s, and which ones is unknown.")
    remedy = message("Let it allow all there or none.")

    node: str


class UsageUnknown(Problem, kind="UsageUnknown"):
    sentence = message("The memory usage of pod %(pod)s is unknown.")
    remedy = message("Add the pod to the usage.")

    pod: str


class QueueOrderUnknown(Problem, kind="QueueOrderUnknown"):
    sentence = message("Only some pending pods with the priority of %(pod)s have a creation time.")
    remedy = message("Give all a metadata.creationTimestamp, or none.")

    pod: str


class NodeDoesNotFit(Problem, kind="NodeDoesNotFit"):
    """A node that is not scored, as ``plugin`` rejects the pod in question there."""

    sentence = message("Node %(node)s has no score: %(plugin)s rejects the pod there.")
    remedy = message("Name a node that passes every filter.")

    node: str
    plugin: str


class OnePluginOffered(Problem, kind="OnePluginOffered"):
    sentence = message("Only %(plugin)s is offered, which gives the answer away.")
    remedy = message("Offer others, or leave offers out.")

    plugin: str


class StaysForEver(Problem, kind="StaysForEver"):
    sentence = message("No taint evicts pod %(pod)s.")
    remedy = message("Taint its node NoExecute, or ask about another pod.")

    pod: str


class NeverEnds(Problem, kind="NeverEnds"):
    """More than ``most`` pods like the one in question fit."""

    sentence = message("More than %(most)s pods like this one fit.")
    remedy = message("Raise its requests, or lower what nodes have.")

    most: int


class PodHasNoNode(Problem, kind="PodHasNoNode"):
    sentence = message("Pod %(pod)s is pending.")
    remedy = message("Give it a node, or ask about a running pod.")

    pod: str


class NotRequestedToCapacityRatio(Problem, kind="NotRequestedToCapacityRatio"):
    sentence = message("The profile does not score by RequestedToCapacityRatio.")
    # NodeResourcesFit by name: the strategy is one of its arguments.
    remedy = message("Set it as scoringStrategy of NodeResourcesFit.")


class GoalsMet(Problem, kind="GoalsMet"):
    sentence = message("The object meets all goals already.")
    remedy = message("Add a goal that it does not meet.")


class SolutionIsWrong(Problem, kind="SolutionIsWrong"):
    sentence = message("The solution misses a goal, or changes a field that stays.")
    remedy = message("Correct it, or leave it out.")


class NoKnownEdit(Problem, kind="NoKnownEdit"):
    sentence = message("No single edit meets all goals.")
    remedy = message("See what the explanation compares.")


class CapacityUnknown(Problem, kind="CapacityUnknown"):
    sentence = message("Node %(node)s does not report the capacity that %(asked)s needs.")
    remedy = message("Add that capacity, or write an amount.")

    node: str
    asked: str
