"""What can be wrong with what somebody asks for: reviews, simulations, studies, replays, upgrades, commands."""

from __future__ import annotations

from clusters.engine.problems import FirstOf, Number, OneOf, Problem, message, plural

# What can be wrong with the order of a capacity review, with its schedule, and with writing it.


class NotAnOrder(Problem, kind="NotAnOrder"):
    """Something else than a map."""

    sentence = message("%(found)s is not an order.")
    remedy = message('Write a map such as {"cluster": "demo"}.')

    found: str


class UnknownOrderVersion(Problem, kind="UnknownOrderVersion"):
    """A version of orders that this release does not read."""

    sentence = message("%(found)s is not a known version.")
    remedy = message("Write 1, or leave it out.")

    found: str


class NotOneSubject(Problem, kind="NotOneSubject"):
    """Neither a cluster nor a simulation is named, or both are."""

    sentence = message("A review is about a cluster or about a simulation.")
    remedy = message("Give exactly one of cluster and run.")


class NotAClusterName(Problem, kind="NotAClusterName"):
    """Something else than a name."""

    sentence = message("%(found)s is not the name of a cluster.")
    remedy = message("Write the cluster's name.")

    found: str


class NotASimulationNumber(Problem, kind="NotASimulationNumber"):
    """Something else than the number of a simulation."""

    sentence = message("%(found)s is not the number of a simulation.")
    remedy = message("Write the number in the simulation's address.")

    found: str


class NoSectionApplies(Problem, kind="NoSectionApplies"):
    """None of the sections can be written about the subject; ``of_clusters`` are not written about simulations."""

    sentence = message("None of these sections can be written about what was named.")
    remedy = message("Choose others: cost needs prices, run is of simulations, and %(of_clusters)s are of clusters.")

    of_clusters: tuple[str, ...]


class NotPrintable(Problem, kind="NotPrintable"):
    """A text with control characters or line breaks."""

    sentence = message("It holds characters that cannot be printed.")
    remedy = message("Write it on one line, without tabs.")


class NotesTooLong(Problem, kind="NotesTooLong"):
    """Notes of ``size`` bytes, more than ``most``."""

    sentence = plural("They have %(size)s byte.", "They have %(size)s bytes.", by="size")
    remedy = message("Write at most %(most)s bytes.")

    size: int
    most: int


class NotAPeriod(Problem, kind="NotAPeriod"):
    """Something else than a map."""

    sentence = message("%(found)s is not a period.")
    remedy = message('Write {"days": 28}, or "from" and "to".')

    found: str


class DaysBesideDates(Problem, kind="DaysBesideDates"):
    """A period with a number of days and a beginning or an end."""

    sentence = message("It has days beside a beginning or an end.")
    remedy = message("Give days alone.")


class PeriodEndsFirst(Problem, kind="PeriodEndsFirst"):
    """A period that ends before it begins."""

    sentence = message("The period ends before it begins.")
    remedy = message("Write a later time.")


class PeriodTooLong(Problem, kind="PeriodTooLong"):
    """A period of more than ``most`` days."""

    sentence = message("The period is too long.")
    remedy = message("Choose at most %(most)s days.")

    most: int


class NotATime(Problem, kind="NotATime"):
    """Something else than a time with its zone."""

    sentence = message("%(found)s is not a time.")
    remedy = message("Write it as in 2026-01-31T12:00:00Z.")

    found: str


class NotSections(Problem, kind="NotSections"):
    """Something else than a list of sections, or an empty one."""

    sentence = message("%(found)s is not a list of sections.")
    remedy = message("Choose of %(known)s.")

    found: str
    known: tuple[str, ...]


class NotShapes(Problem, kind="NotShapes"):
    """Something else than a list of shapes of pods."""

    sentence = message("%(found)s is not a list.")
    remedy = message('Write [{"name": "web", "cpu": "500m"}].')

    found: str


class NotAShape(Problem, kind="NotAShape"):
    """Something else than a map that describes the shape of a pod."""

    sentence = message("%(found)s is not the shape of a pod.")
    remedy = message('Write {"name": "web", "cpu": "500m"}.')

    found: str


class NotAShapeName(Problem, kind="NotAShapeName"):
    """No name, or one of more than ``most`` characters."""

    sentence = message("%(found)s is not a name.")
    remedy = message("Write 1 to %(most)s characters.")

    found: str
    most: int


