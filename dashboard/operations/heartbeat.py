"""Whether beat runs: it notes in Redis when it starts what is due most often, and the note lives four times as long."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from celery.signals import after_task_publish

from clusters.adapters import shared_redis
from clusters.adapters.shared_redis import AwayError

if TYPE_CHECKING:
    from redis import Redis

_KEY = "berth:beat"


def note(task: str, *, seconds: float) -> None:
    """Have whoever sends a task, which is beat alone, note that it runs for so many seconds."""

    def tell(client: Redis) -> object:
        return client.set(_KEY, 1, px=round(seconds * 1000))

    def sent(**_: Any) -> None:
        with suppress(AwayError):
            shared_redis.ask(tell)

    after_task_publish.connect(sent, sender=task, weak=False)


def is_running() -> bool | None:
    """Tell whether beat runs; None while Redis is away."""
    try:
        return bool(shared_redis.ask(lambda client: client.exists(_KEY)))
    except AwayError:
        return None
