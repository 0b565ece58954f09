"""What can be wrong with input: files, texts, objects, traces, and dumps that are not taken."""

from __future__ import annotations

import enum

from clusters.engine.problems import Bytes, Chosen, FirstOf, Number, Problem, message, plural

# What can be wrong with a file or an archive that somebody sends.


class UnreadableFile(Problem, kind="UnreadableFile"):
    """The operating system refuses to read a file; ``reason`` is its own word."""

    sentence = message("It cannot be read: %(reason)s.")
    remedy = message("Check the path and its permissions.")

    reason: str


class LargeFile(Problem, kind="LargeFile"):
    sentence = message("It has %(found_bytes)s, more than %(most_bytes)s.")
    remedy = message("Dump less, compress it, or raise BERTH_UPLOAD_LIMIT_MIB.")

    found_bytes: Bytes
    most_bytes: Bytes


class ManyFiles(Problem, kind="ManyFiles"):
    sentence = message("It holds more than %(most)s files.")
    remedy = message("Leave other files out, or raise BERTH_FILES_LIMIT.")

    most: int


class LargeOnceDecompressed(Problem, kind="LargeOnceDecompressed"):
    sentence = message("Decompressed it has more than %(most_bytes)s.")
    remedy = message("Dump less, or raise BERTH_DECOMPRESSED_LIMIT_MIB.")

    most_bytes: Bytes


class DecompressionBomb(Problem, kind="DecompressionBomb"):
    sentence = message("It is a decompression bomb: over %(times)s times its compressed size.")
    remedy = message("Send it uncompressed, or raise BERTH_INFLATION_LIMIT.")

    times: int


class LargeArchiveHeader(Problem, kind="LargeArchiveHeader"):
    sentence = message("A header in the archive claims %(claimed)s bytes.")
    remedy = message("Make the archive again.")

    claimed: int


class LinkInArchive(Problem, kind="LinkInArchive"):
    sentence = message("%(found)s is a link.")
    remedy = message("Pack plain files only (tar --dereference).")

    found: str


class NotAPlainFile(Problem, kind="NotAPlainFile"):
    sentence = message("%(found)s is not a plain file.")
    remedy = message("Pack plain files only.")

    found: str


class DamagedArchive(Problem, kind="DamagedArchive"):
    """An archive cannot be read; ``reason`` is the word of the library that reads it."""

    sentence = message("The archive is damaged: %(reason)s.")
    remedy = message("Make or send it again.")

    reason: str


class EncryptedMember(Problem, kind="EncryptedMember"):
    sentence = message("%(found)s is encrypted.")
    remedy = message("Make the archive without a password.")

    found: str


class UnusualCompression(Problem, kind="UnusualCompression"):
    sentence = message("%(found)s is compressed in an unusual way.")
    remedy = message("Use deflate.")

    found: str


class OverlappingMember(Problem, kind="OverlappingMember"):
    sentence = message("%(found)s overlaps another entry, as in a decompression bomb.")
    remedy = message("Make the archive again.")

    found: str


class LeadsOutOfArchive(Problem, kind="LeadsOutOfArchive"):
    sentence = message("%(found)s leads out of the archive.")
    remedy = message("Pack files by relative names, without '..'.")

    found: str


class DamagedGzip(Problem, kind="DamagedGzip"):
    """A gzip stream cannot be decompressed; ``reason`` is the word of the library."""

    sentence = message("The gzip stream is damaged: %(reason)s.")
    remedy = message("Compress it again.")

    reason: str


class GzipEndsEarly(Problem, kind="GzipEndsEarly"):
    sentence = message("The gzip stream ends too early.")
    remedy = message("It was cut off: send it again.")


class GzipTwice(Problem, kind="GzipTwice"):
    sentence = message("It is compressed with gzip twice.")
    remedy = message("Decompress it once.")


class ForeignCompression(Problem, kind="ForeignCompression"):
    sentence = message("It is compressed with %(format_name)s.")
    remedy = message("Decompress it, or use gzip.")

    format_name: str


class ByteNotUtf8(Problem, kind="ByteNotUtf8"):
    """A byte, counted from 1, that no UTF-8 has there."""

    sentence = message("Byte %(byte)s is not UTF-8.")
    remedy = message("Save it as UTF-8.")

    byte: int