class ShapeNameTwice(Problem, kind="ShapeNameTwice"):
    """Two shapes of one name."""

    sentence = message("Two shapes have the name %(found)s.")
    remedy = message("Give one of them another name.")

    found: str


class ShapeWithTwoRequests(Problem, kind="ShapeWithTwoRequests"):
    """A shape that is like a workload's pods and gives requests of its own."""

    sentence = message("A shape like a workload's pods has their requests.")
    remedy = message("Give only name and like.")


class ShapeWithoutRequests(Problem, kind="ShapeWithoutRequests"):
    """A shape that requests nothing."""

    sentence = message("The shape requests nothing.")
    remedy = message("Give it cpu, memory or another resource.")


class NotAResource(Problem, kind="NotAResource"):
    """A name that kube-scheduler knows no resource by."""

    sentence = message("kube-scheduler knows no resource %(found)s.")
    remedy = message("Write one such as nvidia.com/gpu.")

    found: str


class NegativeAmount(Problem, kind="NegativeAmount"):
    """An amount below 0."""

    sentence = message("%(found)s is negative.")
    remedy = message("Write an amount of 0 or more.")

    found: str


class NotAWorkloadReference(Problem, kind="NotAWorkloadReference"):
    """Something else than the kind, the namespace and the name of a workload."""

    sentence = message("%(found)s does not name a workload.")
    remedy = message('Write {"kind": "Deployment", "namespace": "shop", "name": "web"}.')

    found: str


class NotACurrency(Problem, kind="NotACurrency"):
    """Something else than a currency's three letters."""

    sentence = message("%(found)s is not a currency.")
    remedy = message("Write three letters such as EUR.")

    found: str


class NotAPrice(Problem, kind="NotAPrice"):
    """Something else than a price of an hour."""

    sentence = message("%(found)s is not a price.")
    remedy = message('Write what an hour costs, such as "0.031".')

    found: str


class NoSuchCluster(Problem, kind="NoSuchCluster"):
    """There is no cluster of this name."""

    sentence = message("There is no cluster %(cluster)s.")
    remedy = message("Write the name of one that is here.")

    cluster: str


class ClusterNotRead(Problem, kind="ClusterNotRead"):
    """Nothing of the cluster has been read yet."""

    sentence = message("Nothing of %(cluster)s has been read yet.")
    remedy = message("Send a dump of it first.")

    cluster: str


class NoSuchSimulation(Problem, kind="NoSuchSimulation"):
    """There is no simulation of this number."""

    sentence = message("There is no simulation %(number)s.")
    remedy = message("Write the number in the simulation's address.")

    number: Number


class SimulationNotDone(Problem, kind="SimulationNotDone"):
    """The simulation has no result yet, or will have none."""

    sentence = message("Simulation %(number)s is not done.")
    remedy = message("Wait until it is, or order a review of another one.")

    number: Number


class SimulationOfNoCluster(Problem, kind="SimulationOfNoCluster"):
    """The simulation began with an empty cluster."""

    sentence = message("Simulation %(number)s began with an empty cluster.")
    remedy = message("Order a review of a simulation that begins with a cluster.")

    number: Number


class SimulationDeleted(Problem, kind="SimulationDeleted"):
    """The simulation was deleted before its review was written."""

    sentence = message("Simulation %(number)s was deleted in the meantime.")
    remedy = message("Order a review of another simulation.")

    number: Number


class SimulationReviewed(Problem, kind="SimulationReviewed"):
    """Reviews refer to the simulation: the first of them by name, and ``more``."""

    sentence = plural(
        "The review %(reviews)s refers to this simulation.",
        "The reviews %(reviews)s refer to this simulation.",
        by="total",
    )
    remedy = message("The simulation is kept as long as its reviews are; delete those first.")

    reviews: FirstOf
    total: int


class DatesEachWeek(Problem, kind="DatesEachWeek"):
    """A weekly review of fixed dates."""

    sentence = message("A weekly review cannot be about the same dates each time.")
    remedy = message('Write {"days": 7} or another number.')


