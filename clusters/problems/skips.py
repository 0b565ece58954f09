"""Why objects, files and lines of a source are skipped; what is skipped is told with it."""

from __future__ import annotations

from typing import ClassVar, Final

from clusters.engine.problems import Problem, Template, message, plural

_RESULTS: Final = message("results of a simulator")


class Skip(Problem):
    """Why something is left out of a source; ``thing`` names it: a kind of objects, or files, lines, results."""

    thing: ClassVar[Template]


class Unreadable(Skip, kind="Unreadable"):
    """Objects of a kind, or files where it is empty, that cannot be read, and why."""

    thing = ("%(of_kind)s", message("files"))
    sentence = "%(why)s"

    of_kind: str
    why: Problem


class LinksInArchive(Skip, kind="LinksInArchive"):
    """Links in an archive, which are never followed."""

    thing = message("links")
    sentence = message("Links are not followed.")


class MayHoldSecrets(Skip, kind="MayHoldSecrets"):
    """Objects of a kind that is never read, because they may hold secrets."""

    thing = "%(of_kind)s"
    sentence = message("It may hold secrets and is never read.")

    of_kind: str


class OtherApiVersion(Skip, kind="OtherApiVersion"):
    """Objects of a kind that scheduling reads, in an API version that Berth does not."""

    thing = "%(of_kind)s (%(api_version)s)"
    sentence = message("Its API version is not read.")

    of_kind: str
    api_version: str


class OtherKind(Skip, kind="OtherKind"):
    """Objects of a kind that scheduling does not read."""

    thing = "%(of_kind)s"
    sentence = message("Scheduling does not read this kind.")

    of_kind: str


class SecondConfiguration(Skip, kind="SecondConfiguration"):
    """Scheduler configurations beside the one that was found first."""

    thing = "%(of_kind)s"
    sentence = message("Another configuration was found before it.")

    of_kind: str


class OlderVersion(Skip, kind="OlderVersion"):
    """Objects of which the source holds a newer version."""

    thing = "%(of_kind)s"
    sentence = message("Found in several versions; the newest is kept.")

    of_kind: str


class FoundAgain(Skip, kind="FoundAgain"):
    """Objects that the source holds more than once."""

    thing = "%(of_kind)s"
    sentence = message("Found more than once.")

    of_kind: str


class WithoutKind(Skip, kind="WithoutKind"):
    """Documents among many files that are no Kubernetes objects."""

    thing = message("documents")
    sentence = message("They have no kind.")


class WithoutContent(Skip, kind="WithoutContent"):
    """Files among many that are empty."""

    thing = message("files")
    sentence = message("They are empty.")


class LogsAndAudits(Skip, kind="LogsAndAudits"):
    """Files of a must-gather that hold logs and audit records."""

    thing = message("files")
    sentence = message("Logs and audit records are never read.")


class OtherFileName(Skip, kind="OtherFileName"):
    """Files among many whose name is neither one of JSON nor one of YAML; ``extension`` with its dot, or empty."""

    thing = (message("*%(extension)s files"), message("files without an extension"))
    sentence = message("By name they are neither JSON nor YAML.")

    extension: str


class ContainerLogs(Skip, kind="ContainerLogs"):
    """Logs of containers, as kubectl cluster-info dump writes them between objects."""

    thing = message("logs of containers")
    sentence = message("Logs of containers are never read.")


class TooManyReasons(Skip, kind="TooManyReasons"):
    """What is skipped for further reasons, after as many as are told apart."""

    thing = message("other")
    sentence = message("There are more reasons than are listed.")


class ManyAttempts(Skip, kind="ManyAttempts"):
    """Recorded attempts beyond those that are kept of one source."""

    thing = message("recorded attempts")
    sentence = message("There are more than are kept of one source.")


class LargeResults(Skip, kind="LargeResults"):
    """Results of a simulator that are larger than any API server takes."""

    thing = _RESULTS
    sentence = message("They are larger than any API server takes.")


class OtherResult(Skip, kind="OtherResult"):
    """Results of a simulator of a kind that is not compared."""

    thing = _RESULTS
    sentence = message("Results of this kind are not compared.")


class HistoryNotAList(Skip, kind="HistoryNotAList"):
    """A history of attempts that is no list."""

    thing = _RESULTS
    sentence = message("%(result)s is not a list in JSON.")

    result: str


class LongHistory(Skip, kind="LongHistory"):
    """A history of more attempts than are kept, which are the latest ``most``."""

    thing = _RESULTS
    sentence = plural(
        "%(result)s holds more than %(most)s attempt; the latest is kept.",
        "%(result)s holds more than %(most)s attempts; the latest are kept.",
        by="most",
    )

    result: str
    most: int


class ResultNotJson(Skip, kind="ResultNotJson"):
    """A result that is not JSON."""

    thing = _RESULTS
    sentence = message("%(result)s is not JSON.")

    result: str


class ResultNotNamed(Skip, kind="ResultNotNamed"):
    """A result with something else in it than a map by names."""

    thing = _RESULTS
    sentence = message("%(result)s is not a map by name.")

    result: str


class ResultNotAText(Skip, kind="ResultNotAText"):
    """A result with something else in it where a text belongs."""

    thing = _RESULTS
    sentence = message("%(result)s has something else where a text is expected.")

    result: str


class ResultNotAScore(Skip, kind="ResultNotAScore"):
    """A result with something else in it where a score belongs."""

    thing = _RESULTS
    sentence = message("%(result)s: %(found)s is not a score.")

    result: str
    found: str


class ResultNotNodes(Skip, kind="ResultNotNodes"):
    """A result with something else in it where a list of nodes belongs."""

    thing = _RESULTS
    sentence = message("%(result)s has something else where a list of nodes is expected.")

    result: str


class OtherLines(Skip, kind="OtherLines"):
    """Lines of a log that are about no attempt."""

    thing = message("lines")
    sentence = message("They are not about an attempt.")


class IncompleteLines(Skip, kind="IncompleteLines"):
    """Lines of a log about an attempt that lack the pod, the node or the number."""

    thing = message("lines about attempts")
    sentence = message("They lack the pod, the node or the number.")


class LongLines(Skip, kind="LongLines"):
    """Lines of a log that are longer than any that a scheduler writes."""

    thing = message("long lines")
    sentence = message("They are longer than any line that a scheduler writes.")


class NodeNotMeasured(Skip, kind="NodeNotMeasured"):
    """Nodes of which kubectl top says ``<unknown>``."""

    thing = message("nodes")
    sentence = message("kubectl top has no usage of them: their kubelet did not answer metrics-server.")


class NodeNotMirrored(Skip, kind="NodeNotMirrored"):
    """Summaries of kubelets whose nodes the mirror does not hold."""

    thing = message("summaries of kubelets")
    sentence = message("The mirrored cluster has no such nodes.")


class BesideUsage(Skip, kind="BesideUsage"):
    """Objects of the cluster's state in a file that begins with usage, so that it is taken for usage alone."""

    thing = "%(of_kind)s"
    sentence = message(
        "The file begins with usage, and is read for usage alone: send the cluster's state first in its file."
    )

    of_kind: str


class PodNotMirrored(Skip, kind="PodNotMirrored"):
    """Pods with usage that the mirrored state does not hold, so that their workload is not known."""

    thing = message("samples of pods")
    sentence = message(
        "The mirrored cluster has no such pods, so their workload is not known: send a dump of the same time first."
    )
