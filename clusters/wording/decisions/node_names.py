"""Answers to a name of a node, or a part of one, that somebody wrote: which nodes have it, or that none has."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clusters.wording.amounts import grouped


def offered(asked: str, number: int, *, more: bool) -> str:
    """Say which nodes are listed for a text (empty: for none); ``number`` are, and there may be ``more``."""
    if more and asked:
        return first_matches(asked, number)
    if more:
        return ngettext(
            "The first %(nodes)s node of the cluster.", "The first %(nodes)s nodes of the cluster.", number
        ) % {"nodes": grouped(number)}
    if not number and not asked:
        return without_nodes()
    if not number:
        return _("No node has “%(asked)s” in its name.") % {"asked": asked}
    return _("Nodes with “%(asked)s” in their name.") % {"asked": asked} if asked else _("All nodes.")


def first_matches(asked: str, number: int) -> str:
    """Say that only the first ``number`` nodes with a text in their name are listed."""
    return ngettext(
        "More than %(nodes)s node has “%(asked)s” in its name; this is the first.",
        "More than %(nodes)s nodes have “%(asked)s” in their name; these are the first.",
        number,
    ) % {"nodes": grouped(number), "asked": asked}


def every_match(asked: str, number: int) -> str:
    """Say how many nodes have a text in their name; they are listed."""
    return ngettext(
        "%(nodes)s node has “%(asked)s” in its name.", "%(nodes)s nodes have “%(asked)s” in their name.", number
    ) % {"nodes": grouped(number), "asked": asked}


def without_match(cluster: str, asked: str) -> str:
    """Say that no node has a name, nor has it in its name."""
    return _("%(cluster)s has no node %(asked)s, nor one with that in its name.") % {"cluster": cluster, "asked": asked}


def spelled_alike() -> str:
    """Introduce nodes whose names are spelled much like the one that was asked for."""
    return _("Similar names:")


def without_nodes() -> str:
    """Say that the cluster has no nodes."""
    return _("The cluster has no nodes here.")


def not_one_node(cluster: str, asked: str, alike: int) -> str:
    """Say that a text names no single node; ``alike`` counts the nodes that it may mean."""
    if not alike:
        return _("%(cluster)s has no node like “%(asked)s”.") % {"cluster": cluster, "asked": asked}
    return ngettext(
        "“%(asked)s” is not the name of one node. Did you mean this one?",
        "“%(asked)s” is not the name of one node. Did you mean one of these?",
        alike,
    ) % {"asked": asked}
