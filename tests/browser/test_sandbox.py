"""The sandbox in a real browser: built, scheduled, broken, taken back, and shared with another user."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.conf import settings
from django.contrib.auth import get_user_model
from django.test import Client
from playwright.sync_api import expect

from tests.browser.looks import flaws, unfold, wear
from tests.browser.test_verdict_map import middle_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from tests.support.live import LiveBerth

pytestmark = [pytest.mark.browser, pytest.mark.long]

HERE = "/lessons/sandbox/"


def test_a_cluster_is_built_scheduled_broken_and_taken_back(live_berth: object, page: Page) -> None:
    wear(page, width=1440, theme="light")
    page.goto("/lessons/")
    page.get_by_role("main").get_by_role("link", name="Sandbox").click()
    assert flaws(page) == []

    # A workload by its form, which goes before the others.
    form = page.locator("#add-workload")
    form.get_by_label("Name", exact=True).fill("shopfront")
    form.get_by_label("Replicas").fill("1")
    form.get_by_text("Priority, affinity, spread, budget").click()
    form.get_by_label("Priority", exact=True).fill("1000")
    form.get_by_role("button", name="Add the workload").click()
    expect(page.locator("#scheduling")).to_contain_text("5 pending pods")

    # One pod: its decision is the map, with filters and scores.
    page.get_by_role("button", name="Schedule the next pod").click()
    expect(page.locator("#verdict")).to_contain_text("shop/shopfront-")
    expect(page.locator("#verdict")).to_contain_text("Scheduled to node-")
    expect(page.locator("[data-map-controls]")).to_be_visible()
    page.mouse.click(*middle_of(page, "node-b-1"))
    expect(page.locator("#node-answer")).to_contain_text("Every filter on node-b-1")
    # So many points are the same everywhere that the arithmetic has a page of its own.
    page.locator("#scores .equal-scores a").first.click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("TaintToleration on node-")
    page.get_by_role("main").get_by_role("link", name="shop/shopfront-").click()
    assert flaws(page) == []

    # All others: one is too large for every node.
    page.get_by_role("button", name="Schedule all").click()
    expect(page.locator("#verdict")).to_contain_text("FailedScheduling")
    expect(page.locator("#scheduling")).to_contain_text("1 pending pod")

    # A node fails on the map, and its pods are evicted.
    back = page.get_by_role("link", name="Back to the cluster")
    back.click()
    expect(back).to_have_count(0)
    page.mouse.click(*middle_of(page, "node-a-1"))
    panel = page.locator("#node-answer")
    panel.get_by_role("button", name="Fail node-a-1").click()
    expect(page.locator("#map-card")).to_contain_text("node.kubernetes.io/not-ready:NoExecute")
    page.mouse.click(*middle_of(page, "node-a-1"))
    panel.get_by_role("button", name="Evict by taints").click()
    expect(page.locator("#scheduling")).not_to_contain_text("1 pending pod")
    page.get_by_role("button", name="Undo").click()
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("#scheduling")).to_contain_text("1 pending pod")

    # Any object is YAML, and what is wrong in it is told with its line.
    page.locator("#objects").get_by_role("link", name="Deployment/shop/report").click()
    expect(page.locator(".ace_editor")).to_be_visible()
    assert flaws(page) == []


def test_a_link_opens_a_copy_for_another_user_also_on_a_phone(
    browser: Browser, live_berth: LiveBerth, page: Page
) -> None:
    wear(page, width=390, theme="dark")
    # What an address names is unfolded on a phone.
    page.goto(f"{HERE}#cluster")
    page.get_by_role("button", name="Remove node-c-2").click()
    expect(page.locator("#node-node-c-2")).to_have_count(0)
    page.goto(f"{HERE}#share")
    page.get_by_role("button", name="Make a link").click()
    link = page.locator(".sandbox-links a")
    expect(link).to_contain_text("5 nodes and 15 pods")
    unfold(page)
    assert flaws(page) == []
    address = link.get_attribute("href") or ""

    client = Client()
    client.force_login(get_user_model().objects.create_user("somebody"))
    session = client.cookies[settings.SESSION_COOKIE_NAME].value
    with browser.new_context(base_url=live_berth.url) as context:
        context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": session, "url": live_berth.url}])
        theirs = context.new_page()
        wear(theirs, width=390, theme="light")
        theirs.goto(address)
        expect(theirs.get_by_role("heading", level=1)).to_have_text("Sandbox of operator")
        assert flaws(theirs) == []
        theirs.get_by_role("button", name="Open a copy").click()
        expect(theirs.locator("#scheduling")).to_contain_text("Copy of the sandbox of operator")
        theirs.goto(f"{HERE}#cluster")
        expect(theirs.locator("#node-node-c-1")).to_be_visible()
        expect(theirs.locator("#node-node-c-2")).to_have_count(0)
        theirs.get_by_role("button", name="Remove node-c-1").click()
        expect(theirs.locator("#node-node-c-1")).to_have_count(0)
    page.goto("/lessons/")
    page.goto(f"{HERE}#share")
    expect(page.locator("#node-node-c-1")).to_have_count(1)
    page.get_by_role("button", name="Withdraw").click()
    expect(page.locator(".sandbox-links a")).to_have_count(0)
