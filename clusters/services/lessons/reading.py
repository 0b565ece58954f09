"""From the files of a lesson to the lesson, or to everything that is wrong with them."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from difflib import get_close_matches
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias, TypeVar

import msgspec
from markdown_it import MarkdownIt
from msgspec import UNSET, Struct, field
from msgspec.structs import replace

from clusters.adapters.bad_input import MIB, BadInput, limits, shown
from clusters.adapters.buffers import Meter, archive_files, check_utf_8
from clusters.adapters.files import json_documents, yaml_documents
from clusters.adapters.prune import KINDS, Kind, WrongField, kind_of
from clusters.adapters.rows import identified, with_name
from clusters.adapters.schema.checking import check_object, check_struct, kind_problem, line_named, line_of
from clusters.documents.lessons import (
    LESSON_NAME,
    LESSONS_API_VERSION,
    CopiesManifest,
    LessonManifest,
    LessonTextsManifest,
    StepManifest,
    StepTextsManifest,
    UsageManifest,
)
from clusters.engine import ConfigurationError, SchedulerConfiguration
from clusters.engine.admission import second_default
from clusters.engine.batch_systems import BATCH_KINDS
from clusters.engine.kubelet import KIND as KUBELET_CONFIGURATION, KubeletSettings
from clusters.engine.lessons import (
    Lesson,
    LessonStep,
    LessonTexts,
    ObjectName,
    PodHasNode,
    Question,
    QuestionError,
    SituationError,
    SituationParts,
    StepTexts,
    UnsolvableError,
    build_situation,
    read_question,
)
from clusters.engine.problems import (
    InvalidValue,
    Missing,
    MissingField,
    MustBe,
    NotAnObject,
    NotOneOf,
    OverSetting,
    Problem,
    Repeated,
    TooLarge,
)
from clusters.engine.quantity import NotAQuantity, QuantityError, whole_value
from clusters.engine.versions import (
    NEWEST,
    RELEASES,
    Gate,
    GateError,
    Known,
    Release,
    match_release,
    read_feature_gates,
)
from clusters.problems.inputs import (
    NotOneDocument,
    UnreadableFile,
)
from clusters.problems.lessons import (
    ManyInSituation,
    ManyLessonFiles,
    NeitherFolderNorArchive,
    NotShownInTexts,
    NotThere,
    UnknownPlaceholder,
    UnusedLessonFile,
)
from clusters.problems.orders import NestedTooDeeply
from clusters.services.computing import check
from clusters.services.decisions.explain import MOST_BYTES as MOST_MANIFEST_BYTES

if TYPE_CHECKING:
    from clusters.engine.objects import Document

# What is wrong with a lesson, and where.


class LessonFault(NamedTuple):
    """What is wrong in a file of a lesson: the line from 1 (0 where none is to blame), the field, and the problem.

    A lesson with warnings alone can be played.
    """

    file: str
    line: int
    field: str
    problem: Problem
    is_warning: bool = False


class BadLesson(Exception):  # noqa: N818 - it is the lesson that is bad, and its author is told why
    """Files that are no lesson yet."""

    def __init__(self, faults: Sequence[LessonFault]) -> None:
        super().__init__(repr(faults[0]))
        self.faults = tuple(faults)


# The documents in the files of a lesson, and what is found wrong with them on the way.

# An author mends what is named, and asks again.
MOST_FAULTS: Final = 50
Read = TypeVar("Read")


class PlacedDocument(NamedTuple):
    """A document or an item of its list: the document's number in the file from 1, and the path within it."""

    number: int
    path: str
    value: Any


