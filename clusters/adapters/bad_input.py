"""Input that cannot be taken: how much is taken at most, and what is said about what is not."""

from __future__ import annotations

from dataclasses import dataclass, replace
from reprlib import Repr
from typing import TYPE_CHECKING, Any, TypedDict
from unicodedata import category

from django.conf import settings
from msgspec import Struct, structs

from clusters.documents.stored_problems import encoded

if TYPE_CHECKING:
    from clusters.engine.problems import Problem

# How much input is taken. Every limit is there because a small upload could otherwise fill the machine.

# What is said about input that cannot be taken.

MIB = 1024 * 1024


class Limits(Struct, frozen=True):
    """Bounds on one source."""

    # Of the file as it is on disk.
    source_bytes: int = 2048 * MIB
    # Of all files together, decompressed.
    total_bytes: int = 16 * 1024 * MIB
    # Decompressed to compressed, once more than `inflation_grace` came out of a stream.
    inflation: int = 200
    inflation_grace: int = 16 * MIB
    files: int = 200_000
    objects: int = 2_000_000
    # Of one object as JSON; etcd takes 1.5 MiB.
    object_bytes: int = 8 * MIB
    # Of memory, as estimated, for a document that is parsed in one piece: all but the items of a list.
    document_bytes: int = 1024 * MIB
    # Maps and lists within each other: this many are already too many.
    nesting: int = 100
    # Values that YAML aliases stand for, in one document.
    yaml_expansion: int = 100_000
    # Scheduling attempts that somebody recorded, and what they take compressed: held until all is read.
    attempts: int = 100_000
    attempt_bytes: int = 128 * MIB


def limits() -> Limits:
    """Return the limits that the settings name."""
    return Limits(
        source_bytes=settings.BERTH_UPLOAD_LIMIT_BYTES,
        total_bytes=settings.BERTH_DECOMPRESSED_LIMIT_BYTES,
        inflation=settings.BERTH_INFLATION_LIMIT,
        files=settings.BERTH_FILES_LIMIT,
        objects=settings.BERTH_OBJECTS_LIMIT,
        document_bytes=settings.BERTH_DOCUMENT_MEMORY_BYTES,
        nesting=settings.BERTH_NESTING_LIMIT,
        yaml_expansion=settings.BERTH_YAML_EXPANSION_LIMIT,
    )


_LONGEST_SHOWN = 80
_LONGEST_TEXT = 1_000
# A value may be as deep as aliases make it and as long as the file: `repr` would fail on the one and copy the other.
_BRIEF = Repr()
_BRIEF.maxlevel = 4
_BRIEF.maxdict = _BRIEF.maxlist = 8
_BRIEF.maxstring = _BRIEF.maxlong = _LONGEST_SHOWN


class InputPlace(TypedDict):
    """Where in what was sent something lies; empty, and 0, where that is not known."""

    file: str
    document: int
    subject: str
    field: str


@dataclass(eq=False)
class BadInput(Exception):  # noqa: N818 -- it is the input that is bad, and its sender is told why
    """Input that cannot be taken: where it lies, and what is wrong with it.

    `document` counts from 1 within its file, 0 where no document is to blame; `field` is a path such as
    `items[3].spec.containers[0].resources.requests.cpu`, `subject` names the object, as in `Pod default/web`.
    """

    problem: Problem
    file: str = ""
    document: int = 0
    subject: str = ""
    field: str = ""

    def __post_init__(self) -> None:
        # Names of files and keys are the sender's, and go into a database, a page and a terminal.
        self.file, self.subject, self.field = map(printable, (self.file, self.subject, self.field))
        self.problem = printable_problem(self.problem)

    def __str__(self) -> str:
        return ", ".join(str(each) for each in (*self.place.values(), repr(self.problem)) if each)

    @property
    def place(self) -> InputPlace:
        """Where it lies, for whoever puts it in words."""
        return {"file": self.file, "document": self.document, "subject": self.subject, "field": self.field}

    def at(self, *, file: str | None = None, document: int | None = None) -> BadInput:
        """Return the same error with the place filled in where it was still open."""
        return replace(self, file=self.file or file or "", document=self.document or document or 0)

    def as_dict(self) -> dict[str, Any]:
        """Return the parts as a row stores them."""
        return {**self.place, "problem": encoded(self.problem)}


def printable(text: str) -> str:
    """Replace what cannot be shown: control characters, which could steer a terminal, and halves of surrogate pairs.

    PostgreSQL stores neither the NUL character nor half a pair.
    """
    return text if text.isprintable() else "".join(map(_visible, text))


def printable_problem(problem: Problem) -> Problem:
    """Return a problem whose texts can be stored and shown; none has more than a thousand characters."""
    texts = {name: getattr(problem, name) for name in problem.__struct_fields__}
    safe = {name: printable(text)[:_LONGEST_TEXT] for name, text in texts.items() if isinstance(text, str)}
    return structs.replace(problem, **safe)


def _visible(character: str) -> str:
    # Python takes no space but the common one for printable; the digits of numbers are grouped with a narrow one.
    is_harmless = character.isprintable() or category(character) == "Zs"
    return character if is_harmless else "\N{REPLACEMENT CHARACTER}"


def shown(value: object) -> str:
    """Return a value as it appears in a message: quoted, and cut where it is long or deep."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    text = repr(value[:_LONGEST_SHOWN]) if isinstance(value, str) else _BRIEF.repr(value)
    return text if len(text) <= _LONGEST_SHOWN else f"{text[: _LONGEST_SHOWN - 1]}…"
