"""uvicorn's HTTP protocol with timeouts for the head and the body of a request.

A request's head that never ends would hold a connection for ever, and a few hundred of them all that there are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from uvicorn.protocols.http.h11_impl import H11Protocol

if TYPE_CHECKING:
    import asyncio

# Seconds for a whole head, and between two pieces of a body.
HEAD_SECONDS = 10.0
_BODY_SECONDS = 60.0


class ImpatientHTTP(H11Protocol):
    """Closes a connection whose request's head is not there in time, or whose body does not go on."""

    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._wait(HEAD_SECONDS)

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.transport.is_closing() or self.transport.get_protocol() is not self:
            # Another protocol has taken over: a websocket, which has rules of its own.
            self._stop_waiting()
        elif self.cycle is None or self.cycle.response_complete:  # type: ignore[redundant-expr]  # None before the first
            if self._deadline is None:
                self._wait(HEAD_SECONDS)
        else:
            self._stop_waiting()
            if self.cycle.more_body:
                self._wait(_BODY_SECONDS)

    def _wait(self, seconds: float) -> None:
        self._deadline = self.loop.call_later(seconds, self.transport.close)

    def _stop_waiting(self, *_: Any) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
