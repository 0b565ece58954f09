"""What is said about input that cannot be taken."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from reprlib import Repr
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from clusters.engine.problems import Problem

_LONGEST_SHOWN = 80
_LONGEST_TEXT = 1_000
# A value may be as deep as aliases make it and as long as the file: `repr` would fail on the one and copy the other.
_BRIEF = Repr()
_BRIEF.maxlevel = 4
_BRIEF.maxdict = _BRIEF.maxlist = 8
_BRIEF.maxstring = _BRIEF.maxlong = _LONGEST_SHOWN


@dataclass(eq=False)
class BadInput(Exception):  # noqa: N818 -- it is the input that is bad, and the sentence is shown to its sender
    """Input that cannot be taken: where it lies, what is wrong, what would be right.

    `document` counts from 1 within its file, 0 where no document is to blame; `field` is a path such as
    `items[3].spec.containers[0].resources.requests.cpu`, `subject` names the object, as in `Pod default/web`.
    """

    problem: str
    remedy: str
    file: str = ""
    document: int = 0
    subject: str = ""
    field: str = ""

    def __post_init__(self) -> None:
        # Names of files and keys are the sender's, and go into a database, a page and a terminal.
        for each in fields(self):
            value = getattr(self, each.name)
            if isinstance(value, str):
                setattr(self, each.name, printable(value))

    def __str__(self) -> str:
        document = f"document {self.document}" if self.document else ""
        place = ", ".join(part for part in (self.file, document, self.subject, self.field) if part)
        return f"{place}: {self.problem} {self.remedy}" if place else f"{self.problem} {self.remedy}"

    def at(self, *, file: str | None = None, document: int | None = None) -> BadInput:
        """Return the same error with the place filled in where it was still open."""
        return replace(self, file=self.file or file or "", document=self.document or document or 0)

    def as_dict(self) -> dict[str, str | int]:
        """Return the parts, for a page or an API to lay out."""
        return {
            "file": self.file,
            "document": self.document,
            "subject": self.subject,
            "field": self.field,
            "problem": self.problem,
            "remedy": self.remedy,
        }


def printable(text: str) -> str:
    """Replace what cannot be shown: control characters, which could steer a terminal, and halves of surrogate pairs.

    PostgreSQL stores neither the NUL character nor half a pair.
    """
    return text if text.isprintable() else "".join(map(_visible, text))


def printable_problem(problem: Problem) -> Problem:
    """Return a problem whose texts can be stored and shown; none has more than a thousand characters."""
    given: Any = problem
    texts = {each.name: getattr(given, each.name) for each in fields(given)}
    safe = {name: printable(text)[:_LONGEST_TEXT] for name, text in texts.items() if isinstance(text, str)}
    changed: Problem = replace(given, **safe)
    return changed


def _visible(character: str) -> str:
    return character if character.isprintable() else "\N{REPLACEMENT CHARACTER}"


def shown(value: object) -> str:
    """Return a value as it appears in a message: quoted, and cut where it is long or deep."""
    text = repr(value[:_LONGEST_SHOWN]) if isinstance(value, str) else _BRIEF.repr(value)
    return text if len(text) <= _LONGEST_SHOWN else f"{text[: _LONGEST_SHOWN - 1]}…"
