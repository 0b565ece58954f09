"""Messages to workers: each that is free takes one."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from celery import group, signature
from kombu.exceptions import OperationalError

if TYPE_CHECKING:
    from collections.abc import Iterable

_log = logging.getLogger(__name__)


def send_all(task: str, keys: Iterable[int]) -> None:
    """Have workers run a task, by its name, for each of these rows.

    Without Redis the rows wait until it is back: what resumes abandoned work sends them again.
    """
    messages = [signature(task, args=(key,)) for key in keys]
    if not messages:
        return
    try:
        group(messages).apply_async()
    except OperationalError as error:
        _log.warning("%d simulations wait, because Redis does not answer: %s", len(messages), error)
