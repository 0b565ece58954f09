"""The pods and groups that an upgrade is tried on, and what a scheduler answers for each."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from msgspec import Struct

from clusters.engine.admission import Refusal, admit
from clusters.engine.admission.creation import as_written
from clusters.engine.columns import NOWHERE
from clusters.engine.configuration import ConfigurationError, SchedulerConfiguration, UnknownScheduler
from clusters.engine.group_states import GroupPhase, PodGroupState, pod_group_states
from clusters.engine.objects import Document, Pod, is_counted_variously, labels_of, metadata, name_of, namespace_of
from clusters.engine.owners import TEMPLATE_HASH, Controller, Workload
from clusters.engine.scheduling.cost import Failure, Note, attempt
from clusters.engine.scheduling.explanation import Explanation, explain
from clusters.engine.scheduling.groups import GroupVerdict, attempt_group
from clusters.engine.scheduling.search import TieBreak, tie_of
from clusters.engine.simulation.controllers import QUOTA, PodAdmission
from clusters.engine.upgrading.rules import Amendment, amended, amendments_of
from clusters.engine.workloads.pods import copy_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from clusters.engine.conclusion import Conclusion
    from clusters.engine.snapshot import Snapshot
    from clusters.engine.versions import Release

    World = tuple[Snapshot, SchedulerConfiguration]

# The pods that an upgrade is tried on: those that are pending, and the next one of each workload.

_FINISHED = ("Succeeded", "Failed")
# Their pods are made for one node each: none comes while there is no further node.
_MADE_FOR_A_NODE = ("DaemonSet", "Node")


class SubjectRole(enum.StrEnum):
    """Why a pod is tried."""

    PENDING = "pending"
    NEXT = "next"


class UpgradeSubject(Struct, frozen=True):
    """A pod that is scheduled under each release; ``pods``: all that are alike and pending, itself the first.

    ``claims``: those that would be made for it.
    """

    role: SubjectRole
    workload: Workload
    document: Document
    pods: tuple[str, ...]
    claims: tuple[Document, ...] = ()


class SampledPods:
    """Of all pods of a cluster those that are needed to know what is pending and what its workloads would create."""

    def __init__(self) -> None:
        self._pending: dict[str, list[Document]] = {}
        self._newest: dict[Workload, Document] = {}
        self._ordinals: dict[Workload, int] = {}

    @classmethod
    def among(cls, objects: Iterable[Document]) -> SampledPods:
        """Look through a cluster's objects once; they need not be in memory together.

        Those that are pending, and of each owner the newest pod and the one with the last ordinal, are enough.
        """
        found = cls()
        for document in objects:
            if document.get("kind") == "Pod":
                found._add(document)
        return found

    def subjects(self, snapshot: Snapshot) -> list[UpgradeSubject]:
        """Return the pending pods, those alike together, and the next pod of each workload, in order of name."""
        alike = [_pending(pods) for pods in self._pending.values()]
        following = [self._next(snapshot, workload) for workload in self._newest]
        return [
            *sorted(alike, key=lambda each: (each.workload, each.pods)),
            *sorted(following, key=lambda each: each.workload),
        ]

    def _add(self, pod: Document) -> None:
        is_placed = bool((pod.get("spec") or {}).get("nodeName"))
        if metadata(pod).get("deletionTimestamp") or (pod.get("status") or {}).get("phase") in _FINISHED:
            return
        workload = _workload_of(pod)
        if not is_placed:
            self._pending.setdefault(_likeness(pod, workload), []).append(pod)
        if not workload.name or workload.kind in _MADE_FOR_A_NODE:
            return
        newest = self._newest.get(workload)
        if newest is None or (_created(pod), name_of(pod)) > (_created(newest), name_of(newest)):
            self._newest[workload] = pod
        ordinal = name_of(pod).rpartition("-")[2]
        if ordinal.isdecimal():
            self._ordinals[workload] = max(self._ordinals.get(workload, -1), int(ordinal))

    def _next(self, snapshot: Snapshot, workload: Workload) -> UpgradeSubject:
        number = self._ordinals.get(workload, -1) + 1 if workload.kind == "StatefulSet" else "next"
        copy = copy_of(snapshot, self._newest[workload], f"{workload.name}-{number}")
        # Each release derives by itself what the template leaves open.
        pod = as_written(copy.pod, snapshot)
        return UpgradeSubject(SubjectRole.NEXT, workload, pod, (_key(pod),), copy.claims)


def resized_pods(snapshot: Snapshot, read: Callable[[Collection[str]], Mapping[str, Document]]) -> list[Document]:
    """Return the pods on nodes whose requests not all releases count alike; ``read``: pods by ``namespace/name``."""
    pods = snapshot.pods
    slots = np.flatnonzero(np.isin(pods.shape, [*pods.resized]) & (pods.label_set != NOWHERE))
    found = map(Pod, read([pods.keys[slot] for slot in slots.tolist()]).values())
    return [pod.document for pod in found if pod.node_name and is_counted_variously(pod)]


def with_claims(snapshot: Snapshot, subjects: Sequence[UpgradeSubject]) -> Snapshot:
    """Return the state with the claims that would be made for the pods."""
    claims = [claim for subject in subjects for claim in subject.claims]
    if not claims:
        return snapshot
    changed = snapshot.copy()
    for claim in claims:
        changed.upsert(claim)
    return changed


def _pending(pods: Sequence[Document]) -> UpgradeSubject:
    ordered = sorted(pods, key=_key)
    return UpgradeSubject(SubjectRole.PENDING, _workload_of(ordered[0]), ordered[0], tuple(map(_key, ordered)))


def _likeness(pod: Document, workload: Workload) -> str:
    """Return what is equal for pods of one workload that every plugin answers alike for."""
    spec: dict[str, Any] = dict(pod.get("spec") or {})
    nominated = (pod.get("status") or {}).get("nominatedNodeName")
    is_named = nominated or not workload.name or any("ephemeral" in each for each in spec.get("volumes") or ())
    own = name_of(pod) if is_named else ""
    return repr((workload, own, sorted(labels_of(pod).items()), sorted(spec.items(), key=lambda entry: entry[0])))


def _workload_of(pod: Document) -> Workload:
    return Workload.of(namespace_of(pod), Controller.of(pod), labels_of(pod).get(TEMPLATE_HASH, ""))


def _created(pod: Document) -> str:
    return str(metadata(pod).get("creationTimestamp") or "")


def _key(pod: Document) -> str:
    return f"{namespace_of(pod)}/{name_of(pod)}"


# What the API server of a release makes of the next pod of a workload, and whether it creates it at all.

# The part of the pod that a quota is about.
_CHARGED: Final = "spec"


class NextPod(Struct, frozen=True):
    """A pod as it would be stored, and what the API server has against it."""

    document: Document
    refusals: tuple[Refusal, ...]


def quotas_by_namespace(quotas: Iterable[Document]) -> dict[str, list[Document]]:
    """Return quotas by their namespaces."""
    found: dict[str, list[Document]] = {}
    for quota in quotas:
        found.setdefault(namespace_of(quota), []).append(quota)
    return found


def next_pod(snapshot: Snapshot, quotas: Mapping[str, list[Document]], pod: Document) -> NextPod:
    """Admit a pod, as its template has it, as the API server of the snapshot's release would create it now.

    Quotas are asked last. Each pod is asked for by itself.
    """
    admission = admit(pod, snapshot)
    if admission.refusals:
        return NextPod(admission.pod, admission.refusals)
    refusal = PodAdmission(snapshot, quotas.get(namespace_of(pod), ())).admit({**admission.pod, "status": {}})
    return NextPod(admission.pod, () if refusal is None else (Refusal(QUOTA, _CHARGED, refusal),))


# What a scheduler answers for a pod, small enough to keep of every pod under several releases.


class AnswerAspect(enum.StrEnum):
    """In what two answers differ, the gravest first."""

    ADMISSION = "admission"
    VERDICT = "verdict"
    PREEMPTION = "preemption"
    NODES = "nodes"
    MESSAGE = "message"


class NodesRejected(Struct, frozen=True):
    """How many nodes a plugin rejects first, with which reasons."""

    plugin: str
    reasons: tuple[str, ...]
    nodes: int


@dataclass(frozen=True, slots=True)
class SchedulingAnswer:
    """What the scheduler answers for one pod. ``message``: its FailedScheduling text, empty for a pod that fits.

    ``choices``: the nodes of which it takes one, none where its group keeps it from them. ``rejected``: what keeps the
    other nodes out. ``preempted_on`` and ``victims``: where preemption makes room, and of which pods; for a whole group
    no node is named. ``refusals``: what the API server has against a pod
    that does not exist yet. ``takes_first``: of several choices the first in the order of the search is taken.
    """

    conclusion: Conclusion
    message: str
    choices: tuple[str, ...]
    rejected: tuple[NodesRejected, ...]
    preempted_on: str
    victims: tuple[str, ...]
    refusals: tuple[Refusal, ...] = ()
    takes_first: bool = field(default=False, compare=False)


class ScoreTip(Struct, frozen=True):
    """The plugin whose scores tip the choice from one node to another.

    ``lead_before`` and ``lead_after``: how many points it gives ``node_after`` more than ``node_before``.
    """

    plugin: str
    node_before: str
    node_after: str
    lead_before: int
    lead_after: int


def explained(snapshot: Snapshot, configuration: SchedulerConfiguration, pod: Document) -> Explanation | None:
    """Explain a pod; None for one that no profile schedules or that gates hold back."""
    try:
        profile = configuration.profile_for(pod)
    except UnknownScheduler:
        return None
    found = explain(snapshot, pod, profile)
    return found if found.gates.ok else None


def answer_of(explanation: Explanation, refusals: tuple[Refusal, ...] = ()) -> SchedulingAnswer:
    """Return what is kept of an explanation, of a pod that the API server refuses too."""
    selected = None if explanation.preemption is None else explanation.preemption.selected
    of_group = () if explanation.group is None else explanation.group.victims
    return SchedulingAnswer(
        explanation.conclusion,
        explanation.message or "",
        () if explanation.blocking_group is not None else tuple(explanation.choices),
        _rejected(explanation),
        "" if selected is None else selected.node,
        of_group if selected is None else selected.victims,
        refusals,
        takes_first=(tie := tie_of(explanation)) is not None and tie.by is TieBreak.FIRST_FOUND,
    )


def aspects_between(before: SchedulingAnswer, after: SchedulingAnswer) -> tuple[AnswerAspect, ...]:
    """Return in what two answers differ; where admission or the verdict does, the rest is not told."""
    if before.refusals != after.refusals:
        return (AnswerAspect.ADMISSION,)
    if before.conclusion is not after.conclusion:
        return (AnswerAspect.VERDICT,)
    found = []
    if (before.preempted_on, before.victims) != (after.preempted_on, after.victims):
        found.append(AnswerAspect.PREEMPTION)
    if before.choices != after.choices:
        found.append(AnswerAspect.NODES)
    if before.message != after.message:
        found.append(AnswerAspect.MESSAGE)
    return tuple(found)


def tip_between(before: Explanation, after: Explanation) -> ScoreTip | None:
    """Return which plugin tips the choice from the first node of one explanation to one that it did not choose.

    None where one of the two nodes does not fit under both.
    """
    old = min(set(before.choices) - set(after.choices) or before.choices, default=None)
    new = min(set(after.choices) - set(before.choices) or after.choices, default=None)
    if old is None or new is None or old == new:
        return None
    leads = [_leads(each, old, new) for each in (before, after)]
    if not all(leads):
        return None
    names = sorted(leads[0].keys() | leads[1].keys())
    plugin = max(names, key=lambda name: leads[1].get(name, 0) - leads[0].get(name, 0))
    return ScoreTip(plugin, old, new, leads[0].get(plugin, 0), leads[1].get(plugin, 0))


def plugins_between(before: SchedulingAnswer, after: SchedulingAnswer) -> tuple[str, ...]:
    """Return the plugins that reject other nodes, or with other reasons, in order of name."""
    unlike = set(before.rejected) ^ set(after.rejected)
    return tuple(sorted({each.plugin for each in unlike if each.plugin}))


def _leads(explanation: Explanation, old: str, new: str) -> dict[str, int]:
    index = explanation.snapshot.nodes.index
    theirs = {cell.plugin: cell.weighted for cell in explanation.cells_of(index[old])}
    mine = {cell.plugin: cell.weighted for cell in explanation.cells_of(index[new])}
    return {name: points - theirs[name] for name, points in mine.items()} if theirs else {}


def _rejected(explanation: Explanation) -> tuple[NodesRejected, ...]:
    cycle = explanation.cycle
    numbers = [int((cycle.rejected_by == number).sum()) for number in range(len(cycle.rejections))]
    return tuple(
        NodesRejected(each.plugin, each.status.texts, nodes)
        for each, nodes in zip(cycle.rejections, numbers, strict=True)
        if nodes
    )


# What each release does with the groups of pods of which some are pending, and which rule brings a difference.

# Each costs a cycle for each of its pods, under each release and rule.
MOST_GROUPS: Final = 50
# Their pods are not tried together.
_NOT_TRIED: Final = frozenset({GroupPhase.GATE_OFF, GroupPhase.NOT_FOUND, GroupPhase.WAITING_FOR_PODS})


class GroupPlacement(Struct, frozen=True):
    """What a release does with a group.

    ``verdict``: None where its pods are not tried together, or what comes of it failed. Of ``pods`` so many have a node
    or find one (``found``), and ``least`` have to (None with the basic policy). ``nodes``: those that its pending pods
    take, once for each pod; empty where the group gets none. ``domain`` and ``victims`` as of a GroupAttempt.
    """

    phase: GroupPhase
    verdict: GroupVerdict | None
    least: int | None
    pods: int
    found: int
    nodes: tuple[str, ...] = ()
    domain: str = ""
    victims: tuple[str, ...] = ()


class GroupChange(Struct, frozen=True):
    """A group that a release places otherwise than the minor before it; ``amendments`` as of an UpgradeChange."""

    group: str
    minor: str
    amendments: tuple[Amendment, ...]
    before: GroupPlacement
    after: GroupPlacement


class GroupComparison(Struct, frozen=True):
    """The groups that differ; ``evaluated`` counts all that were tried, ``left_out`` those without an answer."""

    changes: tuple[GroupChange, ...] = ()
    evaluated: int = 0
    left_out: int = 0


class GroupsUnderReleases:
    """Tries the groups of which pods are pending under each release."""

    def __init__(
        self, world: Callable[[Release], World], alive: Callable[[], object], note: Note | None = None
    ) -> None:
        self._world, self._alive, self._note = world, alive, note

    def compared(self, releases: Sequence[Release]) -> GroupComparison:
        """Return the groups that a minor places otherwise than the one before it."""
        first, _ = self._world(releases[0])
        pending = [str(each.key) for each in pod_group_states(first) if each.pending]
        groups = pending[:MOST_GROUPS]
        answers = [self._placements(groups, release) for release in releases] if groups else []
        known = [group for group in groups if all(group in found for found in answers)]
        changes = [
            change
            for releases_of_step, found in zip(pairwise(releases), pairwise(answers), strict=bool(answers))
            for change in self._changes(known, releases_of_step, found)
        ]
        return GroupComparison(tuple(changes), len(known), len(pending) - len(known))

    def _changes(
        self,
        groups: Sequence[str],
        releases: tuple[Release, Release],
        answers: tuple[Mapping[str, GroupPlacement], Mapping[str, GroupPlacement]],
    ) -> Iterator[GroupChange]:
        before, after = answers
        unlike = [group for group in groups if before[group] != after[group]]
        causes: dict[str, list[Amendment]] = {group: [] for group in unlike}
        for amendment in amendments_of(*releases) if unlike else ():
            found = self._placements(unlike, amended(*releases, amendment))
            for group in unlike:
                if found.get(group) == after[group]:
                    causes[group].append(amendment)
        for group in unlike:
            yield GroupChange(group, releases[1].minor, tuple(causes[group]), before[group], after[group])

    def _placements(self, groups: Sequence[str], release: Release) -> dict[str, GroupPlacement]:
        """Try groups under a release; none where it does not read the configuration."""
        try:
            snapshot, configuration = self._world(release)
        except ConfigurationError:
            # What one rule needs of another, such as arguments of a gate: it says nothing alone.
            return {}
        states = {str(each.key): each for each in pod_group_states(snapshot)}
        found = {}
        for group in groups:
            self._alive()
            found[group] = self._placement(snapshot, states[group], configuration)
        return found

    def _placement(
        self, snapshot: Snapshot, state: PodGroupState, configuration: SchedulerConfiguration
    ) -> GroupPlacement:
        least = state.terms.policy.least if state.terms else None
        phase, pods = state.phase, len(state.members)
        untried = GroupPlacement(phase, None, least, pods, state.scheduled)
        if phase in _NOT_TRIED:
            return untried
        pod = next(Pod(member.document) for member in state.members.values() if not member.node)
        try:
            profile = configuration.profile_for(pod.document)
        except UnknownScheduler:
            return untried
        answer = attempt(partial(attempt_group, snapshot, pod, profile))
        if isinstance(answer, Failure):
            if self._note is not None:
                self._note(f"Pod group {state.key}", answer)
            return untried
        if answer is None:
            return untried
        is_placed = answer.verdict is GroupVerdict.SCHEDULED
        return GroupPlacement(
            phase,
            answer.verdict,
            least,
            pods,
            answer.found,
            tuple(sorted(each.node for each in answer.members if each.node)) if is_placed else (),
            answer.domain,
            answer.victims,
        )
