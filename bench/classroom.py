"""Sixty participants of a led class on one web process: is every screen at the trainer's step, and how soon?

Each joins by the form and keeps a websocket open, as its page does. All answer within the same ten seconds; then the
trainer shows the answer and goes on, several times. Counted is what arrives: an answer that is stored, a message of the
new turn with its step in it. The bar for the latter is a second, for 95 of 100.
"""

from __future__ import annotations

import asyncio
import http.client
import os
import random
import re
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import orjson
from msgspec import Struct, field
from websockets.asyncio.client import connect

from bench.large_site import running
from bench.live_site import in_own_process
from bench.measure import Figure, figure

if TYPE_CHECKING:
    from dashboard.models import Classroom

PARTICIPANTS = 60
ANSWERING_SECONDS = 10.0
BAR_MS = 1000.0
PATIENCE_SECONDS = 30.0
LESSON = "filter-and-score"
LANGUAGES = ("en-gb", "id", "uk")
_TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')


class Screen(Struct):
    """One participant's browser: its cookies, and when the step of which turn arrived."""

    name: str
    language: str
    cookies: dict[str, str] = field(default_factory=dict)
    token: str = ""
    turn: int = -1
    arrived: dict[int, float] = field(default_factory=dict)
    shows: str = ""

    def request(self, port: int, method: str, path: str, fields: dict[str, Any] | None = None) -> tuple[int, str]:
        """Ask the web server, as a browser with these cookies; return the status and where it leads, or the page."""
        headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())}
        headers |= {"Accept-Language": self.language, "Content-Type": "application/x-www-form-urlencoded"}
        body = urlencode({**fields, "csrfmiddlewaretoken": self.token}, doseq=True) if fields is not None else None
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_SECONDS)
        connection.request(method, path, body, headers)
        response = connection.getresponse()
        page = response.read().decode()
        for name, value in response.getheaders():
            if name.lower() == "set-cookie":
                key, _, rest = value.partition("=")
                self.cookies[key] = rest.partition(";")[0]
        connection.close()
        if found := _TOKEN.search(page):
            self.token = found[1]
        return response.status, response.headers.get("Location", "") or page

    async def watch(self, port: int) -> None:
        """Keep a websocket open, and note what arrives, until cancelled."""
        cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        headers = {"Cookie": cookies, "Origin": f"http://127.0.0.1:{port}"}
        async with connect(f"ws://127.0.0.1:{port}/ws/seat/", additional_headers=headers, max_size=None) as socket:
            asked = {"turn": self.turn, "language": self.language, "step": True}
            await socket.send(orjson.dumps(asked).decode())
            async for text in socket:
                now = time.perf_counter()
                message = orjson.loads(text)
                self.turn = message["turn"]
                if "html" in message:
                    self.arrived[self.turn] = now
                    self.shows = message["shows"]


def run() -> dict[str, Figure]:
    """Measure in a process of its own, and return the measures by name; ratios are to the bar."""
    measures: dict[str, Figure] = in_own_process("bench.classroom")
    return measures


def main() -> None:
    """Measure, and print the result as JSON."""
    import django

    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    with running("redis", "web") as url:
        sys.stdout.write(orjson.dumps(asyncio.run(_measured(int(url.rpartition(":")[2])))).decode())


async def _measured(port: int) -> dict[str, Figure]:
    from clusters.services.lessons.library import built_in_lessons

    lesson = built_in_lessons()[LESSON]
    classroom = await asyncio.to_thread(_open_classroom)
    screens = [Screen(f"P{number}", LANGUAGES[number % len(LANGUAGES)]) for number in range(PARTICIPANTS)]
    threads = ThreadPoolExecutor(PARTICIPANTS)
    loop = asyncio.get_running_loop()
    await asyncio.gather(*(loop.run_in_executor(threads, _joined, screen, port, classroom.code) for screen in screens))
    tasks = [asyncio.create_task(screen.watch(port)) for screen in screens]
    await _until(lambda: all(screen.turn >= 0 for screen in screens), tasks)

    pushed: list[float] = []
    answering: list[float] = []
    stored = right = 0
    web, worked = _web_process(), []
    for step in lesson.steps:
        if step is not lesson.steps[0]:
            before = _processor_ms(web)
            pushed += await _turned(classroom, screens, tasks, step.name)
            worked.append(_processor_ms(web) - before)
        path, fields = f"/seat/{LESSON}/{step.name}/", _answer(step)
        waits = [random.uniform(0, ANSWERING_SECONDS) for _ in screens]
        answering += await asyncio.gather(
            *(
                loop.run_in_executor(threads, _answered, screen, port, path, fields, wait)
                for screen, wait in zip(screens, waits, strict=True)
            )
        )
        stored += await asyncio.to_thread(_answers, classroom, step.name)
        before = _processor_ms(web)
        pushed += await _turned(classroom, screens, tasks, "")
        worked.append(_processor_ms(web) - before)
        right += sum(screen.shows == f"{LESSON}/{step.name}/1" for screen in screens)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    steps = len(lesson.steps)
    name = f"classroom: {PARTICIPANTS} participants"
    return {
        f"{name}, from the trainer's click to the step on a screen": _spread(pushed, BAR_MS),
        f"{name}, from sending an answer to the page after it": _spread(answering, BAR_MS),
        f"{name}, processor of the web process for one turn": figure(worked, "ms"),
        f"{name}, answers stored of {PARTICIPANTS * steps}": _one(stored),
        f"{name}, screens at the right step of {PARTICIPANTS * steps}": _one(right),
    }


