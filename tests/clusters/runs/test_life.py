"""A run from the order to the result: worked on once, by one worker at a time, stopped when asked to, and removed."""

from __future__ import annotations

from datetime import timedelta
from itertools import count as counting
from typing import TYPE_CHECKING, Any

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from clusters.models import Cluster, Report, RunBase, RunChunk, RunPod, SimulationRun
from clusters.services import runs
from clusters.services.ingest.uploads import remove_cluster
from clusters.services.lanes import Hold, LeaseLostError, Pulse, resume
from clusters.services.mirror import snapshots
from clusters.services.runs import keeping, starting, working
from clusters.services.runs.results import moment_at
from clusters.services.runs.spec import SpecError, read_spec
from clusters.services.studies.asking import read_variants
from tests.clusters.dumps import node, pod
from tests.clusters.runs.test_spec import DEPLOYMENT, adding
from tests.support.mirrored import load
from tests.support.waiting import wait_until

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_django import Settings

State = SimulationRun.State


def ordered(cluster: Cluster | None, replicas: int = 50, **fields: Any) -> SimulationRun:
    return starting.stored_run(
        cluster=cluster, spec=read_spec(adding(DEPLOYMENT, replicas=replicas) | fields), title="More web", user=None
    )


def worked(run: SimulationRun) -> SimulationRun:
    runs.work(run.pk)
    run.refresh_from_db()
    return run


def written(run: SimulationRun) -> list[tuple[int, int, bytes]]:
    return [
        (first, count, bytes(steps))
        for first, count, steps in RunChunk.objects.filter(run=run).values_list(
            "first_step", "step_count", "packed_steps"
        )
    ]


def ends(run: SimulationRun) -> list[Any]:
    return list(
        RunPod.objects.filter(run=run).order_by("step").values("name", "outcome", "node_name", "step", "attempts")
    )


def test_a_run_places_what_fits_and_says_why_the_rest_does_not(cluster: Cluster) -> None:
    run = worked(ordered(cluster))

    assert (run.state, run.error) == (State.DONE, None)
    summary = run.summary or {}
    # Three nodes of 4 CPUs: on two of them a pod that requests 100m leaves room for seven of 500m instead of eight.
    assert summary["pods"] | {"wanted": 51, "placed": 23, "unschedulable": 28} == summary["pods"]
    (cause,) = summary["pending_causes"]
    assert (cause["plugin"], cause["reason"], cause["pods"]) == ("NodeResourcesFit", "Insufficient cpu", 28)
    assert summary["before"]["cluster"]["pods"] == 1
    assert summary["after"]["cluster"]["pods"] == 24
    assert summary["series"]["points"][-1]["placed"] == 24
    left = RunPod.objects.filter(run=run, outcome=RunPod.Outcome.UNSCHEDULABLE)
    assert len({bytes(each.packed_explanation or b"") for each in left}) == 1
    first = left.first()
    assert first is not None
    assert first.workload == "Deployment/web"
    assert first.message == "0/3 nodes are available: 3 Insufficient cpu. " + first.message.split(". ", 1)[1]
    assert first.explanation is not None
    assert first.explanation.message == first.message


def test_the_same_run_is_the_same_bytes(cluster: Cluster) -> None:
    first, second = (worked(ordered(cluster, seed=5)) for _ in range(2))
    other = worked(ordered(cluster, seed=6))

    assert written(first) == written(second)
    assert ends(first) == ends(second)
    assert first.summary == second.summary
    assert written(first) != written(other)


