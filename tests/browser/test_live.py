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

if TYPE_CHECKING:
    from django.contrib.auth.models import User
    from playwright.sync_api import Page

    from clusters.services.watching.watcher import Lease

pytestmark = pytest.mark.browser

# Of a cluster that is followed, and of any.
FOLLOWED = ("/clusters/", "/clusters/prod/")
ANY = ("/clusters/prod/pods/", "/clusters/prod/configuration/", "/clusters/prod/rename/", "/follow/")


@pytest.fixture
def lease(live_berth: object, user: User) -> Lease:
    allow_changes(user)
    _, lease = followed_cluster()
    list_kind(lease, "Pod", pod("web"))
    return lease


def expect_revision(page: Page, revision: int) -> None:
    """Wait for a revision; what tests write themselves is not announced, so the page learns of it by asking."""
    expect(page.locator("#live-revision")).to_have_text(str(revision))


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

    assert flaws_of_pages(page, FOLLOWED if state == "ok" else (*FOLLOWED, ANY[0])) == {}


def test_pages_for_changing_a_live_cluster_are_accessible_and_fit(lease: Lease, page: Page) -> None:
    assert flaws_of_pages(page, ANY[1:]) == {}
