"""Groups of pods that are scheduled together, as rows, as a picture and as a page of their own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from clusters.engine.group_states import GroupPhase, PodGroupState
from clusters.engine.owners import Controller
from clusters.engine.podgroups import GroupMember, named_groups, schedules_groups
from clusters.engine.scheduling import GroupAttempt, GroupVerdict, MemberAttempt
from clusters.engine.versions import Gate, Release
from clusters.services.mirror.snapshots import ChangingTooFastError
from clusters.services.mirror.state import WORKLOAD_KINDS, ClusterPodGroups, pod_groups_of
from clusters.wording import columns, pod_groups as words, states as pod_states
from clusters.wording.amounts import grouped
from clusters.wording.lists import first_of, listed
from clusters.wording.pending import KIND_WORDS
from dashboard.lists.columns import DataColumn
from dashboard.pictures.figure import Figure
from dashboard.pictures.specs import Key, SlotPart, SlotsSpec
from dashboard.presenters import pending as pending_rows
from dashboard.presenters.shared.page import page_url

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from clusters.models import Cluster, Pod
    from clusters.services.pending.pods import PodGroupOutlook, WaitingPod
    from dashboard.presenters.pending import CauseFacts


class PodGroupLink(NamedTuple):
    """A group without its namespace, which is the pod's, and its page."""

    name: str
    url: str


def group_links(pod: Pod) -> list[PodGroupLink]:
    """Return the groups that a pod names, none for most pods."""
    found = []
    for key in named_groups(pod.object.get("spec") or {}, pod.namespace):
        name = str(key).partition("/")[2]
        found.append(PodGroupLink(name, _page_of(pod.cluster, str(key))))
    return found


def known_pages(cluster: Cluster | None, groups: Iterable[str]) -> Mapping[str, str]:
    """Return the pages of those groups, ``namespace/name``, that a cluster has now.

    None while the cluster changes too fast to be read: a name without its page still says which group it is.
    """
    wanted = list(groups)
    if cluster is None or not wanted:
        return {}
    try:
        states = pod_groups_of(cluster=cluster).states
    except ChangingTooFastError:
        return {}
    return {key: _page_of(cluster, key) for key in wanted if key in states}


def _page_of(cluster: Cluster, key: str) -> str:
    namespace, _, name = key.partition("/")
    return page_url("pod-group", cluster, namespace=namespace, name=name)


_PARTS = (words.SCHEDULED, words.FINDING, words.REFUSED_PART, words.PENDING, words.MISSING)
_MISSING = 4


def members_figure(state: PodGroupState, attempt: GroupAttempt | None) -> Figure | None:
    """Draw the pods of a group, pending ones by what becomes of them in an attempt; None where there are none."""
    finding = sum(bool(each.node) for each in attempt.members) if attempt else 0
    refused = len(attempt.refused) if attempt else 0
    counts = (state.scheduled, finding, refused, state.pending - finding - refused, state.missing)
    if not any(counts):
        return None
    labels = tuple(map(str, _PARTS))
    spec = SlotsSpec(
        keys=(
            Key(labels[0], "verdict-chosen-solid"),
            Key(labels[1], "verdict-fits-solid"),
            Key(labels[2], "verdict-rejected-solid", "x"),
            Key(labels[3], "verdict-unknown-solid", "."),
            Key(labels[_MISSING], "verdict-unknown-solid"),
        ),
        parts=tuple(
            SlotPart(number, pods, words.PART(label=label, pods=pods))
            for number, (label, pods) in enumerate(zip(labels, counts, strict=True))
        ),
        line_at=state.quorum,
        line_text=words.LINE(least=state.quorum) if state.is_gang else "",
        empty=frozenset({_MISSING}),
    )
    return Figure(
        id="pod-group",
        title=f"{state.key}: {words.TITLE}",
        summary=words.SUMMARY(scheduled=state.scheduled, pending=state.pending, missing=state.missing),
        spec=spec,
    )


