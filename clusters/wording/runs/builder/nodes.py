"""Changes to nodes: the labels, hints and errors of their forms."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _, gettext_lazy, pgettext_lazy

if TYPE_CHECKING:
    from collections.abc import Iterable

# Which nodes.
NODES: Final = gettext_lazy("Nodes")
BY_LABEL: Final = gettext_lazy("Or label selector")
BY_ZONE: Final = gettext_lazy("Or zone")
NO_CHOICE: Final = gettext_lazy("Choose names, a label selector or a zone.")
TWO_CHOICES: Final = gettext_lazy("Choose one: names, a label selector or a zone.")

# A zone that is lost.
LOSE_ZONE: Final = gettext_lazy("Lose a zone")
LOSE_ZONE_ABOUT: Final = gettext_lazy("Removed: pods are recreated. Unreachable: nodes stop answering.")
ZONE: Final = gettext_lazy("Zone")
HOW: Final = pgettext_lazy("zone", "How")
REMOVED: Final = gettext_lazy("Nodes removed")
UNREACHABLE: Final = gettext_lazy("Nodes unreachable")
NO_ZONE: Final = gettext_lazy("Choose the zone.")

DRAIN: Final = gettext_lazy("Drain nodes")
DRAIN_ABOUT: Final = gettext_lazy("One by one, as far as disruption budgets allow.")
FAIL: Final = gettext_lazy("Fail nodes")
FAIL_ABOUT: Final = gettext_lazy("Tainted; pods are evicted as their tolerations end.")
STOP_REPORTING: Final = gettext_lazy("Unreachable")
REPORT_NOT_READY: Final = gettext_lazy("NotReady")
REMOVE: Final = gettext_lazy("Remove nodes")
REMOVE_ABOUT: Final = gettext_lazy("At once, without a drain.")
CORDON_OR_UNCORDON: Final = gettext_lazy("Cordon or uncordon nodes")
WHAT: Final = pgettext_lazy("nodes", "Action")
CORDON: Final = gettext_lazy("Cordon")
UNCORDON: Final = gettext_lazy("Uncordon")

TAINT: Final = gettext_lazy("Taint nodes")
TAINTS: Final = gettext_lazy("Taints")
KUBECTL_HINT: Final = gettext_lazy("As for kubectl; a final dash removes.")
NO_TAINTS: Final = gettext_lazy("Write a taint: dedicated=gpu:NoSchedule.")
LABEL: Final = gettext_lazy("Label nodes")
LABELS: Final = gettext_lazy("Labels")
NO_LABELS: Final = gettext_lazy("Write a label: pool=spot.")

# Nodes that are added.
ADD: Final = gettext_lazy("Add nodes")
ADD_ABOUT: Final = gettext_lazy("Like another node, or of a given size.")
COUNT: Final = gettext_lazy("Number of nodes")
LIKE: Final = gettext_lazy("Like node")
CPU: Final = gettext_lazy("Or with CPU")
MEMORY: Final = gettext_lazy("Memory")
PODS: Final = gettext_lazy("Pods")
RESOURCES: Final = gettext_lazy("Other resources")
ZONES: Final = gettext_lazy("In zones, in turn")
NO_COUNT: Final = gettext_lazy("Write how many nodes.")
TWO_SIZES: Final = gettext_lazy("Choose a node to copy or CPU and memory, not both.")
NO_SIZE: Final = gettext_lazy("Choose a node to copy, or CPU and memory.")


def unknown_zone(zone: str, zones: Iterable[str]) -> str:
    """Say that the cluster has no such zone, and which it has."""
    return _("There is no zone %(zone)s, only %(zones)s.") % {"zone": zone, "zones": ", ".join(zones)}
