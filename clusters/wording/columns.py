"""Heads of the columns of tables that several pages have."""

from __future__ import annotations

from typing import Final

from django.utils.translation import pgettext_lazy

from clusters.wording.messages import plural

POD: Final = pgettext_lazy("column", "Pod")
NODE: Final = pgettext_lazy("column", "Node")
ZONE: Final = pgettext_lazy("column", "Zone")
STATE: Final = pgettext_lazy("column", "State")
INSTANCE_TYPE: Final = pgettext_lazy("column", "Instance type")
CPU_REQUESTED: Final = pgettext_lazy("column", "CPU requested")
MEMORY_REQUESTED: Final = pgettext_lazy("column", "Memory requested")
PODS: Final = pgettext_lazy("column", "Pods")
CPU_REQUEST: Final = pgettext_lazy("column", "CPU request")
MEMORY_REQUEST: Final = pgettext_lazy("column", "Memory request")
WORKLOAD: Final = pgettext_lazy("column", "Workload")
PRIORITY: Final = pgettext_lazy("column", "Priority")
QOS_CLASS: Final = pgettext_lazy("column", "QoS class")
AGE: Final = pgettext_lazy("column", "Age")
PENDING_FOR: Final = pgettext_lazy("column", "Pending because of")


UNKNOWN = plural(
    "This table has no column %(asked)s. It has: %(known)s.",
    "This table has no columns %(asked)s. It has: %(known)s.",
    by="number",
)
