"""One topic that somebody has open: rendered once for each change, however many watch."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from clusters.services.mirror.snapshots import ChangingTooFastError
from dashboard.live.listener import Listener, TopicState
from dashboard.live.topics import GoneError, Topic

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from dashboard.live.rendering import Rendered

_log = logging.getLogger(__name__)

# Seconds between two renderings of a part: at least this, and this many times what the last one took, so that parts
# which are dear take no more than a third of a processor.
_SHORTEST_PAUSE = 0.1
_PAUSE_PER_RENDERING = 2.0
# After a rendering that failed.
_LONG_PAUSE = 3.0


class Feed:
    """Renders its topic when it is wanted, never twice at once, and hands what changed to its listeners."""

    def __init__(self, topic: Topic, render: Callable[[Topic], Awaitable[Rendered]]) -> None:
        self.topic = topic
        self.identity = topic.identity
        self.listeners: set[Listener] = set()
        self.is_gone = False
        # The cluster's revision up to which no change is left that the topic was not rendered for.
        self.revision = -1
        self._render = render
        self._state: TopicState | None = None
        self._sequence = 0
        self._has_failed = False
        self._wanted = asyncio.Event()
        self._wanted.set()

    def want(self) -> None:
        """Have the topic rendered, once more where that is under way."""
        self._wanted.set()

    def notify(self, revision: int, kinds: Sequence[str]) -> None:
        """Take note of a new revision, or of something beside the revisions, that concerns these kinds."""
        # Revisions have no gaps: after one without a notice, any kind may have changed.
        if revision > self.revision + 1 or self.topic.part.is_concerned_by(kinds):
            self.want()
        else:
            self.revision = max(self.revision, revision)

    def add(self, listener: Listener) -> None:
        """Show the topic to a listener, now and from now on."""
        self.listeners.add(listener)
        listener.topics.add(self.identity)
        self.repeat(listener)

    def repeat(self, listener: Listener) -> None:
        """Show a listener the present state again."""
        listener.show_anew(self.identity, self._state)
        if self.is_gone:
            listener.tell({"gone": self.identity})
        elif self._has_failed:
            listener.tell({"failed": self.identity})

    async def run(self) -> None:
        """Render for ever, as long as there is a cluster."""
        clock = asyncio.get_running_loop().time
        while not self.is_gone:
            await self._wait()
            began = clock()
            await self._once()
            pause = max(_SHORTEST_PAUSE, _PAUSE_PER_RENDERING * (clock() - began))
            await asyncio.sleep(_LONG_PAUSE if self._has_failed else pause)

    async def _wait(self) -> None:
        try:
            async with asyncio.timeout(self.topic.part.ages):
                await self._wanted.wait()
        except TimeoutError:
            # Nothing changed, but the times that the part tells have grown.
            pass
        self._wanted.clear()

    async def _once(self) -> None:
        try:
            rendered = await self._render(self.topic)
        except GoneError:
            self.is_gone = True
            self._tell({"gone": self.identity})
        except ChangingTooFastError:
            self.want()
        except Exception:  # noqa: BLE001 - whatever it is, the page says that it stands still, and the feed goes on
            _log.exception("The live part %s cannot be rendered.", self.topic.part.name)
            self._has_failed = True
            self._tell({"failed": self.identity})
            self.want()
        else:
            self._take(rendered)

    def _take(self, rendered: Rendered) -> None:
        self.revision = max(self.revision, rendered.revision)
        if self._state is not None and self._state.html == rendered.html and not self._has_failed:
            return
        self._has_failed = False
        self._sequence += 1
        self._state = TopicState.of(
            topic=self.identity,
            part=self.topic.part.name,
            cluster=self.topic.cluster_id,
            revision=rendered.revision,
            sequence=self._sequence,
            html=rendered.html,
        )
        for listener in self.listeners:
            listener.show(self.identity, self._state)

    def _tell(self, message: dict[str, object]) -> None:
        for listener in self.listeners:
            listener.tell(message)
