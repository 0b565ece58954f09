"""The summary of a run: the cluster in numbers before and after, workloads, drains, groups and pending pods."""

from __future__ import annotations

from collections import Counter
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from clusters.adapters.flow import FlowError, is_installed, solve
from clusters.documents.explanation import cause_document
from clusters.documents.values import constraint_document, plain_json, value_document
from clusters.documents.words import group_document
from clusters.engine import Profile, SchedulerConfiguration, Snapshot, UnknownScheduler, explain
from clusters.engine.analysis import Cause, Kind, PendingFinding, failed, finding_of
from clusters.engine.objects import Document, key_of, labels_of
from clusters.engine.owners import TEMPLATE_HASH, Controller, Workload
from clusters.engine.scheduling import Failure
from clusters.engine.simulation import (
    POD_GROUP,
    STAYED,
    Affected,
    Base,
    BatchSimulation,
    Case,
    GroupResult,
    Outcome,
    Quorum,
    Simulation,
    Step,
    WorkloadEffect,
    budget_measures,
    fragmentation_of,
    group_results,
    groups_named,
    measures_of,
    reference_shapes,
    running_pods,
    spread_measures,
)
from clusters.models.cluster import packed
from clusters.services.computing import Cache
from clusters.services.decisions.explain import AlikePods, attempted
from clusters.services.journal.timeline import decision_document
from clusters.services.pending.pods import CauseGroup, WaitingPod, grouped_by_cause
from clusters.services.runs.cases import prepared_on
from clusters.services.runs.spec import BATCH, PODS, Spec

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from clusters.engine.admission import CreationRefusal
    from clusters.engine.conclusion import Uncertainty
    from clusters.engine.podgroups import PodGroupKey
    from clusters.models import RunPod


# A cluster in numbers, as the summary of a run has it before and after.


class MeasuredBase:
    """What a run begins with, before anything is changed: the pods that run, and ``measures`` in numbers."""

    def __init__(self, case: Case) -> None:
        self._case = case
        self._wanted = [each.pod for each in case.wanted]
        self.running = running_pods(case.snapshot, self._wanted)

    @cached_property
    def measures(self) -> dict[str, Any]:
        """The numbers; they take longer than most questions, which do without."""
        found = measured(self._case.snapshot, self._wanted, self._case.configuration)
        # It is large, and not asked for again.
        del self._case
        return found


def measured(snapshot: Snapshot, waiting: Sequence[Document], configuration: SchedulerConfiguration) -> dict[str, Any]:
    """Measure a cluster and the pending pods beside it, in plain values."""
    shapes = reference_shapes(snapshot, waiting)
    found = {
        "cluster": measures_of(snapshot, waiting),
        "spread": spread_measures(snapshot, configuration.profiles, waiting),
        "budgets": budget_measures(snapshot, waiting),
    }
    plain: dict[str, Any] = plain_json(found)
    plain["cluster"]["fragmentation"] = plain_json(fragmentation_of(snapshot, configuration, shapes))
    return plain


# Runs that are asked for one after the other, as in a sweep, begin with the same.
_bases: Final[Cache[str, MeasuredBase]] = Cache("measures of bases", 2)


def measured_base(base: Base, spec: Spec) -> MeasuredBase | None:
    """Measure what a run begins with, before anything is changed; None where nothing is. Raises SpecError."""
    if not spec.changes:
        return None
    return _bases.get(
        repr(spec.configuration),
        lambda: MeasuredBase(prepared_on(base, replace(spec, changes=())).case),
        version=base.snapshot,
    )


# What a run did to workloads and budgets, as its summary keeps it.

# So many workloads and budgets are listed, the gravest first; all of them are counted.
_MOST_LISTED: Final = 200


def effect_of(each: Mapping[str, Any]) -> WorkloadEffect:
    """Return what became of a workload, as `affected_document` lists it."""
    if each["quorum"] == "lost":
        return WorkloadEffect.LOSES_QUORUM
    if each["missing"] and not each["after"]:
        return WorkloadEffect.STOPPED
    if each["quorum"] == "interrupted":
        return WorkloadEffect.QUORUM_INTERRUPTED
    if each["missing"]:
        return WorkloadEffect.RUNS_FEWER
    return WorkloadEffect.MORE_PENDING if each["pending"] else WorkloadEffect.RECREATED


