"""One group of pods as a page of its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from clusters.engine.analysis.causes import Kind
from clusters.engine.podgroups.states import GroupPhase
from clusters.wording import states as pod_states
from clusters.wording.amounts import grouped
from clusters.wording.pending.names import KIND_WORDS, cause_name
from clusters.wording.pod_groups import page as words
from clusters.wording.pod_groups import states
from dashboard.presenters.pending import causes
from dashboard.presenters.pod_groups.listing import gate_sentence

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from clusters.engine.podgroups.members import GroupMember
    from clusters.engine.podgroups.states import PodGroupState
    from clusters.engine.versions import Release
    from clusters.models import Cluster
    from clusters.services.pending.pods import CauseGroup, WaitingPod

# A pod that would be scheduled if it were alone.
_FITTING: Final = frozenset({Kind.FITS, Kind.PREEMPTS, Kind.NOMINATED})


@dataclass(frozen=True, slots=True)
class GroupAnswer:
    """How a group is, what would help, and what was found of its pods that keeps them pending."""

    sentence: str
    remedy: str
    found: str = ""


@dataclass(frozen=True, slots=True)
class MemberRow:
    """A pod of a group; `cause` is what keeps it pending by itself."""

    namespace: str
    name: str
    state: str
    badge: str
    node: str
    cause: str


@dataclass(frozen=True, slots=True)
class MemberCause:
    """What keeps some pods of a group pending: `identity` leads to it on the page of pending pods."""

    identity: str
    title: str
    state: tuple[str, str]
    why: str
    way: str


def is_blocked(pod: WaitingPod) -> bool:
    """Tell whether a pod would not be scheduled if it were alone."""
    return pod.finding.cause.kind not in _FITTING


def answer(cluster: Cluster, state: PodGroupState, found: Sequence[CauseGroup], release: Release) -> GroupAnswer:
    """Say how a group is, the cause of most of its pending pods, and what would help."""
    controller = " ".join(state.controller or ())
    match state.phase:
        case GroupPhase.GATE_OFF:
            gate = gate_sentence(release)
            return GroupAnswer(gate, str(states.SET_GATE)) if gate else GroupAnswer(states.other_minor(release), "")
        case GroupPhase.NOT_FOUND:
            return GroupAnswer(
                states.sentence(state), str(states.CREATE_GROUP if cluster.is_live else states.READ_GROUP)
            )
        case GroupPhase.WAITING_FOR_PODS:
            return GroupAnswer(states.sentence(state), states.create_pods(state.missing, controller))
        case GroupPhase.EMPTY:
            return GroupAnswer(
                states.sentence(state), str(states.NAME_WORKLOAD if state.key.workload else states.NAME_GROUP)
            )
        case GroupPhase.SCHEDULED:
            return GroupAnswer(states.sentence(state), "")
    return _pending(state, found)


def _pending(state: PodGroupState, found: Sequence[CauseGroup]) -> GroupAnswer:
    blocked = [group for group in found if any(map(is_blocked, group.pods))]
    if not blocked:
        return GroupAnswer(states.sentence(state), "", states.fits_alone(state.pending))
    worst = blocked[0]
    said = states.blocked(len(worst.pods), state.pending, cause_name(worst.cause))
    return GroupAnswer(states.sentence(state), causes.way(worst), said)


def cause_views(found: Iterable[CauseGroup]) -> list[MemberCause]:
    """Present what keeps pods of a group pending, those that would not fit alone first."""
    return [
        MemberCause(
            identity=group.identity,
            title=causes.title(group),
            state=(str(KIND_WORDS[group.cause.kind]), causes.BADGES.get(group.cause.kind, "")),
            why=causes.why(group),
            way=causes.way(group),
        )
        for group in sorted(found, key=lambda group: not any(map(is_blocked, group.pods)))
    ]


def member_order(state: PodGroupState, waiting: Mapping[str, WaitingPod]) -> list[str]:
    """Return the pods of a group: blocked ones first, then pending ones, then those with a node."""

    def rank(key: str) -> tuple[bool, bool, str]:
        pod = waiting.get(key)
        return bool(state.members[key].node), pod is None or not is_blocked(pod), key

    return sorted(state.members, key=rank)


def member_row(key: str, member: GroupMember, pod: WaitingPod | None) -> MemberRow:
    """Present a pod of a group."""
    namespace, _, name = key.partition("/")
    if member.node:
        phase = str((member.document.get("status") or {}).get("phase") or "")
        return MemberRow(
            namespace, name, str(pod_states.OF_PHASE.get(phase, pod_states.SCHEDULED)), "good", member.node, ""
        )
    if pod is None:
        return MemberRow(namespace, name, str(pod_states.PENDING), "warn", "", "")
    kind = pod.finding.cause.kind
    return MemberRow(
        namespace, name, str(KIND_WORDS[kind]), causes.BADGES.get(kind, ""), "", cause_name(pod.finding.cause)
    )


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
