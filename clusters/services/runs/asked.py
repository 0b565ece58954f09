"""What the map of a cluster is asked: what some changes come to at once, pod by pod and node by node."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import orjson

from clusters.engine.simulation import STAYED
from clusters.services.evaluation import Progress, Question, WorkersAwayError
from clusters.services.mirror.bases import present
from clusters.services.mirror.snapshots import snapshot_of
from clusters.services.runs.cases import notes_of
from clusters.services.runs.results import carry_out
from clusters.services.runs.spec import CLUSTER, VERSION, read_spec
from clusters.services.runs.starting import settled

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from clusters.engine import Snapshot
    from clusters.engine.objects import Node
    from clusters.engine.simulation import Base
    from clusters.models import Cluster
    from clusters.services.runs.results import Carried
    from clusters.services.runs.spec import Spec


@dataclass(frozen=True, slots=True)
class PodMove:
    """A pod that ends on another node than it began, itself or who came in its place; an empty name is no node.

    ``message``: why a pending one has no node, as the scheduler says it.
    """

    pod: str
    source: str
    target: str
    is_pending: bool
    message: str = ""


@dataclass(frozen=True, slots=True)
class AskedOutcome:
    """What changes come to.

    ``ends``: what the summary of a stored run says of pods and nodes. ``moves``: in the order in which it was decided
    about the pods. By name of a node: ``gone`` are not there any more, ``drained`` were to be drained, ``down`` do not
    report to be ready any more; ``kept`` says how many pods a drain left behind. ``added`` are the nodes that come.
    """

    ends: Mapping[str, Any]
    moves: tuple[PodMove, ...]
    gone: frozenset[str]
    drained: frozenset[str]
    down: frozenset[str]
    kept: Mapping[str, int]
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
    case, end = carried.prepared.case, carried.finished.simulation.snapshot
    before, after = base.snapshot.nodes.index.keys(), end.nodes.index.keys()
    return AskedOutcome(
        ends=carried.results.ends(notes_of(spec, carried.prepared, kube_version)),
        moves=tuple(_moves(base.snapshot, carried)),
        gone=frozenset(before - after),
        drained=frozenset(case.drained),
        down=frozenset((*case.unreachable, *case.not_ready)),
        kept=_kept(carried),
        added=tuple(end.nodes.nodes[end.nodes.index[name]] for name in sorted(after - before)),
    )


def _moves(before: Snapshot, carried: Carried) -> list[PodMove]:
    finished = carried.finished
    places, names = before.pods.node.tolist(), before.nodes.names
    began = {key: names[places[slot]] for key, slot in before.pods.slot_of.items() if places[slot] >= 0}
    last = finished.last_steps
    return sorted(
        (
            PodMove(pod, source, target, *((True, last[pod].message) if pod in finished.pending else (False, "")))
            for pod in began.keys() | finished.nodes.keys() | finished.pending
            if (source := began.get(pod, "")) != (target := finished.nodes.get(pod, ""))
        ),
        key=lambda move: (last[move.pod].number if move.pod in last else -1, move.pod),
    )


def _kept(carried: Carried) -> dict[str, int]:
    finished = carried.finished
    kept = {step.pod: step.node for step in finished.steps if step.outcome in STAYED}
    return dict(Counter(node for pod, node in kept.items() if finished.nodes.get(finished.first_of(pod)) == node))
