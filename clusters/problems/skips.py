"""Why objects, files and lines of a source are skipped; what is skipped is told with it."""

from __future__ import annotations

from dataclasses import dataclass

from clusters.engine.problems import Problem


@dataclass(frozen=True, slots=True)
class Unreadable(Problem):
    """Objects of a kind, or files where it is empty, that cannot be read, and why."""

    of_kind: str
    why: Problem


@dataclass(frozen=True, slots=True)
class LinksInArchive(Problem):
    """Links in an archive, which are never followed."""


@dataclass(frozen=True, slots=True)
class MayHoldSecrets(Problem):
    """Objects of a kind that is never read, because they may hold secrets."""

    of_kind: str


@dataclass(frozen=True, slots=True)
class OtherApiVersion(Problem):
    """Objects of a kind that scheduling reads, in an API version that Berth does not."""

    of_kind: str
    api_version: str


@dataclass(frozen=True, slots=True)
class OtherKind(Problem):
    """Objects of a kind that scheduling does not read."""

    of_kind: str


@dataclass(frozen=True, slots=True)
class SecondConfiguration(Problem):
    """Scheduler configurations beside the one that was found first."""

    of_kind: str


@dataclass(frozen=True, slots=True)
class OlderVersion(Problem):
    """Objects of which the source holds a newer version."""

    of_kind: str


@dataclass(frozen=True, slots=True)
class FoundAgain(Problem):
    """Objects that the source holds more than once."""

    of_kind: str


@dataclass(frozen=True, slots=True)
class WithoutKind(Problem):
    """Documents among many files that are no Kubernetes objects."""


@dataclass(frozen=True, slots=True)
class WithoutContent(Problem):
    """Files among many that are empty."""


@dataclass(frozen=True, slots=True)
class LogsAndAudits(Problem):
    """Files of a must-gather that hold logs and audit records."""


@dataclass(frozen=True, slots=True)
class OtherFileName(Problem):
    """Files among many whose name is neither one of JSON nor one of YAML; ``extension`` with its dot, or empty."""

    extension: str


@dataclass(frozen=True, slots=True)
class ContainerLogs(Problem):
    """Logs of containers, as kubectl cluster-info dump writes them between objects."""


@dataclass(frozen=True, slots=True)
class TooManyReasons(Problem):
    """What is skipped for further reasons, after as many as are told apart."""


@dataclass(frozen=True, slots=True)
class ManyAttempts(Problem):
    """Recorded attempts beyond those that are kept of one source."""


@dataclass(frozen=True, slots=True)
class LargeResults(Problem):
    """Results of a simulator that are larger than any API server takes."""


@dataclass(frozen=True, slots=True)
class OtherResult(Problem):
    """Results of a simulator of a kind that is not compared."""


@dataclass(frozen=True, slots=True)
class HistoryNotAList(Problem):
    """A history of attempts that is no list."""

    result: str


@dataclass(frozen=True, slots=True)
class LongHistory(Problem):
    """A history of more attempts than are kept, which are the latest ``most``."""

    result: str
    most: int


@dataclass(frozen=True, slots=True)
class ResultNotJson(Problem):
    """A result that is not JSON."""

    result: str


@dataclass(frozen=True, slots=True)
class ResultNotNamed(Problem):
    """A result with something else in it than a map by names."""

    result: str


@dataclass(frozen=True, slots=True)
class ResultNotAText(Problem):
    """A result with something else in it where a text belongs."""

    result: str


@dataclass(frozen=True, slots=True)
class ResultNotAScore(Problem):
    """A result with something else in it where a score belongs."""

    result: str
    found: str


@dataclass(frozen=True, slots=True)
class ResultNotNodes(Problem):
    """A result with something else in it where a list of nodes belongs."""

    result: str


@dataclass(frozen=True, slots=True)
class OtherLines(Problem):
    """Lines of a log that are about no attempt."""


@dataclass(frozen=True, slots=True)
class IncompleteLines(Problem):
    """Lines of a log about an attempt that lack the pod, the node or the number."""


@dataclass(frozen=True, slots=True)
class LongLines(Problem):
    """Lines of a log that are longer than any that a scheduler writes."""


@dataclass(frozen=True, slots=True)
class NodeNotMeasured(Problem):
    """Nodes of which kubectl top says ``<unknown>``."""


@dataclass(frozen=True, slots=True)
class NodeNotMirrored(Problem):
    """Summaries of kubelets whose nodes the mirror does not hold."""


@dataclass(frozen=True, slots=True)
class BesideUsage(Problem):
    """Objects of the cluster's state in a file that begins with usage, so that it is taken for usage alone."""

    of_kind: str


@dataclass(frozen=True, slots=True)
class PodNotMirrored(Problem):
    """Pods with usage that the mirrored state does not hold, so that their workload is not known."""
