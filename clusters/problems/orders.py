"""What can be wrong with what somebody asks for: reviews, simulations, studies, replays, upgrades, commands."""

from __future__ import annotations

from clusters.engine.problems import FirstOf, Number, OneOf, Problem, message, plural

# What can be wrong with the order of a capacity review, with its schedule, and with writing it.


class NotOneSubject(Problem, kind="NotOneSubject"):
    sentence = message("It needs a cluster or a simulation.")
    remedy = message("Give one of cluster and run.")


class NoSectionApplies(Problem, kind="NoSectionApplies"):
    """None of the sections can be written about the subject; ``of_clusters`` are not written about simulations."""

    sentence = message("None of these sections applies.")
    remedy = message("Choose others: cost needs prices, run a simulation, %(of_clusters)s a cluster.")

    of_clusters: tuple[str, ...]


class NotPrintable(Problem, kind="NotPrintable"):
    sentence = message("It holds unprintable characters.")
    remedy = message("Write it on one line, without tabs.")


class DaysBesideDates(Problem, kind="DaysBesideDates"):
    sentence = message("It has days beside dates.")
    remedy = message("Remove one of the two.")


class PeriodEndsFirst(Problem, kind="PeriodEndsFirst"):
    sentence = message("The period ends before it begins.")
    remedy = message("Write a later end.")


class PeriodTooLong(Problem, kind="PeriodTooLong"):
    """A period of more than ``most`` days."""

    sentence = message("The period is too long.")
    remedy = message("Choose at most %(most)s days.")

    most: int


class NotSections(Problem, kind="NotSections"):
    sentence = message("%(found)s is not a list of sections.")
    remedy = message("Choose of %(known)s.")

    found: str
    known: tuple[str, ...]


class NotAShapeName(Problem, kind="NotAShapeName"):
    """No name, or one of more than ``most`` characters."""

    sentence = message("%(found)s is not a name.")
    remedy = message("Write 1 to %(most)s characters.")

    found: str
    most: int


class ShapeWithTwoRequests(Problem, kind="ShapeWithTwoRequests"):
    sentence = message("A shape like a workload has its requests.")
    remedy = message("Give only name and like.")


class ShapeWithoutRequests(Problem, kind="ShapeWithoutRequests"):
    sentence = message("The shape requests nothing.")
    remedy = message("Add cpu, memory or another resource.")


class NoSuchCluster(Problem, kind="NoSuchCluster"):
    sentence = message("There is no cluster %(cluster)s.")
    remedy = message("Choose another one.")

    cluster: str


class ClusterNotRead(Problem, kind="ClusterNotRead"):
    sentence = message("Nothing of %(cluster)s has been read yet.")
    remedy = message("Send a dump first.")

    cluster: str


class NoSuchSimulation(Problem, kind="NoSuchSimulation"):
    sentence = message("There is no simulation %(number)s.")
    remedy = message("Write the number in its address.")

    number: Number


class SimulationNotDone(Problem, kind="SimulationNotDone"):
    sentence = message("Simulation %(number)s is not done.")
    remedy = message("Wait, or choose another one.")

    number: Number


class SimulationOfNoCluster(Problem, kind="SimulationOfNoCluster"):
    sentence = message("Simulation %(number)s began with an empty cluster.")
    remedy = message("Choose another one.")

    number: Number


class SimulationDeleted(Problem, kind="SimulationDeleted"):
    sentence = message("Simulation %(number)s was deleted.")
    remedy = message("Choose another one.")

    number: Number


class SimulationReviewed(Problem, kind="SimulationReviewed"):
    """Reviews refer to the simulation: the first of them by name, and ``more``."""

    sentence = message("Reviews refer to this simulation: %(reviews)s.")
    remedy = message("Delete those first.")

    reviews: FirstOf
    total: int


class DatesEachWeek(Problem, kind="DatesEachWeek"):
    sentence = message("A weekly review cannot have fixed dates.")
    remedy = message('Write {"days": 7} or another number.')


class TooManySchedules(Problem, kind="TooManySchedules"):
    sentence = message("%(cluster)s has %(most)s schedules, which is the limit.")
    remedy = message("Remove one first.")

    cluster: str
    most: int


class ClusterChanging(Problem, kind="ClusterChanging"):
    sentence = message("The cluster changed each time it was read.")
    remedy = message("Order the review again.")


class OrderFileNotJson(Problem, kind="OrderFileNotJson"):
    sentence = message("%(path)s is not JSON: %(error)s.")
    remedy = message('Write a map such as {"cluster": "demo"}.')

    path: str
    error: str


class OrderFileWithoutMap(Problem, kind="OrderFileWithoutMap"):
    sentence = message("%(path)s does not hold a map.")
    remedy = message('Write a map such as {"cluster": "demo"}.')

    path: str


class OrderFileTooLong(Problem, kind="OrderFileTooLong"):
    """A file of more than ``most`` bytes."""

    sentence = message("%(path)s is too long.")
    remedy = message("Write at most %(most)s bytes.")

    path: str
    most: int


