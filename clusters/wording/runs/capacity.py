"""Questions about capacity: headroom, nodes needed, removable nodes; their titles, and the bars of headroom."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy, pgettext_lazy

from clusters.wording.messages import message, plural

RIGHT_SIZED_NODES: Final = gettext_lazy("Removable nodes, with recommended requests")
REMOVABLE_NODES: Final = gettext_lazy("Removable nodes")
HEADROOM_OF_MIX: Final = gettext_lazy("Headroom for a mix of pods")
NODES_FOR_MANIFEST: Final = gettext_lazy("Nodes needed for a manifest")

# How many pods fit, at the end of a bar.
NOW: Final = pgettext_lazy("headroom", "now")
AFTER_NODE: Final = pgettext_lazy("headroom", "after losing a node")
AFTER_ZONE: Final = pgettext_lazy("headroom", "after losing a zone")


HEADROOM_OF_SHAPES = plural(
    "Headroom for %(shapes)s shape of pods", "Headroom for %(shapes)s shapes of pods", by="shapes"
)
SHAPE_OF = message("%(cpu)s CPU, %(memory)s")
HEADROOM_OF = message("Headroom for more of %(pods)s")
NODES_FOR_REPLICAS = plural(
    "Nodes needed for %(replicas)s more replica of %(workload)s",
    "Nodes needed for %(replicas)s more replicas of %(workload)s",
    by="replicas",
)
