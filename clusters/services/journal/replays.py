"""A stretch of the journal scheduled again under a configuration, beside what was recorded."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final, NamedTuple

from clusters.engine.journal.replaying import replay_stretch
from clusters.engine.objects import key_of, labels_of, namespace_of
from clusters.engine.simulation.affected import named_workload
from clusters.engine.simulation.comparison import MovedPod, MovedPods, PodEnding
from clusters.engine.workloads.pod_template import TEMPLATE_HASH, Controller, Workload
from clusters.services.computing import deadlines
from clusters.services.computing.caches import Cache
from clusters.services.journal.stretches import stretch_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from clusters.engine import Snapshot
    from clusters.engine.configuration import SchedulerConfiguration
    from clusters.engine.objects import Document
    from clusters.models import Cluster, Decision
    from clusters.services.journal.stretches import LeftOut

_KEPT: Final = 4


class ReplayedDecision(NamedTuple):
    """A recorded decision about a pod beside what the replay came to; ``message`` is why the pod is pending there."""

    decision: Decision
    pod: MovedPod
    message: str
    is_uncertain: bool

    @property
    def is_alike(self) -> bool:
        """Whether both came to the same."""
        return (self.pod.left, self.pod.left_end) == (self.pod.right, self.pod.right_end)


class WorkloadReplay(NamedTuple):
    """How the pods of a workload, or of all, came out; ``others`` were preempted in one of both."""

    pods: int
    same: int
    elsewhere: int
    pending_there: int
    pending_here: int
    others: int


class StretchReplay(NamedTuple):
    """A stretch of the journal scheduled again.

    ``moved``: the pods that ended elsewhere, also those that were there from the beginning and were preempted in one
    of both. ``not_computed`` counts attempts that failed, ``lost`` pods that were on a node that was removed.
    """

    rows: tuple[ReplayedDecision, ...]
    total: WorkloadReplay
    by_workload: tuple[tuple[Workload, WorkloadReplay], ...]
    moved: MovedPods
    preempted_here: int
    preempted_there: int
    left_out: LeftOut
    claims: int
    not_computed: int
    lost: int

    @property
    def uncertain(self) -> int:
        """How many pods are on their nodes only if what is not computed lets them."""
        return sum(row.is_uncertain for row in self.rows)


_replays: Final[Cache[tuple[object, ...], StretchReplay]] = Cache("replays of the journal", _KEPT)


def replay_of(
    *, cluster: Cluster, start: datetime, end: datetime, configuration: SchedulerConfiguration, name: str
) -> StretchReplay:
    """Return a stretch scheduled again under a configuration, which has a name; it is shared: leave it as it is.

    Raises StretchError, UnknownPastError, ChangingTooFastError and OverTimeError.
    """
    key = cluster.pk, cluster.created_at, start, end, name
    version = cluster.revision, configuration
    return _replays.get(key, lambda: _replayed(cluster, start, end, configuration), version=version)


def _replayed(cluster: Cluster, start: datetime, end: datetime, configuration: SchedulerConfiguration) -> StretchReplay:
    stretch = stretch_of(cluster, start, end, configuration)
    found = replay_stretch(stretch.recorded, configuration, deadlines.check)
    rows = []
    for recorded, decision, replayed in zip(stretch.recorded.pods, stretch.decisions, found.pods, strict=True):
        if replayed.is_computed:
            pod = MovedPod(
                key_of(recorded.pod),
                _workload(recorded.pod),
                recorded.node if recorded.ending is PodEnding.ON_NODE else "",
                replayed.node,
                recorded.ending,
                replayed.ending,
            )
            rows.append(ReplayedDecision(decision, pod, replayed.message, replayed.is_uncertain))
    nodes = found.node_of
    moved = [row.pod for row in rows if not row.is_alike]
    moved += _preempted_in_one(stretch.recorded.snapshot, stretch.preempted, frozenset(found.preempted))
    drawn = tuple(pod for pod in moved if all(name in nodes for name in (pod.left, pod.right) if name))
    by_workload: dict[Workload, list[ReplayedDecision]] = {}
    for row in rows:
        by_workload.setdefault(row.pod.workload, []).append(row)
    counted = [(workload, _counted(some)) for workload, some in by_workload.items()]
    endings = Counter(("left", row.pod.left_end) for row in rows) + Counter(
        ("right", row.pod.right_end) for row in rows
    )
    return StretchReplay(
        rows=tuple(rows),
        total=_counted(rows),
        by_workload=tuple(sorted(counted, key=lambda each: (each[1].same - each[1].pods, each[0]))),
        moved=MovedPods(drawn, tuple(nodes[name] for name in sorted(nodes)), frozenset(), frozenset()),
        preempted_here=len(stretch.preempted) + endings["left", PodEnding.ABSENT],
        preempted_there=len(found.preempted) + endings["right", PodEnding.ABSENT],
        left_out=stretch.left_out,
        claims=stretch.claims,
        not_computed=len(found.pods) - len(rows),
        lost=found.lost,
    )


def _preempted_in_one(snapshot: Snapshot, here: frozenset[str], there: frozenset[str]) -> list[MovedPod]:
    """Return the pods on nodes from the beginning that were preempted here or there, and not in both."""
    found = []
    for key in sorted(here ^ there):
        node, slot = snapshot.placed_on(key), snapshot.pods.slot_of.get(key)
        if node is None or slot is None:
            continue
        workload = named_workload(key, snapshot.pods.templates[int(snapshot.pods.template[slot])].workload)
        ends = (PodEnding.ABSENT, PodEnding.ON_NODE) if key in here else (PodEnding.ON_NODE, PodEnding.ABSENT)
        nodes = [node if end is PodEnding.ON_NODE else "" for end in ends]
        found.append(MovedPod(key, workload, nodes[0], nodes[1], *ends))
    return found


def _workload(pod: Document) -> Workload:
    made = Workload.of(namespace_of(pod), Controller.of(pod), labels_of(pod).get(TEMPLATE_HASH, ""))
    return named_workload(key_of(pod), made)


def _counted(rows: Sequence[ReplayedDecision]) -> WorkloadReplay:
    on_node, pending = PodEnding.ON_NODE, PodEnding.PENDING
    ends = Counter((row.pod.left_end, row.pod.right_end) for row in rows)
    same = sum(row.is_alike for row in rows)
    elsewhere = sum(row.pod.left != row.pod.right for row in rows if row.pod.left and row.pod.right)
    there, here = ends[on_node, pending], ends[pending, on_node]
    return WorkloadReplay(len(rows), same, elsewhere, there, here, len(rows) - same - elsewhere - there - here)
