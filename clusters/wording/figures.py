"""The figures of simulations and journals in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _, gettext_lazy

from clusters.wording.lists import listed
from clusters.wording.messages import message, plural

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime


# -- Titles, legends and sentences of figures -------------------------------------------------------------------------


# -- decisions over time ----------------------------------------------------------------------------------------------


def decisions_over_time(*, unit: str) -> str:
    """Name the columns of decisions; `unit` is minute, hour or day."""
    return {
        "minute": _("Decisions by verdict and minute"),
        "hour": _("Decisions by verdict and hour"),
        "day": _("Decisions by verdict and day"),
    }[unit]


def unit_of_time(unit: str) -> str:
    """Head the column of a table that says when."""
    return {"minute": _("Minute"), "hour": _("Hour"), "day": _("Day")}[unit]


def verdict(value: str) -> str:
    """Name a verdict of the journal's judge in a legend."""
    return {
        "agrees": _("agreed with"),
        "sampled": _("agreed with within sampling"),
        "disagrees": _("disagreed with"),
        "unjudged": _("not judged"),
        "waiting": _("not judged yet"),
    }[value]


def decisions_until(*, count: int, hours: int, end: datetime | None, by_verdict: Sequence[str]) -> str:
    """Sum up the hours before a moment; where ``end`` is None, the time that was asked for."""
    if not count:
        return _("No decisions.")
    if end is None:
        return _DECISIONS(count=count, verdicts=listed(by_verdict))
    return _DECISIONS_BEFORE(count=count, hours=hours, end=f"{end:%H:%M:%S %Z}", verdicts=listed(by_verdict))


_DECISIONS = plural("%(count)s decision: %(verdicts)s.", "%(count)s decisions: %(verdicts)s.", by="count")
_DECISIONS_BEFORE = plural(
    "%(count)s decision in the %(hours)s hours before %(end)s: %(verdicts)s.",
    "%(count)s decisions in the %(hours)s hours before %(end)s: %(verdicts)s.",
    by="count",
)


# -- Titles, legends and sentences of the figures of a simulation -----------------------------------------------------


def resource(name: str) -> str:
    """Name a resource in a legend; "pods" are the pods that nodes may hold."""
    return {"cpu": _("CPU"), "memory": _("Memory"), "pods": _("Node pod limit")}.get(name, name)


STEP = message("step %(number)s")
STEP_COLUMN: Final = gettext_lazy("step")
TIME: Final = gettext_lazy("time")
PODS: Final = gettext_lazy("pods")
REQUESTED_TITLE: Final = gettext_lazy("Requested of allocatable")


REQUESTED = message("Requested: %(courses)s.")
COURSE = message("%(name)s %(first)s to %(last)s (peak %(most)s)")
UNSCHEDULABLE_TITLE: Final = gettext_lazy("Unschedulable pods")
UNSCHEDULABLE = message("Unschedulable: at most %(most)s at once, %(last)s at the end.")
ZONES_TITLE: Final = gettext_lazy("CPU requested by zone")
ZONES = message("CPU at the end: %(most)s in %(fullest)s, %(least)s in %(emptiest)s.")
