"""Real workers on real Redis: one is killed in the middle of its work, and another one goes on where it was."""

from __future__ import annotations

import os
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from django.conf import settings
from django.utils import timezone

from clusters.models import Cluster, SimulationRun, StudyPart
from clusters.services import runs, studies
from clusters.services.lanes import resume
from clusters.services.runs import starting
from clusters.services.runs.spec import read_spec
from dashboard.serving import processes
from dashboard.serving.children import Child
from tests.clusters.runs.conftest import nodes
from tests.clusters.runs.test_life import ends, written
from tests.clusters.runs.test_spec import DEPLOYMENT, adding
from tests.support.live import database_url
from tests.support.mirrored import load
from tests.support.waiting import wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


pytestmark = [pytest.mark.long, pytest.mark.redis, pytest.mark.unmeasured]

State = SimulationRun.State
PODS = 12_000


@pytest.fixture
def workers(redis_url: str, transactional_db: None, tmp_path: Path) -> Iterator[list[Child]]:
    """Hold the workers that a test starts."""
    started: list[Child] = []
    yield started
    for worker in started:
        worker.stop(grace=0)


def start(workers: list[Child], redis_url: str, folder: Path) -> Child:
    environment = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "dashboard.settings",
        "BERTH_DATA_DIR": str(folder),
        "DATABASE_URL": database_url(),
        "REDIS_URL": redis_url,
    }
    command = processes.worker_of([processes.SIMULATIONS], concurrency=1, log_level="WARNING")
    workers.append(Child("runs", command, env=environment, cwd=settings.BASE_DIR))
    return workers[-1]


def large(folder: Path) -> Cluster:
    return load(folder, "prod", nodes(150, status={"allocatable": {"cpu": "64", "memory": "8Gi", "pods": "110"}}))


def test_a_killed_worker_loses_nothing(workers: list[Child], redis_url: str, tmp_path: Path) -> None:
    cluster = large(tmp_path)
    spec = read_spec(adding(DEPLOYMENT, replicas=PODS))
    first = start(workers, redis_url, tmp_path)
    run = runs.create_run(cluster=cluster, spec=spec, title="More", user=None)

    def steps() -> int:
        run.refresh_from_db()
        return run.steps

    wait_until(steps, seconds=30, otherwise="no step is written")
    first.kill()
    assert run.state == State.RUNNING
    stopped_at = steps()
    assert 0 < stopped_at < PODS

    SimulationRun.objects.filter(pk=run.pk).update(
        heartbeat_at=timezone.now() - settings.BERTH_RUNS_SILENCE - timedelta(seconds=1)
    )
    assert resume() == 1
    start(workers, redis_url, tmp_path)
    # Meanwhile the same without any mishap.
    whole = starting.stored_run(cluster=cluster, spec=spec, title="More", user=None)
    runs.work(whole.pk)
    whole.refresh_from_db()
    wait_until(lambda: steps() and run.is_finished, seconds=30, otherwise="nobody goes on with the run")

    assert (run.state, run.begun, run.steps) == (State.DONE, 2, whole.steps)
    assert written(run) == written(whole)
    assert ends(run) == ends(whole)
    assert run.summary == whole.summary

    # The same worker answers the parts of studies.
    shapes = [{"mix": [{"text": DEPLOYMENT.replace("500m", cpu)}], "label": cpu} for cpu in ("500m", "1", "3")]
    plain = read_spec({"base": {"kind": "cluster"}})
    study = studies.create_headroom(cluster=cluster, spec=plain, shapes=shapes, title="Room", user=None)
    sweep = studies.create_sweep(
        cluster=cluster,
        spec=read_spec(adding(DEPLOYMENT, replicas=2)),
        variants=[{"kind": "as-is"}, {"kind": "most-allocated"}],
        title="",
        user=None,
    )
    wait_until(
        lambda: all(studies.study_table(each).over == len(studies.study_table(each).rows) for each in (study, sweep)),
        seconds=30,
        otherwise="the studies have no answers",
    )
    table = studies.study_table(study)
    assert [(row.label, row.figures.get("count")) for row in table.rows] == [
        ("500m", 16_500),
        ("1", 9_600),
        ("3", 3_150),
    ]
    assert StudyPart.objects.filter(state=StudyPart.State.DONE).count() == 3
    assert [row.figures["placed"] for row in studies.study_table(sweep).rows] == [2, 2]
