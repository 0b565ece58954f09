"""Dumps on disk: one document, many, a directory or an archive of them."""

from __future__ import annotations

import os
import re
import zlib
from functools import lru_cache, partial
from io import BufferedReader
from pathlib import Path, PurePosixPath
from typing import IO, TYPE_CHECKING, Any

import orjson
import yaml
from msgspec import Struct, field

from clusters.adapters.bad_input import BadInput, shown
from clusters.adapters.buffers import (
    GZIP,
    TAR_MAGIC,
    TAR_MAGIC_AT,
    ZIP_MAGIC,
    Buffer,
    Gunzip,
    Meter,
    Readable,
    check_utf_8,
    opened,
    tar_members,
    unzipped,
    zip_members,
)
from clusters.adapters.prune import KINDS, Kind
from clusters.adapters.prune.shapes import token
from clusters.adapters.state import ClusterState, Found, ObjectOrigin, read_object
from clusters.adapters.usage import is_summary
from clusters.engine.kubelet import ANSWERED
from clusters.engine.problems import Empty, Malformed, MissingField, NotAList, NotAnObject, OverSetting, Repeated
from clusters.problems.inputs import (
    DamagedArchive,
    EndsEarly,
    FileForm,
    ForeignCompression,
    ManyObjects,
    OtherForm,
    UnreadableYaml,
)
from clusters.problems.orders import NestedTooDeeply
from clusters.problems.skips import (
    ContainerLogs,
    LinksInArchive,
    LogsAndAudits,
    OtherFileName,
    OtherKind,
    WithoutContent,
    WithoutKind,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator


# From documents to objects: single ones, lists of either sort, exports and records of kube-scheduler-simulator.

# The parts of a kube-scheduler-simulator export; their items carry no type.
_EXPORT = {
    "namespaces": ("v1", "Namespace"),
    "nodes": ("v1", "Node"),
    "pods": ("v1", "Pod"),
    "pvs": ("v1", "PersistentVolume"),
    "pvcs": ("v1", "PersistentVolumeClaim"),
    "storageClasses": ("storage.k8s.io/v1", "StorageClass"),
    "priorityClasses": ("scheduling.k8s.io/v1", "PriorityClass"),
}
_EXPORTED_CONFIGURATION = "schedulerConfig"
_RECORDED = frozenset({"Add", "Update", "Delete"})
_LIST = "List"
# Kinds by the names that files have after them: that of the resource, the kind itself, and what kubectl takes as short.
_BY_RESOURCE = {
    **{name.lower(): kind for name, kind in KINDS.items()},
    **{kind.plural: kind for name, kind in KINDS.items() if name == kind.object_kind},
    # With their API group, whose dashes do not count here either.
    **{f"{kind.plural}.{kind.group}".replace("-", ""): kind for kind in KINDS.values()},
    "pvs": KINDS["PersistentVolume"],
    "pvcs": KINDS["PersistentVolumeClaim"],
    "pdbs": KINDS["PodDisruptionBudget"],
}


class Document(Struct):
    """One document, or an item of its list that a reader hands over before the rest."""

    number: int
    value: Any
    # The items of the list where they are read one at a time; `value["items"]` is then empty.
    items: Iterable[Any] = ()
    # Where `value` is an item itself: its position in the list.
    position: int = -1
    # The position of the first item that was not handed over.
    first: int = 0


def read_documents(documents: Iterable[Document], file: str, state: ClusterState, *, is_alone: bool) -> Iterator[None]:
    """Put the objects of one file into `state`; yield after each, so that the caller may report progress.

    A file that stands alone must hold Kubernetes objects; one among many may be anything, and is skipped then.
    """
    count = 0
    for document in documents:
        count += 1
        try:
            for found in _objects(document, file, state, is_alone=is_alone):
                state.add(found)
                yield
        except BadInput as error:
            placed = error.at(file=file, document=document.number)
            if is_alone or isinstance(error.problem, ManyObjects):
                raise placed from None
            state.leave_out(placed)
    if not count:
        if is_alone:
            raise BadInput(Empty(), file=file)
        state.skip(WithoutContent())


def _objects(document: Document, file: str, state: ClusterState, *, is_alone: bool) -> Iterator[Found]:
    value, place = document.value, ObjectOrigin(file, document.number)
    if document.position >= 0:
        yield from _found(value, place._replace(list_key="items"), document.position, state, is_alone=is_alone)
    elif type(value) is list:
        for index, item in enumerate(value):
            yield from _found(item, place._replace(list_key="item"), index, state, is_alone=is_alone)
    elif is_alone and type(value) is not dict:
        raise BadInput(NotAnObject(shown(value)))
    elif _is_list(value):
        yield from _listed(value, place, state, document.items, document.first)
    else:
        yield from _found(value, place, -1, state, is_alone=is_alone)


def _found(value: Any, place: ObjectOrigin, position: int, state: ClusterState, *, is_alone: bool) -> Iterator[Found]:
    """Yield what a document or an item of one holds; what is neither an object nor named by its file is skipped."""
    named = _named_by(place.file)
    if _is_list(value):
        key = place.list_key if position < 0 else f"{place.list_key}[{position}]"
        yield from _listed(value, place._replace(list_key=key), state)
    elif (
        type(value) is dict
        and "kind" not in value
        and any(type(value.get(key)) is list for key in ("nodes", "pods"))
        and value.keys() <= {*_EXPORT, _EXPORTED_CONFIGURATION}
    ):
        yield from _exported(value, place, state)
    elif type(value) is dict and "resource" in value and str(value.get("event")) in _RECORDED:
        yield Found(place._replace(list_key="resource"), -1, value["resource"], is_deleted=value["event"] == "Delete")
    elif type(value) is dict and (type(value.get("kind")) is str or ANSWERED in value or is_summary(value)):
        yield Found(place, position, value)
    elif named is not None and type(value) is dict and all(map(_has_name, value.get("items") or ({},))):
        yield from _listed(
            {"apiVersion": named.versions[0], **value, "kind": f"{named.object_kind}{_LIST}"}, place, state
        )
    elif named is not None and _has_name(value):
        yield Found(place, position, value, named.versions[0], named.object_kind)
    elif is_alone:
        yield Found(place, position, value)
    else:
        state.skip(WithoutKind())


def _is_list(value: Any) -> bool:
    return type(value) is dict and type(value.get("kind")) is str and value["kind"].endswith(_LIST)


def _has_name(value: Any) -> bool:
    metadata = value.get("metadata") if type(value) is dict else None
    return type(metadata) is dict and type(metadata.get("name")) is str


@lru_cache(maxsize=256)
def _named_by(file: str) -> Kind | None:
    """Return the kind that a file or its folder is called after, as in ``pods/default.json`` or ``core_v1_nodes.json``.

    Support bundles have objects without their kind in such files.
    """
    path = PurePosixPath(file.lower().removesuffix(".gz"))
    for part in (path.stem, path.parent.name):
        for name in (part, part.rpartition("_")[2]):
            if kind := _BY_RESOURCE.get(name.replace("-", "").replace("_", "")):
                return kind
    return None


def _listed(
    value: dict[str, Any], place: ObjectOrigin, state: ClusterState, handed: Iterable[Any] = (), first: int = 0
) -> Iterator[Found]:
    """Yield the items of a List, or of a typed one such as PodList, whose items need no type of their own.

    ``handed`` are items from ``first`` on that a reader hands over one at a time.
    """
    kind = value["kind"].removesuffix(_LIST)
    if kind and kind not in KINDS and "items" not in value:
        # As discovery tells of what an API server serves.
        state.skip(OtherKind(token(value["kind"])))
        return
    api_version = value.get("apiVersion") if kind else ""
    if type(api_version) is not str:
        raise BadInput(MissingField("apiVersion", "v1"), field="apiVersion")
    items = value.get("items")
    if items is not None and type(items) is not list:
        raise BadInput(NotAList(shown(items)), field="items")
    state.note_listed(api_version, kind)
    in_list = place._replace(list_key=f"{place.list_key}.items".removeprefix("."))
    for index, item in enumerate(handed or items or (), first):
        if _is_list(item):
            yield from _listed(item, in_list._replace(list_key=f"{in_list.list_key}[{index}]"), state)
        else:
            yield Found(in_list, index, item, api_version, kind)


def _exported(value: dict[str, Any], place: ObjectOrigin, state: ClusterState) -> Iterator[Found]:
    for key, (api_version, kind) in _EXPORT.items():
        items = value.get(key)
        if items is None:
            continue
        if type(items) is not list:
            raise BadInput(NotAList(shown(items)), field=key)
        state.note_listed(api_version, kind)
        in_list = place._replace(list_key=key)
        for index, item in enumerate(items):
            yield Found(in_list, index, item, api_version, kind)
    configuration = value.get(_EXPORTED_CONFIGURATION)
    if configuration is not None:
        yield Found(
            place._replace(list_key=_EXPORTED_CONFIGURATION),
            -1,
            configuration,
            "kubescheduler.config.k8s.io/v1",
            "KubeSchedulerConfiguration",
        )


# JSON documents: one, several in a row, or one a line; the items of a long list are parsed one at a time.
#
# orjson parses whole texts only, and a List of 50,000 pods parsed at once takes ten times its size in memory. So the
# text is cut between items first. A cut is a guess, by how the first two items are separated, but never a wrong one:
# no complete JSON object is the beginning of another, so what parses as an object is the whole item. Where guessing
# fails, the document is parsed in one piece.

# Below, a document is parsed in one piece, whatever it holds.
_SHORT = 1 << 18
# `items` begins and ends within this many bytes of the document: only type and list metadata can stand beside it.
_HEAD = 1 << 16
_MOST_GUESSES = 16
# So much space at the end of a text is passed over.
_LAST_SPACE = 256
# What a map, a list and a value take in memory at most, while there are few keys to a map.
_MAP_BYTES = 160
_LIST_BYTES = 80
_VALUE_BYTES = 200

_ITEMS = re.compile(rb'"items"\s*:\s*\[\s*(?=\{)')
_SPACE = re.compile(rb"[ \t\r\n]*")
_FIRST_KEY = re.compile(rb'\{\s*"[^"\\]*"\s*:')
_PRETTY = re.compile(rb"[\[{][ \t]*\r?\n")
_CLOSING = {ord("{"): b"\n}", ord("["): b"\n]"}


def json_documents(data: Buffer, meter: Meter, read: Callable[[bytes], Any] = lambda _: None) -> Iterator[Document]:
    """Read all documents of a text.

    ``read`` is offered each item of a long list first, and returns None for one that is to be parsed.
    """
    start = _skip_space(data, 0)
    number = 0
    while start < len(data):
        number += 1
        try:
            document, end = _document(data, start, number, meter, read)
            yield document
        except BadInput as error:
            raise error.at(document=number) from None
        start = _skip_space(data, end)


def _skip_space(data: Buffer, start: int) -> int:
    match = _SPACE.match(data, start)
    return match.end() if match else start


def _document(
    data: Buffer, start: int, number: int, meter: Meter, read: Callable[[bytes], Any]
) -> tuple[Document, int]:
    """Read the document that begins at `start`; return it and where it ends."""
    end = _likely_end(data, start)
    for guess in (end, len(data)) if end < len(data) else (end,):
        if guess - start > _SHORT:
            found = _long_list(data, start, guess, number, meter, read)
            if found is not None:
                return found, guess
            if guess == len(data):
                closing = (
                    _CLOSING.get(data[start], b"\n}")
                    if _PRETTY.match(data, start)
                    else _CLOSING.get(data[start], b"")[1:]
                )
                if not data[-_LAST_SPACE:].rstrip().endswith(closing):
                    raise BadInput(EndsEarly())
        _refuse_size(guess - start, meter)
        text = data[start:guess]
        try:
            value = _parsed(text, meter)
        except orjson.JSONDecodeError as error:
            if guess == len(data) or len(data) - start > meter.limits.document_bytes:
                raise _broken(text, error) from None
        else:
            return Document(number, value), guess
    raise AssertionError("the last guess returns or raises")


def _likely_end(data: Buffer, start: int) -> int:
    """Guess where a document ends: at a closing bracket in the first column if it is indented, else with its line.

    Right behind it another one must begin: nowhere within a document does a bracket open right after one that closed.
    """
    if _PRETTY.match(data, start):
        end = data.find(_CLOSING.get(data[start], b"\n}"), start) + 2
    else:
        end = data.find(b"\n", start)
    following = _skip_space(data, end)
    return end if end > start and data[following : following + 1] in {b"{", b"["} else len(data)


def _parsed(text: bytes, meter: Meter) -> Any:
    """Parse one text whose nesting is within the limit, and which does not take more memory than it may."""
    if len(text) > _SHORT:
        _refuse_size(_memory_of(text), meter)
    value = orjson.loads(text)
    if _may_be_deep(text, meter):
        _refuse_depth(value, meter.limits.nesting, "")
    return value


def _may_be_deep(text: bytes, meter: Meter) -> bool:
    """Say whether a text has brackets enough to be nested too deeply: counting them is far cheaper than walking."""
    return text.count(b"{") + text.count(b"[") >= meter.limits.nesting


def _memory_of(text: bytes) -> int:
    """Estimate the bytes of memory that a text takes with all that is parsed from it: what orjson makes, rounded up."""
    maps, lists, values = text.count(b"{"), text.count(b"["), text.count(b",") + text.count(b":")
    return 2 * len(text) + _MAP_BYTES * maps + _LIST_BYTES * lists + _VALUE_BYTES * values


def _refuse_size(memory_bytes: int, meter: Meter) -> None:
    """Raise BadInput if one piece of text takes more memory than it may."""
    if memory_bytes > meter.limits.document_bytes:
        raise too_large(meter.limits.document_bytes)


def too_large(limit_bytes: int) -> BadInput:
    """Build the error for a document that cannot be parsed item by item and is too large to be parsed whole."""
    return BadInput(OverSetting("BERTH_DOCUMENT_MEMORY_MIB", most_bytes=limit_bytes))


def _refuse_depth(value: Any, left: int, path: str) -> None:
    """Raise BadInput if maps and lists lie too deeply within each other."""
    if left <= 0:
        raise too_deep(path)
    pairs = value.items() if type(value) is dict else enumerate(value) if type(value) is list else ()
    for key, content in pairs:
        if type(content) is dict or type(content) is list:
            _refuse_depth(content, left - 1, f"{path}[{key}]" if type(key) is int else f"{path}.{key}")


def too_deep(path: str) -> BadInput:
    """Build the error for nesting beyond the limit; `path` leads to the innermost place."""
    shown = path.removeprefix(".")
    return BadInput(
        NestedTooDeeply(),
        field=shown if len(shown) <= 120 else f"{shown[:119]}…",
    )


def _broken(text: bytes, error: orjson.JSONDecodeError, *, first_line: int = 1) -> BadInput:
    try:
        check_utf_8(text)
    except BadInput as encoding:
        return encoding
    line = first_line + error.lineno - 1
    if error.pos >= len(text.rstrip()) - 1 or "end of data" in error.msg:
        return BadInput(EndsEarly(line, error.colno))
    return BadInput(Malformed("JSON", error.msg, line, error.colno))


def _long_list(
    data: Buffer, start: int, end: int, number: int, meter: Meter, read: Callable[[bytes], Any]
) -> Document | None:
    """Return a list whose items are parsed one at a time, or None where the text does not lend itself to that."""
    opening = _ITEMS.search(data, start, min(end, start + _HEAD))
    if opening is None:
        return None
    head = data[start : opening.end()].rstrip()
    closing = end
    for _ in range(_MOST_GUESSES):
        closing = data.rfind(b"]", opening.end(), closing)
        if closing < 0 or end - closing > _HEAD:
            return None
        try:
            value = orjson.loads(head + data[closing:end])
        except orjson.JSONDecodeError:
            continue
        # Only the list's own bracket leaves a document with an empty list in it.
        if type(value) is dict and value.get("items") == []:
            return Document(number, value, _items(data, opening.end(), closing, meter, read))
    return None


def _items(data: Buffer, start: int, end: int, meter: Meter, read: Callable[[bytes], Any]) -> Iterator[Any]:
    """Read or parse the objects between two brackets one at a time."""
    separator = _separator(data, start, end)
    while start < end:
        boundary = start
        for _ in range(_MOST_GUESSES):
            boundary = data.find(separator, boundary + 1, end) if separator else -1
            stop = boundary + 1 if boundary >= 0 else end
            _refuse_size(stop - start, meter)
            try:
                text = data[start:stop]
                is_plain = len(text) <= _SHORT and not _may_be_deep(text, meter)
                value = (read(text) if is_plain else None) or _parsed(text, meter)
            except orjson.JSONDecodeError:
                if boundary < 0:
                    yield from _rest(data, start, end, meter)
                    return
            else:
                break
        else:
            yield from _rest(data, start, end, meter)
            return
        meter.at(stop / len(data))
        yield value
        if boundary < 0:
            return
        start = data.find(b"{", stop, end)


def _rest(data: Buffer, start: int, end: int, meter: Meter) -> list[Any]:
    """Parse the remaining items in one piece: they are separated in more than one way, or broken."""
    _refuse_size(end - start, meter)
    text = b"[" + data[start:end] + b"]"
    try:
        values: list[Any] = _parsed(text, meter)
    except orjson.JSONDecodeError as error:
        raise _broken(text, error, first_line=data[:start].count(b"\n") + 1) from None
    return values


def _separator(data: Buffer, start: int, end: int) -> bytes:
    """Return what stands between two items, the end of the one and the beginning of the other included.

    All items of a list begin with the same key, and kubectl puts the same space between all of them.
    """
    head = _FIRST_KEY.match(data, start, end)
    if head is None:
        return b""
    between = re.compile(rb"\}\s*,\s*" + re.escape(head.group())).search(data, start, end)
    return between.group() if between else b""


# YAML documents, built from the parser's events.
#
# PyYAML's own loader keeps a whole document as nodes, expands aliases without end, recurses as deep as the text says
# and reads times as dates. Here the items of a list are handed over one at a time, aliases and nesting are counted,
# and plain words become what kubectl makes of them.

_NULLS = frozenset({"", "~", "null", "Null", "NULL"})
_BOOLEANS = {
    **dict.fromkeys(("y", "Y", "yes", "Yes", "YES", "on", "On", "ON", "true", "True", "TRUE"), True),
    **dict.fromkeys(("n", "N", "no", "No", "NO", "off", "Off", "OFF", "false", "False", "FALSE"), False),
}
_INTEGER = re.compile(r"[-+]?(?:0b[01][01_]*|0o?[0-7][0-7_]*|0x[0-9a-fA-F][0-9a-fA-F_]*|[1-9][0-9_]*|0)")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_CORE_TAG = "tag:yaml.org,2002:"
_LONGEST_NUMBER = 64
# What a value takes in memory at most beside its text, which stands there twice.
_YAML_TEXT_VALUE_BYTES = 250


def _plain(text: str) -> Any:
    """Return what an unquoted text means; a long one is a text."""
    return _word(text) if len(text) <= _LONGEST_NUMBER else text


@lru_cache(maxsize=1 << 16)
def _word(text: str) -> Any:
    if text in _NULLS:
        return None
    if text in _BOOLEANS:
        return _BOOLEANS[text]
    if _INTEGER.fullmatch(text):
        digits = text.replace("_", "")
        is_old_octal = re.fullmatch(r"[-+]?0[0-7]+", digits)
        return int(digits, 8) if is_old_octal else int(digits, 0)
    return float(text) if _FLOAT.fullmatch(text) else text


class _Frame(Struct):
    """A map or list that is still open."""

    value: dict[str, Any] | list[Any]
    anchor: str | None
    # The document's count of values when it was opened.
    size_before: int
    key: str | None = None
    merged: list[dict[str, Any]] = field(default_factory=list)


class _Builder:
    """Makes one document of events."""

    def __init__(self, meter: Meter) -> None:
        self._limits = meter.limits
        self._open: list[_Frame] = []
        self._anchors: dict[str, tuple[Any, int]] = {}
        # Values so far, those behind aliases counted each time.
        self._size = 0
        self._expanded = 0
        # Bytes of memory, as estimated, of all that is not handed over.
        self._held = 0
        self._hands_over = True
        self.root: Any = None
        self.handed_over = 0

    def take(self, event: Any) -> Any:
        """Take one event; return the item of `items` that it completed, if that has a type of its own."""
        kind = type(event)
        if kind is yaml.ScalarEvent:
            return self._scalar(event)
        if kind is yaml.MappingStartEvent:
            _refuse_tag(event)
            self._begin({}, event.anchor)
        elif kind is yaml.SequenceStartEvent:
            _refuse_tag(event)
            self._begin([], event.anchor)
        elif kind is yaml.MappingEndEvent or kind is yaml.SequenceEndEvent:
            return self._end()
        elif kind is yaml.AliasEvent:
            return self._alias(event.anchor)
        return None

    @property
    def _path(self) -> str:
        steps = [
            f".{frame.key or ''}" if type(frame.value) is dict else f"[{len(frame.value)}]" for frame in self._open
        ]
        return "".join(steps).removeprefix(".")

    def _begin(self, value: dict[str, Any] | list[Any], anchor: str | None) -> None:
        if self._open and type(self._open[-1].value) is dict and self._open[-1].key is None:
            raise BadInput(UnreadableYaml("? {…}"), field=self._path)
        self._hold(0)
        self._open.append(_Frame(value, anchor, self._size))
        if len(self._open) >= self._limits.nesting:
            raise too_deep(self._path)

    def _hold(self, length: int) -> None:
        """Count a value with this many characters."""
        self._held += _YAML_TEXT_VALUE_BYTES + 2 * length
        if self._held > self._limits.document_bytes:
            raise too_large(self._limits.document_bytes)

    def _end(self) -> Any:
        frame = self._open.pop()
        for merged in frame.merged:
            for key, value in merged.items():
                frame.value.setdefault(key, value)  # type: ignore[union-attr]
        return self._complete(frame.value, frame.anchor, frame.size_before)

    def _scalar(self, event: Any) -> Any:
        self._hold(len(event.value))
        frame = self._open[-1] if self._open else None
        if frame is not None and type(frame.value) is dict and frame.key is None:
            if event.value in frame.value:
                raise BadInput(Repeated(shown(event.value)), field=self._path)
            frame.key = event.value
            return None
        tag = (event.tag or "").removeprefix(_CORE_TAG)
        is_plain = event.implicit[0] and tag in {"", "!"}
        if not is_plain and not event.implicit[1] and tag != "str":
            _refuse_tag(event)
        return self._complete(_plain(event.value) if is_plain else event.value, event.anchor, self._size)

    def _alias(self, anchor: str) -> Any:
        is_key = bool(self._open) and type(self._open[-1].value) is dict and self._open[-1].key is None
        if is_key or anchor not in self._anchors:
            raise BadInput(UnreadableYaml(f"*{anchor}"), field=self._path)
        value, size = self._anchors[anchor]
        self._expanded += size
        if self._expanded > self._limits.yaml_expansion:
            raise BadInput(OverSetting("BERTH_YAML_EXPANSION_LIMIT", self._limits.yaml_expansion), field=self._path)
        size_before = self._size
        self._size += size - 1
        return self._complete(value, None, size_before)

    def _complete(self, value: Any, anchor: str | None, size_before: int) -> Any:
        """Put a finished value where it belongs; return it instead if it is an item to hand over."""
        self._size += 1
        if anchor is not None:
            self._anchors[anchor] = (value, self._size - size_before)
        if not self._open:
            self.root = value
            return None
        parent = self._open[-1]
        if type(parent.value) is list:
            if len(self._open) == 2 and self._hands_over and self._open[0].key == "items":
                # An item without a type needs the list's, which may come last.
                self._hands_over = type(value) is dict and "kind" in value and "apiVersion" in value
                if self._hands_over:
                    self.handed_over += 1
                    # What an anchor names stays at hand for the rest of the document.
                    if not self._anchors:
                        self._held = 0
                    return value
            parent.value.append(value)
        else:
            if parent.key == "<<":
                values = value if type(value) is list else [value]
                if not all(type(each) is dict for each in values):
                    raise BadInput(UnreadableYaml("<<"), field=self._path)
                parent.merged.extend(values)
            else:
                parent.value[parent.key] = value  # type: ignore[index, call-overload]
            parent.key = None
        return None


def _refuse_tag(event: Any) -> None:
    """Raise BadInput for a tag that asks for anything but a map, a list or a text."""
    tag = event.tag or ""
    if tag not in {"", "!", f"{_CORE_TAG}map", f"{_CORE_TAG}seq"}:
        raise BadInput(UnreadableYaml(shown(tag)))


def yaml_documents(data: Buffer, meter: Meter) -> Iterator[Document]:
    """Read all documents of a text; what is empty between two separators is none."""
    if not isinstance(data, bytes):
        data.seek(0)
    number = 1
    builder = _Builder(meter)
    try:
        for event in yaml.parse(data, Loader=yaml.CSafeLoader):
            if type(event) is yaml.DocumentStartEvent:
                builder = _Builder(meter)
            elif type(event) is yaml.DocumentEndEvent:
                if builder.root is not None:
                    yield Document(number, builder.root, first=builder.handed_over)
                number += 1
            else:
                item = builder.take(event)
                if item is not None:
                    meter.at(event.end_mark.index / len(data))  # type: ignore[union-attr]
                    yield Document(number, item, position=builder.handed_over - 1)
    except BadInput as error:
        raise error.at(document=number) from None
    except yaml.YAMLError as error:
        raise _yaml_text_broken(data, error).at(document=number) from None


def _yaml_text_broken(data: Buffer, error: yaml.YAMLError) -> BadInput:
    try:
        check_utf_8(data[:])
    except BadInput as encoding:
        return encoding
    mark = getattr(error, "problem_mark", None)
    line, column = (mark.line + 1, mark.column + 1) if mark else (0, 0)
    reason = getattr(error, "problem", None) or getattr(error, "reason", None) or type(error).__name__
    return BadInput(Malformed("YAML", str(reason), line, column))


# `kubectl cluster-info dump` to the terminal: lists of objects with the logs of every container between them.

# Only a line of its own can hold it: within JSON a line break is escaped, within YAML the text is indented.
# What begins with letters is looked for many times as fast as what begins with a line.
_START = re.compile(rb"====(?<=^====) START logs for container ", re.MULTILINE)
_END = re.compile(rb"^==== END logs for container [^\n]*(?:\n|\Z)", re.MULTILINE)


def without_logs(data: Buffer) -> tuple[Buffer, int]:
    """Return the text without its log blocks, and their number; logs may hold anything, and nothing that is needed."""
    start = _START.search(data)
    if start is None:
        return data, 0
    parts = []
    position = count = 0
    while start is not None:
        parts.append(data[position : start.start()])
        count += 1
        end = _END.search(data, start.end())
        # A block that was cut off takes the rest of the file with it.
        position = end.end() if end else len(data)
        start = _START.search(data, position)
    parts.append(data[position:])
    return b"".join(parts), count


# What a file is that is neither JSON nor YAML, told by how it begins.

_LOOKED_AT = 4096
_MAGIC = {
    b"\x89PNG": FileForm.IMAGE,
    b"\xff\xd8\xff": FileForm.IMAGE,
    b"GIF8": FileForm.IMAGE,
    b"%PDF": FileForm.PDF,
    b"\x7fELF": FileForm.PROGRAM,
    b"MZ": FileForm.PROGRAM,
    b"SQLite format 3\x00": FileForm.DATABASE,
}
_TEXTS = (
    (FileForm.HTML, re.compile(rb"\s*<(?:!doctype html|html)\b", re.IGNORECASE)),
    (FileForm.XML, re.compile(rb"\s*<\?xml\b")),
    (FileForm.KUBECTL_TABLE, re.compile(rb"\s*(?:NAMESPACE +)?NAME +[A-Z][-A-Z()/ ]*\r?\n")),
    (FileForm.KUBECTL_TABLE, re.compile(rb"\s*LAST SEEN +TYPE +REASON ")),
    (
        FileForm.KUBECTL_DESCRIBE,
        re.compile(rb"\s*Name: {2,}\S+\s*\n(?:Namespace|Roles|Labels): "),
    ),
    (FileForm.LOG, re.compile(rb"\s*[IWF]\d{4} \d\d:\d\d:\d\d\.\d+ +\d+ [\w./-]+\.go:\d+\] ")),
    (
        FileForm.KUBECTL_MESSAGE,
        re.compile(
            rb"\s*(?:error: |Error from server|The connection to the server |Unable to connect to the server"
            rb"|No resources found|E\d{4} \d\d:\d\d:\d\d\.\d+ +\d+ memcache\.go)"
        ),
    ),
)


def refuse_other_forms(start: bytes) -> None:
    """Raise BadInput for a text or a file that begins as something else than JSON or YAML, and is known."""
    start = start[:_LOOKED_AT]
    form = next((form for magic, form in _MAGIC.items() if start.startswith(magic)), None)
    form = form or next((form for form, pattern in _TEXTS if pattern.match(start)), None)
    if form is None and b"\x00" in start and start[:2] not in {b"\xff\xfe", b"\xfe\xff"}:
        form = FileForm.BINARY
    if form is not None:
        raise BadInput(OtherForm(form))


# A source on disk, whatever it is: from a path to the state that it tells.

_SAMPLE = 64 * 1024
_GZIP_FRAMING = 31
_YAML = frozenset({".yaml", ".yml"})
_DOCUMENTS = frozenset({".json", ".jsonl", ".ndjson", *_YAML})
# Of must-gather: who did what to the API server and what the machines logged, of no use here and often personal.
_PASSED_OVER = frozenset({"audit_logs", "audit-logs", "host_service_logs"})
# What ends a source of many files: it is damaged as a whole, or beyond a limit.
_ENDS = (DamagedArchive, ManyObjects, NestedTooDeeply, OverSetting)
_FOREIGN = {b"\xfd7zXZ": "xz", b"BZh": "bzip2", b"\x28\xb5\x2f\xfd": "zstd", b"7z\xbc\xaf": "7-Zip", b"Rar!": "RAR"}


def size_of(path: Path) -> int:
    """Return how many bytes a file has, or all files of a directory together; links are not followed."""
    if not path.is_dir():
        return path.stat().st_size
    return sum(file.stat().st_size for file in _files(path))


def is_archive(path: Path) -> bool:
    """Say whether a source may hold several files; one that cannot be read holds none."""
    if path.is_dir():
        return True
    try:
        with path.open("rb") as file:
            start = file.read(_SAMPLE)
    except OSError:
        return False
    end = TAR_MAGIC_AT + len(TAR_MAGIC)
    if start.startswith(GZIP):
        try:
            start = zlib.decompressobj(_GZIP_FRAMING).decompress(start, end)
        except zlib.error:
            return False
    return start.startswith(ZIP_MAGIC) or start[TAR_MAGIC_AT:end] == TAR_MAGIC


def read_source(path: Path, state: ClusterState, meter: Meter, *, name: str) -> Iterator[None]:
    """Read a file, a directory or an archive into `state`; yield often, so that the caller may report progress.

    `name` is what the source is called in messages. Raises BadInput.
    """
    try:
        if path.is_dir():
            yield from _directory(path, state, meter)
        else:
            yield from _file(path, state, meter, name)
        state.refuse_unreadable()
    except BadInput as error:
        raise error.at(file=name) from None


def _files(folder: Path) -> Iterator[Path]:
    for parent, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            path = Path(parent, name)
            if path.is_file() and not path.is_symlink():
                yield path


def _directory(folder: Path, state: ClusterState, meter: Meter) -> Iterator[None]:
    for path in _files(folder):
        meter.open_file(path.stat().st_size)
        relative = path.relative_to(folder).as_posix()
        if _is_wanted(relative, state):
            yield from _one_of_many(partial(opened, path, meter), relative, state, meter)


def _file(path: Path, state: ClusterState, meter: Meter, name: str) -> Iterator[None]:
    with path.open("rb") as file:
        start = file.read(TAR_MAGIC_AT + len(TAR_MAGIC))
        file.seek(0)
        if start.startswith(ZIP_MAGIC):
            yield from _members(zip_members(file, meter), state, meter)
            return
        if start.startswith(GZIP):
            # Buffered, because the first of several streams in a row may hold less than is asked for.
            start = BufferedReader(Gunzip(file, meter)).read(TAR_MAGIC_AT + len(TAR_MAGIC))
            file.seek(0)
            if start.startswith(GZIP):
                raise BadInput(ForeignCompression("gzip × 2"))
        if start[TAR_MAGIC_AT:] == TAR_MAGIC:
            yield from _tar(file, state, meter)
            return
    for magic, format_name in _FOREIGN.items():
        if start.startswith(magic):
            raise BadInput(ForeignCompression(format_name))
    meter.open_file(meter.bytes_total)
    data = opened(path, meter)
    refuse_other_forms(data[:_SAMPLE])
    yield from _read(data, name, state, meter, is_alone=True)


def _tar(file: IO[bytes], state: ClusterState, meter: Meter) -> Iterator[None]:
    is_gzip = file.read(len(GZIP)) == GZIP
    file.seek(0)
    counted = _Counted(file, meter)
    if is_gzip:
        with Gunzip(counted, meter) as inflated:
            yield from _members(tar_members(inflated, meter), state, meter)
    else:
        yield from _members(tar_members(counted, meter), state, meter)


def _members(members: Iterator[tuple[str, Readable | None]], state: ClusterState, meter: Meter) -> Iterator[None]:
    for name, content in members:
        if content is None:
            state.skip(LinksInArchive())
        elif _is_wanted(name, state):
            is_gzip = name.lower().endswith(".gz")
            yield from _one_of_many(partial(unzipped, content, meter, is_gzip=is_gzip), name, state, meter)


def _one_of_many(read: Callable[[], Buffer], name: str, state: ClusterState, meter: Meter) -> Iterator[None]:
    """Read one file among many; one that cannot be read is left out."""
    try:
        yield from _read(read(), name, state, meter, is_alone=False)
    except BadInput as error:
        placed = error.at(file=name)
        if isinstance(error.problem, _ENDS):
            raise placed from None
        state.leave_out(placed)


def _is_wanted(name: str, state: ClusterState) -> bool:
    """Say whether a file among many is a document; count it as skipped otherwise."""
    path = PurePosixPath(name)
    suffix = _suffix(name)
    if not _PASSED_OVER.isdisjoint(path.parts):
        state.skip(LogsAndAudits())
    elif suffix in _DOCUMENTS:
        return True
    else:
        state.skip(OtherFileName(suffix))
    return False


def _suffix(name: str) -> str:
    return PurePosixPath(name.lower().removesuffix(".gz")).suffix[:16]


def _read(data: Buffer, name: str, state: ClusterState, meter: Meter, *, is_alone: bool) -> Iterator[None]:
    """Read one file of documents."""
    text, blocks = without_logs(data)
    if blocks:
        state.skip(ContainerLogs(), blocks)
    start = text[:4096].lstrip()
    if not start and not text[:].strip():
        documents: Iterator[Document] = iter(())
    elif start[:1] in {b"{", b"["} and _suffix(name) not in _YAML:
        documents = json_documents(text, meter, read_object)
    else:
        documents = yaml_documents(text, meter)
    yield from read_documents(documents, name, state, is_alone=is_alone)


class _Counted:
    """A file that tells the meter how much of it has been read."""

    def __init__(self, file: IO[bytes], meter: Meter) -> None:
        self._file = file
        self._meter = meter

    def read(self, size: int = -1, /) -> bytes:
        data = self._file.read(size)
        self._meter.pass_bytes(len(data))
        return data
