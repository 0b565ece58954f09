"""What is said beside a verdict: how the pod was evaluated, who schedules it, and what the mirror lacks for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext_lazy, ngettext

from clusters.wording.lists import first_of
from clusters.wording.messages import message

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusters.engine import Explanation


NAMES_ITS_NODE: Final = gettext_lazy("spec.nodeName bypasses the scheduler; shown is what it would decide.")
HAS_ENDED: Final = gettext_lazy("The pod has ended; it is evaluated as if it were new.")
AS_OF_NOW: Final = gettext_lazy("Evaluated now, without the pod itself.")
BEING_DELETED: Final = gettext_lazy("The pod is being deleted.")


HAS_ROOM = message("Nominated to %(node)s, which has room now.")
AWAITS_VICTIMS = message("Nominated to %(node)s: waiting for victims to terminate.")
OTHER_SCHEDULER = message("Scheduled by %(scheduler)s, which is not computed.")


def absent_neighbours(pods: Sequence[str]) -> str:
    """Say which pods on missing nodes would count for this pod's spreading or affinity."""
    return ngettext(
        "%(pods)s counts for spreading or affinity, but its node is unknown.",
        "%(pods)s count for spreading or affinity, but their nodes are unknown.",
        len(pods),
    ) % {"pods": first_of(pods)}


def sampled_best(explanation: Explanation) -> str:
    """Say that the scheduler may not have looked at the best of the feasible nodes; empty where it looks at all."""
    sampling, feasible = explanation.sampling, len(explanation.cycle.feasible)
    if sampling.complete or feasible <= sampling.wanted:
        return ""
    return _SAMPLED(wanted=sampling.wanted, feasible=feasible)


_SAMPLED = message(
    "The scheduler stops after %(wanted)s of these %(feasible)s feasible nodes, so it may compare others."
)