BADGES: Final = {
    GroupPhase.GATE_OFF: "info",
    GroupPhase.NOT_FOUND: "bad",
    GroupPhase.WAITING_FOR_PODS: "warn",
    GroupPhase.PENDING: "bad",
    GroupPhase.PARTLY_SCHEDULED: "warn",
    GroupPhase.SCHEDULED: "good",
    GroupPhase.EMPTY: "",
}
TABLE: Final[tuple[DataColumn[Any], ...]] = (
    DataColumn("name", words.COLUMN_GROUP, ("name",)),
    DataColumn("state", columns.STATE, ("state",)),
    DataColumn("policy", words.COLUMN_POLICY, ("policy",)),
    DataColumn("scheduled", words.COLUMN_SCHEDULED, ("scheduled",), is_number=True, starts_descending=True),
    DataColumn("pending", words.COLUMN_PENDING, ("pending",), is_number=True, starts_descending=True),
    DataColumn("missing", words.COLUMN_MISSING, ("missing",), is_number=True, starts_descending=True),
    DataColumn("owner", words.COLUMN_OWNER),
)
_PHASES: Final = list(GroupPhase)
_ORDERS: Final[Mapping[str, Callable[[PodGroupState], Any]]] = {
    "name": lambda state: state.key,
    "state": lambda state: _PHASES.index(state.phase),
    "policy": lambda state: (state.is_gang, state.quorum),
    "scheduled": lambda state: state.scheduled,
    "pending": lambda state: state.pending,
    "missing": lambda state: state.missing,
}


@dataclass(frozen=True, slots=True)
class Owner:
    """What a group belongs to; `url` is empty where it has no page."""

    text: str
    url: str


@dataclass(frozen=True, slots=True)
class PodGroupRow:
    """One group of the list."""

    key: str
    namespace: str
    name: str
    state: str
    badge: str
    policy: str
    scheduled: str
    pending: str
    missing: str
    owner: Owner | None


def owner_of(cluster: Cluster, state: PodGroupState) -> Owner | None:
    """Present the controller that a group belongs to, or its Workload, which has no page; None without either."""
    if state.controller is not None:
        kind, name = state.controller
        is_mirrored = kind in WORKLOAD_KINDS or state.controller in _controllers(state)
        address = (
            page_url("workload", cluster, kind=kind, namespace=state.key.namespace, name=name) if is_mirrored else ""
        )
        return Owner(f"{kind} {name}", address)
    return Owner(f"Workload {state.workload}", "") if state.workload else None


def _controllers(state: PodGroupState) -> set[tuple[str, str]]:
    """The controllers of a group's pods, whatever their kind, each of which has a page."""
    found = map(Controller.of, (member.document for member in state.members.values()))
    return {(each.kind, each.name) for each in found if each is not None}


def group_row(cluster: Cluster, state: PodGroupState) -> PodGroupRow:
    """Present a group as a row."""
    return PodGroupRow(
        key=str(state.key),
        namespace=state.key.namespace,
        name=str(state.key).partition("/")[2],
        state=str(words.PHASES[state.phase]),
        badge=BADGES[state.phase],
        policy=words.policy(state),
        scheduled=grouped(state.scheduled),
        pending=grouped(state.pending),
        missing=grouped(state.missing),
        owner=owner_of(cluster, state),
    )


def ordered(found: list[PodGroupState], order: str) -> list[PodGroupState]:
    """Sort by a column; without one they stay in their usual order."""
    name = order.removeprefix("-")
    if name in _ORDERS:
        found.sort(key=lambda state: state.key)
        found.sort(key=_ORDERS[name], reverse=order.startswith("-"))
    return found


def gate_sentence(release: Release) -> str:
    """Say that the scheduler does not read groups; empty where it does."""
    if schedules_groups(release):
        return ""
    # Of gates that depend on each other the outermost that is off.
    gates = [gate for gate in (Gate.GENERIC_WORKLOAD, Gate.GANG_SCHEDULING) if gate in release.known_gates]
    return words.gate_off(release, next((gate.value for gate in gates if not release.enables(gate)), ""))


def headline(found: ClusterPodGroups) -> str:
    """Say how many groups need somebody; empty without groups, or where the scheduler does not read them."""
    if not found.states or not schedules_groups(found.snapshot.release):
        return ""
    phases = [state.phase for state in found.states.values()]
    waiting = phases.count(GroupPhase.WAITING_FOR_PODS) + phases.count(GroupPhase.NOT_FOUND)
    pending = phases.count(GroupPhase.PENDING) + phases.count(GroupPhase.PARTLY_SCHEDULED)
    if not waiting + pending:
        return words.ALL_SCHEDULED(total=len(phases))
    return words.UNMET(waiting=waiting, pending=pending, total=len(phases))


def lacking(found: ClusterPodGroups) -> str:
    """Say that pods name groups of which no object is held; empty where none does."""
    number = sum(state.terms is None for state in found.states.values())
    return words.NOT_FOUND(groups=number) if number else ""