class LessonDocuments:
    """The files of a lesson as documents; collects what is wrong, so that an author reads all of it at once."""

    def __init__(self, files: LessonFiles) -> None:
        self.files = files
        self.faults: list[LessonFault] = []
        self._broken: set[str] = set()

    def fault(
        self, file: str, field: str, problem: Problem, *, document: int = 1, line: int = 0, is_warning: bool = False
    ) -> None:
        """Note what is wrong with a field of a file; the line is looked for where it is not known.

        What several steps meet is noted once.
        """
        if len(self.faults) < MOST_FAULTS:
            line = line or line_of(field, self.files.get(file, ""), document)
            found = LessonFault(file, line, field, problem, is_warning)
            if found not in self.faults:
                self.faults.append(found)

    @property
    def has_errors(self) -> bool:
        """Whether something is wrong that keeps the files from being a lesson."""
        return any(not fault.is_warning for fault in self.faults)

    @property
    def sorted_faults(self) -> tuple[LessonFault, ...]:
        """All that was noted, in order of file and line."""
        return tuple(sorted(self.faults, key=_place))

    def raise_errors(self) -> None:
        """Raise BadLesson where something is wrong."""
        if self.has_errors:
            raise BadLesson(self.sorted_faults)

    def all_in(self, file: str) -> Iterator[PlacedDocument]:
        """Yield every document of a file, the items of lists by themselves; what is broken is noted, and ends it."""
        data = self.files[file].encode()
        read = json_documents if data[:4096].lstrip().startswith((b"{", b"[")) else yaml_documents
        try:
            for document in read(data, Meter(limits(), bytes_total=len(data))):
                value, number = document.value, document.number
                if document.position >= 0:
                    yield PlacedDocument(number, f"items[{document.position}]", value)
                elif isinstance(value, dict) and value.get("kind") == "List":
                    items = value.get("items")
                    for index, item in enumerate(items if isinstance(items, list) else (), document.first):
                        yield PlacedDocument(number, f"items[{index}]", item)
                else:
                    yield PlacedDocument(number, "", value)
        except BadInput as error:
            problem = error.problem
            self._break(file, error.field, problem, document=error.document or 1, line=line_named(error.problem))
        except RecursionError:
            self._break(file, "", NestedTooDeeply())

    def only_in(self, file: str, wanted: str) -> Any:
        """Return the one document of a file, None where it has none or several, which is noted."""
        documents = list(self.all_in(file))
        if file in self._broken:
            return None
        if len(documents) != 1:
            self.fault(file, "", NotOneDocument(len(documents), wanted))
            return None
        return documents[0].value

    def struct_in(self, file: str, kind: type[Read]) -> Read | None:
        """Return the one document of a file as a struct; None where it is none, which is noted."""
        value = self.only_in(file, file)
        return None if value is None else self.struct(value, kind, file)

    def struct(self, value: Any, kind: type[Read], file: str, *, document: int = 1, path: str = "") -> Read | None:
        """Return a value as a struct; None where something is wrong with it, which is noted."""
        found = list(check_struct(value, kind))
        for fault in found:
            self.fault(file, joined(path, fault.path), fault.problem, document=document)
        return None if found else msgspec.convert(value, kind)

    def _break(self, file: str, field: str, problem: Problem, *, document: int = 1, line: int = 0) -> None:
        if file not in self._broken:
            self._broken.add(file)
            self.fault(file, field, problem, document=document, line=line)


def joined(path: str, field: str) -> str:
    """Return the path of a field within another."""
    return ".".join(filter(None, (path, field)))


def _place(fault: LessonFault) -> tuple[str, int, str]:
    return fault.file, fault.line, fault.field


# The files of a lesson as text: from a folder, or from an archive of one.

# The text of each file by its path within the lesson, sorted by path.
LessonFiles: TypeAlias = Mapping[str, str]

LESSON_FILE: Final = "lesson.yaml"
MOST_FILES: Final = 100
MOST_BYTES: Final = MIB
_DOCUMENTS: Final = frozenset({".yaml", ".yml", ".json"})
# What archivers of other systems add to what somebody packs.
_PACKED_ALONG: Final = "__MACOSX"
_ARCHIVE_ENDINGS: Final = (".zip", ".tar.gz", ".tgz", ".tar")


class NamedFiles(NamedTuple):
    """The files of a lesson, and its name."""

    name: str
    files: LessonFiles


def read_folder(path: Path) -> NamedFiles:
    """Read a folder; its name is the lesson's. Raises BadInput."""
    return NamedFiles(_checked_name(path.resolve().name), _lesson(_files_below(path)))


