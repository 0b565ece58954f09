"""What becomes of a page's requests that get no answer: one that a newer one replaces, and one that fails."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

if TYPE_CHECKING:
    from playwright.sync_api import Page

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


def test_a_request_that_fails_is_announced_and_is_an_error_of_the_page(demo_page: Page, page_errors: list[str]) -> None:
    demo_page.goto(NODES)
    demo_page.route("**/nodes/?q=general&**", lambda route: route.abort("connectionrefused"))

    demo_page.get_by_label("Search", exact=True).fill("general")

    expect(demo_page.locator("#announcer")).to_contain_text("The page could not be updated.")
    assert any("htmx:sendError" in error for error in page_errors)
    page_errors.clear()
