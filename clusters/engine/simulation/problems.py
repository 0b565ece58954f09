"""What can be wrong with the manifests and traces of a simulation, and what keeps its pods from nodes beside that."""

from __future__ import annotations

from dataclasses import dataclass

from clusters.engine.problems import Problem


@dataclass(frozen=True, slots=True)
class NoName(Problem):
    """An object without a name."""

    kind_of_object: str


@dataclass(frozen=True, slots=True)
class NoSpec(Problem):
    """An object without a spec."""

    kind_of_object: str


@dataclass(frozen=True, slots=True)
class NoPodTemplate(Problem):
    """A workload without a template of pods."""


@dataclass(frozen=True, slots=True)
class NoContainers(Problem):
    """A pod without containers."""


@dataclass(frozen=True, slots=True)
class NoReplicas(Problem):
    """A number of replicas for an object that has none, such as a DaemonSet."""

    kind_of_object: str


@dataclass(frozen=True, slots=True)
class NegativeOrdinal(Problem):
    """The first ordinal of a StatefulSet is no whole number from 0 on."""

    found: str


@dataclass(frozen=True, slots=True)
class UncountableRequest(Problem):
    """Requests of a resource that are below 0 or above what the scheduler can count, where numbers wrap around."""

    resource: str


@dataclass(frozen=True, slots=True)
class InvalidLabelSelector(Problem):
    """A selector that the API server refuses; ``said`` is its message."""

    said: str


# -- traces ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class EmptyCell(Problem):
    """A cell of a trace without a value, in a column that needs one."""


@dataclass(frozen=True, slots=True)
class NotACellName(Problem):
    """A cell that is no name of a node or pod of at most ``most`` characters."""

    found: str
    most: int


@dataclass(frozen=True, slots=True)
class NotACellWord(Problem):
    """A cell that is no word of at most ``most`` letters."""

    found: str
    most: int


@dataclass(frozen=True, slots=True)
class NotGpuModels(Problem):
    """A cell that holds no names of GPU models."""

    found: str


@dataclass(frozen=True, slots=True)
class LeavesBeforeArrival(Problem):
    """A pod of a trace whose ``deletion_time`` is before its ``creation_time``, both in seconds."""

    deletion_time: int
    creation_time: int


# -- steps -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class AwaitsOrdinal(Problem):
    """A pod that is not created yet: its StatefulSet, ``namespace/name``, waits for another ``pod`` of its own."""

    stateful_set: str
    pod: str


@dataclass(frozen=True, slots=True)
class JobFailed(Problem):
    """A pod that its ``job``, ``namespace/name``, does not replace, or deletes, as it fails with a ``reason``.

    The reason is a JobFailureReason; ``limit`` is the backoffLimit or maxFailedIndexes that is exceeded.
    """

    job: str
    reason: str
    limit: int


@dataclass(frozen=True, slots=True)
class JobIndexFailed(Problem):
    """A pod whose ``index`` of its ``job`` fails, as more of its pods failed than the ``limit`` allows."""

    job: str
    index: int
    limit: int


@dataclass(frozen=True, slots=True)
class JobHadEnded(Problem):
    """A pod that is not replaced, as its ``job`` had ended before."""

    job: str


@dataclass(frozen=True, slots=True)
class PodGroupDoesNotFit(Problem):
    """A pod of ``group`` that would find a node, where fewer than the ``missing`` pods needed together do."""

    group: str
    missing: int