def cells(found: Iterable[PodGroupState]) -> Iterator[tuple[str | int, ...]]:
    """Yield one row of a file for each group."""
    for state in found:
        yield (
            state.key.namespace,
            str(state.key).partition("/")[2],
            str(words.PHASES[state.phase]),
            words.policy(state),
            state.quorum or "",
            len(state.members),
            state.scheduled,
            state.pending,
            state.missing,
            state.workload,
            "/".join(state.controller or ()),
        )


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
            return GroupAnswer(gate or words.OTHER_MINOR(minor=release.minor), str(words.SET_GATE) if gate else "")
        case GroupPhase.NOT_FOUND:
            return GroupAnswer(words.sentence(state), str(words.CREATE_GROUP if cluster.is_live else words.READ_GROUP))
        case GroupPhase.WAITING_FOR_PODS:
            return GroupAnswer(words.sentence(state), pending_rows.remedy(state))
        case GroupPhase.EMPTY:
            return GroupAnswer(
                words.sentence(state), str(words.NAME_WORKLOAD if state.key.workload else words.NAME_GROUP)
            )
        case GroupPhase.SCHEDULED:
            return GroupAnswer(words.sentence(state), "")
    return _pending(state, outlook)


def _pending(state: PodGroupState, outlook: PodGroupOutlook) -> GroupAnswer:
    attempt = outlook.attempt
    if attempt is None:
        return GroupAnswer(words.sentence(state), "")
    said = words.attempt_sentence(attempt) or words.sentence(state)
    if attempt.verdict is GroupVerdict.UNCERTAIN or attempt.is_open:
        return GroupAnswer(said, "", words.UNCERTAIN(reference=_REFERENCE))
    if attempt.verdict is GroupVerdict.PREEMPTS:
        # Nothing has to change for it.
        return GroupAnswer(said, "", first_of(attempt.victims), attempt.message)
    refused = _refused(attempt)
    worst = next((group for group in outlook.causes if any(pod.key in refused for pod in group.pods)), None)
    found = (
        "" if worst is None else words.REFUSED(pods=len(refused), pending=state.pending, cause=pending_rows.name(worst))
    )
    more = outlook.nodes
    if more is not None:
        return GroupAnswer(said, words.add_nodes(more), found, attempt.message, more.nodes, more.like)
    return GroupAnswer(said, "" if worst is None else pending_rows.way(worst), found, attempt.message)


def _refused(attempt: GroupAttempt | None) -> frozenset[str]:
    return frozenset(each.pod for each in attempt.refused) if attempt else frozenset()


def member_causes(outlook: PodGroupOutlook) -> list[CauseFacts]:
    """Return what keeps pods of a group pending, first of those that find no node."""
    refused = _refused(outlook.attempt)
    groups = sorted(outlook.causes, key=lambda group: not any(pod.key in refused for pod in group.pods))
    return list(map(pending_rows.CauseFacts, groups))


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
    badge = pending_rows.BADGES.get(cause.kind, "")
    return MemberRow(namespace, name, str(KIND_WORDS[cause.kind]), badge, "", pending_rows.name_of(pod), said)


def _turn(turn: MemberAttempt | None) -> str:
    if turn is None or not turn.is_reached:
        return str(words.NOT_TRIED)
    return words.FINDS(node=turn.node) if turn.node else turn.refusal


def facts(state: PodGroupState) -> list[tuple[str, str]]:
    """Return what the objects say of a group, field by field; empty facts are left out."""
    terms = state.terms
    found = [
        (words.POLICY, words.policy(state)),
        (words.WORKLOAD, state.workload),
        (words.TEMPLATE, state.template),
        (words.REPLICA, state.key.replica),
        (words.PARENT, state.parent),
    ]
    if terms is not None:
        number = "" if terms.priority is None else grouped(terms.priority)
        mode = words.ALL_AT_ONCE if state.is_removed_whole else words.ONE_BY_ONE
        found += [
            (words.TOPOLOGY, words.TOPOLOGY_KEYS(keys=listed(terms.topology_keys)) if terms.topology_keys else ""),
            (words.DISRUPTION, str(mode) if terms.disruption is not None else ""),
            (words.PRIORITY, _priority(number, terms.priority_class)),
            (words.PREEMPTION, "" if terms.preempts else str(words.NEVER_PREEMPTS)),
            (words.CLAIMS, ", ".join(terms.claims)),
        ]
    return [(str(name), value) for name, value in found if value]


def _priority(number: str, name: str) -> str:
    """Write a priority with its class."""
    return words.PRIORITY_OF_CLASS(number=number, name=name) if number and name else number or name


def conditions(state: PodGroupState) -> list[tuple[str, str]]:
    """Return what kube-scheduler reported of a group: each condition with its message."""
    return [
        (
            words.CONDITION(
                kind=str(each.get("type")), status=str(each.get("status")), reason=each.get("reason") or "–"
            ),
            str(each.get("message") or ""),
        )
        for each in state.conditions
    ]
