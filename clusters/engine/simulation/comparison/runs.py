"""The comparison of two runs, pods matched by their names."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clusters.engine.configuration import compare_configurations
from clusters.engine.simulation.comparison.parting import Parting, parting_of
from clusters.engine.simulation.comparison.placements import Difference, PlacementChange, differences
from clusters.engine.simulation.comparison.totals import Prices, Totals, totals_of
from clusters.engine.simulation.fragmentation import reference_shapes

if TYPE_CHECKING:
    from clusters.engine.simulation.comparison.finished import Finished

# Of so many pods decisions are computed again to say why they ended elsewhere; what follows from steps is told of all.
MOST_REASONS = 200


@dataclass(frozen=True, slots=True)
class RunComparison:
    """What two runs have in common and what not.

    ``same``: pods that ended on the same node, or on none in either; ``changes``: all others, those first that were
    decided first; ``differences``: why, of each in the same order. ``pending``: pods that are pending after the left
    run only, the right one only, and both. ``parting``: where the runs part, None where they are the same.
    """

    same: int
    changes: tuple[PlacementChange, ...]
    differences: tuple[Difference, ...]
    same_configuration: bool
    parting: Parting | None
    only_left_pending: tuple[str, ...]
    only_right_pending: tuple[str, ...]
    both_pending: int
    left: Totals
    right: Totals


def compare_runs(
    left: Finished, right: Finished, *, most_reasons: int = MOST_REASONS, prices: Prices | None = None
) -> RunComparison:
    """Compare two runs that are over. Reasons cost one more passage through each run and two decisions for each pod."""
    parting = parting_of(left, right)
    changes, same = _changes(left, right)
    shapes = reference_shapes(left.case.snapshot, {**left.wanted, **right.wanted}.values())
    pending = left.pending, right.pending
    return RunComparison(
        same=same,
        changes=changes,
        differences=differences(left, right, changes, parting, most_reasons),
        same_configuration=compare_configurations(left.case.configuration, right.case.configuration).is_empty,
        parting=parting,
        only_left_pending=tuple(sorted(pending[0] - pending[1])),
        only_right_pending=tuple(sorted(pending[1] - pending[0])),
        both_pending=len(pending[0] & pending[1]),
        left=totals_of(left, shapes, prices),
        right=totals_of(right, shapes, prices),
    )


def _changes(left: Finished, right: Finished) -> tuple[tuple[PlacementChange, ...], int]:
    """Pods that ended elsewhere, or that only one of the runs knows, and how many did not."""
    found, same = [], 0
    for key in dict.fromkeys((*left.nodes, *right.nodes, *left.last_steps, *right.last_steps)):
        nodes = left.nodes.get(key, ""), right.nodes.get(key, "")
        change = PlacementChange(key, *nodes, left.last_of(key), right.last_of(key))
        if change.left == change.right:
            same += 1
        else:
            found.append(change)

    def decided(change: PlacementChange) -> tuple[int, str]:
        steps = left.last_steps.get(change.pod), right.last_steps.get(change.pod)
        return min((step.number for step in steps if step is not None), default=-1), change.pod

    return tuple(sorted(found, key=decided)), same
