"""Groups of pods that are scheduled together, as rows, as a picture and as a page of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from msgspec import Struct

from clusters.engine.analysis import Kind
from clusters.engine.batch_groups import AnyGroupState, BatchGroupState
from clusters.engine.batch_systems import batch_groups_of_pod
from clusters.engine.group_states import GroupPhase, PodGroupState
from clusters.engine.objects import Pod as ReadPod
from clusters.engine.owners import Controller
from clusters.engine.podgroups import GroupMember, named_groups, schedules_groups
from clusters.engine.scheduling import GroupAttempt, GroupVerdict, MemberAttempt
from clusters.engine.versions import Gate, Release
from clusters.services.mirror.snapshots import ChangingTooFastError
from clusters.services.mirror.state import WORKLOAD_KINDS, pod_groups_of
from clusters.wording import batch_groups, pod_groups as words, states as pod_states
from clusters.wording.amounts import grouped
from clusters.wording.lists import first_of
from clusters.wording.pending import KIND_WORDS
from dashboard.pictures.figure import Figure
from dashboard.pictures.specs import Key, SlotPart, SlotsSpec
from dashboard.presenters import pending as pending_rows
from dashboard.presenters.group_placements import nominations
from dashboard.presenters.shared.page import page_url

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from clusters.models import Cluster, Pod
    from clusters.services.pending.pods import CauseGroup, PodGroupOutlook, WaitingPod
    from dashboard.presenters.pending import CauseFacts


class PodGroupLink(NamedTuple):
    """A group without its namespace, which is the pod's, and its page."""

    name: str
    url: str


def group_links(pod: Pod) -> list[PodGroupLink]:
    """Return the groups that a pod names or is of, none for most pods."""
    own = [str(key) for key in named_groups(pod.object.get("spec") or {}, pod.namespace)]
    names = [(key.partition("/")[2], key) for key in own]
    names += [(words.name(state), str(state.key)) for state in batch_groups_of(pod)]
    return [PodGroupLink(name, _page_of(pod.cluster, key)) for name, key in names]


def batch_groups_of(pod: Pod) -> list[BatchGroupState]:
    """Return the groups of other systems that a pod is of; none while its cluster changes too fast to be read."""
    if not batch_groups_of_pod(ReadPod(pod.object)):
        return []
    try:
        states = pod_groups_of(cluster=pod.cluster).states.values()
    except ChangingTooFastError:
        return []
    key = f"{pod.namespace}/{pod.name}"
    return [state for state in states if isinstance(state, BatchGroupState) and key in state.members]


class ReportedGroup(NamedTuple):
    """What another system says of a pending pod's group: the group, its pods, the report and what helps."""

    group: PodGroupLink
    sentence: str
    reported: tuple[str, str]
    remedy: str


def group_reports(pod: Pod) -> list[ReportedGroup]:
    """Return what other systems report of the groups of a pending pod; none of most pods."""
    return [
        ReportedGroup(
            PodGroupLink(words.name(state), _page_of(pod.cluster, str(state.key))),
            words.sentence(state),
            batch_groups.reported(state),
            batch_groups.remedy(state),
        )
        for state in (batch_groups_of(pod) if pod.is_pending else ())
    ]


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


# The parts of the picture, each with its colour and the sign of its pattern; the last ones are empty slots.
_PARTS: Final = (
    (words.SCHEDULED, "verdict-chosen-solid", ""),
    (words.FINDING, "verdict-fits-solid", ""),
    (words.NOMINATED, "verdict-preemptible-solid", "/"),
    (words.REFUSED_PART, "verdict-rejected-solid", "x"),
    (words.PENDING, "verdict-unknown-solid", "."),
    (words.MISSING, "verdict-unknown-solid", ""),
)
_MISSING: Final = len(_PARTS) - 1
# So many different refusals of pods are quoted.
MOST_REFUSALS: Final = 5


