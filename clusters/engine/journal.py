"""Decisions over time: a cluster at any moment, and whether an explanation allows what the scheduler did."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import Counter, defaultdict
from contextlib import contextmanager
from enum import StrEnum
from functools import cached_property
from operator import attrgetter
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct

from clusters.engine.objects import Document, Node, key_of, name_of, namespace_of
from clusters.engine.scheduling.cycle import run_cycle
from clusters.engine.scheduling.preemption import fails, room_made_by
from clusters.engine.simulation import Case, Outcome, Simulation, Step, Wanted
from clusters.engine.simulation.comparison import PodEnding
from clusters.engine.status import by_text, read_refusal
from clusters.engine.versions import Gate

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from clusters.engine.configuration import SchedulerConfiguration
    from clusters.engine.scheduling.explanation import Explanation
    from clusters.engine.snapshot import Snapshot

# Whether a decision of the real scheduler is one that an explanation allows.
#
# Upstream: ``schedulePod``, ``evaluateNominatedNode`` and ``findNodesThatPassFilters`` in
# ``pkg/scheduler/schedule_one.go`` v1.34.1. Any of equally good nodes is allowed, also from 1.35 on: the order of the
# search that decides among them is not known from outside. From 100 nodes on the scheduler stops its search at a
# number of feasible nodes; which ones it finds depends on where it starts, which nobody outside knows.

_MOST_SAMPLES = 12


class Agreement(StrEnum):
    """How a decision compares with what was computed."""

    AGREES = "agrees"
    SAMPLED = "sampled"
    INFEASIBLE = "infeasible"
    LOWER_SCORE = "lower-score"
    FITS = "fits"
    OTHER_MESSAGE = "other-message"

    @property
    def holds(self) -> bool:
        """Whether the scheduler may have decided so."""
        return self in (Agreement.AGREES, Agreement.SAMPLED)


def judge_placement(explanation: Explanation, node: str) -> Agreement:
    """Compare the node that a pod was placed on with the tie set, or with what a sampled search could have chosen."""
    row = explanation.snapshot.nodes.index.get(node)
    if row is None or explanation.total_of(row) is None or explanation.error is not None:
        return Agreement.INFEASIBLE
    if row in explanation.cycle.choices:
        return Agreement.AGREES
    if explanation.takes_nominated:
        return Agreement.LOWER_SCORE
    return Agreement.SAMPLED if _is_best_of_a_sample(explanation, row) else Agreement.LOWER_SCORE


def judge_refusal(explanation: Explanation, message: str) -> Agreement:
    """Compare the text with which the scheduler refused a pod."""
    if explanation.fits:
        return Agreement.FITS
    return Agreement.AGREES if explanation.message == message else _judge_room(explanation, message)


def _judge_room(explanation: Explanation, message: str) -> Agreement:
    """Compare a text that names another candidate for preemption, where only some candidates are looked for."""
    preemption = explanation.preemption
    if preemption is None or preemption.selected is None or not explanation.message:
        return Agreement.OTHER_MESSAGE
    ours = room_made_by(preemption.selected)
    if not explanation.message.endswith(ours):
        return Agreement.OTHER_MESSAGE
    said = explanation.message.removesuffix(ours)
    named = (each.node for each in preemption.candidates if said + room_made_by(each) == message)
    nomination = judge_nomination(explanation, next(named, ""))
    return nomination if nomination.holds else Agreement.OTHER_MESSAGE


def distance_of_refusal(explanation: Explanation, message: str) -> int:
    """Count the nodes about which a refusal's text says something else than the explanation; 0 where they agree."""
    match judge_refusal(explanation, message):
        case Agreement.AGREES | Agreement.SAMPLED:
            return 0
        case Agreement.FITS:
            return 2 * explanation.node_count + 1
    theirs, ours = _said(message), by_text(explanation.reasons)
    if explanation.preemption is not None and not fails(explanation.cycle):
        ours.update(explanation.preemption.reasons)
    return 1 + sum(abs(theirs[reason] - ours[reason]) for reason in {*theirs, *ours})


def _said(message: str) -> Counter[str]:
    """How many nodes the scheduler counts for each reason, of filters or of preemption."""
    refusal = read_refusal(message)
    return Counter() if refusal is None else refusal.reasons + refusal.preemption