def affected_document(found: Affected) -> dict[str, Any]:
    """Return how many workloads are affected, how gravely, and the first of them; the same of broken budgets."""
    quorums = Counter(each.quorum for each in found.workloads)
    return {
        "workloads": len(found.workloads),
        "fewer": sum(bool(each.missing) for each in found.workloads),
        "stopped": sum(each.is_stopped for each in found.workloads),
        "quorum_lost": quorums[Quorum.LOST],
        "quorum_interrupted": quorums[Quorum.INTERRUPTED],
        "left": sum(each.left for each in found.workloads),
        "pending": sum(each.pending for each in found.workloads),
        "budgets": len(found.budgets),
        "first": [
            {
                "namespace": each.workload.namespace,
                "kind": each.workload.kind,
                "name": each.workload.name,
                "before": each.before,
                "left": each.left,
                "after": each.after,
                "missing": each.missing,
                "pending": each.pending,
                "quorum": each.quorum.value,
            }
            for each in found.workloads[:_MOST_LISTED]
        ],
        "broken_budgets": [
            {"budget": each.key, "desired": each.desired, "before": each.before, "after": each.after}
            for each in found.budgets[:_MOST_LISTED]
        ],
    }


# What became of the drains of a run: which nodes keep pods, and why.

_MOST_NODES: Final = 20
_EXAMPLES: Final = 20


def drains_of(nodes: Sequence[str], steps: Iterable[Step]) -> dict[str, Any]:
    """Return how many nodes were drained, how many of these keep pods, and of the first of those which, and why.

    Each has ``node``; ``held``, pods that nothing controls; ``refused``, pods whose eviction budgets refuse, and what
    the API server says of the first. Both are a number of ``pods`` and the first few by name.
    """
    kept: dict[str, dict[str, Any]] = {}
    drained = frozenset(nodes)
    for step in steps:
        if step.outcome not in STAYED or step.by not in drained:
            continue
        usual = {"node": step.by, "held": _none(), "refused": {**_none(), "message": ""}}
        part = kept.setdefault(step.by, usual)["held" if step.outcome is Outcome.HELD else "refused"]
        part["pods"] += 1
        if len(part["examples"]) < _EXAMPLES:
            part["examples"].append(step.pod)
        if part.get("message") == "":
            part["message"] = step.message
    return {"nodes": len(nodes), "kept": len(kept), "first": list(kept.values())[:_MOST_NODES]}


def _none() -> dict[str, Any]:
    return {"pods": 0, "examples": []}


def kept_pods(summary: Mapping[str, Any]) -> list[str]:
    """Return the first pods that keep a node from being drained."""
    return [pod for node in summary["drains"]["first"] for why in ("held", "refused") for pod in node[why]["examples"]][
        :_EXAMPLES
    ]


# What a run did to each group of pods, beside what the other way to place them would have done.

# A run of more pods is not simulated a second time for the sake of its groups.
MOST_BESIDE: Final = 1_000


def pod_groups_of(case: Case, simulation: Simulation, pods: Iterable[Document]) -> list[dict[str, Any]]:
    """Return the groups that these pods of a run name: how each ends, by which ``way``, and the answer ``beside``.

    Beside a run that goes pod by pod that is the batch scheduler's, which places groups whole or not at all, and the
    other way round; None where there are too many pods, or it cannot be computed.
    """
    keys = groups_named(pods, simulation.snapshot)
    if not keys:
        return []
    others = {each.group: group_document(each) for each in _beside(case, simulation, keys)}
    way = BATCH if isinstance(simulation, BatchSimulation) else PODS
    return [
        {**group_document(each), "way": way, "beside": others.get(each.group)}
        for each in _results(case, simulation, keys)
    ]


def _results(case: Case, simulation: Simulation, keys: Sequence[PodGroupKey]) -> list[GroupResult]:
    is_batch = isinstance(simulation, BatchSimulation)
    return group_results(simulation.snapshot, keys, None if is_batch else case.configuration)


def _beside(case: Case, simulation: Simulation, keys: Sequence[PodGroupKey]) -> list[GroupResult]:
    is_batch = isinstance(simulation, BatchSimulation)
    if len(case.wanted) > MOST_BESIDE or not (is_batch or is_installed()):
        return []
    other = Simulation(case) if is_batch else BatchSimulation(case, solve, gangs=POD_GROUP)
    try:
        # What fails beside a run does not cost the run its own answer.
        ended = attempted(str(keys[0]), partial(_go_through, other))
    except FlowError:
        return []
    return [] if isinstance(ended, Failure) else _results(case, other, keys)


def _go_through(simulation: Simulation) -> None:
    for _step in simulation:
        pass


# Where a pod is when a run ends.


