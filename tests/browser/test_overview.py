"""A cluster's first page in a real browser: what it answers, and its map by pointer, by keyboard and live."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.looks import flaws_of_pages
from tests.clusters.live_batches import apply, followed_cluster
from tests.support.decision_cluster import node, pod

if TYPE_CHECKING:
    from playwright.sync_api import Page


pytestmark = pytest.mark.browser

OVERVIEW = "/clusters/demo/"
LENSES = ("requested", "pending", "drain", "spread", "stranded", "usage", "devices", "changed", "health")


def open_overview(page: Page, address: str = OVERVIEW) -> None:
    page.goto(address)
    expect(page.locator("#map-card [data-verdict-map]")).to_have_attribute("data-begun", "")


def test_every_page_is_accessible_and_fits(demo_page: Page) -> None:
    addresses = (*(f"{OVERVIEW}?lens={lens}" for lens in LENSES), "/clusters/empty/")

    assert flaws_of_pages(demo_page, addresses) == {}


# Words of the page that are read without scrolling: neither names in the picture nor what only screen readers say.
_WORDS_IN_SIGHT = """
() => {
  const foot = document.querySelector('#time-strip')?.getBoundingClientRect().top ?? innerHeight;
  const panel = document.querySelector('.map-panel-content');
  const walker = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
  let said = '';
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (!node.parentElement.checkVisibility() || node.parentElement.closest('svg, .visually-hidden')) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const end = panel.contains(node) ? Math.min(foot, panel.getBoundingClientRect().bottom) : foot;
    const box = range.getBoundingClientRect();
    if (box.height && box.bottom <= end) said += ` ${node.textContent}`;
  }
  return said.split(/\\s+/).filter(word => /\\w/.test(word)).length;
}
"""
MOST_WORDS = 150


def test_the_first_screen_says_it_in_few_words(demo_page: Page) -> None:
    demo_page.set_viewport_size({"width": 1440, "height": 900})
    open_overview(demo_page)

    assert 20 < demo_page.evaluate(_WORDS_IN_SIGHT) <= MOST_WORDS


def test_the_map_stands_still_from_lens_to_lens(demo_page: Page) -> None:
    demo_page.set_viewport_size({"width": 1280, "height": 720})
    tops, rails = set(), set()
    # The day of which changes would be told is not recorded here. Without a lens the tour is offered.
    for query in ("", *(f"?lens={lens}" for lens in sorted({*LENSES} - {"changed"}))):
        open_overview(demo_page, OVERVIEW + query)
        box = demo_page.locator("#map-card [data-map-stage]").bounding_box()
        rail = demo_page.locator("#map-card .lens-rail").first.bounding_box()
        assert box is not None
        assert rail is not None
        assert box["y"] < 460
        tops.add(round(box["y"]))
        rails.add(round(rail["height"]))

    assert len(tops) == 1
    assert max(rails) < 50


def test_lenses_and_nodes_are_reached_by_keyboard(demo_page: Page) -> None:
    open_overview(demo_page)
    spoken = demo_page.locator("#map-card [data-map-spoken]")
    stage = demo_page.locator("#map-card [data-map-stage]")
    stage.focus()
    demo_page.keyboard.press("ArrowRight")
    here = spoken.locator("p").first.inner_text()
    demo_page.keyboard.press("Enter")
    expect(demo_page.locator("#node-answer")).to_be_focused()
    expect(demo_page.locator("#node-answer").get_by_role("heading", name=here)).to_be_visible()
    demo_page.keyboard.press("Escape")
    expect(stage).to_be_focused()

    demo_page.get_by_role("link", name="Can drain").focus()
    demo_page.keyboard.press("Enter")

    expect(demo_page).to_have_url(re.compile(r"/clusters/demo/\?lens=drain$"))
    expect(demo_page.get_by_role("link", name="Can drain")).to_have_attribute("aria-current", "true")
    expect(demo_page.locator("#map-card h2")).to_have_text(
        "12 of 60 nodes can be drained now. Also blocked until pods are ready: 7 of the other blocked nodes."
    )
    demo_page.go_back()
    expect(demo_page.locator("#map-card h2")).to_contain_text("CPU requested")


def test_page_and_map_follow_a_live_cluster(live_berth: object, page: Page) -> None:
    _, lease = followed_cluster()
    small = pod("small", nodeName="ash")
    owner = {"apiVersion": "apps/v1", "kind": "StatefulSet", "name": "web", "uid": "web", "controller": True}
    small["metadata"]["ownerReferences"] = [owner]
    apply(lease, put=(node("ash", "north"), small))
    open_overview(page, "/clusters/prod/")
    expect(page.get_by_text("Connected: changes appear by themselves.")).to_be_visible()
    expect(page.locator(".answer-line")).to_contain_text("Nothing is known to be wrong")

    apply(lease, put=(pod("large", cpu="9"), node("oak", "west")))

    expect(page.locator(".answer-line")).to_contain_text("1 pod is pending")
    expect(page.locator('[data-live="overview.zones"] tbody tr')).to_have_count(2)
    expect(page.locator("#map-card .map-legend")).to_contain_text("2 nodes")
    expect(page.locator("#map-card .tray")).to_contain_text("1 insufficient CPU")


def test_page_needs_no_script(demo_page: Page, plain_page: Page) -> None:
    plain_page.goto(OVERVIEW)

    expect(plain_page.locator(".lens-count")).to_have_count(6)
    expect(plain_page.locator("#map-card .map-drawing").first).to_be_visible()
    expect(plain_page.locator('[data-live="overview.zones"] tbody tr')).to_have_count(3)
    plain_page.locator(".tray-causes a").first.click()
    expect(plain_page.locator("#map-card h2")).to_contain_text("node pod limit reached")
