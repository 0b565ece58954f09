"""What is requested of a zone after a step of a simulation."""

from __future__ import annotations

from django.utils.translation import gettext as _


def cpu_requested(zone: str) -> str:
    """Name the bar of CPU."""
    return _("CPU requested in %(zone)s") % {"zone": zone}


def memory_requested(zone: str) -> str:
    """Name the bar of memory."""
    return _("Memory requested in %(zone)s") % {"zone": zone}


def pods_in(zone: str) -> str:
    """Name the bar of pods."""
    return _("Pods in %(zone)s") % {"zone": zone}
