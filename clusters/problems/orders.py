"""What can be wrong with the order of a capacity review, with its schedule, and with writing it."""

from __future__ import annotations

from dataclasses import dataclass

from clusters.engine.problems import Problem


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
