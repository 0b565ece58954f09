"""The scheduler's queue in a real browser, for the demo cluster and a live one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.looks import flaws_of_pages
from tests.browser.test_pending import answers
from tests.clusters.live_batches import apply, followed_cluster
from tests.support.decision_cluster import node, pod, unschedulable

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from tests.support.live import LiveBerth

pytestmark = pytest.mark.browser

QUEUE = "/clusters/demo/pending/queue/"
PREEMPTION = "/clusters/demo/pending/preemption/"
PAGES = (
    QUEUE,
    f"{QUEUE}?q=nothing-like-this",
    f"{QUEUE}?state=nominated",
    "/clusters/empty/pending/queue/",
    PREEMPTION,
    f"{PREEMPTION}?q=nothing-like-this",
    "/clusters/empty/pending/preemption/",
)


def test_every_page_is_accessible_and_fits(demo_page: Page) -> None:
    assert flaws_of_pages(demo_page, PAGES) == {}


def test_page_stands_where_the_engine_says(demo_page: Page) -> None:
    expected = answers()
    demo_page.goto("/clusters/demo/pending/")
    demo_page.get_by_role("link", name="Queue", exact=True).click()
    expect(demo_page.get_by_role("heading", level=1)).to_have_text("Queue")

    for state, names in (("active", expected["fits"]), ("gated", expected["gated"])):
        demo_page.goto(f"{QUEUE}?state={state}")
        listed = {link.inner_text().partition("/")[2] for link in demo_page.locator("tbody th a[href*='/pods/']").all()}
        assert listed == names

    demo_page.goto(QUEUE)
    ranks = [cell.inner_text() for cell in demo_page.locator("tbody tr td:first-child").all()]
    in_line = [rank for rank in ranks if rank.isdigit()]
    assert in_line == [str(number) for number in range(1, len(in_line) + 1)]
    assert len(ranks) == sum(map(len, expected.values()))


def test_filter_tiles_and_what_would_wake(demo_page: Page) -> None:
    demo_page.goto(QUEUE)
    demo_page.locator(".tiles a", has_text="Unschedulable").click()
    expect(demo_page).to_have_url(re.compile("state=unschedulable"))

    demo_page.get_by_label("Search", exact=True).fill("quarterly")
    expect(demo_page.get_by_role("heading", name="No pod matches")).to_be_visible()
    demo_page.get_by_label("Search", exact=True).fill("")
    demo_page.get_by_label("State").select_option("nominated")
    row = demo_page.locator("tbody tr")
    expect(row).to_have_count(1)
    expect(row).to_contain_text("Nominated")
    row.locator("details summary").click()
    row.get_by_role("link", name="NodeUnschedulable").click()
    expect(demo_page).to_have_url(re.compile("#requeue-NodeUnschedulable$"))
    expect(demo_page.locator("#requeue-NodeUnschedulable + dd")).to_contain_text("a node is added")
    expect(demo_page.get_by_role("link", name="Download this queue as CSV")).to_have_attribute(
        "href", re.compile("state=nominated")
    )


def test_open_page_follows_a_live_cluster(live_berth: object, page: Page) -> None:
    _, lease = followed_cluster()
    apply(lease, put=(node("ash", "north"), pod("small", nodeName="ash")))
    page.goto("/clusters/prod/pending/queue/")
    expect(page.get_by_text("Connected: changes appear by themselves.")).to_be_visible()
    expect(page.get_by_text("The queue is empty")).to_be_visible()

    apply(lease, put=(pod("large", cpu="9"),))
    expect(page.locator("tbody tr")).to_contain_text("Active")
    apply(lease, put=(pod("large", cpu="9", status=unschedulable("0/1 nodes are available")),))
    expect(page.locator("tbody tr")).to_contain_text("Unschedulable")
    apply(lease, put=(pod("urgent", cpu="9", priority=7, status=unschedulable("0/1 nodes are available")),))
    expect(page.locator("tbody tr").first).to_contain_text("shop/urgent")
    apply(lease, put=(node("oak", "west", cpu="16"),))
    expect(page.locator(".answer-line")).to_contain_text("2 pods are pending; shop/urgent is tried first.")


def test_page_needs_no_script(demo_page: Page, browser: Browser, live_berth: LiveBerth) -> None:
    with browser.new_context(base_url=live_berth.url, java_script_enabled=False) as context:
        context.add_cookies(demo_page.context.cookies())  # type: ignore[arg-type]
        plain = context.new_page()
        plain.goto(QUEUE)
        plain.get_by_label("State").select_option("gated")
        plain.get_by_role("button", name="Filter").click()

        expect(plain.locator("tbody tr")).to_have_count(1)
        expect(plain.locator("tbody tr")).to_contain_text("when its gates are removed")
