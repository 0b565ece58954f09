"""What can be wrong with what somebody asks for: reviews, simulations, studies, replays, upgrades, commands."""

from __future__ import annotations

from dataclasses import dataclass

from clusters.engine.problems import Problem

# What can be wrong with the order of a capacity review, with its schedule, and with writing it.


@dataclass(frozen=True, slots=True)
class NotAnOrder(Problem):
    """Something else than a map."""

    found: str


@dataclass(frozen=True, slots=True)
class UnknownOrderVersion(Problem):
    """A version of orders that this release does not read."""

    found: str


@dataclass(frozen=True, slots=True)
class NotOneSubject(Problem):
    """Neither a cluster nor a simulation is named, or both are."""


@dataclass(frozen=True, slots=True)
class NotAClusterName(Problem):
    """Something else than a name."""

    found: str


@dataclass(frozen=True, slots=True)
class NotASimulationNumber(Problem):
    """Something else than the number of a simulation."""

    found: str


@dataclass(frozen=True, slots=True)
class NoSectionApplies(Problem):
    """None of the sections can be written about the subject; ``of_clusters`` are not written about simulations."""

    of_clusters: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NotPrintable(Problem):
    """A text with control characters or line breaks."""


@dataclass(frozen=True, slots=True)
class NotesTooLong(Problem):
    """Notes of ``size`` bytes, more than ``most``."""

    size: int
    most: int


@dataclass(frozen=True, slots=True)
class NotAPeriod(Problem):
    """Something else than a map."""

    found: str


@dataclass(frozen=True, slots=True)
class DaysBesideDates(Problem):
    """A period with a number of days and a beginning or an end."""


@dataclass(frozen=True, slots=True)
class PeriodEndsFirst(Problem):
    """A period that ends before it begins."""


@dataclass(frozen=True, slots=True)
class PeriodTooLong(Problem):
    """A period of more than ``most`` days."""

    most: int


@dataclass(frozen=True, slots=True)
class NotATime(Problem):
    """Something else than a time with its zone."""

    found: str


@dataclass(frozen=True, slots=True)
class NotSections(Problem):
    """Something else than a list of sections, or an empty one."""

    found: str
    known: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NotShapes(Problem):
    """Something else than a list of shapes of pods."""

    found: str


@dataclass(frozen=True, slots=True)
class NotAShape(Problem):
    """Something else than a map that describes the shape of a pod."""

    found: str


@dataclass(frozen=True, slots=True)
class NotAShapeName(Problem):
    """No name, or one of more than ``most`` characters."""

    found: str
    most: int


@dataclass(frozen=True, slots=True)
class ShapeNameTwice(Problem):
    """Two shapes of one name."""

    found: str


@dataclass(frozen=True, slots=True)
class ShapeWithTwoRequests(Problem):
    """A shape that is like a workload's pods and gives requests of its own."""


@dataclass(frozen=True, slots=True)
class ShapeWithoutRequests(Problem):
    """A shape that requests nothing."""


@dataclass(frozen=True, slots=True)
class NotAResource(Problem):
    """A name that kube-scheduler knows no resource by."""

    found: str


@dataclass(frozen=True, slots=True)
class NegativeAmount(Problem):
    """An amount below 0."""

    found: str


@dataclass(frozen=True, slots=True)
class NotAWorkloadReference(Problem):
    """Something else than the kind, the namespace and the name of a workload."""

    found: str


@dataclass(frozen=True, slots=True)
class NotACurrency(Problem):
    """Something else than a currency's three letters."""

    found: str


@dataclass(frozen=True, slots=True)
class NotAPrice(Problem):
    """Something else than a price of an hour."""

    found: str


@dataclass(frozen=True, slots=True)
class NoSuchCluster(Problem):
    """There is no cluster of this name."""

    cluster: str


@dataclass(frozen=True, slots=True)
class ClusterNotRead(Problem):
    """Nothing of the cluster has been read yet."""

    cluster: str


@dataclass(frozen=True, slots=True)
class NoSuchSimulation(Problem):
    """There is no simulation of this number."""

    number: int


@dataclass(frozen=True, slots=True)
class SimulationNotDone(Problem):
    """The simulation has no result yet, or will have none."""

    number: int


@dataclass(frozen=True, slots=True)
class SimulationOfNoCluster(Problem):
    """The simulation began with an empty cluster."""

    number: int


@dataclass(frozen=True, slots=True)
class SimulationDeleted(Problem):
    """The simulation was deleted before its review was written."""

    number: int


@dataclass(frozen=True, slots=True)
class SimulationReviewed(Problem):
    """Reviews refer to the simulation: the first of them by name, and ``more``."""

    reviews: tuple[str, ...]
    more: int


@dataclass(frozen=True, slots=True)
class DatesEachWeek(Problem):
    """A weekly review of fixed dates."""