class NotUtf16(Problem, kind="NotUtf16"):
    """A file that begins as UTF-16 and does not go on so."""

    sentence = message("It begins as UTF-16 and goes on as something else.")
    remedy = message("Save it as UTF-8.")


class EmptyFile(Problem, kind="EmptyFile"):
    sentence = message("It is empty.")
    remedy = message("Take the dump again.")


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
    sentence = Chosen(
        "form",
        {
            FileForm.IMAGE: message("It is an image, not JSON or YAML."),
            FileForm.PDF: message("It is a PDF, not JSON or YAML."),
            FileForm.PROGRAM: message("It is a program, not JSON or YAML."),
            FileForm.DATABASE: message("It is an SQLite database, not JSON or YAML."),
            FileForm.HTML: message("It is HTML, not JSON or YAML."),
            FileForm.XML: message("It is XML, not JSON or YAML."),
            FileForm.KUBECTL_TABLE: message("It is a table of kubectl get, not JSON or YAML."),
            FileForm.KUBECTL_DESCRIBE: message("It is from kubectl describe, not JSON or YAML."),
            FileForm.KUBECTL_MESSAGE: message("It is an error of kubectl, not JSON or YAML."),
            FileForm.LOG: message("It is a log, not JSON or YAML."),
        },
        message("It is a binary file, not JSON or YAML."),
    )
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
    """None of the lines of a file is of a scheduler; ``first`` is the beginning of its first line."""

    sentence = message("None of its %(lines)s lines is kube-scheduler's; line 1 is %(first)s.")
    remedy = message("Send the log of a kube-scheduler that runs with -v=2 or more.")

    lines: int
    first: str


class NoLineOfScheduler(Problem, kind="NoLineOfScheduler"):
    sentence = message("None of its %(lines)s lines is kube-scheduler's about a pod.")
    remedy = message("Send the log of a kube-scheduler that runs with -v=2 or more.")

    lines: int


class EmptyLog(Problem, kind="EmptyLog"):
    sentence = message("It is empty.")
    remedy = message("Send the log of a kube-scheduler that runs with -v=2 or more.")


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
    sentence = message("The source has none: the cluster may have none, or it was not asked for.")


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

    sentence = plural(
        "%(pods)s looks written by hand: no API server has added defaults.",
        "%(pods)s look written by hand: no API server has added defaults.",
        by="total",
    )

    pods: FirstOf
    total: int


class NotReadable(Problem, kind="NotReadable"):
    """Objects and files that could not be read, and what is wrong with the first of ``number``, in its place."""

    sentence = plural(
        "%(total)s could not be read: %(place)s: %(why)s",
        "%(total)s could not be read; the first: %(place)s: %(why)s",
        by="total",
    )

    place: str
    why: Problem
    total: int


# Why a dump, a log or a configuration is not taken, or could not be read to its end.


class NoNodesAndPods(Problem, kind="NoNodesAndPods"):
    """A source without nodes and without pods; ``held`` are the kinds that it has most objects of."""

    sentence = (message("It holds %(held)s, but neither nodes nor pods."), message("It holds neither nodes nor pods."))
    remedy = message("Take it with kubectl get nodes,pods,… -A -o json; see docs/ingest.md.")

    held: tuple[str, ...] = ()


class LogBeforeDump(Problem, kind="LogBeforeDump"):
    sentence = message("This is a scheduler's log, and its cluster has not been read yet.")
    remedy = message("Send a dump first, then the log.")


class ClusterIsLive(Problem, kind="ClusterIsLive"):
    sentence = message("%(cluster)s is followed live.")
    remedy = message("Choose another name.")

    cluster: str


class LaterDumpTaken(Problem, kind="LaterDumpTaken"):
    sentence = message("A dump that was sent later has been read already.")
    remedy = message("Send this one again if it is newer.")


class ClusterDeleted(Problem, kind="ClusterDeleted"):
    sentence = message("The cluster %(cluster)s was deleted meanwhile.")
    remedy = message("Send the dump as a new cluster.")

    cluster: str


class InvalidClusterName(Problem, kind="InvalidClusterName"):
    sentence = message("%(found)s cannot be a cluster's name.")
    remedy = message("Use up to 63 lower-case letters, digits and inner dashes.")

    found: str


