"""The command palette: pages, clusters and objects by keyboard."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.looks import Theme, flaws, in_every_look, wear

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

pytestmark = pytest.mark.browser

OVERVIEW = "/clusters/demo/"


def the_dialog(page: Page) -> Locator:
    return page.get_by_role("dialog", name="Go to")


def the_field(page: Page) -> Locator:
    return the_dialog(page).get_by_role("combobox")


def the_choice(page: Page) -> Locator:
    return the_dialog(page).get_by_role("option", selected=True)


def open_by_key(page: Page) -> None:
    # An address is there before the page's script is.
    page.wait_for_load_state("domcontentloaded")
    page.keyboard.press("Control+k")
    expect(the_field(page)).to_be_focused()


@in_every_look
def test_palette_is_accessible_and_fits(demo_page: Page, width: int, theme: Theme) -> None:
    wear(demo_page, width=width, theme=theme)
    demo_page.goto(OVERVIEW)
    demo_page.get_by_role("button", name="Go to").click()
    expect(the_choice(demo_page)).to_have_text("Clusters")
    assert flaws(demo_page) == []

    the_field(demo_page).fill("front")
    expect(the_choice(demo_page)).to_contain_text("frontend")
    expect(the_dialog(demo_page).get_by_role("group", name="Pods")).to_be_visible()
    assert flaws(demo_page) == []


def test_pages_clusters_and_objects_are_opened_by_keys(demo_page: Page) -> None:
    demo_page.goto(OVERVIEW)
    link = demo_page.get_by_role("main").get_by_role("link").first
    link.focus()
    open_by_key(demo_page)
    demo_page.keyboard.press("Escape")
    expect(the_dialog(demo_page)).to_be_hidden()
    expect(link).to_be_focused()

    open_by_key(demo_page)
    demo_page.keyboard.type("bud")
    demo_page.keyboard.press("Enter")
    expect(demo_page).to_have_url(re.compile("/clusters/demo/budgets/$"))

    # A key before the answer opens what the answer begins with.
    open_by_key(demo_page)
    demo_page.keyboard.type("general-b-08")
    demo_page.keyboard.press("Enter")
    expect(demo_page).to_have_url(re.compile("/clusters/demo/nodes/general-b-08/$"))

    open_by_key(demo_page)
    demo_page.keyboard.type("nothing-like-this")
    expect(the_dialog(demo_page).get_by_text("Nothing matches.")).to_be_visible()
    demo_page.keyboard.press("Control+a")
    demo_page.keyboard.type("empty")
    demo_page.keyboard.press("Enter")
    expect(demo_page).to_have_url(re.compile("/clusters/empty/nodes/$"))

    demo_page.goto("/clusters/")
    open_by_key(demo_page)
    demo_page.keyboard.type("agr")
    demo_page.keyboard.press("Enter")
    expect(demo_page).to_have_url(re.compile("/agreement/"))


def test_a_question_is_typed_with_completions_and_enter_opens_its_answer(demo_page: Page) -> None:
    demo_page.goto(OVERVIEW)
    demo_page.wait_for_load_state("domcontentloaded")
    demo_page.keyboard.press(":")
    expect(the_field(demo_page)).to_have_value(":")
    expect(the_dialog(demo_page).get_by_role("group", name="Questions").get_by_role("option")).to_have_count(5)
    assert flaws(demo_page) == []

    # A verb that is chosen is typed, and goes on with the names that there are.
    demo_page.keyboard.type("dr")
    expect(the_choice(demo_page)).to_contain_text("drain")
    demo_page.keyboard.press("Enter")
    expect(the_field(demo_page)).to_have_value(":drain ")
    expect(the_choice(demo_page)).to_contain_text(re.compile("drain [a-z]+-"))
    demo_page.keyboard.type("compute-a-01")
    demo_page.keyboard.press("Enter")
    expect(demo_page.locator(".asked-changes")).to_contain_text("compute-a-01")
    expect(demo_page.locator("#map-card [data-map-stage]")).to_be_visible()
    plan = demo_page.locator(".asked").get_by_role("link", name="Drain plan", exact=True)
    expect(plan).to_have_attribute("href", "/clusters/demo/drain/?node=compute-a-01")

    # So is one that is begun without the colon.
    open_by_key(demo_page)
    demo_page.keyboard.type("lose")
    expect(the_choice(demo_page)).to_contain_text("lose")
    demo_page.keyboard.press("Enter")
    expect(the_field(demo_page)).to_have_value(":lose ")
    demo_page.keyboard.type("zone c")
    demo_page.keyboard.press("Enter")
    expect(demo_page.locator(".asked-changes")).to_contain_text("eu-central-1c")
    expect(demo_page).to_have_url(re.compile("change=.*lose-zone"))

    demo_page.wait_for_load_state("domcontentloaded")
    demo_page.keyboard.press(":")
    demo_page.keyboard.type("shut down")
    expect(the_dialog(demo_page).get_by_text("Nothing matches. Try")).to_be_visible()


def test_outside_of_a_cluster_nothing_can_be_asked(demo_page: Page) -> None:
    demo_page.goto("/clusters/")
    demo_page.wait_for_load_state("domcontentloaded")
    demo_page.keyboard.press(":")
    expect(the_dialog(demo_page)).to_be_hidden()
    open_by_key(demo_page)
