"""Pending pods that are alike, grouped so that a network stays small."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from clusters.engine.objects import PodShape

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from clusters.engine.columns.nodes import NodeTable
    from clusters.engine.configuration import Profile
    from clusters.engine.objects import Document, Pod
    from clusters.engine.simulation.kinds import PodKind
    from clusters.engine.status import Ints


@dataclass(frozen=True, slots=True, eq=False)
class Applicant:
    """A pending pod; ``turn`` is its place in the queue among those of its priority."""

    key: str
    document: Document
    kind: PodKind
    turn: int


@dataclass(frozen=True, slots=True, eq=False)
class Lot:
    """Pods of one kind, in order of turn. ``shape`` says what a node books for each.

    ``size`` is the largest share that one of them takes of all there is of a resource.
    """

    members: tuple[Applicant, ...]
    shape: PodShape
    size: float

    @property
    def number(self) -> int:
        """That of the kind."""
        return self.members[0].kind.number

    @property
    def pod(self) -> Pod:
        return self.members[0].kind.pod

    @property
    def profile(self) -> Profile:
        profile = self.members[0].kind.profile
        assert profile is not None  # noqa: S101 - a pod that no profile is for never applies
        return profile

    def rank(self, *, keen: bool) -> tuple[int, bool, float, int]:
        """Lots are served in this order: by priority, the large before the small, then by turn.

        With ``keen``, those that keep others off their nodes go before the large ones of their priority.
        """
        repels = keen and bool(self.pod.affinity.required_anti)
        return -self.pod.priority, not repels, -self.size, self.members[0].turn

    @property
    def is_one_per_node(self) -> bool:
        """Whether no node can hold two of them, whatever it has free."""
        pod = self.pod
        return bool(pod.host_ports) or any(
            pod.namespace in term.namespaces and term.selector.matches(pod.labels)
            for term in pod.affinity.required_anti
        )


def lots_of(applicants: Iterable[Applicant], nodes: NodeTable, *, keen: bool) -> list[Lot]:
    """Pods as lots, in the order in which they are served; ``keen`` is as in `Lot.rank`."""
    found: dict[int, list[Applicant]] = {}
    for applicant in sorted(applicants, key=lambda each: each.turn):
        found.setdefault(applicant.kind.number, []).append(applicant)
    whole = dict(zip(nodes.resources, nodes.allocatable.sum(0).tolist(), strict=True))
    lots = []
    for members in found.values():
        shape = PodShape.of(members[0].kind.pod)
        lots.append(Lot(tuple(members), shape, _size(shape, whole)))
    return sorted(lots, key=lambda lot: lot.rank(keen=keen))


def room_for(lot: Lot, nodes: NodeTable) -> Ints:
    """How many of a lot each node's free resources and pod limit hold, shape (N,); negative where it is overfull."""
    vector = nodes.vector(lot.shape.requests)
    free = nodes.allocatable - nodes.requested
    room = nodes.allowed_pods - nodes.pod_count
    for column in np.flatnonzero(vector):
        room = np.minimum(room, free[:, column] // vector[column])
    return np.minimum(room, 1) if lot.is_one_per_node else room


def _size(shape: PodShape, whole: Mapping[str, int]) -> float:
    return max((amount / max(1, whole.get(name, 0)) for name, amount in shape.requests), default=0.0)
