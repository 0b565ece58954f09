"""What becomes of a group of pods at the next attempt, and what keeps its pods pending."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

from clusters.engine import UnknownScheduler
from clusters.engine.failure import Failure
from clusters.engine.group_attempt import GroupVerdict
from clusters.engine.group_cycle import attempt_group
from clusters.engine.objects import Pod
from clusters.engine.podgroups.states import GroupPhase
from clusters.engine.simulation.group_nodes import nodes_for_group
from clusters.services.decisions.failures import attempted
from clusters.services.mirror.configurations import configuration_of
from clusters.services.pending.more_nodes import more_nodes_of
from clusters.services.pending.needs import Needs
from clusters.services.pending.pods import findings_of, grouped_by_cause, pending_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusters.engine import Profile, SchedulerConfiguration, Snapshot
    from clusters.engine.group_attempt import GroupAttempt
    from clusters.engine.podgroups.states import PodGroupState
    from clusters.engine.simulation.group_nodes import NodesForGroup
    from clusters.engine.simulation.one_more import MoreNodes, OneMoreNode
    from clusters.models import Cluster
    from clusters.services.mirror.pod_groups import ClusterPodGroups
    from clusters.services.pending.pods import CauseGroup, WaitingPod

# Of so many different refusals it is looked for what would help.
MOST_REFUSALS: Final = 5
# After these more nodes may help.
_LACKING: Final = frozenset({GroupVerdict.UNSCHEDULABLE, GroupVerdict.WAITS_ON_PERMIT})
# Their pods do not enter the queue, whatever else holds of them.
_NOT_TRIED: Final = frozenset({GroupPhase.GATE_OFF, GroupPhase.NOT_FOUND, GroupPhase.WAITING_FOR_PODS})


class PodGroupOutlook(NamedTuple):
    """What the next attempt to schedule a group comes to, and what keeps its pods pending, most pods first.

    ``attempt``: None where no pod of the group would be tried, or what comes of it could not be computed. ``nodes``:
    the fewest more nodes that let a group in which the attempt refuses; None where that is not found.
    """

    attempt: GroupAttempt | None
    causes: tuple[CauseGroup, ...]
    nodes: NodesForGroup | None = None


def outlook_of(*, cluster: Cluster, found: ClusterPodGroups, state: PodGroupState) -> PodGroupOutlook:
    """Return what becomes of a group's pending pods.

    Of pods that find no node in the attempt the cause is what keeps them from one at their turn; of the others it is
    that of the list of pending pods. Raises ConfigurationError and ChangingTooFastError.
    """
    if not state.pending:
        return PodGroupOutlook(None, ())
    configuration, more = configuration_of(cluster), more_nodes_of(cluster=cluster, snapshot=found.snapshot)
    tried = None if state.phase in _NOT_TRIED else _attempt(found.snapshot, state, configuration)
    attempt = tried.attempt if tried else None
    listed = pending_of(cluster=cluster).groups.values()
    pods = [pod for group in listed for pod in group.pods if pod.key in state.members]
    if attempt is not None:
        firsts = {each.refusal: each.pod for each in reversed(attempt.refused)}
        some = list(firsts.items())[-MOST_REFUSALS:]
        documents = [state.members[pod].document for _, pod in some]
        findings = findings_of(found.snapshot, configuration, documents, more, Needs(cluster))
        by_refusal = dict(zip((refusal for refusal, _ in some), findings, strict=True))
        own = {each.pod: by_refusal[each.refusal] for each in attempt.refused if each.refusal in by_refusal}
        pods = [replace(pod, finding=own.get(pod.key, pod.finding)) for pod in pods]

    def placed(node: OneMoreNode, pods: Sequence[WaitingPod]) -> frozenset[str]:
        return more.freed(node, [state.members[pod.key].document for pod in pods], configuration)

    causes = sorted(grouped_by_cause(pods, placed), key=lambda group: -len(group.pods))
    nodes = _nodes(tried, more) if tried and not configuration.extenders else None
    return PodGroupOutlook(attempt, tuple(causes), nodes)


class _Tried(NamedTuple):
    """An attempt for a group, and the pod that it is about with its profile."""

    attempt: GroupAttempt
    pod: Pod
    profile: Profile


def _nodes(tried: _Tried, more: MoreNodes) -> NodesForGroup | None:
    """Return the fewest nodes that let a group in; an extender would have to be asked about them."""
    if tried.attempt.verdict not in _LACKING or tried.attempt.is_open:
        return None
    answer = attempted(tried.pod.key, partial(nodes_for_group, more, tried.pod, tried.profile, tried.attempt))
    return None if isinstance(answer, Failure) else answer


def _attempt(snapshot: Snapshot, state: PodGroupState, configuration: SchedulerConfiguration) -> _Tried | None:
    """Try the group of the first pod that would be tried."""
    for key, member in state.members.items():
        if member.node:
            continue
        try:
            profile = configuration.profile_for(member.document)
        except UnknownScheduler:
            continue
        pod = Pod(member.document)
        answer = attempted(key, partial(attempt_group, snapshot, pod, profile))
        if answer is not None:
            return None if isinstance(answer, Failure) else _Tried(answer, pod, profile)
    return None
