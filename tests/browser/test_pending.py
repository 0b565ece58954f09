"""The page about pods that wait in a real browser, for the demo cluster."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from clusters.demo import demo_objects
from clusters.engine import SchedulerConfiguration, Snapshot, UnknownScheduler, explain
from tests.browser.looks import flaws_of_pages
from tests.clusters.live_batches import apply, followed_cluster
from tests.dashboard.test_refused import refused_deployments
from tests.support.decision_cluster import node, pod
from tests.support.mirrored import load

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser, Page

    from tests.support.live import LiveBerth

pytestmark = pytest.mark.browser

PENDING = "/clusters/demo/pending/"
PAGES = (PENDING, f"{PENDING}?q=nothing-like-this", f"{PENDING}?kind=unschedulable", "/clusters/empty/pending/")


def test_every_page_is_accessible_and_fits(demo_page: Page) -> None:
    demo_page.goto(PENDING)
    cause = demo_page.locator("#results .cause-content a", has_text="This cause alone").first.get_attribute("href")
    assert cause

    assert flaws_of_pages(demo_page, (*PAGES, f"{PENDING}{cause}")) == {}


def test_pods_that_cannot_be_created_are_accessible_and_fit(page: Page, tmp_path: Path) -> None:
    load(tmp_path, "prod", [node("ash", "north"), *refused_deployments()])

    assert flaws_of_pages(page, ("/clusters/prod/pending/",)) == {}


def answers() -> dict[str, set[str]]:
    """Return the engine's own answer for each pod of the demo cluster that waits: who fits, who does not, and so on."""
    objects = list(demo_objects())
    snapshot, configuration = Snapshot.from_objects(objects), SchedulerConfiguration.default()
    found: dict[str, set[str]] = {"fits": set(), "preempts": set(), "gated": set(), "other-scheduler": set()}
    found["nominated"], found["rejected"] = set(), set()
    for document in objects:
        if document["kind"] != "Pod" or document["spec"].get("nodeName"):
            continue
        name = document["metadata"]["name"]
        try:
            explanation = explain(snapshot, document, configuration.profile_for(document))
        except UnknownScheduler:
            found["other-scheduler"].add(name)
            continue
        if not explanation.gates.ok:
            found["gated"].add(name)
        elif explanation.fits:
            found["fits"].add(name)
        elif document["status"].get("nominatedNodeName"):
            found["nominated"].add(name)
        elif explanation.preemption and explanation.preemption.candidates:
            found["preempts"].add(name)
        else:
            found["rejected"].add(name)
    return found


def test_page_says_what_the_engine_says(demo_page: Page) -> None:
    expected = answers()
    total = sum(map(len, expected.values()))
    listed = {}
    for kind in ("fits", "preempts", "gated", "other-scheduler", "nominated", "unschedulable"):
        demo_page.goto(f"{PENDING}?kind={kind}")
        for link in demo_page.locator("#results .causes tbody th a[href*='/pods/']").all():
            listed[str(link.text_content()).partition("/")[2]] = kind
        hidden = demo_page.locator("#results .causes a", has_text=re.compile("^Show all"))
        for address in [link.get_attribute("href") for link in hidden.all()]:
            demo_page.goto(f"{PENDING}{address}")
            for link in demo_page.locator("#results .causes tbody th a[href*='/pods/']").all():
                listed[str(link.text_content()).partition("/")[2]] = kind

    demo_page.goto(PENDING)

    expect(demo_page.locator(".answer-line")).to_contain_text(f"{total} pods are pending")
    counts = demo_page.locator("#results .cause-count").all_inner_texts()
    assert sum(map(int, counts)) == total
    by_kind = {kind: {name for name, found in listed.items() if found == kind} for kind in expected}
    by_kind["rejected"] = {name for name, found in listed.items() if found == "unschedulable"}
    assert by_kind == expected


def test_board_of_the_demo_takes_two_screens_and_opens_by_keyboard(demo_page: Page) -> None:
    demo_page.goto(PENDING)

    last = demo_page.locator("#results .causes > li").last.bounding_box()
    assert last
    assert last["y"] + last["height"] <= 2 * 900
    named = demo_page.locator(".cause-name", has_text="Node pod limit reached")
    row = demo_page.locator("#results .cause").filter(has=named)
    expect(row.get_by_role("link", name="security-agent").first).to_be_hidden()
    row.locator("summary").focus()
    demo_page.keyboard.press("Enter")
    expect(row.get_by_role("link", name="security-agent").first).to_be_visible()


def test_filter_swaps_the_causes_and_keeps_the_address(demo_page: Page) -> None:
    demo_page.goto(PENDING)

    demo_page.get_by_label("State", exact=True).select_option("gated")

    expect(demo_page.locator("#results .causes > li")).to_have_count(1)
    expect(demo_page.locator("#results .cause-name")).to_contain_text("finance.shop.example/approval")
    expect(demo_page.get_by_role("link", name="Download these pods as CSV")).to_have_attribute(
        "href", re.compile(re.escape(f"{PENDING}pods.csv?") + ".*kind=gated")
    )
    assert "kind=gated" in demo_page.url


def test_open_page_follows_a_live_cluster(live_berth: object, page: Page) -> None:
    _, lease = followed_cluster()
    apply(lease, put=(node("ash", "north"), pod("small", nodeName="ash")))
    page.goto("/clusters/prod/pending/")
    expect(page.get_by_text("Connected: changes appear by themselves.")).to_be_visible()
    expect(page.get_by_text("No pending pods")).to_be_visible()

    apply(lease, put=(pod("large", cpu="9"),))

    expect(page.locator(".answer-line")).to_contain_text("1 pod is pending")
    expect(page.locator("#results .cause-name")).to_contain_text("Insufficient CPU, larger than any node")
    expect(page.locator("#results .causes")).to_contain_text("shop/large")
    apply(lease, put=(node("oak", "west", cpu="16"),))
    expect(page.locator("#results .cause-name")).to_contain_text("Schedulable, in the queue")
    apply(lease, put=(pod("large", cpu="9", nodeName="oak"),))
    expect(page.get_by_text("No pending pods")).to_be_visible()


def test_page_needs_no_script(demo_page: Page, browser: Browser, live_berth: LiveBerth) -> None:
    with browser.new_context(base_url=live_berth.url, java_script_enabled=False) as context:
        context.add_cookies(demo_page.context.cookies())  # type: ignore[arg-type]
        plain = context.new_page()
        plain.goto("/clusters/demo/")
        plain.locator(".tiles a", has_text="pending pods").click()
        plain.get_by_label("Search").fill("quarterly")
        plain.get_by_role("button", name="Filter").click()

        expect(plain.locator("#results .causes > li")).to_have_count(1)
        plain.locator("#results summary").click()
        plain.get_by_role("link", name="quarterly-report").first.click()
        expect(plain.get_by_role("heading", level=1)).to_contain_text("quarterly-report")
