"""Users take turns: however much one has waiting, another's first is next, and nothing is lost or done twice."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User

from clusters.models import Cluster, Report, SimulationRun, StudyPart
from clusters.models.run import Lane
from clusters.services import reports, runs, studies
from clusters.services.lanes import next_piece, resume, send_all
from clusters.services.runs import starting, working
from clusters.services.runs.spec import read_spec
from clusters.services.workers import take
from dashboard.celery import app
from dashboard.serving import processes
from dashboard.serving.children import Child
from tests.clusters.runs.test_life import ends, written
from tests.clusters.runs.test_spec import DEPLOYMENT, adding
from tests.support.answers import known
from tests.support.live import database_url
from tests.support.waiting import wait_until

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path


State = SimulationRun.State
LONG, SHORT = Lane.SIMULATIONS, Lane.QUESTIONS
LONG_AGO = datetime(2026, 1, 1, tzinfo=UTC)
SMALL = read_spec(adding(DEPLOYMENT, replicas=1))


@pytest.fixture
def ada(db: None) -> User:
    return User.objects.create_user("ada")


@pytest.fixture
def bob(db: None) -> User:
    return User.objects.create_user("bob")


def ordered(cluster: Cluster, user: User | None, lane: Lane = LONG, spec: Any = SMALL) -> SimulationRun:
    """Store a run that waits in a line, of which no worker is told."""
    run = starting.stored_run(cluster=cluster, spec=spec, title="More", user=user)
    SimulationRun.objects.filter(pk=run.pk).update(lane=lane)
    return run


def order_of_work(lane: Lane = LONG) -> list[str]:
    """Work on all that waits, and return whose it was in turn."""
    names = []
    while (piece := next_piece(lane)) is not None:
        names.append("" if piece.user is None else User.objects.get(pk=piece.user).username)
        assert take(lane)
    assert not take(lane)
    return names


def test_a_hundred_of_one_user_do_not_delay_anothers_first(cluster: Cluster, ada: User, bob: User) -> None:
    for _ in range(100):
        ordered(cluster, ada)
    assert take(LONG)
    late = ordered(cluster, bob)

    assert take(LONG)

    late.refresh_from_db()
    assert late.state == State.DONE
    assert SimulationRun.objects.filter(created_by=ada, state=State.QUEUED).count() == 99


def test_users_take_turns_and_each_ones_oldest_is_first(cluster: Cluster, ada: User, bob: User) -> None:
    for user in (ada, ada, ada, bob, bob, None):
        ordered(cluster, user)

    assert order_of_work() == ["ada", "bob", "", "ada", "bob", "ada"]
    begun = SimulationRun.objects.order_by("started_at").values_list("pk", flat=True)
    of_ada = [pk for pk in begun if SimulationRun.objects.get(pk=pk).created_by == ada]
    assert of_ada == sorted(of_ada)


def test_all_kinds_of_work_are_one_line(cluster: Cluster, ada: User, bob: User) -> None:
    plain = read_spec({"base": {"kind": "cluster"}})
    shapes = [{"mix": [{"text": DEPLOYMENT}], "label": str(number)} for number in range(3)]
    studies.create_headroom(cluster=cluster, spec=plain, shapes=shapes, title="Room", user=ada)
    review = reports.stored_report(order={"cluster": "prod", "sections": ["spread"]}, user=bob)
    Report.objects.filter(pk=review.pk).update(lane=LONG)
    ordered(cluster, bob)

    assert order_of_work() == ["ada", "bob", "ada", "bob", "ada"]
    assert set(StudyPart.objects.values_list("state", flat=True)) == {"done"}


def test_who_has_nothing_running_goes_first(cluster: Cluster, ada: User, bob: User) -> None:
    held = [ordered(cluster, ada) for _ in range(2)]
    SimulationRun.objects.filter(pk=held[0].pk).update(state=State.RUNNING)
    late = ordered(cluster, bob)

    found = known(next_piece(LONG))

    assert found.pk == late.pk


def test_questions_wait_for_no_simulation(cluster: Cluster, ada: User) -> None:
    ordered(cluster, ada)
    question = ordered(cluster, ada, SHORT)

    found = known(next_piece(SHORT))

    assert found.pk == question.pk
    assert order_of_work(SHORT) == ["ada"]
    assert order_of_work(LONG) == ["ada"]


def test_a_long_run_hands_over_and_comes_to_the_same(
    cluster: Cluster, ada: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    large = read_spec(adding(DEPLOYMENT, replicas=2_500))
    whole = ordered(cluster, None, spec=large)
    assert runs.work(whole.pk)
    monkeypatch.setattr(working, "SECONDS_PER_TURN", 0.0)
    monkeypatch.setattr(working, "_TIMES_READY", 0)
    long, short = ordered(cluster, ada, spec=large), ordered(cluster, bob)

    assert take(LONG)

    long.refresh_from_db()
    assert (long.state, long.begun, long.worker) == (State.QUEUED, 0, "")
    assert 0 < long.steps < 2_500
    assert order_of_work() == ["bob", "ada"]
    for run in (long, short, whole):
        run.refresh_from_db()
        assert run.state == State.DONE
    assert written(long) == written(whole)
    assert ends(long) == ends(whole)
    assert long.summary == whole.summary


def test_a_question_that_takes_long_waits_with_the_simulations(
    cluster: Cluster, ada: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(working, "SECONDS_PER_TURN", 0.0)
    monkeypatch.setattr(working, "_TIMES_READY", 0)
    question = ordered(cluster, ada, SHORT, read_spec(adding(DEPLOYMENT, replicas=2_500)))

    assert take(SHORT)

    assert next_piece(SHORT) is None
    assert order_of_work(LONG) == ["ada"]
    question.refresh_from_db()
    assert question.state == State.DONE


# -- with workers ------------------------------------------------------------------------------------------------------


@pytest.fixture
def start(redis_url: str, transactional_db: None, tmp_path: Path) -> Iterator[Callable[[], Child]]:
    """Return what starts a worker for simulations, which does one at a time."""
    environment = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "dashboard.settings",
        "BERTH_DATA_DIR": str(tmp_path),
        "DATABASE_URL": database_url(),
        "REDIS_URL": redis_url,
    }
    command = processes.worker_of([processes.SIMULATIONS], concurrency=1, log_level="WARNING")
    started: list[Child] = []

    def start() -> Child:
        started.append(Child("runs", command, env=environment, cwd=settings.BASE_DIR))
        return started[-1]

    lose_all_messages()
    yield start
    for worker in started:
        worker.stop(grace=0)


def lose_all_messages() -> None:
    app.control.purge()


def wait_for_all(runs: list[SimulationRun]) -> None:
    """Wait until all of these are done."""
    left = SimulationRun.objects.filter(pk__in=[run.pk for run in runs]).exclude(state=State.DONE)
    wait_until(lambda: not left.exists(), seconds=120, otherwise="some run was never worked on")


@pytest.mark.redis
def test_messages_may_come_late_or_twice_or_be_lost(start: Callable[[], Child], cluster: Cluster) -> None:
    ada, bob = User.objects.create_user("ada"), User.objects.create_user("bob")
    every = [*(ordered(cluster, ada) for _ in range(12)), ordered(cluster, bob)]
    # Of some there is a second message, and that of the last is behind all others.
    send_all(SimulationRun, [run.pk for run in every[:12]], LONG)
    send_all(SimulationRun, [run.pk for run in every[:3]], LONG)
    send_all(SimulationRun, [every[12].pk], LONG)

    first = start()
    wait_for_all(every)

    order = list(SimulationRun.objects.order_by("started_at").values_list("created_by__username", flat=True))
    assert order.index("bob") == 1
    assert set(SimulationRun.objects.values_list("begun", flat=True)) == {1}

    first.stop(grace=10)
    lost = [ordered(cluster, ada) for _ in range(3)]
    send_all(SimulationRun, [run.pk for run in lost], LONG)
    lose_all_messages()
    SimulationRun.objects.filter(pk__in=[run.pk for run in lost]).update(created_at=LONG_AGO)
    assert resume() == 3
    start()
    wait_for_all(lost)
