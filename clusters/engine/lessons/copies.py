"""Copies of the pod in question, created and scheduled one after the other in a copy of the cluster."""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, NamedTuple

from clusters.engine.objects import metadata, name_of
from clusters.engine.placement import place
from clusters.engine.simulation.admission import PodAdmission

if TYPE_CHECKING:
    from clusters.engine.lessons.situation import Situation
    from clusters.engine.objects import Document
    from clusters.engine.snapshot import Snapshot


class PlacedCopies(NamedTuple):
    """The node of each copy that got one, in their order, and the cluster with them."""

    nodes: tuple[str, ...]
    snapshot: Snapshot

    @property
    def placed(self) -> int:
        """How many copies got a node."""
        return len(self.nodes)


def place_copies(situation: Situation, most: int) -> PlacedCopies:
    """Place up to so many copies, until one is refused or finds no node. Raises UnsolvableError.

    Nothing is preempted for them. Of nodes that tie each takes the first of the search; the first by name, where the
    scheduler takes any.
    """
    attempt = situation.attempt()
    snapshot = situation.snapshot.copy()
    nodes: list[str] = []
    admission = PodAdmission(snapshot)
    copies = (_copy(attempt.pod.document, number) for number in range(most))
    created = (copy for copy in copies if admission.admit(copy) is None)
    for placement in place(snapshot, created, situation.configuration):
        if not placement.node:
            break
        nodes.append(placement.node)
    return PlacedCopies(tuple(nodes), snapshot)


def _copy(pod: Document, number: int) -> Document:
    copied = deepcopy(dict(pod))
    kept = {key: value for key, value in metadata(pod).items() if key != "uid"}
    return {**copied, "metadata": {**kept, "name": f"{name_of(pod)}-copy-{number}"}, "status": {}}
