"""For how long each page of a large cluster keeps the browser from answering: the longest task of its main thread.

In headless Chromium, from the beginning of the page's load until it has asked for all that it loads by itself, its end
has been scrolled to, and two seconds have passed. By the clock a task is longer on a machine that does other work, too;
the processor's time of the task that took most of it tells a slow page from a busy machine.
`python -m bench.browser_tasks [NAME …]` prints a table of its own.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import orjson

from bench.large_site import compute, prepare, running
from bench.live_site import in_own_process
from bench.measure import Figure, figure
from bench.pages import UnmeasuredError, pages
from bench.traces import TASKS, longest_task

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

LONGEST_MS = 100.0
ROUNDS, SETTLE_MS = 3, 2_000
# What is a file, or no page of its own.
_NO_PAGES = (
    "map",
    "map-node",
    "decision-card",
    "decision-map-lines",
    "cluster-pending-cards",
    "cluster-configuration-file",
    "journal-chart",
)


def run() -> dict[str, Figure]:
    """Measure in a process of its own; the ratio is to the bar."""
    measures: dict[str, Figure] = in_own_process("bench.browser_tasks")
    return measures


def main() -> None:
    """Measure all pages, or those whose names begin with one of the given words, and print the result as JSON."""
    import django

    django.setup()
    from django.conf import settings
    from django.contrib.auth.models import User
    from django.test import Client

    settings.ALLOWED_HOSTS = ["testserver"]
    with running("redis"):
        prepare()
        compute()
        client = Client()
        client.force_login(User.objects.get(username="bench"))
        session = client.cookies[settings.SESSION_COOKIE_NAME].value
        with running("web") as url:
            figures = _measured(url, session, tuple(sys.argv[1:]) or ("",))
    sys.stdout.write(orjson.dumps(figures).decode())


def _measured(url: str, session: str, wanted: tuple[str, ...]) -> dict[str, Figure]:
    from django.conf import settings
    from playwright.sync_api import sync_playwright

    from tests.support.chromium import find_chromium

    # Playwright's loop runs on this thread, on which the database may be asked before it begins only.
    opened = [page for page in pages() if page.name.startswith(wanted) and not page.name.startswith(_NO_PAGES)]
    figures: dict[str, Figure] = {}
    with sync_playwright() as playwright:
        options = ["--no-sandbox"] if os.geteuid() == 0 else []
        chromium = playwright.chromium.launch(executable_path=find_chromium(), args=options)
        context = chromium.new_context(base_url=url, viewport={"width": 1440, "height": 900})
        context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": session, "url": url}])
        for page in opened:
            rounds = [_longest(chromium, context.new_page(), page.address) for _ in range(ROUNDS)]
            clock, cpu = (figure(samples, "ms", against=LONGEST_MS) for samples in zip(*rounds, strict=True))
            figures |= {f"longest task of {page.name}": clock, f"longest task of {page.name}: CPU": cpu}
            told = f"{clock['median']:8.0f} ms {cpu['median']:8.0f} ms CPU{'  LONG' if cpu['ratio'] > 1 else ''}"
            sys.stderr.write(f"{page.name:44} {told}\n")
        chromium.close()
    return figures


def _longest(browser: Browser, tab: Page, address: str) -> tuple[float, float]:
    """Open a page and return the milliseconds of its longest task, by the clock and of the processor."""
    browser.start_tracing(page=tab, categories=[*TASKS])
    tab.goto(address, timeout=120_000)
    for _ in range(2):
        tab.wait_for_load_state("networkidle", timeout=120_000)
        tab.wait_for_timeout(SETTLE_MS / 2)
        tab.evaluate("scrollTo(0, document.body.scrollHeight)")
    events = orjson.loads(browser.stop_tracing())["traceEvents"]
    tab.close()
    longest = longest_task(events)
    if longest is None:
        raise UnmeasuredError(f"{address}: the trace has no task of the page's renderer")
    return longest


if __name__ == "__main__":
    if folder := os.environ.get("BERTH_BENCH_FOLDER"):
        os.environ["BERTH_DATA_DIR"] = folder
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "dashboard.settings")
    main()
