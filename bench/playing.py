"""What a frame of a pod's decision costs the browser while it is played, among 60 and among 1,000 nodes.

In headless Chromium, at the player's highest speed, by the processor's time of the page's own thread: a slow page is
slow each time, a busy machine is not. The bar: one frame in twenty may take longer than a sixtieth of a second.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import orjson

from bench.cluster import each_object
from bench.large_site import running
from bench.live_site import in_own_process
from bench.measure import Figure, figure
from bench.pages import UnmeasuredError
from bench.traces import main_thread_frames

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

NODES = (60, 1_000)
FRAME_MS, MOST_SLOW_PERCENT = 1000 / 60, 5.0
ROUNDS = 5
# Each step fades for a quarter of a second: with fewer frames, nothing was played.
_FEWEST_FRAMES = 10
_SPEEDS_BEFORE_THE_HIGHEST = 2
_PLAYED_MS = 60_000


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
    with running("redis", "web") as url:
        figures = _measured(url, session)
    sys.stdout.write(orjson.dumps(figures).decode())


def _ingested(nodes: int) -> None:
    from clusters.models import Cluster
    from clusters.services.ingest.ingest import ingest_path

    with tempfile.TemporaryDirectory(prefix="berth-bench-") as folder:
        dump = Path(folder, "dump.json")
        objects = list(each_object(nodes, nodes * 10))
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
            page = context.new_page()
            page.goto(f"/clusters/{_name(nodes)}/pods/default/spread/")
            for _ in range(_SPEEDS_BEFORE_THE_HIGHEST):
                _press(page, "Speed")
            rounds = [_played(page, chromium) for _ in range(ROUNDS)]
            every = [frame for frames in rounds for frame in frames]
            slow = [100 * sum(frame > FRAME_MS for frame in frames) / len(frames) for frames in rounds]
            figures[f"a frame while playing, {nodes} nodes: CPU"] = figure(every, "ms", against=FRAME_MS)
            figures[f"frames that take longer, {nodes} nodes"] = figure(slow, "%", against=MOST_SLOW_PERCENT)
            page.close()
        chromium.close()
    return figures


def _played(page: Page, browser: Browser) -> list[float]:
    """Play a decision to its end, and return how many milliseconds the main thread worked for each frame."""
    browser.start_tracing(page=page, categories=["cc"])
    _press(page, "Play")
    page.locator(".verdict-map.is-between").wait_for()
    page.get_by_role("button", name="Play").wait_for(timeout=_PLAYED_MS)
    frames = main_thread_frames(orjson.loads(browser.stop_tracing())["traceEvents"])
    if len(frames) < _FEWEST_FRAMES:
        raise UnmeasuredError(f"{page.url}: {len(frames)} frames were drawn")
    return frames


def _press(page: Page, name: str) -> None:
    page.locator("[data-map-controls]").get_by_role("button", name=name).click()


if __name__ == "__main__":
    main()
