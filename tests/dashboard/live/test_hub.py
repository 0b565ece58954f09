"""From a committed change to the HTML on a page's websocket, through the gate, the real channel layer and the hub."""

from __future__ import annotations

import asyncio
import json
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from channels.db import database_sync_to_async
from django.test import Client
from django.utils import timezone

from clusters.models import Cluster, WatchLease
from clusters.signals import snapshot_ready
from dashboard.live import hub, hub as feed, rendering
from tests.clusters.live_batches import apply, followed_cluster
from tests.dashboard.live.pages import SPREAD, WORKLOADS, change

if TYPE_CHECKING:
    from django.contrib.auth.models import User

    from tests.dashboard.live.pages import Page


pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.redis]


async def followed(open_page: Any, cluster: Cluster) -> tuple[Page, str]:
    """Open a page that got the first state of its workloads; return it with the topic."""
    page: Page = await open_page()
    topic = await page.subscribe("spread.workloads", cluster.pk, WORKLOADS)
    await page.state()
    return page, topic


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
    await followed(open_page, cluster)
    (watching,) = hub.the_hub()._feeds.values()
    wanted: list[int] = []
    watching.want = lambda: wanted.append(1)  # type: ignore[method-assign]

    await database_sync_to_async(apply)(lease, put=({"kind": "PriorityClass", "metadata": {"name": "p", "uid": "p"}},))
    await asyncio.sleep(0.3)
    assert (wanted, watching.revision) == ([], 2)

    await change(lease, "new")
    await asyncio.sleep(0.3)
    assert wanted


async def test_what_berth_wrote_itself_is_noticed_without_a_new_revision(mirrored: Any, open_page: Any) -> None:
    cluster, _ = mirrored
    await followed(open_page, cluster)
    (watching,) = hub.the_hub()._feeds.values()
    heard: list[tuple[int, list[str]]] = []
    watching.notify = lambda revision, kinds: heard.append((revision, list(kinds)))  # type: ignore[method-assign]

    def judged(*, kinds: tuple[str, ...]) -> None:
        snapshot_ready.send(sender=Cluster, cluster_id=cluster.pk, revision=1, changed=False, kinds=kinds)

    await database_sync_to_async(judged)(kinds=("Decision",))
    await database_sync_to_async(judged)(kinds=())
    await asyncio.sleep(0.3)

    assert heard == [(1, ["Decision"])]


async def test_another_clusters_changes_are_not_noticed(mirrored: Any, open_page: Any) -> None:
    cluster, _ = mirrored
    _, other = await database_sync_to_async(followed_cluster)("other")
    page, _ = await followed(open_page, cluster)

    await change(other, "new")

    assert await page.client.is_silent(seconds=0.5)


async def test_a_lost_notice_is_made_good(mirrored: Any, open_page: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub, "LOOK_SECONDS", 0.2)
    cluster, lease = mirrored
    page, _ = await followed(open_page, cluster)
    # As after a restart of Redis: the group is forgotten, and joined again by the next look.
    layer: Any = hub.the_hub()._subscriber._layer()
    await layer.group_discard(f"cluster.{cluster.pk}", hub.the_hub()._subscriber._channel)

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
    assert "The watcher does not respond" in (await page.state())["html"]


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
    page, _ = await followed(open_page, cluster)

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
    page, topic = await followed(open_page, cluster)

    await page.client.send({"unsubscribe": topic})
    await change(lease, "new")

    assert await page.client.is_silent(seconds=0.5)
    assert not hub.the_hub()._feeds
    assert not hub.the_hub()._clusters


async def test_a_deleted_cluster_is_gone(mirrored: Any, open_page: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub, "LOOK_SECONDS", 0.2)
    cluster, _ = mirrored
    page, topic = await followed(open_page, cluster)

    await database_sync_to_async(Cluster.objects.all().delete)()

    assert await page.other() == {"gone": topic}


async def test_a_cluster_that_was_deleted_before_the_socket_opened_is_gone(mirrored: Any, open_page: Any) -> None:
    cluster, _ = mirrored
    key = cluster.pk
    await database_sync_to_async(Cluster.objects.all().delete)()

    page = await open_page()
    topic = await page.subscribe("spread.workloads", key, WORKLOADS)

    assert await page.other() == {"gone": topic}
    assert not hub.the_hub()._feeds
    await page.client.send({"ping": 3})
    assert await page.other() == {"pong": 3}, "the socket goes on"


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
        assert await page.other() == {"failed": topic}

    assert (await page.state())["sequence"] == 1