def _open_classroom() -> Classroom:
    from datetime import timedelta

    from django.contrib.auth.models import User

    from clusters.services.lessons.library import built_in_lessons
    from dashboard.classrooms import leading
    from dashboard.models import Classroom

    return leading.open_classroom(
        trainer=User.objects.create_user("trainer"),
        title="Bench",
        lessons=[built_in_lessons()[LESSON]],
        language="en-gb",
        pace=Classroom.Pace.LED,
        lifetime=timedelta(hours=1),
    )


def _joined(screen: Screen, port: int, code: str) -> None:
    screen.request(port, "GET", "/join/")
    status, where = screen.request(port, "POST", "/join/", {"code": code, "name": screen.name})
    if (status, where) != (302, "/seat/"):
        raise RuntimeError(f"{screen.name} cannot join: {status}")
    _, step = screen.request(port, "GET", where)
    screen.request(port, "GET", step)


def _answered(screen: Screen, port: int, path: str, fields: dict[str, Any], wait: float) -> float:
    """Send an answer after a while, and load the page that it leads to; return how many milliseconds that took."""
    time.sleep(wait)
    began = time.perf_counter()
    status, where = screen.request(port, "POST", path, fields)
    if status != 302:
        raise RuntimeError(f"an answer is refused: {status}")
    screen.request(port, "GET", where.partition("#")[0])
    return (time.perf_counter() - began) * 1000


def _answer(step: Any) -> dict[str, Any]:
    from tests.dashboard.lessons.learners import posted, solution

    return posted(step, solution(step))


def _answers(classroom: Classroom, step: str) -> int:
    from dashboard.models import LessonProgress

    return LessonProgress.objects.filter(participant__classroom=classroom, step=step, tries=1).count()


async def _turned(
    classroom: Classroom, screens: list[Screen], tasks: list[asyncio.Task[None]], step: str
) -> list[float]:
    """Go on to a step as the trainer does, or show the answer where none is named.

    Returns after how many milliseconds each screen had the step of the new turn.
    """
    from dashboard.classrooms import leading

    began = time.perf_counter()
    if step:
        await asyncio.to_thread(leading.lead_to, classroom, LESSON, step)
    else:
        await asyncio.to_thread(leading.reveal, classroom)
    turn = classroom.turn
    await _until(lambda: all(turn in screen.arrived for screen in screens), tasks)
    return [(screen.arrived[turn] - began) * 1000 for screen in screens]


async def _until(happened: Any, tasks: list[asyncio.Task[None]]) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not happened():
        for task in tasks:
            if task.done():
                task.result()
        if time.monotonic() > deadline:
            raise TimeoutError(f"not every screen was told within {PATIENCE_SECONDS} s")
        await asyncio.sleep(0.01)


def _web_process() -> int:
    """Return which of this process's children serves pages."""
    children = [pid for task in Path("/proc/self/task").iterdir() for pid in (task / "children").read_text().split()]
    return next(int(pid) for pid in children if b"uvicorn" in Path(f"/proc/{pid}/cmdline").read_bytes())


def _processor_ms(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return 1000 * (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _spread(samples: list[float], bar: float) -> Figure:
    found = figure(samples, "ms")
    p95 = sorted(samples)[int(0.95 * (len(samples) - 1))]
    return {**found, "p95": round(p95, 3), "ratio": round(p95 / bar, 4)}


def _one(value: float) -> Figure:
    return figure([value], "")


if __name__ == "__main__":
    main()
