"""The batches of a drain's plan as steps of its map, in words."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy, pgettext, pgettext_lazy

from clusters.wording import counts
from clusters.wording.amounts import grouped
from clusters.wording.messages import plural

BEFORE: Final = gettext_lazy("Before the first batch: no node is drained yet.")
WHOLE: Final = pgettext_lazy("step of the map of a drain", "Whole plan")
SCALE: Final = pgettext_lazy("steps of the map of a drain", "Batches")


BATCHES = plural("%(number)s batch, drained by itself", "%(number)s batches, drained one after another", by="number")


def figure(*, nodes: int, evictions: int) -> str:
    """Sum a batch up: its nodes, and the pods that leave them."""
    return pgettext("a batch of a drain", "%(nodes)s, −%(pods)s") % {
        "nodes": counts.nodes(nodes),
        "pods": grouped(evictions),
    }


NO_SUCH_BATCH = plural("The plan has %(number)s batch.", "The plan has %(number)s batches.", by="number")
