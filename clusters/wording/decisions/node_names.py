"""Answers to a name of a node, or a part of one, that somebody wrote: which nodes have it, or that none has."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy

from clusters.wording.messages import message, plural

FIRST_MATCHES = plural(
    "More than %(nodes)s node has “%(asked)s” in its name.",
    "More than %(nodes)s nodes have “%(asked)s” in their names.",
    by="nodes",
)
EVERY_MATCH = plural(
    "%(nodes)s node has “%(asked)s” in its name.", "%(nodes)s nodes have “%(asked)s” in their name.", by="nodes"
)
WITHOUT_MATCH = message("%(cluster)s has no node named like “%(asked)s”.")
SPELLED_ALIKE: Final = gettext_lazy("Similar names:")
WITHOUT_NODES: Final = gettext_lazy("The cluster has no nodes here.")


NOT_ONE_NODE = message("“%(asked)s” is not the name of one node.")