def judge_nomination(explanation: Explanation, node: str) -> Agreement:
    """Compare the node for which a pod was nominated; from 100 nodes on only some candidates are looked for.

    A group's pods are nominated together; of equally good topology domains it may be in any.

    Upstream: ``bindingCycle`` in ``schedule_one.go`` v1.37.2 nominates pods that fit while they wait to be bound.
    """
    if explanation.fits:
        is_expected = explanation.snapshot.release.enables(Gate.NOMINATES_BEFORE_BINDING)
        return judge_placement(explanation, node) if is_expected else Agreement.FITS
    group, preemption = explanation.group, explanation.preemption
    if group is not None and group.nominations:
        is_same = group.nominations.get(explanation.pod.key) == node
        return Agreement.AGREES if is_same else Agreement.SAMPLED if group.is_random else Agreement.LOWER_SCORE
    if preemption is None or preemption.selected is None:
        return Agreement.INFEASIBLE
    if preemption.selected.node == node:
        return Agreement.AGREES
    if all(candidate.node != node for candidate in preemption.candidates):
        return Agreement.INFEASIBLE
    return Agreement.LOWER_SCORE if explanation.sampling.complete else Agreement.SAMPLED


def _is_best_of_a_sample(explanation: Explanation, row: int) -> bool:
    """Whether a search that ends at the wanted number of feasible nodes can have found a node to be the best.

    Scores are normalised over the nodes that were found, so a sample is scored by itself; one in which the node wins
    is proof. Samples of low-scoring nodes are tried, and nodes that win over the node in one are left out of the next.
    """
    cycle, wanted = explanation.cycle, explanation.sampling.wanted
    if len(cycle.feasible) <= wanted:
        return False
    # Lowest totals first: over these the node wins most easily.
    others = cycle.feasible[np.argsort(cycle.totals, kind="stable")]
    others = others[others != row]
    for _ in range(_MOST_SAMPLES):
        if len(others) < wanted - 1:
            return False
        winners = run_cycle(
            explanation.snapshot,
            explanation.pod,
            explanation.profile,
            among=np.sort(np.append(others[: wanted - 1], row)),
        ).best
        if row in winners:
            return True
        others = others[~np.isin(others, winners)]
    return False


# A cluster over a stretch of time: one snapshot that can stand at any moment of it.
#
# The steps are ordered by the version that the cluster itself gave them, so that kinds that were heard of apart fall
# into their places. What the scheduler had in front of it need not be any such moment: its own bindings count for it
# before they are written, and what others write reaches it late. So a state can also be asked for without some steps
# and with some later ones.

_by_version = attrgetter("version")
# Of these only what they select is read; their status tells how far they are.
_SELECTING = frozenset({"Deployment", "ReplicaSet", "ReplicationController", "Service", "StatefulSet"})


class RecordedChange(Struct, frozen=True, eq=False, dict=True):
    """One change of one object; ``before`` is None for one that came, ``after`` for one that went.

    ``version`` orders the steps of a cluster: an object's resource version, as the integer that it is in practice.
    ``moment`` is when it was heard of, in seconds of whatever clock. ``came``: the version with which a pod came, of a
    change of one that was pending; None where nobody saw it come.
    """

    version: int
    before: Document | None
    after: Document | None
    moment: float = 0.0
    came: int | None = None

    @property
    def document(self) -> Document:
        """The object as the step left it, or found it."""
        document = self.after if self.after is not None else self.before
        assert document is not None  # noqa: S101 - a step has at least one
        return document

    @cached_property
    def identity(self) -> tuple[str, str, str]:
        """Kind, namespace and name, by which a snapshot knows the object."""
        document = self.document
        return str(document.get("kind")), namespace_of(document), name_of(document)

    @cached_property
    def is_by_scheduler(self) -> bool:
        """Whether the scheduler wrote it: a pod got its node, or the one that is being cleared for it."""
        if self.document.get("kind") != "Pod" or self.before is None or self.after is None:
            return False
        return _place(self.before) != _place(self.after)

    @cached_property
    def matters(self) -> bool:
        """Whether the scheduler's answer for another pod can depend on it."""
        return _told(self.before) != _told(self.after)


