"""For how long each page of a large cluster keeps the browser from answering: the longest task of its main thread.

In headless Chromium, from the beginning of the page's load until two seconds after it. Only tasks of 50 ms and more are
told by browsers; a page without any counts as 0. `python -m bench.browser_tasks [NAME …]` prints a table of its own.
"""

from __future__ import annotations

import os
import sys

import orjson

from bench.large_site import prepare, running
from bench.live_site import in_own_process
from bench.measure import Figure, figure
from bench.pages import pages

LONGEST_MS = 200.0
ROUNDS, SETTLE_MS = 3, 2_000
# What the browser does not open as a page.
_NO_PAGES = ("cluster-picture", "cluster-stuck", "cluster-configuration-file")

_OBSERVE = """
window.berthTasks = [];
new PerformanceObserver((list) => window.berthTasks.push(...list.getEntries().map((entry) => entry.duration)))
  .observe({ type: "longtask", buffered: true });
"""


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
        context.add_init_script(_OBSERVE)
        for page in opened:
            longest = []
            for _ in range(ROUNDS):
                tab = context.new_page()
                tab.goto(page.address, timeout=120_000)
                tab.wait_for_timeout(SETTLE_MS)
                longest.append(max(tab.evaluate("window.berthTasks"), default=0.0))
                tab.close()
            found = figure(longest, "ms", against=LONGEST_MS)
            figures[f"longest task of {page.name}"] = found
            sys.stderr.write(f"{page.name:44} {found['median']:8.0f} ms{'  LONG' if found['ratio'] > 1 else ''}\n")
        chromium.close()
    return figures


if __name__ == "__main__":
    if folder := os.environ.get("BERTH_BENCH_FOLDER"):
        os.environ["BERTH_DATA_DIR"] = folder
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "dashboard.settings")
    main()
