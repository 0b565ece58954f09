"""What becomes of a page's requests that get no answer: one that a newer one replaces, and one that fails."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.looks import Theme, flaws, in_every_look, wear

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

pytestmark = pytest.mark.browser

NODES = "/clusters/demo/nodes/"


def test_a_newer_search_replaces_one_that_has_no_answer_yet(demo_page: Page) -> None:
    written: list[str] = []
    demo_page.on("console", lambda message: written.append(message.text))
    demo_page.goto(NODES)
    # Nothing answers the first search.
    demo_page.route("**/nodes/?q=general&**", lambda _: None)
    with demo_page.expect_request("**/nodes/?q=general&**"):
        demo_page.get_by_label("Search", exact=True).fill("general")

    demo_page.get_by_label("Search", exact=True).fill("general-b-08")

    expect(demo_page.locator("#results tbody tr")).to_have_count(1)
    # htmx calls it an error, which the watch over pages leaves out: this test ends without one.
    assert any(text.startswith("htmx:sendAbort") for text in written)


def banner_of(page: Page) -> Locator:
    return page.get_by_role("region", name="Failed update")


def test_a_request_that_fails_is_told_and_can_be_tried_again(demo_page: Page, page_errors: list[str]) -> None:
    demo_page.goto(NODES)
    demo_page.route("**/nodes/?q=general-b-08&**", lambda route: route.abort("connectionrefused"))
    expect(banner_of(demo_page)).to_be_hidden()

    demo_page.get_by_label("Search", exact=True).fill("general-b-08")

    expect(banner_of(demo_page)).to_contain_text("Not updated: the server does not respond.")
    expect(demo_page.locator("#announcer")).to_contain_text("Not updated: the server does not resp")
    assert any("htmx:sendError" in error for error in page_errors)

    demo_page.unroute_all()
    demo_page.get_by_role("button", name="Try again").click()

    expect(demo_page.locator("#results tbody tr")).to_have_count(1)
    expect(banner_of(demo_page)).to_be_hidden()
    assert "q=general-b-08" in demo_page.url
    page_errors.clear()


def test_an_update_of_another_part_leaves_a_failure_told(demo_page: Page, page_errors: list[str]) -> None:
    demo_page.goto(NODES)
    demo_page.route("**/nodes/?q=general&**", lambda route: route.fulfill(status=502, body="Bad Gateway"))
    demo_page.get_by_label("Search", exact=True).fill("general")
    expect(banner_of(demo_page)).to_contain_text("the server responds with status 502.")

    demo_page.get_by_label("Find a pod, node or workload").fill("general-b-08")
    expect(demo_page.get_by_role("option").first).to_be_visible()

    expect(banner_of(demo_page)).to_be_visible()
    banner_of(demo_page).get_by_role("button", name="Dismiss").click()
    expect(banner_of(demo_page)).to_be_hidden()
    page_errors.clear()


@in_every_look
def test_the_banner_of_a_failed_update_can_be_read(
    demo_page: Page, page_errors: list[str], width: int, theme: Theme
) -> None:
    wear(demo_page, width=width, theme=theme)
    demo_page.goto(NODES)
    demo_page.route("**/nodes/?q=general&**", lambda route: route.fulfill(status=429, body="Too many"))

    if width == 390:
        demo_page.locator("summary", has_text="Filter").click()
    demo_page.get_by_label("Search", exact=True).fill("general")

    expect(banner_of(demo_page)).to_contain_text("too many requests. Try again in a minute.")
    assert flaws(demo_page) == []
    page_errors.clear()
