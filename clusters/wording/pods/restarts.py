"""Containers of a pod that wait to be restarted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _, pgettext_lazy

from clusters.wording.amounts import age, grouped

if TYPE_CHECKING:
    from datetime import datetime, timedelta

    from clusters.engine.workloads import CrashLoop

RESTARTS: Final = pgettext_lazy("fact of a pod", "Restarts")


def crash_loop(loop: CrashLoop, *, delay: timedelta, at: datetime | None) -> str:
    """Say which restart of a container comes next, and when; ``at`` is None where it is not known when it ended."""
    values = {
        "container": loop.container,
        "restart": grouped(loop.restart),
        "delay": age(delay),
        "at": "" if at is None else f"{at:%H:%M:%S %Z}",
    }
    if at is None and loop.is_told:
        return _("%(container)s: CrashLoopBackOff; restart %(restart)s comes %(delay)s after it ended") % {
            "container": values["container"],
            "restart": values["restart"],
            "delay": values["delay"],
        }
    if at is None:
        return _("%(container)s: CrashLoopBackOff; restart %(restart)s comes %(delay)s after it ended at most") % {
            "container": values["container"],
            "restart": values["restart"],
            "delay": values["delay"],
        }
    if loop.is_told:
        return (
            _("%(container)s: CrashLoopBackOff; restart %(restart)s comes %(delay)s after it ended, at %(at)s") % values
        )
    return (
        _("%(container)s: CrashLoopBackOff; restart %(restart)s comes %(delay)s after it ended at most, by %(at)s")
        % values
    )