def members_figure(state: AnyGroupState, attempt: GroupAttempt | None) -> Figure | None:
    """Draw the pods of a group, pending ones by what becomes of them in an attempt; None where there are none."""
    nominated = len(nominations(state, attempt)) if attempt else 0
    finding = sum(bool(each.node) for each in attempt.members) if attempt and not nominated else 0
    refused = len(attempt.refused) if attempt and not nominated else 0
    others = state.pending - finding - nominated - refused
    counts = (state.scheduled, finding, nominated, refused, others, state.missing)
    if not any(counts):
        return None
    spec = SlotsSpec(
        keys=tuple(Key(str(label), *look) for label, *look in _PARTS),
        parts=tuple(
            SlotPart(number, pods, f"{label}: {grouped(pods)}")
            for number, ((label, *_), pods) in enumerate(zip(_PARTS, counts, strict=True))
        ),
        line_at=state.quorum,
        line_text=_line(state),
        empty=frozenset({_MISSING}),
    )
    return Figure(
        id="pod-group",
        title=f"{state.key}: {words.TITLE}",
        summary=words.SUMMARY(scheduled=state.scheduled, pending=state.pending, missing=state.missing),
        spec=spec,
    )


def _line(state: AnyGroupState) -> str:
    if isinstance(state, BatchGroupState):
        return batch_groups.LINE(least=state.quorum) if state.quorum else ""
    return words.LINE(least=state.quorum) if state.is_gang else ""


BADGES: Final = {
    GroupPhase.GATE_OFF: "info",
    GroupPhase.NOT_FOUND: "bad",
    GroupPhase.WAITING_FOR_PODS: "warn",
    GroupPhase.PENDING: "bad",
    GroupPhase.PARTLY_SCHEDULED: "warn",
    GroupPhase.SCHEDULED: "good",
    GroupPhase.EMPTY: "",
}


class PodGroupRow(NamedTuple):
    """One group of a cluster."""

    cluster: Cluster
    state: AnyGroupState

    @property
    def name(self) -> str:
        """The name without its namespace, as its page is found."""
        return str(self.state.key).partition("/")[2]

    @property
    def shown(self) -> str:
        """The name alone."""
        return self.state.shown if isinstance(self.state, BatchGroupState) else self.name

    @property
    def title(self) -> str:
        """The name beside groups of other systems."""
        return words.name(self.state)

    @property
    def system(self) -> str:
        """Whose group it is."""
        return words.system(self.state)

    @property
    def decided_by(self) -> str:
        """Who decides about its pods; empty of Kubernetes' own groups."""
        return batch_groups.decided_by(self.state) if isinstance(self.state, BatchGroupState) else ""

    @property
    def workload(self) -> str:
        """The Workload of Kubernetes' own that it is part of; empty without one."""
        return self.state.workload if isinstance(self.state, PodGroupState) else ""

    @property
    def badge(self) -> tuple[str, str]:
        """Its phase: the word and the badge's kind."""
        return str(words.PHASES[self.state.phase]), BADGES[self.state.phase]

    @property
    def policy(self) -> str:
        """The name of its policy."""
        return words.policy(self.state)

    @property
    def owner(self) -> tuple[str, str] | None:
        """The controller that it belongs to, or its Workload: text and page, empty without one; None without either."""
        if self.state.controller is not None:
            kind, name = self.state.controller
            # Any controller of its pods has a page, whatever its kind.
            # A Job may be that of another API.
            document = self.state.document if isinstance(self.state, BatchGroupState) else None
            above = None if document is None else Controller.of(document)
            is_workload = kind in WORKLOAD_KINDS and (above is None or "." not in above.group)
            owners = map(Controller.of, (member.document for member in self.state.members.values()))
            has_page = is_workload or (kind, name) in {(each.kind, each.name) for each in owners if each}
            place = {"kind": kind, "namespace": self.state.key.namespace, "name": name}
            return f"{kind} {name}", page_url("workload", self.cluster, **place) if has_page else ""
        return (f"Workload {self.workload}", "") if self.workload else None


def gate_sentence(release: Release) -> str:
    """Say that the scheduler does not read groups; empty where it does."""
    if schedules_groups(release):
        return ""
    # Of gates that depend on each other the outermost that is off.
    gates = [gate for gate in (Gate.GENERIC_WORKLOAD, Gate.GANG_SCHEDULING) if gate in release.known_gates]
    return words.gate_off(release, next((gate.value for gate in gates if not release.enables(gate)), ""))


# What is said of groups whose answer is uncertain.
_REFERENCE: Final = "docs/versions.md"


class GroupAnswer(Struct, frozen=True):
    """How a group is, what would help, what another system reports (``found``), and what is quoted of the group.

    ``nodes`` like the one named ``like`` are to be added; 0 where something else helps.
    """

    sentence: str
    remedy: str
    found: str = ""
    quote: str = ""
    nodes: int = 0
    like: str = ""


