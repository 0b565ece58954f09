"""A pod edited and re-evaluated, in a real browser: the editor, the changes without YAML, and both sides."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.looks import flaws, flaws_of_pages
from tests.support.decision_cluster import decision_cluster

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page


pytestmark = pytest.mark.browser

EDITING = "document.querySelector('.ace_editor').env.editor"


@pytest.fixture
def shop_page(live_berth: object, tmp_path: Path, page: Page) -> Page:
    decision_cluster(tmp_path)
    return page


def address(name: str, query: str = "") -> str:
    return f"/clusters/shop/pods/shop/{name}/what-if/{query}"


def test_the_pages_look_right(shop_page: Page) -> None:
    pages = (
        address("choosy"),
        address("choosy", "?change=no-node-selector"),
        address("plain", "?change=double-requests"),
    )
    assert flaws_of_pages(shop_page, pages) == {}


def test_a_pod_is_edited_and_judged_under_the_strict_policy(shop_page: Page) -> None:
    refused: list[str] = []
    shop_page.on("console", lambda message: refused.append(message.text) if message.type == "error" else None)
    shop_page.goto("/clusters/shop/pods/shop/choosy/")
    shop_page.get_by_role("link", name="What if …").click()
    expect(shop_page.locator(".ace_editor").first).to_be_visible()
    expect(shop_page.locator("#id_pod")).to_be_hidden()
    shop_page.evaluate(f"const editor = {EDITING}; editor.setValue(editor.getValue().replace('north', 'south'), -1)")
    shop_page.get_by_role("button", name="What if?").click()
    expect(shop_page.locator(".verdict-sentence")).to_have_text("It fits on 1 node instead of 0. It would get birch.")
    expect(shop_page.locator(".line-added")).to_contain_text("south")
    assert refused == []


def test_a_mistake_is_shown_at_its_line(shop_page: Page) -> None:
    shop_page.goto(address("choosy"))
    shop_page.evaluate(
        f"const editor = {EDITING}; editor.setValue(editor.getValue().replace('nodeSelector', 'nodeSelektor'), -1)"
    )
    shop_page.get_by_role("button", name="What if?").click()
    expect(shop_page.locator("#problems")).to_contain_text("Did you mean nodeSelector?")
    assert shop_page.evaluate(f"{EDITING}.session.getAnnotations().length") == 1
    line = shop_page.locator("#problems a").first
    line.click()
    number = shop_page.evaluate(f"{EDITING}.getCursorPosition().row + 1")
    assert line.inner_text() == f"line {number}"
    assert "nodeSelektor" in shop_page.evaluate(f"{EDITING}.session.getLine({number} - 1)")
    assert flaws(shop_page) == []


def test_the_editor_holds_no_keyboard_captive(shop_page: Page) -> None:
    shop_page.goto(address("choosy"))
    expect(shop_page.locator(".ace_editor").first).to_be_visible()
    summary = shop_page.locator("summary", has_text="The scheduler’s configuration")
    stops = []
    shop_page.locator("#changes a").last.focus()
    for _ in range(4):
        shop_page.keyboard.press("Tab")
        stops.append(
            shop_page.evaluate(
                "document.activeElement.closest('.ace_editor') ? 'editor' : document.activeElement.tagName"
            )
        )
    assert "editor" in stops
    assert "SUMMARY" in stops, "Tab goes past an editor that one does not edit in"
    shop_page.evaluate(f"{EDITING}.focus()")
    shop_page.keyboard.type("x")
    shop_page.keyboard.press("Escape")
    shop_page.keyboard.press("Tab")
    expect(summary).to_be_focused()


def test_without_scripts_the_form_is_a_plain_one(shop_page: Page, plain_page: Page) -> None:
    plain_page.goto(address("choosy"))
    text = plain_page.get_by_label("Pod", exact=True)
    text.fill(text.input_value().replace("north", "south"))
    plain_page.get_by_role("button", name="What if?").click()
    expect(plain_page.locator(".verdict-sentence")).to_contain_text("fits on 1 node instead of 0")
