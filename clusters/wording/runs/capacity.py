"""Questions about capacity: headroom, nodes needed, removable nodes; their titles, and the bars of headroom."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from clusters.wording.amounts import grouped

RIGHT_SIZED_NODES: Final = gettext_lazy("Removable nodes with recommended requests")
REMOVABLE_NODES: Final = gettext_lazy("Removable nodes")
HEADROOM_OF_MIX: Final = gettext_lazy("Headroom for a mix of pods")
NODES_FOR_MANIFEST: Final = gettext_lazy("Nodes needed for a manifest")

# How many pods fit, at the end of a bar.
NOW: Final = pgettext_lazy("headroom", "now")
AFTER_NODE: Final = pgettext_lazy("headroom", "after losing a node")
AFTER_ZONE: Final = pgettext_lazy("headroom", "after losing a zone")


def headroom_of_shapes(shapes: int) -> str:
    """Name the question how many pods of some shapes fit."""
    return ngettext("Headroom for %(shapes)s shape of pods", "Headroom for %(shapes)s shapes of pods", shapes) % {
        "shapes": grouped(shapes)
    }


def shape_of(*, cpu: str, memory: str) -> str:
    """Name pods by what they request, as it is written in manifests."""
    return _("%(cpu)s CPU, %(memory)s") % {"cpu": cpu, "memory": memory}


def headroom_of(pods: str) -> str:
    """Name the question how many more of some pods fit."""
    return _("Headroom for more of %(pods)s") % {"pods": pods}


def nodes_for_replicas(replicas: int, workload: str) -> str:
    """Name the question how many nodes more replicas of a workload need."""
    return ngettext(
        "Nodes needed for %(replicas)s more replica of %(workload)s",
        "Nodes needed for %(replicas)s more replicas of %(workload)s",
        replicas,
    ) % {"replicas": grouped(replicas), "workload": workload}