def _place(pod: Document | None) -> tuple[str, str]:
    """The node of a pod, and the one it is nominated for while it has none."""
    if pod is None:
        return "", ""
    node = str((pod.get("spec") or {}).get("nodeName") or "")
    return node, "" if node else str((pod.get("status") or {}).get("nominatedNodeName") or "")


def _told(document: Document | None) -> object:
    """The part of an object that scheduling other pods reads, for comparison."""
    if document is None:
        return None
    kind, metadata = document.get("kind"), document.get("metadata") or {}
    if kind == "Pod":
        place = _place(document)
        finished = (document.get("status") or {}).get("phase") in ("Succeeded", "Failed")
        if finished or place == ("", ""):
            return None
        metadata = document.get("metadata") or {}
        return place, metadata.get("labels"), "deletionTimestamp" in metadata, document.get("spec")
    if kind == "Node":
        status = {name: part for name, part in (document.get("status") or {}).items() if name != "conditions"}
        return metadata.get("labels"), metadata.get("annotations"), document.get("spec"), status
    if kind in _SELECTING:
        return metadata.get("labels"), (document.get("spec") or {}).get("selector")
    return document


class History:
    """A snapshot of its own, and the steps by which it moves through time."""

    def __init__(self, snapshot: Snapshot) -> None:
        """Begin with a cluster's state before the first step; the snapshot is taken over."""
        self._snapshot = snapshot
        self._steps: list[RecordedChange] = []
        self._applied = 0

    def __len__(self) -> int:
        return len(self._steps)

    def add(self, step: RecordedChange) -> None:
        """Put a step where its version belongs, after those of the same version."""
        place = bisect_left(self._steps, step.version + 1, key=_by_version)
        if place < self._applied:
            self._move(place)
        insort(self._steps, step, key=_by_version)

    def forget(self, moment: float) -> None:
        """Drop the oldest steps heard of before a moment; the oldest state kept is then the one that they led to."""
        count = next((place for place, step in enumerate(self._steps) if step.moment >= moment), len(self._steps))
        if self._applied < count:
            self._move(count)
        del self._steps[:count]
        self._applied -= count

    def before(self, version: int, count: int) -> list[RecordedChange]:
        """Return the last steps before a version, at most ``count`` of them, in order."""
        end = self._position(version)
        return self._steps[max(0, end - count) : end]

    def since(self, version: int, count: int) -> list[RecordedChange]:
        """Return the first steps from a version on, at most ``count`` of them, in order."""
        start = self._position(version)
        return self._steps[start : start + count]

    @contextmanager
    def state(
        self, version: int, *, without: Collection[RecordedChange] = (), beyond: Collection[RecordedChange] = ()
    ) -> Iterator[Snapshot]:
        """Lend the state just before a version: without some of the steps before it, and with some from it on.

        A step that is left out takes the later ones of the same object with it. The snapshot is lent for the time of
        the context only, and nothing in it may be kept that reads the snapshot later.
        """
        self._move(self._position(version))
        touched = {step.identity for step in (*without, *beyond)}
        if not touched:
            yield self._snapshot
            return
        excluded, included = set(without), set(beyond)
        fallen: set[tuple[str, str, str]] = set()
        usual: dict[tuple[str, str, str], Document | None] = {}
        wanted: dict[tuple[str, str, str], Document | None] = {}
        for number, step in enumerate(self._steps):
            identity = step.identity
            if identity not in touched:
                continue
            is_past = number < self._applied
            usual[identity] = step.after if is_past else usual.get(identity, step.before)
            wanted.setdefault(identity, step.before)
            if step in excluded:
                fallen.add(identity)
            elif identity not in fallen and (is_past or step in included):
                wanted[identity] = step.after
        self._lay(wanted)
        try:
            yield self._snapshot
        finally:
            self._lay(usual)

    def _position(self, version: int) -> int:
        return bisect_left(self._steps, version, key=_by_version)

    def _move(self, position: int) -> None:
        while self._applied < position:
            step = self._steps[self._applied]
            self._set(step.identity, step.after)
            self._applied += 1
        while self._applied > position:
            self._applied -= 1
            step = self._steps[self._applied]
            self._set(step.identity, step.before)

    def _lay(self, documents: dict[tuple[str, str, str], Document | None]) -> None:
        # Nodes first: a pod finds its node there.
        for identity in sorted(documents, key=lambda each: each[0] != "Node"):
            self._set(identity, documents[identity])

    def _set(self, identity: tuple[str, str, str], document: Document | None) -> None:
        kind, namespace, name = identity
        if document is not None:
            self._snapshot.upsert(document)
        else:
            self._snapshot.delete({"kind": kind, "metadata": {"namespace": namespace, "name": name}})


