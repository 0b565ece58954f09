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
    """A file of more bytes than are taken."""

    sentence = message("It has %(found_bytes)s, more than the %(most_bytes)s that are taken.")
    remedy = message("Dump fewer kinds or namespaces, compress it with gzip, or raise BERTH_UPLOAD_LIMIT_MIB.")

    found_bytes: Bytes
    most_bytes: Bytes


class ManyFiles(Problem, kind="ManyFiles"):
    """An archive or a directory of more files than are read."""

    sentence = message("It holds more than %(most)s files.")
    remedy = message("Leave logs and other files out of it, or raise BERTH_FILES_LIMIT.")

    most: int


class LargeOnceDecompressed(Problem, kind="LargeOnceDecompressed"):
    """More bytes come out of a file than are taken."""

    sentence = message("It holds more than %(most_bytes)s once decompressed.")
    remedy = message("Dump fewer kinds or namespaces, or raise BERTH_DECOMPRESSED_LIMIT_MIB.")

    most_bytes: Bytes


class DecompressionBomb(Problem, kind="DecompressionBomb"):
    """More than so many times the compressed size comes out of a file."""

    sentence = message("Its content is over %(times)s times its compressed size, as in a decompression bomb.")
    remedy = message("Send it uncompressed if it is genuine, or raise BERTH_INFLATION_LIMIT.")

    times: int


class LargeArchiveHeader(Problem, kind="LargeArchiveHeader"):
    """A header in an archive claims so many bytes."""

    sentence = message("A header in the archive claims %(claimed)s bytes.")
    remedy = message("Make the archive again.")

    claimed: int


class LinkInArchive(Problem, kind="LinkInArchive"):
    """A member of an archive is a link."""

    sentence = message("%(found)s is a link.")
    remedy = message("Pack plain files only; with tar, --dereference stores what links lead to.")

    found: str


class DeviceInArchive(Problem, kind="DeviceInArchive"):
    """A member of an archive is a device or a pipe."""

    sentence = message("%(found)s is a device or a pipe.")
    remedy = message("Pack plain files only.")

    found: str


class NotAPlainFile(Problem, kind="NotAPlainFile"):
    """A member of an archive is something else than a file, a directory, a link or a device."""

    sentence = message("%(found)s is not a plain file.")
    remedy = message("Pack plain files only.")

    found: str


class DamagedArchive(Problem, kind="DamagedArchive"):
    """An archive cannot be read; ``reason`` is the word of the library that reads it."""

    sentence = message("The archive is damaged: %(reason)s.")
    remedy = message("Make or send it again.")

    reason: str


class EncryptedMember(Problem, kind="EncryptedMember"):
    """A member of an archive needs a password."""

    sentence = message("%(found)s is encrypted.")
    remedy = message("Make the archive without a password.")

    found: str


class UnusualCompression(Problem, kind="UnusualCompression"):
    """A member of a zip archive is compressed in a way that is not read."""

    sentence = message("%(found)s is compressed in an unusual way.")
    remedy = message("Make it with the usual deflate.")

    found: str


class OverlappingMember(Problem, kind="OverlappingMember"):
    """Two members of a zip archive share bytes."""

    sentence = message("%(found)s overlaps another entry of the archive, as in a decompression bomb.")
    remedy = message("Make the archive again, from plain files.")

    found: str


class LeadsOutOfArchive(Problem, kind="LeadsOutOfArchive"):
    """The name of a member leads out of its archive."""

    sentence = message("%(found)s leads out of the archive.")
    remedy = message("Pack files by relative names, without '..'.")

    found: str


class DamagedGzip(Problem, kind="DamagedGzip"):
    """A gzip stream cannot be decompressed; ``reason`` is the word of the library."""

    sentence = message("The gzip stream is damaged: %(reason)s.")
    remedy = message("Compress it again.")

    reason: str


class GzipEndsEarly(Problem, kind="GzipEndsEarly"):
    """A gzip stream lacks its end."""

    sentence = message("The gzip stream ends too early.")
    remedy = message("The file was cut off: take or send it again.")


class GzipTwice(Problem, kind="GzipTwice"):
    """A gzip file is in a gzip file."""

    sentence = message("The file is compressed with gzip twice.")
    remedy = message("Decompress it once.")


