"""Why objects, files and lines of a source are skipped; what is skipped is told with it."""

from __future__ import annotations

from typing import ClassVar, Final

from clusters.engine.problems import Problem, Template, message

_RESULTS: Final = message("results of a simulator")


class Skip(Problem):
    """Why something is left out of a source; ``thing`` names it: a kind of objects, or files, lines, results."""

    thing: ClassVar[Template]


class Unreadable(Skip, kind="Unreadable"):
    thing = ("%(of_kind)s", message("files"))
    sentence = "%(why)s"

    of_kind: str
    why: Problem


class LinksInArchive(Skip, kind="LinksInArchive"):
    thing = message("links")
    sentence = message("Links are not followed.")


class MayHoldSecrets(Skip, kind="MayHoldSecrets"):
    thing = "%(of_kind)s"
    sentence = message("It may hold secrets and is never read.")

    of_kind: str


class OtherApiVersion(Skip, kind="OtherApiVersion"):
    thing = "%(of_kind)s (%(api_version)s)"
    sentence = message("Its API version is not read.")

    of_kind: str
    api_version: str


class OtherKind(Skip, kind="OtherKind"):
    thing = "%(of_kind)s"
    sentence = message("Scheduling does not read it.")

    of_kind: str


class SecondConfiguration(Skip, kind="SecondConfiguration"):
    thing = "%(of_kind)s"
    sentence = message("Another configuration stands before it.")

    of_kind: str


class OlderVersion(Skip, kind="OlderVersion"):
    thing = "%(of_kind)s"
    sentence = message("A newer version is kept.")

    of_kind: str


class FoundAgain(Skip, kind="FoundAgain"):
    thing = "%(of_kind)s"
    sentence = message("Found more than once.")

    of_kind: str


class WithoutKind(Skip, kind="WithoutKind"):
    thing = message("documents")
    sentence = message("They have no kind.")


class WithoutContent(Skip, kind="WithoutContent"):
    thing = message("files")
    sentence = message("They are empty.")


class LogsAndAudits(Skip, kind="LogsAndAudits"):
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
    sentence = message("Logs are never read.")


class TooManyReasons(Skip, kind="TooManyReasons"):
    thing = message("other")
    sentence = message("There are more reasons.")


class ManyAttempts(Skip, kind="ManyAttempts"):
    thing = message("recorded attempts")
    sentence = message("There are too many.")


class LargeResults(Skip, kind="LargeResults"):
    thing = _RESULTS
    sentence = message("They are larger than an API server takes.")


class OtherResult(Skip, kind="OtherResult"):
    thing = _RESULTS
    sentence = message("They are not compared.")


class ResultUnreadable(Skip, kind="ResultUnreadable"):
    thing = _RESULTS
    sentence = message("%(result)s is not as the simulator writes it.")

    result: str


class LongHistory(Skip, kind="LongHistory"):
    """A history of more attempts than are kept, which are the latest ``most``."""

    thing = _RESULTS
    sentence = message("Only the latest %(most)s attempts of %(result)s are kept.")

    result: str
    most: int


class OtherLines(Skip, kind="OtherLines"):
    thing = message("lines")
    sentence = message("They are not about an attempt.")


class IncompleteLines(Skip, kind="IncompleteLines"):
    thing = message("lines about attempts")
    sentence = message("They lack pod, node or number.")


class LongLines(Skip, kind="LongLines"):
    thing = message("long lines")
    sentence = message("They are too long for a scheduler.")


class NodeNotMeasured(Skip, kind="NodeNotMeasured"):
    """Nodes of which kubectl top says ``<unknown>``."""

    thing = message("nodes")
    sentence = message("Their kubelet did not answer metrics-server.")


class NodeNotMirrored(Skip, kind="NodeNotMirrored"):
    thing = message("summaries of kubelets")
    sentence = message("The cluster has no such nodes.")


class BesideUsage(Skip, kind="BesideUsage"):
    thing = "%(of_kind)s"
    sentence = message("Send the cluster's state in its own file.")

    of_kind: str


class PodNotMirrored(Skip, kind="PodNotMirrored"):
    thing = message("samples of pods")
    sentence = message("Send a dump of the same time first.")