def read_archive(data: bytes, file_name: str) -> NamedFiles:
    """Read an archive of a lesson's folder or of what is in it. Raises BadInput.

    The lesson has the folder's name, or else the archive's without its ending.
    """
    if len(data) > MOST_BYTES:
        raise BadInput(TooLarge(MOST_BYTES), file=file_name)
    bounds = replace(limits(), files=MOST_FILES, total_bytes=MOST_BYTES)
    try:
        found = list(archive_files(data, Meter(bounds, bytes_total=len(data))))
    except BadInput as error:
        raise BadInput(_of_a_lesson(error.problem), file=error.file or file_name) from None
    if not found:
        raise BadInput(NeitherFolderNorArchive(), file=file_name)
    files = {path: data for name, data in found if _is_wanted(path := PurePosixPath(name.replace("\\", "/")))}
    folders = {path.parts[0] for path in files}
    if len(folders) == 1 and all(len(path.parts) > 1 for path in files):
        name = folders.pop()
        files = {path.relative_to(name): data for path, data in files.items()}
    else:
        name = _stem(file_name)
    return NamedFiles(_checked_name(name), _lesson((path.as_posix(), data) for path, data in files.items()))


def read_lesson_files(path: Path) -> NamedFiles:
    """Read a folder or an archive on disk. Raises BadInput."""
    if path.is_dir():
        return read_folder(path)
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise BadInput(UnreadableFile(error.strerror or str(error)), file=path.name) from error
    return read_archive(data, path.name)


def _files_below(folder: Path) -> Iterator[tuple[str, bytes]]:
    left = MOST_BYTES
    for parent, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            path = Path(parent, name)
            relative = path.relative_to(folder)
            if not _is_wanted(PurePosixPath(relative.as_posix())) or path.is_symlink() or not path.is_file():
                continue
            try:
                with path.open("rb") as file:
                    data = file.read(left + 1)
            except OSError as error:
                raise BadInput(UnreadableFile(error.strerror or str(error)), file=relative.as_posix()) from error
            left -= len(data)
            if left < 0:
                raise BadInput(TooLarge(MOST_BYTES), file=folder.name)
            yield relative.as_posix(), data


def _is_wanted(path: PurePosixPath) -> bool:
    """Say whether a file can be part of a lesson; a note or a licence beside them is nobody's mistake."""
    is_hidden = any(part.startswith(".") for part in path.parts)
    return not is_hidden and _PACKED_ALONG not in path.parts and path.suffix.lower() in _DOCUMENTS


def _lesson(found: Iterable[tuple[str, bytes]]) -> LessonFiles:
    files: dict[str, str] = {}
    for name, data in found:
        try:
            check_utf_8(data)
        except BadInput as error:
            raise error.at(file=name) from None
        files[name] = data.decode()
        if len(files) > MOST_FILES:
            raise BadInput(ManyLessonFiles(MOST_FILES))
    if LESSON_FILE not in files:
        raise BadInput(MissingField(LESSON_FILE))
    return dict(sorted(files.items()))


def _stem(file_name: str) -> str:
    name = PurePosixPath(file_name.replace("\\", "/")).name
    return next((name[: -len(each)] for each in _ARCHIVE_ENDINGS if name.lower().endswith(each)), name)


def _checked_name(name: str) -> str:
    if re.search(LESSON_NAME, name) is None:
        raise BadInput(InvalidValue(shown(name), ("spread-2",)))
    return name


def _of_a_lesson(problem: Problem) -> Problem:
    """Return a limit that was passed as that of lessons, which no setting raises."""
    if not isinstance(problem, OverSetting):
        return problem
    return ManyLessonFiles(MOST_FILES) if problem.setting == "BERTH_FILES_LIMIT" else TooLarge(MOST_BYTES)


# The objects of a lesson's manifests: checked as uploads are, with the copies that a file asks for.

COPIES: Final = "Copies"
_DEFAULT_NAMESPACE: Final = "default"
# What happened, as against what is; and what kube-scheduler does not decide by.
_UNREAD: Final = frozenset({"Event", *BATCH_KINDS})


class PlacedObject(NamedTuple):
    """An object, and where it is written: the file, the number of its document in it from 1, and the path within."""

    object: Document
    file: str
    number: int
    path: str