class TooManySchedules(Problem, kind="TooManySchedules"):
    """A cluster has as many schedules as it may have."""

    sentence = plural("%(cluster)s has %(most)s schedule.", "%(cluster)s has %(most)s schedules.", by="most")
    remedy = message("Remove one of them first.")

    cluster: str
    most: int


class ClusterChanging(Problem, kind="ClusterChanging"):
    """The cluster changed each time while it was read."""

    sentence = message("The cluster changed each time while it was read.")
    remedy = message("Order the review again.")


class WritingFailed(Problem, kind="WritingFailed"):
    """An error of Berth itself ended the writing."""

    sentence = message("Berth failed while it wrote this.")
    remedy = message("The worker's log says why.")


class OrderFileNotJson(Problem, kind="OrderFileNotJson"):
    """The order's file is no JSON, and where."""

    sentence = message("%(path)s is not JSON: %(error)s.")
    remedy = message('Write a map such as {"cluster": "demo"}.')

    path: str
    error: str


class OrderFileWithoutMap(Problem, kind="OrderFileWithoutMap"):
    """The order's file holds something else than a map."""

    sentence = message("%(path)s does not hold a map.")
    remedy = message('Write {"cluster": "demo"}.')

    path: str


class OrderFileTooLong(Problem, kind="OrderFileTooLong"):
    """A file of more than ``most`` bytes."""

    sentence = message("%(path)s is too long.")
    remedy = message("Write at most %(most)s bytes.")

    path: str
    most: int


class OrderFileUnreadable(Problem, kind="OrderFileUnreadable"):
    """A file that the system does not let Berth read."""

    sentence = message("%(path)s cannot be read: %(error)s.")
    remedy = message("Name another file.")

    path: str
    error: str


class GivenUp(Problem, kind="GivenUp"):
    """A review that was not written, and nothing says why."""

    sentence = message("It is not known what went wrong.")
    remedy = message("Order it again; if it fails again, look at the worker's log.")


# What can be wrong with the order of a simulation or of a study, and with asking about one.


class NoPodOfWorkload(Problem, kind="NoPodOfWorkload"):
    """A workload without a pod whose like could be placed."""

    sentence = message("%(workload)s has no pod that others could be placed like.")
    remedy = message("Write the requests of the pods, or their manifest.")

    workload: str


class NotJson(Problem, kind="NotJson"):
    """Something that cannot be written as JSON; ``said`` is the encoder's message."""

    sentence = message("It cannot be written as JSON: %(said)s.")
    remedy = message("Send plain maps, lists, texts and numbers.")

    said: str


class NotUtf8(Problem, kind="NotUtf8"):
    """A text that is not UTF-8."""

    sentence = message("It is not UTF-8.")
    remedy = message("Save it as UTF-8.")


class TooManyBytes(Problem, kind="TooManyBytes"):
    """An order or a text of ``size`` bytes, more than ``most``."""

    sentence = plural("It has %(size)s byte.", "It has %(size)s bytes.", by="size")
    remedy = message("At most %(most)s are taken: split it into several.")

    size: int
    most: int


class NestedTooDeeply(Problem, kind="NestedTooDeeply"):
    """A document with more levels than any manifest has."""

    sentence = message("It is nested too deeply.")
    remedy = message("Write it with fewer levels.")


class NoEntries(Problem, kind="NoEntries"):
    """A list or a map that needs one entry at least."""

    sentence = message("It has no entries.")
    remedy = message("Write one at least.")


# -- simulations -------------------------------------------------------------------------------------------------------


class NotAChange(Problem, kind="NotAChange"):
    """Something else than a map with a change."""

    sentence = message("%(found)s is not a change.")
    remedy = message('Write a map such as {"change": "add-nodes", "count": 1, "cpu": "4", "memory": "16Gi"}.')

    found: str


class KindNotSimulated(Problem, kind="KindNotSimulated"):
    """A manifest of a kind that no change adds."""

    sentence = message("Simulations do not read the kind %(found)s.")
    remedy = message("Write a workload, such as a Deployment.")

    found: str


class OnlyOfBatch(Problem, kind="OnlyOfBatch"):
    """A setting that only the batch scheduler has."""

    sentence = message("Only the batch scheduler does that.")
    remedy = message('Write "kind": "batch".')


