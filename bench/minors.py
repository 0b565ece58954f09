"""What an explanation costs as each Kubernetes minor decides, beside the oldest: taken in turns, so that both meet the
same machine."""

from __future__ import annotations

import gc
import statistics
import time
from typing import TYPE_CHECKING

from bench.cluster import each_object, pending_pods
from bench.measure import Figure, figure
from clusters.engine import Profile, SchedulerConfiguration, Snapshot, explain
from clusters.engine.versions import RELEASES

if TYPE_CHECKING:
    from clusters.engine.objects import Document

NODES, PODS = 5_000, 50_000
ROUNDS, WARM_UP = 60, 5


def run() -> dict[str, Figure]:
    """The three pending pods of a large cluster under every minor."""
    objects = list(each_object(NODES, PODS))
    worlds = {
        minor: (Snapshot.from_objects(objects, release), SchedulerConfiguration.default(release).profiles[0])
        for minor, release in RELEASES.items()
    }
    figures: dict[str, Figure] = {}
    for pod in pending_pods():
        samples = _samples(worlds, pod)
        against = statistics.median(next(iter(samples.values())))
        for minor, taken in samples.items():
            label = f"explain {pod['metadata']['name']} as {minor}: {NODES} nodes, {PODS} pods"
            figures[label] = figure(taken, "ms", against=against)
    return figures


def _samples(worlds: dict[str, tuple[Snapshot, Profile]], pod: Document) -> dict[str, list[float]]:
    """Milliseconds of each explanation, of every minor in each round."""
    samples: dict[str, list[float]] = {minor: [] for minor in worlds}
    gc.collect()
    gc.disable()
    try:
        for turn in range(WARM_UP + ROUNDS):
            for minor, (snapshot, profile) in worlds.items():
                start = time.perf_counter()
                assert explain(snapshot, pod, profile).fits
                if turn >= WARM_UP:
                    samples[minor].append((time.perf_counter() - start) * 1000)
    finally:
        gc.enable()
    return samples
