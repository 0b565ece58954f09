"""Which pending pods fit on one node now, and which filters reject the others there."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from django.conf import settings
from msgspec import Struct
from msgspec.structs import replace

from clusters.engine import Explanation, Profile, SchedulerConfiguration, Snapshot, UnknownScheduler, explain
from clusters.engine.objects import key_of, labels_of
from clusters.engine.owners import TEMPLATE_HASH, Controller, Workload
from clusters.engine.scheduling import Failure
from clusters.engine.status import Status, failure
from clusters.models import PENDING, Cluster, Pod
from clusters.services.computing import Cache
from clusters.services.decisions.explain import AlikePods, attempted
from clusters.services.evaluation import Answers, Evaluation, Question
from clusters.services.mirror.past import pending_pods
from clusters.services.mirror.snapshots import configuration_of, snapshot_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from clusters.engine.conclusion import Uncertainty
    from clusters.engine.evidence import Comparison
    from clusters.models.cluster import Moment

# So many pods of one making are named.
NAMED = 5


class Obstacle(Struct, frozen=True):
    """One filter that rejects the node, and what it compared there that does not hold."""

    plugin: str
    status: Status
    evidence: tuple[Comparison, ...]


class Candidate(Struct, frozen=True):
    """Pods of one making that wait, the oldest first: ``number`` of them, of which ``names`` are some.

    ``is_asked``: whether the node was asked about; where not, a worker is at it. ``scheduler`` is set for pods of a
    scheduler that is not known here; ``failed`` is the reference in the log where the answer could not be computed;
    ``gates`` hold the pods back wherever they fit. ``is_stopped``: the scheduler gives up before it asks any node, for
    the only obstacle. ``fits``: no filter rejects the node; then it ``is_best`` if no node scores higher, and
    ``feasible`` nodes would take the pod. ``uncertain``: what could reject it all the same and is not computed.
    ``together``: how many of them what is left of the node is enough for.
    """

    workload: Workload
    names: tuple[tuple[str, str], ...]
    number: int
    requests: Mapping[str, int]
    is_asked: bool = True
    scheduler: str = ""
    failed: str = ""
    gates: tuple[str, ...] = ()
    is_stopped: bool = False
    fits: bool = False
    is_best: bool = False
    feasible: int = 0
    obstacles: tuple[Obstacle, ...] = ()
    uncertain: tuple[Uncertainty, ...] = ()
    together: int = 0

    @property
    def is_close(self) -> bool:
        """Whether one filter alone stands in the way."""
        return self.is_asked and not self.fits and not self.is_stopped and len(self.obstacles) == 1

    @property
    def order(self) -> tuple[int, int]:
        """Those that fit first, then those that nearly do; the most pods first."""
        rank = 0 if self.fits and not self.gates else 1 if self.is_close else 2 if self.is_asked else 3
        return rank, -self.number


class TakerCounts(NamedTuple):
    """How many pods are pending, and how many of them fit on the node, as far as all is certain."""

    total: int
    fits: int


class Takers(NamedTuple):
    """What a node would do with all pending pods.

    ``earlier``: the last evaluation of all (TakerCounts), while a worker is at a later one.
    """

    candidates: tuple[Candidate, ...]
    total: int
    earlier: Evaluation | None = None

    @property
    def counts(self) -> TakerCounts:
        """The sum of it."""
        fits = sum(each.number for each in self.candidates if each.fits and not (each.gates or each.uncertain))
        return TakerCounts(self.total, fits)

    @property
    def evaluating(self) -> int:
        """How many pods a worker still asks the node about."""
        return sum(each.number for each in self.candidates if not (each.is_asked or each.scheduler or each.failed))


QUESTION: Final[Question[Candidate]] = Question("node-candidates")
_latest: Cache[Moment, Takers] = Cache(
    "candidates for nodes", settings.BERTH_SNAPSHOTS_IN_MEMORY, keeps=lambda takers: not takers.evaluating
)


def takers_of(*, cluster: Cluster, node: str) -> Takers:
    """Return what a node would do with the pending pods, each judged by itself in the cluster's present state.

    The result is shared with others who ask for it: leave it as it is. Raises LookupError for a node that the cluster
    does not have, ConfigurationError for a configuration that cannot be read, and ChangingTooFastError.
    """
    configuration = configuration_of(cluster)
    snapshot = snapshot_of(cluster)
    row = snapshot.nodes.index[node]
    return _latest.get(
        cluster.moment,
        lambda: _computed(cluster, snapshot, configuration, row),
        version=(snapshot, repr(configuration), node),
    )


def _computed(cluster: Cluster, snapshot: Snapshot, configuration: SchedulerConfiguration, row: int) -> Takers:
    pods: Iterable[Mapping[str, Any]]
    if cluster.past is None:
        rows = Pod.objects.filter(PENDING, cluster=cluster).order_by("created_at", "namespace", "name")
        pods = rows.values_list("object", flat=True).iterator(2_000)
    else:
        found = sorted(pending_pods(cluster), key=_age)
        pods = [pod.object for pod in found]
    with QUESTION.answered(cluster, snapshot.nodes.names[row], snapshot=snapshot) as answers:
        candidates = candidates_for(snapshot, configuration, row, pods, answers)
    return Takers(tuple(candidates), sum(candidate.number for candidate in candidates), answers.earlier)


def _age(pod: Pod) -> tuple[Any, ...]:
    return pod.created_at is None, pod.created_at, pod.namespace, pod.name


def candidates_for(
    snapshot: Snapshot,
    configuration: SchedulerConfiguration,
    row: int,
    pods: Iterable[Mapping[str, Any]],
    answers: Answers[Candidate],
) -> list[Candidate]:
    """Ask one node about each making of pods; those that fit come first, then those with one thing in the way."""
    alike = AlikePods(snapshot)
    known: dict[bytes, Candidate] = {}
    for pod in pods:
        metadata = pod.get("metadata") or {}
        name = (str(metadata.get("namespace") or ""), str(metadata.get("name") or ""))
        try:
            profile = configuration.profile_for(pod)
        except UnknownScheduler as error:
            key = b"\0" + error.scheduler_name.encode()
            if key not in known:
                known[key] = replace(_unasked(pod), scheduler=error.scheduler_name)
        else:
            key = alike.key(pod, profile)
            if key not in known:
                known[key] = answers.of(key, partial(_explained, snapshot, pod, profile, row)) or _unasked(pod)
        found = known[key]
        names = (*found.names, name) if len(found.names) < NAMED else found.names
        known[key] = replace(found, names=names, number=found.number + 1)
    return sorted(known.values(), key=lambda candidate: candidate.order)


def _unasked(pod: Mapping[str, Any]) -> Candidate:
    metadata = pod.get("metadata") or {}
    workload = Workload.of(
        str(metadata.get("namespace") or ""), Controller.of(pod), labels_of(pod).get(TEMPLATE_HASH, "")
    )
    return Candidate(workload, (), 0, {}, is_asked=False)


def _explained(snapshot: Snapshot, pod: Mapping[str, Any], profile: Profile, row: int) -> Candidate:
    found = attempted(key_of(pod), lambda: _asked(explain(snapshot, pod, profile), row, pod))
    return replace(_unasked(pod), failed=found.reference) if isinstance(found, Failure) else found


def _asked(explanation: Explanation, row: int, pod: Mapping[str, Any]) -> Candidate:
    requests = explanation.pod.requests
    fits = explanation.verdict_of(row) is None and explanation.error is None
    return replace(
        _unasked(pod),
        is_asked=True,
        requests=requests,
        gates=explanation.pod.scheduling_gates,
        is_stopped=explanation.cycle.stopped_by is not None,
        fits=fits,
        is_best=fits and row in explanation.cycle.choices,
        feasible=len(explanation.cycle.feasible),
        obstacles=() if fits else _obstacles(explanation, row),
        uncertain=explanation.uncertainties if fits else (),
        together=_together(explanation.snapshot, row, requests),
    )


def _obstacles(explanation: Explanation, row: int) -> tuple[Obstacle, ...]:
    """Every filter that rejects the node, with nominated pods counted; else what keeps the scheduler from asking it."""
    error, stopped = explanation.error, explanation.cycle.stopped_by
    if error is not None:
        return (Obstacle(error.plugin, failure(error.message), ()),)
    if stopped is not None:
        return (Obstacle(stopped.plugin, stopped.status, ()),)
    rejections = {**explanation.rejections_of(row), **explanation.rejections_with_nominated(row)}
    verdict = explanation.verdict_of(row)
    if not rejections and verdict is not None:
        return (Obstacle(verdict.plugin, verdict.status, ()),)
    evidence = explanation.evidence(row)
    return tuple(
        Obstacle(plugin, status, tuple(each for each in evidence.get(plugin, ()) if not each.holds))
        for plugin, status in rejections.items()
    )


def _together(snapshot: Snapshot, row: int, requests: Mapping[str, int]) -> int:
    """How many pods with these requests what is left of the node is enough for, the pod limit included."""
    nodes = snapshot.nodes
    room = [int(nodes.allowed_pods[row] - nodes.pod_count[row])]
    for name, asked in requests.items():
        column = nodes.resource(name)
        if asked > 0:
            left = 0 if column is None else int(nodes.allocatable[row, column] - nodes.requested[row, column])
            room.append(left // asked)
    return max(0, min(room))
