"""The map of a cluster over time in a real browser: its moments are played, and a mark opens its decision."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.looks import flaws_of_pages, in_every_width
from tests.dashboard.test_journal_map import MAP, moment, shop

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from clusters.models import Cluster

__all__ = ["shop"]

pytestmark = pytest.mark.browser


@pytest.fixture
def map_page(live_berth: object, shop: Cluster, page: Page) -> Page:
    return page


@in_every_width
def test_the_page_looks_right(map_page: Page, width: int) -> None:
    assert flaws_of_pages(map_page, [moment(30), MAP], width=width) == {}


def test_moments_are_played_on_the_picture(map_page: Page) -> None:
    map_page.goto(moment(10))
    sentence, slider = map_page.locator(".scrubber-sentence"), map_page.locator("#scrubber-step")
    drawn = map_page.locator("[data-picture]")
    expect(drawn).to_have_attribute("data-drawn", re.compile(r"\d+"))
    first = drawn.get_attribute("data-drawn")

    map_page.get_by_role("link", name="What happened next").click()
    expect(sentence).to_contain_text("shop/web: Bound to a.")
    expect(drawn).not_to_have_attribute("data-drawn", first or "")
    expect(map_page).to_have_url(re.compile(r"at=2026-03-01T12%3A30"))
    slider.focus()
    slider.press("PageUp")
    expect(sentence).to_contain_text("shop/late: Unschedulable.")
    for key in ("+", "+", "+", " "):
        slider.press(key)
    # To the end by itself.
    expect(sentence).to_contain_text("a was cordoned.")
    expect(map_page.get_by_role("button", name="Play")).to_be_visible()
    expect(map_page.get_by_role("link", name="What happened next")).to_have_attribute("aria-disabled", "true")

    slider.focus()
    slider.press("Home")
    expect(sentence).to_contain_text("Nothing is recorded")
    map_page.locator("#happened .drawn .wide a").first.click()
    expect(map_page).to_have_url(re.compile(r"/journal/\d+/$"))
