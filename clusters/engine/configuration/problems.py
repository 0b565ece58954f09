"""Why kube-scheduler would not start with a configuration; what any field can be is with the shared problems."""

from __future__ import annotations

from clusters.engine.problems import OneOf, Problem, message


class WeightNotOne(Problem, kind="WeightNotOne"):
    """A weight other than 1 where all resources count the same."""

    sentence = message("The weight is %(found)s, but must be 1.")
    remedy = message("Write 1, or leave it out.")

    found: int


class AffinityRefused(Problem, kind="AffinityRefused"):
    """An added node affinity that no pod could have; ``reason`` says what is wrong with it."""

    sentence = message("The node affinity is not valid: %(reason)s.")
    remedy = message("Write it as in a pod.")

    reason: str


class ConstraintsBesideSystem(Problem, kind="ConstraintsBesideSystem"):
    """Default constraints where Kubernetes' own are chosen; ``right`` is the type that takes them."""

    sentence = message("The type %(found)s takes no defaultConstraints.")
    remedy = message("Write %(right)s, or remove them.")

    found: str
    right: str


class DefaultConstraintTwice(Problem, kind="DefaultConstraintTwice"):
    sentence = message("Another constraint has topologyKey %(key)s and whenUnsatisfiable %(action)s.")
    remedy = message("Remove one of the two.")

    key: str
    action: str


class SelectorOfDefault(Problem, kind="SelectorOfDefault"):
    sentence = message("A default constraint has no labelSelector.")
    remedy = message("Remove it.")


class NoCandidateNodes(Problem, kind="NoCandidateNodes"):
    """Preemption would look for no candidate: both its percentage and its number of nodes are 0."""

    sentence = message("Both minCandidateNodes fields are 0.")
    remedy = message("Write 1 or more for one of them.")


class BehindFeatureGate(Problem, kind="BehindFeatureGate"):
    sentence = message("It needs the feature gate %(gate)s, which is off by default.")
    remedy = message("Remove it.")

    gate: str


class OfAnotherStrategy(Problem, kind="OfAnotherStrategy"):
    """A field of the strategy ``needed`` beside another one, which kube-scheduler refuses from 1.36 on."""

    sentence = message("From Kubernetes 1.36 on, %(strategy)s does not take it.")
    remedy = message("Remove it, or set the type to %(needed)s.")

    strategy: str
    needed: str


class UtilizationNotRising(Problem, kind="UtilizationNotRising"):
    sentence = message("%(found)s is not above %(before)s, the point before.")
    remedy = message("Sort the points by utilization.")

    found: int
    before: int


class BinderTwice(Problem, kind="BinderTwice"):
    sentence = message("Another extender binds pods already.")
    remedy = message("Let one bind.")


class ScoresWithoutWeight(Problem, kind="ScoresWithoutWeight"):
    """An extender that scores nodes with a weight below 1."""

    sentence = message("prioritizeVerb needs a weight above 0, not %(found)s.")
    remedy = message("Write 1 or more, or remove prioritizeVerb.")

    found: int


class EnablesAll(Problem, kind="EnablesAll"):
    sentence = message("'*' can only be disabled.")
    remedy = message("Name each plugin to enable.")


class RemovedPlugin(Problem, kind="RemovedPlugin"):
    """A plugin of earlier Kubernetes minors; ``successor`` does its work in ``minor``."""

    sentence = message("Kubernetes %(minor)s has no plugin %(name)s.")
    remedy = message("Use %(successor)s.")

    name: str
    minor: str
    successor: str


class NotAtPoint(Problem, kind="NotAtPoint"):
    """A plugin enabled at an extension point where it does nothing; ``possible`` are those where it does."""

    sentence = message("%(name)s has no part in %(point)s.")
    remedy = message("Enable it at %(possible)s.")

    name: str
    point: str
    possible: OneOf


class NoPluginEnabled(Problem, kind="NoPluginEnabled"):
    """No plugin at an extension point that needs one, such as ``default``."""

    sentence = message("No plugin is enabled.")
    remedy = message("Enable one, such as %(default)s.")

    default: str


class ManyQueueSorts(Problem, kind="ManyQueueSorts"):
    sentence = message("More than one plugin sorts the queue.")
    remedy = message("Enable one.")


class OtherQueueSort(Problem, kind="OtherQueueSort"):
    sentence = message("All profiles share one queueSort.")
    remedy = message("Write the same in all profiles.")


class ProfileNameTwice(Problem, kind="ProfileNameTwice"):
    """A profile with the scheduler name of one before; ``first`` is the field of that profile."""

    sentence = message("%(name)s is also the name of %(first)s.")
    remedy = message("Choose another name.")

    name: str
    first: str


class NoScheduler(Problem, kind="NoScheduler"):
    """A pod names a scheduler that is no profile of the configuration, whose profiles are ``known``."""

    sentence = message("Another scheduler, %(found)s, places this pod; the configuration has %(known)s.")
    remedy = message("Name a scheduler that the configuration has.")

    found: str
    known: tuple[str, ...]


class NotOneArgument(Problem, kind="NotOneArgument"):
    sentence = message("The argument needs exactly one of %(known)s.")
    remedy = message("Write one of them.")

    known: tuple[str, ...]


class PriorityTwice(Problem, kind="PriorityTwice"):
    """A second priority with an argument that only one may have; ``first`` is the field of the one before."""

    sentence = message("%(first)s has %(argument)s, too.")
    remedy = message("Remove one of the two.")

    argument: str
    first: str


class PriorityWeightsDiffer(Problem, kind="PriorityWeightsDiffer"):
    sentence = message("The weight is %(found)s, but %(before)s in a priority of the same kind.")
    remedy = message("Give both the same weight.")

    found: int
    before: int


class PolicyElsewhere(Problem, kind="PolicyElsewhere"):
    """A configuration whose plugins stand in a Policy in another file or in a ConfigMap; ``place`` names it."""

    sentence = (
        message("Predicates and priorities stand in the Policy %(place)s."),
        message("Predicates and priorities stand in a Policy."),
    )
    remedy = message("Give that Policy here.")

    place: str
