"""Receives changes of clusters in a web process, and sends rendered parts to the websockets of open pages."""

from __future__ import annotations

import asyncio
import logging
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, TypeVar
from weakref import WeakKeyDictionary

from channels.db import DatabaseSyncToAsync

from clusters.models import Cluster
from dashboard.live.broadcast import group_of
from dashboard.live.feed import Feed
from dashboard.live.notices import Subscriber
from dashboard.live.rendering import Rendered, render

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable

    from dashboard.live.listener import Listener
    from dashboard.live.topics import Topic

_log = logging.getLogger(__name__)

Result = TypeVar("Result")

# Seconds. A notice that was lost is made good after so long at most.
LOOK_SECONDS = 3.0
_END_SECONDS = 0.2
# One thread would let a large cluster's first snapshot keep all other parts waiting; more would only take turns.
_THREADS = 2


class Hub:
    """Feeds by topic and listeners; everything but rendering and queries happens on one event loop."""

    def __init__(self) -> None:
        self._feeds: dict[str, Feed] = {}
        self._runs: dict[str, asyncio.Task[None]] = {}
        self._listeners: set[Listener] = set()
        self._clusters: dict[int, set[Feed]] = {}
        self._subscriber = Subscriber(self._take_notice)
        self._tasks: list[asyncio.Task[None]] = []
        self._threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="live")

    async def in_thread(self, work: Callable[..., Result], *arguments: Any) -> Result:
        """Do what talks to the database in one of the hub's threads."""
        call: Callable[..., Awaitable[Result]] = DatabaseSyncToAsync(
            work, thread_sensitive=False, executor=self._threads
        )
        return await call(*arguments)

    def join(self, listener: Listener) -> None:
        """Take a listener in; the first one sets the hub to work."""
        self._listeners.add(listener)
        if not self._tasks:
            self._tasks = [
                asyncio.create_task(task, name="live hub") for task in (self._subscriber.run(), self._poll_for_ever())
            ]

    async def leave(self, listener: Listener) -> None:
        """Let a listener go; after the last one nothing is done any more."""
        self._listeners.discard(listener)
        # All at once: nothing that fails below leaves a part behind that is rendered for nobody.
        left = [self._forget(listener, identity) for identity in tuple(listener.topics)]
        for cluster in left:
            await self._unsubscribe_cluster(cluster)
        if not self._listeners:
            tasks, self._tasks = self._tasks, []
            await end_tasks(tasks)

    async def subscribe(self, listener: Listener, topic: Topic) -> None:
        """Show a listener a topic from now on."""
        identity = topic.identity
        if topic.cluster_id not in self._clusters:
            # Before the first rendering, so that no change in between is missed.
            await self._subscriber.join([group_of(topic.cluster_id)])
        feed = self._feeds.get(identity)
        if feed is None:
            feed = self._feeds[identity] = Feed(topic, self._render)
            self._clusters.setdefault(topic.cluster_id, set()).add(feed)
            self._runs[identity] = asyncio.create_task(feed.run(), name=f"live part {topic.part.name}")
        feed.add(listener)

    async def unsubscribe(self, listener: Listener, identity: str) -> None:
        """Show a listener a topic no more; one that nobody has open is not rendered any more."""
        await self._unsubscribe_cluster(self._forget(listener, identity))

    def _forget(self, listener: Listener, identity: str) -> int | None:
        """Let a listener's topic go; return the cluster of which no notices are needed any more, if any."""
        listener.forget(identity)
        feed = self._feeds.get(identity)
        if feed is None:
            return None
        feed.listeners.discard(listener)
        if feed.listeners:
            return None
        del self._feeds[identity]
        self._runs.pop(identity).cancel()
        cluster = feed.topic.cluster_id
        self._clusters[cluster].discard(feed)
        if self._clusters[cluster]:
            return None
        del self._clusters[cluster]
        return cluster

    async def _unsubscribe_cluster(self, cluster: int | None) -> None:
        if cluster is not None and cluster not in self._clusters:
            await self._subscriber.leave(group_of(cluster))

    def refresh(self, listener: Listener, identity: str) -> None:
        """Show a listener the present state of a topic that it subscribed to once more."""
        if identity in listener.topics:
            self._feeds[identity].repeat(listener)

    async def _render(self, topic: Topic) -> Rendered:
        return await self.in_thread(render, topic)

    # -- what changed --------------------------------------------------------------------------------------------------

    def _take_notice(self, message: dict[str, Any]) -> None:
        notice = message["notice"]
        for feed in self._clusters.get(notice["cluster"], ()):
            feed.notify(notice["revision"], notice["kinds"])

    async def _poll_for_ever(self) -> None:
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            try:
                await self._poll()
            except Exception:  # noqa: BLE001 - whatever it is, the next look is the remedy
                _log.exception("The revisions of the clusters that are open cannot be looked up.")

    async def _poll(self) -> None:
        """Find changes of which no notice came: one query for all clusters that somebody has open."""
        clusters = tuple(self._clusters)
        found = await self.in_thread(_revisions, clusters)
        for cluster in clusters:
            for feed in self._clusters.get(cluster, ()):
                # A cluster that is not found is gone, which rendering tells.
                if found.get(cluster) != feed.revision:
                    feed.want()
        await self._subscriber.join(map(group_of, clusters))


async def end_tasks(tasks: Iterable[asyncio.Task[None]]) -> None:
    """Cancel tasks, and wait until they are over."""
    pending = set(tasks)
    while pending:
        for task in pending:
            task.cancel()
        # More than once, because the Redis client swallows a cancellation that comes while it connects.
        _, pending = await asyncio.wait(pending, timeout=_END_SECONDS)


def _revisions(clusters: tuple[int, ...]) -> dict[int, int]:
    return dict(Cluster.objects.filter(pk__in=clusters).values_list("pk", "revision"))


_hubs: WeakKeyDictionary[asyncio.AbstractEventLoop, Hub] = WeakKeyDictionary()


def the_hub() -> Hub:
    """Return the hub of the running event loop, of which a web process has one."""
    loop = asyncio.get_running_loop()
    if loop not in _hubs:
        _hubs[loop] = Hub()
    return _hubs[loop]
