"""What a review says of headroom, and of what is left of it after a loss."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from clusters.wording.amounts import grouped
from clusters.wording.evaluation import counted
from clusters.wording.messages import message, plural

RECREATED_FIRST: Final = gettext_lazy(
    "After the loss of a node or a zone, controllers recreate its pods first, and they are scheduled elsewhere."
)
NEWLY_PENDING: Final = gettext_lazy(
    "Newly pending: unschedulable ones of them, and preempted pods that stay unschedulable."
)
NO_ZONES: Final = gettext_lazy("The nodes are not in several zones.")
SHAPES: Final = pgettext_lazy("picture of a review", "How many more pods of each shape fit")


LEAD = plural(
    "More pods of %(shapes)s shape are placed, without preemption.",
    "More pods of %(shapes)s shapes are placed, each by itself, without preemption.",
    by="shapes",
)
NOT_COUNTED = plural(
    "%(shapes)s shape is not counted: no such pod exists, or another scheduler is responsible.",
    "%(shapes)s shapes are not counted: no such pods exist, or another scheduler is responsible.",
    by="shapes",
)
NO_LOSSES = plural(
    "Losses are not simulated with more than %(pods)s pod, or without a shape that can be counted.",
    "Losses are not simulated with more than %(pods)s pods, or without a shape that can be counted.",
    by="pods",
)
NODES_TRIED = plural(
    "The worst of %(nodes)s node (of %(kinds)s kinds): the one whose loss affects most.",
    "The worst of %(nodes)s nodes (of %(kinds)s kinds): the one whose loss affects most.",
    by="nodes",
)


def node_lost(name: str, recreated: int) -> str:
    """Say whose pods have to be recreated if a node is lost."""
    return ngettext(
        "If node %(name)s is lost, its %(pods)s pod is recreated.",
        "If node %(name)s is lost, its %(pods)s pods are recreated.",
        recreated,
    ) % {"name": name, "pods": grouped(recreated)}


def zone_lost(name: str, recreated: int) -> str:
    """Say whose pods have to be recreated if a zone is lost."""
    return ngettext(
        "If zone %(name)s is lost, its %(pods)s pod is recreated.",
        "If zone %(name)s is lost, its %(pods)s pods are recreated.",
        recreated,
    ) % {"name": name, "pods": grouped(recreated)}


WORST_NODE = message("The worst loss is that of node %(name)s: its pods fit on other nodes.")
WORST_SIMULATED_NODE = plural(
    "Of %(nodes)s simulated loss of a node the worst is that of %(name)s: its pods fit on other nodes.",
    "Of %(nodes)s simulated losses of a node the worst is that of %(name)s: its pods fit on other nodes.",
    by="nodes",
)
WORST_ZONE = message("The worst loss is that of zone %(name)s: its pods fit on other nodes.")


def fits_then(*, fits: int, now: int, shape: str, fits_is_whole: bool, now_is_whole: bool) -> str:
    """Say how many more pods of a shape fit after a loss, and how many do now; at least where counting ended."""
    return ngettext(
        "Then %(fits)s more pod of shape %(shape)s fits, instead of %(now)s.",
        "Then %(fits)s more pods of shape %(shape)s fit, instead of %(now)s.",
        fits,
    ) % {"fits": counted(fits, is_whole=fits_is_whole), "shape": shape, "now": counted(now, is_whole=now_is_whole)}


def fit_now(shape: str, pods: int, *, is_whole: bool) -> str:
    """Say how many more pods of a shape fit now."""
    return ngettext("%(shape)s: %(pods)s more pod fits now.", "%(shape)s: %(pods)s more pods fit now.", pods) % {
        "shape": shape,
        "pods": counted(pods, is_whole=is_whole),
    }


def fit_without_node(pods: int, *, is_whole: bool) -> str:
    """Say how many more fit after the worst loss of a node."""
    return ngettext("After the loss of a node %(pods)s fits.", "After the loss of a node %(pods)s fit.", pods) % {
        "pods": counted(pods, is_whole=is_whole)
    }


def fit_without_zone(pods: int, *, is_whole: bool) -> str:
    """Say how many more fit after the worst loss of a zone."""
    return ngettext("After the loss of a zone %(pods)s fits.", "After the loss of a zone %(pods)s fit.", pods) % {
        "pods": counted(pods, is_whole=is_whole)
    }
