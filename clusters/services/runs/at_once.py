"""A simulation that is computed within the call, without a database: for pipelines and terminals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from clusters.engine.simulation import Origin
from clusters.models import RunPod, SimulationRun
from clusters.services.runs.cases import case_of, notes_of, prepared_on, simulation_of
from clusters.services.runs.results import RunResults, origins_of
from clusters.services.runs.summary import measured_base

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from clusters.engine.objects import Document
    from clusters.engine.versions import GateSettings
    from clusters.services.runs.spec import Spec


class PodResult(NamedTuple):
    """Where a pod ended; ``was_pending``: it was pending before, and is not one that the question brings."""

    key: str
    outcome: str
    node: str
    message: str
    was_pending: bool


class Simulated(NamedTuple):
    """What came of a run: the summary as a stored run has it, and every pod in the order in which it was met."""

    summary: dict[str, Any]
    pods: list[PodResult]


def simulated(
    objects: Sequence[Document], spec: Spec, *, kube_version: str = "", gates: GateSettings | None = None
) -> Simulated:
    """Simulate a run on these objects, of a cluster of this version, empty where unknown, and these feature gates.

    Raises SpecError.
    """
    spec = spec.on_version(kube_version, gates or {})
    before = measured_base(objects, spec)
    prepared = prepared_on(objects, spec)
    simulation = simulation_of(prepared.case, spec)
    results = RunResults(prepared.case, simulation, before)
    for step in simulation:
        results.take(step)
    origins = origins_of(prepared.case)
    pods = [
        PodResult(key, end.outcome.value, end.node, end.message, origins.get(key) is Origin.PENDING_BEFORE)
        for key, end in results.pods.items()
    ]
    return Simulated(results.summary(notes_of(spec, prepared, kube_version)), pods)


def simulated_by(run: SimulationRun) -> Simulated:
    """Return what came of a run that is done. Raises SpecError."""
    origins = origins_of(case_of(run))
    rows = RunPod.objects.filter(run=run).order_by("pk")
    pods = [
        PodResult(key := f"{namespace}/{name}", outcome, node, message, origins.get(key) is Origin.PENDING_BEFORE)
        for namespace, name, outcome, node, message in rows.values_list(
            "namespace", "name", "outcome", "node_name", "message"
        )
    ]
    return Simulated(run.summary or {}, pods)


def placements(pods: Iterable[PodResult]) -> Mapping[str, int]:
    """Return how many pods were placed on each node, that of most pods first."""
    counts: dict[str, int] = {}
    for pod in pods:
        if pod.outcome in (RunPod.Outcome.PLACED, RunPod.Outcome.UNCERTAIN):
            counts[pod.node] = counts.get(pod.node, 0) + 1
    return dict(sorted(counts.items(), key=lambda entry: (-entry[1], entry[0])))
