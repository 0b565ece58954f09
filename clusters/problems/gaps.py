"""Why something is thought to be missing from a source."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from clusters.engine.problems import Problem


class OtherGap(enum.StrEnum):
    """A gap that is no kind without objects, where the others have the name of their kind."""

    # Pods run on a node that is missing, while other nodes are there.
    MISSING_NODE = "missing-node"
    # Pods that were written by hand, and lack what an API server would have given them.
    POD_DEFAULTS = "pod-defaults"
    # Objects or files that could not be read.
    UNREADABLE = "unreadable"


class Use(enum.StrEnum):
    """What pods may use, so that a missing kind matters."""

    CLAIMS = "claims"
    PRIORITY_CLASSES = "priority-classes"
    NAMESPACE_SELECTORS = "namespace-selectors"
    RUNTIME_CLASSES = "runtime-classes"
    RESOURCE_CLAIMS = "resource-claims"
    POD_GROUPS = "pod-groups"
    WORKLOADS = "workloads"


@dataclass(frozen=True, slots=True)
class NoneInSource(Problem):
    """A source with neither an object nor a list of a kind."""


@dataclass(frozen=True, slots=True)
class NodesNotInSource(Problem):
    """Nodes on which pods run and which the source does not hold.

    The names are of the first few of ``number``, as many as are shown; ``pods`` holds for each the first few of those
    on it, and ``pod_numbers`` how many those are.
    """

    nodes: tuple[str, ...]
    pods: tuple[tuple[str, ...], ...]
    pod_numbers: tuple[int, ...]
    number: int


@dataclass(frozen=True, slots=True)
class NeverAdmitted(Problem):
    """Pods that lack what an API server would have given them; ``pods`` are the first few of ``number``."""

    pods: tuple[str, ...]
    number: int


@dataclass(frozen=True, slots=True)
class NotReadable(Problem):
    """Objects and files that could not be read, and what is wrong with the first of ``number``, in its place."""

    file: str
    document: int
    subject: str
    field: str
    why: Problem
    number: int
