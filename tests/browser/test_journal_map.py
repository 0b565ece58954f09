"""The map of a cluster over time in a real browser: its moments are played, and a mark opens its decision."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from clusters.services.mirror.snapshots import snapshot_of
from tests.browser.looks import flaws_of_pages, in_every_width
from tests.dashboard.test_journal_map import MAP, moment, shop

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

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


def open_picture(page: Page) -> None:
    page.goto(moment(30))
    expect(page.locator("[data-picture]")).to_have_attribute("data-drawn", re.compile(r"\d+"))


def test_the_picture_goes_to_what_is_pointed_at(map_page: Page, shop: Cluster) -> None:
    open_picture(map_page)
    stage, facts = map_page.locator("[data-picture-stage]"), map_page.locator(".picture-facts")
    # The label of the first node, then its only pod.
    stage.hover(position={"x": 20, "y": 34})
    expect(facts.locator("p").first).to_have_text("a")
    stage.hover(position={"x": 8, "y": 55})
    expect(facts.locator("p").first).to_have_text("shop/web")
    assert snapshot_of(shop).placed_on("shop/web") == "a"

    stage.click(position={"x": 8, "y": 55})
    expect(map_page).to_have_url(re.compile("/clusters/shop/pods/shop/web/$"))
    open_picture(map_page)
    stage.click(position={"x": 20, "y": 34})
    expect(map_page).to_have_url(re.compile("/clusters/shop/nodes/a/$"))


def test_the_picture_is_walked_by_keyboard(map_page: Page) -> None:
    open_picture(map_page)
    spoken = map_page.locator("[data-picture-spoken] p")
    map_page.locator("[data-picture-stage]").focus()
    expect(spoken.first).to_have_text("a")
    map_page.keyboard.press("Space")
    expect(spoken.first).to_have_text("shop/web")
    map_page.keyboard.press("Escape")
    map_page.keyboard.press("ArrowDown")
    expect(spoken.first).to_have_text("b")
    map_page.keyboard.press("Enter")

    expect(map_page).to_have_url(re.compile("/clusters/shop/nodes/b/$"))


def test_what_is_shaded_follows_the_choice_and_the_theme(map_page: Page) -> None:
    open_picture(map_page)

    def drawn() -> str:
        return str(map_page.evaluate("document.querySelector('[data-picture-stage] canvas').toDataURL()"))

    by_cpu = drawn()
    map_page.get_by_role("link", name="State", exact=True).click()
    by_state = drawn()
    assert by_state != by_cpu
    map_page.get_by_role("radio", name="Dark").check(force=True)
    expect(map_page.locator("html")).to_have_attribute("data-bs-theme", "dark")
    assert drawn() != by_state


def test_the_picture_says_when_it_cannot_be_loaded_and_tries_again(map_page: Page, page_errors: list[str]) -> None:
    def refuse(route: Route) -> None:
        route.fulfill(status=503, body="changing")

    picture = re.compile(r"/picture/")
    map_page.route(picture, refuse)
    map_page.goto(moment(30))
    expect(map_page.get_by_text("The picture could not be loaded")).to_be_visible()
    map_page.unroute(picture, refuse)

    map_page.get_by_role("button", name="Try again").click()

    expect(map_page.get_by_text("The picture could not be loaded")).to_be_hidden()
    page_errors.clear()
