"""What can be wrong with the situation of a lesson, with a question about it, or with an answer."""

from __future__ import annotations

from dataclasses import dataclass

from clusters.engine.problems import Problem


@dataclass(frozen=True, slots=True)
class NoSuchPod(Problem):
    """A pod (``namespace/name``) that the situation does not have."""

    pod: str


@dataclass(frozen=True, slots=True)
class PodHasNode(Problem):
    """The pod in question has a node already."""

    pod: str
    node: str


@dataclass(frozen=True, slots=True)
class PlacedPodRefused(Problem):
    """A pod that runs, or that is pending beside the one in question, and that the API server would not create."""

    pod: str
    by: str
    reason: Problem


@dataclass(frozen=True, slots=True)
class BudgetNotComputed(Problem):
    """A PodDisruptionBudget whose status depends on a controller that the situation does not have."""

    budget: str
    missing: str


@dataclass(frozen=True, slots=True)
class NoPodInQuestion(Problem):
    """The question is about the pod in question, and the situation names none."""


@dataclass(frozen=True, slots=True)
class PodIsRefused(Problem):
    """The API server refuses the pod in question, so that no scheduler sees it."""

    pod: str
    by: str
    reason: Problem


@dataclass(frozen=True, slots=True)
class PodIsHeldBack(Problem):
    """Scheduling gates, or its group, keep the pod in question out of the scheduler's queue."""

    pod: str


@dataclass(frozen=True, slots=True)
class AnswerIsUncertain(Problem):
    """Something decides about the pod in question that is not computed; ``kinds`` says of which sorts it is."""

    pod: str
    kinds: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AttemptFails(Problem):
    """The attempt to schedule the pod in question ends in an error; ``message`` is the scheduler's."""

    pod: str
    message: str


@dataclass(frozen=True, slots=True)
class NotOneKindOfQuestion(Problem):
    """A question that has no kind, or several; ``known`` are those that there are."""

    found: tuple[str, ...]
    known: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DrainOrderUnknown(Problem):
    """A node of whose pods a budget lets some go and not all: which of them depends on whose eviction comes first."""

    node: str


@dataclass(frozen=True, slots=True)
class UsageUnknown(Problem):
    """A pod of which nobody says how much memory it uses, so that its rank is not certain."""

    pod: str


@dataclass(frozen=True, slots=True)
class QueueOrderUnknown(Problem):
    """Of pods of one priority some have a time of creation and others, as this one, do not, or the other way round."""

    pod: str


@dataclass(frozen=True, slots=True)
class NodeDoesNotFit(Problem):
    """A node that is not scored, as ``plugin`` rejects the pod in question there."""

    node: str
    plugin: str


@dataclass(frozen=True, slots=True)
class PluginDoesNotScore(Problem):
    """A plugin that gives the nodes of this pod no score; ``scoring`` are those that do."""

    plugin: str
    scoring: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PluginDoesNotFilter(Problem):
    """A plugin that rejects no nodes in the profile of this pod; ``filtering`` are those that may."""

    plugin: str
    filtering: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OnePluginOffered(Problem):
    """The only plugin of which a learner could choose, which says that it is the one that rejects."""

    plugin: str


@dataclass(frozen=True, slots=True)
class NotInSituation(Problem):
    """An object, a resource or a topology domain that the situation does not have; ``known`` are those that it has."""

    found: str
    known: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StaysForEver(Problem):
    """A pod that no NoExecute taint evicts."""

    pod: str


@dataclass(frozen=True, slots=True)
class NeverEnds(Problem):
    """More than ``most`` pods like the one in question fit."""

    most: int


@dataclass(frozen=True, slots=True)
class PodHasNoNode(Problem):
    """A pod that is pending, where one with a node is asked about."""

    pod: str


@dataclass(frozen=True, slots=True)
class NotRequestedToCapacityRatio(Problem):
    """A profile that does not score by RequestedToCapacityRatio."""


@dataclass(frozen=True, slots=True)
class NotOneGoal(Problem):
    """Something else than a goal, or several at once; ``known`` are those that there are."""

    found: str
    known: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GoalsMet(Problem):
    """An object that does not have to be changed, as all goals are met."""


@dataclass(frozen=True, slots=True)
class WrongSuffix(Problem):
    """A number with a suffix that its ``unit`` does not have."""

    found: str
    unit: str


@dataclass(frozen=True, slots=True)
class SolutionIsWrong(Problem):
    """A solution that comes with the lesson and does not meet the goals, or changes what has to stay."""


@dataclass(frozen=True, slots=True)
class NotThatObject(Problem):
    """An answer that is another object than the one to be changed; ``right`` is that one as ``Kind/namespace/name``."""

    found: str
    right: str


@dataclass(frozen=True, slots=True)
class NotAnObjectPath(Problem):
    """Something else than ``Kind/name`` or ``Kind/namespace/name``."""

    found: str


@dataclass(frozen=True, slots=True)
class NotAFieldPath(Problem):
    """Something else than the path of a field, such as ``spec.containers[0].resources``."""

    found: str


@dataclass(frozen=True, slots=True)
class NoKnownEdit(Problem):
    """No edit that the engine knows meets the goals; there may be others."""


@dataclass(frozen=True, slots=True)
class CapacityUnknown(Problem):
    """What is asked for goes by a capacity that the node does not report."""

    node: str
    asked: str
