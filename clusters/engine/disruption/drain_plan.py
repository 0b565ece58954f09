"""The order in which nodes can be drained: evictions, where the pods go, batches, and what keeps the rest.

Evictions are requested in the order of the pods' names, node by node; kubectl requests those of all pods of a node at
once, so which of several pods under one budget is evicted first cannot be known.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING

from clusters.engine.disruption.drain import Handling, Treatment, handling_of
from clusters.engine.disruption.drain_ledger import Ledger
from clusters.engine.objects import Pod

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from clusters.engine.disruption.drain import DrainOptions
    from clusters.engine.disruption.drain_world import Landing
    from clusters.engine.disruption.eviction import EvictionAnswer
    from clusters.engine.objects import Document
    from clusters.engine.snapshot import Snapshot


class Block(enum.StrEnum):
    """What keeps a node from being drained; the first that holds counts, and what waiting may help against comes last.

    ``BUDGET``: a budget allows nothing until its pods are ready.
    """

    TWO_BUDGETS = "two-budgets"
    NEVER = "never"
    FLAG = "flag"
    NO_ROOM = "no-room"
    BUDGET = "budget"
    NOT_COMPUTED = "not-computed"

    @property
    def lasts(self) -> bool:
        """Whether waiting does not help."""
        return self is not Block.BUDGET


@dataclass(frozen=True, slots=True)
class PlannedPod:
    """A pod of a chosen node, and what its eviction would be answered if all drains began now; None: not requested."""

    node: str
    pod: str
    handling: Handling
    answer: EvictionAnswer | None


@dataclass(frozen=True, slots=True)
class Eviction:
    """A granted eviction. Pods are named ``namespace/name``.

    ``round``: how often evictions of the node's pods had been requested when it was granted, from 1. ``landing``:
    where its replacement goes, None where nothing replaces it. ``moved``: how often a drain had moved it before.
    """

    node: str
    pod: str
    round: int
    answer: EvictionAnswer
    landing: Landing | None
    handling: Handling
    moved: int = 0


@dataclass(frozen=True, slots=True)
class DrainedNode:
    """A node that is empty afterwards but for pods that stay; ``rounds``: how often evictions are requested."""

    name: str
    evictions: tuple[Eviction, ...]
    staying: int
    rounds: int


@dataclass(frozen=True, slots=True)
class Batch:
    """Nodes that are drained at the same time."""

    nodes: tuple[DrainedNode, ...]

    @property
    def rounds(self) -> int:
        return max(node.rounds for node in self.nodes)

    @property
    def evictions(self) -> list[Eviction]:
        """All evictions, round by round."""
        found = [eviction for node in self.nodes for eviction in node.evictions]
        return sorted(found, key=lambda eviction: eviction.round)


@dataclass(frozen=True, slots=True)
class Blocker:
    """A pod that keeps a node from being drained, and why: flags, the API server's answer, or no node for it."""

    pod: str
    kind: Block
    handling: Handling
    answer: EvictionAnswer | None = None
    landing: Landing | None = None


@dataclass(frozen=True, slots=True)
class BlockedNode:
    """A node that the plan does not drain."""

    name: str
    blockers: tuple[Blocker, ...]

    @property
    def kind(self) -> Block:
        """What weighs most."""
        order = list(Block)
        return min((blocker.kind for blocker in self.blockers), key=order.index, default=Block.NOT_COMPUTED)


@dataclass(frozen=True, slots=True)
class Plan:
    """How chosen nodes can be drained. ``asked``: every pod on them, as if all drains began now."""

    nodes: tuple[str, ...]
    asked: tuple[PlannedPod, ...]
    batches: tuple[Batch, ...]
    blocked: tuple[BlockedNode, ...]


@dataclass(frozen=True, slots=True)
class Resident:
    """A pod on a node that is to be drained, and how often a drain has moved it already."""

    pod: Pod
    handling: Handling
    moved: int = 0


def residents_of(
    pods: Iterable[Document], options: DrainOptions, daemon_sets: frozenset[str] | None = None
) -> dict[str, list[Resident]]:
    """The pods of nodes in the order in which their evictions are requested, by node."""
    found: dict[str, list[Resident]] = {}
    for pod in sorted(map(Pod, pods), key=lambda pod: (pod.namespace, pod.name)):
        resident = Resident(pod, handling_of(pod, options, daemon_sets))
        found.setdefault(pod.node_name, []).append(resident)
    return found


def first_answers(
    snapshot: Snapshot,
    nodes: Sequence[str],
    residents: Mapping[str, Sequence[Resident]],
    others: Iterable[Document] = (),
) -> list[PlannedPod]:
    """What evicting every pod of these nodes would be answered now, budgets charged from one to the next.

    A node with pods that need a flag is not begun with, so no eviction is requested there.
    """
    ledger = Ledger(snapshot, others)
    found = []
    for node in nodes:
        held = any(resident.handling.treatment is Treatment.HELD for resident in residents.get(node, ()))
        for resident in residents.get(node, ()):
            is_asked = not held and resident.handling.treatment is Treatment.EVICTED
            answer = ledger.ask(resident.pod) if is_asked else None
            found.append(PlannedPod(node, resident.pod.key, resident.handling, answer))
    return found