# A stretch of a cluster's past, scheduled again: pods and nodes come and go as recorded, under another configuration.
#
# What a preempted pod's controller would create is recorded of the original alone, so nobody is replaced here.


class RecordedPod(Struct, frozen=True):
    """A pod that was scheduled, or should have been: ``pod`` is what it was before, without a node.

    Times are in nanoseconds from the beginning of the stretch. ``node``: which it was bound to, empty for none;
    ``until``: when it went, None where it stayed; ``is_preempted``: another pod took its room then.
    """

    pod: Document
    at: int
    node: str = ""
    until: int | None = None
    is_preempted: bool = False

    @property
    def ending(self) -> PodEnding:
        """How the stretch ended for the pod; one that left by itself counts by where it ran."""
        if self.is_preempted:
            return PodEnding.ABSENT
        return PodEnding.ON_NODE if self.node else PodEnding.PENDING


class NodesAtMoment(Struct, frozen=True):
    """The nodes that changed at a moment, as they were from then on, and the names of those that were removed."""

    at: int
    nodes: tuple[Document, ...]
    removed: tuple[str, ...]


class RecordedStretch(Struct, frozen=True):
    """What was recorded from one moment to another: the cluster at the first, and who came and went until the last.

    ``pods`` are in the order in which they were tried first. ``leaving``: pods on nodes from the beginning that went,
    with when, but for those that were preempted. ``nodes`` are in the order of their moments, which differ.
    """

    snapshot: Snapshot
    length: int
    pods: Sequence[RecordedPod] = ()
    leaving: Sequence[tuple[Document, int]] = ()
    nodes: Sequence[NodesAtMoment] = ()


class ReplayedPod(Struct, frozen=True):
    """How the replay ended for a recorded pod; ``message``: the scheduler's, of a pod without a node.

    ``is_uncertain``: it runs on its node only if what is not computed lets it; ``is_computed``: no attempt failed.
    """

    node: str = ""
    ending: PodEnding = PodEnding.PENDING
    message: str = ""
    is_uncertain: bool = False
    is_computed: bool = True


class ReplayedStretch(Struct, frozen=True):
    """A stretch that was scheduled again; ``pods`` are in the order of the recorded ones.

    ``preempted``: pods on nodes from the beginning that had to go for others, as ``namespace/name``. ``lost``: pods
    that were on a node when it was removed, where the recorded ones were not. ``node_of``: all nodes that there were.
    """

    pods: tuple[ReplayedPod, ...]
    preempted: tuple[str, ...]
    lost: int
    node_of: Mapping[str, Node]


def replay_stretch(
    stretch: RecordedStretch, configuration: SchedulerConfiguration, check: Callable[[], None] = lambda: None
) -> ReplayedStretch:
    """Schedule the pods of a stretch under a configuration; among equally good nodes the recorded one is taken.

    ``check`` is called before each step, and may end the replay by raising an error.
    """
    return _Course(stretch, configuration, check).run()


