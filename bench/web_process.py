"""What the web process of a checkout loads until it answers, and which of its files run for a page; printed as JSON.

Run by its path, in the checkout that is measured, on a database that bench.house has filled. It imports nothing of
Berth by itself, so that it runs in every checkout that serves these addresses.
"""

from __future__ import annotations

import json
import os
import resource
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from types import FrameType

    from django.test import Client

_OWN = ("clusters", "dashboard")


def main() -> None:
    """Load the application as the server does; ask for the first page, for a cluster's, for those that are named."""
    first, of_cluster, named = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])
    import uvicorn

    server = uvicorn.Config(
        "dashboard.asgi:application",
        http="dashboard.serving.impatient_http:ImpatientHTTP",
        ws="websockets-sansio",
        lifespan="off",
    )
    server.load()
    from django.contrib.auth import get_user_model
    from django.test import Client

    client = Client()
    _get(client, first)
    found: dict[str, Any] = {"first": _loaded()}
    client.force_login(get_user_model()._default_manager.get_or_create(username="bench")[0])
    _get(client, of_cluster)
    found["cluster"] = _loaded()
    found["files"] = {name: len(_files_of(client, address)) for name, address in named.items()}
    sys.stdout.write(json.dumps(found | {"all": _loaded()}))


def _loaded() -> dict[str, float]:
    """Seconds of the processor so far, own modules that are loaded, and MiB of memory."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return {
        "seconds": time.process_time(),
        "modules": sum(name.partition(".")[0] in _OWN for name in sys.modules),
        "mib": pages * resource.getpagesize() / 2**20,
    }


def _get(client: Client, address: str) -> None:
    status = client.get(address).status_code
    if status != 200:
        raise SystemExit(f"{address} answers {status}")


def _files_of(client: Client, address: str) -> set[str]:
    """The own source files in which a function runs while a page is answered that was answered before."""
    _get(client, address)
    below = tuple(f"{Path.cwd() / folder}{os.sep}" for folder in _OWN)
    found: set[str] = set()

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(below):
            found.add(frame.f_code.co_filename)

    threading.setprofile(note)
    sys.setprofile(note)
    try:
        _get(client, address)
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    if shown := os.environ.get("BERTH_BENCH_FILES"):
        with Path(shown).open("a", encoding="utf-8") as lines:
            lines.writelines(f"{address} {Path(name).relative_to(Path.cwd())}\n" for name in sorted(found))
    return found


if __name__ == "__main__":
    main()
