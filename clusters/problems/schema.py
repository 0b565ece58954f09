"""What can be wrong with a field by the Kubernetes API’s types."""

from __future__ import annotations

from dataclasses import dataclass

from clusters.engine.problems import Problem


@dataclass(frozen=True, slots=True)
class IsNot(Problem):
    """A field that can have one value alone has another."""

    found: str
    right: str


@dataclass(frozen=True, slots=True)
class NotFieldsOf(Problem):
    """Something else than a map where the fields of a type belong."""

    found: str
    type_name: str


@dataclass(frozen=True, slots=True)
class NoFieldOf(Problem):
    """A field that a type does not have; ``close`` is the one that is written most alike, ``known`` are the first."""

    found: str
    type_name: str
    known: tuple[str, ...]
    close: str = ""


@dataclass(frozen=True, slots=True)
class NeedsField(Problem):
    """A field that a type cannot be without is missing."""

    field: str
    type_name: str


@dataclass(frozen=True, slots=True)
class EmptyItem(Problem):
    """An item of a list without a value."""


@dataclass(frozen=True, slots=True)
class NotAnIntegerOrText(Problem):
    """Something else than a whole number or a text, as ports and percentages are."""

    found: str


@dataclass(frozen=True, slots=True)
class NoApiGroup(Problem):
    """An API group that no cluster has; ``close`` is the apiVersion that was probably meant."""

    found: str
    close: str


@dataclass(frozen=True, slots=True)
class KindOfOtherVersion(Problem):
    """A kind that another apiVersion has, which is ``right``."""

    kind_name: str
    found: str
    right: str


@dataclass(frozen=True, slots=True)
class NoKind(Problem):
    """A kind that an API group of Kubernetes does not have."""

    found: str
    version: str
    known: tuple[str, ...]
    close: str = ""
