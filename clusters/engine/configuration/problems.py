"""Why kube-scheduler would not start with a configuration; what any field can be is with the shared problems."""

from __future__ import annotations

from clusters.engine.problems import OneOf, Problem, message


class NotNamed(Problem, kind="NotNamed"):
    """A field that names something is missing or empty; ``example`` is a value that it could have."""

    sentence = message("There is no %(field)s.")
    remedy = message("Write one, such as %(field)s: %(example)s.")

    field: str
    example: str


class NotAPercentageOfNodes(Problem, kind="NotAPercentageOfNodes"):
    """A percentageOfNodesToScore below 0 or above 100."""

    sentence = message("%(found)s is not a percentage from 0 to 100.")
    remedy = message(
        "Write a whole number from 1 to 100, or 0: kube-scheduler then chooses a percentage from 5 to 50 by the "
        "number of nodes."
    )

    found: int


class NotANumber(Problem, kind="NotANumber"):
    """Something else than a number, with or without a point."""

    sentence = message("%(found)s is not a number.")
    remedy = message("Write a number, without quotes.")

    found: str


class NotADuration(Problem, kind="NotADuration"):
    """A text that is no duration of Go, or one longer than Go can hold."""

    sentence = message("%(found)s is not a duration.")
    remedy = message("Write numbers with units of ns, us, ms, s, m or h, such as 10s.")

    found: str


class NegativeDuration(Problem, kind="NegativeDuration"):
    """A duration below 0."""

    sentence = message("%(found)s is negative.")
    remedy = message("Write 0s, which is no limit, or more.")

    found: str


class GroupWithSlash(Problem, kind="GroupWithSlash"):
    """A group of resources, which stands before the slash, with a slash."""

    sentence = message("%(found)s is not a group of resources: it has a slash.")
    remedy = message("Write only what stands before the slash, such as example.com.")

    found: str


class ResourceTwice(Problem, kind="ResourceTwice"):
    """A resource that is there before, too."""

    sentence = message("The resource %(name)s is there twice.")
    remedy = message("Name each resource once.")

    name: str


class WeightNotOne(Problem, kind="WeightNotOne"):
    """A weight other than 1 where all resources count the same."""

    sentence = message("The weight is %(found)s, and all resources count the same here.")
    remedy = message("Write 1, or leave it out.")

    found: int


class AffinityRefused(Problem, kind="AffinityRefused"):
    """An added node affinity that no pod could have; ``reason`` says what is wrong with it."""

    sentence = message("The node affinity is not valid: %(reason)s.")
    remedy = message("Write it as in the affinity of a pod.")

    reason: str


class ConstraintsBesideSystem(Problem, kind="ConstraintsBesideSystem"):
    """Default constraints where Kubernetes' own are chosen; ``right`` is the type that takes them."""

    sentence = message("The type is %(found)s, but there are defaultConstraints.")
    remedy = message("Write %(right)s, or remove defaultConstraints.")

    found: str
    right: str


class DefaultConstraintTwice(Problem, kind="DefaultConstraintTwice"):
    """A default constraint with the topology key and the action of one before."""

    sentence = message("There is another constraint with topologyKey %(key)s and whenUnsatisfiable %(action)s.")
    remedy = message("Write one constraint for each of these pairs.")

    key: str
    action: str


class SelectorOfDefault(Problem, kind="SelectorOfDefault"):
    """A default constraint with a label selector."""

    sentence = message(
        "A default constraint has no labelSelector: it follows from the Services and controllers of each pod."
    )
    remedy = message("Remove it.")


class NoCandidateNodes(Problem, kind="NoCandidateNodes"):
    """Preemption would look for no candidate: both its percentage and its number of nodes are 0."""

    sentence = message("minCandidateNodesPercentage and minCandidateNodesAbsolute are both 0.")
    remedy = message("Write more than 0 for one of them.")


class BehindFeatureGate(Problem, kind="BehindFeatureGate"):
    """A field that counts only with a feature gate which is off by default."""

    sentence = message("The field needs the feature gate %(gate)s, which is off by default.")
    remedy = message("Remove it.")

    gate: str


class OfAnotherStrategy(Problem, kind="OfAnotherStrategy"):
    """A field of the strategy ``needed`` beside another one, which kube-scheduler refuses from 1.36 on."""

    sentence = message("From Kubernetes 1.36 on the field is refused beside the type %(strategy)s.")
    remedy = message("Remove it, or set the type to %(needed)s.")

    strategy: str
    needed: str


class NoShapePoints(Problem, kind="NoShapePoints"):
    """A scoring function without any point."""

    sentence = message("There are no points.")
    remedy = message("Write at least one point with utilization and score.")


class UtilizationNotRising(Problem, kind="UtilizationNotRising"):
    """A point of a scoring function whose utilization is not above that of the point before."""

    sentence = message("%(found)s is not more than %(before)s, the utilization of the point before.")
    remedy = message("Sort the points by rising utilization.")

    found: int
    before: int


class BinderTwice(Problem, kind="BinderTwice"):
    """A second extender that binds pods."""

    sentence = message("Another extender binds pods already.")
    remedy = message("Let only one of them bind.")


