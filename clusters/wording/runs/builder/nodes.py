"""Changes to nodes: the labels, hints and errors of their forms."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _, gettext_lazy, pgettext_lazy

if TYPE_CHECKING:
    from collections.abc import Iterable

# Which nodes.
NODES: Final = gettext_lazy("Nodes")
BY_LABEL: Final = gettext_lazy("Or by label selector")
BY_ZONE: Final = gettext_lazy("Or all nodes of a zone")
NO_CHOICE: Final = gettext_lazy("Choose nodes by names, a label selector or their zone.")
TWO_CHOICES: Final = gettext_lazy("Choose nodes in one way: by names, a label selector or their zone.")

# A zone that is lost.
LOSE_ZONE: Final = gettext_lazy("Lose a zone")
LOSE_ZONE_ABOUT: Final = gettext_lazy("Removed: deleted, pods are recreated. Unreachable: the nodes stop answering.")
ZONE: Final = gettext_lazy("Zone")
HOW: Final = pgettext_lazy("how a zone is lost", "How")
REMOVED: Final = gettext_lazy("Its nodes are removed")
UNREACHABLE: Final = gettext_lazy("Its nodes become unreachable")
NO_ZONE: Final = gettext_lazy("Choose the zone that is lost.")

DRAIN: Final = gettext_lazy("Drain nodes")
DRAIN_ABOUT: Final = gettext_lazy(
    "One after another, as far as disruption budgets allow. Controllers recreate the pods."
)
FAIL: Final = gettext_lazy("Fail nodes")
FAIL_ABOUT: Final = gettext_lazy("They are tainted, and pods evicted once they no longer tolerate it.")
STOP_REPORTING: Final = gettext_lazy("They become unreachable")
REPORT_NOT_READY: Final = gettext_lazy("They become NotReady")
REMOVE: Final = gettext_lazy("Remove nodes")
REMOVE_ABOUT: Final = gettext_lazy("At once, without a drain. Controllers recreate the pods.")
CORDON_OR_UNCORDON: Final = gettext_lazy("Cordon or uncordon nodes")
WHAT: Final = pgettext_lazy("what is done with nodes", "Action")
CORDON: Final = gettext_lazy("Cordon")
UNCORDON: Final = gettext_lazy("Uncordon")

TAINT: Final = gettext_lazy("Taint nodes")
TAINTS: Final = gettext_lazy("Taints")
TAINTS_HINT: Final = gettext_lazy("As for kubectl; a dash at the end removes a taint.")
NO_TAINTS: Final = gettext_lazy("Write a taint, such as dedicated=gpu:NoSchedule.")
LABEL: Final = gettext_lazy("Label nodes")
LABELS: Final = gettext_lazy("Labels")
LABELS_HINT: Final = gettext_lazy("As for kubectl; a dash at the end removes a label.")
NO_LABELS: Final = gettext_lazy("Write a label, such as pool=spot.")

# Nodes that are added.
ADD: Final = gettext_lazy("Add nodes")
ADD_ABOUT: Final = gettext_lazy("Like a node of the cluster, or with given CPU and memory.")
COUNT: Final = gettext_lazy("Number of nodes")
LIKE: Final = gettext_lazy("Like node")
CPU: Final = gettext_lazy("Or with CPU")
MEMORY: Final = gettext_lazy("Memory")
PODS: Final = gettext_lazy("Pods")
RESOURCES: Final = gettext_lazy("Other resources")
ZONES: Final = gettext_lazy("In zones, in turn")
NO_COUNT: Final = gettext_lazy("Write how many nodes are added.")
TWO_SIZES: Final = gettext_lazy("Write CPU and memory, or a node that they are like, not both.")
NO_SIZE: Final = gettext_lazy("Write a node that they are like, or the CPU and memory of each.")


def unknown_zone(zone: str, zones: Iterable[str]) -> str:
    """Say that the cluster has no such zone, and which it has."""
    return _("There is no zone %(zone)s. The cluster has %(zones)s.") % {"zone": zone, "zones": ", ".join(zones)}
