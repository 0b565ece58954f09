"""A participant in a real browser: joins on a phone, follows the trainer, and loses nothing that was begun."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from dashboard.classrooms import leading
from dashboard.classrooms.seats import shown
from dashboard.models import Classroom, LessonProgress
from tests.browser.looks import flaws, wear
from tests.dashboard.classrooms.rooms import open_room
from tests.dashboard.lessons.learners import posted, solution, step_of_kind

if TYPE_CHECKING:
    from django.contrib.auth.models import User
    from playwright.sync_api import Page, WebSocketRoute

pytestmark = [pytest.mark.browser, pytest.mark.long, pytest.mark.redis]

NODES, NUMBER = step_of_kind("nodes"), step_of_kind("number")
RIGHT = solution(NODES)


def at(page: Page, step: str, *, is_shown: bool) -> None:
    """Wait until a page shows a step of the led class."""
    expect(page.locator("#class-step")).to_have_attribute("data-shows", f"filter-and-score/{step}/{is_shown:d}")


def test_a_class_is_followed_without_loading_a_page(live_berth: object, stranger_page: Page, user: User) -> None:
    page, room = stranger_page, open_room(user)
    wear(page, width=390, theme="light")
    page.goto(f"/join/{shown(room.code)}/")
    assert flaws(page) == []
    # The code is there; the name is where one begins to write.
    page.keyboard.type("Ada")
    page.keyboard.press("Enter")
    at(page, NODES.name, is_shown=False)
    expect(page.locator("[data-live-connection=connected]")).to_be_visible()
    assert flaws(page) == []
    page.evaluate("window.isTheSamePage = true")

    # What was chosen on the map and is not sent stays, in words, where the trainer shows the answer.
    page.locator(f'input[value="{RIGHT[0]}"]').check()
    leading.reveal(room)
    at(page, NODES.name, is_shown=True)
    expect(page.locator(".seat-unsent li")).to_have_text([RIGHT[0]])
    expect(page.locator("#announcer")).to_have_text("The trainer shows the answer.")
    expect(page.locator("#result")).to_be_focused()
    expect(page.locator(".map-ring-missed").first).to_be_attached()
    assert flaws(page) == []

    # The next step is another form, in which the page's own token stands: its answer is taken.
    leading.lead_to(room, room.lesson, NUMBER.name)
    at(page, NUMBER.name, is_shown=False)
    expect(page).to_have_url(f"{page.url.partition('/seat')[0]}/seat/filter-and-score/{NUMBER.name}/")
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    assert page.evaluate("window.isTheSamePage")
    page.locator('input[name="answer"]').fill(posted(NUMBER, solution(NUMBER))["answer"])
    page.get_by_role("button", name="Send the answer").click()
    expect(page.get_by_text("Your answer is taken.")).to_be_visible()
    assert LessonProgress.objects.get(step=NUMBER.name).is_right

    # Where everybody goes on alone, who writes something is asked to follow, and who does not is led.
    leading.lead_to(room, room.lesson, NODES.name)
    at(page, NODES.name, is_shown=False)
    page.locator(f'input[value="{RIGHT[0]}"]').check()
    leading.set_pace(room, Classroom.Pace.FREE)
    expect(page.get_by_text("Everybody goes on at their own pace now.").last).to_be_visible()
    expect(page.locator(f'input[value="{RIGHT[0]}"]')).to_be_checked()
    page.get_by_role("link", name="Go to the class").click()
    expect(page.get_by_role("button", name="Check the answer")).to_be_visible()
    leading.set_pace(room, Classroom.Pace.LED)
    at(page, NODES.name, is_shown=False)

    page.get_by_role("link", name="Leave").click()
    assert flaws(page) == []
    page.get_by_role("button", name="Leave and remove my answers").click()
    expect(page.get_by_role("heading", name="Join a classroom")).to_be_visible()
    assert not LessonProgress.objects.exists()


def test_a_lost_connection_is_said_bridged_and_made_again(
    live_berth: object, stranger_page: Page, user: User, page_errors: list[str]
) -> None:
    """In the language of the page; first the websocket alone is lost, then the network with it."""
    page, room = stranger_page, open_room(user)
    sockets: list[WebSocketRoute] = []
    tries: list[bool] = []
    is_cut = False

    def through(socket: WebSocketRoute) -> None:
        tries.append(not is_cut)
        if is_cut:
            socket.close()
            return
        sockets.append(socket)
        socket.connect_to_server()

    page.route_web_socket("**/ws/seat/", through)
    page.clock.install()
    page.goto(f"/join/{shown(room.code)}/")
    page.locator("#id_name").fill("Ada")
    page.get_by_role("button", name="Українська").click()
    expect(page.get_by_role("button", name="Приєднатися", exact=True)).to_be_visible()
    assert flaws(page) == []
    page.locator("#id_name").press("Enter")
    line = page.locator("[data-seat-state]")
    expect(line).to_have_text("Зʼєднано: ця сторінка йде за класом.")
    page.evaluate("window.isTheSamePage = true")

    # No websocket gets through: the page asks, and is led on all the same.
    is_cut = True
    sockets[-1].close()
    expect(line).to_contain_text("Сторінка кожні кілька секунд запитує, де зараз клас.")
    leading.lead_to(room, room.lesson, NUMBER.name)
    at(page, NUMBER.name, is_shown=False)
    wear(page, width=390, theme="dark")
    assert flaws(page) == []

    # Its tries grow rarer: a minute of half seconds would be 120.
    before = len(tries)
    page.clock.pause_at(page.evaluate("Date.now() + 1000"))
    for _ in range(60):
        page.clock.run_for(1_000)
        page.wait_for_timeout(20)
    assert 3 <= len(tries) - before <= 12
    page.clock.resume()

    page.context.set_offline(True)
    expect(line).to_contain_text("Сервер не відповідає, запит буде повторено.")
    leading.lead_to(room, room.lesson, NODES.name)
    leading.reveal(room)
    is_cut = False
    page.context.set_offline(False)

    expect(line).to_have_text("Зʼєднано: ця сторінка йде за класом.")
    at(page, NODES.name, is_shown=True)
    assert page.evaluate("window.isTheSamePage")
    # The browser notes each request that had no network.
    page_errors.clear()


def test_things_are_put_in_order_by_mouse_and_by_keyboard(live_berth: object, stranger_page: Page, user: User) -> None:
    page, room = stranger_page, open_room(user, lessons=("node-pressure",))
    order = step_of_kind("order", "node-pressure")
    leading.lead_to(room, "node-pressure", order.name)
    page.goto(f"/join/{shown(room.code)}/")
    page.locator("#id_name").fill("Ada")
    page.keyboard.press("Enter")
    items = page.locator("[data-ordered] > li")
    expect(items.first).to_have_attribute("draggable", "true")
    names = [each.get_attribute("data-name") or "" for each in items.all()]
    right = solution(order)
    assert sorted(names) == sorted(right)
    assert names != right

    # From the last place to the first by mouse; then by keyboard, with the focus staying on the button.
    items.last.locator("span").first.drag_to(items.first, target_position={"x": 40, "y": 2})
    dragged = [names[-1], *names[:-1]]
    expect(page.locator("[data-ordered]")).to_have_js_property("childElementCount", len(names))
    assert [each.get_attribute("data-name") for each in items.all()] == dragged
    expect(page.locator("#announcer")).to_have_text(f"{names[-1]}: place 1 of {len(names)}")
    for place, name in enumerate(right):
        up = page.get_by_role("button", name=f"Move {name} up", exact=True)
        up.focus()
        for _ in range([each.get_attribute("data-name") for each in items.all()].index(name) - place):
            page.keyboard.press("Enter")
        expect(up).to_be_focused()
    page.get_by_role("button", name="Send the answer").click()

    expect(page.get_by_text("Your answer is taken.")).to_be_visible()
    row = LessonProgress.objects.get(step=order.name)
    assert (row.answer, row.is_right) == (right, True)
