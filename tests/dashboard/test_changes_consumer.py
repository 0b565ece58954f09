"""Notices from a committed change to the browser's websocket."""

from __future__ import annotations

import json
from typing import Any

import pytest
from asgiref.testing import ApplicationCommunicator
from channels.db import database_sync_to_async
from channels.routing import URLRouter

from clusters.models import Cluster
from dashboard.consumers import changes
from dashboard.routing import websocket_urlpatterns
from tests.clusters.dumps import node, pod
from tests.clusters.live_batches import apply, followed_cluster

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.redis]


async def opened(pk: int) -> Any:
    """Return an accepted websocket of the cluster."""
    scope = {"type": "websocket", "path": f"/ws/clusters/{pk}/"}
    socket: Any = ApplicationCommunicator(URLRouter(websocket_urlpatterns), scope)  # type: ignore[no-untyped-call]
    await socket.send_input({"type": "websocket.connect"})
    assert (await socket.receive_output(timeout=5))["type"] == "websocket.accept"
    return socket


async def heard(socket: Any) -> dict[str, Any]:
    content: dict[str, Any] = json.loads((await socket.receive_output(timeout=5))["text"])
    return content


async def closed(socket: Any) -> None:
    await socket.send_input({"type": "websocket.disconnect", "code": 1001})
    await socket.wait(timeout=5)


async def test_a_page_hears_of_every_revision_without_a_gap() -> None:
    cluster, lease = await database_sync_to_async(followed_cluster)()
    socket = await opened(cluster.pk)
    assert await heard(socket) == {"version": 1, "cluster": cluster.pk, "revision": 0, "kinds": []}

    for number in range(1, 4):
        await database_sync_to_async(apply)(lease, put=(pod(f"p{number}"), node(f"n{number}")))

    for number in range(1, 4):
        notice = {"version": 1, "cluster": cluster.pk, "revision": number, "kinds": ["Node", "Pod"]}
        assert await heard(socket) == notice
    await closed(socket)


async def test_a_page_hears_of_its_own_cluster_alone() -> None:
    mine, _ = await database_sync_to_async(followed_cluster)("mine")
    _, other = await database_sync_to_async(followed_cluster)("other")
    socket = await opened(mine.pk)
    await heard(socket)

    await database_sync_to_async(apply)(other, put=(pod(),))

    assert await socket.receive_nothing(timeout=0.5)
    await closed(socket)


async def test_a_lost_notice_is_made_good(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(changes, "INTERVAL_SECONDS", 0.2)
    cluster, _ = await database_sync_to_async(followed_cluster)()
    socket = await opened(cluster.pk)
    assert (await heard(socket))["revision"] == 0

    await database_sync_to_async(Cluster.objects.filter(pk=cluster.pk).update)(revision=7)

    revisions = [(await heard(socket))["revision"] for _ in range(3)]
    assert revisions[-1] == 7
    await closed(socket)


async def test_a_missing_cluster_closes_with_a_code_of_its_own() -> None:
    socket = await opened(999)

    assert (await socket.receive_output(timeout=5))["code"] == changes.GONE
    await closed(socket)
