"""The drain planner in a real browser, for the demo cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from clusters.models import Cluster
from clusters.services.disruption.drain_store import StoredPlan
from clusters.services.disruption.drains import DrainChoice, plan_of
from tests.browser.looks import flaws_of_pages, in_every_width

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from tests.support.live import LiveBerth

pytestmark = pytest.mark.browser

DRAIN = "/clusters/demo/drain/"
ZONE = f"{DRAIN}?zone=eu-central-1a"
PAGES = (
    DRAIN,
    f"{DRAIN}?q=nothing-like-this",
    ZONE,
    f"{ZONE}&show=kept",
    f"{ZONE}&show=answers",
    f"{DRAIN}?version=v1.34.1&after=uncordon&flags=force",
    f"{DRAIN}?node=nope",
    f"{DRAIN}?node=nope&node=arm-a-01",
    "/clusters/empty/drain/",
)


@in_every_width
def test_every_page_is_accessible_and_fits(demo_page: Page, width: int) -> None:
    assert flaws_of_pages(demo_page, PAGES, width=width) == {}


def test_ticked_nodes_are_planned_and_the_parts_have_addresses(demo_page: Page) -> None:
    demo_page.goto(DRAIN)
    demo_page.get_by_label("Search").fill("spot-a")
    expect(demo_page.locator("#results tbody tr")).to_have_count(2)
    for name in ("spot-a-01", "spot-a-02"):
        demo_page.get_by_label(f"Drain {name}").check()
    # Results that are fetched again, as when the search field is left, keep what is ticked, and so do others.
    with demo_page.expect_response(lambda response: "state=now" in response.url):
        demo_page.get_by_label("State").select_option("now")
    expect(demo_page.locator("#results input:checked")).to_have_count(2)
    demo_page.get_by_label("Search").fill("spot-b")
    expect(demo_page.get_by_label("Drain spot-b-01")).not_to_be_checked()
    demo_page.get_by_role("button", name="Plan the drain of the selected nodes").click()

    expect(demo_page.get_by_role("heading", name="Drain 2 nodes")).to_be_visible()
    plan = plan_of(cluster=Cluster.objects.get(name="demo"), choice=DrainChoice(nodes=("spot-a-01", "spot-a-02")))
    assert isinstance(plan, StoredPlan)
    assert plan.plan is not None
    expect(demo_page.locator(".drain-batch")).to_have_count(len(plan.plan.batches))
    pods = [eviction.pod for eviction in plan.plan.batches[0].evictions]
    expect(demo_page.locator("#plan tbody th")).to_have_text(pods)

    demo_page.get_by_role("link", name="If all drains began now").click()
    expect(demo_page.locator("#plan tbody tr")).to_have_count(len(plan.plan.asked))
    assert "show=answers" in demo_page.url
    demo_page.reload()
    expect(demo_page.locator("#plan tbody tr")).to_have_count(len(plan.plan.asked))
    demo_page.go_back()
    expect(demo_page.locator("#plan tbody th")).to_have_text(pods)


def test_planner_needs_no_script(demo_page: Page, browser: Browser, live_berth: LiveBerth) -> None:
    with browser.new_context(base_url=live_berth.url, java_script_enabled=False) as context:
        context.add_cookies(demo_page.context.cookies())  # type: ignore[arg-type]
        plain = context.new_page()
        plain.goto(DRAIN)
        plain.get_by_text("Plan the drain of a zone").click()
        plain.get_by_label("Pool").select_option("spot")
        plain.get_by_label("At a time").select_option("2")
        plain.get_by_role("button", name="Plan the drain", exact=True).click()
        expect(plain.get_by_role("heading", level=1)).to_contain_text("Drain")
        plain.get_by_role("link", name="Batch 2").click()
        expect(plain.get_by_role("heading", name="Batch 2")).to_be_visible()
        plain.get_by_role("link", name="Blocked nodes").click()
        expect(plain.get_by_role("link", name="Blocked nodes")).to_have_attribute("aria-current", "page")
