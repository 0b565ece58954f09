"""Containers of a pod that wait to be restarted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import pgettext_lazy

from clusters.wording.amounts import age
from clusters.wording.messages import message

if TYPE_CHECKING:
    from datetime import datetime, timedelta

    from clusters.engine.workloads import CrashLoop

RESTARTS: Final = pgettext_lazy("fact of a pod", "Restarts")


def crash_loop(loop: CrashLoop, *, delay: timedelta, at: datetime | None) -> str:
    """Say which restart of a container comes next, and when; ``at`` is None where it is not known when it ended."""
    most = "" if loop.is_told else "≤ "
    if at is None:
        return _RESTART(container=loop.container, restart=loop.restart, delay=f"{most}{age(delay)}")
    return _RESTART_AT(
        container=loop.container, restart=loop.restart, delay=f"{most}{age(delay)}", at=f"{most}{at:%H:%M:%S %Z}"
    )


_RESTART = message("%(container)s: CrashLoopBackOff; restart %(restart)s %(delay)s after it ended")
_RESTART_AT = message("%(container)s: CrashLoopBackOff; restart %(restart)s %(delay)s after it ended, at %(at)s")
