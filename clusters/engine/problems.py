"""What can be wrong with what a person wrote or sent: each problem is one declaration, with its sentence and remedy.

An error carries one, beside the place that it is about. What only one room meets stands in its own `problems.py`."""

from __future__ import annotations

from functools import cache
from math import log10
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    ClassVar,
    Final,
    NamedTuple,
    TypeAlias,
    dataclass_transform,
    get_type_hints,
)

import msgspec

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

# How a field is shown. Other whole numbers are grouped by thousands, other tuples are lists: a, b and c.
Number = Annotated[int, "number"]
"""A number that names something, such as a port or a line."""
Bytes = Annotated[int, "bytes"]
"""An amount of bytes, in a binary unit."""
OneOf = Annotated[tuple[str, ...], "one of"]
"""Names of which one is to be chosen: a, b or c."""
FirstOf = Annotated[tuple[str, ...], "first of"]
"""The first of as many names as the field ``total`` says: a, b and 4 more."""


class Counted(NamedTuple):
    """A message in singular and plural; ``by`` is the field that decides, a number or a list."""

    one: str
    many: str
    by: str


class Chosen(NamedTuple):
    """The message for the value of a field, or the one for all others."""

    by: str
    messages: Mapping[Any, str]
    otherwise: str = ""


Message: TypeAlias = str | Counted
# Of several messages the first is shown whose every placeholder has a value that is not empty.
Template: TypeAlias = Message | Chosen | tuple[Message, ...]


def message(text: str) -> str:
    """Mark a message for translators; ``%(field)s`` is a field of the problem. It is translated where it is shown."""
    return text


def plural(one: str, many: str, *, by: str) -> Counted:
    """Mark a message that has a singular and a plural, chosen by a number or by the length of a list."""
    return Counted(one, many, by)


QUOTED: Final = "%(message)s"
"""The sentence of a problem in the API server's own words: its field ``message``, without a full stop."""


@dataclass_transform(frozen_default=True)
class Declared(msgspec.StructMeta):
    """Makes a problem or a remark of its declaration: an immutable value, which documents know by its kind."""

    kind: str

    def __new__(mcls, name: str, bases: tuple[type, ...], body: dict[str, Any], *, kind: str = "") -> Declared:  # noqa: PYI034
        row = super().__new__(mcls, name, bases, body, frozen=True, rename="camel", tag_field="kind", tag=kind or None)
        if kind:
            row.kind = kind
        return row


class Problem(msgspec.Struct, metaclass=Declared):
    """What is wrong, and what would be right; fields are texts, numbers, tuples of them, and a problem as its reason.

    ``kind`` is written out, since rows and the API hold it: it never changes, whatever the class is called. A field
    ``found`` quotes what was written, short enough to be shown. Without a ``remedy`` that of the reason is shown.
    """

    kind: ClassVar[str]
    sentence: ClassVar[Template]
    remedy: ClassVar[Template] = ""


