"""Open pages move by themselves over their websocket, keep what the reader does, and say when they cannot."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.browser.axe import violations
from tests.clusters.live_batches import apply, followed_cluster
from tests.support.decision_cluster import ZONE, node, pod

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.contrib.auth.models import User
    from playwright.sync_api import Page, WebSocketRoute

    from clusters.services.watching.watcher import Lease
    from tests.support.live import LiveBerth

pytestmark = pytest.mark.browser

SPREAD = "/clusters/prod/spread/"


def replica(app: str, number: int, on: str) -> dict[str, Any]:
    constraint = {
        "maxSkew": 1,
        "topologyKey": ZONE,
        "whenUnsatisfiable": "DoNotSchedule",
        "labelSelector": {"matchLabels": {"app": app}},
    }
    owner = {"apiVersion": "apps/v1", "kind": "StatefulSet", "name": app, "uid": app, "controller": True}
    document = pod(f"{app}-{number}", app=app, nodeName=on, topologySpreadConstraints=[constraint])
    return {**document, "metadata": {**document["metadata"], "ownerReferences": [owner]}}


@pytest.fixture
def lease(live_berth: LiveBerth, user: User) -> Lease:
    """Follow a cluster of two zones, with two pods of web and one of api in the first."""
    _, lease = followed_cluster()
    nodes = (node("a1", "eu-central-1a"), node("b1", "eu-central-1b"))
    apply(lease, put=(*nodes, replica("web", 1, "a1"), replica("web", 2, "a1"), replica("api", 1, "a1")))
    return lease


def connected(page: Page, address: str) -> None:
    """Open a page, and wait until it is connected and each of its live parts got its first state.

    A change that comes before a part's first state comes with it, unmarked, and no second state follows.
    """
    topics: set[str] = set()

    def hear(frame: str | bytes) -> None:
        if "html" in (message := json.loads(frame)):
            topics.add(message["topic"])

    page.on("websocket", lambda socket: socket.on("framereceived", hear))
    page.goto(address)
    expect(page.get_by_text("Connected: changes appear by themselves.")).to_be_visible()
    parts = page.locator("[data-live]").count()
    for _ in range(100):
        if len(topics) >= parts:
            return
        page.wait_for_timeout(100)
    raise AssertionError(f"{len(topics)} of {parts} first states within 10 seconds")


def record_marks(page: Page) -> None:
    """Have the page remember what it marks as changed: a mark goes after two seconds, which a busy machine may miss."""
    page.evaluate("""() => {
        window.marked = [];
        new MutationObserver((records) => {
            const marked = records.map(({ target }) => target).filter((each) => each.classList.contains("changed"));
            window.marked.push(...marked.map((each) => each.textContent));
        }).observe(document.querySelector("main"), { attributeFilter: ["class"], subtree: true });
    }""")


def entry(page: Page, app: str) -> Any:
    return page.locator(".entries > li", has_text=f"shop/{app} ")


def test_an_open_page_changes_without_a_reload(lease: Lease, page: Page) -> None:
    connected(page, SPREAD)
    page.evaluate("window.loadedOnce = true")
    expect(entry(page, "web")).to_contain_text("2–0 over 2 zones")
    record_marks(page)

    apply(lease, put=(replica("web", 3, "b1"),))

    expect(entry(page, "web")).to_contain_text("2–1 over 2 zones")
    marked = page.evaluate("window.marked")
    assert any("2–1 over 2 zones" in text for text in marked)
    assert not any("shop/api" in text for text in marked)
    assert page.evaluate("window.loadedOnce")
    expect(page.locator(".changed")).to_have_count(0)


def test_budgets_move(lease: Lease, page: Page) -> None:
    connected(page, "/clusters/prod/budgets/")
    expect(page.get_by_text("No budgets here")).to_be_visible()
    guard = {
        "apiVersion": "policy/v1",
        "kind": "PodDisruptionBudget",
        "metadata": {"name": "web", "namespace": "shop", "uid": "guard"},
        "spec": {"selector": {"matchLabels": {"app": "web"}}, "minAvailable": 1},
    }
    apply(lease, put=(guard,))

    page.locator("#results").get_by_role("link", name="shop/web").click()
    expect(page.get_by_role("row", name="a1")).to_be_visible()
    apply(lease, put=(replica("web", 3, "b1"),))
    expect(page.get_by_role("row", name="b1")).to_be_visible()
    apply(lease, gone=(guard,))

    expect(page.get_by_text("prod has no PodDisruptionBudget shop/web.")).to_be_visible()


def test_filters_keep_the_focus_and_what_is_typed(lease: Lease, page: Page) -> None:
    connected(page, SPREAD)
    box = page.get_by_role("searchbox", name="Workload")
    box.click()
    box.press_sequentially("web", delay=20)
    expect(page).to_have_url(re.compile("q=web"))
    expect(entry(page, "api")).to_have_count(0)

    apply(lease, put=(replica("web", 3, "b1"), replica("api", 2, "b1")))

    expect(entry(page, "web")).to_contain_text("2–1 over 2 zones")
    expect(entry(page, "api")).to_have_count(0)
    expect(box).to_be_focused()
    expect(box).to_have_value("web")
    box.fill("")
    expect(entry(page, "api")).to_contain_text("1–1 over 2 zones")
    apply(lease, put=(replica("api", 3, "b1"),))
    expect(entry(page, "api")).to_contain_text("2–1 over 2 zones")


def test_a_focused_link_and_the_scroll_position_stay_when_rows_change_places(lease: Lease, page: Page) -> None:
    page.set_viewport_size({"width": 1000, "height": 300})
    connected(page, SPREAD)
    assert "web" in page.locator(".entries > li").first.inner_text()
    link = entry(page, "api").get_by_role("link")
    link.focus()
    # Not wait_for_function, which the page's policy forbids to look more than once.
    page.wait_for_timeout(1_000)
    scrolled = page.evaluate("scrollY")
    assert scrolled > 0

    apply(lease, put=tuple(replica("api", number, "a1") for number in range(2, 6)))

    expect(page.locator(".entries > li").first).to_contain_text("shop/api is spread 5–0")
    expect(link).to_be_focused()
    assert abs(page.evaluate("scrollY") - scrolled) < 200


def test_a_page_without_its_websocket_says_so_and_asks_instead(lease: Lease, page: Page) -> None:
    page.route_web_socket("**/ws/live/", lambda socket: socket.close())
    page.goto(SPREAD)
    expect(page.get_by_text("Not connected since")).to_be_visible()
    expect(page.get_by_role("button", name="Try now")).to_be_visible()
    assert violations(page) == []

    apply(lease, put=(replica("web", 3, "b1"),))

    expect(entry(page, "web")).to_contain_text("2–1 over 2 zones")


def test_a_cut_websocket_comes_back_and_catches_up(lease: Lease, page: Page) -> None:
    sockets: list[WebSocketRoute] = []
    is_cut = False

    def through(socket: WebSocketRoute) -> None:
        if is_cut:
            socket.close()
            return
        sockets.append(socket)
        socket.connect_to_server()

    page.route_web_socket("**/ws/live/", through)
    page.clock.install()
    connected(page, SPREAD)
    is_cut = True
    sockets[-1].close()
    expect(page.get_by_text("Not connected since")).to_be_visible()
    apply(lease, put=(replica("web", 3, "b1"),))
    # The page's time stands still: nothing but the button connects it again.
    page.clock.pause_at(page.evaluate("Date.now() + 1000"))
    is_cut = False
    page.get_by_role("button", name="Try now").click()

    expect(page.get_by_text("Connected: changes appear by themselves.")).to_be_visible()
    expect(entry(page, "web")).to_contain_text("2–1 over 2 zones")
    assert len(sockets) == 2


def relayed(page: Page, pass_on: Callable[[dict[str, Any]], bool]) -> list[dict[str, Any]]:
    """Relay the page's websocket; a message for which `pass_on` says no is lost. Returns what the page asks for."""
    asked: list[dict[str, Any]] = []

    def relay(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()

        def from_page(message: str | bytes) -> None:
            asked.append(json.loads(message))
            server.send(message)

        def from_server(message: str | bytes) -> None:
            if pass_on(json.loads(message)):
                socket.send(message)

        socket.on_message(from_page)
        server.on_message(from_server)

    page.route_web_socket("**/ws/live/", relay)
    return asked


def test_a_missed_state_is_fetched_again(lease: Lease, page: Page) -> None:
    seen: list[int] = []
    lost: list[int] = []

    def pass_on(message: dict[str, Any]) -> bool:
        """Lose the second state of the groups."""
        if message.get("part") == "spread.groups":
            seen.append(message["sequence"])
            if len(seen) == 2:
                lost.append(message["sequence"])
                return False
        return True

    asked = relayed(page, pass_on)
    connected(page, SPREAD)
    apply(lease, put=(replica("web", 3, "b1"),))
    for _ in range(100):
        # Playwright relays only while it is waited for.
        page.wait_for_timeout(100)
        if lost:
            break
    assert lost
    expect(entry(page, "web")).to_contain_text("2–0 over 2 zones")
    assert not [message for message in asked if "refresh" in message]

    apply(lease, put=(replica("web", 4, "b1"),))

    expect(entry(page, "web")).to_contain_text("2–2 over 2 zones")
    assert [message for message in asked if "refresh" in message]


def test_a_page_whose_parts_are_refused_says_so_and_does_not_load_itself_for_ever(lease: Lease, page: Page) -> None:
    def refuse(socket: WebSocketRoute) -> None:
        def answer(message: str | bytes) -> None:
            asked = json.loads(message)
            if "subscribe" in asked:
                socket.send(json.dumps({"error": "The page has no live part.", "id": asked["id"]}))

        socket.on_message(answer)

    page.route_web_socket("**/ws/live/", refuse)
    loads: list[str] = []
    page.on("load", lambda loaded: loads.append(loaded.url))
    page.goto(SPREAD)

    expect(page.get_by_text("A part of this page is not up to date: reload it.")).to_be_visible()
    page.wait_for_timeout(1_000)
    assert len(loads) == 1


def test_a_socket_that_died_in_silence_is_replaced(lease: Lease, page: Page) -> None:
    is_dead = False
    asked = relayed(page, lambda message: not is_dead)
    page.clock.install()
    connected(page, SPREAD)
    first = len(asked)
    is_dead = True
    # As after a night with the lid closed: the clock has jumped, and nobody closed the socket.
    page.clock.fast_forward("08:00:00")
    page.clock.run_for(3_000)
    page.wait_for_timeout(300)
    assert [each for each in asked[first:] if "ping" in each]
    page.clock.run_for(7_000)
    expect(page.get_by_text("Not connected since")).to_be_visible()
    is_dead = False
    apply(lease, put=(replica("web", 3, "b1"),))
    page.clock.run_for(20_000)

    expect(page.get_by_text("Connected: changes appear by themselves.")).to_be_visible()
    expect(entry(page, "web")).to_contain_text("2–1 over 2 zones")


def test_signing_out_elsewhere_leads_to_the_sign_in(lease: Lease, page: Page, user: User) -> None:
    connected(page, SPREAD)
    user.set_password("another horse battery")
    user.save()

    expect(page.get_by_role("heading", name="Sign in")).to_be_visible(timeout=30_000)