class _Course:
    """The cluster in the course of the replay: one simulation from each change of nodes to the next."""

    def __init__(
        self, stretch: RecordedStretch, configuration: SchedulerConfiguration, check: Callable[[], None]
    ) -> None:
        self._stretch, self._configuration, self._check = stretch, configuration, check
        self._snapshot = stretch.snapshot.copy()
        self._replayed = [ReplayedPod() for _ in stretch.pods]
        self._numbers: dict[str, list[int]] = defaultdict(list)
        for number, each in enumerate(stretch.pods):
            self._numbers[key_of(each.pod)].append(number)
        self._pending: list[int] = []
        # Pods on nodes that are going to leave, with when.
        self._leaving = {key_of(pod): (pod, at) for pod, at in stretch.leaving}
        self._preempted: list[str] = []
        self._lost = 0
        self._node_of = {node.name: node for node in self._snapshot.nodes.nodes}

    def run(self) -> ReplayedStretch:
        moments = self._stretch.nodes
        # What happens at the last moment is part of the stretch.
        ends = [*(each.at for each in moments), self._stretch.length + 1]
        self._simulate(0, ends[0])
        for moment, end in zip(moments, ends[1:], strict=True):
            self._change_nodes(moment)
            self._simulate(moment.at, end)
        return ReplayedStretch(tuple(self._replayed), tuple(self._preempted), self._lost, self._node_of)

    def _change_nodes(self, moment: NodesAtMoment) -> None:
        for name in moment.removed:
            for key in [key for key in self._snapshot.pods.slot_of if self._snapshot.placed_on(key) == name]:
                number = self._number_of(key, moment.at)
                self._lost += number is not None and self._stretch.pods[number].node != name
                namespace, _, pod = key.partition("/")
                self._snapshot.delete({"kind": "Pod", "metadata": {"namespace": namespace, "name": pod}})
                self._leaving.pop(key, None)
            self._snapshot.delete({"kind": "Node", "metadata": {"name": name}})
        for document in moment.nodes:
            self._snapshot.upsert(document)
            self._node_of[name_of(document)] = self._snapshot.nodes.nodes[self._snapshot.nodes.index[name_of(document)]]

    def _number_of(self, key: str, now: int) -> int | None:
        """The recorded pod that bears a name at a moment, None where that was there from the beginning."""
        came = [number for number in self._numbers.get(key, ()) if self._stretch.pods[number].at <= now]
        return came[-1] if came else None

    def _simulate(self, begin: int, end: int) -> None:
        pods = self._stretch.pods
        arriving = [number for number, each in enumerate(pods) if begin <= each.at < end]
        numbers = [*self._pending, *arriving]
        simulation = Simulation(
            Case(
                self._snapshot,
                self._configuration,
                [self._wanted(pods[number], begin, end) for number in numbers],
                placed={key: pod for key, (pod, _) in self._leaving.items()},
                leaving={key: max(0, at - begin) for key, (_, at) in self._leaving.items() if at < end},
                replaces=False,
                preferred={key_of(pods[number].pod): pods[number].node for number in numbers},
            )
        )
        self._check()
        for step in simulation:
            self._note(step, begin + step.at)
            self._check()
        self._snapshot = simulation.snapshot.copy()
        self._pending = [number for number in numbers if self._is_pending(number, end, simulation)]
        kept = {key: left for key, left in self._leaving.items() if left[1] >= end}
        for number in numbers:
            pod = pods[number]
            if pod.until is not None and pod.until >= end and self._replayed[number].ending is PodEnding.ON_NODE:
                kept[key_of(pod.pod)] = pod.pod, pod.until
        self._leaving = kept

    def _wanted(self, pod: RecordedPod, begin: int, end: int) -> Wanted:
        leaves = None if pod.until is None or pod.until >= end else max(0, pod.until - begin)
        return Wanted(pod.pod, max(0, pod.at - begin), leaves)

    def _is_pending(self, number: int, end: int, simulation: Simulation) -> bool:
        key = key_of(self._stretch.pods[number].pod)
        return key in simulation.waiting and self._number_of(key, end - 1) == number

    def _note(self, step: Step, now: int) -> None:
        number = self._number_of(step.pod, now)
        if number is None:
            if step.outcome is Outcome.PREEMPTED:
                self._preempted.append(step.pod)
            return
        if step.outcome is Outcome.PLACED:
            is_uncertain = bool(step.uncertain)
            self._replayed[number] = ReplayedPod(step.node, PodEnding.ON_NODE, is_uncertain=is_uncertain)
        elif step.outcome is Outcome.PREEMPTED:
            self._replayed[number] = ReplayedPod(ending=PodEnding.ABSENT)
        elif step.outcome is Outcome.NOT_COMPUTED:
            self._replayed[number] = ReplayedPod(is_computed=False)
        elif step.outcome is not Outcome.COMPLETED:
            self._replayed[number] = ReplayedPod(message=step.message)
