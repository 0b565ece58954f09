"""A mirrored cluster, and pages of it that are open."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from channels.db import database_sync_to_async
from django.conf import settings
from django.test import Client

from clusters.services.mirror.snapshots import forget_snapshots
from dashboard import asgi
from tests.clusters.dumps import node
from tests.clusters.live_batches import apply, followed_cluster
from tests.dashboard.live.pages import Page
from tests.support.websocket import WebsocketClient

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    from django.contrib.auth.models import User

    from clusters.models import Cluster
    from clusters.services.watching.watcher import Lease


@pytest.fixture
async def mirrored() -> tuple[Cluster, Lease]:
    """Return a cluster that holds one node, at revision 1."""
    forget_snapshots()
    cluster, lease = await database_sync_to_async(followed_cluster)()
    await database_sync_to_async(apply)(lease, put=(node("n"),))
    return cluster, lease


@pytest.fixture
async def open_page(user: User) -> AsyncIterator[Callable[[], Awaitable[Page]]]:
    """Return a function that opens a signed-in page's websocket; all are closed in the end."""

    def signed_in() -> str:
        client = Client()
        client.force_login(user)
        return client.cookies[settings.SESSION_COOKIE_NAME].value

    session = await database_sync_to_async(signed_in)()
    headers = [
        (b"host", b"localhost"),
        (b"origin", b"http://localhost"),
        (b"cookie", f"{settings.SESSION_COOKIE_NAME}={session}".encode()),
    ]
    opened: list[WebsocketClient] = []

    async def opening() -> Page:
        client = WebsocketClient(asgi.application, "/ws/live/", headers=headers)
        assert await client.connect()
        opened.append(client)
        return Page(client)

    yield opening
    for client in opened:
        await client.close()
