"""The large cluster in a database of its own, and what serves it."""

from __future__ import annotations

import os
import socket
import tempfile
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from bench.operated import each_object, namespace_of, pod_name

if TYPE_CHECKING:
    from collections.abc import Iterator

CLUSTER = "large"
DECISIONS = 20_000
# The sections of the review that have pictures; its trend is of so many hours.
SECTIONS = ("utilisation", "trend", "headroom")
TREND_HOURS = 48


def prepare() -> None:
    """Fill the database that the settings name with the large cluster, its journal and somebody who looks at it."""
    from django.contrib.auth.models import User
    from django.core.management import call_command
    from django.utils import timezone

    from clusters.models import Cluster, Decision
    from clusters.services.ingest.ingest import ingest_path

    call_command("migrate", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    if Cluster.objects.filter(name=CLUSTER, last_sync__isnull=False).exists():
        return
    # Who may open every page.
    User.objects.create_superuser("bench")
    cluster = Cluster.objects.create(name=CLUSTER)
    with tempfile.TemporaryDirectory(prefix="berth-bench-") as folder:
        dump = Path(folder, "dump.json")
        dump.write_bytes(orjson.dumps({"apiVersion": "v1", "kind": "List", "items": list(each_object())}))
        ingest_path(cluster=cluster, path=dump)
    now = timezone.now()
    Decision.objects.bulk_create(
        (
            Decision(
                cluster=cluster,
                kind=Decision.Kind.BOUND,
                pod_uid=f"app-{number % 1000}-{number}",
                namespace=namespace_of(number % 1000),
                name=pod_name(number % 1000, number),
                owner_kind="ReplicaSet",
                owner_name=f"app-{number % 1000}-7d9f8b6c5",
                scheduler_name="default-scheduler",
                heard_at=now,
                last_heard_at=now,
                resource_version=str(number),
                node_name=f"node-{number % 5000:05d}",
                verdict=Decision.Verdict.AGREES if number % 50 else Decision.Verdict.DISAGREES,
                reason="" if number % 50 else Decision.Reason.LOWER_SCORE,
            )
            for number in range(DECISIONS)
        ),
        batch_size=2_000,
    )


def compute() -> None:
    """Compute a simulation and a review of the large cluster, where that has not been done; Redis must be running."""
    from datetime import timedelta

    from clusters.models import CapacitySample, Cluster, Report
    from clusters.services.reports.capacity_samples import sample
    from clusters.services.reports.making import stored_report, write
    from clusters.services.runs.spec import read_spec
    from clusters.services.runs.starting import stored_run
    from clusters.services.runs.working import work

    cluster = Cluster.objects.get(name=CLUSTER)
    if Report.objects.filter(cluster=cluster, state=Report.State.DONE).exists():
        return
    spec = read_spec({"base": {"kind": "cluster"}, "changes": [_new_workload()]})
    run = stored_run(cluster=cluster, spec=spec, title="Twenty more", user=None)
    work(run.pk)
    run.refresh_from_db()
    if run.state != run.State.DONE:
        raise RuntimeError(f"the simulation ended as {run.state}: {run.error}")
    latest = sample(cluster=cluster)
    if latest is not None:
        CapacitySample.objects.bulk_create(
            CapacitySample(cluster=cluster, at=latest.at - timedelta(hours=hours), packed_amounts=latest.packed_amounts)
            for hours in range(1, TREND_HOURS)
        )
    report = stored_report(order={"cluster": CLUSTER, "sections": list(SECTIONS)}, user=None)
    write(report.pk)
    report.refresh_from_db()
    if report.state != report.State.DONE:
        raise RuntimeError(f"the review ended as {report.state}: {report.error}")


def _new_workload() -> dict[str, Any]:
    labels = {"app": "twenty-more"}
    requests = {"cpu": "250m", "memory": "256Mi"}
    container = {"name": "main", "image": "registry.example/app:1", "resources": {"requests": requests}}
    return {
        "change": "add-workload",
        "replicas": 20,
        "manifest": {
            "apiVersion": "apps/v1",
            "kind": "Deployment",
            "metadata": {"name": "twenty-more", "namespace": namespace_of(0)},
            "spec": {
                "selector": {"matchLabels": labels},
                "template": {"metadata": {"labels": labels}, "spec": {"containers": [container]}},
            },
        },
    }


@contextmanager
def running(*names: str) -> Iterator[str]:
    """Run "redis", and "web" and "worker" as well, on the database of the settings; yields the site's address."""
    from django.conf import settings

    from dashboard import datadir
    from dashboard.serving import processes
    from dashboard.serving.children import Child
    from tests.support.live import free_port
    from tests.support.waiting import wait_until

    port, path = free_port(), datadir.redis_socket(settings.BERTH_DATA_DIR)
    datadir.private_folder(path.parent)
    commands = {
        "redis": processes.command(processes.find(), socket=path),
        "web": processes.web(host="127.0.0.1", port=port, log_level="WARNING"),
        "worker": processes.worker(concurrency=1, log_level="WARNING"),
    }
    with ExitStack() as stack:
        for name in names:
            child = Child(name, commands[name], env=os.environ, cwd=settings.BASE_DIR, echo=False)
            stack.callback(child.stop, grace=5)
        wait_until(path.exists, seconds=30, otherwise="Redis is unavailable")
        if "web" in names:
            wait_until(lambda: _answers(port), seconds=60, otherwise="the web server does not answer")
        yield f"http://127.0.0.1:{port}"


def _answers(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
