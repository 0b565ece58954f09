"""One plugin's scores in a cycle, and what the scheduler makes of one out of range.

Upstream: ``RunScorePlugins`` in ``framework/runtime/framework.go`` v1.34.1.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from clusters.engine.cycle_error import CycleError, Phase
from clusters.engine.plugin import MAX_NODE_SCORE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusters.engine.status import Index, Ints


@dataclass(frozen=True, slots=True)
class PluginScore:
    """One plugin's scores of the feasible nodes, each array of shape (F,)."""

    plugin: str
    weight: int
    raw: Ints
    normalised: Ints

    @property
    def weighted(self) -> Ints:
        return self.normalised * self.weight


def out_of_range(scores: Sequence[PluginScore], feasible: Index, names: Sequence[str]) -> CycleError | None:
    """The first score, by node, not in 0..100: arithmetic that left int64 behind can come to one.

    ``feasible`` holds the rows (F,) of the scored nodes among all ``names`` (N,).
    """
    found: tuple[int, PluginScore] | None = None
    for score in scores:
        # Without their sign negative scores are the largest: one pass instead of two.
        if score.normalised.view(np.uint64).max() <= MAX_NODE_SCORE:
            continue
        outside = np.flatnonzero((score.normalised < 0) | (score.normalised > MAX_NODE_SCORE))
        if found is None or outside[0] < found[0]:
            found = int(outside[0]), score
    if found is None:
        return None
    place, score = found
    reason = (
        f"returns an invalid score {score.normalised[place]}, "
        f"it should in the range of [0, {MAX_NODE_SCORE}] after normalizing"
    )
    node = names[feasible[place]]
    return replace(CycleError.of(Phase.WEIGHING, score.plugin, reason), node=node)
