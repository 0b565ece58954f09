"""The map of a pod's decision in a real browser: pointed at, walked by keyboard, isolated, and opened."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.browser.looks import Theme, flaws, in_every_look, wear
from tests.browser.test_decision import address, open_page
from tests.support.decision_cluster import decision_cluster, ingested, node, pod

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import Page


pytestmark = pytest.mark.browser

MOST_TABS = 12


@pytest.fixture
def shop_page(live_berth: object, tmp_path: Path, page: Page) -> Page:
    decision_cluster(tmp_path)
    return page


@pytest.fixture
def large_page(live_berth: object, tmp_path: Path, page: Page) -> Callable[[int], Page]:
    """Return what opens the page of a pod among so many nodes, of which every fifth is tainted."""
    tainted: dict[str, Any] = {"taints": [{"key": "dedicated", "value": "gpu", "effect": "NoSchedule"}]}

    def opened(nodes: int) -> Page:
        made = [
            node(f"n-{number:04}", f"zone-{number % 3}", **({} if number % 5 else tainted)) for number in range(nodes)
        ]
        filling = [pod(f"web-{number}", nodeName=f"n-{number * 7:04}", cpu="3") for number in range(nodes // 10)]
        ingested(tmp_path, [*made, *filling, pod("plain")])
        wear(page, width=1440, theme="light")
        page.goto(address("plain"))
        return page

    return opened


def keys(page: Page, *pressed: str) -> None:
    for key in pressed:
        page.keyboard.press(key)


def middle_of(page: Page, name: str) -> tuple[float, float]:
    """Return where in the window the tile of a node is, by what the map's own columns say, once it stands."""
    page.locator("[data-verdict-map] script").wait_for(state="attached")
    page.locator(".map-stage .wide svg").wait_for()
    x, y = page.evaluate(
        """(name) => {
          const data = JSON.parse(document.querySelector("[data-verdict-map] script").textContent);
          const svg = document.querySelector(".map-stage .wide svg");
          const box = svg.getBoundingClientRect();
          const scale = box.width / svg.viewBox.baseVal.width;
          const { tile, pools } = data.layouts.wide;
          for (const [pool, [, begin, end, names]] of data.pools.entries()) {
            const place = names.split(" ").findIndex((middle) => begin + middle + end === name);
            if (place < 0) continue;
            const [left, top, columns] = pools[pool];
            const x = left + (place % columns) * tile[0] + (tile[0] - tile[2]) / 2 - svg.viewBox.baseVal.x;
            const y = top + Math.floor(place / columns) * tile[1] + (tile[1] - tile[2]) / 2;
            return [box.x + x * scale, box.y + y * scale];
          }
          throw new Error(name);
        }""",
        name,
    )
    return float(x), float(y)


def test_a_node_that_is_pointed_at_says_what_is_missing(shop_page: Page) -> None:
    open_page(shop_page, "huge")
    facts = shop_page.locator(".picture-facts")
    stage = shop_page.locator("[data-map-stage]")

    place = middle_of(shop_page, "ash")
    shop_page.mouse.move(*place)
    expect(facts).to_contain_text("ash")
    # Its own reasons, and not those of all that the filter rejects.
    expect(facts.locator("p")).to_have_text(["ash", "north", "NodeResourcesFit", "insufficient cpu: 7 CPU missing"])

    shop_page.mouse.click(*place)
    panel = shop_page.get_by_role("complementary", name="One node")
    expect(panel).to_contain_text("ash rejects the pod: insufficient CPU.")
    expect(panel.locator(".is-rejecting .is-broken .worked")).to_have_text("9 CPU ≤ 4 CPU − 2 CPU")
    # Beside the map, and not further down.
    beside, map_box = panel.bounding_box(), stage.bounding_box()
    assert beside
    assert map_box
    assert beside["x"] >= map_box["x"] + map_box["width"]
    assert abs(beside["y"] - map_box["y"]) < 40


def test_the_map_is_walked_by_keyboard_and_opens_what_is_asked_for(shop_page: Page) -> None:
    open_page(shop_page, "huge")
    shop_page.locator(".map-key input").first.focus()
    spoken = shop_page.locator("[data-map-spoken]")

    keys(shop_page, "Tab")
    expect(shop_page.locator("[data-map-stage]")).to_be_focused()
    expect(spoken).to_contain_text("ash")
    keys(shop_page, "ArrowRight")
    expect(spoken).to_contain_text("elm")
    expect(spoken).to_contain_text("7 CPU missing")
    keys(shop_page, "End")
    expect(spoken).to_contain_text("oak")
    keys(shop_page, "Home", "Enter")

    answer = shop_page.locator("#node-answer")
    expect(answer).to_be_focused()
    expect(answer).to_contain_text("ash rejects the pod")
    keys(shop_page, "Escape")
    expect(shop_page.locator("[data-map-stage]")).to_be_focused()
    keys(shop_page, "Escape")
    expect(shop_page.locator(".picture-facts")).to_be_hidden()


