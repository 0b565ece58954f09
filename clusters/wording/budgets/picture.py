"""What the pictures of a budget say: its pods against the floor, and the nodes that it keeps from being drained."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy, ngettext, pgettext, pgettext_lazy

from clusters.wording.amounts import grouped

TITLE: Final = gettext_lazy("Healthy pods and required ones")
REQUIRED: Final = pgettext_lazy("part of a picture", "Healthy, required")
MISSING: Final = pgettext_lazy("part of a picture", "Required, not healthy")
ALLOWED: Final = pgettext_lazy("part of a picture", "Healthy, may be evicted")
NOT_ALLOWED: Final = pgettext_lazy("part of a picture", "Healthy, not granted now")
UNHEALTHY: Final = pgettext_lazy("part of a picture", "Not healthy")
NODES_TITLE: Final = gettext_lazy("Pods by node, and evictions refused")
EVICTED: Final = pgettext_lazy("part of a picture", "Evicted at once")
REFUSED: Final = pgettext_lazy("part of a picture", "Eviction refused")


def floor(pods: int) -> str:
    """Name the line at the number of healthy pods that a budget requires."""
    return pgettext("line in a picture", "required: %(pods)s") % {"pods": grouped(pods)}


def part(label: str, pods: int) -> str:
    """Say how many pods a part of the picture stands for."""
    return pgettext("part of a picture", "%(label)s: %(pods)s") % {"label": label, "pods": grouped(pods)}


def summary(*, healthy: int, required: int, allowed: int) -> str:
    """Say in words what the picture shows."""
    return ngettext(
        "%(healthy)s healthy, %(required)s required: %(allowed)s disruption allowed.",
        "%(healthy)s healthy, %(required)s required: %(allowed)s disruptions allowed.",
        allowed,
    ) % {"healthy": grouped(healthy), "required": grouped(required), "allowed": grouped(allowed)}


def holds(shown: int, blocked: int, nodes: int) -> str:
    """Say of how many nodes with its pods a budget blocks the drain, and how many of them are drawn."""
    every = ngettext(
        "Blocks the drain of %(blocked)s of %(nodes)s node with its pods.",
        "Blocks the drain of %(blocked)s of %(nodes)s nodes with its pods.",
        nodes,
    ) % {"blocked": grouped(blocked), "nodes": grouped(nodes)}
    if shown == nodes:
        return every
    first = ngettext("Drawn: the first %(shown)s.", "Drawn: the first %(shown)s.", shown) % {"shown": grouped(shown)}
    return f"{every} {first}"
