"""Messages to workers: each says that there is a piece of work more in a line, and whoever is free takes a turn."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Final

from celery import group, signature
from django.db.models import Count
from kombu.exceptions import OperationalError

from clusters.adapters import shared_redis
from clusters.adapters.shared_redis import AwayError
from clusters.models.lane import Lane

if TYPE_CHECKING:
    from collections.abc import Collection

    from django.db.models import Model

_log = logging.getLogger(__name__)

# By name, because tasks call services and not the other way round.
TASK: Final = "clusters.tasks.take_turn"


def send_all(model: type[Model], keys: Collection[int], lane: Lane | None = None) -> None:
    """Let this work, rows of a model by primary key, wait in a line, and tell workers that there is so much more.

    Without a line each waits in the one in which it was. Without Redis the rows wait until it is back: what resumes
    abandoned work sends them again.
    """
    if not keys:
        return
    rows = model._default_manager.filter(pk__in=keys)
    if lane is None:
        rows.filter(lane="").update(lane=Lane.SIMULATIONS)
    else:
        rows.update(lane=lane)
    counts = dict(rows.order_by().values_list("lane").annotate(Count("pk")))
    try:
        shared_redis.knock()
        group(
            [
                signature(TASK, args=(found,), options={"queue": found})
                for found, number in counts.items()
                for _ in range(number)
            ]
        ).apply_async()
    except (AwayError, OperationalError) as error:
        words = model._meta.verbose_name_plural
        _log.warning("%d %s wait, because Redis is unavailable: %s", len(keys), words, error)
