"""The pages about nodes in a real browser, for the demo cluster."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from dashboard.forms.what_if import packed
from tests.browser.looks import flaws, flaws_of_pages, unfold

if TYPE_CHECKING:
    from playwright.sync_api import Page


pytestmark = pytest.mark.browser

SHUTDOWN = """
apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
shutdownGracePeriod: 40s
shutdownGracePeriodCriticalPods: 10s
"""
NODES = "/clusters/demo/nodes/"
NODE = f"{NODES}general-b-08/"
PAGES = (
    f"{NODES}free-capacity",
    f"{NODE}pending/",
    f"{NODE}drain/",
    f"{NODE}pressure/",
    f"{NODE}oom/",
    f"{NODE}shutdown/?kubelet={packed(SHUTDOWN)}",
)


def drawn(page: Page) -> None:
    """Wait until the map can be pointed at."""
    expect(page.locator("#map [data-map-stage]")).to_have_attribute("role", "application")


def test_table_stays_where_it_is_while_the_map_is_drawn(demo_page: Page) -> None:
    demo_page.add_init_script(
        """window.shifted = 0;
        new PerformanceObserver((list) => { for (const each of list.getEntries()) window.shifted += each.value; })
          .observe({ type: "layout-shift", buffered: true });"""
    )
    demo_page.goto(NODES)
    drawn(demo_page)

    # Chromium's own score: from 0.1 on a reader notices.
    assert demo_page.evaluate("shifted") < 0.05


def test_every_page_is_accessible_and_fits(demo_page: Page) -> None:
    assert flaws_of_pages(demo_page, PAGES) == {}

    demo_page.goto(NODES)
    drawn(demo_page)
    assert flaws(demo_page) == []

    demo_page.goto(NODE)
    unfold(demo_page)
    # In the order of the page: a part that comes above another moves that out of view.
    for part in ("pending", "drain", "faults", "usage", "pressure", "oom", "shutdown"):
        demo_page.locator(f"#{part}").scroll_into_view_if_needed()
        expect(demo_page.locator(f"#{part} .loading")).to_have_count(0)
    for summary in demo_page.locator("details.opens > summary").all():
        summary.click()
    assert flaws(demo_page) == []


def test_map_follows_the_filter_and_the_resource_and_opens_a_node(demo_page: Page) -> None:
    demo_page.goto(NODES)
    drawn(demo_page)
    key = demo_page.locator("#map .map-key")

    demo_page.get_by_role("search").get_by_label("Zone", exact=True).select_option("eu-central-1a")
    expect(key.filter(has_text="filtered out")).to_contain_text("39")
    demo_page.get_by_role("link", name="nvidia.com/gpu").click()
    expect(demo_page.locator("#map h2")).to_contain_text("nvidia.com/gpu requested")
    assert "zone=eu-central-1a" in demo_page.url
    assert "map=nvidia.com" in demo_page.url

    # The choice of a resource stays when the filter changes.
    demo_page.get_by_role("search").get_by_label("Zone", exact=True).select_option("eu-central-1b")
    expect(demo_page).to_have_url(re.compile("zone=eu-central-1b.*map=nvidia"))
    expect(demo_page.locator("#map .choices a").first).to_have_attribute("href", re.compile("zone=eu-central-1b"))
    drawn(demo_page)
    stage = demo_page.locator("#map [data-map-stage]")
    # The first tile, below the heads of its zone and its pool.
    stage.hover(position={"x": 30, "y": 60})
    expect(demo_page.locator("#map .picture-facts")).to_contain_text("arm-a-01")
    stage.click(position={"x": 30, "y": 60})
    expect(demo_page).to_have_url(re.compile(r"/nodes/arm-a-01/$"))


def test_map_is_walked_by_keyboard(demo_page: Page) -> None:
    demo_page.goto(NODES)
    drawn(demo_page)

    demo_page.locator("#map [data-map-stage]").focus()
    demo_page.keyboard.press("Home")
    spoken = demo_page.locator("#map [data-map-spoken]")
    expect(spoken).to_contain_text("arm-a-01")
    demo_page.keyboard.press("ArrowRight")
    expect(spoken).to_contain_text("arm-a-02")
    expect(spoken).to_contain_text(re.compile(r"[\d.]+ CPU of [\d.]+ CPU requested, \d+ %"))
    demo_page.keyboard.press("Enter")

    expect(demo_page).to_have_url(re.compile(r"/nodes/arm-a-02/$"))


def test_node_tells_who_would_come_and_who_would_go_when_it_comes_into_view(demo_page: Page) -> None:
    demo_page.goto(NODE)
    expect(demo_page.locator("#pending-part")).to_contain_text("Computing")

    demo_page.get_by_role("link", name="Pending pods that fit here").click()
    expect(demo_page.locator("#pending-part")).to_contain_text("pending pods fit on general-b-08 now")
    demo_page.get_by_role("link", name="Next").click()
    expect(demo_page.locator("#pending-part")).to_contain_text("21 to 35 of 35")
    assert demo_page.url.endswith(f"{NODE}#pending")

    demo_page.locator("#drain").scroll_into_view_if_needed()
    expect(demo_page.locator("#drain-part")).to_contain_text("Refused by a budget (429)")
    demo_page.locator("#pressure").scroll_into_view_if_needed()
    expect(demo_page.locator("#pressure-part")).to_contain_text("may be evicted, one at a time")


def test_pages_need_no_script(demo_page: Page, plain_page: Page) -> None:
    plain_page.goto(NODES)
    plain_page.get_by_role("link", name="CPU requested").click()
    expect(plain_page.locator("tbody th").first).to_contain_text("general-")
    plain_page.goto(NODE)
    plain_page.locator("#drain").get_by_role("link", name="Open as a page", exact=True).click()

    expect(plain_page.get_by_role("heading", level=1)).to_have_text("Drain preview")
    expect(plain_page.get_by_text("general-b-08 cannot be drained.")).to_be_visible()