class OrderFileUnreadable(Problem, kind="OrderFileUnreadable"):
    sentence = message("%(path)s cannot be read: %(error)s.")
    remedy = message("Name another file.")

    path: str
    error: str


class GivenUp(Problem, kind="GivenUp"):
    sentence = message("What went wrong is unknown.")
    remedy = message("Order it again; then look at the worker's log.")


# What can be wrong with the order of a simulation or of a study, and with asking about one.


class NoPodOfWorkload(Problem, kind="NoPodOfWorkload"):
    sentence = message("%(workload)s has no pod to copy.")
    remedy = message("Write requests, or a manifest.")

    workload: str


class NestedTooDeeply(Problem, kind="NestedTooDeeply"):
    sentence = message("It is nested too deeply.")
    remedy = message("Write it with fewer levels.")


# -- simulations -------------------------------------------------------------------------------------------------------


class KindNotSimulated(Problem, kind="KindNotSimulated"):
    sentence = message("Simulations do not read the kind %(found)s.")
    remedy = message("Write a workload, such as a Deployment.")

    found: str


class OnlyOfBatch(Problem, kind="OnlyOfBatch"):
    sentence = message("Only the batch scheduler does that.")
    remedy = message('Write "kind": "batch".')


class NotOfBatch(Problem, kind="NotOfBatch"):
    sentence = message("The batch scheduler looks at every node.")
    remedy = message("Write false.")


class NoClusterNamed(Problem, kind="NoClusterNamed"):
    sentence = message("No cluster is named.")
    remedy = message('Name one, or write "empty".')


class ClusterRemoved(Problem, kind="ClusterRemoved"):
    sentence = message("%(cluster)s was removed.")
    remedy = message("Choose another one.")

    cluster: str


class NoSuchStep(Problem, kind="NoSuchStep"):
    """A step that the simulation has not got; it has ``steps`` so far."""

    sentence = message("There is no step %(step)s.")
    remedy = message("The last is %(steps)s.")

    step: int
    steps: int


class StepWithoutAttempt(Problem, kind="StepWithoutAttempt"):
    sentence = message("No pod was attempted at step %(step)s.")
    remedy = message("Choose another step.")

    step: int


class SimulationUnfinished(Problem, kind="SimulationUnfinished"):
    sentence = message("“%(title)s” is not done.")
    remedy = message("Choose another one.")

    title: str


class WorkersEnded(Problem, kind="WorkersEnded"):
    sentence = plural("%(workers)s worker ended at it.", "%(workers)s workers ended at it.", by="workers")
    remedy = message("Give workers more memory, or ask for less.")

    workers: int


class StoppedEarly(Problem, kind="StoppedEarly"):
    sentence = message("Simulation %(number)s stopped early.")
    remedy = message("Look at its page.")

    number: Number


class WorkFailed(Problem, kind="WorkFailed"):
    sentence = message("Berth failed.")
    remedy = message("See the worker's log.")


class SolverMissing(Problem, kind="SolverMissing"):
    sentence = message("The batch scheduler needs OR-tools, which is not installed.")
    remedy = message("Install requirements-batch.lock, or place pod by pod.")


class FlowUnsolved(Problem, kind="FlowUnsolved"):
    """The solver of the batch scheduler has no answer; ``status`` is its word for why."""

    sentence = message("The flow solver answered %(status)s: too many pods, or numbers too large.")
    remedy = message("Run it with fewer pods, or pod by pod.")

    status: str


# -- manifests ---------------------------------------------------------------------------------------------------------


class NothingSimulated(Problem, kind="NothingSimulated"):
    """Manifests without any object that a simulation reads; ``kinds`` are those of the objects that there are."""

    sentence = (message("It holds nothing that a simulation reads: %(kinds)s."), message("It holds no object."))
    remedy = message("Write a %(known)s.")

    kinds: tuple[str, ...]
    known: OneOf


# -- studies -----------------------------------------------------------------------------------------------------------


class NotOneWorkload(Problem, kind="NotOneWorkload"):
    """A text of ``found`` workloads where one is needed."""

    sentence = message("It holds %(found)s workloads.")
    remedy = message("Write one; a mix has an entry for each.")

    found: int


class NoPodsAdded(Problem, kind="NoPodsAdded"):
    sentence = message("No change adds pods that need nodes.")
    remedy = message("Add a workload.")


# Why a stretch of the journal cannot be scheduled again.


class NoDecisionsThen(Problem, kind="NoDecisionsThen"):
    sentence = message("The journal has no decision in this period.")
    remedy = message("Choose another one.")


class ManyDecisions(Problem, kind="ManyDecisions"):
    sentence = message("The period has %(decisions)s decisions, more than %(most)s.")
    remedy = message("Choose a shorter one.")

    decisions: int
    most: int


class ManyNodeChanges(Problem, kind="ManyNodeChanges"):
    sentence = message("Nodes change at %(moments)s moments of the period, more than %(most)s.")
    remedy = message("Choose a shorter one.")

    moments: int
    most: int