class LessonObjects:
    """The objects in the files of a lesson; each file is read once, however many steps name it."""

    def __init__(self, documents: LessonDocuments) -> None:
        self._documents = documents
        self._read: dict[str, dict[ObjectName, PlacedObject]] = {}

    @property
    def files_read(self) -> frozenset[str]:
        """The files that were asked for."""
        return frozenset(self._read)

    def objects_in(self, file: str) -> Mapping[ObjectName, PlacedObject]:
        """Return the objects of a file by name, the last one of each; what is wrong is noted."""
        if file not in self._read:
            found = self._read[file] = {}
            for document in self._documents.all_in(file):
                for each in self._objects(document, file):
                    found[_name_of(each.object)] = each
        return self._read[file]

    def _objects(self, found: PlacedDocument, file: str) -> Iterable[PlacedObject]:
        value = found.value
        if isinstance(value, dict) and value.get("kind") == COPIES and value.get("apiVersion") == LESSONS_API_VERSION:
            return self._copies(found, file)
        pruned = self._pruned(found, file)
        return () if pruned is None else (PlacedObject(pruned, file, found.number, found.path),)

    def _copies(self, found: PlacedDocument, file: str) -> Iterable[PlacedObject]:
        copies = self._documents.struct(found.value, CopiesManifest, file, document=found.number, path=found.path)
        if copies is None:
            return
        path = joined(found.path, "of")
        if copies.of.get("kind") != "Pod":
            problem = MustBe(shown(copies.of.get("kind")), "Pod")
            self._documents.fault(file, joined(path, "kind"), problem, document=found.number)
            return
        pod = self._pruned(PlacedDocument(found.number, path, copies.of), file)
        if pod is None:
            return
        for number in range(1, copies.count + 1):
            copy = deepcopy(pod)
            copy["metadata"]["name"] = f"{pod['metadata']['name']}-{number}"
            if copies.nodes:
                copy["spec"]["nodeName"] = copies.nodes[(number - 1) % len(copies.nodes)]
            yield PlacedObject(copy, file, found.number, path)

    def _pruned(self, found: PlacedDocument, file: str) -> Document | None:
        """Return what is kept of an object; None where something is wrong, which is noted."""

        def fault(field: str, problem: Problem) -> None:
            self._documents.fault(file, joined(found.path, field), problem, document=found.number)

        value = found.value
        if not isinstance(value, dict):
            fault("", NotAnObject(shown(value)))
            return None
        for name in ("apiVersion", "kind"):
            if not isinstance(value.get(name), str) or not value[name]:
                fault(name, Missing())
                return None
        kind = kind_of(value["apiVersion"], value["kind"])
        if kind is None or kind.name in _UNREAD:
            wrong = kind_problem(value["apiVersion"], value["kind"])
            if wrong is None:
                fault("kind", NotOneOf(shown(value["kind"]), ()))
            else:
                fault(wrong.path, wrong.problem)
            return None
        wrongs = list(check_object(value))
        for each in wrongs:
            fault(each.path, each.problem)
        if wrongs:
            return None
        try:
            kept: dict[str, Any] = kind.prune(with_name(value, f"{found.number} {found.path}"))
            identified(kept, is_namespaced=kind.is_namespaced)
        except WrongField as error:
            fault(error.path, error.problem)
            return None
        return {"apiVersion": value["apiVersion"], "kind": kind.name, **kept}


def referred(text: str, objects: Collection[ObjectName]) -> ObjectName | Problem:
    """Return the object that ``Kind/name`` or ``Kind/namespace/name`` means, or what is wrong with that."""
    kind_name, *rest = text.split("/")
    kind: Kind | None = KINDS.get(kind_name)
    if kind is None:
        close = get_close_matches(kind_name[:80], KINDS, n=1)
        return NotOneOf(shown(kind_name), tuple(sorted({name.kind for name in objects})), close[0] if close else "")
    if not all(rest) or not 1 <= len(rest) <= (2 if kind.is_namespaced else 1):
        return InvalidValue(shown(text), ("Node/worker-1", "Pod/shop/web"))
    namespace = "" if not kind.is_namespaced else rest[0] if len(rest) == 2 else _DEFAULT_NAMESPACE
    found = ObjectName(kind_name, namespace, rest[-1])
    return found if found in objects else not_there(found, objects)


