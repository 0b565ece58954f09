"""What the watcher asks of a live cluster, and the ways in which the answer can fail to come."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from clusters.adapters.kube.kinds import ApiKind
    from clusters.engine.problems import Problem


class SourceError(Exception):
    """The cluster did not give what was asked for, for a reason that is a typed problem."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem)
        self.problem = problem


class BadConnectionError(SourceError):
    """The kubeconfig or the service account cannot be used as it is."""


class UnreachableError(SourceError):
    """No answer, a broken one, or one that says to come back later."""


class UnauthorizedError(SourceError):
    """The API server does not know the credentials: a token that expired, most of the time."""


class ForbiddenError(SourceError):
    """The credentials are known, but may not list or watch this kind."""


class NotServedError(SourceError):
    """The API server has no such kind in this version."""


class GoneError(SourceError):
    """The resource version is older than what the API server remembers: the kind has to be listed anew."""


@dataclass(frozen=True, slots=True)
class Page:
    """A part of a list; `resource_version` is the list's, the same on every page."""

    items: list[dict[str, Any]]
    resource_version: str


class Happening(StrEnum):
    """What a watch tells."""

    OPENED = "OPENED"
    ADDED = "ADDED"
    MODIFIED = "MODIFIED"
    DELETED = "DELETED"
    BOOKMARK = "BOOKMARK"


@dataclass(frozen=True, slots=True)
class WatchEvent:
    """One message of a watch. The first is OPENED, which says that the API server answered, and carries no object."""

    happening: Happening
    object: dict[str, Any]
    resource_version: str


class ClusterReader(Protocol):
    """Reads a live cluster. Every method raises SourceError."""

    async def version(self) -> str:
        """Return the API server's version, as in v1.34.1."""
        ...

    async def served_version(self, kind: ApiKind) -> str:
        """Return the first of the kind's versions that is served. Raises NotServedError when none is."""
        ...

    def pages(self, kind: ApiKind, version: str) -> AsyncGenerator[Page]:
        """List all objects of a kind."""
        ...

    def watch(self, kind: ApiKind, version: str, resource_version: str) -> AsyncGenerator[WatchEvent]:
        """Tell what happens after `resource_version`, until the API server ends it, as it does every few minutes."""
        ...

    async def close(self) -> None:
        """End all connections."""
        ...
