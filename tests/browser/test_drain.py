"""The drain planner in a real browser, for the demo cluster."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import pytest
from playwright.sync_api import expect

from clusters.adapters import shared_redis
from clusters.engine.disruption.drains import DrainOptions
from clusters.models import Cluster
from clusters.services.disruption import MOST_AT_ONCE, QUESTION, DrainChoice, PlannedDrain, drains_of, plan_of
from clusters.services.evaluation import Progress, tell
from clusters.services.workers import finish
from clusters.wording.drains import OUTLOOKS
from tests.browser.looks import flaws, flaws_of_pages, wear
from tests.clusters.test_workloads import deployed
from tests.support.decision_cluster import node
from tests.support.mirrored import load

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Page

    from tests.support.live import LiveBerth

pytestmark = pytest.mark.browser

DRAIN = "/clusters/demo/drain/"
ZONE = f"{DRAIN}?zone=eu-central-1a"
PAGES = (
    DRAIN,
    ZONE,
    f"{ZONE}&show=kept",
    f"{ZONE}&show=answers",
    f"{DRAIN}?version=v1.34.1&after=uncordon&flags=force",
    f"{DRAIN}?node=nope&node=arm-a-01",
)


def test_every_page_is_accessible_and_fits(demo_page: Page) -> None:
    assert flaws_of_pages(demo_page, PAGES) == {}


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
    demo_page.get_by_role("button", name="Plan the drain of selected nodes").click()

    expect(demo_page.get_by_role("heading", name="Drain spot-a-01 and spot-a-02")).to_be_visible()
    plan = plan_of(cluster=Cluster.objects.get(name="demo"), choice=DrainChoice(nodes=("spot-a-01", "spot-a-02")))
    assert isinstance(plan, PlannedDrain)
    assert plan.plan is not None
    expect(demo_page.locator(".drain-batch")).to_have_count(len(plan.plan.batches))
    pods = [eviction.pod for eviction in plan.plan.batches[0].evictions]
    expect(demo_page.get_by_role("table", name="Evictions in order").locator("tbody th")).to_have_text(pods)

    demo_page.get_by_role("link", name="If all drains began now").click()
    expect(demo_page.get_by_role("table", name="Answers to evictions").locator("tbody tr")).to_have_count(
        len(plan.plan.asked)
    )
    assert "show=answers" in demo_page.url
    demo_page.reload()
    expect(demo_page.get_by_role("table", name="Answers to evictions").locator("tbody tr")).to_have_count(
        len(plan.plan.asked)
    )
    demo_page.go_back()
    expect(demo_page.get_by_role("table", name="Evictions in order").locator("tbody th")).to_have_text(pods)


def test_the_map_of_the_first_page_is_walked_by_keyboard_and_leads_to_the_plan_of_a_node(
    demo_page: Page, phone: Page
) -> None:
    wear(demo_page, width=1440, theme="dark")
    demo_page.goto(DRAIN)
    stage, spoken = demo_page.locator("[data-map-stage]"), demo_page.locator("[data-map-spoken]")
    stage.focus()
    demo_page.keyboard.press("Home")
    first = spoken.inner_text()
    demo_page.keyboard.press("ArrowRight")
    expect(spoken).not_to_have_text(first)
    expect(demo_page.locator(".picture-facts")).to_be_visible()
    name = spoken.locator("p").first.inner_text()
    node = drains_of(cluster=Cluster.objects.get(name="demo")).nodes[name]
    expect(spoken).to_contain_text(str(OUTLOOKS[node.drain.outlook]))
    expect(spoken).to_contain_text(f"Pods to evict: {node.drain.evicted}")
    assert flaws(demo_page, only_colours=True) == []
    wear(demo_page, width=1440, theme="light")
    stage.focus()
    assert flaws(demo_page) == []

    demo_page.keyboard.press("Enter")
    expect(demo_page.get_by_role("heading", level=1)).to_have_text(f"Drain {name}")
    assert f"node={name}" in demo_page.url

    # A finger needs one touch for what Enter does.
    phone.goto(DRAIN)
    expect(phone.locator("[data-verdict-map]")).to_have_attribute("data-begun", "")
    phone.locator("[data-map-stage]").tap(position={"x": 40, "y": 60})
    expect(phone).to_have_url(re.compile(r"\?node="))


@pytest.fixture
def shared_store(live_berth: LiveBerth, settings: Any) -> Iterator[None]:
    """Tell of plans where the web server of the test reads it."""
    settings.REDIS_URL = live_berth.environment["REDIS_URL"]
    shared_redis.forget_silence()
    yield
    shared_redis.forget_silence()


@pytest.mark.parametrize("is_blocked", [False, True], ids=["by websocket", "by asking again"])
def test_a_plan_that_a_worker_makes_is_followed_until_it_is_there(
    shared_store: None, page: Page, tmp_path: Path, *, is_blocked: bool
) -> None:
    if is_blocked:
        page.route_web_socket(re.compile("/ws/"), lambda socket: socket.close())
    names = tuple(f"n{number}" for number in range(6))
    pods = deployed(dict.fromkeys(names[:4], MOST_AT_ONCE // 4 + 1))
    load(tmp_path, "large", [*(node(name, "north") for name in names), *pods])
    cluster = Cluster.objects.get(name="large")
    choice = DrainChoice(nodes=names[:4])
    key = QUESTION.key(cluster, choice.text)
    # As a worker tells of it that began before.
    tell(key, Progress(1, 4))
    page.goto(f"/clusters/large/drain/?{urlencode({'node': names[:4]}, doseq=True)}")
    bar = page.locator("#plan progress")
    expect(bar).to_have_attribute("value", "1")

    tell(key, Progress(3, 4))
    expect(bar).to_have_attribute("value", "3", timeout=30_000)
    finish(cluster_id=cluster.pk, question="drain", subject=(choice.text,))

    expect(page.locator("#plan .verdict-map")).to_be_visible(timeout=60_000)
    expect(bar).to_have_count(0)


def test_batches_are_stepped_through_by_keyboard_each_with_its_arrows_and_pods(demo_page: Page) -> None:
    wear(demo_page, width=1440, theme="dark")
    choice = DrainChoice(zone="eu-central-1a", options=DrainOptions(at_a_time=1))
    found = plan_of(cluster=Cluster.objects.get(name="demo"), choice=choice)
    assert isinstance(found, PlannedDrain)
    assert found.plan is not None
    second = found.plan.batches[1]
    demo_page.goto(f"{ZONE}&parallel=1")
    arrows = demo_page.locator(".map-stage .wide .map-moves > g:visible")
    every = arrows.count()

    demo_page.locator("[data-map-scale] .map-step").first.focus()
    demo_page.keyboard.press("Home")
    for _ in range(2):
        demo_page.keyboard.press("ArrowRight")
    expect(demo_page.locator("[data-map-scale] [aria-current]")).to_contain_text("Batch 2")
    expect(demo_page.locator("[data-map-caption]")).to_contain_text("Batch 2")
    drawn = {arrow.get_attribute("data-from") for arrow in arrows.all()}
    assert 0 < arrows.count() < every
    assert len(drawn) == len([node for node in second.nodes if node.evictions])
    # The node of the first batch fades, that of the second has its colour.
    expect(demo_page.locator(".map-stage .wide .map-turn.is-past")).to_have_count(1)
    beside = demo_page.locator("#node-answer")
    expect(beside).to_contain_text("Batch 2")
    expect(beside.locator("tbody tr")).to_have_count(min(50, len(second.evictions)))
    assert flaws(demo_page) == []

    demo_page.keyboard.press("Home")
    demo_page.keyboard.press("Enter")
    expect(arrows).to_have_count(every)
