from __future__ import annotations

from typing import Any

import pytest
from asgiref.testing import ApplicationCommunicator
from channels.db import database_sync_to_async
from channels.routing import URLRouter

from clusters.models import Ingest
from dashboard.consumers.progress import GONE
from dashboard.routing import websocket_urlpatterns
from tests.dashboard.rows import a_cluster

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.redis]


@database_sync_to_async
def a_run() -> Ingest:
    return Ingest.objects.create(
        cluster=a_cluster(), file_name="d.json", state=Ingest.State.READING, bytes_total=100, bytes_read=10
    )


@database_sync_to_async
def change(run: Ingest, **fields: object) -> None:
    Ingest.objects.filter(pk=run.pk).update(**fields)


async def opened(pk: int) -> Any:
    """Return an accepted websocket of the run."""
    scope = {"type": "websocket", "path": f"/ws/ingests/{pk}/"}
    socket: Any = ApplicationCommunicator(URLRouter(websocket_urlpatterns), scope)  # type: ignore[no-untyped-call]
    await socket.send_input({"type": "websocket.connect"})
    assert (await socket.receive_output(timeout=5))["type"] == "websocket.accept"
    return socket


async def test_fragments_follow_the_run_until_it_is_over() -> None:
    run = await a_run()
    socket = await opened(run.pk)

    first = await socket.receive_output(timeout=5)
    await change(run, bytes_read=80)
    second = await socket.receive_output(timeout=5)
    await change(run, state=Ingest.State.DONE, revision=1)
    last = await socket.receive_output(timeout=5)

    assert 'value="10"' in first["text"]
    assert 'value="80"' in second["text"]
    assert "data-over" in last["text"]
    assert (await socket.receive_output(timeout=5))["type"] == "websocket.close"


async def test_unchanged_run_sends_nothing_again() -> None:
    run = await a_run()
    socket = await opened(run.pk)
    await socket.receive_output(timeout=5)

    assert await socket.receive_nothing(timeout=1.2)
    await socket.send_input({"type": "websocket.disconnect", "code": 1001})
    await socket.wait(timeout=5)


async def test_missing_run_closes_with_a_code_of_its_own() -> None:
    socket = await opened(999)

    assert (await socket.receive_output(timeout=5))["code"] == GONE
