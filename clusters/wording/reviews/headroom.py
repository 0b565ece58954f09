"""What a review says of headroom, and of what is left of it after a loss."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy, pgettext_lazy

from clusters.wording.messages import message, plural

RECREATED_FIRST: Final = gettext_lazy("After a loss, its pods are recreated first and scheduled elsewhere.")
NEWLY_PENDING: Final = gettext_lazy("Newly pending: those unschedulable, and preempted ones that stay so.")
NO_ZONES: Final = gettext_lazy("The nodes are not in several zones.")
SHAPES: Final = pgettext_lazy("picture", "How many more pods of each shape fit")
LEAD = plural(
    "More pods of %(shapes)s shape are placed, without preemption.",
    "More pods of %(shapes)s shapes are placed, each by itself, without preemption.",
    by="shapes",
)
NOT_COUNTED = message("Shapes not counted, without such pods or of another scheduler: %(shapes)s.")
NO_LOSSES = message("Losses are not simulated with more than %(pods)s pods, or without a counted shape.")
NODES_TRIED = message("The worst node of %(nodes)s simulated (of %(kinds)s kinds).")
NODE_LOST = plural(
    "If node %(name)s is lost, %(pods)s pod is recreated.",
    "If node %(name)s is lost, %(pods)s pods are recreated.",
    by="pods",
)
ZONE_LOST = plural(
    "If zone %(name)s is lost, %(pods)s pod is recreated.",
    "If zone %(name)s is lost, %(pods)s pods are recreated.",
    by="pods",
)
WORST_NODE = message("The worst loss is node %(name)s: its pods fit elsewhere.")
WORST_SIMULATED_NODE = message("The worst of %(nodes)s simulated losses is %(name)s: its pods fit elsewhere.")
WORST_ZONE = message("The worst loss is zone %(name)s: its pods fit elsewhere.")
FITS_THEN = message("Then %(fits)s more of shape %(shape)s fit, not %(now)s.")
FIT_NOW = message("%(shape)s: %(pods)s more fit now.")
FIT_WITHOUT_NODE = message("Without the worst node: %(pods)s.")
FIT_WITHOUT_ZONE = message("Without the worst zone: %(pods)s.")
