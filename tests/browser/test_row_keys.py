"""The row cursor of lists: from row to row by keys, as in kubectl's terminals."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.looks import Theme, flaws, in_every_look, wear

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

pytestmark = pytest.mark.browser

PODS = "/clusters/demo/pods/"


def the_link(page: Page, row: int) -> Locator:
    return page.locator("#results tbody tr").nth(row).locator("th a")


def test_keys_lead_through_a_list_and_open_its_rows(demo_page: Page) -> None:
    demo_page.goto(PODS)
    # An arrow key scrolls until a row has the cursor.
    demo_page.keyboard.press("ArrowDown")
    expect(demo_page.locator("body")).to_be_focused()
    demo_page.keyboard.press("j")
    expect(the_link(demo_page, 0)).to_be_focused()
    demo_page.keyboard.press("j")
    demo_page.keyboard.press("ArrowDown")
    demo_page.keyboard.press("k")

    expect(the_link(demo_page, 1)).to_be_focused()
    expect(demo_page.locator("#announcer")).to_have_text("Row 2 of 50")
    address = the_link(demo_page, 1).get_attribute("href")
    demo_page.keyboard.press("Enter")
    expect(demo_page).to_have_url(re.compile(f"{address}$"))
    demo_page.go_back()
    demo_page.keyboard.press("j")
    expect(the_link(demo_page, 2)).to_be_focused()


def test_the_slash_leads_to_the_filter_and_the_arrow_into_what_it_lets_through(demo_page: Page) -> None:
    demo_page.goto(PODS)
    demo_page.keyboard.press("/")
    demo_page.keyboard.type("jkcart")
    expect(demo_page.get_by_label("Search", exact=True)).to_have_value("jkcart")
    demo_page.get_by_label("Search", exact=True).fill("cart")
    expect(the_link(demo_page, 0)).to_contain_text("cart")

    demo_page.keyboard.press("ArrowDown")

    expect(the_link(demo_page, 0)).to_be_focused()
    # What htmx brought is walked through as well.
    demo_page.keyboard.press("j")
    expect(the_link(demo_page, 1)).to_be_focused()


def test_causes_and_the_pods_below_them_are_one_list(demo_page: Page) -> None:
    demo_page.goto("/clusters/demo/pending/")
    causes = demo_page.locator(".causes > li")
    demo_page.keyboard.press("j")
    expect(causes.first.locator("summary")).to_be_focused()
    demo_page.keyboard.press("Enter")
    demo_page.keyboard.press("j")

    expect(causes.first.locator("tbody tr").first.locator("a").first).to_be_focused()


def test_exact_times_are_shown_by_a_key_and_a_button(demo_page: Page) -> None:
    demo_page.goto(PODS)
    shown = """getComputedStyle(document.querySelector("#results time[title]"), "::after").content"""
    assert demo_page.evaluate(shown) == "none"

    demo_page.keyboard.press("t")

    expect(demo_page.locator("#announcer")).to_have_text("Exact times are shown")
    assert re.search(r"\(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d [A-Z+0-9]+\)", demo_page.evaluate(shown))
    demo_page.reload()
    button = demo_page.get_by_role("button", name="Show exact times")
    expect(button).to_have_attribute("aria-pressed", "true")
    assert flaws(demo_page) == []
    button.click()
    assert demo_page.evaluate(shown) == "none"


@in_every_look
def test_columns_are_chosen_in_a_menu_that_fits(demo_page: Page, width: int, theme: Theme) -> None:
    wear(demo_page, width=width, theme=theme)
    demo_page.goto(f"{PODS}?q=web")
    demo_page.locator("summary", has_text="Columns").click()
    assert flaws(demo_page) == []

    demo_page.get_by_role("checkbox", name="Priority").uncheck()
    demo_page.get_by_role("button", name="Show these columns").click()

    expect(demo_page).to_have_url(re.compile(r"\?q=web&columns=name,state,node,cpu,memory,created,message$"))
    expect(demo_page.locator("#results tbody")).not_to_contain_text("standard")


def test_the_head_of_a_table_stays_in_sight_where_the_table_fits(demo_page: Page) -> None:
    demo_page.set_viewport_size({"width": 1440, "height": 900})
    demo_page.goto(PODS)
    frame = demo_page.locator(".table-scroll")
    expect(frame).to_have_attribute("data-fits", "")
    the_link(demo_page, 30).scroll_into_view_if_needed()
    head = demo_page.locator("#results thead")
    expect(head).to_be_in_viewport()
    box = head.bounding_box()
    assert box is not None
    assert box["y"] == 0

    demo_page.set_viewport_size({"width": 700, "height": 900})
    expect(frame).not_to_have_attribute("data-fits", "")
    assert not demo_page.evaluate("document.documentElement.scrollWidth > innerWidth")
