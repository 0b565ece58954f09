"""What a frame costs the browser while something is played or ranked anew, among 60, 1,000 and 10,000 nodes.

A pod's decision is played at the player's highest speed, a node is dragged out of the cluster's map and its drain is
played, and the score landscape is ranked by other weights. In headless Chromium, by the processor's time of the page's
own thread: a slow page is slow each time, a busy machine is not. The bars: one frame in twenty may take longer than a
sixtieth of a second, and no task 100 ms.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import orjson

from bench.browser_tasks import LONGEST_MS
from bench.cluster import each_object
from bench.large_site import running
from bench.live_site import in_own_process
from bench.measure import Figure, figure
from bench.pages import UnmeasuredError
from bench.traces import TASKS, longest_task, main_thread_frames

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Browser, Page

NODES = (60, 1_000, 10_000)
PODS_OF_NODE = 5
FRAME_MS, MOST_SLOW_PERCENT = 1000 / 60, 5.0
ROUNDS = 3
# Each step fades for a quarter of a second: with fewer frames, nothing was played.
_FEWEST_FRAMES = 10
_SPEEDS_BEFORE_THE_HIGHEST = 2
_PLAYED_MS = 60_000
_ANSWERED_MS = 300_000
_WEIGHTS_TRIED, _SETTLE_MS = 4, 300
_WITHIN_FIRST_TILE = (20, 60)
_MIDDLE = (
    "part => { const { x, y, width, height } = part.getBoundingClientRect(); return [x + width / 2, y + height / 2]; }"
)
_CATEGORIES = ["cc", *TASKS]


def run() -> dict[str, Figure]:
    """Measure in a process of its own; ratios are to a frame of sixty a second, and to the bar."""
    measures: dict[str, Figure] = in_own_process("bench.playing")
    return measures


def main() -> None:
    """Measure and print the result as JSON."""
    import django

    django.setup()
    from django.conf import settings
    from django.contrib.auth.models import User
    from django.core.management import call_command
    from django.test import Client

    settings.ALLOWED_HOSTS = ["testserver"]
    call_command("migrate", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    for nodes in NODES:
        _ingested(nodes)
    client = Client()
    client.force_login(User.objects.create_user("bench"))
    session = client.cookies[settings.SESSION_COOKIE_NAME].value
    with running("redis", "web", "worker") as url:
        figures = _measured(url, session)
    sys.stdout.write(orjson.dumps(figures).decode())


def _ingested(nodes: int) -> None:
    from clusters.models import Cluster
    from clusters.services.ingest.ingest import ingest_path

    with tempfile.TemporaryDirectory(prefix="berth-bench-") as folder:
        dump = Path(folder, "dump.json")
        objects = list(each_object(nodes, nodes * PODS_OF_NODE, is_owned=True))
        dump.write_bytes(orjson.dumps({"apiVersion": "v1", "kind": "List", "items": objects}))
        ingest_path(cluster=Cluster.objects.create(name=_name(nodes)), path=dump)


def _name(nodes: int) -> str:
    return f"nodes-{nodes}"


def _measured(url: str, session: str) -> dict[str, Figure]:
    from django.conf import settings
    from playwright.sync_api import sync_playwright

    from tests.support.chromium import find_chromium

    figures: dict[str, Figure] = {}
    with sync_playwright() as playwright:
        options = ["--no-sandbox"] if os.geteuid() == 0 else []
        chromium = playwright.chromium.launch(executable_path=find_chromium(), args=options)
        context = chromium.new_context(
            base_url=url, viewport={"width": 1440, "height": 900}, reduced_motion="no-preference"
        )
        context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": session, "url": url}])
        for nodes in NODES:
            for what, begin, act in (
                ("playing", _at_decision, _play),
                ("draining", _at_map, _drain),
                ("ranking", _at_landscape, _rank),
            ):
                page = context.new_page()
                begin(page, _name(nodes))
                rounds = [_traced(page, chromium, act) for _ in range(ROUNDS)]
                every = [frame for frames, _ in rounds for frame in frames]
                slow = [100 * sum(frame > FRAME_MS for frame in frames) / len(frames) for frames, _ in rounds]
                longest = [task for _, task in rounds]
                figures |= {
                    f"a frame while {what}, {nodes} nodes: CPU": figure(every, "ms", against=FRAME_MS),
                    f"frames that take longer while {what}, {nodes} nodes": figure(
                        slow, "%", against=MOST_SLOW_PERCENT
                    ),
                    f"longest task while {what}, {nodes} nodes: CPU": figure(longest, "ms", against=LONGEST_MS),
                }
                page.close()
        chromium.close()
    return figures


def _traced(page: Page, browser: Browser, act: Callable[[Page], None]) -> tuple[list[float], float]:
    """Return the milliseconds that the main thread worked for each frame of an act, and for its longest task."""
    browser.start_tracing(page=page, categories=_CATEGORIES)
    act(page)
    events = orjson.loads(browser.stop_tracing())["traceEvents"]
    frames, longest = main_thread_frames(events), longest_task(events)
    if len(frames) < _FEWEST_FRAMES or longest is None:
        raise UnmeasuredError(f"{page.url}: {len(frames)} frames were drawn")
    return frames, longest[1]


def _at_decision(page: Page, cluster: str) -> None:
    page.goto(f"/clusters/{cluster}/pods/default/spread/")
    for _ in range(_SPEEDS_BEFORE_THE_HIGHEST):
        _press(page, "Speed")


def _play(page: Page) -> None:
    _press(page, "Play")
    page.locator(".verdict-map.is-between").wait_for()
    page.get_by_role("button", name="Play").wait_for(timeout=_PLAYED_MS)


def _at_map(page: Page, cluster: str) -> None:
    page.goto(f"/clusters/{cluster}/", timeout=_ANSWERED_MS)
    page.locator("#map-card [data-begun]").wait_for(timeout=_ANSWERED_MS)


def _drain(page: Page) -> None:
    """Drag a node out of the map, let its drain play, and take it back."""
    parts = page.locator("#map-card .wide [data-nodes]")
    if parts.count():
        # Of thousands of nodes a part of a bar opens to tiles.
        page.mouse.click(*parts.first.evaluate(_MIDDLE))
        page.locator(".map-place").wait_for(timeout=_ANSWERED_MS)
    stage = page.locator("#map-card [data-map-stage]").bounding_box()
    if stage is None:
        raise UnmeasuredError(f"{page.url}: there is no map")
    page.mouse.move(stage["x"] + _WITHIN_FIRST_TILE[0], stage["y"] + _WITHIN_FIRST_TILE[1])
    page.mouse.down()
    page.mouse.move(stage["x"] + stage["width"] / 2, 20, steps=20)
    page.mouse.up()
    page.locator(".asked-numbers").wait_for(timeout=_ANSWERED_MS)
    controls = page.locator("#map-card [data-map-controls]")
    if controls.count():
        controls.get_by_role("button", name="Play").wait_for(timeout=_PLAYED_MS)
    page.keyboard.press("Escape")
    page.locator(".asked-numbers").wait_for(state="detached", timeout=_ANSWERED_MS)


def _at_landscape(page: Page, cluster: str) -> None:
    page.goto(f"/clusters/{cluster}/pods/default/plain/", timeout=_ANSWERED_MS)
    page.locator("[data-weights][data-begun]").wait_for()


def _rank(page: Page) -> None:
    slider = page.locator("[data-weights] input[type=range]").first
    slider.focus()
    for _ in range(_WEIGHTS_TRIED):
        with page.expect_response(lambda response: "/scores/" in response.url, timeout=_ANSWERED_MS):
            page.keyboard.press("ArrowRight")
        page.wait_for_timeout(_SETTLE_MS)


def _press(page: Page, name: str) -> None:
    page.locator("[data-map-controls]").get_by_role("button", name=name).click()


if __name__ == "__main__":
    main()
