"""What can be wrong with what somebody asks for: reviews, simulations, studies, replays, upgrades, commands."""

from __future__ import annotations

from clusters.engine.problems import FirstOf, Number, OneOf, Problem, message, plural

# What can be wrong with the order of a capacity review, with its schedule, and with writing it.


class NoSectionApplies(Problem, kind="NoSectionApplies"):
    """None of the sections can be written about the subject; ``of_clusters`` are not written about simulations."""

    sentence = message("None of these sections applies.")
    remedy = message("Choose others: cost needs prices, run a simulation, %(of_clusters)s a cluster.")

    of_clusters: tuple[str, ...]


class NotPrintable(Problem, kind="NotPrintable"):
    sentence = message("It holds unprintable characters.")
    remedy = message("Write it on one line, without tabs.")


class PeriodEndsFirst(Problem, kind="PeriodEndsFirst"):
    sentence = message("The period ends before it begins.")
    remedy = message("Write a later end.")


class PeriodTooLong(Problem, kind="PeriodTooLong"):
    """A period of more than ``most`` days."""

    sentence = message("The period exceeds %(most)s days.")
    remedy = message("Shorten it.")

    most: int


class ClusterNotRead(Problem, kind="ClusterNotRead"):
    sentence = (message("%(cluster)s has not been read yet."), message("It has not been read yet."))
    remedy = message("Send a dump first.")

    cluster: str = ""


class SimulationOfNoCluster(Problem, kind="SimulationOfNoCluster"):
    sentence = message("Simulation %(number)s began with an empty cluster.")
    remedy = message("Choose another one.")

    number: Number


class SimulationReviewed(Problem, kind="SimulationReviewed"):
    """Reviews refer to the simulation: the first of them by name, and ``more``."""

    sentence = message("Reviews refer to this simulation: %(reviews)s.")
    remedy = message("Delete those first.")

    reviews: FirstOf
    total: int


class TooManySchedules(Problem, kind="TooManySchedules"):
    sentence = message("%(cluster)s has %(most)s schedules already.")
    remedy = message("Remove one first.")

    cluster: str
    most: int


# What can be wrong with the order of a simulation or of a study, and with asking about one.


class NestedTooDeeply(Problem, kind="NestedTooDeeply"):
    sentence = message("It is nested too deeply.")
    remedy = message("Use fewer levels, or raise BERTH_NESTING_LIMIT.")


# -- simulations -------------------------------------------------------------------------------------------------------


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

    sentence = message("The flow solver answered %(status)s.")
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


class NoPodsAdded(Problem, kind="NoPodsAdded"):
    sentence = message("No change adds pods that need nodes.")
    remedy = message("Add a workload.")


# Why a stretch of the journal cannot be scheduled again.


class NoDecisionsThen(Problem, kind="NoDecisionsThen"):
    sentence = message("The journal has no decision in this period.")
    remedy = message("Choose another one.")


class ManyDecisions(Problem, kind="ManyDecisions"):
    sentence = message("It has %(decisions)s decisions, more than %(most)s.")
    remedy = message("Choose a shorter one.")

    decisions: int
    most: int


class ManyNodeChanges(Problem, kind="ManyNodeChanges"):
    sentence = message("Nodes change at %(moments)s moments, more than %(most)s.")
    remedy = message("Choose a shorter one.")

    moments: int
    most: int


# What can be wrong with asking what an upgrade changes.


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
    sentence = message("It takes more than %(seconds)s seconds.")
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
    sentence = message("Redis is unavailable, so no worker was told.")
    remedy = message("Start Redis, and try again.")


# What can be wrong with how a command is called.


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
