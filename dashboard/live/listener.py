"""One open websocket as the hub knows it: its topics, and the messages still to be sent to it."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import orjson

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

# Answers that wait for a socket which asks and does not read.
_MOST_ANSWERS = 100


@dataclass(frozen=True, slots=True)
class TopicState:
    """What a topic shows, serialised once for all sockets; `sequence` counts the states of the topic from 1."""

    html: str
    revision: int
    sequence: int
    # All fields of the message but the first, without the opening brace.
    rest: str

    @classmethod
    def of(cls, *, topic: str, part: str, cluster: int, revision: int, sequence: int, html: str) -> TopicState:
        """Serialise a state."""
        fields = {"topic": topic, "part": part, "cluster": cluster, "revision": revision, "sequence": sequence}
        return cls(html, revision, sequence, orjson.dumps({**fields, "html": html}).decode()[1:])

    def message(self, previous: int) -> str:
        """Return the message to a socket that was sent the state `previous` last, 0 for none.

        States in between were left out because the socket was slow; one that expects another number missed a message.
        """
        return f'{{"previous":{previous},{self.rest}'


class Listener:
    """Takes messages at any time and sends them as fast as the socket takes them.

    Of a topic only the latest state waits, so a slow socket costs no more memory than what its page shows.
    """

    def __init__(self, *, send: Callable[[str], Awaitable[None]]) -> None:
        self.topics: set[str] = set()
        self._send = send
        self._answers: deque[str] = deque()
        self._states: OrderedDict[str, TopicState] = OrderedDict()
        self._sent: dict[str, int] = {}
        self._filled = asyncio.Event()
        self._is_full = False

    def show(self, topic: str, state: TopicState) -> None:
        """Send a state, unless a newer one comes before the socket is ready."""
        self._states[topic] = state
        self._filled.set()

    def show_anew(self, topic: str, state: TopicState | None) -> None:
        """Send a state to a socket that is to forget what it was sent before."""
        self._sent.pop(topic, None)
        if state is not None:
            self.show(topic, state)

    def forget(self, topic: str) -> None:
        """Send nothing more of a topic."""
        self.topics.discard(topic)
        self._states.pop(topic, None)
        self._sent.pop(topic, None)

    def tell(self, answer: dict[str, Any]) -> None:
        """Send an answer, before any state."""
        if len(self._answers) < _MOST_ANSWERS:
            self._answers.append(orjson.dumps(answer).decode())
        else:
            self._is_full = True
        self._filled.set()

    async def run(self) -> None:
        """Send what comes until the socket is full of answers that nobody reads."""
        while not self._is_full:
            await self._filled.wait()
            self._filled.clear()
            while self._answers:
                await self._send(self._answers.popleft())
            while self._states and not self._answers:
                topic, state = self._states.popitem(last=False)
                message = state.message(self._sent.get(topic, 0))
                # Before sending: what comes meanwhile follows this state.
                self._sent[topic] = state.sequence
                await self._send(message)
            if self._states or self._answers:
                self._filled.set()
