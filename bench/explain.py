"""How long a full explanation takes as the newest minor decides: all filters on all nodes, and every score."""

from __future__ import annotations

import subprocess
import sys
import time

from bench.cluster import each_object, pending_pods
from bench.measure import Figure, figure, milliseconds
from clusters.engine import SchedulerConfiguration, Snapshot, explain
from clusters.engine.versions import NEWEST

NODES = 5000


def run() -> dict[str, Figure]:
    """Explanations of the three pending pods at two sizes, and what they stand on."""
    figures: dict[str, Figure] = {}
    for pods in (50_000, 150_000):
        objects = list(each_object(NODES, pods))
        start = time.perf_counter()
        snapshot = Snapshot.from_objects(objects, NEWEST)
        built = time.perf_counter() - start
        label = f"{NODES} nodes, {pods} pods"
        figures[f"build a snapshot: {label}"] = figure([built * 1000], "ms")
        figures |= _explanations(snapshot, label)
    figures["memory of a snapshot: 5000 nodes, 150000 pods"] = figure([memory_of_snapshot(NODES, 150_000)], "MiB")
    return figures


def _explanations(snapshot: Snapshot, label: str) -> dict[str, Figure]:
    profile = SchedulerConfiguration.default(NEWEST).profiles[0]
    figures: dict[str, Figure] = {}
    for pod in pending_pods():
        name = pod["metadata"]["name"]

        def everything(pod: dict[str, object] = pod) -> None:
            explanation = explain(snapshot, pod, profile)
            assert explanation.groups
            assert explanation.fits

        def after_a_change(pod: dict[str, object] = pod) -> None:
            snapshot.assume(pod, snapshot.nodes.names[0])
            snapshot.forget(pod)
            everything()

        figures[f"explain {name}: {label}"] = figure(milliseconds(everything), "ms")
        figures[f"explain {name} after a change: {label}"] = figure(milliseconds(after_a_change), "ms")
    return figures


def memory_of_snapshot(nodes: int, pods: int) -> float:
    """Resident MiB that a snapshot adds to a process of its own."""
    command = [sys.executable, "-m", "bench.memory", str(nodes), str(pods)]
    return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
