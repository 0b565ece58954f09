"""From a committed change to the HTML on a page's websocket, through the gate, the real channel layer and the hub."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from channels.db import database_sync_to_async
from django.conf import settings
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone

from clusters.models import Cluster, WatchLease
from clusters.services.snapshots import forget_snapshots
from clusters.signals import snapshot_ready
from dashboard import asgi
from dashboard.consumers import live as consumer
from dashboard.live import feed, hub, parts, rendering
from tests.clusters.dumps import node, pod
from tests.clusters.live_batches import apply, followed_cluster
from tests.support.websocket import WebsocketClient

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    from django.contrib.auth.models import User

    from clusters.services.leases import Lease

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.redis]

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


async def change(lease: Lease, *names: str) -> None:
    """Put a pod of each name on a node, in one revision."""
    await database_sync_to_async(apply)(lease, put=tuple(pod(name, nodeName="n") for name in names))


async def test_a_change_is_pushed_as_the_page_would_render_it(mirrored: Any, open_page: Any, user: User) -> None:
    cluster, lease = mirrored
    await change(lease, "first")
    page = await open_page()
    topic = await page.subscribe("spread.workloads", cluster.pk, WORKLOADS)
    first = await page.state()
    await change(lease, "second")
    second = await page.state()

    def fragment() -> str:
        client = Client()
        client.force_login(user)
        return client.get(WORKLOADS, headers={"HX-Request": "true"}).text

    assert second["html"] == await database_sync_to_async(fragment)()
    assert first["html"] != second["html"]
    expected = {"topic": topic, "part": "spread.workloads", "cluster": cluster.pk, "revision": 3}
    assert expected.items() <= second.items()
    assert [(each["previous"], each["sequence"]) for each in (first, second)] == [(0, 1), (1, 2)]


async def test_pages_that_show_the_same_share_one_rendering(
    mirrored: Any, open_page: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    cluster, lease = mirrored
    rendered: list[str] = []

    def counting(topic: Any) -> Any:
        rendered.append(topic.path)
        return rendering.render(topic)

    monkeypatch.setattr(hub, "render", counting)
    pages = [await open_page() for _ in range(5)]
    topics = {await page.subscribe("spread.workloads", cluster.pk, WORKLOADS) for page in pages[:4]}
    # What the part does not read makes no difference, and what it reads does.
    topics.add(await pages[4].subscribe("spread.workloads", cluster.pk, f"{WORKLOADS}?utm=1&sort=x"))
    assert len(topics) == 1
    for page in pages:
        await page.state()
    rendered.clear()

    await change(lease, "new")
    states = [await page.state() for page in pages]

    assert rendered == [WORKLOADS]
    assert len({json.dumps(state) for state in states}) == 1
    assert await pages[0].subscribe("spread.workloads", cluster.pk, f"{WORKLOADS}?q=web") not in topics


async def test_only_what_concerns_a_part_renders_it(mirrored: Any, open_page: Any) -> None:
    cluster, lease = mirrored
    page = await open_page()
    await page.subscribe("spread.workloads", cluster.pk, WORKLOADS)
    await page.state()
    feeds = hub.the_hub()._feeds.values()
    (watching,) = feeds
    wanted: list[int] = []
    watching.want = lambda: wanted.append(1)  # type: ignore[method-assign]

    await database_sync_to_async(apply)(lease, put=({"kind": "PriorityClass", "metadata": {"name": "p", "uid": "p"}},))
    await asyncio.sleep(0.3)
    assert (wanted, watching.revision) == ([], 2)

    await change(lease, "new")
    await asyncio.sleep(0.3)
    assert wanted


async def test_what_berth_wrote_itself_is_heard_of_without_a_new_revision(mirrored: Any, open_page: Any) -> None:
    cluster, _ = mirrored
    page = await open_page()
    await page.subscribe("spread.workloads", cluster.pk, WORKLOADS)
    await page.state()
    (watching,) = hub.the_hub()._feeds.values()
    heard: list[tuple[int, list[str]]] = []
    watching.hear = lambda revision, kinds: heard.append((revision, list(kinds)))  # type: ignore[method-assign]

    def judged(*, kinds: tuple[str, ...]) -> None:
        snapshot_ready.send(sender=Cluster, cluster_id=cluster.pk, revision=1, changed=False, kinds=kinds)

    await database_sync_to_async(judged)(kinds=("Decision",))
    await database_sync_to_async(judged)(kinds=())
    await asyncio.sleep(0.3)

    assert heard == [(1, ["Decision"])]


async def test_another_clusters_changes_are_not_heard_of(mirrored: Any, open_page: Any) -> None:
    cluster, _ = mirrored
    _, other = await database_sync_to_async(followed_cluster)("other")
    page = await open_page()
    await page.subscribe("spread.workloads", cluster.pk, WORKLOADS)
    await page.state()

    await change(other, "new")

    assert await page.client.is_silent(seconds=0.5)


async def test_a_lost_notice_is_made_good(mirrored: Any, open_page: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub, "LOOK_SECONDS", 0.2)
    cluster, lease = mirrored
    page = await open_page()
    await page.subscribe("spread.workloads", cluster.pk, WORKLOADS)
    await page.state()
    # As after a restart of Redis: the group is forgotten, and joined again by the next look.
    layer: Any = hub.the_hub()._ear._layer()
    await layer.group_discard(f"cluster.{cluster.pk}", hub.the_hub()._ear._channel)

    await change(lease, "new")

    assert (await page.state())["revision"] == 2
    await change(lease, "newer")
    assert (await page.state())["revision"] == 3


async def test_what_grows_old_is_pushed_without_a_change(mirrored: Any, open_page: Any) -> None:
    cluster, _ = mirrored
    page = await open_page()
    await page.subscribe("stale", cluster.pk, SPREAD)
    assert "silent" not in (await page.state())["html"]

    await database_sync_to_async(_silence)()

    async with asyncio.timeout(10):
        while await page.client.is_silent(seconds=1):
            pass
    assert "The watcher has been silent" in (await page.state())["html"]


def _silence() -> None:
    WatchLease.objects.update(heartbeat_at=timezone.now() - timedelta(minutes=3))


async def test_who_missed_a_state_may_ask_for_the_present_one(mirrored: Any, open_page: Any) -> None:
    cluster, _ = mirrored
    page = await open_page()
    topic = await page.subscribe("spread.workloads", cluster.pk, WORKLOADS)
    first = await page.state()

    await page.client.send({"refresh": topic})

    assert await page.state() == first
    await page.client.send({"refresh": "somebody else's"})
    assert await page.client.is_silent(seconds=0.3)


async def test_a_burst_of_changes_ends_with_the_last_and_few_renderings(mirrored: Any, open_page: Any) -> None:
    cluster, lease = mirrored
    page = await open_page()
    await page.subscribe("spread.workloads", cluster.pk, WORKLOADS)
    await page.state()

    for number in range(20):
        await change(lease, f"p{number}")
    state = await page.state()
    while 'data-column="On nodes">20<' not in state["html"]:
        later = await page.state()
        assert later["previous"] == state["sequence"]
        state = later

    assert state["sequence"] < 20


async def test_unsubscribed_parts_are_rendered_no_more(mirrored: Any, open_page: Any) -> None:
    cluster, lease = mirrored
    page = await open_page()
    topic = await page.subscribe("spread.workloads", cluster.pk, WORKLOADS)
    await page.state()

    await page.client.send({"unsubscribe": topic})
    await change(lease, "new")

    assert await page.client.is_silent(seconds=0.5)
    assert not hub.the_hub()._feeds
    assert not hub.the_hub()._clusters


async def test_a_deleted_cluster_is_gone(mirrored: Any, open_page: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub, "LOOK_SECONDS", 0.2)
    cluster, _ = mirrored
    page = await open_page()
    topic = await page.subscribe("spread.workloads", cluster.pk, WORKLOADS)
    await page.state()

    await database_sync_to_async(Cluster.objects.all().delete)()

    assert await page.other() == {"gone": topic}


async def test_a_part_that_cannot_be_rendered_says_so_and_recovers(
    mirrored: Any, open_page: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feed, "_LONG_PAUSE", 0.2)
    cluster, _ = mirrored

    def failing(topic: Any) -> Any:
        raise OSError("the database is away")

    with monkeypatch.context() as patch:
        patch.setattr(hub, "render", failing)
        page = await open_page()
        topic = await page.subscribe("spread.workloads", cluster.pk, WORKLOADS)
        assert await page.other() == {"stuck": topic}

    assert (await page.state())["sequence"] == 1


# -- who may, and how much ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("part", "page", "why"),
    [
        ("nothing", WORKLOADS, "no live part"),
        ("spread.groups", WORKLOADS, "no live part"),
        ("spread.workloads", "/nowhere/", "no such address"),
        ("spread.workloads", "https://elsewhere.example/clusters/other/spread/workloads/", "another name"),
        ("spread.workloads", "/clusters/other/spread/workloads/", "no such cluster"),
        ("spread.workloads", f"{WORKLOADS}?{'q' * 2_000}", "too long"),
        (7, WORKLOADS, "has to be a text"),
    ],
)
async def test_what_cannot_be_had_is_refused_with_a_reason(
    mirrored: Any, open_page: Any, part: Any, page: str, why: str
) -> None:
    cluster, _ = mirrored
    opened = await open_page()
    await opened.client.send({"subscribe": part, "id": 5, "cluster": cluster.pk, "page": page})

    answer = await opened.message()

    assert why in answer["error"]
    assert answer["id"] == 5


async def test_a_part_that_is_not_for_the_user_is_refused(
    mirrored: Any, open_page: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    cluster, _ = mirrored
    page = await open_page()
    await page.subscribe("spread.workloads", cluster.pk, WORKLOADS)
    guarded = replace(parts._parts["spread.workloads"], may_see=lambda user: user.get_username() == "somebody else")
    monkeypatch.setitem(parts._parts, "spread.workloads", guarded)

    await page.client.send({"subscribe": "spread.workloads", "id": 2, "cluster": cluster.pk, "page": WORKLOADS})

    assert "not for you" in (await page.other())["error"]


@pytest.mark.parametrize("text", ["", "{", "[]", "7", '"subscribe"', "{}", '{"else": 1}'])
async def test_what_is_no_request_closes_the_socket(open_page: Any, text: str) -> None:
    page = await open_page()
    await page.client.send_text(text)

    assert await page.client.closed_with() == consumer.MALFORMED


async def test_a_long_message_closes_the_socket(open_page: Any) -> None:
    page = await open_page()
    await page.client.send({"ping": 1, "padding": "x" * consumer.MOST_CHARACTERS})

    assert await page.client.closed_with() == consumer.TOO_LONG


async def test_a_socket_has_so_many_parts_at_most(mirrored: Any, open_page: Any) -> None:
    cluster, _ = mirrored
    page = await open_page()
    for number in range(consumer.MOST_TOPICS):
        await page.subscribe("spread.workloads", cluster.pk, f"{WORKLOADS}?q={number}")

    await page.client.send({"subscribe": "spread.workloads", "id": 9, "cluster": cluster.pk, "page": WORKLOADS})

    assert "32 live parts at most" in (await page.other())["error"]


async def test_who_asks_is_answered(open_page: Any) -> None:
    page = await open_page()
    await page.client.send({"ping": 3})

    assert await page.other() == {"pong": 3}


@pytest.mark.parametrize("end", ["signed out", "inactive", "other password", "expired"])
async def test_a_socket_of_somebody_who_is_signed_in_no_more_is_closed(
    mirrored: Any, open_page: Any, user: User, monkeypatch: pytest.MonkeyPatch, end: str
) -> None:
    monkeypatch.setattr(hub, "SESSION_SECONDS", 0.2)
    page = await open_page()
    assert await page.client.is_silent(seconds=0.6)

    def leave() -> None:
        if end == "signed out":
            Session.objects.all().delete()
        elif end == "expired":
            Session.objects.update(expire_date="2020-01-01T00:00:00Z")
        else:
            user.is_active = end != "inactive"
            user.set_password("another horse")
            user.save()

    await database_sync_to_async(leave)()

    assert await page.client.closed_with() == hub.SIGNED_OUT
