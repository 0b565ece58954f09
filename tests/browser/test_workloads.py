"""The pages about workloads in a real browser, for the demo cluster."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.looks import flaws_of_pages

if TYPE_CHECKING:
    from playwright.sync_api import Page


pytestmark = pytest.mark.browser

WORKLOADS = "/clusters/demo/workloads/"
CHECKOUT = f"{WORKLOADS}Deployment/shop/checkout/"
PAGES = (
    WORKLOADS,
    f"{CHECKOUT}?more=20&update=1",
    f"{WORKLOADS}Deployment/payments/payments-api/?more=501&update=1",
    f"{WORKLOADS}DaemonSet/platform/log-agent/?update=1",
)


def test_every_page_is_accessible_and_fits(demo_page: Page) -> None:
    assert flaws_of_pages(demo_page, PAGES) == {}


def open_workloads(page: Page) -> None:
    """Choose the workloads in a menu, from the page of the cluster."""
    page.goto("/clusters/demo/")
    navigation = page.get_by_role("navigation", name="Main")
    navigation.locator("summary", has_text="Objects").click()
    navigation.get_by_role("link", name="Workloads", exact=True).click()


def test_where_twenty_more_would_go_is_three_clicks_away(demo_page: Page) -> None:
    open_workloads(demo_page)
    demo_page.get_by_role("link", name="shop/checkout").click()
    demo_page.get_by_role("button", name="Place them").click()

    expect(demo_page.locator("#more .answer-line")).to_contain_text("20 of 20 fit")
    expect(demo_page).to_have_url(re.compile(r"\?more=20$"))
    demo_page.get_by_role("link", name="Simulate it").click()
    expect(demo_page.locator("#update .answer-line")).to_contain_text("Completes")
    expect(demo_page.locator("#more .answer-line")).to_contain_text("20 of 20 fit")
    expect(demo_page).to_have_url(re.compile(r"\?more=20&update=1$"))
