"""What is taken from silent workers, and what of it anybody goes on with."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from django.db import OperationalError
from django.utils import timezone

from clusters.adapters.flow import FlowError
from clusters.models import Cluster, Report, SimulationRun, StudyPart
from clusters.services import runs, studies
from clusters.services.lanes import resume
from clusters.services.runs import cases, working
from clusters.services.runs.spec import read_spec
from clusters.services.runs.starting import stored_run
from tests.clusters.runs.test_spec import DEPLOYMENT, adding

if TYPE_CHECKING:
    from clusters.engine.simulation import FlowProblem, FlowSolution

State = SimulationRun.State


def ordered(cluster: Cluster, **fields: object) -> SimulationRun:
    spec = read_spec(adding(DEPLOYMENT, replicas=5) | fields)
    return stored_run(cluster=cluster, spec=spec, title="More", user=None)


def fall_silent(run: SimulationRun, **fields: object) -> None:
    long_ago = timezone.now() - timedelta(hours=1)
    SimulationRun.objects.filter(pk=run.pk).update(state=State.RUNNING, heartbeat_at=long_ago, **fields)


def test_who_waits_behind_another_kind_of_work_is_not_told_again(cluster: Cluster) -> None:
    run = ordered(cluster)
    spec = read_spec({"base": {"kind": "cluster"}})
    shapes = [{"mix": [{"text": DEPLOYMENT}]}]
    study = studies.create_headroom(cluster=cluster, spec=spec, shapes=shapes, title="", user=None)
    review = Report.objects.create(cluster=cluster, title="Review", order={})
    long_ago = timezone.now() - timedelta(hours=1)
    for waiting in (SimulationRun, Report, type(study)):
        waiting._default_manager.update(created_at=long_ago)
    part = StudyPart.objects.filter(study=study)
    part.update(state="running", heartbeat_at=timezone.now())

    assert resume() == 0

    part.update(state="done")
    assert resume() == 2
    for each in (run, review):
        each.refresh_from_db()
        assert each.heartbeat_at is not None


def test_one_that_was_to_stop_stops_with_its_worker(cluster: Cluster) -> None:
    run = ordered(cluster)
    fall_silent(run)
    assert runs.cancel(run)

    assert resume() == 0

    run.refresh_from_db()
    assert (run.state, run.worker, bool(run.finished_at)) == (State.CANCELLED, "", True)


def test_one_taken_from_its_worker_while_somebody_cancels_it_is_cancelled(cluster: Cluster) -> None:
    run = ordered(cluster)
    fall_silent(run, begun=1)
    stale = SimulationRun.objects.get(pk=run.pk)
    assert resume() == 1

    assert runs.cancel(stale)

    run.refresh_from_db()
    assert run.state == State.CANCELLED


def test_a_run_whose_database_was_away_for_a_moment_goes_on(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    run = ordered(cluster)

    def away(*_: object) -> None:
        raise OperationalError("the server closed the connection")

    with monkeypatch.context() as patch:
        patch.setattr(working, "write_steps", away)
        with pytest.raises(OperationalError):
            runs.work(run.pk)
    run.refresh_from_db()
    assert (run.state, run.error) == (State.RUNNING, None)

    fall_silent(run)
    assert resume() == 1
    runs.work(run.pk)
    run.refresh_from_db()
    assert (run.state, run.begun) == (State.DONE, 2)


def test_a_flow_without_a_solution_is_told_in_words(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(problem: FlowProblem) -> FlowSolution:
        raise FlowError("BAD_COST_RANGE")

    monkeypatch.setattr(cases, "solve", fail)
    run = ordered(cluster, scheduler={"kind": "batch"})
    runs.work(run.pk)

    run.refresh_from_db()
    assert run.state == State.FAILED
    assert (run.error or {})["problem"] == {"kind": "FlowUnsolved", "status": "BAD_COST_RANGE"}
