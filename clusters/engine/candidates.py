"""Candidates of preemption: nodes where a pod would fit without other pods, and which of them the scheduler prefers.

Upstream: ``pickOneNodeForPreemption`` in ``framework/preemption`` and ``GetEarliestPodStartTime`` in
``pkg/scheduler/util``, v1.34.1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusters.engine.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class Candidate:
    """A node where the pod would fit without the victims, the most important of which come first.

    ``victims`` are ``namespace/name``; ``priorities`` are theirs; ``earliest_start`` belongs to the most important.
    Extenders may name victims in another order; the first still counts as the most important.
    """

    node: str
    victims: tuple[str, ...]
    pdb_violations: int
    priorities: tuple[int, ...]
    earliest_start: int

    def preference(self) -> tuple[int, int, int, int, int, str]:
        """The less the better; the scheduler's last choice among equals is random, here it is by name."""
        offset = 2**31
        return (
            self.pdb_violations,
            self.priorities[0],
            sum(priority + offset for priority in self.priorities),
            len(self.victims),
            -self.earliest_start,
            self.node,
        )


def candidate_on(snapshot: Snapshot, row: int, victims: Sequence[int], pdb_violations: int) -> Candidate:
    """The candidate that removing these pods, one at least, makes of a node; ``victims`` are their slots."""
    pods = snapshot.pods
    priorities = [int(pods.priority[slot]) for slot in victims]
    highest = max(priorities)
    top = [slot for slot, priority in zip(victims, priorities, strict=True) if priority == highest]
    return Candidate(
        node=snapshot.nodes.names[row],
        victims=tuple(pods.keys[slot] for slot in victims),
        pdb_violations=pdb_violations,
        priorities=tuple(priorities),
        earliest_start=min(int(pods.start[slot]) for slot in top),
    )


def leaving_victims(snapshot: Snapshot, candidate: Candidate) -> tuple[str, ...]:
    """The victims of a candidate that are terminating already, whether or not anybody preempts them."""
    pods = snapshot.pods
    slots = {key: pods.slot_of[key] for key in candidate.victims if key in pods.slot_of}
    return tuple(key for key, slot in slots.items() if pods.terminating[slot])
