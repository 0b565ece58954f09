"""What explained pods have in common, wherever they are decided: runs, lessons and sandboxes have one profile each."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Protocol

from django.http import Http404
from django.utils.http import urlencode

from clusters.wording import nodes as nodes_words
from clusters.wording.decisions.attempt import PROFILE as PROFILE_TITLE

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from clusters.engine import Explanation


class Case(Protocol):
    """A decision whose parts are shown: about a pod of the mirror, of a simulation, of a lesson, or of a sandbox."""

    @property
    def explanation(self) -> Explanation: ...

    @property
    def profile(self) -> str: ...

    @property
    def profile_name(self) -> str: ...

    @property
    def is_simulated(self) -> bool: ...

    @property
    def own_node(self) -> str: ...

    @property
    def whole(self) -> str: ...

    @property
    def page(self) -> str: ...

    @property
    def context(self) -> dict[str, object]: ...

    def part_address(self, name: str = "", query: Sequence[tuple[str, str]] = (), **path: object) -> str: ...

    def node_address(self, name: str) -> str: ...

    def pod_address(self, namespace: str, name: str) -> str: ...

    def row(self, node: str) -> int: ...


class ExplainedCase(ABC):
    """A pod of something that is no mirrored cluster, with its explanation."""

    __slots__ = ()

    explanation: Explanation

    @property
    @abstractmethod
    def whole(self) -> str:
        """Return the name of what has the nodes."""

    @property
    def profile(self) -> str:
        """Return the profile that somebody asked for: there is one alone."""
        return ""

    @property
    def profile_name(self) -> str:
        """Return the name of the profile that decides."""
        return PROFILE_TITLE(profile=self.explanation.profile.scheduler_name)

    def row(self, node: str) -> int:
        """Return a node's row. Raises Http404 for a node that there is not."""
        return row_of(self.explanation, node, self.whole)


def row_of(explanation: Explanation, node: str, whole: str) -> int:
    """Return a node's row. Raises Http404 for a node that the `whole` does not have."""
    row = explanation.snapshot.nodes.index.get(node)
    if row is None:
        raise Http404(nodes_words.MISSING(cluster=whole, node=node))
    return row


def with_query(address: str, query: Iterable[tuple[str, str]]) -> str:
    """Return an address with parameters behind it, but for empty ones."""
    values = [(key, value) for key, value in query if value]
    return f"{address}?{urlencode(values)}" if values else address
