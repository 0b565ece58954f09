"""The order of a search in a browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.looks import flaws_of_pages
from tests.dashboard.test_search_order import address, load_nodes

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page

pytestmark = pytest.mark.browser


def test_the_part_is_accessible_and_fits(page: Page, tmp_path: Path) -> None:
    load_nodes(tmp_path, 260, full=40)

    assert flaws_of_pages(page, (address("search-order"), f"{address('why-not')}?node=n100")) == {}


def test_the_section_computes_once_it_is_opened(page: Page, tmp_path: Path) -> None:
    load_nodes(tmp_path, 125)
    page.goto(address())

    page.locator("#search-order-card > summary").click()

    expect(page.get_by_role("cell", name="80.00 %").first).to_be_visible()
