"""Answers to a name of a node, or a part of one, that somebody wrote: which nodes have it, or that none has."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _, gettext_lazy, ngettext

from clusters.wording.amounts import grouped
from clusters.wording.messages import message, plural


def offered(asked: str, number: int, *, more: bool) -> str:
    """Say which nodes are listed for a text (empty: for none); ``number`` are, and there may be ``more``."""
    if more and asked:
        return FIRST_MATCHES(nodes=number, asked=asked)
    if more:
        return ngettext(
            "The first %(nodes)s node of the cluster.", "The first %(nodes)s nodes of the cluster.", number
        ) % {"nodes": grouped(number)}
    if not number and not asked:
        return str(WITHOUT_NODES)
    if not number:
        return _("No node has “%(asked)s” in its name.") % {"asked": asked}
    return _("Nodes with “%(asked)s” in their name.") % {"asked": asked} if asked else _("All nodes.")


FIRST_MATCHES = plural(
    "More than %(nodes)s node has “%(asked)s” in its name; this is the first.",
    "More than %(nodes)s nodes have “%(asked)s” in their names; this is the first.",
    by="nodes",
)
EVERY_MATCH = plural(
    "%(nodes)s node has “%(asked)s” in its name.", "%(nodes)s nodes have “%(asked)s” in their name.", by="nodes"
)
WITHOUT_MATCH = message("%(cluster)s has no node %(asked)s, nor one with that in its name.")
SPELLED_ALIKE: Final = gettext_lazy("Similar names:")
WITHOUT_NODES: Final = gettext_lazy("The cluster has no nodes here.")


def not_one_node(cluster: str, asked: str, alike: int) -> str:
    """Say that a text names no single node; ``alike`` counts the nodes that it may mean."""
    if not alike:
        return _("%(cluster)s has no node like “%(asked)s”.") % {"cluster": cluster, "asked": asked}
    return ngettext(
        "“%(asked)s” is not the name of one node. Did you mean this one?",
        "“%(asked)s” is not the name of one node. Did you mean one of these?",
        alike,
    ) % {"asked": asked}