@dataclass(frozen=True, slots=True)
class TooManySchedules(Problem):
    """A cluster has as many schedules as it may have."""

    cluster: str
    most: int


@dataclass(frozen=True, slots=True)
class ClusterChanging(Problem):
    """The cluster changed each time while it was read."""


@dataclass(frozen=True, slots=True)
class WritingFailed(Problem):
    """An error of Berth itself ended the writing."""


@dataclass(frozen=True, slots=True)
class OrderFileNotJson(Problem):
    """The order's file is no JSON, and where."""

    path: str
    error: str


@dataclass(frozen=True, slots=True)
class OrderFileWithoutMap(Problem):
    """The order's file holds something else than a map."""

    path: str


@dataclass(frozen=True, slots=True)
class OrderFileTooLong(Problem):
    """A file of more than ``most`` bytes."""

    path: str
    most: int


@dataclass(frozen=True, slots=True)
class OrderFileUnreadable(Problem):
    """A file that the system does not let Berth read."""

    path: str
    error: str


@dataclass(frozen=True, slots=True)
class GivenUp(Problem):
    """A review that was not written, and nothing says why."""


# What can be wrong with the order of a simulation or of a study, and with asking about one.


@dataclass(frozen=True, slots=True)
class NoPodOfWorkload(Problem):
    """A workload without a pod whose like could be placed."""

    workload: str


@dataclass(frozen=True, slots=True)
class NotJson(Problem):
    """Something that cannot be written as JSON; ``said`` is the encoder's message."""

    said: str


@dataclass(frozen=True, slots=True)
class NotUtf8(Problem):
    """A text that is not UTF-8."""


@dataclass(frozen=True, slots=True)
class TooManyBytes(Problem):
    """An order or a text of ``size`` bytes, more than ``most``."""

    size: int
    most: int


@dataclass(frozen=True, slots=True)
class NestedTooDeeply(Problem):
    """A document with more levels than any manifest has."""


@dataclass(frozen=True, slots=True)
class NoEntries(Problem):
    """A list or a map that needs one entry at least."""


# -- simulations -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class NotAChange(Problem):
    """Something else than a map with a change."""

    found: str


@dataclass(frozen=True, slots=True)
class KindNotSimulated(Problem):
    """A manifest of a kind that no change adds."""

    found: str


@dataclass(frozen=True, slots=True)
class OnlyOfBatch(Problem):
    """A setting that only the batch scheduler has."""


@dataclass(frozen=True, slots=True)
class NotOfBatch(Problem):
    """A setting that the batch scheduler has not got."""


@dataclass(frozen=True, slots=True)
class NoClusterNamed(Problem):
    """A simulation that begins with a cluster, and names none."""


@dataclass(frozen=True, slots=True)
class ClusterUnread(Problem):
    """A cluster of which nothing has been read yet."""

    cluster: str


@dataclass(frozen=True, slots=True)
class ClusterRemoved(Problem):
    """A cluster that was removed while the order was stored."""

    cluster: str


@dataclass(frozen=True, slots=True)
class NoSuchStep(Problem):
    """A step that the simulation has not got; it has ``steps`` so far."""

    step: int
    steps: int


@dataclass(frozen=True, slots=True)
class StepWithoutAttempt(Problem):
    """A step at which no pod was attempted."""

    step: int


@dataclass(frozen=True, slots=True)
class SimulationUnfinished(Problem):
    """A simulation that is to be compared, and is not done."""

    title: str


@dataclass(frozen=True, slots=True)
class WorkersEnded(Problem):
    """So many workers ended while they worked on a simulation, a part of a study or a review."""

    workers: int


@dataclass(frozen=True, slots=True)
class StoppedEarly(Problem):
    """A simulation that ended before its end, and nothing says why."""

    number: int


@dataclass(frozen=True, slots=True)
class WorkFailed(Problem):
    """Berth failed while it worked on a simulation or on a part of a study."""


@dataclass(frozen=True, slots=True)
class FlowUnsolved(Problem):
    """The solver of the batch scheduler has no answer; ``status`` is its word for why."""

    status: str


# -- manifests ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TooManyObjects(Problem):
    """Manifests of more than ``most`` objects."""

    most: int


@dataclass(frozen=True, slots=True)
class NothingSimulated(Problem):
    """Manifests without any object that a simulation reads; ``kinds`` are those of the objects that there are."""

    kinds: tuple[str, ...]
    known: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NotItsApi(Problem):
    """An API version that has no such kind; ``known`` are those that have."""

    found: str
    kind_of_object: str
    known: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TooManyReplicas(Problem):
    """A workload of more than ``most`` pods."""

    most: int


# -- studies -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class NotOneWorkload(Problem):
    """A text of ``found`` workloads where one is needed."""

    found: int


