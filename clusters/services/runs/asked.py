"""What changes come to, pod by pod and node by node: asked on the map of a cluster, or of a stored run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import orjson
from msgspec import Struct

from clusters.engine.simulation import STAYED, Origin, Outcome
from clusters.services.computing import Cache
from clusters.services.evaluation import Progress, Question, WorkersAwayError
from clusters.services.mirror.bases import present
from clusters.services.mirror.snapshots import snapshot_of
from clusters.services.runs.cases import base_under, notes_of
from clusters.services.runs.results import carry_out, finished, origins_of
from clusters.services.runs.spec import CLUSTER, VERSION, Spec, read_spec
from clusters.services.runs.starting import settled

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from clusters.engine import Snapshot
    from clusters.engine.columns import NodeTable
    from clusters.engine.objects import Node
    from clusters.engine.simulation import Base, Finished
    from clusters.models import Cluster, SimulationRun


class PodMove(Struct, frozen=True):
    """A pod that ends on another node than it began, itself or who came in its place; an empty name is no node.

    ``message``: why a pending one has no node, as the scheduler says it. ``is_added``: the changes bring it.
    ``is_aside``: the changes take nodes away or bring pods, and no nodes, and it was on none of these and is none of
    those: it gave way to a pod, or was pending before. ``is_preempted``: it, or who came in its place, gave way to a
    pod.
    """

    pod: str
    source: str
    target: str
    is_pending: bool
    message: str = ""
    is_added: bool = False
    is_aside: bool = False
    is_preempted: bool = False


class StayingPod(NamedTuple):
    """A pod that a drain left on its node; ``message``: why, as the API server or kubectl says it."""

    pod: str
    node: str
    message: str


class AskedOutcome(Struct, frozen=True):
    """What changes come to.

    ``ends``: what the summary of a stored run says of pods and nodes. ``moves``: those aside last, in the order in
    which it was decided about the pods. By name of a node: ``gone`` are not there any more, ``drained`` were to be
    drained, ``down`` do not report to be ready any more. ``kept``: the pods that drains left behind. ``added`` are the
    nodes that come.
    """

    ends: Mapping[str, Any]
    moves: tuple[PodMove, ...]
    gone: frozenset[str]
    drained: frozenset[str]
    down: frozenset[str]
    kept: tuple[StayingPod, ...]
    added: tuple[Node, ...]


QUESTION: Final[Question[AskedOutcome]] = Question("map")


def outcome_of(*, cluster: Cluster, changes: Sequence[Mapping[str, Any]]) -> AskedOutcome | Progress:
    """Return what changes to the cluster as it is now come to, or how far the worker is that finds out.

    Raises SpecError, ConfigurationError, ChangingTooFastError and WorkersAwayError.
    """
    spec = settled(read_spec({"version": VERSION, "base": {"kind": CLUSTER}, "changes": list(changes)}), cluster)
    subject = orjson.dumps(spec.changes).decode()
    with QUESTION.answered(cluster, subject, snapshot=snapshot_of(cluster)) as answers:
        found = answers.of(b"", lambda: _outcome(present(cluster)[1], spec, cluster.kube_version, answers.check))
    if found is None and not answers.is_asked:
        raise WorkersAwayError
    return found or QUESTION.progress(cluster, subject) or Progress()


def _outcome(base: Base, spec: Spec, kube_version: str, check: Callable[[], object]) -> AskedOutcome:
    carried = carry_out(base, spec, check)
    ends = carried.results.ends(notes_of(spec, carried.prepared, kube_version))
    return _came_to(base.snapshot, carried.finished, ends)


def outcome_of_run(run: SimulationRun) -> tuple[NodeTable, AskedOutcome]:
    """Return the nodes that a run begins with, and what it comes to once it is done; both are shared.

    Raises SpecError and ChangingTooFastError.
    """
    before = base_under(run, Spec.stored(run.spec)).snapshot
    key = run.pk, run.created_at
    return before.nodes, _outcomes.get(key, lambda: _came_to(before, finished(run), run.summary or {}))


# A page asks for it again with each node that somebody points at.
_outcomes: Final[Cache[tuple[int, object], AskedOutcome]] = Cache("outcomes of runs", 4)


def _came_to(before: Snapshot, over: Finished, ends: Mapping[str, Any]) -> AskedOutcome:
    case, end = over.case, over.simulation.snapshot
    names, after = before.nodes.index.keys(), end.nodes.index.keys()
    gone, added = names - after, after - names
    drained, down = frozenset(case.drained), frozenset((*case.unreachable, *case.not_ready))
    return AskedOutcome(
        ends=ends,
        moves=tuple(_moves(before, over, gone | drained | down, are_nodes_added=bool(added))),
        gone=frozenset(gone),
        drained=drained,
        down=down,
        kept=_kept(over),
        added=tuple(end.nodes.nodes[end.nodes.index[name]] for name in sorted(added)),
    )


def _moves(before: Snapshot, over: Finished, taken: Collection[str], *, are_nodes_added: bool) -> list[PodMove]:
    """Return who ends elsewhere; ``taken`` are the nodes that the changes take away."""
    pods, names = before.pods, before.nodes.names
    places = pods.node.tolist()
    began = {key: names[places[slot]] for key, slot in pods.slot_of.items() if places[slot] >= 0}
    last = over.last_steps
    origins = origins_of(over.case)
    waited = {pod for pod, origin in origins.items() if origin is Origin.PENDING_BEFORE}
    left = set(over.pending) - waited
    has_aside = not are_nodes_added and (bool(taken) or Origin.ADDED in origins.values())
    preempted = {over.first_of(step.pod) for step in over.steps if step.outcome is Outcome.PREEMPTED}

    def goes_with_its_node(pod: str) -> bool:
        """Whether nobody misses a pod that is gone: its DaemonSet wants it for its node alone."""
        return pod in began and pods.templates[pods.template[pods.slot_of[pod]]].is_pinned

    def move_of(pod: str, source: str, target: str) -> PodMove:
        is_pending = pod in over.pending
        is_asked_about = source in taken or origins.get(pod) in (Origin.ADDED, Origin.DISPLACED)
        return PodMove(
            pod,
            source,
            target,
            is_pending,
            message=last[pod].message if is_pending else "",
            is_added=origins.get(pod) is Origin.ADDED,
            is_aside=has_aside and not is_asked_about,
            is_preempted=pod in preempted,
        )

    return sorted(
        (
            move_of(pod, source, target)
            for pod in began.keys() | over.nodes.keys() | over.pending
            if ((source := began.get(pod, "")) != (target := over.nodes.get(pod, "")) or pod in left)
            and (target or pod in over.pending or not goes_with_its_node(pod))
        ),
        key=lambda move: (move.is_aside, last[move.pod].number if move.pod in last else -1, move.pod),
    )


def _kept(over: Finished) -> tuple[StayingPod, ...]:
    kept = {step.pod: step for step in over.steps if step.outcome in STAYED}
    return tuple(
        StayingPod(over.first_of(pod), step.node, step.message)
        for pod, step in kept.items()
        if over.nodes.get(over.first_of(pod)) == step.node
    )
