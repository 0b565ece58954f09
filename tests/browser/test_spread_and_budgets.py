"""The pages about spreading and budgets in a real browser, for the demo cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import pytest
from playwright.sync_api import expect

from clusters.demo import demo_objects
from tests.browser.axe import violations
from tests.dashboard.rows import a_cluster
from tests.support.mirrored import load

if TYPE_CHECKING:
    from pathlib import Path

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
    f"{BUDGETS}payments/legacy-gateway/",
    "/clusters/empty/spread/",
    "/clusters/empty/budgets/",
)


@pytest.fixture
def demo_page(live_berth: object, tmp_path: Path, page: Page) -> Page:
    """Return a page of somebody who sees the demo cluster and an empty one."""
    load(tmp_path, "demo", list(demo_objects()))
    a_cluster("empty", last_sync=None, revision=0)
    return page


@pytest.mark.parametrize(("width", "theme"), [(1440, "light"), (1440, "dark"), (390, "light"), (390, "dark")])
def test_every_page_is_accessible_and_fits(demo_page: Page, width: int, theme: Literal["light", "dark"]) -> None:
    demo_page.emulate_media(color_scheme=theme, reduced_motion="reduce")
    demo_page.set_viewport_size({"width": width, "height": 900})
    demo_page.goto(SPREAD)
    group = demo_page.locator(".entries a").first.get_attribute("href")
    assert group
    found = {}
    for address in (*PAGES, group):
        demo_page.goto(address)
        expect(demo_page.locator("html")).to_have_attribute("data-bs-theme", theme)
        wrong = violations(demo_page)
        if demo_page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            wrong.append("wider than the window")
        if wrong:
            found[address] = wrong

    assert found == {}


def test_filter_swaps_the_groups_and_keeps_the_address(demo_page: Page) -> None:
    demo_page.goto(SPREAD)

    demo_page.get_by_label("State").select_option("violated")

    expect(demo_page.locator(".entries > li")).to_have_count(1)
    expect(demo_page.get_by_role("link", name="Download these groups as CSV")).to_have_attribute(
        "href", f"{SPREAD}groups.csv?q=&namespace=&state=violated&key=&source="
    )
    assert "state=violated" in demo_page.url


def test_pages_need_no_script(demo_page: Page, browser: Browser, live_berth: LiveBerth) -> None:
    with browser.new_context(base_url=live_berth.url, java_script_enabled=False) as context:
        context.add_cookies(demo_page.context.cookies())  # type: ignore[arg-type]
        plain = context.new_page()
        plain.goto(BUDGETS)
        plain.get_by_label("State").select_option("lasting")
        plain.get_by_role("button", name="Filter").click()

        expect(plain.locator(".entries > li")).to_have_count(2)
        plain.get_by_role("link", name="shop/sessions").first.click()
        expect(plain.get_by_role("heading", level=1)).to_have_text("shop/sessions")