class NotAConfiguration(Problem, kind="NotAConfiguration"):
    """A document of another kind, ``found``, without the configuration that is wanted in it."""

    sentence = (message("It is %(found)s."), message("It is something else."))
    remedy = message("Write a %(wanted)s.")

    wanted: str
    found: str = ""


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


class BerthStopped(Problem, kind="BerthStopped"):
    sentence = message("Berth was stopped too early.")
    remedy = message("Send the file again.")


class NoWorkerTold(Problem, kind="NoWorkerTold"):
    sentence = message("Redis is unavailable, so no worker was told.")
    remedy = message("Start Redis; then send the file again.")


class ReadingTakesLong(Problem, kind="ReadingTakesLong"):
    sentence = message("It takes longer than %(minutes)s minutes.")
    remedy = message("Dump less, or raise BERTH_INGEST_MINUTES.")

    minutes: float


class ReadingTakesMemory(Problem, kind="ReadingTakesMemory"):
    sentence = message("It takes more than %(most_mib)s MiB of memory.")
    remedy = message("Dump less, or raise BERTH_INGEST_MEMORY_MIB.")

    most_mib: int


class ReadingKilled(Problem, kind="ReadingKilled"):
    sentence = message("Its process was ended by %(signal)s.")
    remedy = message("Send the file again. See the log of the worker's machine.")

    signal: str


class ReadingOutOfMemory(Problem, kind="ReadingOutOfMemory"):
    sentence = message("The worker's machine or container ran out of memory.")
    remedy = message("Give it more, lower BERTH_INGEST_MEMORY_MIB, or dump less.")


# What can be wrong with a Kubernetes object that is to be mirrored.


class ManyObjects(Problem, kind="ManyObjects"):
    sentence = message("There are more than %(most)s objects.")
    remedy = message("Dump less, or raise BERTH_OBJECTS_LIMIT.")

    most: int


class SharedUid(Problem, kind="SharedUid"):
    sentence = message("UID %(found)s belongs to %(owner)s already.")
    remedy = message("Dump one cluster only; leave UIDs out of manifests.")

    found: str
    owner: str


class NotAUid(Problem, kind="NotAUid"):
    sentence = message("%(found)s is not a UID.")
    remedy = message("Write 1 to %(most)s printable characters.")

    found: str
    most: int


class NotANamespaceName(Problem, kind="NotANamespaceName"):
    sentence = message("%(found)s cannot be a namespace's name.")
    remedy = message("Use lower-case letters, digits, and '-' inside.")

    found: str


class NotAPathSegment(Problem, kind="NotAPathSegment"):
    sentence = message("%(found)s cannot be an object's name.")
    remedy = message("Use up to 253 characters without '/' and '%', and neither '.' nor '..'.")

    found: str


class NotADriverName(Problem, kind="NotADriverName"):
    sentence = message("%(found)s cannot be a driver's name.")
    remedy = message("Use letters, digits, and '-' and '.' inside.")

    found: str


class AnotherPod(Problem, kind="AnotherPod"):
    sentence = message("This is another pod.")
    remedy = message("Write %(right)s, or open the other pod's page.")

    right: str


# What can be wrong with a field by the Kubernetes API’s types.


# What can be wrong with JSON and YAML before anybody looks at what they say.


class JsonLacksEnd(Problem, kind="JsonLacksEnd"):
    sentence = message("The JSON ends too early: its last line is not %(closing)s.")
    remedy = message("It was cut off: send it again.")

    closing: str


class JsonBreaksOff(Problem, kind="JsonBreaksOff"):
    sentence = message("The JSON ends too early, at line %(line)s, column %(column)s.")
    remedy = message("It was cut off: send it again.")

    line: Number
    column: Number


class BrokenJson(Problem, kind="BrokenJson"):
    """A text that is no JSON; ``reason`` is the word of the library that reads it."""

    sentence = message("The JSON is broken at line %(line)s, column %(column)s: %(reason)s.")
    remedy = message("Fix it, or take the dump again.")

    line: Number
    column: Number
    reason: str


class BrokenYaml(Problem, kind="BrokenYaml"):
    """A text that is no YAML; ``reason`` is the word of the library, and ``line`` 0 where that does not say."""

    sentence = (
        message("The YAML is broken at line %(line)s, column %(column)s: %(reason)s."),
        message("The YAML is broken: %(reason)s."),
    )
    remedy = message("Fix it, or take the dump again.")

    line: Number
    column: Number
    reason: str