class MemberRow(NamedTuple):
    """A pod of a group, what it is pending for, and what becomes of it in an attempt for the group.

    ``nominated``: the node that it takes once the victims of the attempt are gone; empty without any.
    """

    key: str
    member: GroupMember
    pod: WaitingPod | None
    turn: MemberAttempt | None
    nominated: str

    @property
    def name(self) -> str:
        """The name without its namespace."""
        return self.key.partition("/")[2]

    @property
    def badge(self) -> tuple[str, str]:
        """Its state, or what keeps it pending: the word and the badge's kind."""
        if self.member.node:
            phase = str((self.member.document.get("status") or {}).get("phase") or "")
            return str(pod_states.OF_PHASE.get(phase, pod_states.SCHEDULED)), "good"
        if self.pod is None:
            is_leaving = ReadPod(self.member.document).terminating
            return str(pod_states.TERMINATING if is_leaving else pod_states.PENDING), "warn"
        kind = self.pod.finding.cause.kind
        return str(KIND_WORDS[kind]), pending_rows.BADGES.get(kind, "")


def answer(cluster: Cluster, state: AnyGroupState, outlook: PodGroupOutlook, release: Release) -> GroupAnswer:
    """Say how a group is, the cause of most of its pending pods, and what would help; of others what is reported."""
    if isinstance(state, BatchGroupState):
        return GroupAnswer(words.sentence(state), batch_groups.remedy(state), *batch_groups.reported(state))
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
    if attempt.verdict is GroupVerdict.UNCERTAIN or attempt.is_open:
        return GroupAnswer(words.UNCERTAIN(reference=_REFERENCE), "")
    said = words.attempt_sentence(attempt) or words.sentence(state)
    if attempt.verdict is GroupVerdict.PREEMPTS:
        # Nothing has to change for it.
        return GroupAnswer(said, "", quote=attempt.message)
    refused = _refused(attempt)
    worst = next((group for group in outlook.causes if any(pod.key in refused for pod in group.pods)), None)
    more = outlook.nodes
    if more is not None:
        return GroupAnswer(said, words.add_nodes(more), "", attempt.message, more.nodes, more.like)
    return GroupAnswer(said, "" if worst is None else pending_rows.way(worst), quote=attempt.message)


def _refused(attempt: GroupAttempt | None) -> frozenset[str]:
    return frozenset(each.pod for each in attempt.refused) if attempt else frozenset()


class Refusal(NamedTuple):
    """Why pods of a group find no node at their turns, in kube-scheduler's words, and which they are."""

    message: str
    pods: Sequence[str]

    @property
    def named(self) -> str:
        """The first of the pods by their names, and how many others there are."""
        return first_of([pod.partition("/")[2] for pod in self.pods])


def refusals(attempt: GroupAttempt | None) -> list[Refusal]:
    """Return the refusals of an attempt, those of most pods first, of others by their turns."""
    pods: dict[str, list[str]] = {}
    for each in attempt.refused if attempt else ():
        pods.setdefault(each.refusal, []).append(each.pod)
    return sorted((Refusal(*each) for each in pods.items()), key=lambda each: -len(each.pods))[:MOST_REFUSALS]


def member_causes(outlook: PodGroupOutlook) -> list[CauseFacts]:
    """Return what keeps pods of a group pending but what the attempt says, first of those that find no node."""
    refused = _refused(outlook.attempt)
    groups = [group for group in outlook.causes if outlook.attempt is None or not _is_told(group)]
    groups.sort(key=lambda group: not any(pod.key in refused for pod in group.pods))
    return list(map(pending_rows.CauseFacts, groups))


def _is_told(group: CauseGroup) -> bool:
    return group.pod_group is not None or group.cause.kind in (Kind.FITS, Kind.PREEMPTS)


def member_order(state: AnyGroupState, outlook: PodGroupOutlook) -> list[str]:
    """Return the pods of a group: those that find no node first, then pending ones, then those with a node."""
    refused = _refused(outlook.attempt)
    return sorted(state.members, key=lambda key: (bool(state.members[key].node), key not in refused, key))


def member_rows(state: AnyGroupState, outlook: PodGroupOutlook, keys: Iterable[str]) -> list[MemberRow]:
    """Present some pods of a group."""
    pending = {pod.key: pod for group in outlook.causes for pod in group.pods}
    attempt = outlook.attempt
    turns = {each.pod: each for each in attempt.members} if attempt else {}
    nodes = attempt.nominations if attempt else {}
    return [MemberRow(key, state.members[key], pending.get(key), turns.get(key), nodes.get(key, "")) for key in keys]
