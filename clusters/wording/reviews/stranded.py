"""What a review says of stranded capacity."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext_lazy, ngettext

from clusters.wording.amounts import grouped
from clusters.wording.lists import listed
from clusters.wording.messages import plural

if TYPE_CHECKING:
    from collections.abc import Iterable

NONE: Final = gettext_lazy("No CPU or memory is stranded: both are nearly exhausted together.")
WHAT_IT_IS: Final = gettext_lazy("Stranded: less than half requested, and more than nine tenths of another resource.")


def stranded(amounts: Iterable[str], nodes: int) -> str:
    """Say how much hardly any pod can use, and on how many nodes."""
    return ngettext(
        "Stranded: %(amounts)s, on %(nodes)s node where another resource is nearly exhausted.",
        "Stranded: %(amounts)s, on %(nodes)s nodes where another resource is nearly exhausted.",
        nodes,
    ) % {"amounts": listed(amounts), "nodes": grouped(nodes)}


UNTOLERATED = plural(
    "%(taints)s taint is tolerated by no pod but those of DaemonSets.",
    "%(taints)s taints are tolerated by no pod but those of DaemonSets.",
    by="taints",
)
AT_POD_LIMIT = plural(
    "%(nodes)s node has free CPU and memory, but is at its pod limit.",
    "%(nodes)s nodes have free CPU and memory, but are at their pod limit.",
    by="nodes",
)
