"""YAML documents, built from the parser's events.

PyYAML's own loader keeps a whole document as nodes, expands aliases without end, recurses as deep as the text says and
reads times as dates. Here the items of a list are handed over one at a time, aliases and nesting are counted, and plain
words become what kubectl makes of them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import yaml

from clusters.adapters.bad_input import BadInput, shown
from clusters.adapters.files.buffers import Buffer, check_utf_8
from clusters.adapters.files.documents import Document
from clusters.adapters.files.json_text import too_deep, too_large
from clusters.problems.texts import (
    AliasAsKey,
    AliasBomb,
    BrokenYaml,
    CollectionAsKey,
    DuplicateKey,
    ForeignTag,
    MergeOfNoMap,
    UnknownAlias,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusters.adapters.files.meter import Meter

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
_VALUE_BYTES = 250


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


@dataclass(slots=True)
class _Frame:
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
            raise BadInput(CollectionAsKey(), field=self._path)
        self._hold(0)
        self._open.append(_Frame(value, anchor, self._size))
        if len(self._open) >= self._limits.nesting:
            raise too_deep(self._path)

    def _hold(self, length: int) -> None:
        """Count a value with this many characters."""
        self._held += _VALUE_BYTES + 2 * length
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
                raise BadInput(DuplicateKey(shown(event.value)), field=self._path)
            frame.key = event.value
            return None
        tag = (event.tag or "").removeprefix(_CORE_TAG)
        is_plain = event.implicit[0] and tag in {"", "!"}
        if not is_plain and not event.implicit[1] and tag != "str":
            _refuse_tag(event)
        return self._complete(_plain(event.value) if is_plain else event.value, event.anchor, self._size)

    def _alias(self, anchor: str) -> Any:
        if self._open and type(self._open[-1].value) is dict and self._open[-1].key is None:
            raise BadInput(AliasAsKey(), field=self._path)
        if anchor not in self._anchors:
            raise BadInput(UnknownAlias(anchor), field=self._path)
        value, size = self._anchors[anchor]
        self._expanded += size
        if self._expanded > self._limits.yaml_expansion:
            raise BadInput(AliasBomb(self._limits.yaml_expansion), field=self._path)
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
                parent.merged.extend(_mergeable(value, self._path))
            else:
                parent.value[parent.key] = value  # type: ignore[index, call-overload]
            parent.key = None
        return None


def _mergeable(value: Any, path: str) -> list[dict[str, Any]]:
    values = value if type(value) is list else [value]
    if not all(type(each) is dict for each in values):
        raise BadInput(MergeOfNoMap(), field=path)
    return values


def _refuse_tag(event: Any) -> None:
    """Raise BadInput for a tag that asks for anything but a map, a list or a text."""
    tag = event.tag or ""
    if tag not in {"", "!", f"{_CORE_TAG}map", f"{_CORE_TAG}seq"}:
        raise BadInput(ForeignTag(shown(tag)))


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
        raise _broken(data, error).at(document=number) from None


def _broken(data: Buffer, error: yaml.YAMLError) -> BadInput:
    try:
        check_utf_8(data[:])
    except BadInput as encoding:
        return encoding
    mark = getattr(error, "problem_mark", None)
    line, column = (mark.line + 1, mark.column + 1) if mark else (0, 0)
    reason = getattr(error, "problem", None) or getattr(error, "reason", None) or type(error).__name__
    return BadInput(BrokenYaml(line, column, str(reason)))
