"""What can be wrong with a Kubernetes object that is to be mirrored."""

from __future__ import annotations

from dataclasses import dataclass

from clusters.engine.problems import Problem


@dataclass(frozen=True, slots=True)
class ObjectWithoutName(Problem):
    """An object without metadata.name."""


@dataclass(frozen=True, slots=True)
class NoType(Problem):
    """An object without its apiVersion or its kind, which ``field`` names."""

    field: str


@dataclass(frozen=True, slots=True)
class NotAType(Problem):
    """A value that no apiVersion or kind can be."""

    found: str


@dataclass(frozen=True, slots=True)
class ListWithoutVersion(Problem):
    """A typed list without an apiVersion, which its items would take over."""


@dataclass(frozen=True, slots=True)
class NotAListOfObjects(Problem):
    """Something else than a list where the objects of a list belong."""

    found: str


@dataclass(frozen=True, slots=True)
class ManyObjects(Problem):
    """More objects than are read of one source."""

    most: int


@dataclass(frozen=True, slots=True)
class LargeObject(Problem):
    """An object of which more bytes are left after pruning than are stored."""

    found: int
    most: int


@dataclass(frozen=True, slots=True)
class SharedUid(Problem):
    """A UID that another object of the source has already."""

    found: str
    owner: str


@dataclass(frozen=True, slots=True)
class NoUid(Problem):
    """An object of an API server without a UID."""


@dataclass(frozen=True, slots=True)
class NotAUid(Problem):
    """A value that no UID can be."""

    found: str
    most: int


@dataclass(frozen=True, slots=True)
class NotANamespaceName(Problem):
    """A value that the name of a namespace cannot be."""

    found: str


@dataclass(frozen=True, slots=True)
class NotAPathSegment(Problem):
    """A value that no part of a path, and so no name of any object, can be."""

    found: str


@dataclass(frozen=True, slots=True)
class NotADriverName(Problem):
    """A value that the name of a driver cannot be."""

    found: str


@dataclass(frozen=True, slots=True)
class NotATimestamp(Problem):
    """A value that is no time in RFC 3339, with its zone."""

    found: str


@dataclass(frozen=True, slots=True)
class AnotherPod(Problem):
    """A changed pod with another name or namespace than the pod that is changed."""

    right: str
