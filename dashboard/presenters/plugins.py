"""What of a profile cannot be known from outside, and how many nodes are searched."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dashboard.presenters import wording
from dashboard.presenters.amounts import counted

if TYPE_CHECKING:
    from clusters.engine import Explanation, SchedulerConfiguration


def unknowns(explanation: Explanation, configuration: SchedulerConfiguration) -> list[str]:
    """Say what cannot be known from outside and concerns every pod of this profile."""
    said = []
    if explanation.unknown_plugins:
        names = wording.listed(explanation.unknown_plugins)
        said.append(f"What {names} would say is not computed; the answer here counts it as letting every node pass.")
    if configuration.extenders:
        addresses = wording.listed([extender.url_prefix for extender in configuration.extenders])
        asked = counted(len(configuration.extenders), "extender", "extenders")
        said.append(f"The scheduler also asks {asked} ({addresses}), whose answers cannot be known from outside.")
    return said


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
