"""The documents in the files of a lesson, and what is found wrong with them on the way."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

import msgspec

from clusters.adapters.bad_input import BadInput
from clusters.adapters.files.json_text import json_documents
from clusters.adapters.files.meter import Meter
from clusters.adapters.files.yaml_text import yaml_documents
from clusters.adapters.limits import limits
from clusters.adapters.schema.lines import line_named, line_of
from clusters.adapters.schema.structs import check_struct
from clusters.problems.ingests import NotOneDocument
from clusters.problems.texts import BrokenJson, BrokenManifest, BrokenYaml, NestingLimit
from clusters.services.lessons.faults import BadLesson, LessonFault

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusters.engine.problems import Problem
    from clusters.services.lessons.files import LessonFiles

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
        text = self.files[file]
        data = text.encode()
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
            problem = _of_an_author(error.problem)
            self._break(file, error.field, problem, document=error.document or 1, line=line_named(error.problem))
        except RecursionError:
            self._break(file, "", NestingLimit())

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


def _of_an_author(problem: Problem) -> Problem:
    """Return what is wrong with a text without advice for dumps, which nobody mends by hand."""
    if isinstance(problem, BrokenJson | BrokenYaml) and problem.line:
        return BrokenManifest(problem.line, problem.column, problem.reason)
    return problem


def _place(fault: LessonFault) -> tuple[str, int, str]:
    return fault.file, fault.line, fault.field