class NotOfBatch(Problem, kind="NotOfBatch"):
    """A setting that the batch scheduler has not got."""

    sentence = message("The batch scheduler looks at every node.")
    remedy = message("Write false.")


class NoClusterNamed(Problem, kind="NoClusterNamed"):
    """A simulation that begins with a cluster, and names none."""

    sentence = message("No cluster is named.")
    remedy = message('Name one, or write "empty".')


class ClusterUnread(Problem, kind="ClusterUnread"):
    """A cluster of which nothing has been read yet."""

    sentence = message("Nothing of %(cluster)s has been read yet.")
    remedy = message("Send a dump of it first.")

    cluster: str


class ClusterRemoved(Problem, kind="ClusterRemoved"):
    """A cluster that was removed while the order was stored."""

    sentence = message("%(cluster)s was removed.")
    remedy = message("Choose another cluster.")

    cluster: str


class NoSuchStep(Problem, kind="NoSuchStep"):
    """A step that the simulation has not got; it has ``steps`` so far."""

    sentence = message("The simulation has no step %(step)s.")
    remedy = plural("It has %(steps)s step so far.", "It has %(steps)s steps so far.", by="steps")

    step: int
    steps: int


class StepWithoutAttempt(Problem, kind="StepWithoutAttempt"):
    """A step at which no pod was attempted."""

    sentence = message("No pod was attempted at step %(step)s.")
    remedy = message("Choose a step at which a pod was placed or unschedulable.")

    step: int


class SimulationUnfinished(Problem, kind="SimulationUnfinished"):
    """A simulation that is to be compared, and is not done."""

    sentence = message("“%(title)s” is not done.")
    remedy = message("Choose simulations that are done.")

    title: str


class WorkersEnded(Problem, kind="WorkersEnded"):
    """So many workers ended while they worked on a simulation, a part of a study or a review."""

    sentence = plural(
        "%(workers)s worker ended while it worked on it.",
        "%(workers)s workers ended while they worked on it.",
        by="workers",
    )
    remedy = message("Give workers more memory or make it smaller, and begin it again.")

    workers: int


class StoppedEarly(Problem, kind="StoppedEarly"):
    """A simulation that ended before its end, and nothing says why."""

    sentence = message("Simulation %(number)s did not run to its end.")
    remedy = message("Look at its page.")

    number: Number


class WorkFailed(Problem, kind="WorkFailed"):
    """Berth failed while it worked on a simulation or on a part of a study."""

    sentence = message("Berth failed while it worked on this.")
    remedy = message("The worker's log says why.")


class FlowUnsolved(Problem, kind="FlowUnsolved"):
    """The solver of the batch scheduler has no answer; ``status`` is its word for why."""

    sentence = message(
        "The flow solver answered %(status)s: there are more pods than ways to place them, or numbers too large for it."
    )
    remedy = message("Run it with fewer pods at a time, or pod by pod.")

    status: str


# -- manifests ---------------------------------------------------------------------------------------------------------


class TooManyObjects(Problem, kind="TooManyObjects"):
    """Manifests of more than ``most`` objects."""

    sentence = plural("It holds more than %(most)s object.", "It holds more than %(most)s objects.", by="most")
    remedy = message("Split it into several simulations.")

    most: int


class NothingSimulated(Problem, kind="NothingSimulated"):
    """Manifests without any object that a simulation reads; ``kinds`` are those of the objects that there are."""

    sentence = (
        plural(
            "It holds nothing that a simulation reads: %(kinds)s objects are left out.",
            "It holds nothing that a simulation reads: objects of %(kinds)s are left out.",
            by="kinds",
        ),
        message("It holds no object."),
    )
    remedy = message("Write a %(known)s.")

    kinds: tuple[str, ...]
    known: OneOf


class NotItsApi(Problem, kind="NotItsApi"):
    """An API version that has no such kind; ``known`` are those that have."""

    sentence = message("%(found)s is not the API of a %(kind_of_object)s.")
    remedy = message("Write %(known)s.")

    found: str
    kind_of_object: str
    known: OneOf


class TooManyReplicas(Problem, kind="TooManyReplicas"):
    """A workload of more than ``most`` pods."""

    sentence = plural("It is more than %(most)s pod.", "It is more than %(most)s pods.", by="most")
    remedy = message("Write fewer.")

    most: int


