"""Two maps with arrows between them in a real browser, by keyboard alone: what is said, what stands out, what opens."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.looks import Theme, flaws, in_every_look, wear
from tests.clusters.journal.test_past import PACKING, shop
from tests.dashboard.test_journal_replay import replay
from tests.dashboard.test_run_moves import address, pair, view

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

    from clusters.models import Cluster, SimulationRun

__all__ = ["pair", "shop"]

pytestmark = pytest.mark.browser


def reach(page: Page, place: Locator) -> None:
    """Press Tab until a place has the focus."""
    for _ in range(100):
        page.keyboard.press("Tab")
        if place.evaluate("place => place === document.activeElement"):
            return
    raise AssertionError(f"{place} is not reached by Tab")


def keys(page: Page, *pressed: str) -> None:
    for key in pressed:
        page.keyboard.press(key)


def test_the_maps_of_a_replay_are_walked_by_keyboard_and_open_nodes(
    live_berth: object, shop: Cluster, page: Page
) -> None:
    page.goto(replay(PACKING))
    left, right = page.locator("[data-map-stop]").all()
    spoken, traced = page.locator("[data-map-spoken]"), page.locator(".wide .map-moves > .is-traced")

    reach(page, left)
    expect(left).to_have_attribute("aria-label", "as recorded")
    expect(spoken).to_contain_text("a")
    expect(traced).to_have_count(0)
    keys(page, "ArrowRight", "ArrowDown")
    expect(spoken).to_contain_text("with differently placed pods")
    expect(spoken).to_contain_text("Pods placed differently: 1")
    expect(spoken).to_contain_text("1 pod from b to a")
    expect(traced).to_have_count(1)
    keys(page, "Escape")
    expect(page.locator(".picture-facts")).to_be_hidden()
    expect(traced).to_have_count(0)

    keys(page, "Tab")
    expect(right).to_be_focused()
    expect(spoken).to_contain_text("1 pod from b to a")
    keys(page, "Enter")
    expect(page).to_have_url(re.compile("/clusters/shop/nodes/a/$"))


def test_pods_without_a_node_are_reached_below_the_nodes_and_open_those_of_the_side(
    live_berth: object, pair: tuple[SimulationRun, SimulationRun], page: Page
) -> None:
    label = view(pair).pair.boxes[0].right
    page.goto(address(pair))
    right = page.locator("[data-map-stop]").nth(1)
    spoken = page.locator("[data-map-spoken]")

    reach(page, right)
    keys(page, "End")
    expect(spoken).to_contain_text(re.compile("^(Pending here|Exist) only"))
    keys(page, "Home", "ArrowUp")
    expect(spoken).to_contain_text("a1")
    for _ in range(12):
        keys(page, "ArrowDown")
        if label in spoken.inner_text():
            break
    expect(spoken).to_contain_text(label)
    expect(page.locator(".wide .map-moves > .is-traced").first).to_have_attribute("data-to", "rb0")
    keys(page, "Enter")
    expect(page).to_have_url(re.compile(rf"/simulations/{pair[1].pk}/\?outcome=unschedulable#pods$"))


@in_every_look
def test_the_maps_are_accessible_while_they_are_walked(
    live_berth: object, shop: Cluster, page: Page, width: int, theme: Theme
) -> None:
    wear(page, width=width, theme=theme)
    page.goto(replay(PACKING))
    for stop in page.locator("[data-map-stop]").all():
        reach(page, stop)
        keys(page, "ArrowRight")
        expect(page.locator(".picture-facts")).to_be_visible()
        assert flaws(page) == []
