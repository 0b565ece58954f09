"""A pod that cannot be computed in a run: a step and an end of its own, and the run goes on."""

from __future__ import annotations

import logging
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest

from clusters.engine.conclusion import Conclusion
from clusters.models import Cluster, RunChunk, SimulationRun
from clusters.services import runs
from clusters.services.runs import starting
from clusters.services.runs.chunks import steps_of, write_steps
from clusters.services.runs.results import moment_at, simulated_by, verdict
from clusters.services.runs.spec import read_spec
from dashboard.presenters.runs.steps import step_view
from tests.clusters.dumps import pod
from tests.clusters.runs.conftest import nodes
from tests.clusters.runs.test_spec import DEPLOYMENT
from tests.support.defects import AT_ONCE, ERROR, broken, defect
from tests.support.mirrored import load

if TYPE_CHECKING:
    from pathlib import Path


__all__ = ["defect"]

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("defect")]

BROKEN = DEPLOYMENT.replace("app:1", AT_ONCE).replace("name: web,", "name: bad,")
State = SimulationRun.State


@pytest.fixture
def cluster(tmp_path: Path) -> Cluster:
    """Three nodes, a pod that waits, and one that waits and cannot be computed."""
    return load(tmp_path, "prod", [*nodes(3), pod("waiting"), broken(pod("waiting-bad"))])


def ordered(cluster: Cluster, kind: str = "pods") -> SimulationRun:
    changes = [
        {"change": "add-workload", "text": BROKEN, "replicas": 4},
        {"change": "add-workload", "text": DEPLOYMENT, "replicas": 5},
    ]
    spec = read_spec({"base": {"kind": "cluster"}, "changes": changes, "scheduler": {"kind": kind}})
    return starting.stored_run(cluster=cluster, spec=spec, title="More", user=None)


def worked(run: SimulationRun) -> SimulationRun:
    runs.work(run.pk)
    run.refresh_from_db()
    assert run.state == State.DONE, run.error
    return run


@pytest.mark.parametrize("kind", ["pods", "batch"])
def test_the_run_goes_on(cluster: Cluster, kind: str, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR):
        run = worked(ordered(cluster, kind))

    assert Counter(run.pods.values_list("outcome", flat=True)) == {"placed": 6, "not-computed": 5}
    summary: dict[str, Any] = run.summary or {}
    assert summary["pods"]["not-computed"] == summary["steps"]["not-computed"] == 5
    (cause,) = summary["pending_causes"]
    assert (cause["kind"], cause["pods"], cause["message"]) == ("not-computed", 5, ERROR)

    answer = verdict(summary, even_pending=False)
    assert answer.conclusion is Conclusion.UNCERTAIN

    logged = [record.getMessage() for record in caplog.records if ERROR in record.getMessage()]
    assert len(logged) == 1
    assert f"[{cause['reason']}]" in logged[0]


def test_its_step_says_so_and_is_no_decision(cluster: Cluster) -> None:
    run = worked(ordered(cluster))
    step = next(step for step in steps_of(run) if step.outcome == "not-computed")

    view = step_view(step)

    assert (view.badge, view.message, view.is_decision) == (("Not computed", "warn"), ERROR, False)

    moment = moment_at(run, run.steps)
    assert sum(each.outcome == "not-computed" for each in moment.waiting.values()) == 5


@pytest.mark.parametrize("kind", ["pods", "batch"])
@pytest.mark.parametrize("kept", [1, 7])
def test_a_run_that_goes_on_from_its_steps_comes_to_the_same(cluster: Cluster, kind: str, kept: int) -> None:
    whole = worked(ordered(cluster, kind))
    steps = list(steps_of(whole))
    resumed = ordered(cluster, kind)
    write_steps(resumed.pk, 0, steps[:kept])
    SimulationRun.objects.filter(pk=resumed.pk).update(steps=kept)

    worked(resumed)

    assert list(steps_of(resumed)) == steps
    assert resumed.summary == whole.summary
    assert RunChunk.objects.filter(run=resumed).exists()
    assert simulated_by(resumed).pods == simulated_by(whole).pods
