"""What a page's websocket is told, as tests read it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from channels.db import database_sync_to_async

from tests.clusters.dumps import pod
from tests.clusters.live_batches import apply

if TYPE_CHECKING:
    from clusters.services.watching.watcher import Lease
    from tests.support.websocket import WebsocketClient


WORKLOADS = "/clusters/prod/spread/workloads/"
SPREAD = "/clusters/prod/spread/"


class Page:
    """A page's websocket; it keeps what it was told about each of its parts."""

    def __init__(self, client: WebsocketClient) -> None:
        self.client = client
        self.others: list[dict[str, Any]] = []

    async def subscribe(self, part: str, cluster: int, page: str) -> str:
        await self.client.send({"subscribe": part, "id": 1, "cluster": cluster, "page": page})
        answer = await self.other()
        assert answer["subscribed"] == 1, answer
        return str(answer["topic"])

    async def other(self) -> dict[str, Any]:
        """Return the next message that is no state."""
        while "html" in (message := await self.message()):
            pass
        return message

    async def state(self) -> dict[str, Any]:
        """Return the next state."""
        while "html" not in (message := await self.message()):
            self.others.append(message)
        return message

    async def message(self) -> dict[str, Any]:
        message: dict[str, Any] = json.loads(await self.client.receive())
        return message


async def change(lease: Lease, *names: str) -> None:
    """Put a pod of each name on a node, in one revision."""
    await database_sync_to_async(apply)(lease, put=tuple(pod(name, nodeName="n") for name in names))
