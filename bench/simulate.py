"""How fast pods are placed one after another, every node scored for each: alike, mixed, spread, and as in a trace.

All as the newest minor decides, and the first three beside the oldest one: taken in turns and by processor time, so
that both meet the same machine.
"""

from __future__ import annotations

import gc
import os
import statistics
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.measure import Figure, figure
from clusters.adapters.traces.openb import read_nodes, read_pods
from clusters.engine import SchedulerConfiguration, Snapshot
from clusters.engine.simulation import Case, Outcome, Simulation, Wanted, nodes_of, pods_of
from clusters.engine.versions import NEWEST, RELEASES, Release
from clusters.services.journal.timeline import decision_document

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from clusters.documents.explanation import ExplanationDocument

Document = dict[str, Any]

OLDEST = next(iter(RELEASES.values()))
FOLDER = "BERTH_OPENB"
ZONE, HOST = "topology.kubernetes.io/zone", "kubernetes.io/hostname"
PODS = 20_000
SLOW_PODS = 1_000


def run() -> dict[str, Figure]:
    """Pods per second by size of the cluster and kind of pods; seconds of the trace, where its files are at hand."""
    figures: dict[str, Figure] = {}
    for nodes in (5000, 1000):
        cases = (("", PODS, _alike), (" mixed", PODS // 4, _mixed), (" spread", SLOW_PODS, _spread))
        for suffix, pods, make in cases:
            cold, warm, oldest = _timed(lambda release: _case(nodes, pods, make, release))  # noqa: B023 - called at once
            label = f"simulate-{nodes}{suffix} as {NEWEST.minor}, beside {OLDEST.minor}"
            figures[label] = figure(warm, "pods/s", against=statistics.median(oldest))
            if not suffix:
                figures[f"simulate-{nodes} first pod"] = figure(cold, "ms")
    folder = os.environ.get(FOLDER)
    if folder:
        figures |= _trace(Path(folder))
    return figures


def _timed(make: Callable[[Release], Case], times: int = 3) -> tuple[list[float], list[float], list[float]]:
    """What ``_run`` measures of the newest minor, and the pods per second of the oldest one."""
    cold, warm, oldest = [], [], []
    for _ in range(times):
        first, rate = _run(make(NEWEST))
        cold.append(first)
        warm.append(rate)
        oldest.append(_run(make(OLDEST))[1])
    return cold, warm, oldest


def _run(case: Case) -> tuple[float, float]:
    """Milliseconds until the first pod is placed, and pods per second from then on, both of processor time."""
    gc.collect()
    start = time.process_time()
    simulation = Simulation(case)
    assert next(simulation).outcome is Outcome.PLACED
    placed = time.process_time()
    number = sum(step.outcome is Outcome.PLACED for step in simulation)
    rate = number / (time.process_time() - placed)
    assert number == len(case.wanted) - 1
    return (placed - start) * 1000, rate


def _case(nodes: int, pods: int, make: Callable[[int], Document], release: Release) -> Case:
    size = {"cpu": "32", "memory": "128Gi", "pods": "110"}
    documents = [
        {
            "kind": "Node",
            "metadata": {"name": f"node-{row:05d}", "labels": {HOST: f"node-{row:05d}", ZONE: f"z{row % 3}"}},
            "status": {"allocatable": size},
        }
        for row in range(nodes)
    ]
    wanted = [Wanted(make(number)) for number in range(pods)]
    return Case(Snapshot.from_objects(documents, release), SchedulerConfiguration.default(release), wanted)


def _pod(number: int, cpu: int, **spec: Any) -> Document:
    requests = {"cpu": f"{cpu}m", "memory": "256Mi"}
    container = {"name": "main", "image": "registry.example/app:1", "resources": {"requests": requests}}
    metadata = {"name": f"pod-{number}", "namespace": "default", "labels": {"app": f"app-{cpu}"}}
    return {"kind": "Pod", "metadata": metadata, "spec": {"containers": [container], **spec}}


def _alike(number: int) -> Document:
    return _pod(number, 150)


def _mixed(number: int) -> Document:
    """Twenty kinds in turn, one in five with a node selector."""
    kind = number % 20
    return _pod(number, 100 + 10 * kind, **({"nodeSelector": {ZONE: f"z{kind % 3}"}} if kind % 5 == 0 else {}))


def _spread(number: int) -> Document:
    """One kind that is spread over zones, and over hosts where possible."""
    selector = {"matchLabels": {"app": "app-150"}}
    constraints = [
        {"maxSkew": 1, "topologyKey": ZONE, "whenUnsatisfiable": "DoNotSchedule", "labelSelector": selector},
        {"maxSkew": 1, "topologyKey": HOST, "whenUnsatisfiable": "ScheduleAnyway", "labelSelector": selector},
    ]
    return _pod(number, 150, topologySpreadConstraints=constraints)


def _trace(folder: Path) -> dict[str, Figure]:
    """The trace as it was, and with pods that never leave, each with the decisions of the pods that stay pending."""
    nodes = read_nodes((folder / "openb_node_list_all_node.csv").read_bytes())
    pods = read_pods((folder / "openb_pod_list_default.csv").read_bytes())
    times, filled = [], []
    for _ in range(3):
        start = time.perf_counter()
        _replay(nodes, pods_of(pods))
        times.append(time.perf_counter() - start)
        start = time.perf_counter()
        _replay(nodes, [Wanted(wanted.pod) for wanted in pods_of(pods)])
        filled.append(time.perf_counter() - start)
    return {
        "openb": figure(times, "s"),
        "openb, nobody leaves": figure(filled, "s"),
    }


def _replay(nodes: Sequence[Document], wanted: Sequence[Wanted]) -> list[ExplanationDocument]:
    """Replay a trace; returns the decision of each pod that stays pending, one for those that are alike."""
    case = Case(Snapshot.from_objects(nodes_of(nodes), NEWEST), SchedulerConfiguration.default(NEWEST), wanted)
    simulation = Simulation(case)
    for _ in simulation:
        pass
    decisions: list[ExplanationDocument] = []
    for keys, explanation in simulation.explain_waiting():
        decisions += [decision_document(explanation, None)] * len(keys)
    assert len(decisions) == len(simulation.waiting)
    return decisions