class ForeignCompression(Problem, kind="ForeignCompression"):
    """A file is compressed in a format that is not read."""

    sentence = message("The file is compressed with %(format_name)s.")
    remedy = message("Decompress it, or compress it with gzip.")

    format_name: str


class ByteNotUtf8(Problem, kind="ByteNotUtf8"):
    """A byte, counted from 1, that no UTF-8 has there."""

    sentence = message("Byte %(byte)s is not UTF-8.")
    remedy = message("Write the file in UTF-8; kubectl does so by itself.")

    byte: int


class NotUtf16(Problem, kind="NotUtf16"):
    """A file that begins as UTF-16 and does not go on so."""

    sentence = message("The file begins as UTF-16 and goes on as something else.")
    remedy = message("Write it in UTF-8.")


class EmptyFile(Problem, kind="EmptyFile"):
    """A file without any document."""

    sentence = message("The file is empty.")
    remedy = message("Take the dump again, with kubectl get -o json.")


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
    """A file that is something else than JSON or YAML."""

    sentence = Chosen(
        "form",
        {
            FileForm.IMAGE: message("It is an image, not JSON or YAML."),
            FileForm.PDF: message("It is a PDF document, not JSON or YAML."),
            FileForm.PROGRAM: message("It is a program, not JSON or YAML."),
            FileForm.DATABASE: message("It is an SQLite database, not JSON or YAML."),
            FileForm.HTML: message("It is an HTML page, not JSON or YAML."),
            FileForm.XML: message("It is XML, not JSON or YAML."),
            FileForm.KUBECTL_TABLE: message("It is a table of kubectl get, not JSON or YAML."),
            FileForm.KUBECTL_DESCRIBE: message("It is the output of kubectl describe, not JSON or YAML."),
            FileForm.KUBECTL_MESSAGE: message("It is an error message of kubectl, not JSON or YAML."),
            FileForm.LOG: message("It is the log of a component of Kubernetes, not JSON or YAML."),
            FileForm.BINARY: message("It is a binary file, not JSON or YAML."),
        },
    )
    remedy = Chosen(
        "form",
        {
            FileForm.KUBECTL_TABLE: message("Run kubectl get with -o json, and send what that prints."),
            FileForm.KUBECTL_DESCRIBE: message("Run kubectl get with -o json, and send what that prints."),
            FileForm.KUBECTL_MESSAGE: message("Run the command again once that is solved."),
            FileForm.LOG: message(
                "Send a dump of the cluster; kube-scheduler's log can be added to one: manage.py ingest LOG."
            ),
        },
        message("Send what kubectl get -o json or -o yaml writes, or an archive of it."),
    )

    form: FileForm


class NotADump(Problem, kind="NotADump"):
    """A document that is no Kubernetes object, alone in its file."""

    sentence = message("%(found)s is not a Kubernetes object.")
    remedy = message("Send what kubectl get -o json or -o yaml writes, or an archive of it.")

    found: str


class NotASchedulerLog(Problem, kind="NotASchedulerLog"):
    """None of the lines of a file is of a scheduler; ``first`` is the beginning of its first line."""

    sentence = message("None of its lines (%(lines)s) is a scheduler's; line 1 is %(first)s.")
    remedy = message(
        "Send what kubectl logs prints for a kube-scheduler that runs with -v=2 or more, as text or in JSON."
    )

    lines: int
    first: str


class NoLineOfScheduler(Problem, kind="NoLineOfScheduler"):
    """A component wrote the lines of a log, and none is one of kube-scheduler about a pod."""

    sentence = message("None of its lines (%(lines)s) is one that kube-scheduler writes about a pod.")
    remedy = message(
        "It is the log of another component, or one below -v=2. Send what kubectl logs prints for a "
        "kube-scheduler that runs with -v=2 or more, as text or in JSON."
    )

    lines: int


class EmptyLog(Problem, kind="EmptyLog"):
    """A log without a line."""

    sentence = message("The file is empty.")
    remedy = message(
        "Send what kubectl logs prints for a kube-scheduler that runs with -v=2 or more, as text or in JSON."
    )


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
    """A source with neither an object nor a list of a kind."""

    sentence = message(
        "The source has neither an object nor a list of this kind: the cluster may have none, or they were not "
        "asked for."
    )


