"""The strip of time in a real browser: moved by mouse, by keyboard and by touch, and without scripts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from clusters.models import Decision
from tests.browser.looks import flaws_of_pages
from tests.dashboard.test_past import moment, shop

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from clusters.models import Cluster
    from tests.support.live import LiveBerth

__all__ = ["shop"]

pytestmark = [pytest.mark.browser, pytest.mark.long]

NODES = "/clusters/shop/nodes/"
BANNER = "#past"


@pytest.fixture
def shop_page(live_berth: object, shop: Cluster, page: Page) -> Page:
    return page


def test_the_pages_look_right(shop_page: Page) -> None:
    at = f"at={moment(45)}"
    pages = [
        *(f"/clusters/shop/{path}?{at}" for path in ("", "pending/", "nodes/b/")),
        f"/clusters/shop/pods/?{at}&namespace=",
        f"/clusters/shop/drain/?node=b&{at}",
        f"/clusters/shop/pods/shop/web/?{at}",
        f"/clusters/shop/journal/changes/?from={moment(20)}&{at}",
        NODES,
    ]
    assert flaws_of_pages(shop_page, pages) == {}


def along(page: Page, share: float) -> tuple[float, float]:
    """Return a point of the track, so far along, once its picture has come, which gives it its place."""
    expect(page.locator(".time-picture")).to_be_visible()
    box = page.locator("[data-time-track]").bounding_box()
    assert box is not None
    return box["x"] + box["width"] * share, box["y"] + box["height"] - 6


def height(page: Page) -> float:
    box = page.locator("#time-strip").bounding_box()
    assert box is not None
    return box["height"]


@pytest.mark.parametrize("size", [(1280, 720), (1440, 900)])
def test_the_strip_is_one_row_of_a_desktop(shop_page: Page, size: tuple[int, int]) -> None:
    shop_page.set_viewport_size({"width": size[0], "height": size[1]})
    shop_page.goto(f"{NODES}?at={moment(45)}&from={moment(20)}")
    expect(shop_page.locator(".time-picture")).to_be_visible()
    assert height(shop_page) <= 56
    expect(shop_page.locator("#time-strip summary")).to_be_hidden()
    parts = shop_page.locator("#time-strip :is(a, input, button, svg):visible").all()
    assert max(box["y"] + box["height"] for part in parts if (box := part.bounding_box())) <= size[1]


def test_by_mouse_a_click_leads_to_a_moment_and_a_drag_zooms(shop_page: Page) -> None:
    shop_page.goto(NODES)
    shop_page.mouse.click(*along(shop_page, 0.5))
    expect(shop_page).to_have_url(re.compile(r"\?at=2026-03-01T1[23]%3A"))
    expect(shop_page.locator(BANNER)).to_contain_text("As it was at 2026-03-01 1")
    # Its script has run then.
    shop_page.wait_for_load_state()

    shop_page.mouse.move(*along(shop_page, 0.25))
    shop_page.mouse.down()
    shop_page.mouse.move(*along(shop_page, 0.5))
    expect(shop_page.locator(".time-selection")).to_be_visible()
    shop_page.mouse.up()
    expect(shop_page).to_have_url(re.compile(r"span=2026-03-01T12%3A(29|30).*%2F2026-03-01T1[23]%3A"))
    shop_page.get_by_role("link", name="back to now").click()
    expect(shop_page.locator(BANNER)).to_have_count(0)
    expect(shop_page).not_to_have_url(re.compile("at="))


def test_by_mouse_the_handle_is_dragged(shop_page: Page) -> None:
    shop_page.goto(f"{NODES}?at={moment(60)}")
    start = along(shop_page, 0.5)
    handle = start[0], shop_page.locator("#time-moment").bounding_box()["y"] + 16  # type: ignore[index]
    shop_page.mouse.move(*handle)
    shop_page.mouse.down()
    shop_page.mouse.move(along(shop_page, 0.2)[0], handle[1], steps=4)
    expect(shop_page.locator("[data-time-said]")).to_contain_text("2026-03-01 12:2")
    shop_page.mouse.up()

    expect(shop_page).to_have_url(re.compile(r"at=2026-03-01T12%3A2\d"))
    expect(shop_page.locator("#results")).to_contain_text("0 of 20")


def test_by_keyboard_handles_are_moved_and_keep_the_focus(shop_page: Page) -> None:
    shop_page.goto(NODES)
    at = shop_page.locator("#time-moment")
    at.focus()
    at.press("PageDown")
    expect(shop_page).to_have_url(re.compile(r"at=2026-03-01T13%3A4\d"))
    expect(at).to_be_focused()
    expect(at).to_have_attribute("aria-valuetext", re.compile(r"2026-03-01 13:4\d"))
    at.press("+")
    expect(shop_page).to_have_url(re.compile("span=2026"))

    since = shop_page.locator("#time-since")
    since.focus()
    since.press("ArrowRight")
    expect(shop_page).to_have_url(re.compile("from=2026"))
    shop_page.get_by_role("link", name="What changed").click()
    expect(shop_page.get_by_role("heading", level=1)).to_have_text("What changed")
    expect(shop_page).to_have_url(re.compile(r"changes/\?.*from=2026"))

    # A decision has one moment: from its page the map is shown at others.
    shop_page.goto(f"/clusters/shop/journal/{Decision.objects.get(name='late').pk}/")
    expect(at).to_have_attribute("aria-valuetext", "2026-03-01 12:40:00")
    at.press("PageDown")
    expect(shop_page).to_have_url(re.compile(r"/clusters/shop/\?at=2026-03-01T12%3A2\d"))


def test_what_is_written_leads_there_and_links_stay(shop_page: Page) -> None:
    sockets: list[str] = []
    shop_page.goto(NODES)
    shop_page.get_by_role("textbox", name="Moment shown").fill("12:45")
    shop_page.keyboard.press("Enter")
    expect(shop_page.locator(BANNER)).to_contain_text("2026-03-01 12:45:00")
    shop_page.on("websocket", lambda socket: sockets.append(socket.url))

    shop_page.get_by_role("link", name="Later").click()
    expect(shop_page.locator(BANNER)).to_contain_text("shop/job is gone from b.")
    shop_page.locator("#filter-q").fill("b")
    expect(shop_page.locator("#results tbody tr")).to_have_count(1)
    expect(shop_page).to_have_url(re.compile("at=2026.*q=b|q=b.*at=2026"))
    shop_page.goto(f"/clusters/shop/?at={moment(45)}")
    shop_page.locator(".lens-rail").get_by_role("link", name="Can drain").click()
    expect(shop_page).to_have_url(re.compile("at=2026.*lens=drain"))
    # A zone that is clicked asks nothing of the past.
    shop_page.locator("#map-card [data-zone]").first.dispatch_event("click")
    expect(shop_page.locator(".asked")).to_have_count(0)
    # What is gone by now is found where it was; a verb that is chosen is typed on.
    shop_page.keyboard.press(":")
    shop_page.locator("#palette-found").get_by_role("option", name="drain").click()
    expect(shop_page.locator("#palette input")).to_have_value(":drain ")
    shop_page.locator("#palette input").fill("jo")
    shop_page.locator("#palette-found").get_by_role("option", name="shop/job").click()
    expect(shop_page).to_have_url(re.compile(r"/pods/shop/job/\?at=2026"))
    expect(shop_page.locator(BANNER)).to_be_visible()
    # The present is not followed where the past is shown.
    assert sockets == []


def test_by_touch_and_in_the_readers_time_zone(shop_page: Page, browser: Browser, live_berth: LiveBerth) -> None:
    context = browser.new_context(
        has_touch=True,
        viewport={"width": 390, "height": 844},
        timezone_id="Asia/Tokyo",
        base_url=live_berth.url,
        storage_state=shop_page.context.storage_state(),
    )
    phone = context.new_page()
    phone.goto(NODES)
    phone.goto(f"{NODES}?at={moment(45)}")
    expect(phone.locator(BANNER)).to_contain_text("2026-03-01 21:45:00 JST")
    fold = phone.locator("#time-strip summary")
    expect(fold).to_have_text("Time 2026-03-01 21:45:00")
    expect(phone.locator("[data-time-track]")).to_be_hidden()
    assert height(phone) <= 48
    fold.tap()
    phone.touchscreen.tap(*along(phone, 0.5))
    expect(phone.locator(BANNER)).to_contain_text("2026-03-01 2")
    expect(phone).to_have_url(re.compile(r"at=2026-03-01T1[23]%3A(59|00|58|01|02)"))
    # It stays open for the next step.
    phone.get_by_role("textbox", name="Moment shown").fill("21:30")
    phone.get_by_role("button", name="Show", exact=True).click()
    expect(phone).to_have_url(re.compile("at=2026-03-01T12%3A30%3A00Z"))
    # What became of nodes is read before long maps.
    phone.goto(f"/clusters/shop/journal/changes/?from={moment(20)}")
    expect(phone.locator("#changed-nodes tbody tr").first).to_be_in_viewport()
    tops = [phone.locator(part).bounding_box() for part in ("#changed-nodes", "#moves", "#changed-pods")]
    assert tops == sorted(tops, key=lambda box: box["y"] if box else 0)
    context.close()


def test_without_scripts_the_strip_is_links_and_a_form(shop_page: Page, plain_page: Page) -> None:
    plain_page.goto(f"{NODES}?q=a")
    plain_page.get_by_role("textbox", name="Moment shown").fill("12:20")
    plain_page.get_by_role("button", name="Show", exact=True).click()
    expect(plain_page.locator(BANNER)).to_contain_text("2026-03-01 12:20:00")
    assert "q=a" in plain_page.url
    plain_page.get_by_role("link", name="Now", exact=True).click()
    expect(plain_page.locator(BANNER)).to_have_count(0)
