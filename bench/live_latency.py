"""From a change at the API server to the change in an open page, at 100 changes a second.

Real watcher, database, Redis, web server and Chromium; the API server is the tests' own. A change's time is taken
before it is served, and again when a MutationObserver of the page sees a count that includes it. Both by one clock.
"""

from __future__ import annotations

import os
import statistics
import sys
import threading
from typing import TYPE_CHECKING, Any

import orjson

from bench.live_site import SPREAD_PAGE, change, in_own_process, site

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bench.measure import Figure

A_SECOND = 100
SECONDS = 20.0
# Changes of the first seconds meet snapshots that are not built and code that was not run yet.
WARM_UP_SECONDS = 3.0
PATIENCE_MS = 30_000

_OBSERVE = """() => {
  const place = document.getElementById("results");
  window.seen = [];
  const count = () => [...place.querySelectorAll(".domain-count")]
    .reduce((sum, each) => sum + Number(each.firstChild.data.replace(/\\D/g, "")), 0);
  let last = count();
  window.counted = () => last;
  new MutationObserver(() => {
    const now = count();
    if (now === last) return;
    last = now;
    window.seen.push([now, performance.timeOrigin + performance.now()]);
  }).observe(place, { childList: true, characterData: true, subtree: true });
  return last;
}"""


def run() -> dict[str, Figure]:
    """Measure in a process of its own, and return the measures by name."""
    measures: dict[str, Figure] = in_own_process("bench.live_latency")
    return measures


def main() -> None:
    """Measure, and print the result as JSON."""
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    from playwright.sync_api import sync_playwright

    from tests.support.chromium import find_chromium

    options = ["--no-sandbox"] if os.geteuid() == 0 else []
    with site() as berth, sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=find_chromium(), args=options)
        context = chromium.new_context(base_url=berth.url)
        context.add_cookies([{"name": "berth_session", "value": berth.sessions[0], "url": berth.url}])
        page = context.new_page()
        page.goto(SPREAD_PAGE)
        page.get_by_text("Connected:").wait_for()
        base = page.evaluate(_OBSERVE)
        change(berth.server, a_second=A_SECOND, seconds=WARM_UP_SECONDS)
        warm = base + int(A_SECOND * WARM_UP_SECONDS) // 2
        put: list[float] = []
        page.wait_for_function("(least) => window.counted() >= least", arg=warm, timeout=PATIENCE_MS)
        # On a thread, because the page's messages are handled on this one.
        changing = threading.Thread(
            target=lambda: put.extend(change(berth.server, a_second=A_SECOND, seconds=SECONDS, first=10_000))
        )
        changing.start()
        while changing.is_alive():
            page.wait_for_timeout(200)
        page.wait_for_function("(least) => window.counted() >= least", arg=warm + len(put), timeout=PATIENCE_MS)
        seen: list[tuple[int, float]] = page.evaluate("window.seen")
        chromium.close()
    sys.stdout.write(orjson.dumps(_figures(put, warm, seen)).decode())


def _figures(put: Sequence[float], base: int, seen: Sequence[tuple[int, float]]) -> dict[str, Any]:
    milliseconds = []
    moments = iter(seen)
    count, at = next(moments)
    for number, moment in enumerate(put, start=base + 1):
        while count < number:
            count, at = next(moments)
        milliseconds.append(at - 1000 * moment)
    cuts = statistics.quantiles(milliseconds, n=100)
    name = f"live: API change to browser, {A_SECOND} a second"
    spread = {"min": round(min(milliseconds), 3), "max": round(max(milliseconds), 3), "unit": "ms"}
    return {
        f"{name}, p50": {"median": round(cuts[49], 3), **spread},
        f"{name}, p99": {"median": round(cuts[98], 3), **spread},
    }


if __name__ == "__main__":
    main()
