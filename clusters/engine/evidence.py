"""What a plugin compared on a node, and what it made a score from: the small bases of every plugin's own values.

A value holds raw amounts (milli-CPU, bytes, counts) in fields named after Kubernetes' own; it has no words for people.
Fields are texts, numbers, booleans, None, tuples of those, and other frozen values, so that any of them can be written
as JSON by its fields. ``kind`` is the name by which such a document says what it holds; it never changes."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, ClassVar

from msgspec import Struct

if TYPE_CHECKING:
    from clusters.engine.selectors import Operator


class Evidence(Struct, frozen=True):
    """Any value that a plugin states; ``kind`` names its type in documents."""

    kind: ClassVar[str]


class Comparison(Evidence, frozen=True):
    """What a filter compared for one requirement on one node."""

    @property
    def holds(self) -> bool:
        """Whether the node meets the requirement."""
        raise NotImplementedError


class ScorePart(Evidence, frozen=True):
    """One of the things that a raw score was made from."""


class Normalisation(Evidence, frozen=True):
    """How a raw score was brought to 0..100; ``normalised`` is what came of it."""

    raw: int
    normalised: int


class Rounding(enum.StrEnum):
    """How a quotient becomes a whole number."""

    DOWN = "down"
    NEAREST = "nearest"


class CountedPod(Struct, frozen=True):
    """A pod that counts on a node because it runs there or, ``nominated``, because it is nominated for it."""

    key: str
    nominated: bool = False


class NodeRequirement(Struct, frozen=True):
    """A requirement on a label or field of the node; ``node_value`` is None where the node has no such label."""

    key: str
    operator: Operator
    values: tuple[str, ...]
    node_value: str | None
    matches: bool


class NodeTerm(Struct, frozen=True):
    """Requirements that a node must all meet; an empty term, or one that cannot be read, matches no node."""

    requirements: tuple[NodeRequirement, ...]
    matches: bool


class ByMaximum(Normalisation, frozen=True):
    """Scaled by the ``highest`` raw score of the feasible nodes; ``reverse`` makes the highest the worst."""

    kind = "by-maximum"

    highest: int
    reverse: bool


class UnreadableVolumes(Comparison, frozen=True):
    """Volumes of a pod that the scheduler could not read; ``messages`` are its own."""

    kind = "unreadable-volumes"

    pod: str
    messages: tuple[str, ...]

    @property
    def holds(self) -> bool:
        return False


# What a constraint requires, as a typed value: each plugin defines its own, and those are here that several share.


class Subject(Struct, frozen=True):
    """One requirement of a plugin, as a frozen value: equal to another one exactly where both require the same.

    ``kind`` names its type in documents and stays the same from version to version. ``may_prefer``: the pod can prefer
    this instead of requiring it.
    """

    kind: ClassVar[str]
    may_prefer: ClassVar[bool] = False


class ClaimSubject(Subject, frozen=True):
    """A PersistentVolumeClaim of the pod's namespace."""

    kind: ClassVar[str] = "claim"

    claim: str
