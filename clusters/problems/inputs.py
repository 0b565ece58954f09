"""What can be wrong with input: files, texts, objects, traces, and dumps that are not taken."""

from __future__ import annotations

import enum

from clusters.engine.problems import Chosen, FirstOf, Number, Problem, message

# What can be wrong with a file or an archive that somebody sends.


class UnreadableFile(Problem, kind="UnreadableFile"):
    """The operating system refuses to read a file; ``reason`` is its own word."""

    sentence = (message("%(path)s cannot be read: %(reason)s."), message("It cannot be read: %(reason)s."))
    remedy = message("Check the path and its permissions.")

    reason: str
    path: str = ""


class NotAPlainFile(Problem, kind="NotAPlainFile"):
    sentence = message("%(found)s is not a plain file.")
    remedy = message("Pack plain files, without links or passwords.")

    found: str


class DamagedArchive(Problem, kind="DamagedArchive"):
    """An archive cannot be read; ``reason`` is the word of the library that reads it."""

    sentence = message("The archive is damaged: %(reason)s.")
    remedy = message("Create it again.")

    reason: str


class OverlappingMember(Problem, kind="OverlappingMember"):
    sentence = message("%(found)s overlaps another entry.")
    remedy = message("Make the archive again.")

    found: str


class LeadsOutOfArchive(Problem, kind="LeadsOutOfArchive"):
    sentence = message("%(found)s leads out of the archive.")
    remedy = message("Pack files by relative names, without '..'.")

    found: str


class EndsEarly(Problem, kind="EndsEarly"):
    sentence = (message("It ends too early, at line %(line)s, column %(column)s."), message("It ends too early."))
    remedy = message("It was cut off: send it again.")

    line: Number = 0
    column: Number = 0


class ForeignCompression(Problem, kind="ForeignCompression"):
    sentence = message("It is compressed with %(format_name)s.")
    remedy = message("Decompress it, or use gzip once.")

    format_name: str


class FileForm(enum.StrEnum):
    """What people send by mistake."""

    IMAGE = "image"
    PDF = "pdf"
    PROGRAM = "program"
    DATABASE = "database"
    HTML = "html"
    XML = "xml"
    KUBECTL_TABLE = "kubectl-table"
    KUBECTL_DESCRIBE = "kubectl-describe"
    KUBECTL_MESSAGE = "kubectl-message"
    LOG = "log"
    BINARY = "binary"


class OtherForm(Problem, kind="OtherForm"):
    sentence = message("Its format is %(form)s, not JSON or YAML.")
    remedy = Chosen(
        "form",
        {
            FileForm.KUBECTL_MESSAGE: message("Solve it, and run the command again."),
            FileForm.LOG: message("Send a dump first, then kube-scheduler's log."),
        },
        message("Send what kubectl get -o json writes."),
    )

    form: FileForm


class NotASchedulerLog(Problem, kind="NotASchedulerLog"):
    """None of the lines of a file is of a scheduler about a pod."""

    sentence = message("None of its %(lines)s lines is kube-scheduler's about a pod.")
    remedy = message("Send a kube-scheduler's log of -v=2 or more.")

    lines: int


# Why something is thought to be missing from a source.


class OtherGap(enum.StrEnum):
    """A gap that is no kind without objects, where the others have the name of their kind."""

    # Pods run on a node that is missing, while other nodes are there.
    MISSING_NODE = "missing-node"
    # Pods that were written by hand, and lack what an API server would have given them.
    POD_DEFAULTS = "pod-defaults"
    # Objects or files that could not be read.
    UNREADABLE = "unreadable"


class Use(enum.StrEnum):
    """What pods may use, so that a missing kind matters."""

    CLAIMS = "claims"
    PRIORITY_CLASSES = "priority-classes"
    NAMESPACE_SELECTORS = "namespace-selectors"
    RUNTIME_CLASSES = "runtime-classes"
    RESOURCE_CLAIMS = "resource-claims"
    POD_GROUPS = "pod-groups"
    WORKLOADS = "workloads"


