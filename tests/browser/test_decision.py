"""The page of one pod's decision in a real browser."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from clusters.engine import SchedulerConfiguration, Snapshot, explain
from clusters.engine.plugins.node_resources_fit import ResourceComparison
from clusters.models import PENDING, Pod
from tests.browser.axe import violations
from tests.browser.looks import Theme, flaws, in_every_look, unfold, wear
from tests.support.decision_cluster import decision_cluster, objects

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page, Route

    from clusters.engine import Explanation

pytestmark = pytest.mark.browser

PODS = ("plain", "huge", "urgent", "gated", "foreign", "device", "web-1")
PARTS = (
    "plain/groups/0/",
    "plain/nodes/?node=as",
    "huge/why-not/?node=brich",
    "plain/compare/?a=fir&b=ash",
    "plain/nodes/ash/",
    "plain/nodes/ash/scores/NodeResourcesFit/",
    "plain/scores/",
    "huge/relaxations/single/0/",
    "urgent/preemption/",
)


@pytest.fixture
def shop(live_berth: object, tmp_path: Path) -> None:
    """Mirror the cluster whose pods meet every verdict."""
    decision_cluster(tmp_path)


@pytest.fixture
def shop_page(shop: None, page: Page) -> Page:
    return page


def address(name: str) -> str:
    return f"/clusters/shop/pods/shop/{name}/"


def explained(name: str) -> Explanation:
    """Explain a pod without web or database."""
    pod = next(each for each in objects() if each["kind"] == "Pod" and each["metadata"]["name"] == name)
    return explain(Snapshot.from_objects(objects()), pod, SchedulerConfiguration.default().profile_for(pod))


def open_page(page: Page, name: str, *, width: int = 1440, theme: Theme = "light") -> None:
    wear(page, width=width, theme=theme)
    page.goto(address(name))
    expect(page.locator("html")).to_have_attribute("data-bs-theme", theme)


def expect_quiet(page: Page) -> None:
    """Wait until htmx fetches nothing."""
    expect(page.locator(".htmx-request, .htmx-swapping, .htmx-settling, .htmx-added")).to_have_count(0)


def expect_settled(page: Page) -> None:
    """Wait until htmx has put what it fetched in its place."""
    expect(page.locator(".opened > p > a:visible")).to_have_count(0)
    expect_quiet(page)


def test_group_opens_to_nodes_and_a_node_to_its_evidence(shop_page: Page) -> None:
    open_page(shop_page, "huge")
    explanation = explained("huge")
    cpu = explanation.evidence(explanation.snapshot.nodes.index["ash"])["NodeResourcesFit"][1]
    unfold(shop_page)

    group = shop_page.locator("details.group").first
    group.locator("summary").first.click()
    ash = group.locator(".node-list details").filter(has_text="ash")
    expect(ash).to_be_visible()
    ash.locator("summary").first.click()

    expect(ash.locator(".is-rejecting .is-broken")).to_contain_text("cpu")
    assert isinstance(cpu, ResourceComparison)
    assert cpu.missing == 7000
    expect(ash.locator(".is-rejecting .is-broken .facts")).to_contain_text("missing7 CPU")
    expect(ash.locator(".is-rejecting .is-broken .worked")).to_have_text("9 CPU ≤ 4 CPU − 2 CPU")


def test_cell_opens_to_the_arithmetic_of_the_engine(shop_page: Page) -> None:
    plugin = "NodeResourcesBalancedAllocation"
    open_page(shop_page, "plain")
    explanation = explained("plain")
    row = explanation.snapshot.nodes.index["birch"]
    cell = next(cell for cell in explanation.cells_of(row) if cell.plugin == plugin)

    shop_page.locator('.landscape-row[data-node="birch"]').click()
    expect(shop_page.locator('.landscape-row[data-node="birch"]')).to_have_attribute("data-side", "second")
    link = shop_page.locator("#scores-part").get_by_role("link", name=f"{cell.weighted}: {plugin} on birch")
    expect(link).to_have_text(str(cell.weighted))
    link.click()

    arithmetic = shop_page.locator(".arithmetic-row:visible")
    expect(arithmetic).to_contain_text(f"Raw score {cell.raw}")
    expect(arithmetic).to_contain_text(f"Normalised {cell.normalised}")
    product = f"{cell.normalised} × {explanation.profile.weights[plugin]} = {cell.weighted}"
    expect(arithmetic.get_by_role("heading")).to_have_text(f"{plugin} on birch: {product}")
    expect(shop_page.locator("#announcer")).to_contain_text(product)
    # Right below its own row.
    assert link.evaluate("cell => cell.closest('tr').nextElementSibling.matches('.arithmetic-row:not([hidden])')")


def test_cell_is_marked_while_open_and_closes_again(shop_page: Page) -> None:
    open_page(shop_page, "plain")
    shop_page.locator('.landscape-row[data-node="elm"]').click()
    expect(shop_page.locator('.landscape-row[data-node="elm"]')).to_have_attribute("data-side", "second")
    first, second = (shop_page.locator("#scores-part a.score:visible").nth(place) for place in (0, 2))
    arithmetic = shop_page.locator(".arithmetic-row:visible")
    expect(first).to_have_attribute("aria-expanded", "false")

    first.click()
    expect(first).to_have_attribute("aria-expanded", "true")
    expect(arithmetic).to_have_count(1)
    expect(arithmetic).to_be_in_viewport()

    second.click()
    expect(second).to_have_attribute("aria-expanded", "true")
    expect(first).to_have_attribute("aria-expanded", "false")
    expect(arithmetic).to_have_count(1)

    second.click()
    expect(arithmetic).to_have_count(0)
    expect(second).to_have_attribute("aria-expanded", "false")

    second.click()
    expect(arithmetic.locator(".arithmetic-cell")).to_be_focused()
    shop_page.keyboard.press("Escape")
    expect(arithmetic).to_have_count(0)
    expect(second).to_be_focused()


def test_scores_stay_readable_on_a_phone(shop_page: Page) -> None:
    late: list[Route] = []

    def hold(route: Route) -> None:
        late.append(route)

    shop_page.route("**/compare/?*", hold)
    open_page(shop_page, "plain", width=390)
    shop_page.get_by_role("link", name="Scores", exact=True).click()

    for name in shop_page.locator(".landscape-row > th").all():
        assert name.evaluate("cell => cell.getBoundingClientRect().height") < 60
    # The answer for a node passed by comes when somebody reads the arithmetic already.
    shop_page.locator(".landscape-row").last.hover()
    for _ in range(200):
        if late:
            break
        shop_page.wait_for_timeout(50)
    assert late
    shop_page.locator("#scores-part a.score").first.click()
    arithmetic = shop_page.locator(".arithmetic-row:visible")
    expect(arithmetic).to_have_count(1)
    for each in late:
        with shop_page.expect_response("**/compare/?*"):
            each.continue_()
    expect(shop_page.locator(".htmx-request, .htmx-settling")).to_have_count(0)
    expect(arithmetic).to_have_count(1)
    assert shop_page.evaluate("document.documentElement.scrollWidth") <= 390
    for width in (320, 390, 480):
        wear(shop_page, width=width, theme="light")
        steps = shop_page.locator(".map-scale :is(.map-point, .map-step)").evaluate_all(
            "all => all.map((each) => each.getBoundingClientRect()).map(({left, right}) => [left, right])"
        )
        assert len(steps) > 12
        assert all(left >= right - 1 for (_, right), (left, _) in pairwise(steps))


@pytest.mark.parametrize("name", ["plain", "huge", "urgent"])
def test_the_answer_comes_first_and_what_is_detail_is_folded(shop_page: Page, name: str) -> None:
    for width, tallest in ((390, 4_000), (1440, 2_600)):
        open_page(shop_page, name, width=width)
        height = shop_page.evaluate("document.documentElement.scrollHeight")
        opened = shop_page.locator("details[data-folds][open]")
        is_open = opened.count()
        assert (height <= tallest, is_open) == (True, 0 if width == 390 else 1)
        expect(shop_page.locator("#verdict")).to_be_in_viewport()
        assert shop_page.evaluate("document.querySelector('#map-card').nextElementSibling.id") == "ways"

        jump = shop_page.get_by_role("navigation", name="On this page")
        jump.get_by_role("link", name="Attempts").click()
        expect(shop_page.locator("#history")).to_have_attribute("open", "")
        expect(opened).to_have_count(is_open + 1)
        # They stay where they are, and nothing that they lead to lies below them.
        expect(jump).to_be_in_viewport()
        box, title = jump.bounding_box(), shop_page.locator("#history").bounding_box()
        assert box
        assert title
        assert title["y"] >= box["y"] + box["height"]


def test_pending_pods_usage_and_budgets_of_the_demo_are_answered_in_little_space(demo_page: Page) -> None:
    pods = Pod.objects.filter(PENDING, cluster__name="demo").values_list("namespace", "name")
    # Of many that wait for the same, some.
    pages = [f"/clusters/demo/pods/{namespace}/{name}/" for namespace, name in pods][::3]
    assert len(pages) > 10

    tall = []
    phone = [*pages, "/clusters/demo/usage/", "/clusters/demo/budgets/"]
    for width, tallest, opened in ((390, 4_000, phone), (1440, 2_600, pages)):
        wear(demo_page, width=width, theme="light")
        for each in opened:
            demo_page.goto(each)
            height = demo_page.evaluate("document.fonts.ready.then(() => document.documentElement.scrollHeight)")
            tall += [(each, width, height)] if height > tallest else []
    assert tall == []


def test_page_is_walked_by_keyboard(shop_page: Page) -> None:
    open_page(shop_page, "huge")
    unfold(shop_page)
    group = shop_page.locator("details.group").first

    group.locator("summary").first.focus()
    shop_page.keyboard.press("Enter")
    expect(group.locator(".node-list")).to_be_visible()
    expect_settled(shop_page)
    shop_page.keyboard.press("Tab")
    shop_page.keyboard.press("Enter")

    expect(group.locator(".node-verdict")).to_be_visible()


@in_every_look
def test_every_verdict_is_accessible_and_fits(shop_page: Page, width: int, theme: Theme) -> None:
    found = {}
    for name in PODS:
        open_page(shop_page, name, width=width, theme=theme)
        unfold(shop_page)
        for details in (
            "details.group summary", ".group .node-list summary", ".lifts summary:visible",
            ".equal-plugins summary",
        ):  # fmt: skip
            if shop_page.locator(details).count():
                shop_page.locator(details).first.click()
                expect_settled(shop_page)
        expect_quiet(shop_page)
        if wrong := flaws(shop_page):
            found[name] = wrong

    assert found == {}


def test_every_part_is_accessible_as_a_page(shop_page: Page) -> None:
    found = {}
    for part in PARTS:
        shop_page.goto(f"/clusters/shop/pods/shop/{part}")
        if wrong := violations(shop_page):
            found[part] = wrong

    assert found == {}