# -- studies -----------------------------------------------------------------------------------------------------------


class NotOneWorkload(Problem, kind="NotOneWorkload"):
    """A text of ``found`` workloads where one is needed."""

    sentence = plural("It holds %(found)s workload.", "It holds %(found)s workloads.", by="found")
    remedy = message("Write one; a mix has an entry for each.")

    found: int


class NoPodsAdded(Problem, kind="NoPodsAdded"):
    """A study of the nodes that pods need, without changes that add pods."""

    sentence = message("No change adds pods that need nodes.")
    remedy = message("Add a workload.")


class LabelTwice(Problem, kind="LabelTwice"):
    """A label that two configurations have."""

    sentence = message("%(found)s is there twice.")
    remedy = message("Label each once.")

    found: str


# Why a stretch of the journal cannot be scheduled again.


class BackwardStretch(Problem, kind="BackwardStretch"):
    """A stretch of time that ends before it begins."""

    sentence = message("The stretch of time ends before it begins.")
    remedy = message("Choose an end that is later.")


class NoDecisionsThen(Problem, kind="NoDecisionsThen"):
    """A stretch of time in which the journal has no attempt to schedule a pod."""

    sentence = message("The journal has no decision of the scheduler in this period.")
    remedy = message("Choose one in which pods were bound or unschedulable.")


class ManyDecisions(Problem, kind="ManyDecisions"):
    """A stretch of time with more decisions than are replayed."""

    sentence = plural(
        "This stretch of time has %(decisions)s decision; at most %(most)s are replayed.",
        "This stretch of time has %(decisions)s decisions; at most %(most)s are replayed.",
        by="decisions",
    )
    remedy = message("Choose a shorter one.")

    decisions: int
    most: int


class ManyNodeChanges(Problem, kind="ManyNodeChanges"):
    """A stretch of time in which nodes change at more moments than are replayed."""

    sentence = plural(
        "Nodes change at %(moments)s moment of this period; at most %(most)s are replayed.",
        "Nodes change at %(moments)s moments of this period; at most %(most)s are replayed.",
        by="moments",
    )
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

    sentence = message("Kubernetes %(found)s is not later than %(runs)s, as which this cluster is answered.")
    remedy = (message("Choose %(later)s."), message("No later minor is known; there is nothing to preview."))

    found: str
    runs: str
    later: OneOf


# Why work is not put into the queue.


class TooMuchQueued(Problem, kind="TooMuchQueued"):
    """A user has ``unfinished`` simulations, parts of studies and reviews, and may add to fewer than ``most``."""

    sentence = plural(
        "%(unfinished)s of your simulations, parts of studies and reviews is not finished.",
        "%(unfinished)s of your simulations, parts of studies and reviews are not finished.",
        by="unfinished",
    )
    remedy = plural(
        "Wait until fewer than %(most)s is unfinished, or cancel some.",
        "Wait until fewer than %(most)s are unfinished, or cancel some.",
        by="most",
    )

    unfinished: int
    most: int


# Why there is no answer to a question about a cluster now.


class ChangingTooFast(Problem, kind="ChangingTooFast"):
    """A cluster that changed each of so many times that it was read."""

    sentence = plural(
        "%(cluster)s changed %(times)s time while it was read.",
        "%(cluster)s changed %(times)s times while it was read.",
        by="times",
    )
    remedy = message("Ask again in a moment.")

    cluster: str
    times: int


class OverTime(Problem, kind="OverTime"):
    """An answer that takes more than so many seconds of computing."""

    sentence = plural(
        "It takes more than %(seconds)s second to compute, which is the limit for one request.",
        "It takes more than %(seconds)s seconds to compute, which is the limit for one request.",
        by="seconds",
    )
    remedy = message("Ask for less at once, or ask a simulation, which has no such limit.")

    seconds: float


class ManyEvictions(Problem, kind="ManyEvictions"):
    """A drain of more evictions than are planned."""

    sentence = plural(
        "%(evictions)s pod would have to be evicted.", "%(evictions)s pods would have to be evicted.", by="evictions"
    )
    remedy = message("At most %(most)s are planned at a time: choose fewer nodes, a zone or a pool.")

    evictions: int
    most: int


