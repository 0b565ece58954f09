"""A stretch of a cluster's past, scheduled again: pods and nodes come and go as recorded, under another configuration.

What a preempted pod's controller would create is recorded of the original alone, so nobody is replaced here.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from clusters.engine.objects import key_of, name_of
from clusters.engine.simulation import Case, Outcome, Simulation, Wanted
from clusters.engine.simulation.comparison import PodEnding

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from clusters.engine.configuration import SchedulerConfiguration
    from clusters.engine.objects import Document, Node
    from clusters.engine.simulation import Step
    from clusters.engine.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class RecordedPod:
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


@dataclass(frozen=True, slots=True)
class NodesAtMoment:
    """The nodes that changed at a moment, as they were from then on, and the names of those that were removed."""

    at: int
    nodes: tuple[Document, ...]
    removed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RecordedStretch:
    """What was recorded from one moment to another: the cluster at the first, and who came and went until the last.

    ``pods`` are in the order in which they were tried first. ``leaving``: pods on nodes from the beginning that went,
    with when, but for those that were preempted. ``nodes`` are in the order of their moments, which differ.
    """

    snapshot: Snapshot
    length: int
    pods: Sequence[RecordedPod] = ()
    leaving: Sequence[tuple[Document, int]] = ()
    nodes: Sequence[NodesAtMoment] = ()


@dataclass(frozen=True, slots=True)
class ReplayedPod:
    """How the replay ended for a recorded pod; ``message``: the scheduler's, of a pod without a node.

    ``is_uncertain``: it runs on its node only if what is not computed lets it; ``is_computed``: no attempt failed.
    """

    node: str = ""
    ending: PodEnding = PodEnding.PENDING
    message: str = ""
    is_uncertain: bool = False
    is_computed: bool = True


@dataclass(frozen=True, slots=True)
class ReplayedStretch:
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
