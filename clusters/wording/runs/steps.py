"""What happens in one step of a simulation, and the cluster after it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from clusters.wording import states
from clusters.wording.amounts import grouped
from clusters.wording.counts import pending_pods
from clusters.wording.lists import first_of, listed
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


def no_attempt(number: int) -> str:
    """Say that no pod was attempted in a step, as people count."""
    return _("Step %(number)s is not an attempt to schedule a pod.") % {"number": grouped(number)}


def tie(nodes: int) -> str:
    """Say how one of the nodes with the same score was chosen."""
    return _("%(nodes)s nodes have this score; the order of the search decides, until 1.34 the seed.") % {
        "nodes": grouped(nodes)
    }


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


def claim_refused(pod: str) -> str:
    """Say that a pod would get a node, and that a quota refuses the claim that comes with it."""
    return _("%(pod)s is not bound to a node: a quota refuses the ResourceClaim that the scheduler makes for it.") % {
        "pod": pod
    }


def nominated(node: str) -> str:
    """Say to which node preemption nominates a pod."""
    return _("Preemption nominates it to %(node)s.") % {"node": node}


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


def not_placed(pod: str) -> str:
    """Say that a pod is not placed, before what could not be computed is told."""
    return _("%(pod)s is not placed.") % {"pod": pod}


def forbidden(pod: str) -> str:
    """Say that the API server refuses a pod, which does not come to be."""
    return _("%(pod)s is not created: the API server refuses it.") % {"pod": pod}


def not_created_yet(pod: str) -> str:
    """Say that a pod is not created, before it is told for which other one its StatefulSet waits."""
    return _("%(pod)s is not created.") % {"pod": pod}


def preempted(*, pod: str, node: str, preemptor: str) -> str:
    """Say for which pod a pod is preempted."""
    return _("%(pod)s is preempted on %(node)s by %(preemptor)s.") % {"pod": pod, "node": node, "preemptor": preemptor}


def evicted(*, pod: str, node: str) -> str:
    """Say from which node a pod is evicted."""
    return _("%(pod)s is evicted from %(node)s.") % {"pod": pod, "node": node}


def evicted_by_taint(*, pod: str, node: str, taint: str) -> str:
    """Say which taint evicts a pod."""
    return _("%(pod)s is evicted from %(node)s by the taint %(taint)s.") % {"pod": pod, "node": node, "taint": taint}


def evicted_by_drain(*, pod: str, node: str, drained: str) -> str:
    """Say for which drain a pod is evicted."""
    return _("%(pod)s is evicted from %(node)s for the drain of %(drained)s.") % {
        "pod": pod,
        "node": node,
        "drained": drained,
    }


def evicted_for_pod(*, pod: str, node: str, other: str) -> str:
    """Say for which other pod a pod moves to another node."""
    return _("%(pod)s is moved from %(node)s to make room for %(other)s.") % {"pod": pod, "node": node, "other": other}


def moved(*, pod: str, node: str, points: int, cost: int) -> str:
    """Say how many points a pod has on the node that it leaves for a better one, and how many more a move costs."""
    return ngettext(
        "%(pod)s is moved from %(node)s, where it has %(points)s point, to a node where it has over %(cost)s more.",
        "%(pod)s is moved from %(node)s, where it has %(points)s points, to a node where it has over %(cost)s more.",
        points,
    ) % {"pod": pod, "node": node, "points": grouped(points), "cost": grouped(cost)}


def refused(*, pod: str, node: str) -> str:
    """Say that a budget refuses an eviction."""
    return _("The eviction of %(pod)s from %(node)s is refused.") % {"pod": pod, "node": node}


def held(*, pod: str, node: str) -> str:
    """Say which pod keeps a drain from beginning."""
    return _("The drain of %(node)s does not begin without --force: nothing controls %(pod)s.") % {
        "pod": pod,
        "node": node,
    }


def deleted(*, pod: str, node: str) -> str:
    """Say that a pod is deleted because its Job failed; ``node`` is empty where it had none."""
    if not node:
        return _("%(pod)s is deleted, as its Job has failed.") % {"pod": pod}
    return _("%(pod)s is deleted from %(node)s, as its Job has failed.") % {"pod": pod, "node": node}


def terminates(seconds: int) -> str:
    """Say for how long a pod that has to go still takes up its room."""
    return _("It terminates for %(seconds)s s.") % {"seconds": grouped(seconds)}


def terminated(*, pod: str, node: str) -> str:
    """Say that a pod whose grace period is over is gone."""
    return _("%(pod)s has terminated and is gone from %(node)s.") % {"pod": pod, "node": node}


def completed(*, pod: str, node: str) -> str:
    """Say that a pod of a trace has run its time; ``node`` is empty where it was never placed."""
    if not node:
        return _("%(pod)s is removed at the end of its time, without having been placed.") % {"pod": pod}
    return _("%(pod)s has run its time and is removed from %(node)s.") % {"pod": pod, "node": node}


def kept_for_nominated(*, node: str, pods: Sequence[str]) -> str:
    """Say for which nominated pods the capacity of a node counts as used."""
    return _("Capacity on %(node)s counts as used for the nominated %(pods)s.") % {"node": node, "pods": first_of(pods)}


def kept_on_more(nodes: int) -> str:
    """Count the other nodes whose capacity counts as used for nominated pods."""
    return ngettext("The same holds on %(nodes)s more node.", "The same holds on %(nodes)s more nodes.", nodes) % {
        "nodes": grouped(nodes)
    }


def searched(*, nodes: int, feasible: int) -> str:
    """Say how many nodes a decision looked at, and how many are feasible."""
    return ngettext(
        "The search looked at %(nodes)s node; %(feasible)s feasible.",
        "The search looked at %(nodes)s nodes; %(feasible)s feasible.",
        nodes,
    ) % {"nodes": grouped(nodes), "feasible": grouped(feasible)}


def pending_title(pods: int) -> str:
    """Head the list of pods that are pending after a step."""
    return pending_pods(pods) if pods else str(NOTHING_PENDING)