def pod_named(text: str) -> ObjectName:
    """Return the pod that ``namespace/name`` or a name in the default namespace means."""
    namespace, _, name = text.rpartition("/")
    return ObjectName("Pod", namespace or _DEFAULT_NAMESPACE, name)


def not_there(name: ObjectName, objects: Collection[ObjectName]) -> NotThere:
    """Say that an object is not there, and which one was probably meant."""
    alike = {written(each): each for each in objects if each.kind == name.kind}
    close = get_close_matches(written(name), alike, n=1)
    return NotThere(shown(written(name)), close[0] if close else "")


def written(name: ObjectName) -> str:
    """Write the name of an object as lessons do."""
    return "/".join(filter(None, name))


def _name_of(document: Document) -> ObjectName:
    metadata = document["metadata"]
    return ObjectName(document["kind"], metadata.get("namespace", ""), metadata["name"])


# What a lesson says, language by language: the files of `texts/`, held against its steps.

TEXTS: Final = "texts"
# Those in which lessons are shown.
LANGUAGES: Final = ("en", "id", "uk")
# What a text may have in braces, by the field that it is filled in.
ANSWER: Final = "answer"
_PLACEHOLDERS: Final[Mapping[str, tuple[str, ...]]] = {"reveal": (ANSWER,)}
_LANGUAGE: Final = re.compile(r"[a-z]{2,3}(-[a-z0-9]{2,8})?")
_NOT_SHOWN: Final = frozenset({"html_block", "html_inline", "image"})
_MARKDOWN: Final = MarkdownIt("commonmark")
_IN_BRACES: Final = re.compile(r"\{([A-Za-z_]\w*)\}")


def is_text_file(file: str) -> bool:
    """Whether a file of a lesson holds texts of a language."""
    return PurePosixPath(file).parts[0] == TEXTS


def text_file(language: str) -> str:
    """Return the file that holds the texts of a language."""
    return f"{TEXTS}/{language}.yaml"


def read_texts(documents: LessonDocuments, steps: Sequence[str]) -> dict[str, LessonTexts]:
    """Return the texts by language; what is wrong is noted."""
    found: dict[str, LessonTexts] = {}
    for file in filter(is_text_file, documents.files):
        language = PurePosixPath(file).stem
        if _LANGUAGE.fullmatch(language) is None or file != text_file(language):
            documents.fault(file, "", InvalidValue(shown(PurePosixPath(file).name), ("en.yaml", "pt-br.yaml")))
            continue
        manifest = documents.struct_in(file, LessonTextsManifest)
        if manifest is not None:
            _hold_against(documents, file, manifest, steps)
            texts = {
                name: StepTexts(
                    title=each.title,
                    text=each.text,
                    ask=each.ask,
                    reveal=each.reveal,
                    hints=each.hints,
                    mistakes=each.mistakes,
                )
                for name, each in manifest.steps.items()
            }
            found[language] = LessonTexts(manifest.title, manifest.about, texts)
    if not any(map(is_text_file, documents.files)):
        documents.fault(text_file("en"), "", Missing())
    return found


def _hold_against(documents: LessonDocuments, file: str, manifest: LessonTextsManifest, steps: Sequence[str]) -> None:
    for step in steps:
        if step not in manifest.steps:
            documents.fault(file, "steps", MissingField(step))
    for name, texts in manifest.steps.items():
        if name not in steps:
            close = get_close_matches(name[:80], steps, n=1)
            documents.fault(file, f"steps.{name}", NotOneOf(shown(name), tuple(steps), close[0] if close else ""))
        for text_field, text in _fields(texts):
            known = _PLACEHOLDERS.get(text_field, ())
            for unknown in dict.fromkeys(each for each in _IN_BRACES.findall(text) if each not in known):
                documents.fault(
                    file,
                    f"steps.{name}.{text_field}",
                    UnknownPlaceholder(f"{{{unknown}}}", tuple(f"{{{each}}}" for each in known)),
                )
            for token in _not_shown(text):
                documents.fault(file, f"steps.{name}.{text_field}", NotShownInTexts(shown(token)))


