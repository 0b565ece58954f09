"""What the log leaves out."""

from __future__ import annotations

import logging


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