class ScoresWithoutWeight(Problem, kind="ScoresWithoutWeight"):
    """An extender that scores nodes with a weight below 1."""

    sentence = message("The weight is %(found)s, and with a prioritizeVerb it has to be more than 0.")
    remedy = message("Write 1 or more, or remove prioritizeVerb.")

    found: int


class NotAnExtendedResource(Problem, kind="NotAnExtendedResource"):
    """A resource that Kubernetes brings itself, or whose name no extended resource can have."""

    sentence = message("%(found)s is not an extended resource.")
    remedy = message("Write an extended resource such as example.com/device.")

    found: str


class ManagedTwice(Problem, kind="ManagedTwice"):
    """A resource that an extender manages already."""

    sentence = message("The resource %(name)s is managed twice.")
    remedy = message("Let one extender manage it.")

    name: str


class EnablesAll(Problem, kind="EnablesAll"):
    """The star, which stands for all plugins, where plugins are enabled."""

    sentence = message("'*' can only be disabled.")
    remedy = message("Name each plugin to enable.")


class RemovedPlugin(Problem, kind="RemovedPlugin"):
    """A plugin of earlier Kubernetes minors; ``successor`` does its work in ``minor``."""

    sentence = message("Kubernetes %(minor)s has no plugin %(name)s any more.")
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


class EnabledTwice(Problem, kind="EnabledTwice"):
    """A plugin that is enabled twice at one extension point."""

    sentence = message("%(name)s is enabled twice at %(point)s.")
    remedy = message("Enable it once.")

    name: str
    point: str


class NoPluginEnabled(Problem, kind="NoPluginEnabled"):
    """No plugin at an extension point that needs one, such as ``default``."""

    sentence = message("No plugin is enabled.")
    remedy = message("Enable one, such as %(default)s.")

    default: str


class ManyQueueSorts(Problem, kind="ManyQueueSorts"):
    """Several plugins that would sort the queue."""

    sentence = message("More than one plugin would sort the queue.")
    remedy = message("Enable one, and disable the others.")


class ConfiguredTwice(Problem, kind="ConfiguredTwice"):
    """A plugin that has arguments before, too."""

    sentence = message("%(name)s has arguments twice.")
    remedy = message("Merge the two.")

    name: str


class BackoffBelowInitial(Problem, kind="BackoffBelowInitial"):
    """A longest backoff, in seconds, below the first one."""

    sentence = message("%(found)s is less than podInitialBackoffSeconds, %(initial)s.")
    remedy = message("Write %(initial)s or more.")

    found: int
    initial: int


class OtherQueueSort(Problem, kind="OtherQueueSort"):
    """A profile that sorts the queue in another way than the first one."""

    sentence = message("The queue is not sorted as in the first profile, and all profiles share it.")
    remedy = message("Write the same queueSort in all profiles.")


class ProfileNameTwice(Problem, kind="ProfileNameTwice"):
    """A profile with the scheduler name of one before; ``first`` is the field of that profile."""

    sentence = message("%(name)s is also the name of %(first)s.")
    remedy = message("Give each profile a name of its own.")

    name: str
    first: str


class NoScheduler(Problem, kind="NoScheduler"):
    """A pod names a scheduler that is no profile of the configuration, whose profiles are ``known``."""

    sentence = message(
        "No profile has the scheduler name %(found)s, so another scheduler places this pod; the configuration "
        "has %(known)s."
    )
    remedy = message("Name a scheduler that the configuration has.")

    found: str
    known: tuple[str, ...]


class NotOneArgument(Problem, kind="NotOneArgument"):
    """An argument of a Policy's entry that holds none of the possible ones, or several."""

    sentence = message("The argument does not have exactly one of %(known)s.")
    remedy = message("Write exactly one of them.")

    known: tuple[str, ...]


class PriorityTwice(Problem, kind="PriorityTwice"):
    """A second priority with an argument that only one may have; ``first`` is the field of the one before."""

    sentence = message("%(first)s has %(argument)s, too.")
    remedy = message("Write it once.")

    argument: str
    first: str


class PriorityWeightsDiffer(Problem, kind="PriorityWeightsDiffer"):
    """A priority with an argument of the same kind as one before, and another weight."""

    sentence = message("The weight is %(found)s, and a priority of the same kind has %(before)s.")
    remedy = message("Give both the same weight.")

    found: int
    before: int


class PolicyElsewhere(Problem, kind="PolicyElsewhere"):
    """A configuration whose plugins stand in a Policy in another file or in a ConfigMap; ``place`` names it."""

    sentence = (
        message("Predicates and priorities stand in the Policy %(place)s."),
        message("Predicates and priorities stand in a Policy of its own."),
    )
    remedy = message("Give that Policy here instead: it is read and translated, too.")

    place: str


class NoSuchProvider(Problem, kind="NoSuchProvider"):
    """An algorithm provider that Kubernetes never had."""

    sentence = message("%(found)s is not an algorithm provider.")
    remedy = message("Write %(known)s.")

    found: str
    known: OneOf