def test_its_states_and_decisions_can_be_looked_at_again(cluster: Cluster) -> None:
    run = worked(ordered(cluster))
    last = RunPod.objects.filter(run=run, outcome=RunPod.Outcome.PLACED).order_by("step").last()
    left = RunPod.objects.filter(run=run, outcome=RunPod.Outcome.UNSCHEDULABLE).first()
    assert last is not None
    assert left is not None

    assert runs.state_at(run, last.step).snapshot.placed_on(f"shop/{last.name}") is None
    assert runs.state_at(run, last.step + 1).snapshot.placed_on(f"shop/{last.name}") == last.node_name
    assert last.node_name in runs.decision_at(run, last.step).best
    assert runs.decision_at(run, left.step).message == left.message
    with pytest.raises(SpecError, match="OutOfRange"):
        runs.state_at(run, run.steps + 1)


@pytest.mark.parametrize("kind", ["pods", "batch"])
def test_stepping_to_and_fro_shows_what_replaying_from_the_beginning_does(cluster: Cluster, kind: str) -> None:
    run = worked(ordered(cluster, scheduler={"kind": kind}))
    keys = [f"{each.namespace}/{each.name}" for each in RunPod.objects.filter(run=run)]

    for number in (4, 5, 9, 8, 0, run.steps, run.steps - 1):
        moment, replayed = moment_at(run, number), runs.state_at(run, number)
        assert [moment.snapshot.placed_on(key) for key in keys] == [replayed.snapshot.placed_on(key) for key in keys]
        assert moment.waiting == replayed.waiting
    with pytest.raises(SpecError, match="OutOfRange"):
        moment_at(run, run.steps + 1)


def test_two_runs_are_compared(cluster: Cluster) -> None:
    left = worked(ordered(cluster, replicas=10))
    packed = read_variants([{"kind": "most-allocated"}], None)[0].configuration
    right = worked(ordered(cluster, replicas=10, configuration=packed))

    found = runs.compare_runs(left, right)

    assert found["placements"]
    assert found["pods"] >= 11
    assert (found["same_configuration"], found["left"]["placed"], found["right"]["placed"]) == (False, 11, 11)
    first = found["placements"][0]
    assert (first["reason"]["kind"], first["reason"]["plugin"]) == ("scored", "NodeResourcesFit")

    assert runs.compare_runs(left, left)["placements"] == []
    assert runs.compare_runs(left, right) is found
    flow = worked(ordered(cluster, replicas=10, scheduler={"kind": "batch"}))
    assert runs.compare_runs(left, flow)["right"]["placed"] == 11
    with pytest.raises(SpecError, match="SimulationUnfinished"):
        runs.compare_runs(left, ordered(cluster))


