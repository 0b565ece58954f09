"""The score landscape in a real browser: pointing by mouse, keyboard and touch, other weights, and its picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from clusters.engine import SchedulerConfiguration, Snapshot, explain
from clusters.wording.decisions.nodes import rank
from clusters.wording.decisions.verdict import rescored_sentence
from dashboard.presenters.decisions.nodes import compare
from tests.browser.looks import Theme, flaws, in_every_look, wear
from tests.dashboard.test_landscape import configured, many
from tests.support.decision_cluster import ingested, pod

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Locator, Page

    from clusters.engine import Explanation

pytestmark = pytest.mark.browser

NODES = 60
ADDRESS = "/clusters/shop/pods/shop/plain/"


@pytest.fixture
def many_page(live_berth: object, tmp_path: Path, page: Page) -> Page:
    """Return a page of somebody who sees a pod that sixty nodes are ranked for."""
    ingested(tmp_path, many(NODES))
    return page


def explained(configuration: SchedulerConfiguration | None = None) -> Explanation:
    asked = pod("plain")
    profile = (configuration or SchedulerConfiguration.default()).profile_for(asked)
    return explain(Snapshot.from_objects(many(NODES)), asked, profile)


def compared(explanation: Explanation, first: int, second: int) -> str:
    """Return what is said of two places of the ranking."""
    ranking = explanation.ranking().tolist()
    return compare(explanation, ranking[first], ranking[second]).sentence


def row(page: Page, number: int) -> Locator:
    return page.locator(".landscape-row").nth(number)


def test_two_nodes_are_compared_by_mouse(many_page: Page) -> None:
    explanation, answer = explained(), many_page.locator("#compare .answer-sentence")
    many_page.goto(ADDRESS)

    row(many_page, 4).hover()
    expect(answer).to_have_text(compared(explanation, 0, 4))
    row(many_page, 4).click()
    row(many_page, 6).hover()
    expect(answer).to_have_text(compared(explanation, 4, 6))
    expect(row(many_page, 4)).to_have_attribute("data-side", "first")
    expect(row(many_page, 6)).to_have_attribute("data-side", "second")


def test_two_nodes_are_compared_by_keyboard(many_page: Page) -> None:
    explanation, answer = explained(), many_page.locator("#compare .answer-sentence")
    many_page.goto(ADDRESS)

    row(many_page, 1).get_by_role("link").focus()
    many_page.keyboard.press("ArrowDown")
    expect(row(many_page, 2).get_by_role("link")).to_be_focused()
    expect(answer).to_have_text(compared(explanation, 0, 2))
    many_page.keyboard.press("Enter")
    many_page.keyboard.press("ArrowUp")
    expect(answer).to_have_text(compared(explanation, 2, 1))
    expect(many_page.locator("#announcer")).to_have_text(compared(explanation, 2, 1))

    # The ribbon leads along all nodes, and opens.
    ribbon = many_page.get_by_role("slider", name="Scores")
    ribbon.focus()
    many_page.keyboard.press("End")
    last = explanation.snapshot.nodes.names[explanation.ranking()[-1]]
    least = int(explanation.cycle.totals.min())
    said = f"{last}: {least} points, rank {rank(explanation, least)}"
    expect(ribbon).to_have_attribute("aria-valuetext", said)
    expect(answer).to_have_text(compared(explanation, 2, NODES - 1))
    many_page.keyboard.press("Home")
    many_page.keyboard.press("PageDown")
    many_page.keyboard.press("Enter")
    nodes = explanation.snapshot.nodes.names
    expect(many_page.locator(".landscape-row a").first).to_have_text(nodes[explanation.ranking()[8]])
    many_page.get_by_role("link", name="All nodes").last.press("Enter")
    expect(many_page.locator(".landscape-row a").first).to_have_text(nodes[explanation.ranking()[0]])


def test_two_nodes_are_compared_and_a_stretch_opens_by_touch(many_page: Page, phone: Page) -> None:
    explanation = explained()
    phone.goto(f"{ADDRESS}#scores-card")
    answer = phone.locator("#compare .answer-sentence")
    row(phone, 3).get_by_role("link").tap()
    expect(answer).to_have_text(compared(explanation, 0, 3))
    row(phone, 6).get_by_role("link").tap()
    expect(answer).to_have_text(compared(explanation, 3, 6))

    phone.locator("[data-ribbon]").tap()
    expect(phone.locator("[data-ribbon-words], .pagination")).not_to_have_count(0)
    expect(phone.get_by_role("link", name="All nodes").last).to_be_visible()


def test_a_stretch_is_drawn_with_the_mouse(many_page: Page) -> None:
    explanation = explained()
    many_page.goto(ADDRESS)
    ribbon = many_page.locator("[data-ribbon]")
    ribbon.scroll_into_view_if_needed()
    box = ribbon.bounding_box()
    assert box
    # One node of 61 lies beyond the cliff.
    column = box["width"] * NODES / (NODES + 1) / NODES
    many_page.mouse.move(box["x"] + 20.5 * column, box["y"] + 20)
    many_page.mouse.down()
    many_page.mouse.move(box["x"] + 39.5 * column, box["y"] + 20, steps=4)
    many_page.mouse.up()

    expect(many_page.locator("[data-ribbon-words]")).to_have_text("Nodes 21 to 40 of 60")
    names = many_page.locator(".landscape-row a").all_text_contents()
    assert names == [explanation.snapshot.nodes.names[row] for row in explanation.ranking()[20:27].tolist()]


def test_other_weights_rank_anew_as_the_engine_does(many_page: Page) -> None:
    many_page.goto(ADDRESS)
    names = many_page.locator(".landscape-row a")
    slider = many_page.get_by_role("slider", name="NodeResourcesFit")

    slider.focus()
    for _ in range(4):
        many_page.keyboard.press("ArrowRight")
    many_page.get_by_label("scoringStrategy").select_option("MostAllocated")
    explanation = explained(configured({"NodeResourcesFit": 5}, "MostAllocated"))
    nodes = explanation.snapshot.nodes.names
    best = [nodes[row] for row in explanation.ranking()[:7].tolist()]
    expect(names).to_have_text(best)
    before, now = explained().best, explanation.best
    assert before[0] not in now
    expect(many_page.locator(".landscape-sentence")).to_have_text(rescored_sentence(explanation))
    expect(many_page.locator("#compare")).to_contain_text(f"{now[0]} is ")
    expect(many_page.get_by_role("button", name="Simulate all pending pods")).to_be_visible()

    many_page.get_by_role("button", name="As it is").click()
    expect(names.first).to_have_text(before[0])
    expect(slider).to_have_value("1")
    expect(slider).to_be_focused()


def test_the_picture_is_copied(many_page: Page) -> None:
    many_page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    many_page.goto(ADDRESS)

    many_page.get_by_role("link", name="Copy picture").click()

    expect(many_page.locator("#announcer")).to_have_text("Copied")
    size = many_page.evaluate("""async () => {
      const [item] = await navigator.clipboard.read();
      const bitmap = await createImageBitmap(await item.getType("image/png"));
      return [bitmap.width, bitmap.height > 400];
    }""")
    assert size == [1520, True]


@in_every_look
def test_the_landscape_is_accessible_and_fits(many_page: Page, width: int, theme: Theme) -> None:
    wear(many_page, width=width, theme=theme)
    many_page.goto(f"{ADDRESS}#scores-card")
    expect(many_page.locator("#scores-card")).to_have_attribute("open", "")
    row(many_page, 5).get_by_role("link").click()
    expect(row(many_page, 5)).to_have_attribute("data-side", "second")
    many_page.get_by_label("scoringStrategy").select_option("MostAllocated")
    expect(many_page.locator(".landscape-sentence")).to_contain_text("would choose")
    expect(many_page.locator(".htmx-request, .htmx-swapping, .htmx-settling, .htmx-added")).to_have_count(0)
    assert flaws(many_page) == []
    # However long the name of a node is, its total stands beside it.
    name = "ip-10-115-50-20.eu-central-1.compute.internal"
    row(many_page, 0).get_by_role("link").evaluate("(link, name) => { link.textContent = name; }", name)
    scroll = row(many_page, 0).locator("xpath=ancestor::*[contains(@class, 'table-scroll')]")
    assert scroll.evaluate("scroll => scroll.scrollWidth - scroll.clientWidth") == 0

    many_page.goto(f"{ADDRESS}scores/?weight-NodeResourcesFit=7&first=20&last=50")
    assert flaws(many_page) == []
