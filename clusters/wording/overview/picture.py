"""The picture of a whole cluster: states of nodes and pods, and what is said of a zone."""

from __future__ import annotations

from typing import Final

from django.utils.translation import pgettext_lazy

from clusters.wording.messages import message

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


ZONE_AND_STATE = message("%(zone)s, %(state)s", context="node in the picture")
NODE_CPU = message("CPU: %(percent)s %% of %(allocatable)s requested")
NODE_MEMORY = message("Memory: %(percent)s %% of %(allocatable)s requested")
NODE_PODS = message("Pods: %(pods)s of %(most)s")
POD_REQUESTS = message("%(cpu)s and %(memory)s of memory requested")
POD_ON = message("%(state)s, on %(node)s", context="pod in the picture")
CPU_REQUESTED = message("%(nodes)s, %(percent)s of CPU requested")
MEMORY_REQUESTED = message("%(nodes)s, %(percent)s of memory requested")
WITH_PODS = message("%(nodes)s, %(pods)s")
SOME_CLOSED = message("%(nodes)s, %(closed)s")
ALL_OPEN = message("%(nodes)s, all schedulable")