class ProblemError(Exception):
    """Something that cannot be taken as it is, or done; ``problem`` says why."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(repr(problem))
        self.problem = problem


class PlacedError(ProblemError, ValueError):
    """A problem with where it is: ``path`` names a field, as in ``changes[2].replicas``."""

    def __init__(self, path: str, problem: Problem) -> None:
        super().__init__(problem)
        self.args = (f"{path}: {problem!r}",)
        self.path = path


class Quoted(Problem, kind="Quoted"):
    """Words of others as they are: of the API server, or of another release of Berth."""

    sentence = "%(text)s"
    remedy = "%(advice)s"

    text: str
    advice: str = ""


class Missing(Problem, kind="Missing"):
    """A field that is needed is not given; ``known`` are the values that it may have, where they are few."""

    sentence = message("It is missing.")
    remedy = (message("Write %(known)s."), message("Add it."))

    known: OneOf = ()


class Empty(Problem, kind="Empty"):
    """A text, a list or a map without anything in it."""

    sentence = message("It is empty.")
    remedy = message("Fill it in, or leave it out.")


class UnknownField(Problem, kind="UnknownField"):
    """A map has a field that nothing reads; ``close`` is the one that is written most alike, ``known`` are some."""

    sentence = message("There is no field %(found)s.")
    remedy = (message("Did you mean %(close)s?"), message("Among its fields are %(known)s."), "")

    found: str
    known: tuple[str, ...] = ()
    close: str = ""


class NotAMap(Problem, kind="NotAMap"):
    """Something else than a map; ``fields`` are those that it may have, where they are known."""

    sentence = message("%(found)s is not a map.")
    remedy = (message("Write a map with %(fields)s."), "")

    found: str
    fields: tuple[str, ...] = ()


class NotAList(Problem, kind="NotAList"):
    """Something else than a list."""

    sentence = message("%(found)s is not a list.")
    remedy = message("Write a list.")

    found: str


class NotAText(Problem, kind="NotAText"):
    """Something else than a text, such as a number without quotes."""

    sentence = message("%(found)s is not a text.")
    remedy = message("Put quotes around it.")

    found: str


class NotABoolean(Problem, kind="NotABoolean"):
    """Something else than true and false."""

    sentence = message("%(found)s is neither true nor false.")
    remedy = message("Write true or false, without quotes.")

    found: str


class NotAnInteger(Problem, kind="NotAnInteger"):
    """Something else than a whole number, or one of more than so many bits."""

    sentence = message("%(found)s is not a whole number of %(bits)s bits.")
    remedy = message("Write a whole number, without quotes.")

    found: str
    bits: Number = 64


class NotAnObject(Problem, kind="NotAnObject"):
    """Something else than a Kubernetes object."""

    sentence = message("%(found)s is not a Kubernetes object.")
    remedy = message("Write kind and metadata.")

    found: str


class NotOneOf(Problem, kind="NotOneOf"):
    """A word that is none of the known ones; ``close`` is the one that is written most alike, if one is."""

    sentence = message("%(found)s is not valid here.")
    remedy = (message("Write %(close)s."), message("Write %(known)s."), "")

    found: str
    known: OneOf
    close: str = ""


class OutOfRange(Problem, kind="OutOfRange"):
    """A number below ``least`` or above ``most``, or no whole number at all."""

    sentence = message("%(found)s is not a whole number from %(least)s to %(most)s.")
    remedy = message("Write a number in that range.")

    found: str
    least: int
    most: int


class BelowLeast(Problem, kind="BelowLeast"):
    """A number below the least one."""

    sentence = message("It must be at least %(least)s, not %(found)s.")
    remedy = message("Write %(least)s or more.")

    found: str
    least: int


class TooMany(Problem, kind="TooMany"):
    """A list or a map of ``found`` entries, more than ``most``."""

    sentence = message("%(found)s entries exceed the limit of %(most)s.")
    remedy = message("Remove some.")

    found: int
    most: int


class TooLong(Problem, kind="TooLong"):
    """A text of more than ``most`` characters; ``found`` is its beginning."""

    sentence = message("%(found)s has %(characters)s characters; the limit is %(most)s.")
    remedy = message("Shorten it.")

    found: str
    characters: int
    most: int


class TooLarge(Problem, kind="TooLarge"):
    """A text, a file or an answer of more bytes than are read."""

    sentence = message("It has more than %(most_bytes)s.")
    remedy = message("Shorten or split it.")

    most_bytes: Bytes


class OverSetting(Problem, kind="OverSetting"):
    """More than a setting of Berth allows."""

    sentence = (
        message("It exceeds %(setting)s (%(most_bytes)s)."),
        message("It exceeds %(setting)s (%(most)s)."),
        message("It exceeds %(setting)s."),
    )
    remedy = message("Send less, or raise that setting.")

    setting: str
    most: int = 0
    most_bytes: Bytes = 0


class MustBe(Problem, kind="MustBe"):
    """Another value than the ``right`` one; ``by`` is what asks for it, such as ``PriorityClass high``."""

    sentence = (
        message("With %(by)s it must be %(right)s, not %(found)s."),
        message("It must be %(right)s, not %(found)s."),
    )
    remedy = message("Write %(right)s.")

    found: str
    right: str
    by: str = ""


class BeyondOther(Problem, kind="BeyondOther"):
    """An amount that is not ``order`` (≤, ≥, <, > or =) the amount ``other`` of another field."""

    sentence = message("It must be %(order)s %(field)s (%(other)s), not %(found)s.")
    remedy = message("Change one of them.")

    found: str
    order: str
    field: str
    other: str


class NotTogether(Problem, kind="NotTogether"):
    """Fields of which only one may stand there."""

    sentence = message("%(fields)s exclude each other.")
    remedy = message("Keep one.")

    fields: tuple[str, ...]


class OnlyBeside(Problem, kind="OnlyBeside"):
    """A field or value that is allowed only where another ``field`` is given, or has a ``value``."""

    sentence = (message("It needs %(field)s: %(value)s."), message("It needs %(field)s."))
    remedy = message("Write that, or remove it.")

    field: str
    value: str = ""


class BothZero(Problem, kind="BothZero"):
    """Two fields of which one has to be above 0."""

    sentence = message("%(fields)s may not both be 0.")
    remedy = message("Raise one.")

    fields: tuple[str, ...]


class MoreThanAnyNode(Problem, kind="MoreThanAnyNode"):
    """An amount of a resource beyond all machines."""

    sentence = message("%(found)s is more than any node has.")
    remedy = message("Check its unit.")

    found: str


class NoPodToCopy(Problem, kind="NoPodToCopy"):
    """A workload that is to have more pods, and has none that says what they are."""

    sentence = message("%(workload)s has no pod to copy.")
    remedy = message("Add it by its manifest.")

    workload: str


class NotALabelKey(Problem, kind="NotALabelKey"):
    """No key that a label or taint can have."""

    sentence = message("%(found)s is not a label key.")
    remedy = message("Use up to 63 letters, digits and inner “-”, “_”, “.”, after an optional DNS name and slash.")

    found: str


class NotALabelValue(Problem, kind="NotALabelValue"):
    """No value that a label or taint can have."""

    sentence = message("%(found)s is not a label value.")
    remedy = message("Use up to 63 letters, digits and inner “-”, “_”, “.”.")

    found: str


class NotAnObjectName(Problem, kind="NotAnObjectName"):
    """A value that the name of an object cannot be."""

    sentence = message("%(found)s cannot be an object's name.")
    remedy = message("Use lower-case letters, digits and inner “-”, “.”.")

    found: str


class InvalidValue(Problem, kind="InvalidValue"):
    """A value that is written in another way than ``examples``."""

    sentence = message("%(found)s is not valid here.")
    remedy = message("Write a value such as %(examples)s.")

    found: str
    examples: OneOf


class Repeated(Problem, kind="Repeated"):
    """A value or a name that is given more than once; ``place`` is where else."""

    sentence = (message("%(found)s is in %(place)s, too."), message("%(found)s is there twice."))
    remedy = message("Keep one.")

    found: str
    place: str = ""


class NeedsOneOf(Problem, kind="NeedsOneOf"):
    """None, or more than one, of fields of which exactly one is needed."""

    sentence = message("It needs exactly one of %(fields)s.")
    remedy = message("Write one.")

    fields: OneOf


class MissingField(Problem, kind="MissingField"):
    """A map lacks a field; ``example`` is a value that it may have."""

    sentence = message("There is no %(field)s.")
    remedy = (message("Write %(field)s: %(example)s."), message("Add it."))

    field: str
    example: str = ""


class NoSuchName(Problem, kind="NoSuchName"):
    """A name that nothing has; ``known`` are the first of ``total`` that there are."""

    sentence = message("There is no %(found)s.")
    remedy = (message("Choose %(known)s."), message("Create it, or name another."))

    found: str
    known: FirstOf = ()
    total: int = 0


class NoSuchObject(Problem, kind="NoSuchObject"):
    """An object that does not exist, with its namespace where it has one; ``known`` are the first of its kind."""

    sentence = message("There is no %(object_kind)s %(name)s.")
    remedy = (message("Choose %(known)s."), message("Create it, or name another."))

    object_kind: str
    name: str
    known: FirstOf = ()
    total: int = 0


class NameExists(Problem, kind="NameExists"):
    """A name for something new that another has already."""

    sentence = message("%(name)s exists already.")
    remedy = message("Choose another name.")

    name: str


class OverLimit(Problem, kind="OverLimit"):
    """More than so many of what the place names."""

    sentence = message("There are more than %(most)s.")
    remedy = message("Remove some.")

    most: int


class ReservedName(Problem, kind="ReservedName"):
    """A name that only Kubernetes, or Berth itself, may give."""

    sentence = message("%(name)s is reserved.")
    remedy = message("Choose another name.")

    name: str


class Malformed(Problem, kind="Malformed"):
    """A text that is no JSON, YAML or the like; ``reason`` is the word of the library that reads it."""

    sentence = (
        message("It is not %(form)s at line %(line)s, column %(column)s: %(reason)s."),
        message("It is not %(form)s: %(reason)s."),
    )
    remedy = message("Correct it.")

    form: str
    reason: str
    line: Number = 0
    column: Number = 0


class NotUtf8(Problem, kind="NotUtf8"):
    """Bytes that are no text, or a text with half a character or NUL; ``byte`` counts from 1."""

    sentence = (message("Byte %(byte)s is not UTF-8."), message("It is not plain text."))
    remedy = message("Save it as UTF-8, without NUL.")

    byte: int = 0


@cache
def field_types(kind: type[Problem]) -> dict[str, Any]:
    """Return the types of a problem's fields, which also say how these are shown."""
    hints = get_type_hints(kind, include_extras=True)
    return {name: hints[name] for name in kind.__struct_fields__}


# Values as errors show them.

_NAMED: Final = 10


def no_such_name(found: str, known: Sequence[str]) -> NoSuchName:
    """Return the problem of a name that is none of those that are known."""
    return NoSuchName(found, tuple(known[:_NAMED]), len(known))


def shown(value: object) -> str:
    """A value as an error quotes it: cut where it is long, and of a map or list no more than that it is one."""
    if isinstance(value, int) and abs(value) >= 10**30:
        # So large a number may have more digits than Python writes.
        return f"{'-' if value < 0 else ''}10^{int(log10(abs(value)))}"
    if isinstance(value, dict | list | tuple):
        return "{…}" if isinstance(value, dict) else "[…]"
    text = repr(value[:60] if isinstance(value, str) else value)
    return text if len(text) <= 62 else f"{text[:60]}…"
