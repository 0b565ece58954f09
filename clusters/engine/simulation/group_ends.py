"""How groups of pods end in a simulation: how many of their pods have a node, and what keeps the others from one."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from clusters.engine.configuration import UnknownScheduler
from clusters.engine.failure import Failure, attempt
from clusters.engine.group_attempt import GroupVerdict
from clusters.engine.group_cycle import attempt_group
from clusters.engine.objects import Pod
from clusters.engine.placements import domain_of
from clusters.engine.podgroups.held import held_groups
from clusters.engine.podgroups.reference import group_key_of
from clusters.engine.podgroups.states import schedules_groups
from clusters.engine.versions import Gate

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from clusters.engine.configuration import SchedulerConfiguration
    from clusters.engine.group_attempt import GroupAttempt
    from clusters.engine.objects import Document
    from clusters.engine.podgroups.members import GroupMember
    from clusters.engine.podgroups.objects import GroupTerms
    from clusters.engine.podgroups.reference import PodGroupKey
    from clusters.engine.snapshot import Snapshot

# Each that is tried costs a cycle for each of its pending pods.
MOST_TRIED: Final = 100


class GroupEnd(StrEnum):
    """How a group ends."""

    PLACED = "placed"
    """Every pod of it has a node."""
    PARTLY_PLACED = "partly-placed"
    """As many pods as it needs have a node, and others are pending."""
    TOO_FEW_PODS = "too-few-pods"
    NOT_FOUND = "not-found"
    TOO_FEW_NODES = "too-few-nodes"
    """Too few of its pods find a node."""
    NO_DOMAIN = "no-domain"
    """No topology domain takes as many pods as it needs."""
    SEVERAL_DOMAINS = "several-domains"
    """Its pods have nodes in several domains of the topology that it names, which kube-scheduler does not do."""
    PREEMPTION = "preemption"
    """It is placed once pods of lower priority are removed, which a simulation does not do for a group."""
    GATED = "gated"
    ERROR = "error"
    UNCERTAIN = "uncertain"


@dataclass(frozen=True, slots=True)
class GroupResult:
    """One group of pods at the end of a simulation.

    ``least``: how many pods have to be scheduled together; None with the basic policy. Of ``pods`` that exist so many
    are ``placed``, and so many are ``found`` to have a node or find one at another attempt. ``refused``: the first
    pod, as ``namespace/name``, that finds none, or is kept out of the queue; ``message`` is kube-scheduler's about it
    or about the group. ``victims``: how many pods are removed for it. ``topology``: the label of nodes whose value all
    its pods share, and ``domain`` that value, where pods of it have a node.
    """

    group: str
    least: int | None
    pods: int
    placed: int
    end: GroupEnd
    found: int = 0
    refused: str = ""
    message: str = ""
    victims: int = 0
    topology: str = ""
    domain: str = ""


def groups_named(documents: Iterable[Document], snapshot: Snapshot) -> tuple[PodGroupKey, ...]:
    """Return the groups that pods name, as kube-scheduler of the release reads them; none where it reads none."""
    if not schedules_groups(snapshot.release):
        return ()
    keys = {group_key_of(Pod(each), snapshot.release) for each in documents}
    return tuple(sorted(key for key in keys if key is not None))


def group_results(
    snapshot: Snapshot, keys: Sequence[PodGroupKey], configuration: SchedulerConfiguration | None
) -> list[GroupResult]:
    """Return how groups are; those without pods are left out.

    Pending ones are tried once more by the configuration, which says what keeps them from nodes. Without it they are
    only counted, as befits a scheduler that is not kube-scheduler.
    """
    held, results = held_groups(snapshot), []
    tried = 0
    for key in keys:
        members = snapshot.groups.of(key)
        if not members:
            continue
        result = _counted(snapshot, key, held.terms_of(key), members)
        if configuration is not None and result.end in (GroupEnd.TOO_FEW_NODES, GroupEnd.PARTLY_PLACED):
            tried += 1
            result = _tried(result, snapshot, members, configuration) if tried <= MOST_TRIED else result
        results.append(result)
    return results


def _counted(
    snapshot: Snapshot, key: PodGroupKey, terms: GroupTerms | None, members: Mapping[str, GroupMember]
) -> GroupResult:
    nodes = [member.node for member in members.values() if member.node]
    pods, placed = len(members), len(nodes)
    if terms is None:
        return GroupResult(str(key), None, pods, placed, GroupEnd.NOT_FOUND)
    least = terms.policy.least
    topology = terms.topology_keys[0] if terms.topology_keys and _reads_topology(snapshot) else ""
    domain = domain_of(snapshot, topology, nodes) if topology else ""
    if pods < (least or 0):
        end = GroupEnd.TOO_FEW_PODS
    elif domain is None:
        end = GroupEnd.SEVERAL_DOMAINS
    elif placed == pods:
        end = GroupEnd.PLACED
    else:
        end = GroupEnd.PARTLY_PLACED if placed >= terms.policy.quorum else GroupEnd.TOO_FEW_NODES
    return GroupResult(str(key), least, pods, placed, end, found=placed, topology=topology, domain=domain or "")


def _reads_topology(snapshot: Snapshot) -> bool:
    return snapshot.release.enables(Gate.TOPOLOGY_AWARE_WORKLOADS)


def _tried(
    result: GroupResult, snapshot: Snapshot, members: Mapping[str, GroupMember], configuration: SchedulerConfiguration
) -> GroupResult:
    """What comes of another attempt for a group that is pending, in whole or in part."""
    pod = next((Pod(member.document) for member in members.values() if not member.node), None)
    found = None if pod is None else _attempted(snapshot, pod, configuration)
    if found is None:
        return result
    first = next(iter(found.refused), None)
    end = result.end if result.end is GroupEnd.PARTLY_PLACED else _end_of(found, result)
    return GroupResult(
        result.group,
        result.least,
        result.pods,
        result.placed,
        end,
        found=max(result.placed, found.found),
        refused=found.held_back or ("" if first is None else first.pod),
        message=found.message if first is None else first.refusal,
        victims=len(found.victims),
        topology=result.topology,
        domain=result.domain,
    )


def _attempted(snapshot: Snapshot, pod: Pod, configuration: SchedulerConfiguration) -> GroupAttempt | None:
    try:
        profile = configuration.profile_for(pod.document)
    except UnknownScheduler:
        return None
    found = attempt(lambda: attempt_group(snapshot, pod, profile))
    return None if isinstance(found, Failure) else found


def _end_of(found: GroupAttempt, result: GroupResult) -> GroupEnd:
    match found.verdict:
        case GroupVerdict.PREEMPTS:
            return GroupEnd.PREEMPTION
        case GroupVerdict.GATED:
            return GroupEnd.GATED
        case GroupVerdict.ERROR:
            return GroupEnd.ERROR
        case GroupVerdict.UNCERTAIN | GroupVerdict.SCHEDULED:
            # A simulation goes on where something is not computed; an attempt that places the group was not made.
            return GroupEnd.UNCERTAIN
        case _:
            return GroupEnd.NO_DOMAIN if result.topology else GroupEnd.TOO_FEW_NODES
