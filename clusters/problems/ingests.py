"""Why a dump, a log or a configuration is not taken, or could not be read to its end."""

from __future__ import annotations

from dataclasses import dataclass

from clusters.engine.problems import Problem


@dataclass(frozen=True, slots=True)
class NoNodesAndPods(Problem):
    """A source without nodes and without pods; ``held`` are the kinds that it has most objects of."""

    held: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LogBeforeDump(Problem):
    """A scheduler's log of a cluster of which nothing was read."""


@dataclass(frozen=True, slots=True)
class ClusterIsLive(Problem):
    """A dump for a cluster that is followed live."""

    cluster: str


@dataclass(frozen=True, slots=True)
class LaterDumpTaken(Problem):
    """A dump that was sent before one that has been taken."""


@dataclass(frozen=True, slots=True)
class ClusterDeleted(Problem):
    """A dump whose cluster was deleted while it came in."""

    cluster: str


@dataclass(frozen=True, slots=True)
class InvalidClusterName(Problem):
    """A name that no cluster may have."""

    found: str


@dataclass(frozen=True, slots=True)
class NotAConfiguration(Problem):
    """A document of another kind, ``found``, without the configuration that is wanted in it."""

    wanted: str
    found: str = ""


@dataclass(frozen=True, slots=True)
class SeveralConfigurations(Problem):
    """Different configurations in one file, and where the first of ``number`` stand."""

    places: tuple[str, ...]
    number: int
    wanted: str


@dataclass(frozen=True, slots=True)
class NotOneDocument(Problem):
    """A text of several documents, or of none, where one is expected."""

    found: int
    wanted: str


@dataclass(frozen=True, slots=True)
class LargeConfiguration(Problem):
    """A configuration of more bytes than are read."""

    found: int
    most: int


@dataclass(frozen=True, slots=True)
class WorkerStopped(Problem):
    """The worker that read it is gone."""


@dataclass(frozen=True, slots=True)
class BerthStopped(Problem):
    """Berth was stopped while it was read."""


@dataclass(frozen=True, slots=True)
class NoWorkerTold(Problem):
    """Redis is away, by which workers are told."""


@dataclass(frozen=True, slots=True)
class ReadingTakesLong(Problem):
    """Reading takes longer than it may."""

    minutes: float


@dataclass(frozen=True, slots=True)
class ReadingTakesMemory(Problem):
    """Reading takes more memory than it may."""

    most_mib: int


@dataclass(frozen=True, slots=True)
class ReadingKilled(Problem):
    """The process that read it was ended by a signal."""

    signal: str


@dataclass(frozen=True, slots=True)
class ReadingOutOfMemory(Problem):
    """The kernel ended the process that read it, as memory ran out."""


@dataclass(frozen=True, slots=True)
class ReadingFailed(Problem):
    """An error of Berth’s own while it was read."""