def _not_shown(text: str) -> Iterator[str]:
    """Yield what of a text is HTML or an image."""
    for block in _MARKDOWN.parse(text):
        yield from (each.content for each in (block, *(block.children or ())) if each.type in _NOT_SHOWN)


def _fields(texts: StepTextsManifest) -> Iterator[tuple[str, str]]:
    yield from ((field, getattr(texts, field)) for field in ("title", "text", "ask", "reveal"))
    yield from ((f"hints[{number}]", hint) for number, hint in enumerate(texts.hints))
    yield from ((f"mistakes.{key}", hint) for key, hint in texts.mistakes.items())


# The situations of a lesson's steps: each is made of files, and of what the step before it leaves.

MOST_NODES: Final = 60
MOST_PODS: Final = 500
_SCHEDULER: Final = "KubeSchedulerConfiguration"
_BOUNDS: Final = {"Node": MOST_NODES, "Pod": MOST_PODS}


class SituationReader(Struct):
    """Reads the steps of a lesson in their order. ``release``: as which the scheduler decides."""

    documents: LessonDocuments
    manifests: LessonObjects
    kubernetes: str
    gates: Mapping[Gate, bool]
    release: Release
    _objects: dict[ObjectName, PlacedObject] = field(default_factory=dict)
    _configuration: Document | None = None
    _kubelet: Document | None = None
    _usage: Mapping[str, int] = field(default_factory=dict)
    _files: set[str] = field(default_factory=set)

    @property
    def objects(self) -> Mapping[ObjectName, PlacedObject]:
        """The objects of the step that was read last."""
        return self._objects

    @property
    def files_read(self) -> frozenset[str]:
        """The files that steps named so far."""
        return self.manifests.files_read | self._files

    def parts(self, step: StepManifest, path: str) -> SituationParts:
        """Return what the situation of the next step is made of; ``path`` leads to the step. What is wrong is noted."""
        if step.objects is not UNSET:
            self._objects = {}
        elif not self._objects and not self.documents.has_errors and path.endswith("[0]"):
            self.documents.fault(LESSON_FILE, path, MissingField("objects"))
        named = {"objects": () if step.objects is UNSET else step.objects, "add": step.add}
        for where, files in named.items():
            for number, file in enumerate(files):
                if self._has(file, f"{path}.{where}[{number}]"):
                    self._objects = {**self._objects, **self.manifests.objects_in(file)}
        for number, text in enumerate(step.remove):
            self._remove(text, f"{path}.remove[{number}]")
        if step.configuration is not UNSET:
            self._configuration = self._read_configuration(step.configuration, f"{path}.configuration")
        if step.kubelet is not UNSET:
            self._kubelet = self._read_kubelet(step.kubelet, f"{path}.kubelet")
        if step.usage is not UNSET:
            self._usage = self._read_usage(step.usage, f"{path}.usage")
        self._hold_within_bounds(path)
        self._hold_to_one_default()
        return SituationParts(
            objects=tuple(each.object for each in self._objects.values()),
            pod="" if step.pod is UNSET else self._pod(step.pod, f"{path}.pod"),
            kubernetes=self.kubernetes,
            gates=self.gates,
            configuration=self._configuration,
            kubelet=self._kubelet,
            usage=self._usage,
        )

    def _has(self, file: str, path: str) -> bool:
        self._files.add(file)
        if file in self.documents.files:
            return True
        known = tuple(each for each in self.documents.files if each != LESSON_FILE and not is_text_file(each))
        close = get_close_matches(file, known, n=1)
        self.documents.fault(LESSON_FILE, path, NotOneOf(shown(file), known, close[0] if close else ""))
        return False

    def _remove(self, text: str, path: str) -> None:
        found = referred(text, self._objects)
        if isinstance(found, ObjectName):
            self._objects = {name: each for name, each in self._objects.items() if name != found}
        else:
            self.documents.fault(LESSON_FILE, path, found)

    def _pod(self, text: str, path: str) -> str:
        name = pod_named(text)
        found = self._objects.get(name)
        if found is None:
            self.documents.fault(LESSON_FILE, path, not_there(name, self._objects))
        elif node := (found.object.get("spec") or {}).get("nodeName"):
            self.documents.fault(LESSON_FILE, path, PodHasNode(f"{name.namespace}/{name.name}", node))
        return f"{name.namespace}/{name.name}"

    def _read_configuration(self, file: str, path: str) -> Document | None:
        document: Document | None = self._document(file, path, _SCHEDULER)
        try:
            if document is not None:
                SchedulerConfiguration.from_dict(document, self.release)
        except ConfigurationError as error:
            self.documents.fault(file, error.path, error.problem)
        return document

    def _read_kubelet(self, file: str, path: str) -> Document | None:
        document: Document | None = self._document(file, path, KUBELET_CONFIGURATION)
        try:
            if document is not None:
                KubeletSettings.from_dict(document)
        except ConfigurationError as error:
            self.documents.fault(file, error.path, error.problem)
        return document

    def _document(self, file: str, path: str, wanted: str) -> Any:
        return self.documents.only_in(file, wanted) if self._has(file, path) else None

    def _read_usage(self, file: str, path: str) -> Mapping[str, int]:
        usage = self.documents.struct_in(file, UsageManifest) if self._has(file, path) else None
        found: dict[str, int] = {}
        for text, used in (usage.pods if usage is not None else {}).items():
            name = pod_named(text)
            if name not in self._objects:
                self.documents.fault(file, f"pods.{text}", not_there(name, self._objects))
            try:
                found[f"{name.namespace}/{name.name}"] = whole_value(used.memory)
            except QuantityError:
                self.documents.fault(file, f"pods.{text}.memory", NotAQuantity(shown(used.memory)))
        return found

    def _hold_to_one_default(self) -> None:
        """Note a PriorityClass that is marked as default where another one is."""
        classes = [each for name, each in self._objects.items() if name.kind == "PriorityClass"]
        for number, each in enumerate(classes):
            wrong = second_default(each.object, (other.object for other in classes[:number]))
            if wrong is not None:
                field = joined(each.path, wrong.field)
                self.documents.fault(each.file, field, wrong.problem, document=each.number)

    def _hold_within_bounds(self, path: str) -> None:
        counts = Counter(name.kind for name in self._objects)
        for kind, most in _BOUNDS.items():
            if counts[kind] > most:
                self.documents.fault(LESSON_FILE, path, ManyInSituation(kind, counts[kind], most))


