"""Five hundred open pages on one web process, pods that change twenty times a second: does everybody see the end of it?

Each socket subscribes to a list of groups, every second one to the workloads by zone too. What each holds in the end is
compared with what the web server answers to who asks for the part then. Nothing but equality counts as arrived.
"""

from __future__ import annotations

import asyncio
import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote
from urllib.request import Request, urlopen

import orjson
from websockets.asyncio.client import connect

from bench.live_site import SPREAD_PAGE, Site, change, in_own_process, site

if TYPE_CHECKING:
    from bench.measure import Figure

SOCKETS = 500
A_SECOND = 20
SECONDS = 20.0
PATIENCE_SECONDS = 30.0
WORKLOADS_PAGE = "/clusters/bench/spread/workloads/"
PARTS = {"spread.groups": SPREAD_PAGE, "spread.workloads": WORKLOADS_PAGE}


class Browser:
    """What one open page has been told."""

    def __init__(self, parts: tuple[str, ...]) -> None:
        self.html: dict[str, str] = dict.fromkeys(parts, "")
        self.sequences: dict[str, int] = dict.fromkeys(parts, 0)
        self.messages = 0
        self.characters = 0
        self.skipped = 0
        self.gaps = 0
        self.is_open = False

    async def run(self, berth: Site, session: str) -> None:
        """Listen until cancelled."""
        headers = {"Cookie": f"berth_session={session}", "Origin": berth.url}
        address = berth.url.replace("http", "ws") + "/ws/live/"
        async with connect(address, additional_headers=headers, max_size=None) as socket:
            for number, part in enumerate(self.html):
                page = PARTS[part]
                await socket.send(
                    orjson.dumps({"subscribe": part, "id": number, "cluster": berth.cluster_id, "page": page}).decode()
                )
            async for text in socket:
                self.characters += len(text)
                self._take(orjson.loads(text))

    def _take(self, message: dict[str, Any]) -> None:
        if "html" not in message:
            return
        part = message["part"]
        self.messages += 1
        self.gaps += message["previous"] != self.sequences[part]
        self.skipped += message["sequence"] - message["previous"] - 1 if message["previous"] else 0
        self.sequences[part] = message["sequence"]
        self.html[part] = message["html"]
        self.is_open = all(self.html.values())


def run() -> dict[str, Figure]:
    """Measure in a process of its own, and return the measures by name."""
    measures: dict[str, Figure] = in_own_process("bench.live_sockets")
    return measures


def main() -> None:
    """Measure, and print the result as JSON."""
    with site() as berth:
        sys.stdout.write(orjson.dumps(asyncio.run(_measured(berth))).decode())


async def _measured(berth: Site) -> dict[str, Any]:
    browsers = [Browser(tuple(PARTS) if number % 2 else ("spread.groups",)) for number in range(SOCKETS)]
    tasks = []
    for number, browser in enumerate(browsers):
        session = berth.sessions[number % len(berth.sessions)]
        tasks.append(asyncio.create_task(browser.run(berth, session)))
        if not len(tasks) % 20:
            await asyncio.sleep(0.05)
    await _until(lambda: all(browser.is_open for browser in browsers), tasks)
    processor, began = _processor_seconds(berth), time.monotonic()
    messages = sum(browser.messages for browser in browsers)
    await asyncio.to_thread(change, berth.server, a_second=A_SECOND, seconds=SECONDS)
    took = time.monotonic() - began
    share = (_processor_seconds(berth) - processor) / took
    sent = sum(browser.messages for browser in browsers) - messages

    changed = time.monotonic()
    # The last changes are still on their way; then everybody has to hold what is served to who asks now.
    while True:
        served = {part: await asyncio.to_thread(_served, berth, part, page) for part, page in PARTS.items()}
        holders = sum(all(html == served[part] for part, html in browser.html.items()) for browser in browsers)
        if holders == SOCKETS or time.monotonic() - changed > PATIENCE_SECONDS:
            break
        await asyncio.sleep(0.1)
    settled = time.monotonic() - changed
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    name = f"live: {SOCKETS} sockets"
    return {
        f"{name} that hold the newest state": _one(holders, ""),
        f"{name}, gaps that were not announced": _one(sum(browser.gaps for browser in browsers), ""),
        f"{name}, until all hold it after the last change": _one(settled, "s"),
        f"{name}, states sent a second": _one(sent / took, ""),
        f"{name}, states left out for slow ones": _one(sum(browser.skipped for browser in browsers), ""),
        f"{name}, processor of the web process": _one(100 * share, "%"),
        f"{name}, memory of the web process": _one(_resident_mib(berth), "MiB"),
    }


async def _until(happened: Any, tasks: list[asyncio.Task[None]]) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not happened():
        for task in tasks:
            if task.done():
                task.result()
        if time.monotonic() > deadline:
            raise TimeoutError(f"not every page was told its parts within {PATIENCE_SECONDS} s")
        await asyncio.sleep(0.1)


def _one(value: float, unit: str) -> dict[str, Any]:
    return {"median": round(value, 3), "min": round(value, 3), "max": round(value, 3), "unit": unit}


def _served(berth: Site, part: str, page: str) -> str:
    """Return a part as the web server renders it for who asks for it alone."""
    address = f"{berth.url}/live/{part}/?cluster={berth.cluster_id}&page={quote(page, safe='')}"
    request = Request(address, headers={"Cookie": f"berth_session={berth.sessions[0]}"})  # noqa: S310 - our own address
    with urlopen(request) as answer:  # noqa: S310 - the same
        html: str = answer.read().decode()
    return html


def _processor_seconds(berth: Site) -> float:
    fields = Path(f"/proc/{berth.web.process.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _resident_mib(berth: Site) -> float:
    status = Path(f"/proc/{berth.web.process.pid}/status").read_text(encoding="ascii")
    return int(status.partition("VmRSS:")[2].split()[0]) / 1024


if __name__ == "__main__":
    main()
