"""Groups of pods in words: their states, and what a group waits for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext_lazy, pgettext_lazy

from clusters.engine.batch_groups import AnyGroupState, BatchGroupState
from clusters.engine.group_states import GroupPhase
from clusters.engine.scheduling import GroupAttempt, GroupVerdict
from clusters.wording import batch_groups, states
from clusters.wording.messages import message, plural
from clusters.wording.pending import cause_name

if TYPE_CHECKING:
    from clusters.engine.analysis import Cause
    from clusters.engine.simulation import NodesForGroup
    from clusters.engine.versions import Release


# -- How groups of pods are -------------------------------------------------------------------------------------------


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
GANG = message("gang, minCount %(least)s", context="policy of a group of pods")

CREATE_GROUP: Final = gettext_lazy("Create the group, or remove its name from the pods.")
READ_GROUP: Final = gettext_lazy("Create the group, remove its name from the pods, or read it with this command.")
NAME_GROUP: Final = gettext_lazy("Pods name it in spec.schedulingGroup.podGroupName.")
NAME_WORKLOAD: Final = gettext_lazy("Pods name it in spec.workloadRef.")
SET_GATE: Final = gettext_lazy("If the scheduler's gate is on, set it on the page Scheduler.")
SEE_GROUP: Final = gettext_lazy("See the page of the group.")
LABEL: Final = pgettext_lazy("label of a filter", "Pod group")
# Whose scheduling.k8s.io is.
KUBERNETES: Final = "Kubernetes"

_NO_GROUPS = message("kube-scheduler %(minor)s knows no pod groups (from 1.35).")
_GATE_OFF = message("The feature gate %(gate)s counts as off: kube-scheduler %(minor)s schedules each pod by itself.")
OTHER_MINOR = message("Kubernetes %(minor)s names groups in another way: each pod is scheduled by itself.")
_EMPTY = message("No pod names this group.")
_NOT_FOUND = plural(
    "%(pods)s pod names this group and stays out of the queue until it exists.",
    "%(pods)s pods name this group and stay out of the queue until it exists.",
    by="pods",
)
_WAITING_FOR_PODS = plural(
    "%(pods)s of %(least)s pod exists; pending ones stay out of the queue until it does.",
    "%(pods)s of %(least)s pods exist; pending ones stay out of the queue until all do.",
    by="least",
)
_SCHEDULED = plural("Its %(pods)s pod is scheduled.", "All %(pods)s pods are scheduled.", by="pods")
_PENDING = plural(
    "%(scheduled)s of minCount %(least)s pod is scheduled.",
    "%(scheduled)s of minCount %(least)s pods are scheduled; the gang is scheduled together, or not at all.",
    by="least",
)
_PARTLY = plural(
    "%(scheduled)s of %(pods)s pod is scheduled (minCount %(least)s).",
    "%(scheduled)s of %(pods)s pods are scheduled (minCount %(least)s).",
    by="pods",
)
_BASIC = plural(
    "%(scheduled)s of %(pods)s pod is scheduled, each by itself.",
    "%(scheduled)s of %(pods)s pods are scheduled, each by itself.",
    by="pods",
)
_CREATE = plural(
    "Create %(missing)s more pod of the group, or use a smaller minCount.",
    "Create %(missing)s more pods of the group, or use a smaller minCount.",
    by="missing",
)
_CREATE_BY = plural(
    "Create %(missing)s more pod of the group (by %(controller)s), or use a smaller minCount.",
    "Create %(missing)s more pods of the group (by %(controller)s), or use a smaller minCount.",
    by="missing",
)
_SCHEDULABLE = plural(
    "Schedulable, in the queue: %(found)s pod has or finds a node, minCount %(least)s.",
    "Schedulable, in the queue: %(found)s pods have or find a node, minCount %(least)s.",
    by="found",
)
_PREEMPTS = plural(
    "Fits by preemption: scheduled once %(victims)s pod is removed.",
    "Fits by preemption: scheduled once %(victims)s pods are removed.",
    by="victims",
)
_AWAITS_VICTIMS = message("Nominated: waiting for victims to terminate.")
_UNSCHEDULABLE = plural(
    "%(found)s of minCount %(least)s pod has or finds a node, so no pending one is scheduled.",
    "%(found)s of minCount %(least)s pods have or find a node, so no pending one is scheduled.",
    by="least",
)
_WAITS_ON_PERMIT = plural(
    "%(found)s of minCount %(least)s pod has or finds a node. Those that find one wait at Permit for five minutes.",
    "%(found)s of minCount %(least)s pods have or find a node. Those that find one wait at Permit for five minutes.",
    by="least",
)
_HELD_BACK = message("%(refused)s keeps the group out of the queue.")
_ERROR = message("Every attempt for the group ends in a SchedulerError.")
UNCERTAIN = message("Uncertain: the next attempt for the group is not computed (%(reference)s).")
_OF_POOL = message("%(like)s (pool %(pool)s)")
_ADD_NODES = plural(
    "Add %(nodes)s more node like %(like)s: %(found)s pods then have or find a node, %(gained)s more than now.",
    "Add %(nodes)s more nodes like %(like)s: %(found)s pods then have or find a node, %(gained)s more than now.",
    by="nodes",
)
_CAUSE_NOT_FOUND = message("pod group %(group)s not found")
_CAUSE_GANG = message("gang %(group)s not scheduled as a whole")
_CAUSE_WAITING = plural(
    "waiting for the gang %(group)s, %(pods)s of %(least)s pod exists",
    "waiting for the gang %(group)s, %(pods)s of %(least)s pods exist",
    by="least",
)


def policy(state: AnyGroupState) -> str:
    """Name the policy of a group; empty where another system schedules no gang of its pods."""
    if isinstance(state, BatchGroupState):
        return str(GANG_CHOICE) if state.is_gang else ""
    if state.terms is None:
        return str(POLICY_UNKNOWN)
    return GANG(least=state.quorum) if state.is_gang else str(BASIC)


def gate_off(release: Release, gate: str) -> str:
    """Say that kube-scheduler does not read groups, by its gates or because its minor knows none."""
    return _GATE_OFF(gate=gate, minor=release.minor) if gate else _NO_GROUPS(minor=release.minor)


def name(state: AnyGroupState) -> str:
    """Name a group without its namespace; one of another system with that."""
    return batch_groups.name(state) if isinstance(state, BatchGroupState) else str(state.key).partition("/")[2]


def system(state: AnyGroupState) -> str:
    """Name the system whose group it is."""
    return state.system.name if isinstance(state, BatchGroupState) else KUBERNETES


def sentence(state: AnyGroupState) -> str:
    """Say how a group that the scheduler reads is, and what follows for its pods; or how many pods another has."""
    if isinstance(state, BatchGroupState):
        return batch_groups.sentence(state)
    pods = len(state.members)
    match state.phase:
        case GroupPhase.NOT_FOUND:
            return _NOT_FOUND(pods=pods)
        case GroupPhase.WAITING_FOR_PODS:
            return _WAITING_FOR_PODS(pods=pods, least=state.quorum)
        case GroupPhase.EMPTY:
            return _EMPTY()
        case GroupPhase.SCHEDULED:
            return _SCHEDULED(pods=pods)
        case _ if not state.is_gang:
            return _BASIC(scheduled=state.scheduled, pods=pods)
        case GroupPhase.PARTLY_SCHEDULED:
            return _PARTLY(scheduled=state.scheduled, pods=pods, least=state.quorum)
        case _:
            return _PENDING(scheduled=state.scheduled, least=state.quorum)


def create_pods(missing: int, controller: str) -> str:
    """Say how many more pods a gang needs, and who makes them, where that is known."""
    return _CREATE_BY(missing=missing, controller=controller) if controller else _CREATE(missing=missing)


def attempt_sentence(attempt: GroupAttempt) -> str:
    """Say what the next attempt to schedule a group comes to; empty where its verdict says nothing of itself."""
    match attempt.verdict:
        case GroupVerdict.SCHEDULED if attempt.least is not None:
            return _SCHEDULABLE(found=attempt.found, least=attempt.least)
        case GroupVerdict.UNSCHEDULABLE if attempt.found < (attempt.least or 1):
            return _UNSCHEDULABLE(found=attempt.found, least=attempt.least or 1)
        case GroupVerdict.PREEMPTS:
            return _PREEMPTS(victims=len(attempt.victims)) if attempt.victims else _AWAITS_VICTIMS()
        case GroupVerdict.WAITS_ON_PERMIT:
            return _WAITS_ON_PERMIT(found=attempt.found, least=attempt.least or 1)
        case GroupVerdict.GATED:
            return _HELD_BACK(refused=attempt.held_back)
        case GroupVerdict.ERROR:
            return _ERROR()
        case _:
            return ""


def add_nodes(nodes: NodesForGroup) -> str:
    """Say how many nodes have to be added so that a group is scheduled, and how many of its pods they let in."""
    like = _OF_POOL(like=nodes.like, pool=nodes.pool) if nodes.pool else nodes.like
    return _ADD_NODES(nodes=nodes.nodes, like=like, found=nodes.found, gained=nodes.gained)


def cause_in_group(cause: Cause, state: AnyGroupState | None) -> str:
    """Name what keeps pods pending, as `cause_name` does; ``state`` is that of the group that it lies in."""
    if state is None:
        return cause_name(cause)
    if isinstance(state, BatchGroupState):
        return batch_groups.cause(state, cause_name(cause))
    group = str(state.key)
    if state.phase is GroupPhase.NOT_FOUND:
        return _CAUSE_NOT_FOUND(group=group)
    if state.phase is GroupPhase.WAITING_FOR_PODS:
        return _CAUSE_WAITING(group=group, pods=len(state.members), least=state.quorum)
    return _CAUSE_GANG(group=group)


# -- What the pages of groups of pods say -----------------------------------------------------------------------------


SEARCH_HINT: Final = gettext_lazy("Part of a group's or pod's name")
POLICY_LABEL: Final = pgettext_lazy("label of a filter", "Policy")
GANG_CHOICE: Final = pgettext_lazy("policy of a group of pods", "gang")

# The picture.
TITLE: Final = gettext_lazy("Pods of the group")
SCHEDULED: Final = states.SCHEDULED
FINDING: Final = pgettext_lazy("part of a picture", "Pending, finds a node")
NOMINATED: Final = pgettext_lazy("part of a picture", "Pending, once pods are removed")
REFUSED_PART: Final = pgettext_lazy("part of a picture", "Pending, finds no node")
PENDING: Final = pgettext_lazy("part of a picture", "Pending, not tried")
MISSING: Final = states.NOT_CREATED

LINE = message("minCount: %(least)s", context="line in a picture")
SUMMARY = message("%(scheduled)s scheduled, %(pending)s pending, %(missing)s not created.")

# The map of its nodes.
TAKES: Final = pgettext_lazy("nodes of a map", "take pods of the group")
MAKES_ROOM: Final = pgettext_lazy("nodes of a map", "make room: pods are removed")
FOUND_ON: Final = pgettext_lazy("nodes of a map", "found, group not scheduled")
RUNS: Final = pgettext_lazy("nodes of a map", "run pods of the group")
NONE_THERE: Final = pgettext_lazy("nodes of a map", "no pod of the group")

DOMAIN = message("%(domain)s: %(found)s of %(wanted)s", context="topology domain in a map")
MORE_DOMAINS = plural("%(domains)s more domain is not drawn.", "%(domains)s more domains are not drawn.", by="domains")
REMOVED = message("Removed: %(pods)s.")
COME = message("Pods of the group: %(pods)s.")
