"""The picture of a whole cluster: states of nodes and pods, and what is said of a zone."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import pgettext, pgettext_lazy

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


NO_CONTROLLER: Final = pgettext_lazy("workload of a pod in the picture", "no controller")


def zone_and_state(*, zone: str, state: str) -> str:
    """Say in which zone a node is, and its state."""
    return pgettext("node in the picture", "%(zone)s, %(state)s") % {"zone": zone, "state": state}


def node_cpu(*, percent: str, allocatable: str) -> str:
    """Say how much of a node's CPU is requested."""
    return _("CPU: %(percent)s %% of %(allocatable)s requested") % {"percent": percent, "allocatable": allocatable}


def node_memory(*, percent: str, allocatable: str) -> str:
    """Say how much of a node's memory is requested."""
    return _("Memory: %(percent)s %% of %(allocatable)s requested") % {"percent": percent, "allocatable": allocatable}


def node_pods(*, pods: str, most: str) -> str:
    """Say how many pods a node has of how many it may have."""
    return _("Pods: %(pods)s of %(most)s") % {"pods": pods, "most": most}


def pod_requests(*, cpu: str, memory: str) -> str:
    """Say what a pod requests."""
    return _("%(cpu)s and %(memory)s of memory requested") % {"cpu": cpu, "memory": memory}


def pod_on(*, state: str, node: str) -> str:
    """Say in which state a pod is, and on which node."""
    return pgettext("pod in the picture", "%(state)s, on %(node)s") % {"state": state, "node": node}


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
