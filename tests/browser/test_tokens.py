"""The tokens of the API and its reference."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.looks import flaws_of_pages

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser


def test_pages_are_accessible_and_fit(page: Page) -> None:
    assert flaws_of_pages(page, ("/account/tokens/", "/api/v1/docs")) == {}


def test_a_token_is_made_shown_once_and_revoked(page: Page) -> None:
    page.goto("/")
    page.get_by_role("link", name="Signed in as").click()
    page.get_by_label("Name").fill("ci")
    page.get_by_role("button", name="Create token").click()

    expect(page.locator("#new-token")).to_contain_text("berth_")
    page.goto("/account/tokens/")
    expect(page.locator("#new-token")).to_have_count(0)
    page.get_by_role("button", name="Revoke ci").click()
    expect(page.get_by_text("There are no tokens.")).to_be_visible()
