"""Where in a text a field stands."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import yaml

from clusters.problems.texts import BrokenJson, BrokenYaml, JsonBreaksOff

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusters.engine.problems import Problem

_LAST_STEP = re.compile(r"[.\[][^.\[]*\Z")
# The safe readers take nothing that is nested deeper.
_DEEPEST = 100
# Of a path; keys may be as long as the text, and each path holds those around it.
_LONGEST = 1_000


class Lines:
    """The lines of the fields of one YAML or JSON document, as far as it can be read.

    It is read event by event, so that neither nesting nor aliases can make it costly.
    """

    def __init__(self, text: str) -> None:
        self._lines: dict[str, int] = {}
        try:
            for path, line in _places(text, 1):
                self._lines[path] = line
        except yaml.YAMLError:
            # A broken text has places up to the break; JSON may hold what YAML does not take.
            pass

    def of(self, path: str) -> int:
        """Return the line, from 1, of the field that a path such as `spec.containers[0].image` leads to.

        Where the text does not hold it, of the innermost map or list around it that is there; 0 without any.
        """
        rest = f".{path}" if path and not path.startswith("[") else path
        while rest and rest not in self._lines:
            rest = _LAST_STEP.sub("", rest)
        return self._lines.get(rest, 0)


def line_of(path: str, text: str, document: int) -> int:
    """Return the line of a field of one of a text's documents, from 1, as `Lines.of` does; it keeps nothing."""
    wanted = f".{path}" if path and not path.startswith("[") else path
    found, length = 0, 0
    try:
        for place, line in _places(text, document):
            if len(place) >= length and wanted.startswith(place) and wanted[len(place) :][:1] in ("", ".", "["):
                found, length = line, len(place)
    except yaml.YAMLError:
        pass
    return found


class _Frame:
    """A map or list that is open: its path, and the key or index of what comes next in it."""

    __slots__ = ("is_map", "key", "number", "path")

    def __init__(self, path: str, *, is_map: bool) -> None:
        self.path = path
        self.is_map = is_map
        self.key: str | None = None
        self.number = 0

    def step(self) -> str:
        """Return the path of the value that comes now, and be ready for the next."""
        if self.is_map:
            step, self.key = f".{self.key}", None
        else:
            step, self.number = f"[{self.number}]", self.number + 1
        return f"{self.path}{step}"[:_LONGEST]


def _places(text: str, document: int) -> Iterator[tuple[str, int]]:
    """Yield every path with its line: that of its key, or else that where the value begins."""
    frames: list[_Frame] = []
    number = 0
    for event in yaml.parse(text, Loader=yaml.CSafeLoader):
        number += isinstance(event, yaml.DocumentStartEvent)
        if number > document:
            return
        if number != document:
            continue
        line = int(getattr(event.start_mark, "line", -1)) + 1
        if isinstance(event, yaml.MappingEndEvent | yaml.SequenceEndEvent):
            frames.pop()
            continue
        if not isinstance(event, yaml.NodeEvent):
            continue
        inner = frames[-1] if frames else None
        if inner is not None and inner.is_map and inner.key is None:
            inner.key = _key(event)
            yield f"{inner.path}.{inner.key}"[:_LONGEST], line
            if isinstance(event, yaml.ScalarEvent | yaml.AliasEvent):
                continue
        path = inner.step() if inner is not None else ""
        if inner is None or not inner.is_map:
            yield path, line
        if isinstance(event, yaml.CollectionStartEvent):
            frames.append(_Frame(path, is_map=isinstance(event, yaml.MappingStartEvent)))
            if len(frames) > _DEEPEST:
                return


def _key(event: Any) -> str:
    return str(getattr(event, "value", ""))


def line_named(problem: Problem) -> int:
    """Return the line that a reader of JSON or YAML names, 0 where it names none."""
    return problem.line if isinstance(problem, BrokenJson | BrokenYaml | JsonBreaksOff) else 0
