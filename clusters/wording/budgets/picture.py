"""What the pictures of a budget say: its pods against the floor, and the nodes that it keeps from being drained."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy, pgettext_lazy

from clusters.wording.messages import message, plural

TITLE: Final = gettext_lazy("Healthy pods and required ones")
REQUIRED: Final = pgettext_lazy("part of a picture", "Healthy, required")
MISSING: Final = pgettext_lazy("part of a picture", "Required, not healthy")
ALLOWED: Final = pgettext_lazy("part of a picture", "Healthy, may be evicted")
NOT_ALLOWED: Final = pgettext_lazy("part of a picture", "Healthy, not granted now")
UNHEALTHY: Final = pgettext_lazy("part of a picture", "Not healthy")
NODES_TITLE: Final = gettext_lazy("Pods by node, and evictions refused")
EVICTED: Final = pgettext_lazy("part of a picture", "Evicted at once")
REFUSED: Final = pgettext_lazy("part of a picture", "Eviction refused")


FLOOR = message("required: %(pods)s", context="line in a picture")
PART = message("%(label)s: %(pods)s", context="part of a picture")
SUMMARY = plural(
    "%(healthy)s healthy, %(required)s required: %(allowed)s disruption allowed.",
    "%(healthy)s healthy, %(required)s required: %(allowed)s disruptions allowed.",
    by="allowed",
)


_HOLDS = plural(
    "Blocks the drain of %(blocked)s of %(nodes)s node with its pods.",
    "Blocks the drain of %(blocked)s of %(nodes)s nodes with its pods.",
    by="nodes",
)
_DRAWN = message("Drawn: the first %(shown)s.")


def holds(shown: int, blocked: int, nodes: int) -> str:
    """Say of how many nodes with its pods a budget blocks the drain, and how many of them are drawn."""
    every = _HOLDS(blocked=blocked, nodes=nodes)
    return every if shown == nodes else f"{every} {_DRAWN(shown=shown)}"
