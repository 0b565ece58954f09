"""One group of pods as a page of its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from clusters.engine.group_states import GroupPhase
from clusters.engine.scheduling import GroupVerdict
from clusters.wording import states as pod_states
from clusters.wording.amounts import grouped
from clusters.wording.lists import first_of
from clusters.wording.pending.names import KIND_WORDS
from clusters.wording.pod_groups import page as words
from clusters.wording.pod_groups import states
from dashboard.presenters.pending import causes
from dashboard.presenters.pod_groups.listing import gate_sentence

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clusters.engine.group_states import PodGroupState
    from clusters.engine.podgroups import GroupMember
    from clusters.engine.scheduling import GroupAttempt, MemberAttempt
    from clusters.engine.versions import Release
    from clusters.models import Cluster
    from clusters.services.pending.pods import PodGroupOutlook, WaitingPod
    from dashboard.presenters.pending.causes import CauseFacts

# What is said of groups whose answer is uncertain.
_REFERENCE: Final = "docs/versions.md"


@dataclass(frozen=True, slots=True)
class GroupAnswer:
    """How a group is, what would help, what was found of its pods, and what kube-scheduler says of the group.

    ``nodes`` like the one named ``like`` are to be added; 0 where something else helps.
    """

    sentence: str
    remedy: str
    found: str = ""
    quote: str = ""
    nodes: int = 0
    like: str = ""


@dataclass(frozen=True, slots=True)
class MemberRow:
    """A pod of a group; `cause` is what keeps it pending, `turn` what becomes of it in an attempt for the group."""

    namespace: str
    name: str
    state: str
    badge: str
    node: str
    cause: str = ""
    turn: str = ""


def answer(cluster: Cluster, state: PodGroupState, outlook: PodGroupOutlook, release: Release) -> GroupAnswer:
    """Say how a group is, the cause of most of its pending pods, and what would help."""
    match state.phase:
        case GroupPhase.GATE_OFF:
            gate = gate_sentence(release)
            return GroupAnswer(gate, str(states.SET_GATE)) if gate else GroupAnswer(states.other_minor(release), "")
        case GroupPhase.NOT_FOUND:
            return GroupAnswer(
                states.sentence(state), str(states.CREATE_GROUP if cluster.is_live else states.READ_GROUP)
            )
        case GroupPhase.WAITING_FOR_PODS:
            return GroupAnswer(states.sentence(state), causes.remedy(state))
        case GroupPhase.EMPTY:
            return GroupAnswer(
                states.sentence(state), str(states.NAME_WORKLOAD if state.key.workload else states.NAME_GROUP)
            )
        case GroupPhase.SCHEDULED:
            return GroupAnswer(states.sentence(state), "")
    return _pending(state, outlook)


def _pending(state: PodGroupState, outlook: PodGroupOutlook) -> GroupAnswer:
    attempt = outlook.attempt
    if attempt is None:
        return GroupAnswer(states.sentence(state), "")
    said = states.attempt_sentence(attempt) or states.sentence(state)
    if attempt.verdict is GroupVerdict.UNCERTAIN or attempt.is_open:
        return GroupAnswer(said, "", states.UNCERTAIN(reference=_REFERENCE))
    if attempt.verdict is GroupVerdict.PREEMPTS:
        # Nothing has to change for it.
        return GroupAnswer(said, "", first_of(attempt.victims), attempt.message)
    refused = _refused(attempt)
    worst = next((group for group in outlook.causes if any(pod.key in refused for pod in group.pods)), None)
    found = "" if worst is None else states.REFUSED(pods=len(refused), pending=state.pending, cause=causes.name(worst))
    more = outlook.nodes
    if more is not None:
        return GroupAnswer(said, states.add_nodes(more), found, attempt.message, more.nodes, more.like)
    return GroupAnswer(said, "" if worst is None else causes.way(worst), found, attempt.message)


def _refused(attempt: GroupAttempt | None) -> frozenset[str]:
    return frozenset(each.pod for each in attempt.refused) if attempt else frozenset()


def member_causes(outlook: PodGroupOutlook) -> list[CauseFacts]:
    """Return what keeps pods of a group pending, first of those that find no node."""
    refused = _refused(outlook.attempt)
    groups = sorted(outlook.causes, key=lambda group: not any(pod.key in refused for pod in group.pods))
    return list(map(causes.CauseFacts, groups))


def member_order(state: PodGroupState, outlook: PodGroupOutlook) -> list[str]:
    """Return the pods of a group: those that find no node first, then pending ones, then those with a node."""
    refused = _refused(outlook.attempt)
    return sorted(state.members, key=lambda key: (bool(state.members[key].node), key not in refused, key))


def member_rows(state: PodGroupState, outlook: PodGroupOutlook, keys: Iterable[str]) -> list[MemberRow]:
    """Present some pods of a group."""
    pending = {pod.key: pod for group in outlook.causes for pod in group.pods}
    turns = {each.pod: each for each in outlook.attempt.members} if outlook.attempt else {}
    return [_member_row(key, state.members[key], pending.get(key), turns.get(key)) for key in keys]


def _member_row(key: str, member: GroupMember, pod: WaitingPod | None, turn: MemberAttempt | None) -> MemberRow:
    namespace, _, name = key.partition("/")
    if member.node:
        phase = str((member.document.get("status") or {}).get("phase") or "")
        word = pod_states.OF_PHASE.get(phase, pod_states.SCHEDULED)
        return MemberRow(namespace, name, str(word), "good", member.node)
    said = _turn(turn)
    if pod is None:
        return MemberRow(namespace, name, str(pod_states.PENDING), "warn", "", turn=said)
    cause = pod.finding.cause
    badge = causes.BADGES.get(cause.kind, "")
    return MemberRow(namespace, name, str(KIND_WORDS[cause.kind]), badge, "", causes.name_of(pod), said)


def _turn(turn: MemberAttempt | None) -> str:
    if turn is None or not turn.is_reached:
        return str(words.NOT_TRIED)
    return words.FINDS(node=turn.node) if turn.node else turn.refusal


def facts(state: PodGroupState) -> list[tuple[str, str]]:
    """Return what the objects say of a group, field by field; empty facts are left out."""
    terms = state.terms
    found = [
        (words.POLICY, states.policy(state)),
        (words.WORKLOAD, state.workload),
        (words.TEMPLATE, state.template),
        (words.REPLICA, state.key.replica),
        (words.PARENT, state.parent),
    ]
    if terms is not None:
        number = "" if terms.priority is None else grouped(terms.priority)
        mode = words.ALL_AT_ONCE if state.is_removed_whole else words.ONE_BY_ONE
        found += [
            (words.TOPOLOGY, words.topology(terms.topology_keys) if terms.topology_keys else ""),
            (words.DISRUPTION, str(mode) if terms.disruption is not None else ""),
            (words.PRIORITY, words.priority(number, terms.priority_class)),
            (words.PREEMPTION, "" if terms.preempts else str(words.NEVER_PREEMPTS)),
            (words.CLAIMS, ", ".join(terms.claims)),
        ]
    return [(str(name), value) for name, value in found if value]


def conditions(state: PodGroupState) -> list[tuple[str, str]]:
    """Return what kube-scheduler reported of a group: each condition with its message."""
    return [
        (
            words.condition(str(each.get("type")), str(each.get("status")), str(each.get("reason") or "")),
            str(each.get("message") or ""),
        )
        for each in state.conditions
    ]
