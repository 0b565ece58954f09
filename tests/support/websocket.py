"""The browser's side of a websocket, in memory. (Channels' own needs daphne, which Berth does not use.)"""

from __future__ import annotations

import json
from typing import Any

from asgiref.testing import ApplicationCommunicator

# Seconds to wait for an answer that is expected.
_PATIENCE = 2.0


class WebsocketClient:
    """One connection to an ASGI application."""

    def __init__(self, application: Any, path: str, *, headers: list[tuple[bytes, bytes]], **scope: Any) -> None:
        request = {"path": path, "query_string": b"", "headers": headers, "subprotocols": []}
        # Any, because asgiref leaves these methods without types.
        communicator: Any = ApplicationCommunicator
        self._communicator = communicator(application, {"type": "websocket", **request, **scope})

    async def connect(self) -> bool:
        """Shake hands and say whether the application let us in."""
        await self._communicator.send_input({"type": "websocket.connect"})
        answer = await self._communicator.receive_output(_PATIENCE)
        if answer["type"] == "websocket.close":
            await self._communicator.wait(_PATIENCE)
        return bool(answer["type"] == "websocket.accept")

    async def send(self, message: dict[str, Any]) -> None:
        await self._communicator.send_input({"type": "websocket.receive", "text": json.dumps(message)})

    async def receive(self) -> str:
        """Return the next text that the application sends."""
        answer = await self._communicator.receive_output(_PATIENCE)
        assert answer["type"] == "websocket.send", answer
        return str(answer["text"])

    async def is_silent(self, *, seconds: float = 0.1) -> bool:
        """Say whether nothing arrives for a while."""
        return bool(await self._communicator.receive_nothing(seconds))

    async def close(self) -> None:
        await self._communicator.send_input({"type": "websocket.disconnect", "code": 1000})
        await self._communicator.wait(_PATIENCE)