class ReadLesson(NamedTuple):
    """A lesson, what its author may want to know of its files, and where the objects of each step are written."""

    lesson: Lesson
    warnings: tuple[LessonFault, ...]
    places: tuple[Mapping[ObjectName, PlacedObject], ...]


def read_lesson(name: str, files: LessonFiles) -> ReadLesson:
    """Read the files of a lesson; nothing is computed yet. Raises BadLesson, which names all that is wrong."""
    documents = LessonDocuments(files)
    manifest = documents.struct_in(LESSON_FILE, LessonManifest)
    if manifest is None:
        raise BadLesson(documents.faults)
    kubernetes = "" if manifest.kubernetes is UNSET else manifest.kubernetes
    match = match_release(kubernetes)
    if kubernetes and match.known is not Known.EXACT:
        documents.fault(LESSON_FILE, "kubernetes", NotOneOf(shown(kubernetes), tuple(RELEASES)))
    release, gates = match.release if kubernetes else NEWEST, {}
    try:
        settings = read_feature_gates(manifest.feature_gates, release)
        gates = {gate: settings[gate.value] for gate in Gate if gate.value in settings}
    except GateError as error:
        documents.fault(LESSON_FILE, "featureGates", error.problem)
    reader = SituationReader(documents, LessonObjects(documents), kubernetes, gates, release)
    steps: list[LessonStep] = []
    places: list[Mapping[ObjectName, PlacedObject]] = []
    for number, each in enumerate(manifest.steps):
        parts = reader.parts(each, f"steps[{number}]")
        question = _read_question(documents, each, f"steps[{number}].question")
        if question is not None:
            steps.append(LessonStep(each.name, parts, question, each.shows == "decision", each.terms))
            places.append(reader.objects)
    _hold_names_apart(documents, manifest)
    texts = read_texts(documents, [each.name for each in manifest.steps])
    for file in files:
        if file != LESSON_FILE and not is_text_file(file) and file not in reader.files_read:
            documents.fault(file, "", UnusedLessonFile(), is_warning=True)
    documents.raise_errors()
    return ReadLesson(Lesson(name, manifest.minutes, tuple(steps), texts), tuple(documents.faults), tuple(places))


