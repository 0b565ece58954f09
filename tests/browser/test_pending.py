"""The page about pods that wait in a real browser, for the demo cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.looks import flaws_of_pages
from tests.clusters.live_batches import apply, followed_cluster
from tests.support.decision_cluster import node, pod

if TYPE_CHECKING:
    from playwright.sync_api import Page


pytestmark = pytest.mark.browser

PENDING = "/clusters/demo/pending/"
PAGES = (PENDING, f"{PENDING}?kind=unschedulable")


def test_every_page_is_accessible_and_fits(demo_page: Page) -> None:
    demo_page.goto(PENDING)
    cause = demo_page.locator("#results .cause-content a", has_text="This cause alone").first.get_attribute("href")
    assert cause

    assert flaws_of_pages(demo_page, (*PAGES, f"{PENDING}{cause}")) == {}


def test_board_of_the_demo_takes_two_screens_and_opens_by_keyboard(demo_page: Page) -> None:
    demo_page.goto(PENDING)

    last = demo_page.locator("#results .causes > li").last.bounding_box()
    assert last
    assert last["y"] + last["height"] <= 2 * 900
    named = demo_page.locator(".cause-name", has_text="Node pod limit reached")
    row = demo_page.locator("#results .cause").filter(has=named)
    expect(row.get_by_role("link", name="security-agent").first).to_be_hidden()
    row.locator("summary").focus()
    demo_page.keyboard.press("Enter")
    expect(row.get_by_role("link", name="security-agent").first).to_be_visible()


def test_open_page_follows_a_live_cluster(live_berth: object, page: Page) -> None:
    _, lease = followed_cluster()
    apply(lease, put=(node("ash", "north"), pod("small", nodeName="ash")))
    page.goto("/clusters/prod/pending/")
    expect(page.get_by_text("Connected: changes appear by themselves.")).to_be_visible()
    expect(page.get_by_text("No pending pods")).to_be_visible()

    apply(lease, put=(pod("large", cpu="9"),))

    expect(page.locator(".answer-line")).to_contain_text("1 pod is pending")
    expect(page.locator("#results .cause-name")).to_contain_text("Insufficient CPU, larger than any node")
    expect(page.locator("#results .causes")).to_contain_text("shop/large")
    apply(lease, put=(node("oak", "west", cpu="16"),))
    expect(page.locator("#results .cause-name")).to_contain_text("Schedulable, in the queue")
    apply(lease, put=(pod("large", cpu="9", nodeName="oak"),))
    expect(page.get_by_text("No pending pods")).to_be_visible()
