"""What the log leaves out, and what it says of a request in one line."""

from __future__ import annotations

import logging

from django.core.exceptions import PermissionDenied


class Housekeeping(logging.Filter):
    """Passes over what Celery tells of one task while that goes well; every minute, it would fill the terminal."""

    def __init__(self, task: str) -> None:
        super().__init__()
        self._task = task

    def filter(self, record: logging.LogRecord) -> bool:
        return record.levelno > logging.INFO or self._task not in record.getMessage()


def pass_over(task: str) -> None:
    """Keep a task out of the log unless something is wrong with it."""
    for name in ("celery.beat", "celery.worker.strategy", "celery.app.trace"):
        logging.getLogger(name).addFilter(Housekeeping(task))


class Refusals(logging.Filter):
    """Says in a line that somebody was refused: where the refusal comes from is of no interest, as with any page."""

    def filter(self, record: logging.LogRecord) -> bool:
        if record.exc_info and isinstance(record.exc_info[1], PermissionDenied):
            record.exc_info = None
        return True
