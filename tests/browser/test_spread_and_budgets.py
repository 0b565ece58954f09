"""The pages about spreading and budgets in a real browser, for the demo cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.looks import flaws_of_pages

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from tests.support.live import LiveBerth

pytestmark = pytest.mark.browser

SPREAD, BUDGETS = "/clusters/demo/spread/", "/clusters/demo/budgets/"
PAGES = (
    SPREAD,
    f"{SPREAD}?q=nothing-like-this",
    f"{SPREAD}workloads/",
    BUDGETS,
    f"{BUDGETS}?q=nothing-like-this",
    f"{BUDGETS}blocked-drains/",
    f"{BUDGETS}shop/frontend/",
    f"{BUDGETS}batch/image-resizer/",
    f"{BUDGETS}payments/legacy-gateway/",
    "/clusters/empty/spread/",
    "/clusters/empty/budgets/",
)


def test_every_page_is_accessible_and_fits(demo_page: Page) -> None:
    demo_page.goto(SPREAD)
    # The second has the longest words of the table: its next pod is allowed and exceeds maxSkew.
    groups = [demo_page.locator(".entries a", has_text=name).first for name in ("data/kafka", "ml/inference")]
    addresses = [str(group.get_attribute("href")) for group in groups]

    assert flaws_of_pages(demo_page, (*PAGES, *addresses)) == {}


def test_filter_swaps_the_groups_and_keeps_the_address(demo_page: Page) -> None:
    demo_page.goto(SPREAD)

    demo_page.get_by_label("State").select_option("violated")

    expect(demo_page.locator(".entries > li")).to_have_count(1)
    expect(demo_page.get_by_role("link", name="Download as CSV")).to_have_attribute(
        "href", f"{SPREAD}groups.csv?namespace=&q=&state=violated&key=&source="
    )
    assert "state=violated" in demo_page.url


def test_pages_need_no_script(demo_page: Page, browser: Browser, live_berth: LiveBerth) -> None:
    with browser.new_context(base_url=live_berth.url, java_script_enabled=False) as context:
        context.add_cookies(demo_page.context.cookies())  # type: ignore[arg-type]
        plain = context.new_page()
        plain.goto(BUDGETS)
        plain.get_by_label("State").select_option("lasting")
        plain.get_by_role("button", name="Filter").click()

        expect(plain.locator(".entries > li")).to_have_count(4)
        plain.get_by_role("link", name="shop/sessions").first.click()
        expect(plain.get_by_role("heading", level=1)).to_have_text("shop/sessions")
