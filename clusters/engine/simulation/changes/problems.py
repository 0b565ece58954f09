"""What can be wrong with a change: how it is written, and what it names that the cluster has not got.

Names that there are instead are the first few in ``known``, of ``total``.
"""

from __future__ import annotations

from dataclasses import dataclass

from clusters.engine.problems import Problem


@dataclass(frozen=True, slots=True)
class NotATaintName(Problem):
    """Neither the key of a taint nor a key with an effect."""

    found: str


@dataclass(frozen=True, slots=True)
class MoreThanAnyNode(Problem):
    """An amount of a resource that no node has."""

    found: str


@dataclass(frozen=True, slots=True)
class UnreadableSelector(Problem):
    """A label selector that cannot be read from a character on, counted from 1."""

    character: int


# -- nodes -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class NoNodesChosen(Problem):
    """A change to nodes that says nothing of which ones."""


@dataclass(frozen=True, slots=True)
class NodesChosenTwice(Problem):
    """A change to nodes that chooses them in several ways, by these fields."""

    fields: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NoSuchNode(Problem):
    """A node that the cluster has not got."""

    node: str
    known: tuple[str, ...]
    total: int


@dataclass(frozen=True, slots=True)
class NoSuchZone(Problem):
    """A zone that no node is in."""

    zone: str
    known: tuple[str, ...]
    total: int


@dataclass(frozen=True, slots=True)
class NoSuchContainer(Problem):
    """A container that no pod of the workload runs."""

    container: str
    known: tuple[str, ...]
    total: int


@dataclass(frozen=True, slots=True)
class NoNodeSelected(Problem):
    """A label selector that matches no node."""

    selector: str


@dataclass(frozen=True, slots=True)
class NoLabels(Problem):
    """A change of labels that names none."""


@dataclass(frozen=True, slots=True)
class NoTaints(Problem):
    """A change of taints that names none."""


@dataclass(frozen=True, slots=True)
class LikeAndSize(Problem):
    """Nodes that are to be like another one and of another size at the same time."""


@dataclass(frozen=True, slots=True)
class NodeExists(Problem):
    """A node of this name is there already."""

    node: str


@dataclass(frozen=True, slots=True)
class TooManyNodes(Problem):
    """The cluster would have more than ``most`` nodes."""

    most: int


# -- workloads and pods ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class NotAWorkload(Problem):
    """An object that another change adds."""

    kind_of_object: str
    change: str


@dataclass(frozen=True, slots=True)
class ScaledTwice(Problem):
    """A workload is to have so many replicas, and so many more."""


@dataclass(frozen=True, slots=True)
class NotScaled(Problem):
    """A change of replicas that says nothing of how many."""


@dataclass(frozen=True, slots=True)
class NoPodToCopy(Problem):
    """A workload that has no pod after which more could be made."""

    workload: str


@dataclass(frozen=True, slots=True)
class NoSuchWorkload(Problem):
    """A workload that the cluster has not got; ``known`` are those of its kind in its namespace."""

    workload: str
    kind_of_object: str
    known: tuple[str, ...]
    total: int


@dataclass(frozen=True, slots=True)
class NoSuchProfile(Problem):
    """A scheduler name that no profile of the configuration has."""

    scheduler: str
    known: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PodExists(Problem):
    """A pod of this name is there already."""

    pod: str


@dataclass(frozen=True, slots=True)
class TooManyWanted(Problem):
    """More than ``most`` pods would be placed."""

    most: int


@dataclass(frozen=True, slots=True)
class TooManyPending(Problem):
    """A cluster with more pending pods than a simulation takes."""

    found: int
    most: int


@dataclass(frozen=True, slots=True)
class EmptyTrace(Problem):
    """A trace without pods."""


# -- policies ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class NotThisKind(Problem):
    """A manifest of another kind than the change is about."""

    found: str
    kind_of_object: str


@dataclass(frozen=True, slots=True)
class NoSuchBudget(Problem):
    """A disruption budget that the namespace has not got."""

    budget: str
    known: tuple[str, ...]
    total: int
