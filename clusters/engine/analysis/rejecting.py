"""Who says each rejection that a cycle records."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from clusters.engine.explanation import Explanation

BEFORE_FILTERS: Final = ""


def rejecting_sources(explanation: Explanation) -> list[str]:
    """Return the plugin, or the extender's address, of each of the cycle's rejections.

    ``BEFORE_FILTERS`` stands for PreFilter, of nodes that no filter came to.
    """
    cycle = explanation.cycle
    left_out = ~cycle.considered
    if cycle.nominated_row is not None:
        # It is tried before, whether it is left out or not.
        left_out[cycle.nominated_row] = False
    before = set(cycle.rejected_by[left_out].tolist()) if cycle.stopped_by is None else set()
    return [
        BEFORE_FILTERS if number in before else rejection.plugin for number, rejection in enumerate(cycle.rejections)
    ]
