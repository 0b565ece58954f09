"""What happens in one step of a simulation, and the cluster after it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _, gettext_lazy, ngettext, pgettext_lazy

from clusters.wording import states
from clusters.wording.amounts import grouped
from clusters.wording.counts import pending_pods
from clusters.wording.lists import first_of, listed
from clusters.wording.messages import message, plural
from clusters.wording.problems import problem_sentence

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusters.engine.simulation import Step

PLACED: Final = pgettext_lazy("outcome of a step", "placed")
PLACED_UNCERTAIN: Final = pgettext_lazy("outcome of a step", "placed, uncertain")
UNSCHEDULABLE: Final = states.STEP_UNSCHEDULABLE
GATED: Final = states.GATED
NOT_COMPUTED: Final = pgettext_lazy("outcome of a step", "could not be computed")
FORBIDDEN: Final = pgettext_lazy("outcome of a step", "not created")
PREEMPTED: Final = pgettext_lazy("outcome of a step", "preempted")
EVICTED: Final = pgettext_lazy("outcome of a step", "evicted")
REFUSED: Final = pgettext_lazy("outcome of a step", "eviction refused by a budget")
DELETED: Final = pgettext_lazy("outcome of a step", "deleted")
TERMINATED: Final = pgettext_lazy("outcome of a step", "terminated")
COMPLETED: Final = pgettext_lazy("outcome of a step", "completed")

NOTHING_PENDING: Final = gettext_lazy("No pod is pending")


def message_of(step: Step) -> str:
    """Quote the message that a step has, or say its problem; empty where it has neither."""
    return step.message if step.problem is None else problem_sentence(step.problem)


def placed(*, pod: str, node: str, feasible: int, points: int | None) -> str:
    """Say where a pod is placed, and of how many feasible nodes that is the best."""
    values = {"pod": pod, "node": node}
    if not feasible:
        return _("%(pod)s is placed on %(node)s.") % values
    if feasible == 1:
        return _("%(pod)s is placed on %(node)s, the only feasible node.") % values
    if points is None:
        return _("%(pod)s is placed on %(node)s, the best of %(feasible)s feasible nodes.") % {
            "pod": pod,
            "node": node,
            "feasible": grouped(feasible),
        }
    return ngettext(
        "%(pod)s is placed on %(node)s with %(points)s point, the best of %(feasible)s feasible nodes.",
        "%(pod)s is placed on %(node)s with %(points)s points, the best of %(feasible)s feasible nodes.",
        points,
    ) % {"pod": pod, "node": node, "points": grouped(points), "feasible": grouped(feasible)}


NO_ATTEMPT = message("Step %(number)s is not an attempt to schedule a pod.")
TIE = message("%(nodes)s nodes have this score; the order of the search decides (until 1.34 the seed).")


def unschedulable(*, pod: str, nodes: int, plugins: Sequence[str]) -> str:
    """Say that no node is feasible for a pod, and which plugins reject it."""
    values = {"pod": pod, "nodes": grouped(nodes), "plugins": listed(plugins)}
    if not plugins:
        return ngettext(
            "%(pod)s is unschedulable: it does not fit on the %(nodes)s node.",
            "%(pod)s is unschedulable: it fits on none of %(nodes)s nodes.",
            nodes,
        ) % {"pod": pod, "nodes": grouped(nodes)}
    return (
        ngettext(
            "%(pod)s is unschedulable: it does not fit on the %(nodes)s node. Rejected by %(plugins)s.",
            "%(pod)s is unschedulable: it fits on none of %(nodes)s nodes. Rejected by %(plugins)s.",
            nodes,
        )
        % values
    )


CLAIM_REFUSED = message(
    "%(pod)s is not bound to a node: a quota refuses the ResourceClaim that the scheduler makes for it."
)
NOMINATED = message("Preemption nominates it to %(node)s.")


def nominated_and_waits(*, node: str, seconds: int, victims: int) -> str:
    """Say to which node preemption nominates a pod, and how many seconds it waits at most for its victims."""
    values = {"node": node, "seconds": grouped(seconds), "victims": grouped(victims)}
    if not seconds:
        return (
            ngettext(
                "Preemption nominates it to %(node)s; its %(victims)s victim terminates at once.",
                "Preemption nominates it to %(node)s; its %(victims)s victims terminate at once.",
                victims,
            )
            % values
        )
    return (
        ngettext(
            "Preemption nominates it to %(node)s, where it waits up to %(seconds)s s for %(victims)s victim to "
            "terminate.",
            "Preemption nominates it to %(node)s, where it waits up to %(seconds)s s for %(victims)s victims to "
            "terminate.",
            victims,
        )
        % values
    )


def gated(pod: str) -> str:
    """Say that gates keep a pod from being scheduled."""
    return _("%(pod)s is not scheduled: it has scheduling gates.") % {"pod": pod}


NOT_PLACED = message("%(pod)s is not placed.")


def forbidden(pod: str) -> str:
    """Say that the API server refuses a pod, which does not come to be."""
    return _("%(pod)s is not created: the API server refuses it.") % {"pod": pod}


NOT_CREATED_YET = message("%(pod)s is not created.")


def preempted(*, pod: str, node: str, preemptor: str) -> str:
    """Say for which pod a pod is preempted."""
    return _("%(pod)s is preempted on %(node)s by %(preemptor)s.") % {"pod": pod, "node": node, "preemptor": preemptor}


def evicted(*, pod: str, node: str) -> str:
    """Say from which node a pod is evicted."""
    return _("%(pod)s is evicted from %(node)s.") % {"pod": pod, "node": node}


EVICTED_BY_TAINT = message("%(pod)s is evicted from %(node)s by the taint %(taint)s.")
EVICTED_BY_DRAIN = message("%(pod)s is evicted from %(node)s for the drain of %(drained)s.")
EVICTED_FOR_POD = message("%(pod)s is moved from %(node)s to make room for %(other)s.")
MOVED = plural(
    "%(pod)s is moved from %(node)s, where it has %(points)s point, to a node where it has over %(cost)s more.",
    "%(pod)s is moved from %(node)s, where it has %(points)s points, to a node where it has over %(cost)s more.",
    by="points",
)


def refused(*, pod: str, node: str) -> str:
    """Say that a budget refuses an eviction."""
    return _("The eviction of %(pod)s from %(node)s is refused.") % {"pod": pod, "node": node}


HELD = message("The drain of %(node)s does not begin without --force: nothing controls %(pod)s.")


def deleted(*, pod: str, node: str) -> str:
    """Say that a pod is deleted because its Job failed; ``node`` is empty where it had none."""
    if not node:
        return _("%(pod)s is deleted, as its Job has failed.") % {"pod": pod}
    return _("%(pod)s is deleted from %(node)s, as its Job has failed.") % {"pod": pod, "node": node}


TERMINATES = message("It terminates for %(seconds)s s.")


def terminated(*, pod: str, node: str) -> str:
    """Say that a pod whose grace period is over is gone."""
    return _("%(pod)s has terminated and is gone from %(node)s.") % {"pod": pod, "node": node}


def completed(*, pod: str, node: str) -> str:
    """Say that a pod of a trace has run its time; ``node`` is empty where it was never placed."""
    if not node:
        return _("%(pod)s is removed at the end of its time, never placed.") % {"pod": pod}
    return _("%(pod)s has run its time and is removed from %(node)s.") % {"pod": pod, "node": node}


def kept_for_nominated(*, node: str, pods: Sequence[str]) -> str:
    """Say for which nominated pods the capacity of a node counts as used."""
    return _("Capacity on %(node)s counts as used for the nominated %(pods)s.") % {"node": node, "pods": first_of(pods)}


KEPT_ON_MORE = plural("The same holds on %(nodes)s more node.", "The same holds on %(nodes)s more nodes.", by="nodes")
SEARCHED = plural(
    "The search looked at %(nodes)s node; %(feasible)s feasible.",
    "The search looked at %(nodes)s nodes; %(feasible)s feasible.",
    by="nodes",
)


def pending_title(pods: int) -> str:
    """Head the list of pods that are pending after a step."""
    return pending_pods(pods) if pods else str(NOTHING_PENDING)
