"""Titles, legends and sentences of the figures of a simulation."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _, gettext_lazy

from clusters.wording.messages import message


def resource(name: str) -> str:
    """Name a resource in a legend; "pods" are the pods that nodes may hold."""
    return {"cpu": _("CPU"), "memory": _("Memory"), "pods": _("Node pod limit")}.get(name, name)


STEP = message("step %(number)s")
STEP_COLUMN: Final = gettext_lazy("step")
TIME: Final = gettext_lazy("time")
PODS: Final = gettext_lazy("pods")
NO_ZONE: Final = gettext_lazy("No zone")
REQUESTED_TITLE: Final = gettext_lazy("Requested of allocatable")


REQUESTED = message("Requested: %(courses)s.")
COURSE = message("%(name)s %(first)s to %(last)s (peak %(most)s)")
UNSCHEDULABLE_TITLE: Final = gettext_lazy("Unschedulable pods")
UNSCHEDULABLE = message("Unschedulable: at most %(most)s at once, %(last)s at the end.")
ZONES_TITLE: Final = gettext_lazy("CPU requested by zone")
ZONES = message("CPU at the end: %(most)s in %(fullest)s, %(least)s in %(emptiest)s.")
