"""A sweep of one question over several configurations, by one worker process and by two."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from bench.large_site import running
from bench.live_site import in_own_process
from bench.measure import Figure, figure

if TYPE_CHECKING:
    from clusters.models import Cluster

NODES, RUNNING, WANTED, CONFIGURATIONS = 600, 9_000, 5_000, 8
_ZONE = "topology.kubernetes.io/zone"
# Different sizes of pods keep the runs from being one and the same placement again and again.
_SIZES = ("100m", "150m", "250m", "400m", "650m")


def run() -> dict[str, Figure]:
    """Measure with one worker process and with two; the ratio is of two to one."""
    seconds: dict[str, float] = in_own_process("bench.studies")
    one, two = seconds["1"], seconds["2"]
    name = f"sweep of {CONFIGURATIONS} configurations"
    return {
        f"{name}, one worker": figure([one], "s"),
        f"{name}, two workers": figure([two], "s", against=one),
    }


def _objects() -> list[dict[str, Any]]:
    size = {"cpu": "32", "memory": "128Gi", "pods": "110"}
    nodes = [
        {
            "apiVersion": "v1",
            "kind": "Node",
            "metadata": {
                "name": f"node-{number:04d}",
                "labels": {"kubernetes.io/hostname": f"node-{number:04d}", _ZONE: f"z{number % 3}"},
            },
            "spec": {},
            "status": {"capacity": size, "allocatable": size, "conditions": [{"type": "Ready", "status": "True"}]},
        }
        for number in range(NODES)
    ]
    pods = [
        {
            "apiVersion": "v1",
            "kind": "Pod",
            "metadata": {"name": f"pod-{number}", "namespace": "default", "labels": {"app": f"app-{number % 40}"}},
            "spec": {**_spec(_SIZES[number % len(_SIZES)]), "nodeName": f"node-{number % NODES:04d}"},
            "status": {"phase": "Running"},
        }
        for number in range(RUNNING)
    ]
    return [*nodes, *pods]


def _spec(cpu: str) -> dict[str, Any]:
    requests = {"cpu": cpu, "memory": "256Mi"}
    return {"containers": [{"name": "main", "image": "registry.example/app:1", "resources": {"requests": requests}}]}


def _deployment(number: int) -> dict[str, Any]:
    labels = {"app": f"new-{number}"}
    template = {"metadata": {"labels": labels}, "spec": _spec(_SIZES[number % len(_SIZES)])}
    return {
        "change": "add-workload",
        "replicas": WANTED // 20,
        "manifest": {
            "apiVersion": "apps/v1",
            "kind": "Deployment",
            "metadata": {"name": f"new-{number}", "namespace": "default"},
            "spec": {"selector": {"matchLabels": labels}, "template": template},
        },
    }


def main() -> None:
    """Print the seconds by the number of worker processes as JSON."""
    import django

    django.setup()
    from django.conf import settings
    from django.core.management import call_command

    from clusters.models import Cluster
    from clusters.services.ingest.ingest import ingest_path

    call_command("migrate", verbosity=0)
    path = Path(settings.BERTH_DATA_DIR) / "cluster.json"
    path.write_bytes(orjson.dumps({"apiVersion": "v1", "kind": "List", "items": _objects()}))
    with running("redis"):
        cluster = Cluster.objects.create(name="bench")
        ingest_path(cluster=cluster, path=path)
        print(orjson.dumps({str(workers): _seconds(cluster, workers) for workers in (1, 2)}).decode())


def _seconds(cluster: Cluster, workers: int) -> float:
    """Return how long a sweep takes with so many worker processes that wait for it."""
    from django.conf import settings

    from clusters.celery import app
    from clusters.services import studies
    from clusters.services.runs.spec import read_spec
    from dashboard.serving import processes
    from dashboard.serving.children import Child
    from tests.support.waiting import wait_until

    command = processes.worker_of([processes.SIMULATIONS], concurrency=workers, log_level="WARNING")
    worker = Child("runs", command, env=os.environ, cwd=settings.BASE_DIR, echo=False)
    try:
        name = processes.worker_name(processes.SIMULATIONS)

        def answers() -> bool:
            worker.check()
            return bool(app.control.ping(destination=[name], timeout=0.5))

        wait_until(answers, seconds=60, otherwise="no worker")
        weights = [{"kind": "weights", "weights": {"NodeResourcesFit": each + 1}} for each in range(CONFIGURATIONS)]
        changes = [_deployment(number) for number in range(20)]
        spec = read_spec({"base": {"kind": "cluster"}, "changes": changes})
        start = time.perf_counter()
        study = studies.create_sweep(cluster=cluster, spec=spec, variants=weights, title="", user=None)
        wait_until(lambda: studies.study_table(study).over == CONFIGURATIONS, seconds=600, otherwise="no end")
        seconds = time.perf_counter() - start
        assert studies.study_table(study).done == CONFIGURATIONS
        return seconds
    finally:
        worker.stop(grace=2)


if __name__ == "__main__":
    main()