# What can be wrong with asking what an upgrade changes.


class UnknownMinor(Problem, kind="UnknownMinor"):
    """A Kubernetes minor that Berth does not know; ``known`` are those that it does."""

    sentence = message("Kubernetes %(found)s is not known.")
    remedy = message("Choose %(known)s.")

    found: str
    known: OneOf


class NoLaterMinor(Problem, kind="NoLaterMinor"):
    """A minor that is not later than the one that the cluster is answered as; ``later`` are those that are."""

    sentence = message("Kubernetes %(found)s is not later than the cluster's %(runs)s.")
    remedy = (message("Choose %(later)s."), message("No later minor is known."))

    found: str
    runs: str
    later: OneOf


# Why work is not put into the queue.


class TooMuchQueued(Problem, kind="TooMuchQueued"):
    """A user has ``unfinished`` simulations, parts of studies and reviews, and may add to fewer than ``most``."""

    sentence = message("Your unfinished simulations, parts of studies and reviews: %(unfinished)s.")
    remedy = message("Wait until fewer than %(most)s are, or cancel some.")

    unfinished: int
    most: int


# Why there is no answer to a question about a cluster now.


class ChangingTooFast(Problem, kind="ChangingTooFast"):
    sentence = message("%(cluster)s changes too fast to be read.")
    remedy = message("Ask again in a moment.")

    cluster: str


class OverTime(Problem, kind="OverTime"):
    sentence = message("It takes more than %(seconds)s seconds, the limit for one request.")
    remedy = message("Ask for less, or start a simulation.")

    seconds: float


class ManyEvictions(Problem, kind="ManyEvictions"):
    sentence = message("This evicts %(evictions)s pods, more than %(most)s.")
    remedy = message("Choose fewer nodes.")

    evictions: int
    most: int


class LargeResult(Problem, kind="LargeResult"):
    sentence = message("The result is too large.")
    remedy = message("Ask for less.")


class WorkersAway(Problem, kind="WorkersAway"):
    sentence = message("Redis, which passes this on to workers, is unavailable.")
    remedy = message("Try again later, or ask for less.")


# What can be wrong with how a command is called.


class CasesWithOthers(Problem, kind="CasesWithOthers"):
    sentence = message("--cases stands alone.")
    remedy = message("Name dump, pod and configuration in the cases.")


class NothingToRead(Problem, kind="NothingToRead"):
    sentence = message("There is nothing to read.")
    remedy = message("Name a dump, or recorded cases with --cases FILE.")


class ExcludesAllPending(Problem, kind="ExcludesAllPending"):
    sentence = message("%(option)s and --all-pending exclude each other.")
    remedy = message("Remove one of the two.")

    option: str


class NodeNotInDump(Problem, kind="NodeNotInDump"):
    sentence = message("It holds no node %(node)s.")
    remedy = message("Write a node's whole name.")

    node: str


class PodNotInDump(Problem, kind="PodNotInDump"):
    """A dump without the pod that is asked for; ``others`` have its name in other namespaces, ``pending`` wait."""

    sentence = message("It holds no pod %(pod)s.")
    remedy = (
        message("Write --pod with %(others)s."),
        message("Choose one with --pod, or --all-pending: %(pending)s."),
        message("Name one with --pod NAMESPACE/NAME."),
    )

    pod: str
    others: OneOf
    pending: FirstOf
    total: int


class NotOnePending(Problem, kind="NotOnePending"):
    sentence = (
        plural("%(total)s pod is pending.", "%(total)s pods are pending.", by="total"),
        message("No pod is pending."),
    )
    remedy = (
        message("Choose one with --pod, or --all-pending: %(pending)s."),
        message("Name one with --pod NAMESPACE/NAME."),
    )

    pending: FirstOf
    total: int


class Unwritable(Problem, kind="Unwritable"):
    """A file that cannot be written; ``reason`` is the word of the operating system."""

    sentence = message("%(target)s cannot be written: %(reason)s.")
    remedy = message("Name another file with -o.")

    target: str
    reason: str


class DumpNotStored(Problem, kind="DumpNotStored"):
    sentence = message("A run of a dump is not stored.")
    remedy = message("Ingest the dump, and name its cluster.")


class ClusterNotIngested(Problem, kind="ClusterNotIngested"):
    """No cluster of a name has been read; ``known`` are those that have."""

    sentence = message("There is no cluster %(cluster)s.")
    remedy = (message("Write %(known)s."), message("Ingest a dump, or name one with --dump."))

    cluster: str
    known: OneOf


class ReplicasOfNothing(Problem, kind="ReplicasOfNothing"):
    sentence = message("--replicas needs a manifest.")
    remedy = message("Add --manifest, or remove --replicas.")


class TraceWithoutPods(Problem, kind="TraceWithoutPods"):
    sentence = message("--trace-nodes needs pods.")
    remedy = message("Name them with --trace.")


class LargeText(Problem, kind="LargeText"):
    sentence = message("It has more than %(most)s bytes.")
    remedy = message("Shorten or split it.")

    most: int
