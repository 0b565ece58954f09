"""Why kube-scheduler would not start with a configuration; what any field can be is with the shared problems."""

from __future__ import annotations

from dataclasses import dataclass

from clusters.engine.problems import Problem


@dataclass(frozen=True, slots=True)
class NotNamed(Problem):
    """A field that names something is missing or empty; ``example`` is a value that it could have."""

    field: str
    example: str


@dataclass(frozen=True, slots=True)
class NotAPercentageOfNodes(Problem):
    """A percentageOfNodesToScore below 0 or above 100."""

    found: int


@dataclass(frozen=True, slots=True)
class NotANumber(Problem):
    """Something else than a number, with or without a point."""

    found: str


@dataclass(frozen=True, slots=True)
class NotADuration(Problem):
    """A text that is no duration of Go, or one longer than Go can hold."""

    found: str


@dataclass(frozen=True, slots=True)
class NegativeDuration(Problem):
    """A duration below 0."""

    found: str


@dataclass(frozen=True, slots=True)
class GroupWithSlash(Problem):
    """A group of resources, which stands before the slash, with a slash."""

    found: str


@dataclass(frozen=True, slots=True)
class ResourceTwice(Problem):
    """A resource that is there before, too."""

    name: str


@dataclass(frozen=True, slots=True)
class WeightNotOne(Problem):
    """A weight other than 1 where all resources count the same."""

    found: int


@dataclass(frozen=True, slots=True)
class AffinityRefused(Problem):
    """An added node affinity that no pod could have; ``reason`` says what is wrong with it."""

    reason: str


@dataclass(frozen=True, slots=True)
class ConstraintsBesideSystem(Problem):
    """Default constraints where Kubernetes' own are chosen; ``right`` is the type that takes them."""

    found: str
    right: str


@dataclass(frozen=True, slots=True)
class DefaultConstraintTwice(Problem):
    """A default constraint with the topology key and the action of one before."""

    key: str
    action: str


@dataclass(frozen=True, slots=True)
class SelectorOfDefault(Problem):
    """A default constraint with a label selector."""


@dataclass(frozen=True, slots=True)
class NoCandidateNodes(Problem):
    """Preemption would look for no candidate: both its percentage and its number of nodes are 0."""


@dataclass(frozen=True, slots=True)
class BehindFeatureGate(Problem):
    """A field that counts only with a feature gate which is off by default."""

    gate: str


@dataclass(frozen=True, slots=True)
class OfAnotherStrategy(Problem):
    """A field of the strategy ``needed`` beside another one, which kube-scheduler refuses from 1.36 on."""

    strategy: str
    needed: str


@dataclass(frozen=True, slots=True)
class NoShapePoints(Problem):
    """A scoring function without any point."""


@dataclass(frozen=True, slots=True)
class UtilizationNotRising(Problem):
    """A point of a scoring function whose utilization is not above that of the point before."""

    found: int
    before: int


@dataclass(frozen=True, slots=True)
class BinderTwice(Problem):
    """A second extender that binds pods."""


@dataclass(frozen=True, slots=True)
class ScoresWithoutWeight(Problem):
    """An extender that scores nodes with a weight below 1."""

    found: int


@dataclass(frozen=True, slots=True)
class NotAnExtendedResource(Problem):
    """A resource that Kubernetes brings itself, or whose name no extended resource can have."""

    found: str


@dataclass(frozen=True, slots=True)
class ManagedTwice(Problem):
    """A resource that an extender manages already."""

    name: str


@dataclass(frozen=True, slots=True)
class EnablesAll(Problem):
    """The star, which stands for all plugins, where plugins are enabled."""


@dataclass(frozen=True, slots=True)
class RemovedPlugin(Problem):
    """A plugin of earlier Kubernetes minors; ``successor`` does its work in ``minor``."""

    name: str
    minor: str
    successor: str


@dataclass(frozen=True, slots=True)
class NotAtPoint(Problem):
    """A plugin enabled at an extension point where it does nothing; ``possible`` are those where it does."""

    name: str
    point: str
    possible: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class EnabledTwice(Problem):
    """A plugin that is enabled twice at one extension point."""

    name: str
    point: str


@dataclass(frozen=True, slots=True)
class NoPluginEnabled(Problem):
    """No plugin at an extension point that needs one, such as ``default``."""

    default: str


@dataclass(frozen=True, slots=True)
class ManyQueueSorts(Problem):
    """Several plugins that would sort the queue."""


@dataclass(frozen=True, slots=True)
class ConfiguredTwice(Problem):
    """A plugin that has arguments before, too."""

    name: str


@dataclass(frozen=True, slots=True)
class BackoffBelowInitial(Problem):
    """A longest backoff, in seconds, below the first one."""

    found: int
    initial: int


@dataclass(frozen=True, slots=True)
class OtherQueueSort(Problem):
    """A profile that sorts the queue in another way than the first one."""


@dataclass(frozen=True, slots=True)
class ProfileNameTwice(Problem):
    """A profile with the scheduler name of one before; ``first`` is the field of that profile."""

    name: str
    first: str


@dataclass(frozen=True, slots=True)
class NoScheduler(Problem):
    """A pod names a scheduler that is no profile of the configuration, whose profiles are ``known``."""

    found: str
    known: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NotOneArgument(Problem):
    """An argument of a Policy's entry that holds none of the possible ones, or several."""

    known: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PriorityTwice(Problem):
    """A second priority with an argument that only one may have; ``first`` is the field of the one before."""

    argument: str
    first: str


@dataclass(frozen=True, slots=True)
class PriorityWeightsDiffer(Problem):
    """A priority with an argument of the same kind as one before, and another weight."""

    found: int
    before: int


@dataclass(frozen=True, slots=True)
class PolicyElsewhere(Problem):
    """A configuration whose plugins stand in a Policy in another file or in a ConfigMap; ``place`` names it."""

    place: str


@dataclass(frozen=True, slots=True)
class NoSuchProvider(Problem):
    """An algorithm provider that Kubernetes never had."""

    found: str
    known: tuple[str, ...]
