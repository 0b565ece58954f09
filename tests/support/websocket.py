"""The browser's side of a websocket, in memory. (Channels' own needs daphne, which Berth does not use.)"""

from __future__ import annotations

import json
from typing import Any

from asgiref.testing import ApplicationCommunicator

# Seconds to wait for an answer that is expected.
_PATIENCE = 30.0
# Seconds until a conversation that is over is broken off: what Channels still reads from Redis ends late.
_END = 1.0


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
            await self._communicator.wait(_END)
        return bool(answer["type"] == "websocket.accept")

    async def send(self, message: dict[str, Any]) -> None:
        await self.send_text(json.dumps(message))

    async def send_text(self, text: str) -> None:
        await self._communicator.send_input({"type": "websocket.receive", "text": text})

    async def receive(self) -> str:
        """Return the next text that the application sends."""
        answer = await self._communicator.receive_output(_PATIENCE)
        assert answer["type"] == "websocket.send", answer
        return str(answer["text"])

    async def answer(self) -> str | int:
        """Return the next text that the application sends, or the code with which it closes."""
        answer = await self._communicator.receive_output(_PATIENCE)
        return str(answer["text"]) if answer["type"] == "websocket.send" else int(answer["code"])

    async def closed_with(self) -> int:
        """Return the code with which the application closes, whatever it sends before."""
        while True:
            answer = await self._communicator.receive_output(_PATIENCE)
            if answer["type"] == "websocket.close":
                return int(answer["code"])

    async def is_silent(self, *, seconds: float = 0.1) -> bool:
        """Say whether nothing arrives for a while."""
        return bool(await self._communicator.receive_nothing(seconds))

    async def close(self) -> None:
        await self._communicator.send_input({"type": "websocket.disconnect", "code": 1000})
        await self._communicator.wait(_END)
