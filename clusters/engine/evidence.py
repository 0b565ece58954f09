"""The numbers behind one cell: what a plugin looked at for one node, and what it made of it."""

from __future__ import annotations

import enum
from dataclasses import dataclass


class Unit(enum.StrEnum):
    """How a fact is to be read."""

    MILLI_CPU = "milli-cpu"
    BYTES = "bytes"
    COUNT = "count"
    SCORE = "score"
    RATIO = "ratio"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class Fact:
    """One named value, in the unit given."""

    name: str
    value: int | float | str
    unit: Unit = Unit.COUNT


@dataclass(frozen=True, slots=True)
class Evidence:
    """What was compared for one requirement or one part of a score on one node.

    ``about`` names the resource, taint, term or constraint; ``holds`` says whether a requirement is met (None for
    scores); ``formula`` is the arithmetic in terms of the facts' names.
    """

    about: str
    facts: tuple[Fact, ...]
    holds: bool | None = None
    formula: str = ""


def text(name: str, value: object) -> Fact:
    """A fact in words."""
    return Fact(name, str(value), Unit.TEXT)


def resource_unit(resource: str) -> Unit:
    """The unit in which amounts of a resource are kept."""
    if resource == "cpu":
        return Unit.MILLI_CPU
    if resource in ("memory", "ephemeral-storage") or resource.startswith("hugepages-"):
        return Unit.BYTES
    return Unit.COUNT