@dataclass(frozen=True, slots=True)
class NoPodsAdded(Problem):
    """A study of the nodes that pods need, without changes that add pods."""


@dataclass(frozen=True, slots=True)
class LabelTwice(Problem):
    """A label that two configurations have."""

    found: str


# Why a stretch of the journal cannot be scheduled again.


@dataclass(frozen=True, slots=True)
class BackwardStretch(Problem):
    """A stretch of time that ends before it begins."""


@dataclass(frozen=True, slots=True)
class NoDecisionsThen(Problem):
    """A stretch of time in which the journal has no attempt to schedule a pod."""


@dataclass(frozen=True, slots=True)
class ManyDecisions(Problem):
    """A stretch of time with more decisions than are replayed."""

    decisions: int
    most: int


@dataclass(frozen=True, slots=True)
class ManyNodeChanges(Problem):
    """A stretch of time in which nodes change at more moments than are replayed."""

    moments: int
    most: int


# What can be wrong with asking what an upgrade changes.


@dataclass(frozen=True, slots=True)
class UnknownMinor(Problem):
    """A Kubernetes minor that Berth does not know; ``known`` are those that it does."""

    found: str
    known: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NoLaterMinor(Problem):
    """A minor that is not later than the one that the cluster is answered as; ``later`` are those that are."""

    found: str
    runs: str
    later: tuple[str, ...]


# Why work is not put into the queue.


@dataclass(frozen=True, slots=True)
class TooMuchQueued(Problem):
    """A user has ``unfinished`` simulations, parts of studies and reviews, and may add to fewer than ``most``."""

    unfinished: int
    most: int


# Why there is no answer to a question about a cluster now.


@dataclass(frozen=True, slots=True)
class ChangingTooFast(Problem):
    """A cluster that changed each of so many times that it was read."""

    cluster: str
    times: int


@dataclass(frozen=True, slots=True)
class OverTime(Problem):
    """An answer that takes more than so many seconds of computing."""

    seconds: float


@dataclass(frozen=True, slots=True)
class ManyEvictions(Problem):
    """A drain of more evictions than are planned."""

    evictions: int
    most: int


@dataclass(frozen=True, slots=True)
class LargeResult(Problem):
    """What a worker found out is too large to be kept."""


@dataclass(frozen=True, slots=True)
class WorkersAway(Problem):
    """Redis is away, by which workers are asked and which keeps what they find out."""


# What can be wrong with how a command is called.


@dataclass(frozen=True, slots=True)
class CasesWithOthers(Problem):
    """Recorded cases beside a dump, a pod or a configuration."""


@dataclass(frozen=True, slots=True)
class UnknownOutput(Problem):
    """A form of output that there is not."""

    found: str


@dataclass(frozen=True, slots=True)
class NothingToRead(Problem):
    """Neither a dump nor recorded cases are named."""


@dataclass(frozen=True, slots=True)
class ExcludesAllPending(Problem):
    """An option that asks about one, and the one that asks about all pending pods."""

    option: str


@dataclass(frozen=True, slots=True)
class NodeNotInDump(Problem):
    """A dump without the node that is asked for."""

    node: str


@dataclass(frozen=True, slots=True)
class PodNotInDump(Problem):
    """A dump without the pod that is asked for; ``others`` have its name in other namespaces, ``pending`` wait."""

    pod: str
    others: tuple[str, ...]
    pending: tuple[str, ...]
    pending_count: int


@dataclass(frozen=True, slots=True)
class NotOnePending(Problem):
    """A dump with several pending pods, or with none, and none is named."""

    pending: tuple[str, ...]
    pending_count: int


@dataclass(frozen=True, slots=True)
class Unwritable(Problem):
    """A file that cannot be written; ``reason`` is the word of the operating system."""

    target: str
    reason: str


@dataclass(frozen=True, slots=True)
class DumpNotStored(Problem):
    """A run of a dump is asked to be stored."""


@dataclass(frozen=True, slots=True)
class ClusterNotIngested(Problem):
    """No cluster of a name has been read; ``known`` are those that have."""

    cluster: str
    known: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReplicasOfNothing(Problem):
    """A number of replicas without a manifest."""


@dataclass(frozen=True, slots=True)
class TraceWithoutPods(Problem):
    """Nodes of a trace without its pods."""


@dataclass(frozen=True, slots=True)
class ChangeNotJson(Problem):
    """A change that is no JSON; ``reason`` is the word of the library that reads it."""

    reason: str


@dataclass(frozen=True, slots=True)
class TextNotUtf8(Problem):
    """A file of text that is not UTF-8."""


@dataclass(frozen=True, slots=True)
class LargeText(Problem):
    """A file of text of more bytes than are read."""

    most: int
