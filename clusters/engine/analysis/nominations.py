"""What a nominated pod waits for: the node that the scheduler cleared for it, and the pods that still end there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from clusters.engine import Explanation


@dataclass(frozen=True, slots=True)
class Awaited:
    """The ``node`` that a pod is nominated for, and the terminating pods of lower priority there, by name.

    None of those: its victims have not begun to terminate, or are gone and something else has taken the room.
    """

    node: str
    leaving: tuple[str, ...]


def awaited(explanation: Explanation) -> Awaited | None:
    """Say what a nominated pod waits for; None of a pod that fits now, is not nominated, or would preempt once more."""
    pod, pods = explanation.pod, explanation.snapshot.pods
    row = explanation.snapshot.nodes.index.get(pod.nominated_node_name)
    if explanation.fits or row is None:
        return None
    preemption = explanation.preemption
    slots = [slot for slot in pods.on_node(row) if pods.terminating[slot] and pods.priority[slot] < pod.priority]
    if not slots and preemption is not None and preemption.selected is not None:
        return None
    return Awaited(pod.nominated_node_name, tuple(sorted(pods.keys[slot] for slot in slots)))
