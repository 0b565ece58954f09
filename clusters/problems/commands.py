"""What can be wrong with how a command is called."""

from __future__ import annotations

from dataclasses import dataclass

from clusters.engine.problems import Problem


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