class LargeInMemory(Problem, kind="LargeInMemory"):
    sentence = message("Parsing it would take more than %(most_bytes)s of memory.")
    remedy = message("Send a list of objects, several files, or raise BERTH_DOCUMENT_MEMORY_MIB.")

    most_bytes: Bytes


class NestingLimit(Problem, kind="NestingLimit"):
    sentence = message("It is nested too deeply.")
    remedy = message("Send it as the API server does, or raise BERTH_NESTING_LIMIT.")


class CollectionAsKey(Problem, kind="CollectionAsKey"):
    sentence = message("A map or list stands where a key belongs.")
    remedy = message("Write a text.")


class AliasAsKey(Problem, kind="AliasAsKey"):
    sentence = message("An alias stands where a key belongs.")
    remedy = message("Write the key itself.")


class UnknownAlias(Problem, kind="UnknownAlias"):
    sentence = message("The alias *%(name)s has no anchor before it.")
    remedy = message("Write the value itself.")

    name: str


class AliasBomb(Problem, kind="AliasBomb"):
    sentence = message("It is an alias bomb: aliases stand for more than %(most)s values.")
    remedy = message("Write the values, or raise BERTH_YAML_EXPANSION_LIMIT.")

    most: int


class MergeOfNoMap(Problem, kind="MergeOfNoMap"):
    sentence = message("Only maps can be merged with <<.")
    remedy = message("Write the fields themselves.")


class ForeignTag(Problem, kind="ForeignTag"):
    sentence = message("The tag %(found)s is not read.")
    remedy = message("Remove it.")

    found: str


class NulInText(Problem, kind="NulInText"):
    sentence = message("The text holds a NUL character.")
    remedy = message("Remove it.")


class HalfACharacter(Problem, kind="HalfACharacter"):
    sentence = message("A text holds half of a surrogate pair.")
    remedy = message("Save it as UTF-8.")


class BrokenManifest(Problem, kind="BrokenManifest"):
    sentence = message("It is broken at line %(line)s, column %(column)s: %(reason)s.")
    remedy = message("Correct that line, or one before.")

    line: Number
    column: Number
    reason: str


# What can be wrong with a recorded case, one line of a file.


class NotACase(Problem, kind="NotACase"):
    sentence = message("%(found)s is not a case.")
    remedy = message("Write a map with name, objects and pods.")

    found: str


class UnreadableObjects(Problem, kind="UnreadableObjects"):
    """Objects that no API server returns; ``reason`` is what Kubernetes says is wrong with one."""

    sentence = message("%(reason)s.")
    remedy = message("Write the objects as the API server returns them.")

    reason: str


# What can be wrong with the CSV files of a trace.


class NotCsv(Problem, kind="NotCsv"):
    """A line that is no CSV; ``reason`` is the word of the library that reads it."""

    sentence = message("It is not CSV: %(reason)s.")
    remedy = message("Close every quote on its line.")

    reason: str


class CellCount(Problem, kind="CellCount"):
    sentence = message("It has %(found)s cells, and the first line %(first)s.")
    remedy = message("Write one cell for each column.")

    found: int
    first: int


class NameTwice(Problem, kind="NameTwice"):
    sentence = message("%(name)s is on line %(line)s already.")
    remedy = message("Choose another name.")

    name: str
    line: Number


class EmptyTable(Problem, kind="EmptyTable"):
    """A file without a line; ``columns`` are those that it must have."""

    sentence = message("It is empty.")
    remedy = message("Begin it with %(columns)s.")

    columns: str


class NulByte(Problem, kind="NulByte"):
    sentence = message("It holds a NUL byte.")
    remedy = message("Save it as UTF-8.")


class ManyColumns(Problem, kind="ManyColumns"):
    sentence = message("It has %(found)s columns, more than %(most)s.")
    remedy = message("Remove some.")

    found: int
    most: int


class ColumnTwice(Problem, kind="ColumnTwice"):
    sentence = message("The column is there twice.")
    remedy = message("Remove one of the two.")


class NoColumn(Problem, kind="NoColumn"):
    """A column that the first line does not name; ``wanted`` are all that it must name."""

    sentence = message("There is no column %(name)s.")
    remedy = message("Name %(wanted)s in the first line.")

    name: str
    wanted: str
