"""What can be wrong with input: files, texts, objects, traces, and dumps that are not taken."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from clusters.engine.problems import Problem

# What can be wrong with a file or an archive that somebody sends.


@dataclass(frozen=True, slots=True)
class UnreadableFile(Problem):
    """The operating system refuses to read a file; ``reason`` is its own word."""

    reason: str


@dataclass(frozen=True, slots=True)
class LargeFile(Problem):
    """A file of more bytes than are taken."""

    found_bytes: int
    most_bytes: int


@dataclass(frozen=True, slots=True)
class ManyFiles(Problem):
    """An archive or a directory of more files than are read."""

    most: int


@dataclass(frozen=True, slots=True)
class LargeOnceDecompressed(Problem):
    """More bytes come out of a file than are taken."""

    most_bytes: int


@dataclass(frozen=True, slots=True)
class DecompressionBomb(Problem):
    """More than so many times the compressed size comes out of a file."""

    times: int


@dataclass(frozen=True, slots=True)
class LargeArchiveHeader(Problem):
    """A header in an archive claims so many bytes."""

    claimed: int


@dataclass(frozen=True, slots=True)
class LinkInArchive(Problem):
    """A member of an archive is a link."""

    found: str


@dataclass(frozen=True, slots=True)
class DeviceInArchive(Problem):
    """A member of an archive is a device or a pipe."""

    found: str


@dataclass(frozen=True, slots=True)
class NotAPlainFile(Problem):
    """A member of an archive is something else than a file, a directory, a link or a device."""

    found: str


@dataclass(frozen=True, slots=True)
class DamagedArchive(Problem):
    """An archive cannot be read; ``reason`` is the word of the library that reads it."""

    reason: str


@dataclass(frozen=True, slots=True)
class EncryptedMember(Problem):
    """A member of an archive needs a password."""

    found: str


@dataclass(frozen=True, slots=True)
class UnusualCompression(Problem):
    """A member of a zip archive is compressed in a way that is not read."""

    found: str


@dataclass(frozen=True, slots=True)
class OverlappingMember(Problem):
    """Two members of a zip archive share bytes."""

    found: str


@dataclass(frozen=True, slots=True)
class LeadsOutOfArchive(Problem):
    """The name of a member leads out of its archive."""

    found: str


@dataclass(frozen=True, slots=True)
class DamagedGzip(Problem):
    """A gzip stream cannot be decompressed; ``reason`` is the word of the library."""

    reason: str


@dataclass(frozen=True, slots=True)
class GzipEndsEarly(Problem):
    """A gzip stream lacks its end."""


@dataclass(frozen=True, slots=True)
class GzipTwice(Problem):
    """A gzip file is in a gzip file."""


@dataclass(frozen=True, slots=True)
class ForeignCompression(Problem):
    """A file is compressed in a format that is not read."""

    format_name: str


@dataclass(frozen=True, slots=True)
class ByteNotUtf8(Problem):
    """A byte, counted from 1, that no UTF-8 has there."""

    byte: int


@dataclass(frozen=True, slots=True)
class NotUtf16(Problem):
    """A file that begins as UTF-16 and does not go on so."""


@dataclass(frozen=True, slots=True)
class EmptyFile(Problem):
    """A file without any document."""


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


@dataclass(frozen=True, slots=True)
class OtherForm(Problem):
    """A file that is something else than JSON or YAML."""

    form: FileForm


@dataclass(frozen=True, slots=True)
class NotADump(Problem):
    """A document that is no Kubernetes object, alone in its file."""

    found: str


@dataclass(frozen=True, slots=True)
class NotASchedulerLog(Problem):
    """None of the lines of a file is of a scheduler; ``first`` is the beginning of its first line."""

    lines: int
    first: str


@dataclass(frozen=True, slots=True)
class NoLineOfScheduler(Problem):
    """A component wrote the lines of a log, and none is one of kube-scheduler about a pod."""

    lines: int


@dataclass(frozen=True, slots=True)
class EmptyLog(Problem):
    """A log without a line."""


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


@dataclass(frozen=True, slots=True)
class NoneInSource(Problem):
    """A source with neither an object nor a list of a kind."""


@dataclass(frozen=True, slots=True)
class NodesNotInSource(Problem):
    """Nodes on which pods run and which the source does not hold.

    The names are of the first few of ``number``, as many as are shown; ``pods`` holds for each the first few of those
    on it, and ``pod_numbers`` how many those are.
    """

    nodes: tuple[str, ...]
    pods: tuple[tuple[str, ...], ...]
    pod_numbers: tuple[int, ...]
    number: int


@dataclass(frozen=True, slots=True)
class NeverAdmitted(Problem):
    """Pods that lack what an API server would have given them; ``pods`` are the first few of ``number``."""

    pods: tuple[str, ...]
    number: int


@dataclass(frozen=True, slots=True)
class NotReadable(Problem):
    """Objects and files that could not be read, and what is wrong with the first of ``number``, in its place."""

    file: str
    document: int
    subject: str
    field: str
    why: Problem
    number: int


# Why a dump, a log or a configuration is not taken, or could not be read to its end.


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


# What can be wrong with a Kubernetes object that is to be mirrored.


@dataclass(frozen=True, slots=True)
class ObjectWithoutName(Problem):
    """An object without metadata.name."""


@dataclass(frozen=True, slots=True)
class NoType(Problem):
    """An object without its apiVersion or its kind, which ``field`` names."""

    field: str


@dataclass(frozen=True, slots=True)
class NotAType(Problem):
    """A value that no apiVersion or kind can be."""

    found: str


@dataclass(frozen=True, slots=True)
class ListWithoutVersion(Problem):
    """A typed list without an apiVersion, which its items would take over."""


@dataclass(frozen=True, slots=True)
class NotAListOfObjects(Problem):
    """Something else than a list where the objects of a list belong."""

    found: str


@dataclass(frozen=True, slots=True)
class ManyObjects(Problem):
    """More objects than are read of one source."""

    most: int


@dataclass(frozen=True, slots=True)
class LargeObject(Problem):
    """An object of which more bytes are left after pruning than are stored."""

    found: int
    most: int


@dataclass(frozen=True, slots=True)
class SharedUid(Problem):
    """A UID that another object of the source has already."""

    found: str
    owner: str


@dataclass(frozen=True, slots=True)
class NoUid(Problem):
    """An object of an API server without a UID."""


@dataclass(frozen=True, slots=True)
class NotAUid(Problem):
    """A value that no UID can be."""

    found: str
    most: int


@dataclass(frozen=True, slots=True)
class NotANamespaceName(Problem):
    """A value that the name of a namespace cannot be."""

    found: str


@dataclass(frozen=True, slots=True)
class NotAPathSegment(Problem):
    """A value that no part of a path, and so no name of any object, can be."""

    found: str


@dataclass(frozen=True, slots=True)
class NotADriverName(Problem):
    """A value that the name of a driver cannot be."""

    found: str


@dataclass(frozen=True, slots=True)
class NotATimestamp(Problem):
    """A value that is no time in RFC 3339, with its zone."""

    found: str


@dataclass(frozen=True, slots=True)
class AnotherPod(Problem):
    """A changed pod with another name or namespace than the pod that is changed."""

    right: str


# What can be wrong with a field by the Kubernetes API’s types.


@dataclass(frozen=True, slots=True)
class IsNot(Problem):
    """A field that can have one value alone has another."""

    found: str
    right: str


@dataclass(frozen=True, slots=True)
class NotFieldsOf(Problem):
    """Something else than a map where the fields of a type belong."""

    found: str
    type_name: str


@dataclass(frozen=True, slots=True)
class NoFieldOf(Problem):
    """A field that a type does not have; ``close`` is the one that is written most alike, ``known`` are the first."""

    found: str
    type_name: str
    known: tuple[str, ...]
    close: str = ""


@dataclass(frozen=True, slots=True)
class NeedsField(Problem):
    """A field that a type cannot be without is missing."""

    field: str
    type_name: str


@dataclass(frozen=True, slots=True)
class EmptyItem(Problem):
    """An item of a list without a value."""


@dataclass(frozen=True, slots=True)
class NotAnIntegerOrText(Problem):
    """Something else than a whole number or a text, as ports and percentages are."""

    found: str


@dataclass(frozen=True, slots=True)
class NoApiGroup(Problem):
    """An API group that no cluster has; ``close`` is the apiVersion that was probably meant."""

    found: str
    close: str


@dataclass(frozen=True, slots=True)
class KindOfOtherVersion(Problem):
    """A kind that another apiVersion has, which is ``right``."""

    kind_name: str
    found: str
    right: str


@dataclass(frozen=True, slots=True)
class NoKind(Problem):
    """A kind that an API group of Kubernetes does not have."""

    found: str
    version: str
    known: tuple[str, ...]
    close: str = ""


# What can be wrong with JSON and YAML before anybody looks at what they say.


@dataclass(frozen=True, slots=True)
class JsonLacksEnd(Problem):
    """A JSON text that does not end with its closing bracket."""

    closing: str


@dataclass(frozen=True, slots=True)
class JsonBreaksOff(Problem):
    """A JSON text that ends within a value."""

    line: int
    column: int


@dataclass(frozen=True, slots=True)
class BrokenJson(Problem):
    """A text that is no JSON; ``reason`` is the word of the library that reads it."""

    line: int
    column: int
    reason: str


@dataclass(frozen=True, slots=True)
class BrokenYaml(Problem):
    """A text that is no YAML; ``reason`` is the word of the library, and ``line`` 0 where that does not say."""

    line: int
    column: int
    reason: str


@dataclass(frozen=True, slots=True)
class LargeInMemory(Problem):
    """A document that would take more memory than may be used for one."""

    most_bytes: int


@dataclass(frozen=True, slots=True)
class NestingLimit(Problem):
    """Maps and lists within each other, more than any object has."""


@dataclass(frozen=True, slots=True)
class CollectionAsKey(Problem):
    """A map or a list where YAML has a key."""


@dataclass(frozen=True, slots=True)
class DuplicateKey(Problem):
    """A key that a map has twice."""

    found: str


@dataclass(frozen=True, slots=True)
class AliasAsKey(Problem):
    """An alias where YAML has a key."""


@dataclass(frozen=True, slots=True)
class UnknownAlias(Problem):
    """An alias of an anchor that no value before it has."""

    name: str


@dataclass(frozen=True, slots=True)
class AliasBomb(Problem):
    """Aliases that stand for more values than are read."""

    most: int


@dataclass(frozen=True, slots=True)
class MergeOfNoMap(Problem):
    """Something else than a map is merged into a map."""


@dataclass(frozen=True, slots=True)
class ForeignTag(Problem):
    """A YAML tag that asks for something else than a map, a list or a text."""

    found: str


@dataclass(frozen=True, slots=True)
class NulInText(Problem):
    """A text with a NUL character, which no database stores."""


@dataclass(frozen=True, slots=True)
class HalfACharacter(Problem):
    """A text with half of a surrogate pair."""


@dataclass(frozen=True, slots=True)
class BrokenManifest(Problem):
    """A manifest that somebody writes, and that is no YAML or JSON: as BrokenYaml and BrokenJson."""

    line: int
    column: int
    reason: str


@dataclass(frozen=True, slots=True)
class ManyBytes(Problem):
    """A text of more bytes than are read."""

    found: int
    most: int


# What can be wrong with a recorded case, one line of a file.


@dataclass(frozen=True, slots=True)
class CaseNotJson(Problem):
    """A line that is no JSON; ``reason`` is the word of the library that reads it."""

    reason: str


@dataclass(frozen=True, slots=True)
class NotACase(Problem):
    """A line that is no map."""

    found: str


@dataclass(frozen=True, slots=True)
class UnreadableObjects(Problem):
    """Objects that no API server returns; ``reason`` is what Kubernetes says is wrong with one."""

    reason: str


# What can be wrong with the CSV files of a trace.


@dataclass(frozen=True, slots=True)
class NotCsv(Problem):
    """A line that is no CSV; ``reason`` is the word of the library that reads it."""

    reason: str


@dataclass(frozen=True, slots=True)
class CellCount(Problem):
    """A line with more or fewer cells than the first."""

    found: int
    first: int


@dataclass(frozen=True, slots=True)
class ManyRows(Problem):
    """A list of more rows than are read."""

    most: int


@dataclass(frozen=True, slots=True)
class NameTwice(Problem):
    """A name that an earlier line has already."""

    name: str
    line: int


@dataclass(frozen=True, slots=True)
class EmptyTable(Problem):
    """A file without a line; ``columns`` are those that it must have."""

    columns: str


@dataclass(frozen=True, slots=True)
class LargeTable(Problem):
    """A file of more bytes than are read."""

    found: int
    most: int


@dataclass(frozen=True, slots=True)
class LongLine(Problem):
    """A line of more bytes than are read."""

    found: int
    most: int


@dataclass(frozen=True, slots=True)
class NulByte(Problem):
    """A line with a NUL byte."""


@dataclass(frozen=True, slots=True)
class TableNotUtf8(Problem):
    """A line that is not UTF-8."""


@dataclass(frozen=True, slots=True)
class ManyColumns(Problem):
    """A first line that names more columns than are read."""

    found: int
    most: int


@dataclass(frozen=True, slots=True)
class ColumnTwice(Problem):
    """A column that the first line names twice."""


@dataclass(frozen=True, slots=True)
class NoColumn(Problem):
    """A column that the first line does not name; ``wanted`` are all that it must name."""

    name: str
    wanted: str
