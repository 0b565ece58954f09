"""Receives changes of clusters in a web process, and sends rendered parts to the websockets of open pages."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict, deque
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, TypeVar
from weakref import WeakKeyDictionary

import orjson
from channels.db import DatabaseSyncToAsync
from msgspec import Struct

from clusters.models import Cluster
from clusters.services.mirror.snapshots import ChangingTooFastError
from dashboard.live.broadcast import Subscriber, group_of
from dashboard.live.rendering import Rendered, render
from dashboard.live.topics import GoneError, Topic

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Sequence

    from dashboard.live.rendering import Rendered
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


# Answers that wait for a socket which asks and does not read.
_MOST_ANSWERS = 100


class TopicState(Struct, frozen=True):
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
