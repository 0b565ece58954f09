"""The findings that sum a cluster up, each a link: what is wrong, at risk and wasteful."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext_lazy, ngettext

from clusters.wording.amounts import grouped
from clusters.wording.lists import listed
from clusters.wording.messages import plural

if TYPE_CHECKING:
    from collections.abc import Iterable

AT_RISK: Final = gettext_lazy("At risk:")
WASTEFUL: Final = gettext_lazy("Wasteful:")


def not_ready(nodes: int) -> str:
    """Count the nodes that are not ready."""
    return ngettext("%(nodes)s node is NotReady", "%(nodes)s nodes are NotReady", nodes) % {"nodes": grouped(nodes)}


PENDING = plural("%(pods)s pod is pending", "%(pods)s pods are pending", by="pods")
UNDER_PRESSURE = plural("%(nodes)s node is under pressure", "%(nodes)s nodes are under pressure", by="nodes")
BLOCKED_UNTIL_CHANGED = plural(
    "%(nodes)s drain is blocked until a budget is changed",
    "%(nodes)s drains are blocked until a budget is changed",
    by="nodes",
)
BLOCKED_FOR_NOW = plural(
    "%(nodes)s drain is blocked until pods are ready",
    "%(nodes)s drains are blocked until pods are ready",
    by="nodes",
)
EXCEEDED = plural(
    "%(constraints)s spread constraint is exceeded (%(worst)s: skew %(skew)s, maxSkew %(max_skew)s)",
    "%(constraints)s spread constraints are exceeded (worst: %(worst)s, skew %(skew)s, maxSkew %(max_skew)s)",
    by="constraints",
)
NOT_RECREATED = plural(
    "%(pods)s pod has no controller",
    "%(pods)s pods have no controller",
    by="pods",
)
HOST_PORTS = plural(
    "%(pods)s pod has a host port",
    "%(pods)s pods have host ports",
    by="pods",
)


def stranded(nodes: int, left: Iterable[str]) -> str:
    """Count the nodes with stranded capacity, and say how much that is; ``left``: amounts of each resource."""
    return ngettext("%(nodes)s node strands %(left)s", "%(nodes)s nodes strand %(left)s", nodes) % {
        "nodes": grouped(nodes),
        "left": listed(left),
    }