class NodesNotInSource(Problem, kind="NodesNotInSource"):
    """Nodes on which pods run and which the source does not hold.

    The names are of the first few of ``number``, as many as are shown; ``pods`` holds for each the first few of those
    on it, and ``pod_numbers`` how many those are.
    """

    sentence = message("Pods run on nodes that the source does not hold: %(nodes)s.")

    nodes: FirstOf
    total: int


class NeverAdmitted(Problem, kind="NeverAdmitted"):
    """Pods that lack what an API server would have given them; ``pods`` are the first few of ``number``."""

    sentence = plural(
        "%(pods)s looks written by hand: no API server has given it requests from limits, the priority of its "
        "class, the overhead of its RuntimeClass or the defaults of a LimitRange.",
        "%(pods)s look written by hand: no API server has given them requests from limits, the priority of their "
        "class, the overhead of their RuntimeClass or the defaults of a LimitRange.",
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
    remedy = message("Take it with kubectl get nodes,pods,... -A -o json; docs/ingest.md has the whole command.")

    held: tuple[str, ...] = ()


class LogBeforeDump(Problem, kind="LogBeforeDump"):
    """A scheduler's log of a cluster of which nothing was read."""

    sentence = message("This is a scheduler's log, and nothing of its cluster has been read yet.")
    remedy = message("Send a dump of the cluster first, and then the log to that cluster.")


class ClusterIsLive(Problem, kind="ClusterIsLive"):
    """A dump for a cluster that is followed live."""

    sentence = message("%(cluster)s is followed live.")
    remedy = message("Give the dump's cluster another name.")

    cluster: str


class LaterDumpTaken(Problem, kind="LaterDumpTaken"):
    """A dump that was sent before one that has been taken."""

    sentence = message("A dump that was sent later has been taken already.")
    remedy = message("The cluster is what the later one says: send this one again if it is the newer.")


class ClusterDeleted(Problem, kind="ClusterDeleted"):
    """A dump whose cluster was deleted while it came in."""

    sentence = message("The cluster %(cluster)s was deleted meanwhile.")
    remedy = message("Send the dump as a new cluster's.")

    cluster: str


class InvalidClusterName(Problem, kind="InvalidClusterName"):
    """A name that no cluster may have."""

    sentence = message("%(found)s cannot be a cluster's name.")
    remedy = message(
        "Use at most 63 lower-case letters, digits and dashes, beginning and ending with a letter or digit."
    )

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
    remedy = message("Keep the %(wanted)s that is meant.")

    places: FirstOf
    total: int
    wanted: str


class NotOneDocument(Problem, kind="NotOneDocument"):
    """A text of several documents, or of none, where one is expected."""

    sentence = (message("It holds %(found)s documents."), message("It is empty."))
    remedy = message("Write one %(wanted)s.")

    found: int
    wanted: str


class LargeConfiguration(Problem, kind="LargeConfiguration"):
    """A configuration of more bytes than are read."""

    sentence = message("It has %(found)s bytes.")
    remedy = message("A configuration has at most %(most)s.")

    found: int
    most: int


class WorkerStopped(Problem, kind="WorkerStopped"):
    """The worker that read it is gone."""

    sentence = message("The worker stopped before it was done.")
    remedy = message("Send the file again.")


class BerthStopped(Problem, kind="BerthStopped"):
    """Berth was stopped while it was read."""

    sentence = message("Berth was stopped before it was done.")
    remedy = message("Send the file again.")


class NoWorkerTold(Problem, kind="NoWorkerTold"):
    """Redis is away, by which workers are told."""

    sentence = message("The file arrived, but Redis is unavailable, so no worker could be told.")
    remedy = message("Start Redis, or ask whoever runs this Berth to; then send the file again.")


class ReadingTakesLong(Problem, kind="ReadingTakesLong"):
    """Reading takes longer than it may."""

    sentence = message("Reading it takes longer than %(minutes)s minutes.")
    remedy = message("Dump fewer kinds or namespaces, or raise BERTH_INGEST_MINUTES.")

    minutes: float


class ReadingTakesMemory(Problem, kind="ReadingTakesMemory"):
    """Reading takes more memory than it may."""

    sentence = message("Reading it takes more than the %(most_mib)s MiB of memory that it may take.")
    remedy = message("Dump fewer kinds or namespaces, or raise BERTH_INGEST_MEMORY_MIB.")

    most_mib: int


class ReadingKilled(Problem, kind="ReadingKilled"):
    """The process that read it was ended by a signal."""

    sentence = message("The process that read it was ended by %(signal)s.")
    remedy = message("Upload it again. The log of the worker's machine may say what ended it.")

    signal: str


class ReadingOutOfMemory(Problem, kind="ReadingOutOfMemory"):
    """The kernel ended the process that read it, as memory ran out."""

    sentence = message(
        "The kernel ended the process that read it, because the worker's machine or container ran out of memory."
    )
    remedy = message("Give it more memory, lower BERTH_INGEST_MEMORY_MIB, or dump fewer kinds or namespaces.")


class ReadingFailed(Problem, kind="ReadingFailed"):
    """An error of Berth’s own while it was read."""

    sentence = message("Berth failed while it read this.")
    remedy = message("The worker's log says why.")


# What can be wrong with a Kubernetes object that is to be mirrored.


class ObjectWithoutName(Problem, kind="ObjectWithoutName"):
    """An object without metadata.name."""

    sentence = message("The object has no name.")
    remedy = message("Write metadata.name.")


class NoType(Problem, kind="NoType"):
    """An object without its apiVersion or its kind, which ``field`` names."""

    sentence = message("The object has no %(field)s.")
    remedy = message("Every object needs apiVersion and kind, as in v1 and Pod.")

    field: str


class NotAType(Problem, kind="NotAType"):
    """A value that no apiVersion or kind can be."""

    sentence = message("%(found)s is not a type.")
    remedy = message("Every object needs apiVersion and kind, as in v1 and Pod.")

    found: str


class ListWithoutVersion(Problem, kind="ListWithoutVersion"):
    """A typed list without an apiVersion, which its items would take over."""

    sentence = message("The list has no apiVersion.")
    remedy = message("Write apiVersion, as in v1.")


class NotAListOfObjects(Problem, kind="NotAListOfObjects"):
    """Something else than a list where the objects of a list belong."""

    sentence = message("%(found)s is not a list of objects.")
    remedy = message("Write Kubernetes objects here.")

    found: str


class ManyObjects(Problem, kind="ManyObjects"):
    """More objects than are read of one source."""

    sentence = message("There are more than %(most)s objects.")
    remedy = message("Dump fewer namespaces or kinds, or raise BERTH_OBJECTS_LIMIT.")

    most: int


class LargeObject(Problem, kind="LargeObject"):
    """An object of which more bytes are left after pruning than are stored."""

    sentence = message("The object has %(found)s bytes after pruning.")
    remedy = message("At most %(most)s are taken.")

    found: int
    most: int


class SharedUid(Problem, kind="SharedUid"):
    """A UID that another object of the source has already."""

    sentence = message("UID %(found)s belongs to %(owner)s already.")
    remedy = message("Dump one cluster only, and leave UIDs out of objects that are written by hand.")

    found: str
    owner: str


class NoUid(Problem, kind="NoUid"):
    """An object of an API server without a UID."""

    sentence = message("The object has no UID.")
    remedy = message("API servers give every object one.")


class NotAUid(Problem, kind="NotAUid"):
    """A value that no UID can be."""

    sentence = message("%(found)s is not a UID.")
    remedy = message("Write a text of 1 to %(most)s printable characters.")

    found: str
    most: int


class NotANamespaceName(Problem, kind="NotANamespaceName"):
    """A value that the name of a namespace cannot be."""

    sentence = message("%(found)s is not a namespace's name.")
    remedy = message("Kubernetes takes lower-case letters, digits and '-', with a letter or digit at both ends.")

    found: str


class NotAPathSegment(Problem, kind="NotAPathSegment"):
    """A value that no part of a path, and so no name of any object, can be."""

    sentence = message("%(found)s is not the name of an object.")
    remedy = message("Kubernetes takes up to 253 characters without '/' and '%', and neither '.' nor '..'.")

    found: str


class NotADriverName(Problem, kind="NotADriverName"):
    """A value that the name of a driver cannot be."""

    sentence = message("%(found)s is not a driver's name.")
    remedy = message("Kubernetes takes letters, digits, '-' and '.', with a letter or digit at both ends.")

    found: str


class NotATimestamp(Problem, kind="NotATimestamp"):
    """A value that is no time in RFC 3339, with its zone."""

    sentence = message("%(found)s is not a time.")
    remedy = message("Write it as in 2026-01-31T12:00:00Z.")

    found: str


class AnotherPod(Problem, kind="AnotherPod"):
    """A changed pod with another name or namespace than the pod that is changed."""

    sentence = message("This is another pod.")
    remedy = message("Write %(right)s, or open the other pod's page.")

    right: str


# What can be wrong with a field by the Kubernetes API’s types.


# What can be wrong with JSON and YAML before anybody looks at what they say.


class JsonLacksEnd(Problem, kind="JsonLacksEnd"):
    """A JSON text that does not end with its closing bracket."""

    sentence = message("The JSON ends too early: its last line is not %(closing)s.")
    remedy = message("The file was cut off: take or send it again.")

    closing: str


class JsonBreaksOff(Problem, kind="JsonBreaksOff"):
    """A JSON text that ends within a value."""

    sentence = message("The JSON ends too early: it breaks off at line %(line)s, column %(column)s.")
    remedy = message("The file was cut off: take or send it again.")

    line: Number
    column: Number


class BrokenJson(Problem, kind="BrokenJson"):
    """A text that is no JSON; ``reason`` is the word of the library that reads it."""

    sentence = message("The JSON is broken at line %(line)s, column %(column)s: %(reason)s.")
    remedy = message("Fix that place, or take the dump again with kubectl get -o json.")

    line: Number
    column: Number
    reason: str


class BrokenYaml(Problem, kind="BrokenYaml"):
    """A text that is no YAML; ``reason`` is the word of the library, and ``line`` 0 where that does not say."""

    sentence = (
        message("The YAML is broken at line %(line)s, column %(column)s: %(reason)s."),
        message("The YAML is broken: %(reason)s."),
    )
    remedy = message("Fix that place, or take the dump again with kubectl get -o yaml or -o json.")

    line: Number
    column: Number
    reason: str


class LargeInMemory(Problem, kind="LargeInMemory"):
    """A document that would take more memory than may be used for one."""

    sentence = message("It would take more than %(most_bytes)s of memory to parse this in one piece.")
    remedy = message(
        "Send the objects as kubectl get -o json lists them, whose items are parsed one at a time, in several "
        "files, or raise BERTH_DOCUMENT_MEMORY_MIB."
    )

    most_bytes: Bytes


class NestingLimit(Problem, kind="NestingLimit"):
    """Maps and lists within each other, more than any object has."""

    sentence = message("Maps and lists are nested too deeply.")
    remedy = message(
        "No Kubernetes object is: send the object as the API server returns it, or raise BERTH_NESTING_LIMIT."
    )


class CollectionAsKey(Problem, kind="CollectionAsKey"):
    """A map or a list where YAML has a key."""

    sentence = message("A map or list stands where a key belongs.")
    remedy = message("Keys are texts.")


class DuplicateKey(Problem, kind="DuplicateKey"):
    """A key that a map has twice."""

    sentence = message("The key %(found)s stands twice in one map.")
    remedy = message("Remove one of the two.")

    found: str


class AliasAsKey(Problem, kind="AliasAsKey"):
    """An alias where YAML has a key."""

    sentence = message("An alias stands where a key belongs.")
    remedy = message("Write the key itself.")


class UnknownAlias(Problem, kind="UnknownAlias"):
    """An alias of an anchor that no value before it has."""

    sentence = message("The alias *%(name)s has no anchor before it.")
    remedy = message("Write the value itself.")

    name: str


class AliasBomb(Problem, kind="AliasBomb"):
    """Aliases that stand for more values than are read."""

    sentence = message("Aliases stand for more than %(most)s values, as in an alias bomb.")
    remedy = message("Write the values themselves, or raise BERTH_YAML_EXPANSION_LIMIT.")

    most: int


class MergeOfNoMap(Problem, kind="MergeOfNoMap"):
    """Something else than a map is merged into a map."""

    sentence = message("Only maps can be merged with <<.")
    remedy = message("Write the fields themselves.")


class ForeignTag(Problem, kind="ForeignTag"):
    """A YAML tag that asks for something else than a map, a list or a text."""

    sentence = message("The tag %(found)s is not taken.")
    remedy = message("Remove it; Kubernetes knows no tags.")

    found: str


class NulInText(Problem, kind="NulInText"):
    """A text with a NUL character, which no database stores."""

    sentence = message("The text holds a NUL character.")
    remedy = message("Remove it.")


class HalfACharacter(Problem, kind="HalfACharacter"):
    """A text with half of a surrogate pair."""

    sentence = message("A text holds half of a surrogate pair.")
    remedy = message("Take the dump again, in UTF-8.")


class BrokenManifest(Problem, kind="BrokenManifest"):
    """A manifest that somebody writes, and that is no YAML or JSON: as BrokenYaml and BrokenJson."""

    sentence = message("It is broken at line %(line)s, column %(column)s: %(reason)s.")
    remedy = message("Correct that line; the fault may begin a line or two before.")

    line: Number
    column: Number
    reason: str


class ManyBytes(Problem, kind="ManyBytes"):
    """A text of more bytes than are read."""

    sentence = message("It has %(found)s bytes.")
    remedy = message("At most %(most)s are taken.")

    found: int
    most: int


# What can be wrong with a recorded case, one line of a file.


class CaseNotJson(Problem, kind="CaseNotJson"):
    """A line that is no JSON; ``reason`` is the word of the library that reads it."""

    sentence = message("The line is not JSON: %(reason)s.")
    remedy = message("Write one case a line.")

    reason: str


class NotACase(Problem, kind="NotACase"):
    """A line that is no map."""

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

    sentence = message("It cannot be read as CSV: %(reason)s.")
    remedy = message("Close every quote on the line that opens it.")

    reason: str


class CellCount(Problem, kind="CellCount"):
    """A line with more or fewer cells than the first."""

    sentence = message("It has %(found)s cells, and the first line %(first)s.")
    remedy = message("Write one cell for each column.")

    found: int
    first: int


class ManyRows(Problem, kind="ManyRows"):
    """A list of more rows than are read."""

    sentence = message("There are more than %(most)s rows.")
    remedy = message("Take a part of the list.")

    most: int


class NameTwice(Problem, kind="NameTwice"):
    """A name that an earlier line has already."""

    sentence = message("%(name)s is on line %(line)s already.")
    remedy = message("Give each row a name of its own.")

    name: str
    line: Number


class EmptyTable(Problem, kind="EmptyTable"):
    """A file without a line; ``columns`` are those that it must have."""

    sentence = message("It is empty.")
    remedy = message("Begin it with a line %(columns)s.")

    columns: str


class LargeTable(Problem, kind="LargeTable"):
    """A file of more bytes than are read."""

    sentence = message("It has %(found)s bytes.")
    remedy = message("At most %(most)s are taken: take a part of the list.")

    found: int
    most: int


class LongLine(Problem, kind="LongLine"):
    """A line of more bytes than are read."""

    sentence = message("The line has %(found)s bytes, and %(most)s are the most.")
    remedy = message("Write one row a line.")

    found: int
    most: int


class NulByte(Problem, kind="NulByte"):
    """A line with a NUL byte."""

    sentence = message("It holds a NUL byte.")
    remedy = message("Save the list as CSV in UTF-8.")


class TableNotUtf8(Problem, kind="TableNotUtf8"):
    """A line that is not UTF-8."""

    sentence = message("It is not UTF-8.")
    remedy = message("Save the list as CSV in UTF-8.")


class ManyColumns(Problem, kind="ManyColumns"):
    """A first line that names more columns than are read."""

    sentence = message("It has %(found)s columns.")
    remedy = message("Write at most %(most)s.")

    found: int
    most: int


class ColumnTwice(Problem, kind="ColumnTwice"):
    """A column that the first line names twice."""

    sentence = message("The column is there twice.")
    remedy = message("Remove one of them.")


class NoColumn(Problem, kind="NoColumn"):
    """A column that the first line does not name; ``wanted`` are all that it must name."""

    sentence = message("There is no column %(name)s.")
    remedy = message("The first line has to name %(wanted)s.")

    name: str
    wanted: str
