"""The picture of a whole cluster: states of nodes and pods, and what is said of a zone."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import pgettext_lazy

NOT_READY: Final = pgettext_lazy("state of a node in the picture", "NotReady")
UNKNOWN: Final = pgettext_lazy("state of a node in the picture", "readiness not known")
PRESSURE: Final = pgettext_lazy("state of a node in the picture", "under pressure")
CORDONED: Final = pgettext_lazy("state of a node in the picture", "cordoned")
RESERVED: Final = pgettext_lazy("state of a node in the picture", "reserved by taints")
OPEN: Final = pgettext_lazy("state of a node in the picture", "schedulable")

TERMINATING: Final = pgettext_lazy("state of a pod in the picture", "terminating")
STARTING: Final = pgettext_lazy("state of a pod in the picture", "starting")
UNREADY: Final = pgettext_lazy("state of a pod in the picture", "not ready")
READY: Final = pgettext_lazy("state of a pod in the picture", "ready")


def cpu_requested(nodes: str, percent: str) -> str:
    """Say how much of a zone's CPU is requested."""
    return _("%(nodes)s, %(percent)s of CPU requested") % {"nodes": nodes, "percent": percent}


def memory_requested(nodes: str, percent: str) -> str:
    """Say how much of a zone's memory is requested."""
    return _("%(nodes)s, %(percent)s of memory requested") % {"nodes": nodes, "percent": percent}


def with_pods(nodes: str, pods: str) -> str:
    """Say how many pods a zone has."""
    return _("%(nodes)s, %(pods)s") % {"nodes": nodes, "pods": pods}


def some_closed(nodes: str, closed: str) -> str:
    """Say how many nodes of a zone accept no pods."""
    return _("%(nodes)s, %(closed)s") % {"nodes": nodes, "closed": closed}


def all_open(nodes: str) -> str:
    """Say that every node of a zone accepts pods."""
    return _("%(nodes)s, all schedulable") % {"nodes": nodes}
