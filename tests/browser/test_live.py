"""A live cluster's page moves by itself, and says when it cannot."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from clusters.documents.stored_problems import text_of_problem
from clusters.engine.problems import Quoted
from clusters.models import Cluster, WatchedKind, WatchLease
from tests.browser.looks import flaws_of_pages
from tests.clusters.dumps import pod
from tests.clusters.live_batches import apply, followed_cluster, list_kind
from tests.dashboard.rows import allow_changes
from tests.support.fake_apiserver import FakeApiServer
from tests.support.waiting import wait_until
from tests.support.watching import live_cluster, start_watcher, wait_until_followed

if TYPE_CHECKING:
    from pathlib import Path

    from django.contrib.auth.models import User
    from playwright.sync_api import Page

    from clusters.services.watching.watcher import Lease
    from tests.support.live import LiveBerth

pytestmark = pytest.mark.browser

ADDRESSES = (
    "/clusters/",
    "/clusters/prod/",
    "/clusters/prod/pods/",
    "/clusters/prod/configuration/",
    "/clusters/prod/rename/",
    "/follow/",
)


@pytest.fixture
def lease(live_berth: object, user: User) -> Lease:
    allow_changes(user)
    _, lease = followed_cluster()
    list_kind(lease, "Pod", pod("web"))
    return lease


def expect_revision(page: Page, revision: int) -> None:
    """Wait for a revision; what tests write themselves is not announced, so the page learns of it by asking."""
    expect(page.locator("#live-revision")).to_have_text(str(revision))


def test_a_change_in_the_cluster_reaches_the_page(live_berth: LiveBerth, page: Page, tmp_path: Path) -> None:
    """All the way: API server, watcher process, database, Redis, websocket, page."""
    server = FakeApiServer()
    server.start()
    cluster = live_cluster(server, tmp_path)
    watcher = start_watcher(cluster, redis_url=live_berth.environment["REDIS_URL"])
    try:
        wait_until_followed(cluster, seconds=60)
        page.goto("/clusters/prod/")
        expect(page.get_by_text("Following every kind.")).to_be_visible()
        expect(page.get_by_text("Connected")).to_be_visible()
        expect_revision(page, 0)
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        server.put(pod("new"))
        wait_until(lambda: Cluster.objects.get().revision == 1, seconds=30, otherwise="the change is not mirrored")
        expect_revision(page, 1)
        assert asked == []
    finally:
        watcher.stop(grace=10)
        server.close()


def test_what_somebody_opened_stays_open(lease: Lease, page: Page) -> None:
    page.goto("/clusters/prod/")
    page.get_by_text("1 kind up to date").click()
    apply(lease, put=(pod("more"),))
    expect_revision(page, 2)

    expect(page.get_by_role("table", name="Kinds that are up to date")).to_be_visible()


def test_a_watcher_that_falls_silent_is_noticed_without_a_notice(lease: Lease, page: Page) -> None:
    page.goto("/clusters/prod/")
    expect(page.get_by_text("Following every kind.")).to_be_visible()

    WatchLease.objects.update(heartbeat_at=timezone.now() - timedelta(minutes=3))

    expect(page.get_by_text("The watcher does not respond.").first).to_be_visible()
    page.goto("/clusters/prod/pods/")
    expect(page.get_by_text("The watcher does not respond.")).to_be_visible()


def test_a_deleted_cluster_takes_its_page_along(lease: Lease, page: Page, page_errors: list[str]) -> None:
    page.goto("/clusters/prod/")
    # What is deleted before the page listens, the page finds out when it is asked for again.
    expect(page.get_by_text("Connected")).to_be_visible()
    Cluster.objects.all().delete()

    expect(page.get_by_role("heading", name="Page not found")).to_be_visible(timeout=15_000)
    page_errors.clear()


@pytest.mark.parametrize("state", [WatchedKind.State.OK, WatchedKind.State.SILENT, WatchedKind.State.FORBIDDEN])
def test_live_pages_are_accessible_and_fit(lease: Lease, page: Page, state: str) -> None:
    problem = Quoted("The API server does not answer: no connection within 10 seconds." * 2, "Check that it runs.")
    WatchedKind.objects.update(state=state, problem=text_of_problem(None if state == "ok" else problem))

    assert flaws_of_pages(page, ADDRESSES) == {}
