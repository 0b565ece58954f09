"""No answer ends where a wall clock says so: how fast a machine is, or what else it does, changes no number."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from django.conf import settings

# It reads code and runs none.
pytestmark = pytest.mark.unmeasured

ROOT = Path(settings.BASE_DIR)
# What passes whether anybody computes or not. `thread_time` and `process_time` count what is computed.
CLOCKS = {"monotonic", "monotonic_ns", "perf_counter", "perf_counter_ns", "time", "time_ns"}
# Who may look at one, and what it decides there; of none of these a part is kept or shown as if it were the whole.
ALLOWED = {
    "clusters/adapters/extenders.py": "how long another process may be silent, which is then said of it",
    "clusters/adapters/shared_redis.py": "when a Redis that did not answer is asked again",
    "clusters/services/ingest/ingest.py": "how often a progress is told",
    "clusters/services/ingest/uploads.py": "when the process that reads an upload is ended: the upload has failed",
    "clusters/services/journal/judge.py": "when a decision that was heard of is judged, and how late",
    "clusters/services/reports/making.py": "how often a review looks whether it is still wanted",
    "clusters/services/runs/working.py": "when a run lets another user's go first, and how often it is written",
    "clusters/services/watching/watcher.py": "when a change arrived and how long a batch took",
    "dashboard/access/proxy.py": "when a session's groups are read of the proxy again",
    "dashboard/api/fits.py": "how long a request waits for a run, which goes on",
    "dashboard/consumers/seat.py": "how many messages a browser may send",
    "dashboard/limits/windows.py": "the minute of a limit",
    "dashboard/live/hub.py": "the pause between two renderings",
    "dashboard/serving/children.py": "whether a process that died had run for a while, and when it starts again",
    "dashboard/serving/installation.py": "how long a start waits for the database",
    "dashboard/serving/watchers.py": "when a watcher is started again",
}


def looks_at_a_clock(source: str) -> bool:
    """Whether a module imports a wall clock, or asks an event loop for its own."""
    for each in ast.walk(ast.parse(source)):
        match each:
            case ast.ImportFrom(module="time") if CLOCKS & {name.name for name in each.names}:
                return True
            case ast.Attribute(value=ast.Name(id="time"), attr=attribute) if attribute in CLOCKS:
                return True
            case ast.Attribute(value=ast.Call(func=ast.Attribute(attr="get_running_loop")), attr="time"):
                return True
    return False


def test_only_named_modules_look_at_a_wall_clock() -> None:
    found = {
        path.relative_to(ROOT).as_posix()
        for ring in ("clusters", "dashboard")
        for path in (ROOT / ring).rglob("*.py")
        if looks_at_a_clock(path.read_text(encoding="utf-8"))
    }

    assert found == set(ALLOWED), "count what is computed (thread_time), or say here what the clock decides"


@pytest.mark.parametrize(
    "source",
    [
        "from time import monotonic",
        "from time import sleep, perf_counter as clock",
        "import time\nend = time.monotonic() + 5",
        "import asyncio\nnow = asyncio.get_running_loop().time()",
    ],
)
def test_a_wall_clock_is_noticed(source: str) -> None:
    assert looks_at_a_clock(source)


@pytest.mark.parametrize("source", ["from time import thread_time", "import time\ntime.sleep(1)", "row.time.monotonic"])
def test_what_counts_computing_is_none(source: str) -> None:
    assert not looks_at_a_clock(source)