class PodEnd(Struct):
    """Where one pod ended; ``step`` is the number of the step that decided it.

    ``failed`` is the reference in the log of an attempt that could not be computed, else empty. ``uncertain``: what
    could have kept it from the node that took it, also if it has left that since. ``message`` is as its row holds it.
    ``refusal``: why the API server did not create it.
    """

    outcome: RunPod.Outcome
    node: str
    step: int
    attempts: int
    message: str
    plugins: tuple[str, ...]
    failed: str = ""
    uncertain: tuple[Uncertainty, ...] = ()
    refusal: CreationRefusal | None = None


# Why the pods that a run could not place are unschedulable: one explanation for pods that are alike, by cause.

# Of so many kinds of pods the explanation is kept; of those beyond only their causes.
_MOST_KEPT: Final = 500
_PENDING_PODS_EXAMPLES: Final = 5


class PendingRunPod(NamedTuple):
    """A pod without a node at the end: what the scheduler said at its last attempt, and whether it is still there.

    ``failed`` is the reference in the log of an attempt that could not be computed, else empty.
    """

    document: Document | None
    message: str
    plugins: tuple[str, ...]
    is_pending: bool
    failed: str


class PendingPods:
    """The pending pods of a run, by ``namespace/name``; those that are still there are judged on its last state."""

    def __init__(
        self, snapshot: Snapshot, configuration: SchedulerConfiguration, pods: Mapping[str, PendingRunPod]
    ) -> None:
        self._snapshot = snapshot
        self._configuration = configuration
        self._alike = AlikePods(snapshot)
        self._known: dict[bytes, tuple[PendingFinding, bytes | None]] = {}
        self._packed: dict[str, bytes] = {}
        waiting = []
        for key, left in pods.items():
            if left.failed:
                finding, decision = PendingFinding(Cause(Kind.NOT_COMPUTED, reference=left.failed)), None
            elif left.document is not None and left.is_pending:
                finding, decision = self._found(left.document)
            else:
                finding, decision = PendingFinding(Cause(Kind.UNSCHEDULABLE, left.plugins[:1])), None
            if decision is not None:
                self._packed[key] = decision
            waiting.append(_row(key, left, finding))
        self._groups = grouped_by_cause(waiting)

    @property
    def causes(self) -> list[dict[str, Any]]:
        """Each cause with its pods, that of most pods first."""
        return [_cause(group) for group in sorted(self._groups, key=lambda group: -len(group.pods))]

    def packed(self, key: str) -> bytes | None:
        """Return the explanation of a pod as the journal keeps it, compressed; pods that are alike share it."""
        return self._packed.get(key)

    def _found(self, document: Document) -> tuple[PendingFinding, bytes | None]:
        try:
            profile = self._configuration.profile_for(document)
        except UnknownScheduler as error:
            return PendingFinding(Cause(Kind.OTHER_SCHEDULER, scheduler_name=error.scheduler_name)), None
        alike = self._alike.key(document, profile)
        found = self._known.get(alike)
        if found is None:
            answer = attempted(key_of(document), partial(self._explained, document, profile))
            found = (failed(answer), None) if isinstance(answer, Failure) else answer
            self._known[alike] = found
        return found

    def _explained(self, document: Document, profile: Profile) -> tuple[PendingFinding, bytes | None]:
        explanation = explain(self._snapshot, document, profile)
        is_kept = len(self._known) < _MOST_KEPT
        return finding_of(explanation), packed(decision_document(explanation, None)) if is_kept else None


def _row(key: str, pod: PendingRunPod, finding: PendingFinding) -> WaitingPod:
    namespace, _, name = key.partition("/")
    document = pod.document or {}
    workload = Workload.of(namespace, Controller.of(document), labels_of(document).get(TEMPLATE_HASH, ""))
    return WaitingPod("", namespace, name, workload, None, pod.message, finding)


def _cause(group: CauseGroup) -> dict[str, Any]:
    first, way = group.pods[0], group.way
    return {
        "identity": group.identity,
        "kind": group.cause.kind.value,
        "plugin": ", ".join(group.cause.plugins),
        "reason": group.cause.quoted,
        "cause": cause_document(group.cause),
        "pods": len(group.pods),
        "examples": [f"{pod.namespace}/{pod.name}" for pod in group.pods[:_PENDING_PODS_EXAMPLES]],
        "workloads": len({pod.workload for pod in group.pods}),
        "message": first.reported,
        # What one change would be enough for most of them, and for how many, each by itself.
        "way": None
        if way is None
        else {
            "lifted": [constraint_document(each) for each in way.change.lifted],
            "reduced": [each.resource for each in way.change.reduced],
            "remedy": None if way.change.remedy is None else value_document(way.change.remedy),
            "frees": way.frees,
            "nodes_gained": way.change.gained,
        },
    }
