"""The fields by which nodes and workloads of a sandbox are added."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy, pgettext_lazy

from clusters.wording.messages import message

NAME: Final = gettext_lazy("Name")
BAD_NAME: Final = gettext_lazy("Names have lower-case letters, digits and dashes, such as web-1.")
NAMESPACE: Final = gettext_lazy("Namespace")
ZONE: Final = gettext_lazy("Zone")
ZONE_HINT: Final = gettext_lazy("Leave it empty for a node without a zone.")
CPU: Final = gettext_lazy("CPU")
MEMORY: Final = gettext_lazy("Memory")
PODS: Final = gettext_lazy("Pods")
GPUS: Final = gettext_lazy("GPUs")
LABELS: Final = gettext_lazy("Labels")
LABELS_HINT: Final = gettext_lazy("Such as pool=spot, disk=ssd")
TAINT_KEY: Final = gettext_lazy("Key of a taint")
TAINT_VALUE: Final = gettext_lazy("Value of the taint")
TAINT_EFFECT: Final = gettext_lazy("Effect of the taint")

KIND: Final = gettext_lazy("Template")
REPLICAS: Final = gettext_lazy("Replicas")
PRIORITY: Final = gettext_lazy("Priority")
PRIORITY_HINT: Final = gettext_lazy("Pods of higher priority go first, and may preempt others.")
NODE_SELECTOR: Final = gettext_lazy("Node selector")
ZONES: Final = gettext_lazy("Only in zones")
ZONES_HINT: Final = gettext_lazy("Node affinity, such as zone-a, zone-b. Leave it empty for all.")
TOLERATES: Final = gettext_lazy("Tolerates")
NO_TOLERATION: Final = gettext_lazy("no taint")
SPREAD: Final = gettext_lazy("Topology spread")
APART: Final = gettext_lazy("Pod anti-affinity")
NEAR: Final = gettext_lazy("In the zone of pods with the label app")
NEAR_HINT: Final = gettext_lazy("Pod affinity: the name of another workload.")
AVAILABLE: Final = gettext_lazy("Available at least (budget)")
AVAILABLE_HINT: Final = gettext_lazy("0 for no PodDisruptionBudget.")

KINDS: Final = {
    "Deployment": gettext_lazy("Deployment: replicas"),
    "DaemonSet": gettext_lazy("DaemonSet: a pod on each node"),
    "Pod": gettext_lazy("Pod: one that nothing recreates"),
}
SPREADS: Final = {
    "": pgettext_lazy("topology spread", "none"),
    "zones": gettext_lazy("over zones (DoNotSchedule)"),
    "zones-preferred": gettext_lazy("over zones (ScheduleAnyway)"),
    "nodes": gettext_lazy("over nodes (DoNotSchedule)"),
}
APARTS: Final = {
    "": pgettext_lazy("pod anti-affinity", "none"),
    "nodes": gettext_lazy("required: one pod a node"),
    "nodes-preferred": gettext_lazy("preferred: one pod a node"),
    "zones": gettext_lazy("required: one pod a zone"),
}


NOT_LABELS = message("%(found)s is no label. Write key=value, and commas between several.")


EFFECT_WITHOUT_KEY: Final = gettext_lazy("The taint has no key. Write one, or leave value and effect.")
KEY_WITHOUT_EFFECT: Final = gettext_lazy("Choose the effect of the taint.")
