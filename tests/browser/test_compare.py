"""Questions about nodes on a pod's page in a real browser: why not this one, and this one rather than that one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from clusters.models import Cluster
from clusters.services.journal.timeline import decision_document
from dashboard.presenters.decisions.nodes import compare
from tests.browser.looks import Theme, flaws, in_every_look, wear
from tests.browser.test_decision import address, explained, open_page
from tests.clusters.journal.decisions import a_decision
from tests.support.decision_cluster import decision_cluster

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page


pytestmark = pytest.mark.browser


@pytest.fixture
def shop_page(live_berth: object, tmp_path: Path, page: Page) -> Page:
    """Return a page of somebody who sees the cluster whose pods meet every verdict; web-1's placement is journaled."""
    decision_cluster(tmp_path)
    document = decision_document(explained("web-1"), "ash")
    cluster = Cluster.objects.get(name="shop")
    a_decision(cluster, "web-1", pod_uid="shop-web-1", node_name="ash", explanation=document)
    return page


def ask(page: Page, node: str) -> None:
    page.get_by_label("Why not node").fill(node)
    page.get_by_role("button", name="Show", exact=True).click()


def test_why_not_a_node_whose_name_is_offered(shop_page: Page) -> None:
    open_page(shop_page, "spread")

    shop_page.get_by_label("Why not node").press_sequentially("ced")
    expect(shop_page.locator("#node-asked-names option")).to_have_count(1)
    expect(shop_page.locator("#node-asked-names option")).to_have_attribute("value", "cedar")
    ask(shop_page, "cedar")

    answer = shop_page.locator("#node-answer")
    expect(answer.locator(".answer-sentence")).to_contain_text("Counts shop/nominee, nominated to the node.")
    expect(answer).to_contain_text("Required changes")


def test_two_nodes_of_ones_choice_with_the_arithmetic_of_both(shop_page: Page) -> None:
    open_page(shop_page, "plain")
    explanation = explained("plain")
    index = explanation.snapshot.nodes.index
    card = shop_page.locator("#compare-card")
    expect(card.locator(".answer-sentence")).to_contain_text(" ahead of ")

    card.locator("summary", has_text="Compare two nodes").click()
    card.get_by_label("First node").fill("elm")
    card.get_by_label("Second node").fill("birch")
    card.get_by_role("button", name="Compare").click()

    found = compare(explanation, index["elm"], index["birch"])
    expect(card.locator(".answer-sentence")).to_have_text(found.sentence)
    drawn = card.locator(".difference-row .diverging:visible").evaluate_all(
        "bars => bars.map(bar => { const rect = bar.querySelectorAll('rect')[1];"
        " return rect.width.baseVal.value * (rect.x.baseVal.value < 100 ? -1 : 1); })"
    )
    longest = max(abs(each.points) for each in found.made)
    assert drawn == pytest.approx([100 * each.points / longest for each in found.made], abs=0.01)
    made = found.made[0]
    card.get_by_role("link", name=f"{made.first.weighted}: {made.plugin} on elm").click()
    expect(card.locator(".arithmetic-row:visible")).to_contain_text(f"Raw score {made.first.raw}")


def test_questions_are_answered_without_scripts(shop_page: Page, plain_page: Page) -> None:
    plain_page.goto(address("huge"))
    ask(plain_page, "ash")
    expect(plain_page.get_by_role("heading", level=1)).to_have_text("Why not this node?")
    expect(plain_page.locator(".answer-sentence")).to_contain_text("ash rejects the pod: insufficient CPU.")

    plain_page.goto(address("plain"))
    plain_page.locator("summary", has_text="Compare two nodes").click()
    plain_page.get_by_label("Second node").fill("elm")
    plain_page.get_by_role("button", name="Compare").click()
    expect(plain_page.locator(".answer-sentence")).to_contain_text(" ahead of elm: ")


@in_every_look
def test_answers_are_accessible_and_fit(shop_page: Page, width: int, theme: Theme) -> None:
    found = {}
    for name, node in (("plain", "ash"), ("urgent", "ash"), ("huge", "fir"), ("huge", "r")):
        open_page(shop_page, name, width=width, theme=theme)
        ask(shop_page, node)
        expect(shop_page.locator("#node-answer [data-announce]")).to_be_visible()
        if wrong := flaws(shop_page):
            found[name, node] = wrong
    wear(shop_page, width=width, theme=theme)
    shop_page.goto(address("web-1"))
    if wrong := flaws(shop_page):
        found["web-1", "as of its decision"] = wrong

    assert found == {}
