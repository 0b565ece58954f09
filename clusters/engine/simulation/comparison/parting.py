"""Where two runs part: until then they had the same state and took the same steps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from clusters.engine.simulation.comparison.finished import Finished
    from clusters.engine.simulation.steps import Step
    from clusters.engine.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class Parting:
    """The first steps that differ, one of each run; None where a run was over.

    ``number``: how many steps they have in common. ``same_beginning``: whether they begin with the same nodes and pods;
    if not, they differ before their first step, and that their steps begin alike means little.
    """

    number: int
    left: Step | None
    right: Step | None
    same_beginning: bool

    def is_before(self, number: int) -> bool:
        """Whether the state was another one before the step of this number."""
        return not self.same_beginning or number > self.number


def parting_of(left: Finished, right: Finished) -> Parting | None:
    """Where the runs part; None where they are the same from the beginning to the end."""
    same = _alike(left.case.snapshot, right.case.snapshot)
    common = 0
    for one, other in zip(left.steps, right.steps, strict=False):
        if (one.at, one.outcome, one.pod, one.node) != (other.at, other.outcome, other.pod, other.node):
            break
        common += 1
    if same and common == len(left.steps) == len(right.steps):
        return None
    return Parting(
        common,
        left.steps[common] if common < len(left.steps) else None,
        right.steps[common] if common < len(right.steps) else None,
        same,
    )


def _alike(left: Snapshot, right: Snapshot) -> bool:
    """Whether two clusters have the same nodes, and pods with the same names on them that request the same in all."""
    if left is right:
        return True
    if left.nodes.nodes != right.nodes.nodes or left.pods.slot_of.keys() != right.pods.slot_of.keys():
        return False
    amounts = (left.nodes.requested, left.nodes.pod_count), (right.nodes.requested, right.nodes.pod_count)
    if any(one.shape != other.shape or not np.array_equal(one, other) for one, other in zip(*amounts, strict=True)):
        return False
    here, there = left.pods, right.pods
    return all(here.node[slot] == there.node[there.slot_of[key]] for key, slot in here.slot_of.items())