def test_a_worker_that_died_is_followed_by_another_which_goes_on(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    """The first one dies after some chunks; another one takes over and the result is the same to the last byte."""
    monkeypatch.setattr(working, "STEPS_PER_CHUNK", 8)
    monkeypatch.setattr("clusters.services.runs.chunks.STEPS_PER_CHUNK", 8)
    whole = worked(ordered(cluster))
    run = ordered(cluster)

    class DiedError(BaseException):
        pass

    def die(*_: object) -> bool:
        if SimulationRun.objects.filter(pk=run.pk, steps__gte=24).exists():
            raise DiedError
        return False

    with monkeypatch.context() as patch:
        patch.setattr(working, "_is_stop_wanted", die)
        with pytest.raises(DiedError):
            runs.work(run.pk)
    run.refresh_from_db()
    assert (run.state, run.steps) == (State.RUNNING, 24)

    # While it may be alive nobody takes it.
    runs.work(run.pk)
    assert resume() == 0
    later = timezone.now() - settings.BERTH_RUNS_SILENCE - timedelta(seconds=1)
    SimulationRun.objects.filter(pk=run.pk).update(heartbeat_at=later)
    assert resume() == 1
    worked(run)

    assert (run.state, run.begun) == (State.DONE, 2)
    assert written(run) == written(whole)
    assert ends(run) == ends(whole)
    assert run.summary == whole.summary


def test_a_run_that_kills_its_workers_is_given_up_and_may_be_let_go_on(cluster: Cluster) -> None:
    run = ordered(cluster)
    long_ago = timezone.now() - timedelta(hours=1)
    SimulationRun.objects.filter(pk=run.pk).update(state=State.RUNNING, begun=3, heartbeat_at=long_ago, worker="dead")

    assert resume() == 0

    run.refresh_from_db()
    assert run.state == State.FAILED
    assert (run.error or {})["problem"] == {"kind": "WorkersEnded", "workers": 3}
    assert runs.resume(run)
    assert worked(run).state == State.DONE


def test_a_worker_taken_for_dead_writes_nothing_more(cluster: Cluster) -> None:
    run = ordered(cluster)
    first = Hold.take(run)
    assert first is not None
    assert Hold.take(run) is None
    SimulationRun.objects.filter(pk=run.pk).update(state=State.QUEUED, worker="")
    second = Hold.take(run)
    assert second is not None

    second.update(steps=5)
    with pytest.raises(LeaseLostError):
        first.update(steps=7)

    run.refresh_from_db()
    assert run.steps == 5


def test_a_run_is_cancelled_between_steps(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(working, "_SECONDS_BETWEEN_WRITES", 0.0)
    waiting, running = ordered(cluster), ordered(cluster)
    assert runs.cancel(waiting)
    assert worked(waiting).state == State.CANCELLED

    SimulationRun.objects.filter(pk=running.pk).update(is_stop_wanted=True)
    worked(running)

    assert (running.state, running.steps) == (State.CANCELLED, 1)
    assert runs.resume(running)
    assert worked(running).state == State.DONE
    assert not runs.cancel(running)


def test_what_the_engine_refuses_ends_the_run_with_words(cluster: Cluster) -> None:
    spec = read_spec({"base": {"kind": "cluster"}, "changes": [{"change": "cordon", "nodes": ["n9"]}]})
    run = worked(starting.stored_run(cluster=cluster, spec=spec, title="", user=None))

    assert run.state == State.FAILED
    assert (run.error or {})["field"] == "changes[0].nodes[0]"


def test_a_run_needs_a_cluster_that_was_read(db: None) -> None:
    with pytest.raises(SpecError, match="Missing"):
        ordered(None)
    with pytest.raises(SpecError, match="ClusterNotRead"):
        ordered(Cluster.objects.create(name="new"))


def test_a_cluster_may_be_removed_while_a_run_is_asked_for(cluster: Cluster) -> None:
    spec = read_spec(adding(DEPLOYMENT))
    Cluster.objects.filter(pk=cluster.pk).delete()

    with pytest.raises(SpecError, match="NoSuchName"):
        starting.stored_run(cluster=cluster, spec=spec, title="", user=None)


def test_an_empty_cluster_gets_nodes_first(db: None) -> None:
    changes = [{"change": "add-nodes", "count": 2, "cpu": "2", "memory": "4Gi"}, *adding(DEPLOYMENT)["changes"]]
    spec = read_spec({"base": {"kind": "empty"}, "changes": changes})

    run = worked(starting.stored_run(cluster=None, spec=spec, title="", user=None))

    assert run.base is None
    assert (run.summary or {})["pods"]["placed"] == 3


def test_a_base_is_shared_and_goes_with_its_last_run(cluster: Cluster, tmp_path: Path) -> None:
    first, second = ordered(cluster), ordered(cluster)
    assert first.base_id == second.base_id
    load(tmp_path, "prod", [node("n1"), node("n2"), pod("web", on="n1")])
    cluster.refresh_from_db()
    third = ordered(cluster)
    assert third.base_id != first.base_id
    # The cluster moved on; the run begins with what it was.
    assert (worked(first).summary or {})["before"]["cluster"]["nodes"] == 3

    runs.delete(first)
    assert RunBase.objects.count() == 2
    runs.delete(second)
    assert list(RunBase.objects.all()) == [third.base]
    assert not RunChunk.objects.exists()
    remove_cluster(cluster=cluster)
    assert not SimulationRun.objects.exists()
    assert not RunBase.objects.exists()


def test_a_run_on_a_cluster_that_changes_too_fast_says_so(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    run = ordered(cluster)
    revisions = counting(cluster.revision + 1)
    monkeypatch.setattr(snapshots, "_revision", lambda cluster: next(revisions))
    monkeypatch.setattr(snapshots, "_caught_up", lambda cluster, kept: None)
    snapshots.forget_snapshots()

    assert worked(run).state == State.FAILED
    assert (run.error or {})["problem"]["kind"] == "ChangingTooFast"


def test_old_runs_go_unless_a_review_refers_to_them(cluster: Cluster, settings: Settings) -> None:
    old, kept, new = (worked(ordered(cluster, replicas=1)) for _ in range(3))
    before = timezone.now() - settings.BERTH_RUNS_KEPT - timedelta(days=1)
    SimulationRun.objects.filter(pk__in=(old.pk, kept.pk)).update(finished_at=before)
    Report.objects.create(cluster=cluster, run=kept, title="Review", order={})

    assert keeping.prune() == 1

    assert set(SimulationRun.objects.all()) == {kept, new}


def test_a_worker_shows_life_while_it_computes(transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("clusters.services.lanes._SECONDS_BETWEEN_BEATS", 0.01)
    run = SimulationRun.objects.create(title="Long", spec={})
    hold = Hold.take(run)
    assert hold is not None
    long_ago = timezone.now() - timedelta(hours=1)

    def is_alive() -> bool:
        return SimulationRun.objects.get(pk=run.pk).heartbeat_at > long_ago + timedelta(minutes=1)  # type: ignore[operator]

    with Pulse(hold):
        SimulationRun.objects.filter(pk=run.pk).update(heartbeat_at=long_ago)
        wait_until(is_alive, seconds=10, otherwise="no sign of life")

    SimulationRun.objects.filter(pk=run.pk).update(heartbeat_at=long_ago)
    assert not is_alive()


def a_kept(cluster: Cluster, pods: int, user: User | None, days: int = 0, **more: Any) -> SimulationRun:
    ended = timezone.now() - timedelta(days=days)
    run = SimulationRun.objects.create(
        cluster=cluster, title="", spec={}, state=State.DONE, pods_done=pods, created_by=user, finished_at=ended, **more
    )
    SimulationRun.objects.filter(pk=run.pk).update(created_at=ended)
    return run


def test_the_oldest_runs_of_a_user_make_room(cluster: Cluster, settings: Settings) -> None:
    settings.BERTH_RUN_PODS_PER_USER = 100
    ada, eve = (User.objects.create_user(name) for name in ("ada", "eve"))
    old, reviewed, new = (a_kept(cluster, 50, ada, days) for days in (3, 2, 1))
    Report.objects.create(cluster=cluster, run=reviewed, title="Review", order={})
    theirs, largest = a_kept(cluster, 90, eve, 9), a_kept(cluster, 500, None, 8)

    assert keeping.prune() == 1

    assert set(SimulationRun.objects.all()) == {reviewed, new, theirs, largest}
    assert keeping.pods_kept(ada) == 100
    assert old not in SimulationRun.objects.all()


def test_the_oldest_runs_of_all_make_room(cluster: Cluster, settings: Settings) -> None:
    settings.BERTH_RUN_PODS = 100
    ada, eve = (User.objects.create_user(name) for name in ("ada", "eve"))
    a_kept(cluster, 60, ada, 3)
    spared = a_kept(cluster, 60, ada, 3)
    newest, going = a_kept(cluster, 500, ada, 1), a_kept(cluster, 60, eve, 2)
    SimulationRun.objects.filter(pk=going.pk).update(finished_at=None)

    assert keeping.prune(spared=[spared.pk]) == 1

    # The newest of each stays: somebody may be looking at it.
    assert set(SimulationRun.objects.all()) == {spared, newest, going}