def test_a_verdict_isolates_its_nodes_for_the_eye_and_for_the_keyboard(shop_page: Page) -> None:
    open_page(shop_page, "huge")
    taint = shop_page.get_by_role("radio", name="1 untolerated taint dedicated=gpu")
    others = shop_page.locator(".map-stage .wide .map-tiles path:not(.map-veil)")
    number = taint.get_attribute("value")

    taint.click()
    faded = [
        path.get_attribute("data-key")
        for path in others.all()
        if float(path.evaluate("path => getComputedStyle(path).opacity")) < 0.5
    ]
    assert number not in faded
    assert set(faded) == set(others.evaluate_all("paths => paths.map((path) => path.dataset.key)")) - {number}
    keys(shop_page, "Tab")
    expect(shop_page.locator("[data-map-spoken]")).to_contain_text("fir")
    keys(shop_page, "ArrowRight", "ArrowDown")
    expect(shop_page.locator("[data-map-spoken]")).to_contain_text("fir")

    taint.click()
    expect(shop_page.get_by_role("radio", name="All 6 nodes")).to_be_checked()


def test_the_first_verdict_is_a_few_tabs_away(shop_page: Page) -> None:
    open_page(shop_page, "huge")

    keys(shop_page, "Tab", "Enter")
    expect(shop_page.locator("#main")).to_be_focused()
    assert 1 + tabs_to(shop_page, ".map-key input") <= MOST_TABS

    # The nodes by verdict can be skipped to.
    shop_page.reload()
    keys(shop_page, "Tab", "Tab")
    expect(shop_page.get_by_role("link", name="Skip to the nodes")).to_be_in_viewport()
    keys(shop_page, "Enter")
    expect(shop_page.locator("#groups-card > summary")).to_be_focused()
    assert 2 + tabs_to(shop_page, ".group > summary") <= MOST_TABS


def tabs_to(page: Page, selector: str) -> int:
    """Return how often Tab must be pressed until what fits the selector has the focus."""
    for tabs in range(1, 100):
        keys(page, "Tab")
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return tabs
    raise AssertionError(f"{selector} is not reached by Tab")


def test_without_scripts_it_is_a_picture_whose_verdicts_can_be_isolated(shop_page: Page, plain_page: Page) -> None:
    plain_page.goto(address("huge"))
    picture = plain_page.get_by_role("img", name="Map of 6 nodes by verdict")
    expect(picture).to_be_visible()
    plain_page.get_by_role("radio", name="1 untolerated taint").click()
    expect(picture.locator(".map-tiles path[data-key='2']:not(.map-veil)").first).to_have_css("opacity", "0.14")
    expect(plain_page.locator("#groups-card")).to_be_visible()


def test_what_is_said_of_hundreds_of_nodes_is_asked_for_when_somebody_looks(
    large_page: Callable[[int], Page],
) -> None:
    page = large_page(200)
    page.locator(".map-key input").first.focus()

    with page.expect_response(lambda response: "/map/lines/" in response.url):
        keys(page, "Tab")
    expect(page.locator("[data-map-spoken]")).to_contain_text("dedicated=gpu")
    keys(page, "ArrowRight")
    expect(page.locator("[data-map-spoken]")).to_contain_text("points, rank")


def test_a_bar_of_thousands_of_nodes_opens_to_its_tiles(large_page: Callable[[int], Page]) -> None:
    page = large_page(1600)
    page.locator(".map-key input").first.focus()
    keys(page, "Tab")
    spoken = page.locator("[data-map-spoken]")
    expect(spoken).to_contain_text("zone-0")
    keys(page, "ArrowDown")
    expect(spoken).to_contain_text("zone-1")
    keys(page, "End", "Enter")

    expect(page.locator(".map-place")).to_contain_text("zone-2")
    expect(page.get_by_role("radio", name="untolerated taint")).to_be_checked()
    expect(page.locator("[data-map-stage]")).to_be_focused()
    page.get_by_role("link", name="All nodes").click()
    expect(page.locator(".map-place")).to_have_count(0)
    expect(page.locator(".map-stage .wide .map-bars text").first).to_be_visible()

    # On the cluster's page what is opened has an address, and stays open beside what is live.
    page.add_init_script("addEventListener('berth:live', ({ target }) => (target.dataset.came = ''))")
    page.goto("/clusters/shop/?lens=health")
    page.get_by_text("Open a zone or pool to its nodes").click()
    page.get_by_role("link", name="nodes in zone-1").click()
    expect(page).to_have_url(re.compile(r"\?lens=health&zone=zone-1"))
    expect(page.locator("[data-live='overview.map'][data-came]")).to_be_attached()
    expect(page.locator("#map-card .map-place")).to_contain_text("zone-1")
    page.locator(".lens-rail").get_by_role("link", name="Requested").click()
    expect(page.locator("#map-card h2")).to_contain_text("CPU requested")
    expect(page.locator("#map-card .map-place")).to_contain_text("zone-1")
    page.get_by_role("link", name="All nodes").click()
    expect(page).to_have_url(re.compile(r"\?lens=requested&resource=cpu$"))
    page.locator("#map-card [data-map-stage]").click(position={"x": 40, "y": 50})
    expect(page.locator("#map-card .map-place")).to_contain_text("zone-0")
    expect(page).to_have_url(re.compile(r"zone=zone-0"))


@in_every_look
def test_the_map_is_accessible_while_it_is_walked(shop_page: Page, width: int, theme: Theme) -> None:
    open_page(shop_page, "plain", width=width, theme=theme)
    shop_page.locator(".map-key input").first.focus()
    keys(shop_page, "Tab", "ArrowRight")
    expect(shop_page.locator(".picture-facts")).to_be_visible()

    assert flaws(shop_page) == []
    names = "names => names.filter(name => name.scrollWidth > name.clientWidth).map(name => name.textContent)"
    assert shop_page.locator(".map-step-name").evaluate_all(names) == [], "names of plugins are cut"
