"""What can be wrong with the order of a simulation or of a study, and with asking about one."""

from __future__ import annotations

from dataclasses import dataclass

from clusters.engine.problems import Problem


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
