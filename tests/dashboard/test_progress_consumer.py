from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from asgiref.testing import ApplicationCommunicator
from channels.db import database_sync_to_async
from channels.routing import URLRouter
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.db import connection
from django.test import Client

from clusters.documents.stored_problems import encoded
from clusters.engine.problems import Quoted
from clusters.models import Ingest, SimulationRun, Study, StudyPart
from clusters.services.evaluation import Progress, end, tell
from dashboard.consumers.progress import CHANGED, NO_REQUESTS
from dashboard.live import open_sockets
from dashboard.routing import websocket_urlpatterns
from tests.dashboard.rows import a_cluster

if TYPE_CHECKING:
    from django.db.models import Model

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.redis]


@database_sync_to_async
def a_run() -> Ingest:
    return Ingest.objects.create(
        cluster=a_cluster(), file_name="d.json", state=Ingest.State.READING, bytes_total=100, bytes_read=10
    )


@database_sync_to_async
def a_simulation() -> SimulationRun:
    return SimulationRun.objects.create(
        title="More", spec={}, state=SimulationRun.State.RUNNING, pods_total=10, pods_done=1, steps=1
    )


@database_sync_to_async
def a_study() -> list[StudyPart]:
    study = Study.objects.create(kind=Study.Kind.HEADROOM, title="Room", spec={})
    return [StudyPart.objects.create(study=study, number=number, label=f"shape {number}", spec={}) for number in (0, 1)]


@database_sync_to_async
def change(row: Model, **fields: object) -> None:
    type(row)._default_manager.filter(pk=row.pk).update(**fields)


@database_sync_to_async
def somebody() -> dict[str, Any]:
    """Return what the gate knows of somebody who is signed in."""
    client = Client()
    user = User.objects.create_user(f"follower-{User.objects.count()}")
    client.force_login(user)
    return {"user": user, "session": client.session}


async def opened(pk: int, what: str = "ingests") -> Any:
    """Return an accepted websocket that follows something."""
    scope = {"type": "websocket", "path": f"/ws/{what}/{pk}/", **await somebody()}
    socket: Any = ApplicationCommunicator(URLRouter(websocket_urlpatterns), scope)  # type: ignore[no-untyped-call]
    await socket.send_input({"type": "websocket.connect"})
    assert (await socket.receive_output(timeout=30))["type"] == "websocket.accept"
    return socket


async def test_fragments_follow_the_run_until_it_is_over() -> None:
    run = await a_run()
    socket = await opened(run.pk)

    first = await socket.receive_output(timeout=30)
    await change(run, bytes_read=80)
    second = await socket.receive_output(timeout=30)
    await change(run, state=Ingest.State.DONE, revision=1)
    last = await socket.receive_output(timeout=30)

    assert 'value="10"' in first["text"]
    assert 'value="80"' in second["text"]
    assert "data-over" in last["text"]
    assert (await socket.receive_output(timeout=30))["type"] == "websocket.close"


async def test_missing_run_closes_with_a_code_of_its_own() -> None:
    socket = await opened(999)

    assert (await socket.receive_output(timeout=30))["code"] == CHANGED


async def test_a_simulation_is_followed_until_its_page_shows_what_came_of_it() -> None:
    run = await a_simulation()
    socket = await opened(run.pk, "simulations")

    first = await socket.receive_output(timeout=30)
    await change(run, pods_done=8, steps=9)
    second = await socket.receive_output(timeout=30)
    await change(run, state=SimulationRun.State.DONE)

    assert 'value="10"' in first["text"]
    assert "8 of 10 pods decided, in 9 steps." in second["text"]
    assert (await socket.receive_output(timeout=30))["code"] == CHANGED


async def test_a_study_is_followed_part_by_part() -> None:
    parts = await a_study()
    socket = await opened(parts[0].study_id, "studies")

    first = await socket.receive_output(timeout=30)
    await change(parts[0], state=StudyPart.State.FAILED, error={"problem": encoded(Quoted("It is too large.", ""))})
    second = await socket.receive_output(timeout=30)
    await change(parts[1], state=StudyPart.State.FAILED, error={"problem": encoded(Quoted("It is too large.", ""))})

    assert 'max="2" value="0"' in first["text"]
    assert 'max="2" value="1"' in second["text"]
    assert "It is too large." in second["text"]
    assert (await socket.receive_output(timeout=30))["code"] == CHANGED


async def test_a_plan_of_a_drain_is_followed_until_nobody_makes_it_any_more() -> None:
    plan = "0123456789abcdef"
    cluster = await database_sync_to_async(a_cluster)()
    key = f"{cluster.pk}:{plan}"
    tell(key, Progress(3, 27))
    scope = {"type": "websocket", "path": f"/ws/drains/{cluster.pk}/{plan}/", **await somebody()}
    socket: Any = ApplicationCommunicator(URLRouter(websocket_urlpatterns), scope)  # type: ignore[no-untyped-call]
    await socket.send_input({"type": "websocket.connect"})
    assert (await socket.receive_output(timeout=30))["type"] == "websocket.accept"

    first = await socket.receive_output(timeout=30)
    tell(key, Progress(20, 27))
    second = await socket.receive_output(timeout=30)
    end(key)
    last = await socket.receive_output(timeout=30)

    assert 'value="3"' in first["text"]
    assert 'value="20"' in second["text"]
    assert (last["type"], last["code"]) == ("websocket.close", CHANGED)


async def test_who_signs_out_is_shown_no_more_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(open_sockets, "SESSION_SECONDS", 0.2)
    run = await a_run()
    socket = await opened(run.pk)
    await socket.receive_output(timeout=30)

    await database_sync_to_async(Session.objects.all().delete)()

    assert (await socket.receive_output(timeout=30))["code"] == open_sockets.SIGNED_OUT
    await change(run, bytes_read=80)
    assert await socket.receive_nothing(timeout=1.2)


async def test_what_is_sent_there_is_refused_in_words() -> None:
    socket = await opened((await a_run()).pk)
    await socket.receive_output(timeout=30)

    await socket.send_input({"type": "websocket.receive", "text": "hello"})

    answer = await socket.receive_output(timeout=30)
    assert (answer["code"], answer["reason"]) == (NO_REQUESTS, "This websocket takes no messages.")


async def test_progress_that_cannot_be_read_closes_the_socket() -> None:
    def rename(before: str, after: str) -> None:
        with connection.cursor() as cursor:
            cursor.execute(f"ALTER TABLE {before} RENAME TO {after}")

    run = await a_run()
    socket = await opened(run.pk)
    await socket.receive_output(timeout=30)
    table = Ingest._meta.db_table
    await database_sync_to_async(rename)(table, "away")
    try:
        assert (await socket.receive_output(timeout=30))["code"] == open_sockets.FAILED
    finally:
        await database_sync_to_async(rename)("away", table)
