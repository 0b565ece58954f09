"""What is wrong with something that a person wrote, as a typed value; `clusters/wording/problems/` says it in words.

An error carries one, beside the place that it is about. What only one room meets stands in its own `problems.py`."""

from __future__ import annotations

from dataclasses import dataclass
from math import log10
from typing import ClassVar


class Problem:
    """What is wrong, and with it what would be right: a frozen dataclass of texts, numbers, tuples of them, and another
    problem that is the reason of this one.

    A field ``found`` quotes what was written, short enough to be shown. No two problems share a class name. Of those
    that are ``in_api_words`` a field ``message`` is all that is said: the API server's own words, without a full stop.
    """

    __slots__ = ()
    kind: ClassVar[str] = ""
    in_api_words: ClassVar[bool] = False

    def __init_subclass__(cls) -> None:
        cls.kind = cls.__name__


@dataclass(frozen=True, slots=True)
class Quoted(Problem):
    """Words of others as they are: of the API server, or of an earlier release of Berth; ``remedy`` may be empty."""

    text: str
    remedy: str = ""


@dataclass(frozen=True, slots=True)
class Missing(Problem):
    """A field that is needed is not given; ``known`` are the values that it may have, where they are few."""

    known: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Empty(Problem):
    """A text, a list or a map without anything in it."""


@dataclass(frozen=True, slots=True)
class UnknownField(Problem):
    """A map has a field that nothing reads; ``close`` is the known field that is written most alike, if one is."""

    found: str
    known: tuple[str, ...]
    close: str = ""


@dataclass(frozen=True, slots=True)
class NotAMap(Problem):
    """Something else than a map; ``fields`` are those that it may have, where they are known."""

    found: str
    fields: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NotAList(Problem):
    """Something else than a list."""

    found: str


@dataclass(frozen=True, slots=True)
class NotAText(Problem):
    """Something else than a text, such as a number without quotes."""

    found: str


@dataclass(frozen=True, slots=True)
class NotABoolean(Problem):
    """Something else than true and false."""

    found: str


@dataclass(frozen=True, slots=True)
class NotAnInteger(Problem):
    """Something else than a whole number, or one of more than so many bits."""

    found: str
    bits: int = 64


@dataclass(frozen=True, slots=True)
class NotAnObject(Problem):
    """Something else than a Kubernetes object."""

    found: str


@dataclass(frozen=True, slots=True)
class NotAnAmount(Problem):
    """No amount of a resource."""

    found: str


@dataclass(frozen=True, slots=True)
class NotOneOf(Problem):
    """A word that is none of the known ones; ``close`` is the one that is written most alike, if one is."""

    found: str
    known: tuple[str, ...]
    close: str = ""


@dataclass(frozen=True, slots=True)
class OutOfRange(Problem):
    """A number below ``least`` or above ``most``, or no whole number at all."""

    found: str
    least: int
    most: int


@dataclass(frozen=True, slots=True)
class BelowLeast(Problem):
    """A number below the least one."""

    found: str
    least: int


@dataclass(frozen=True, slots=True)
class TooMany(Problem):
    """A list or a map of ``found`` entries, more than ``most``."""

    found: int
    most: int


@dataclass(frozen=True, slots=True)
class TooLong(Problem):
    """A text of more than ``most`` characters; ``found`` is its beginning."""

    found: str
    characters: int
    most: int


@dataclass(frozen=True, slots=True)
class NotALabelKey(Problem):
    """No key that a label or taint can have."""

    found: str


@dataclass(frozen=True, slots=True)
class NotALabelValue(Problem):
    """No value that a label or taint can have."""

    found: str


@dataclass(frozen=True, slots=True)
class NotAnObjectName(Problem):
    """A value that the name of an object cannot be."""

    found: str


# Values as errors show them.


def shown(value: object) -> str:
    """A value as an error quotes it: cut where it is long, and of a map or list no more than that it is one."""
    if isinstance(value, int) and abs(value) >= 10**30:
        # So large a number may have more digits than Python writes.
        return f"{'-' if value < 0 else ''}10^{int(log10(abs(value)))}"
    if isinstance(value, dict | list | tuple):
        return "{…}" if isinstance(value, dict) else "[…]"
    text = repr(value[:60] if isinstance(value, str) else value)
    return text if len(text) <= 62 else f"{text[:60]}…"
