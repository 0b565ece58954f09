"""A stretch of the journal replayed in a real browser: from the map over time to the decision that differs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from clusters.models import Decision
from tests.browser.looks import flaws_of_pages
from tests.clusters.journal.test_past import PACKING, shop
from tests.dashboard.test_journal_replay import REPLAY, replay

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from clusters.models import Cluster

__all__ = ["shop"]

pytestmark = pytest.mark.browser


@pytest.fixture
def replay_page(live_berth: object, shop: Cluster, page: Page) -> Page:
    return page


def test_the_page_looks_right(replay_page: Page) -> None:
    assert flaws_of_pages(replay_page, [REPLAY, replay(PACKING)]) == {}


def test_a_stretch_is_replayed_from_the_strip_to_a_decision(replay_page: Page) -> None:
    replay_page.goto("/clusters/shop/nodes/?from=2026-03-01T12:00:00Z")
    replay_page.locator("#time-strip").get_by_role("link", name="Replay").click()
    expect(replay_page.get_by_label("From")).to_have_value("2026-03-01T12:00")
    replay_page.get_by_label("Configuration").select_option("Bin packing")
    replay_page.get_by_role("button", name="Replay").click()

    expect(replay_page.locator(".run-headline")).to_contain_text("Of 3 pods, as recorded: 2, on another node: 1")
    expect(replay_page.locator("#moves")).to_contain_text("Bin packing")
    replay_page.locator("#moves").get_by_role("link", name="shop/web").click()
    expect(replay_page).to_have_url(re.compile(r"workload=shop/Pod/web|workload=shop%2FPod%2Fweb"))
    row = replay_page.locator("#replay-decisions tbody tr").first
    expect(row).to_contain_text("differs")
    row.get_by_role("link").click()
    expect(replay_page).to_have_url(re.compile(rf"/journal/{Decision.objects.get(name='web').pk}/$"))
