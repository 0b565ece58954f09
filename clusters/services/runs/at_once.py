"""A run that is worked on while somebody waits, without a database: for pipelines and terminals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from clusters.engine.objects import key_of
from clusters.models import RunPod
from clusters.services.runs.cases import prepared_on, simulation_of
from clusters.services.runs.results import LEFT_OVER, Results

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from clusters.engine.objects import Document
    from clusters.models import SimulationRun
    from clusters.services.runs.spec import Spec

_FINISHED: Final = ("Succeeded", "Failed")


class PodResult(NamedTuple):
    """Where a pod ended; ``waited``: it had no node before anything was changed."""

    key: str
    outcome: str
    node: str
    message: str
    waited: bool


class Simulated(NamedTuple):
    """What came of a run: the summary as a stored run has it, and every pod in the order in which it was met."""

    summary: dict[str, Any]
    pods: list[PodResult]

    def left_over(self, *, even_waiting: bool) -> list[PodResult]:
        """The pods that would run, and do not; those that waited before only where they count."""
        return [pod for pod in self.pods if pod.outcome in LEFT_OVER and (even_waiting or not pod.waited)]


def simulated(objects: Sequence[Document], spec: Spec) -> Simulated:
    """Simulate a run on these objects. Raises SpecError."""
    prepared = prepared_on(objects, spec)
    simulation = simulation_of(prepared.case, spec)
    results = Results(prepared.case, simulation)
    for step in simulation:
        results.take(step)
    before = waiting_in(objects)
    pods = [
        PodResult(key, end.outcome.value, end.node, end.message, key in before) for key, end in results.pods.items()
    ]
    return Simulated(results.summary([*spec.notes, *(note.text for note in prepared.notes)]), pods)


def simulated_by(run: SimulationRun, objects: Iterable[Document]) -> Simulated:
    """Return what came of a run that is done; ``objects`` are those of its base."""
    before = waiting_in(objects)
    rows = RunPod.objects.filter(run=run).order_by("pk")
    pods = [
        PodResult(f"{namespace}/{name}", outcome, node, message, f"{namespace}/{name}" in before)
        for namespace, name, outcome, node, message in rows.values_list(
            "namespace", "name", "outcome", "node_name", "message"
        )
    ]
    return Simulated(run.summary or {}, pods)


def waiting_in(objects: Iterable[Document]) -> frozenset[str]:
    """Return the pods that wait for a node, as ``namespace/name``."""
    return frozenset(key_of(each) for each in objects if each.get("kind") == "Pod" and _waits(each))


def _waits(pod: Document) -> bool:
    if (pod.get("spec") or {}).get("nodeName") or "deletionTimestamp" in (pod.get("metadata") or {}):
        return False
    return (pod.get("status") or {}).get("phase") not in _FINISHED


def reason(left: Sequence[PodResult], total: int) -> str:
    """Say in one line why a run does not fit."""
    first = left[0]
    pods = f"{len(left):,} of {total:,} pods {'are' if len(left) > 1 else 'is'} left over"
    words = " ".join(first.message.split()) or "no node takes it."
    return f"Does not fit: {pods}. {first.key}: {words}"


def placements(pods: Iterable[PodResult]) -> Mapping[str, int]:
    """Return how many pods were placed on each node, that of most pods first."""
    counts: dict[str, int] = {}
    for pod in pods:
        if pod.outcome == RunPod.Outcome.PLACED:
            counts[pod.node] = counts.get(pod.node, 0) + 1
    return dict(sorted(counts.items(), key=lambda entry: (-entry[1], entry[0])))
