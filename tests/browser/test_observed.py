"""What others recorded, in a real browser: both themes, a phone, and no accessibility rule broken."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.looks import Theme, flaws, in_every_look, unfold, wear
from tests.dashboard.test_observed import address, simulate
from tests.support.decision_cluster import decision_cluster

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page


pytestmark = pytest.mark.browser


@pytest.fixture
def tried_page(live_berth: object, tmp_path: Path, page: Page) -> Page:
    simulate(decision_cluster(tmp_path), tmp_path, changed=True, attempts=3)
    return page


def open_page(page: Page, *, width: int = 1440, theme: Theme = "light") -> None:
    wear(page, width=width, theme=theme)
    page.goto(address())


def test_nodes_and_attempts_are_chosen_in_place(tried_page: Page) -> None:
    open_page(tried_page)
    unfold(tried_page)
    section = tried_page.locator("#observed")
    expect(section.locator(".pair-differs")).to_have_count(2)
    expect(section.get_by_role("rowheader", name="cedar")).to_have_count(0)

    section.get_by_role("link", name="All (6 nodes)").click()
    expect(section.get_by_role("rowheader", name="cedar").first).to_be_visible()
    expect(section.get_by_role("link", name="All (6 nodes)")).to_have_attribute("aria-current", "true")

    section.get_by_role("link", name="Simulator 1").click()
    expect(section.locator(".observed-sentence")).to_contain_text(" cells are equal.")
    expect(section.locator(".pair-differs")).to_have_count(0)
    # Nothing of it left the page.
    assert tried_page.url.endswith(address())


@in_every_look
def test_section_is_accessible_and_fits(tried_page: Page, theme: Theme, width: int) -> None:
    open_page(tried_page, width=width, theme=theme)
    unfold(tried_page)
    tried_page.locator("#observed").get_by_role("link", name="All (6 nodes)").click()
    expect(tried_page.locator("#observed .pair").first).to_be_visible()
    expect(tried_page.locator(".htmx-request, .htmx-swapping, .htmx-settling, .htmx-added")).to_have_count(0)

    assert flaws(tried_page) == []