def _read_question(documents: LessonDocuments, step: StepManifest, path: str) -> Question | None:
    try:
        return read_question(step.question, path)
    except QuestionError as error:
        documents.fault(LESSON_FILE, error.path, error.problem)
        return None


def _hold_names_apart(documents: LessonDocuments, manifest: LessonManifest) -> None:
    seen: set[str] = set()
    for number, step in enumerate(manifest.steps):
        if step.name in seen:
            documents.fault(LESSON_FILE, f"steps[{number}].name", Repeated(shown(step.name)))
        seen.add(step.name)


# Whether a lesson can be played: its situations can be built, its questions have answers, its texts fit both.


def check_lesson(name: str, files: LessonFiles, *, is_built_in: bool = False) -> tuple[LessonFault, ...]:
    """Return everything that is wrong with the files of a lesson, and what its author is warned of.

    A language without texts is wrong in a lesson that comes with Berth, and a warning in any other. Raises
    OverTimeError between two steps, where there is a deadline.
    """
    try:
        read = read_lesson(name, files)
    except BadLesson as error:
        return error.faults
    documents = LessonDocuments(files)
    documents.faults.extend(read.warnings)
    for number, step in enumerate(read.lesson.steps):
        check()
        _check_step(documents, step, f"steps[{number}]", read.places[number])
        _check_hints(documents, read, step)
    for language in LANGUAGES:
        if language not in read.lesson.texts:
            documents.fault(text_file(language), "", Missing(), is_warning=not is_built_in)
    return documents.sorted_faults


def _check_step(
    documents: LessonDocuments, step: LessonStep, path: str, places: Mapping[ObjectName, PlacedObject]
) -> None:
    try:
        situation = build_situation(step.situation)
    except SituationError as error:
        place = None if error.subject is None else places.get(error.subject)
        if place is None:
            documents.fault(LESSON_FILE, path, error.problem)
        else:
            field = joined(place.path, error.field)
            documents.fault(place.file, field, error.problem, document=place.number)
        return
    try:
        step.question.check(situation)
    except UnsolvableError as error:
        documents.fault(LESSON_FILE, f"{path}.question", error.problem)


def _check_hints(documents: LessonDocuments, read: ReadLesson, step: LessonStep) -> None:
    """Note the hints for mistakes that nobody can make."""
    known = step.question.keys
    for language, texts in read.lesson.texts.items():
        for key in texts.steps[step.name].mistakes:
            if key not in known:
                close = get_close_matches(key[:80], known, n=1)
                kinds = tuple(sorted(map(str, step.question.mistakes)))
                problem = NotOneOf(key, kinds, close[0] if close else "")
                documents.fault(text_file(language), f"steps.{step.name}.mistakes.{key}", problem)


# Manifests that a learner writes, checked as those of a lesson are.

# The name of the text in what is wrong with it, which is nowhere shown.
FILE: Final = "edit.yaml"


def documents_in(text: str, *, most_bytes: int = MOST_MANIFEST_BYTES) -> list[Document]:
    """Return the objects of a text of at most so many bytes. Raises BadLesson."""
    if len(text.encode()) > most_bytes:
        raise BadLesson([LessonFault(FILE, 0, "", TooLarge(most_bytes))])
    if not text.strip():
        return []
    documents = LessonDocuments({FILE: text})
    found = [each.object for each in LessonObjects(documents).objects_in(FILE).values()]
    documents.raise_errors()
    return found
