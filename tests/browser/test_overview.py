"""A cluster's first page in a real browser: what it answers, and the picture by pointer, by keyboard and live."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from clusters.engine import Snapshot
from clusters.models import Cluster
from clusters.services.mirror.snapshots import snapshot_of
from clusters.services.mirror.state import utilisation_in
from dashboard.pictures.cluster import picture_of
from tests.browser.looks import flaws_of_pages, in_every_width
from tests.clusters.live_batches import apply, followed_cluster
from tests.support.decision_cluster import node, pod

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

    from tests.support.live import LiveBerth

pytestmark = pytest.mark.browser

OVERVIEW = "/clusters/demo/"
PICTURE = re.compile(r"/picture/$")


def open_overview(page: Page, address: str = OVERVIEW) -> None:
    page.goto(address)
    expect(page.locator("[data-picture]")).to_have_attribute("data-drawn", re.compile(r"\d+"))


@in_every_width
def test_every_page_is_accessible_and_fits(demo_page: Page, width: int) -> None:
    addresses = (OVERVIEW, f"{OVERVIEW}?shade=state", "/clusters/empty/")

    assert flaws_of_pages(demo_page, addresses, width=width) == {}


def test_answers_lead_on(demo_page: Page) -> None:
    """What an operator asks first, each within three clicks of here."""
    open_overview(demo_page)
    frees = demo_page.locator("#card-change")
    expect(frees).to_contain_text("would fit after the same change on 3 nodes")
    freed = int(frees.locator(".glance-number").inner_text())
    demo_page.locator("#card-change .glance-links a[href]").click()
    expect(demo_page.locator("#results .causes > li")).to_have_count(1)
    assert freed > 0
    open_overview(demo_page)
    worst = demo_page.locator("#card-spread .glance-lines a").first.inner_text()
    demo_page.locator("#card-spread .glance-lines a").first.click()
    expect(demo_page.get_by_role("heading", level=1)).to_contain_text(worst.partition("/")[2])
    open_overview(demo_page)
    demo_page.locator("#card-drains h2 a").click()
    expect(demo_page.locator("main")).to_contain_text("Budgets block the drains of")


def test_picture_goes_to_what_is_pointed_at(demo_page: Page) -> None:
    open_overview(demo_page)
    stage, facts = demo_page.locator("[data-picture-stage]"), demo_page.locator(".picture-facts")
    snapshot = snapshot_of(Cluster.objects.get(name="demo"))
    # The label of the first node, then the largest of its pods.
    stage.hover(position={"x": 20, "y": 34})
    name = facts.locator("p").first.inner_text()
    row = snapshot.nodes.index[name]
    expect(facts).to_contain_text(f"Pods: {snapshot.nodes.pod_count[row]} of {snapshot.nodes.allowed_pods[row]}")
    stage.hover(position={"x": 8, "y": 55})
    key = facts.locator("p").first.inner_text()
    assert snapshot.placed_on(key) == name

    stage.click(position={"x": 8, "y": 55})
    expect(demo_page).to_have_url(re.compile(f"/clusters/demo/pods/{key}/$"))
    open_overview(demo_page)
    stage.click(position={"x": 20, "y": 34})
    expect(demo_page).to_have_url(re.compile(f"/clusters/demo/nodes/{name}/$"))


def test_picture_is_walked_by_keyboard(demo_page: Page) -> None:
    open_overview(demo_page)
    snapshot = snapshot_of(Cluster.objects.get(name="demo"))
    spoken = demo_page.locator("[data-picture-spoken]")
    demo_page.locator("[data-shade-of=state]").focus()
    demo_page.keyboard.press("Tab")
    expect(demo_page.locator("[data-picture-stage]")).to_be_focused()

    def told() -> str:
        return spoken.locator("p").first.inner_text()

    first = told()
    assert first in snapshot.nodes.index
    demo_page.keyboard.press("ArrowRight")
    second = told()
    demo_page.keyboard.press("ArrowDown")
    demo_page.keyboard.press("ArrowUp")
    assert second not in ("", first)
    assert told() == second
    demo_page.keyboard.press("Space")
    within = told()
    demo_page.keyboard.press("ArrowRight")
    assert snapshot.placed_on(within) == snapshot.placed_on(told()) == second
    assert told() != within
    demo_page.keyboard.press("Escape")
    assert told() == second
    demo_page.keyboard.press("Enter")

    expect(demo_page).to_have_url(re.compile(f"/clusters/demo/nodes/{second}/$"))


def test_what_is_shaded_is_in_the_address_and_follows_the_theme(demo_page: Page) -> None:
    open_overview(demo_page)

    def drawn() -> str:
        return str(demo_page.evaluate("document.querySelector('[data-picture-stage] canvas').toDataURL()"))

    by_cpu = drawn()
    demo_page.get_by_role("link", name="Memory", exact=True).click()
    expect(demo_page).to_have_url(re.compile(r"/clusters/demo/\?shade=memory$"))
    by_memory = drawn()
    demo_page.reload()
    expect(demo_page.locator("[data-picture]")).to_have_attribute("data-drawn", "1")
    expect(demo_page.get_by_role("link", name="Memory", exact=True)).to_have_attribute("aria-current", "true")
    assert drawn() == by_memory != by_cpu
    demo_page.get_by_role("radio", name="Dark").check(force=True)
    expect(demo_page.locator("html")).to_have_attribute("data-bs-theme", "dark")
    assert drawn() != by_memory


def test_page_and_picture_follow_a_live_cluster(live_berth: object, page: Page) -> None:
    _, lease = followed_cluster()
    small = pod("small", nodeName="ash")
    owner = {"apiVersion": "apps/v1", "kind": "StatefulSet", "name": "web", "uid": "web", "controller": True}
    small["metadata"]["ownerReferences"] = [owner]
    apply(lease, put=(node("ash", "north"), small))
    open_overview(page, "/clusters/prod/")
    expect(page.get_by_text("Connected: changes appear by themselves.")).to_be_visible()
    expect(page.locator(".answer-line")).to_contain_text("Nothing is known to be wrong")

    apply(lease, put=(pod("large", cpu="9"), node("oak", "west")))

    expect(page.locator(".answer-line")).to_contain_text("1 pod is pending")
    expect(page.locator("#card-pending")).to_contain_text("1 pod pending: insufficient CPU")
    expect(page.locator(".area-zones tbody tr")).to_have_count(2)
    expect(page.locator("[data-picture]")).to_have_attribute("data-drawn", "2")


def show_nodes(page: Page, count: int) -> None:
    snapshot = Snapshot.from_objects(
        [
            *(node(f"node-{number:05d}", f"z{number % 3}", cpu="32") for number in range(count)),
            *(pod(f"p{number}", cpu=f"{number % 30}", nodeName=f"node-{number:05d}") for number in range(count)),
        ]
    )
    body = picture_of(utilisation_in(snapshot), 7)
    page.route(PICTURE, lambda route: route.fulfill(body=body, content_type="application/json"))
    open_overview(page)


def test_neighbours_of_very_many_nodes_are_one_box_that_leads_to_their_page_of_the_list(demo_page: Page) -> None:
    show_nodes(demo_page, 5_400)
    stage = demo_page.locator("[data-picture-stage]")

    # The 26th box of the zone: the 51st and the 52nd node.
    stage.focus()
    demo_page.keyboard.press("Home")
    for _ in range(25):
        demo_page.keyboard.press("ArrowRight")
    facts = demo_page.locator(".picture-facts p")
    expect(facts.first).to_have_text("node-00150 to node-00153")
    expect(facts.last).to_have_text("Up to 2 nodes, in their gravest state.")
    demo_page.keyboard.press("Enter")

    expect(demo_page).to_have_url(re.compile(r"/clusters/demo/nodes/\?zone=z0&page=2$"))


def test_one_of_five_thousand_nodes_is_pointed_at_and_all_are_shaded_anew(demo_page: Page) -> None:
    show_nodes(demo_page, 5_000)
    stage = demo_page.locator("[data-picture-stage]")

    for place in range(10):
        stage.hover(position={"x": 30 + 40 * place, "y": 40 + 3 * place})
    demo_page.get_by_role("link", name="State", exact=True).click()
    stage.hover(position={"x": 60, "y": 34})

    expect(demo_page.locator(".picture-facts p").first).to_have_text(re.compile(r"^node-\d{5}$"))
    expect(demo_page.locator("[data-legend=pods]").first).to_be_hidden()


def test_picture_says_when_it_cannot_be_loaded_and_tries_again(demo_page: Page, page_errors: list[str]) -> None:
    def refuse(route: Route) -> None:
        route.fulfill(status=503, body="changing")

    demo_page.route(PICTURE, refuse)
    demo_page.goto(OVERVIEW)
    expect(demo_page.get_by_text("The picture could not be loaded")).to_be_visible()
    demo_page.unroute(PICTURE, refuse)

    demo_page.get_by_role("button", name="Try again").click()

    expect(demo_page.locator("[data-picture]")).to_have_attribute("data-drawn", "1")
    expect(demo_page.get_by_text("The picture could not be loaded")).to_be_hidden()
    page_errors.clear()


def test_page_needs_no_script(demo_page: Page, browser: Browser, live_berth: LiveBerth) -> None:
    with browser.new_context(base_url=live_berth.url, java_script_enabled=False) as context:
        context.add_cookies(demo_page.context.cookies())  # type: ignore[arg-type]
        plain = context.new_page()
        plain.goto(OVERVIEW)

        expect(plain.locator(".glance-card")).to_have_count(8)
        expect(plain.locator(".picture noscript p")).to_be_visible()
        expect(plain.locator("[data-picture-stage]")).to_be_hidden()
        expect(plain.locator(".area-zones tbody tr")).to_have_count(3)
