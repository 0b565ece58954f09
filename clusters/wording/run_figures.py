"""Titles, legends and sentences of the figures of a simulation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _, gettext_lazy

from clusters.wording import states
from clusters.wording.lists import listed
from clusters.wording.messages import message, plural

if TYPE_CHECKING:
    from collections.abc import Sequence


def resource(name: str) -> str:
    """Name a resource in a legend; "pods" are the pods that nodes may hold."""
    return {"cpu": _("CPU"), "memory": _("Memory"), "pods": _("Node pod limit")}.get(name, name)


STEP = message("step %(number)s")
STEP_COLUMN: Final = gettext_lazy("step")
TIME: Final = gettext_lazy("time")
PODS: Final = gettext_lazy("pods")
NO_ZONE: Final = gettext_lazy("No zone")
REQUESTED_TITLE: Final = gettext_lazy("Requested of allocatable")


def requested(*, courses: Sequence[str]) -> str:
    """Say how each resource's share changes."""
    return _("Requested: %(courses)s.") % {"courses": listed(courses)}


def course(*, name: str, first: str, last: str, most: str) -> str:
    """Say from where to where a share goes, and its peak where that is between."""
    values = {"name": name, "first": first, "last": last, "most": most}
    if most in (first, last):
        return _("%(name)s from %(first)s to %(last)s") % values
    return _("%(name)s from %(first)s to %(last)s with a peak of %(most)s") % values


UNSCHEDULABLE_TITLE: Final = gettext_lazy("Unschedulable pods")


def unschedulable_line() -> str:
    """Name that line in a legend."""
    return str(states.UNSCHEDULABLE)


UNSCHEDULABLE = plural(
    "At most %(most)s pod unschedulable at once; %(last)s at the end.",
    "At most %(most)s pods unschedulable at once; %(last)s at the end.",
    by="most",
)
ZONES_TITLE: Final = gettext_lazy("CPU requested by zone")


def zones(*, fullest: str, most: str, emptiest: str, least: str) -> str:
    """Say how much of the CPU is requested at the end, in the fullest and in the emptiest zone."""
    if most == least:
        return _("CPU at the end: %(most)s in every zone.") % {"most": most}
    return _("CPU at the end: %(most)s in %(fullest)s, %(least)s in %(emptiest)s.") % {
        "most": most,
        "fullest": fullest,
        "least": least,
        "emptiest": emptiest,
    }
