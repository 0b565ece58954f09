"""Titles, legends and sentences of the figures of a simulation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clusters.wording import states
from clusters.wording.amounts import grouped
from clusters.wording.lists import listed

if TYPE_CHECKING:
    from collections.abc import Sequence


def resource(name: str) -> str:
    """Name a resource in a legend; "pods" are the pods that nodes may hold."""
    return {"cpu": _("CPU"), "memory": _("Memory"), "pods": _("Node pod limit")}.get(name, name)


def step(*, number: str) -> str:
    """Name a step of a simulation at an axis."""
    return _("step %(number)s") % {"number": number}


def step_column() -> str:
    """Head the column of steps."""
    return _("step")


def time() -> str:
    """Head the column of times."""
    return _("time")


def pods() -> str:
    """Name the unit of a scale that counts pods."""
    return _("pods")


def no_zone() -> str:
    """Name the nodes without a zone."""
    return _("No zone")


def requested_title() -> str:
    """Name the lines of what is requested."""
    return _("Requested of allocatable")


def requested(*, courses: Sequence[str]) -> str:
    """Say how each resource's share changes."""
    return _("Requested: %(courses)s.") % {"courses": listed(courses)}


def course(*, name: str, first: str, last: str, most: str) -> str:
    """Say from where to where a share goes, and its peak where that is between."""
    values = {"name": name, "first": first, "last": last, "most": most}
    if most in (first, last):
        return _("%(name)s from %(first)s to %(last)s") % values
    return _("%(name)s from %(first)s to %(last)s with a peak of %(most)s") % values


def unschedulable_title() -> str:
    """Name the line of pods that no node takes."""
    return _("Unschedulable pods")


def unschedulable_line() -> str:
    """Name that line in a legend."""
    return str(states.UNSCHEDULABLE)


def unschedulable(*, most: int, last: int) -> str:
    """Say how many pods were unschedulable at once, and how many are at the end."""
    return ngettext(
        "At most %(most)s pod is unschedulable at once; %(last)s at the end.",
        "At most %(most)s pods are unschedulable at once; %(last)s at the end.",
        most,
    ) % {"most": grouped(most), "last": grouped(last)}


def zones_title() -> str:
    """Name the lines of what is requested in each zone."""
    return _("CPU requested by zone")


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
