"""No message makes a websocket fail: each is answered, or ends the socket with a code that stands in docs/live.md."""

from __future__ import annotations

import json
import logging
import os
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from channels.db import database_sync_to_async

from dashboard import asgi
from dashboard.consumers.live import TOO_LONG
from tests.clusters.dumps import pod
from tests.clusters.live_batches import apply
from tests.dashboard.fuzz import hostile
from tests.dashboard.fuzz.asking import Errors
from tests.dashboard.live.pages import SPREAD, WORKLOADS
from tests.support.websocket import WebsocketClient

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.redis]

SEED = int(os.environ.get("BERTH_TEST_FUZZ_SEED", "1"))
ROUNDS = int(os.environ.get("BERTH_TEST_FUZZ_ROUNDS", "600")) // 10
_PARTS = {
    "spread.workloads": WORKLOADS,
    "spread.groups": SPREAD,
    "stale": "/clusters/prod/",
    "drain.nodes": "/clusters/prod/drain/",
}
_HANDSHAKES = ROUNDS // 10


@pytest.fixture
def errors() -> Iterator[Errors]:
    """Keep what is logged as an error."""
    kept, root = Errors(), logging.getLogger()
    root.addHandler(kept)
    yield kept
    root.removeHandler(kept)


def message(random: Random, cluster: int) -> str:
    """Return a message that is a request but for something in it, or any text."""
    part = random.choice(sorted(_PARTS))
    page = f"{_PARTS[part]}?{random.choice(('q', 'page', 'sort', 'state', 'x'))}={hostile.text(random)}"
    request: dict[str, Any] = random.choice(
        (
            {"subscribe": part, "id": 1, "cluster": cluster, "page": random.choice((page, _PARTS[part]))},
            {"unsubscribe": "a topic"},
            {"refresh": "a topic"},
            {"ping": 1},
        )
    )
    if random.random() < 0.15:
        return hostile.text(random)
    return json.dumps(request if random.random() < 0.2 else hostile.document(random, request))


async def test_no_message_makes_a_websocket_fail(mirrored: Any, open_page: Any, errors: Errors) -> None:
    cluster, lease = mirrored
    await database_sync_to_async(apply)(lease, put=(pod("web-1", nodeName="n"), pod("web-2")))
    random = Random(f"{SEED}-messages")
    page = await open_page()
    for number in range(ROUNDS):
        text = message(random, cluster.pk)
        await page.client.send_text(text)
        await page.client.send({"ping": number})
        answer = await page.client.answer()
        while isinstance(answer, str) and json.loads(answer) != {"pong": number}:
            answer = await page.client.answer()
        if isinstance(answer, int):
            assert answer == TOO_LONG, (number, text[:200])
            page = await open_page()
        assert not errors.told, (number, text[:200], errors.told)


async def test_no_handshake_makes_the_application_fail(errors: Errors) -> None:
    random = Random(f"{SEED}-handshakes")
    for number in range(_HANDSHAKES):
        origin = random.choice(
            ("http://localhost", "http://[", f"http://localhost:{hostile.text(random)}", hostile.text(random))
        )
        host = random.choice((b"localhost", origin.removeprefix("http://").encode(errors="replace")))
        path = random.choice(
            ("/ws/live/", "/ws/seat/", "/ws/studies/1/", f"/ws/ingests/{'9' * 30}/", "/ws/", "/", hostile.text(random))
        )
        cookie = f"{random.choice(('berth_session', 'berth_seat'))}={hostile.text(random)}".encode(errors="replace")
        headers = [(b"host", host), (b"origin", origin.encode(errors="replace")), (b"cookie", cookie)]
        client = WebsocketClient(asgi.application, path, headers=headers)
        assert not await client.connect(), (number, headers, path)
        assert not errors.told, (number, headers, path)