class NoneInSource(Problem, kind="NoneInSource"):
    sentence = message("The source has none; the cluster may have some.")


class NodesNotInSource(Problem, kind="NodesNotInSource"):
    """Nodes on which pods run and which the source does not hold.

    The names are of the first few of ``number``, as many as are shown; ``pods`` holds for each the first few of those
    on it, and ``pod_numbers`` how many those are.
    """

    sentence = message("Pods run on nodes that the source lacks: %(nodes)s.")

    nodes: FirstOf
    total: int


class NeverAdmitted(Problem, kind="NeverAdmitted"):
    """Pods that lack what an API server would have given them; ``pods`` are the first few of ``number``."""

    sentence = message("No API server has added defaults: %(pods)s.")

    pods: FirstOf
    total: int


class NotReadable(Problem, kind="NotReadable"):
    """Objects and files that could not be read, and what is wrong with the first of ``number``, in its place."""

    sentence = message("%(total)s could not be read, such as %(place)s: %(why)s")

    place: str
    why: Problem
    total: int


# Why a dump, a log or a configuration is not taken, or could not be read to its end.


class NoNodesAndPods(Problem, kind="NoNodesAndPods"):
    """A source without nodes and without pods; ``held`` are the kinds that it has most objects of."""

    sentence = (message("It holds %(held)s, but neither nodes nor pods."), message("It holds neither nodes nor pods."))
    remedy = message("Take it with kubectl get nodes,pods,… -A -o json; see docs/ingest.md.")

    held: tuple[str, ...] = ()


class ClusterIsLive(Problem, kind="ClusterIsLive"):
    sentence = message("%(cluster)s is followed live.")
    remedy = message("Choose another name.")

    cluster: str


class LaterDumpTaken(Problem, kind="LaterDumpTaken"):
    sentence = message("A later dump has been read already.")
    remedy = message("Take a newer dump.")


class SeveralConfigurations(Problem, kind="SeveralConfigurations"):
    """Different configurations in one file, and where the first of ``number`` stand."""

    sentence = message("It holds different configurations: %(places)s.")
    remedy = message("Keep one %(wanted)s.")

    places: FirstOf
    total: int
    wanted: str


class NotOneDocument(Problem, kind="NotOneDocument"):
    sentence = (message("It holds %(found)s documents."), message("It is empty."))
    remedy = message("Write one %(wanted)s.")

    found: int
    wanted: str


class WorkerStopped(Problem, kind="WorkerStopped"):
    sentence = message("The worker stopped too early.")
    remedy = message("Send the file again.")


class ReadingKilled(Problem, kind="ReadingKilled"):
    sentence = message("Its process was ended by %(signal)s.")
    remedy = message("Send it again; see the worker's log.")

    signal: str


class ReadingOutOfMemory(Problem, kind="ReadingOutOfMemory"):
    sentence = message("The worker ran out of memory.")
    remedy = message("Give it more, lower BERTH_INGEST_MEMORY_MIB, or dump less.")


# What can be wrong with a Kubernetes object that is to be mirrored.


class ManyObjects(Problem, kind="ManyObjects"):
    sentence = message("There are more than %(most)s objects.")
    remedy = message("Dump less, or raise BERTH_OBJECTS_LIMIT.")

    most: int


class SharedUid(Problem, kind="SharedUid"):
    sentence = message("UID %(found)s belongs to %(owner)s already.")
    remedy = message("Dump one cluster only, without UIDs in manifests.")

    found: str
    owner: str


# What can be wrong with a field by the Kubernetes API’s types.


# What can be wrong with JSON and YAML before anybody looks at what they say.


class UnreadableYaml(Problem, kind="UnreadableYaml"):
    """An alias, a tag or a key that is not read."""

    sentence = message("YAML with %(found)s is not read here.")
    remedy = message("Write the value itself.")

    found: str


# What can be wrong with a recorded case, one line of a file.


# What can be wrong with the CSV files of a trace.


class CellCount(Problem, kind="CellCount"):
    sentence = message("It has %(found)s cells, and the first line %(first)s.")
    remedy = message("Write one cell for each column.")

    found: int
    first: int
