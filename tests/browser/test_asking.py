"""Asking on the map by mouse, by keyboard and by touch; each gesture shows what the engine answers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import orjson
import pytest
from playwright.sync_api import Locator, expect

from clusters.models import Cluster
from clusters.services.runs.asked import AskedOutcome, outcome_of
from clusters.services.runs.results import pending_after
from tests.browser.looks import flaws_of_pages
from tests.browser.test_verdict_map import middle_of

if TYPE_CHECKING:
    from playwright.sync_api import Page


pytestmark = [pytest.mark.browser, pytest.mark.long]

Entry = dict[str, Any]
OVERVIEW = "/clusters/demo/"


def drain(name: str) -> Entry:
    return {"change": "drain-nodes", "nodes": [name]}


def address(*changes: Entry) -> str:
    return f"{OVERVIEW}?{urlencode([('change', orjson.dumps(each).decode()) for each in changes])}"


PAGES = (
    address(drain("general-a-01")),
    address({"change": "lose-zone", "zone": "eu-central-1b", "how": "gone"}),
    address({"change": "add-nodes", "like": "arm-a-01", "count": 2}, drain("arm-a-01")),
    address(drain("nope")),
)


def open_map(page: Page, where: str = OVERVIEW) -> Locator:
    page.goto(where)
    expect(page.locator("#map-card [data-verdict-map]")).to_have_attribute("data-begun", "")
    return page.locator("#map-card [data-map-stage]")


def expect_outcome(page: Page, *changes: Entry) -> AskedOutcome:
    """Wait until the page shows what the engine answers, in numbers and on the map."""
    found = outcome_of(cluster=Cluster.objects.get(name="demo"), changes=changes)
    assert isinstance(found, AskedOutcome)
    moves = [move for move in found.moves if not move.is_aside]
    moved = sum(bool(move.source and move.target) for move in moves)
    lost = sum(not move.target and not move.is_pending for move in moves)
    preempted = sum(move.is_pending and move.is_preempted for move in found.moves)
    added = found.ends["origins"]["added"]
    numbers = [
        *([added["placed"]] if added["total"] else []),
        moved,
        pending_after(found.ends["origins"]).newly,
        *filter(None, (preempted, lost, len(found.kept))),
    ]
    expect(page.locator(".asked-numbers dd")).to_have_text([f"{number}" for number in numbers])
    expect(page.locator(".asked-changes li")).to_have_count(len(changes))
    legend = page.locator("#map-card .map-legend")
    if found.gone:
        expect(legend).to_contain_text(f"{len(found.gone)} gone")
    if found.kept:
        expect(legend).to_contain_text(f"{len({each.node for each in found.kept})} drain blocked")
    return found


def test_outcomes_are_accessible_and_fit(demo_page: Page) -> None:
    assert flaws_of_pages(demo_page, PAGES) == {}


def test_a_node_that_is_dragged_out_is_drained_and_escape_takes_it_back(demo_page: Page) -> None:
    open_map(demo_page)
    across, down = middle_of(demo_page, "general-a-01")
    # A drag that ends on the map or by Escape asks nothing.
    demo_page.mouse.move(across, down)
    demo_page.mouse.down()
    demo_page.mouse.move(across + 60, down + 40)
    demo_page.mouse.up()
    demo_page.mouse.move(across, down)
    demo_page.mouse.down()
    demo_page.mouse.move(across, 20)
    demo_page.keyboard.press("Escape")
    demo_page.mouse.up()
    expect(demo_page.locator(".map-ghost")).to_have_count(0)
    expect(demo_page.locator("#map-card h2")).to_contain_text("CPU requested")
    expect(demo_page).to_have_url(re.compile(rf"{OVERVIEW}$"))

    demo_page.mouse.move(across, down)
    demo_page.mouse.down()
    demo_page.mouse.move(across + 40, down + 40)
    expect(demo_page.locator(".map-ghost")).to_have_text("general-a-01")
    demo_page.mouse.move(across, 20, steps=4)
    demo_page.mouse.up()

    expect_outcome(demo_page, drain("general-a-01"))
    expect(demo_page).to_have_url(re.compile("change=.*drain-nodes.*general-a-01"))
    expect(demo_page.locator("[data-map-undo] kbd")).to_be_visible()
    demo_page.keyboard.press("Escape")
    expect(demo_page.locator("#map-card h2")).to_contain_text("CPU requested")
    expect(demo_page).not_to_have_url(re.compile("change="))


def test_by_keyboard_one_question_follows_another(demo_page: Page) -> None:
    stage = open_map(demo_page)
    stage.focus()
    demo_page.keyboard.press("Home")
    name = demo_page.locator("#map-card [data-map-spoken] p").first.inner_text()
    demo_page.keyboard.press("Enter")
    expect(demo_page.locator("#node-answer")).to_be_focused()
    demo_page.locator("#node-answer").get_by_role("link", name="Lose it").focus()
    demo_page.keyboard.press("Enter")
    loss = {"change": "remove-nodes", "nodes": [name]}
    expect_outcome(demo_page, loss)

    zones = demo_page.locator("#map-card [data-map-stage]")
    zones.focus()
    demo_page.keyboard.press("End")
    other = demo_page.locator("#map-card [data-map-spoken] p").first.inner_text()
    demo_page.keyboard.press("Enter")
    demo_page.locator("#node-answer").get_by_role("link", name="Drain it").focus()
    demo_page.keyboard.press("Enter")

    expect_outcome(demo_page, loss, drain(other))
    demo_page.locator("summary", has_text="Pods by node").press("Enter")
    expect(demo_page.locator(".asked-moves tbody tr").first).to_be_visible()
    demo_page.go_back()
    expect_outcome(demo_page, loss)


def test_a_finger_opens_a_node_over_the_map_and_asks(demo_page: Page, phone: Page) -> None:
    stage = open_map(phone)
    first = phone.locator(".tray-first a").first
    expect(first).to_have_text(phone.locator("[data-map-cause]").first.inner_text())
    expect(first).to_be_in_viewport()
    stage.tap(position={"x": 40, "y": 60})
    answer = phone.locator("#node-answer")
    name = answer.get_by_role("heading").first.inner_text()
    expect(answer.get_by_role("link", name="Its pods")).to_be_in_viewport()
    # The node is seen above what is said of it.
    expect(phone.locator("#map-card .picture-cursor")).to_be_in_viewport()
    expect(phone.locator("#map-card .picture-facts")).to_be_hidden()
    phone.get_by_role("button", name="Close").tap()
    expect(answer).to_be_empty()
    expect(phone.locator(".tray")).to_be_visible()

    stage.tap(position={"x": 40, "y": 60})
    answer.get_by_role("link", name="One more like it").tap()
    expect_outcome(phone, {"change": "add-nodes", "like": name, "count": 1})
    # Keys are named where there are some.
    expect(phone.locator("[data-map-undo]")).to_be_visible()
    expect(phone.locator("[data-map-undo] kbd")).to_be_hidden()


@pytest.mark.parametrize("is_phone", [True, False])
def test_what_comes_is_seen_from_its_head(demo_page: Page, phone: Page, is_phone: bool) -> None:
    page, press = (phone, Locator.tap) if is_phone else (demo_page, Locator.click)

    def scrolled(where: str) -> None:
        open_map(page, where)
        page.evaluate("scrollTo({ top: 300, behavior: 'instant' })")

    def expect_head() -> None:
        for part in (".lens-rail, .asked-changes", "h2", "[data-map-stage]"):
            expect(page.locator("#map-card").locator(part).first).to_be_in_viewport()

    scrolled(f"{OVERVIEW}?lens=pending")
    cause = page.locator("[data-map-cause]").nth(2)
    title = cause.inner_text()
    press(cause)
    expect(page.locator("[data-map-cause][aria-current]")).to_have_text(title)
    expect_head()
    # The lens itself is seen whole in a rail that scrolls.
    expect(page.locator("#map-card .lens-rail [aria-current]").first).to_be_in_viewport(ratio=1)

    scrolled(OVERVIEW)
    press(page.get_by_role("link", name="Lose eu-central-1b"))
    expect_outcome(page, {"change": "lose-zone", "zone": "eu-central-1b", "how": "gone"})
    expect_head()

    scrolled(OVERVIEW)
    press(page.locator("#map-card [data-map-stage]"), position={"x": 40, "y": 60})
    answer = page.locator("#node-answer")
    name = answer.get_by_role("heading").first.inner_text()
    press(answer.get_by_role("link", name="Drain it"))
    expect_outcome(page, drain(name))
    expect_head()


def test_one_escape_leads_back_to_the_lens(demo_page: Page) -> None:
    open_map(demo_page, f"{OVERVIEW}?lens=requested&resource=memory")
    answer = demo_page.locator("#node-answer")
    demo_page.locator("#map-card [data-map-stage]").click(position={"x": 40, "y": 60})
    name = answer.get_by_role("heading").first.inner_text()
    answer.get_by_role("link", name="Drain it").click()
    expect_outcome(demo_page, drain(name))
    demo_page.locator("#map-card [data-map-stage]").click(position={"x": 40, "y": 60})
    expect(answer.get_by_role("heading").first).to_have_text(name)

    demo_page.keyboard.press("Escape")

    expect(demo_page.locator("#map-card h2").first).to_contain_text("Memory requested")
    expect(demo_page).to_have_url(re.compile(r"\?lens=requested&resource=memory$"))


def test_the_name_of_a_zone_is_its_loss(demo_page: Page) -> None:
    open_map(demo_page)
    demo_page.locator("#map-card .wide [data-zone='eu-central-1b']").click()

    found = expect_outcome(demo_page, {"change": "lose-zone", "zone": "eu-central-1b", "how": "gone"})
    left = [move for move in found.moves if move.is_pending and move.source]
    expect(demo_page.locator(".tray-left li").first).to_contain_text(left[0].pod)
    expect(demo_page.locator(".tray-left li").first.get_by_text(left[0].message)).to_be_attached()


def test_more_replicas_are_asked_beside_the_map(demo_page: Page) -> None:
    open_map(demo_page)
    asked, show = demo_page.get_by_label("More replicas of"), demo_page.locator(".tray-more").get_by_role("button")
    asked.fill("shop/checkou")
    show.click()
    # What is refused is where the reader lands, and says what to write.
    expect(asked).to_be_focused()
    expect(demo_page.locator(".tray-more .errorlist")).to_contain_text("shop/checkout")

    asked.fill("shop/checkout")
    demo_page.locator(".tray-more").get_by_label("Pods").fill("5")
    show.click()

    expect_outcome(
        demo_page, {"change": "scale", "kind": "Deployment", "namespace": "shop", "name": "checkout", "by": 5}
    )


def test_a_cause_is_dragged_to_a_node_that_says_why(demo_page: Page) -> None:
    open_map(demo_page)
    cause = demo_page.locator("[data-map-cause]").nth(1)
    title = cause.inner_text()
    box = cause.bounding_box()
    assert box is not None
    demo_page.mouse.move(box["x"] + 20, box["y"] + 8)
    demo_page.mouse.down()
    demo_page.mouse.move(box["x"] - 20, box["y"] + 8)
    # Every node answers while the cause is held.
    expect(demo_page.locator("#map-card h2")).to_contain_text(title.partition(" ")[2])
    expect(demo_page.locator("#map-card .map-legend")).to_contain_text("NodeAffinity")
    demo_page.mouse.move(*middle_of(demo_page, "general-a-01"), steps=4)
    demo_page.mouse.up()

    expect(demo_page.locator("#node-answer")).to_contain_text("general-a-01")
    expect(demo_page.locator("#node-answer")).to_contain_text("NodeAffinity")


def test_an_outcome_plays_once_or_shows_its_end_at_once(demo_page: Page) -> None:
    demo_page.emulate_media(reduced_motion="reduce")
    open_map(demo_page, PAGES[1])
    expect(demo_page.locator("#map-card [data-verdict-map]")).not_to_have_class(re.compile("is-between"))
    demo_page.emulate_media(reduced_motion="no-preference")
    open_map(demo_page, PAGES[1])
    expect(demo_page.locator("#map-card [data-verdict-map]")).to_have_class(re.compile("is-between"))
    demo_page.get_by_role("button", name="Pause").click()
    expect(demo_page.get_by_role("button", name="Play", exact=True)).to_be_visible()


def test_without_scripts_forms_and_links_ask(demo_page: Page, plain_page: Page) -> None:
    plain_page.goto(OVERVIEW)
    plain_page.get_by_role("link", name="Lose eu-central-1b").click()
    expect_outcome(plain_page, {"change": "lose-zone", "zone": "eu-central-1b", "how": "gone"})
    plain_page.get_by_role("link", name="Undo").click()
    expect(plain_page.locator("#map-card h2")).to_contain_text("CPU requested")