class LargeResult(Problem, kind="LargeResult"):
    """What a worker found out is too large to be kept."""

    sentence = message("The result is too large to be kept.")
    remedy = message("Ask for less.")


class WorkersAway(Problem, kind="WorkersAway"):
    """Redis is away, by which workers are asked and which keeps what they find out."""

    sentence = message("It cannot be evaluated now.")
    remedy = message(
        "A worker evaluates so much, but Redis, which passes it on, is unavailable. Try again when it responds, "
        "or ask for less."
    )


# What can be wrong with how a command is called.


class CasesWithOthers(Problem, kind="CasesWithOthers"):
    """Recorded cases beside a dump, a pod or a configuration."""

    sentence = message("--cases stands alone.")
    remedy = message("Name the dump, the pod and the configuration in the cases.")


class UnknownOutput(Problem, kind="UnknownOutput"):
    """A form of output that there is not."""

    sentence = message("-o %(found)s is not known.")
    remedy = message("Write -o table or -o json.")

    found: str


class NothingToRead(Problem, kind="NothingToRead"):
    """Neither a dump nor recorded cases are named."""

    sentence = message("There is nothing to read.")
    remedy = message("Name a dump, or recorded cases with --cases FILE.")


class ExcludesAllPending(Problem, kind="ExcludesAllPending"):
    """An option that asks about one, and the one that asks about all pending pods."""

    sentence = message("%(option)s and --all-pending exclude each other.")
    remedy = message("Leave one out.")

    option: str


class NodeNotInDump(Problem, kind="NodeNotInDump"):
    """A dump without the node that is asked for."""

    sentence = message("It holds no node %(node)s.")
    remedy = message("Write a node's whole name.")

    node: str


class PodNotInDump(Problem, kind="PodNotInDump"):
    """A dump without the pod that is asked for; ``others`` have its name in other namespaces, ``pending`` wait."""

    sentence = message("It holds no pod %(pod)s.")
    remedy = (
        message("Write --pod with %(others)s."),
        message("Choose one with --pod, or see them all with --all-pending: %(pending)s."),
        message("Name one of its pods with --pod NAMESPACE/NAME."),
    )

    pod: str
    others: OneOf
    pending: FirstOf
    total: int


class NotOnePending(Problem, kind="NotOnePending"):
    """A dump with several pending pods, or with none, and none is named."""

    sentence = (
        plural("%(total)s pod is pending.", "%(total)s pods are pending.", by="total"),
        message("No pod is pending."),
    )
    remedy = (
        message("Choose one with --pod, or see them all with --all-pending: %(pending)s."),
        message("Name one of its pods with --pod NAMESPACE/NAME."),
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
    """A run of a dump is asked to be stored."""

    sentence = message("A run of a dump is not stored.")
    remedy = message("Ingest the dump first, and name its cluster.")


class ClusterNotIngested(Problem, kind="ClusterNotIngested"):
    """No cluster of a name has been read; ``known`` are those that have."""

    sentence = message("There is no cluster %(cluster)s that was read.")
    remedy = (message("Write %(known)s."), message("Ingest a dump first, or name one with --dump."))

    cluster: str
    known: OneOf


class ReplicasOfNothing(Problem, kind="ReplicasOfNothing"):
    """A number of replicas without a manifest."""

    sentence = message("--replicas is given without a manifest.")
    remedy = message("Name its file with --manifest, or leave --replicas out.")


class TraceWithoutPods(Problem, kind="TraceWithoutPods"):
    """Nodes of a trace without its pods."""

    sentence = message("--trace-nodes has no pods.")
    remedy = message("Name them with --trace.")


class ChangeNotJson(Problem, kind="ChangeNotJson"):
    """A change that is no JSON; ``reason`` is the word of the library that reads it."""

    sentence = message("It is no JSON: %(reason)s.")
    remedy = message("Write a change as JSON, or @ and a file of it.")

    reason: str


class TextNotUtf8(Problem, kind="TextNotUtf8"):
    """A file of text that is not UTF-8."""

    sentence = message("It is not UTF-8.")
    remedy = message("Save it as UTF-8.")


class LargeText(Problem, kind="LargeText"):
    """A file of text of more bytes than are read."""

    sentence = message("It has more than %(most)s bytes.")
    remedy = message("Take a part of it.")

    most: int
