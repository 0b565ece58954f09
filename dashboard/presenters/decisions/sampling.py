"""How many nodes the scheduler searches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.wording.amounts import counted

if TYPE_CHECKING:
    from clusters.engine import Explanation


def sampling_sentence(explanation: Explanation) -> str:
    """Say how many nodes the scheduler searches."""
    sampling = explanation.sampling
    if not explanation.node_count:
        return "There are no nodes to look at."
    if sampling.complete:
        return "The scheduler looks at every node."
    return (
        f"Of {counted(sampling.nodes, 'node', 'nodes')} the scheduler stops its search after "
        f"{counted(sampling.wanted, 'feasible one', 'feasible ones')}, beginning where its last search ended, which "
        "cannot be known. This page looks at every node."
    )
