"""What is said beside a verdict: how the pod was evaluated, who schedules it, and what the mirror lacks for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _, gettext_lazy, ngettext

from clusters.wording.amounts import grouped
from clusters.wording.lists import first_of, listed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusters.engine import Explanation


def finished(*, failed: bool) -> str:
    """Say that a pod that has ended is evaluated as if it were new."""
    if failed:
        return _("The pod has failed and its requests no longer count; it is evaluated as if it were new.")
    return _("The pod has succeeded and its requests no longer count; it is evaluated as if it were new.")


NAMES_ITS_NODE: Final = gettext_lazy(
    "The pod sets spec.nodeName, so it does not pass the scheduler; shown is what the scheduler would decide."
)
AS_OF_NOW: Final = gettext_lazy(
    "Evaluated as of now, without the pod itself; when it was scheduled, the cluster looked different."
)
BEING_DELETED: Final = gettext_lazy("The pod is being deleted.")


def nominated(node: str, *, has_room: bool) -> str:
    """Say whether the node that a pod is nominated for has room for it now."""
    if has_room:
        return _("Nominated to %(node)s, which has room now: the scheduler takes it without looking at the others.") % {
            "node": node
        }
    return _("Nominated to %(node)s: waiting for victims to terminate.") % {"node": node}


def other_scheduler(scheduler: str, node: str) -> str:
    """Say that another scheduler decides; ``node`` is the one that the pod has, if any."""
    if node:
        return _("The pod is on %(node)s, scheduled by %(scheduler)s, which is not computed.") % {
            "node": node,
            "scheduler": scheduler,
        }
    return _("The pod is scheduled by %(scheduler)s, which is not computed.") % {"scheduler": scheduler}


def known_profiles(names: Sequence[str]) -> str:
    """Name the profiles that the configuration has."""
    return ngettext(
        "The configuration of this cluster has the profile %(profiles)s.",
        "The configuration of this cluster has the profiles %(profiles)s.",
        len(names),
    ) % {"profiles": listed(names)}


def absent_neighbours(pods: Sequence[str]) -> str:
    """Say which pods on missing nodes would count for this pod's spreading or affinity."""
    return ngettext(
        "%(pods)s counts for this pod's spreading or affinity, but its node is not known.",
        "%(pods)s count for this pod's spreading or affinity, but their nodes are not known.",
        len(pods),
    ) % {"pods": first_of(pods)}


def sampling_sentence(explanation: Explanation) -> str:
    """Say how many nodes the scheduler searches."""
    sampling = explanation.sampling
    if not explanation.node_count:
        return _("There are no nodes to look at.")
    if sampling.complete:
        return _("The scheduler looks at every node.")
    return ngettext(
        "The scheduler stops its search of %(nodes)s nodes after %(wanted)s feasible node. It starts where its last "
        "search ended, which cannot be known; here every node is evaluated.",
        "The scheduler stops its search of %(nodes)s nodes after %(wanted)s feasible nodes. It starts where its last "
        "search ended, which cannot be known; here every node is evaluated.",
        sampling.wanted,
    ) % {"nodes": grouped(sampling.nodes), "wanted": grouped(sampling.wanted)}


def sampled_best(explanation: Explanation) -> str:
    """Say that the scheduler may not have looked at the best of the feasible nodes; empty where it looks at all."""
    sampling, feasible = explanation.sampling, len(explanation.cycle.feasible)
    if sampling.complete or feasible <= sampling.wanted:
        return ""
    return ngettext(
        "The scheduler stops after %(wanted)s of these %(feasible)s feasible nodes, from an unknown "
        "start, and so may compare others; here all are compared.",
        "The scheduler stops after %(wanted)s of these %(feasible)s feasible nodes, from an unknown "
        "start, and so may compare others; here all are compared.",
        sampling.wanted,
    ) % {"wanted": grouped(sampling.wanted), "feasible": grouped(feasible)}
