"""How groups of pods are: their states, their policies, and what helps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _, gettext_lazy, ngettext, pgettext_lazy

from clusters.engine.group_states import GroupPhase, PodGroupState
from clusters.engine.scheduling import GroupAttempt, GroupVerdict
from clusters.wording import states
from clusters.wording.amounts import grouped
from clusters.wording.messages import message, plural

if TYPE_CHECKING:
    from clusters.engine.simulation import NodesForGroup
    from clusters.engine.versions import Release

PHASES: Final = {
    GroupPhase.GATE_OFF: pgettext_lazy("state of a group of pods", "Not read: gate off"),
    GroupPhase.NOT_FOUND: pgettext_lazy("state of a group of pods", "Not found"),
    GroupPhase.WAITING_FOR_PODS: pgettext_lazy("state of a group of pods", "Waiting for pods"),
    GroupPhase.PENDING: states.PENDING,
    GroupPhase.PARTLY_SCHEDULED: pgettext_lazy("state of a group of pods", "Partly scheduled"),
    GroupPhase.SCHEDULED: states.SCHEDULED,
    GroupPhase.EMPTY: pgettext_lazy("state of a group of pods", "No pods"),
}
BASIC: Final = pgettext_lazy("policy of a group of pods", "basic")
POLICY_UNKNOWN: Final = pgettext_lazy("policy of a group of pods", "not known")

CREATE_GROUP: Final = gettext_lazy("Create the group, or remove its name from the pods.")
READ_GROUP: Final = gettext_lazy(
    "Create the group, or remove its name from the pods. If the cluster has it, take the dump with the command below."
)
NAME_GROUP: Final = gettext_lazy("Pods name it in spec.schedulingGroup.podGroupName.")
NAME_WORKLOAD: Final = gettext_lazy("Pods name it in spec.workloadRef.")
SET_GATE: Final = gettext_lazy(
    "Such objects are served only with the gate on: if the scheduler's is on too, set it on the page Scheduler."
)


GANG = message("gang, minCount %(least)s", context="policy of a group of pods")


def policy(state: PodGroupState) -> str:
    """Name the policy of a group."""
    if state.terms is None:
        return str(POLICY_UNKNOWN)
    return GANG(least=state.quorum) if state.is_gang else str(BASIC)


def gate_off(release: Release, gate: str) -> str:
    """Say that kube-scheduler does not read groups, by its gates or because its minor knows none."""
    if not gate:
        return _(
            "kube-scheduler %(minor)s knows no groups of pods: it schedules each pod by itself. They come with 1.35."
        ) % {"minor": release.minor}
    return _(
        "The feature gate %(gate)s counts as off, so kube-scheduler %(minor)s does not schedule groups together: each "
        "pod is scheduled by itself."
    ) % {"gate": gate, "minor": release.minor}


def other_minor(release: Release) -> str:
    """Say that pods of a minor name groups in another way than this one is named."""
    return _(
        "Pods of Kubernetes %(minor)s name groups in another way, so kube-scheduler does not read this group: each pod "
        "is scheduled by itself."
    ) % {"minor": release.minor}


def sentence(state: PodGroupState) -> str:
    """Say how a group that the scheduler reads is, and what follows for its pods."""
    pods = len(state.members)
    match state.phase:
        case GroupPhase.NOT_FOUND:
            return _NOT_FOUND(pods=pods)
        case GroupPhase.WAITING_FOR_PODS:
            return _WAITING_FOR_PODS(pods=pods, least=state.quorum)
        case GroupPhase.EMPTY:
            return _("No pod names this group, so nothing is scheduled by it.")
        case GroupPhase.SCHEDULED:
            return _SCHEDULED(pods=pods)
        case GroupPhase.PARTLY_SCHEDULED:
            return _partly(state) if state.is_gang else _basic(state)
        case _:
            return _pending(state) if state.is_gang else _basic(state)


_NOT_FOUND = plural(
    "%(pods)s pod names this group, and no such object is held: kube-scheduler keeps the pod out of its queue "
    "until the group exists.",
    "%(pods)s pods name this group, and no such object is held: kube-scheduler keeps the pods out of its queue "
    "until the group exists.",
    by="pods",
)
_WAITING_FOR_PODS = plural(
    "Waiting for pods: %(pods)s of %(least)s pod exists. kube-scheduler keeps pending pods of the gang out of its "
    "queue until %(least)s exists.",
    "Waiting for pods: %(pods)s of %(least)s pods exist. kube-scheduler keeps pending pods of the gang out of its "
    "queue until %(least)s exist.",
    by="least",
)
_SCHEDULED = plural("Its %(pods)s pod is scheduled.", "All %(pods)s pods of the group are scheduled.", by="pods")


def _pending(state: PodGroupState) -> str:
    return ngettext(
        "Pending: %(scheduled)s of minCount %(least)s pod is scheduled. kube-scheduler schedules %(least)s pod of the "
        "gang together, or none.",
        "Pending: %(scheduled)s of minCount %(least)s pods are scheduled. kube-scheduler schedules %(least)s pods of "
        "the gang together, or none.",
        state.quorum,
    ) % {"scheduled": grouped(state.scheduled), "least": grouped(state.quorum)}


def _partly(state: PodGroupState) -> str:
    return ngettext(
        "%(scheduled)s of %(pods)s pod is scheduled, enough for minCount %(least)s. The others are pending.",
        "%(scheduled)s of %(pods)s pods are scheduled, enough for minCount %(least)s. The others are pending.",
        len(state.members),
    ) % {"scheduled": grouped(state.scheduled), "pods": grouped(len(state.members)), "least": grouped(state.quorum)}


def _basic(state: PodGroupState) -> str:
    return ngettext(
        "%(scheduled)s of %(pods)s pod is scheduled. The policy is basic: each pod is scheduled when it can be.",
        "%(scheduled)s of %(pods)s pods are scheduled. The policy is basic: each pod is scheduled when it can be.",
        len(state.members),
    ) % {"scheduled": grouped(state.scheduled), "pods": grouped(len(state.members))}


def create_pods(missing: int, controller: str) -> str:
    """Say how many more pods a gang needs, and who makes them, where that is known."""
    if controller:
        return ngettext(
            "Create %(missing)s more pod that names the group (by %(controller)s), or use a smaller minCount.",
            "Create %(missing)s more pods that name the group (by %(controller)s), or use a smaller minCount.",
            missing,
        ) % {"missing": grouped(missing), "controller": controller}
    return ngettext(
        "Create %(missing)s more pod that names the group, or use a smaller minCount.",
        "Create %(missing)s more pods that name the group, or use a smaller minCount.",
        missing,
    ) % {"missing": grouped(missing)}


def attempt_sentence(attempt: GroupAttempt) -> str:
    """Say what the next attempt to schedule a group comes to; empty where its verdict says nothing of itself."""
    match attempt.verdict:
        case GroupVerdict.SCHEDULED if attempt.least is not None:
            return _SCHEDULABLE(found=attempt.found, least=attempt.least)
        case GroupVerdict.UNSCHEDULABLE if attempt.found < (attempt.least or 1):
            return _UNSCHEDULABLE(found=attempt.found, least=attempt.least or 1)
        case GroupVerdict.PREEMPTS:
            return _PREEMPTS(victims=len(attempt.victims))
        case GroupVerdict.WAITS_ON_PERMIT:
            return _WAITS_ON_PERMIT(found=attempt.found, least=attempt.least or 1)
        case GroupVerdict.GATED:
            return _("%(pod)s is kept out of the queue, and with it the whole group.") % {"pod": attempt.held_back}
        case GroupVerdict.ERROR:
            return _("SchedulerError: every attempt to schedule the group ends with an error.")
        case _:
            return ""


_SCHEDULABLE = plural(
    "Schedulable, in the queue: %(found)s pod has or finds a node, and minCount is %(least)s.",
    "Schedulable, in the queue: %(found)s pods have or find a node, and minCount is %(least)s.",
    by="found",
)
_PREEMPTS = plural(
    "Fits by preemption: the group is scheduled as a whole once %(victims)s pod is removed.",
    "Fits by preemption: the group is scheduled as a whole once %(victims)s pods are removed.",
    by="victims",
)
_UNSCHEDULABLE = plural(
    "%(found)s of minCount %(least)s pod has or finds a node, so no pending pod of the group gets one.",
    "%(found)s of minCount %(least)s pods have or find a node, so no pending pod of the group gets one.",
    by="least",
)
_WAITS_ON_PERMIT = plural(
    "Unschedulable for now: %(found)s of minCount %(least)s pod has or finds a node. A pod that finds one waits "
    "there at Permit, and gives it up when no other comes within five minutes.",
    "Unschedulable for now: %(found)s of minCount %(least)s pods have or find a node. Those that find one wait "
    "there at Permit, and give it up when the others do not come within five minutes.",
    by="least",
)
UNCERTAIN = message("Uncertain: what the next attempt for the group comes to is not computed (%(reference)s says why).")
REFUSED = plural(
    "%(pods)s of %(pending)s pending pod finds no node: %(cause)s.",
    "%(pods)s of %(pending)s pending pods find no node: %(cause)s.",
    by="pending",
)


def add_nodes(nodes: NodesForGroup) -> str:
    """Say how many nodes have to be added so that a group is scheduled, and how many of its pods they let in."""
    named = {
        "nodes": grouped(nodes.nodes),
        "like": nodes.like,
        "pool": nodes.pool,
        "gained": grouped(nodes.gained),
        "found": grouped(nodes.found),
    }
    if nodes.pool:
        return (
            ngettext(
                "Add %(nodes)s more node like %(like)s (pool %(pool)s). The group is then scheduled: %(found)s pods "
                "have or find a node, %(gained)s more than now.",
                "Add %(nodes)s more nodes like %(like)s (pool %(pool)s). The group is then scheduled: %(found)s pods "
                "have or find a node, %(gained)s more than now.",
                nodes.nodes,
            )
            % named
        )
    return (
        ngettext(
            "Add %(nodes)s more node like %(like)s. The group is then scheduled: %(found)s pods have or find a node, "
            "%(gained)s more than now.",
            "Add %(nodes)s more nodes like %(like)s. The group is then scheduled: %(found)s pods have or find a node, "
            "%(gained)s more than now.",
            nodes.nodes,
        )
        % named
    )
