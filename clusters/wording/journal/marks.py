"""What happened when, in words: the rows and marks of the timeline of a cluster, a workload or a pod."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _, gettext_lazy, ngettext

from clusters.wording.amounts import grouped
from clusters.wording.messages import plural

NODES: Final = gettext_lazy("Nodes")
TITLE: Final = gettext_lazy("Timeline")
# By the values of NodeChange.Kind.
_CHANGES: Final = {
    "added": gettext_lazy("%(node)s was added"),
    "removed": gettext_lazy("%(node)s was removed"),
    "cordoned": gettext_lazy("%(node)s was cordoned"),
    "uncordoned": gettext_lazy("%(node)s was uncordoned"),
    "not-ready": gettext_lazy("%(node)s became NotReady"),
    "ready": gettext_lazy("%(node)s became Ready"),
    "pressure": gettext_lazy("%(node)s reports %(condition)s"),
    "relieved": gettext_lazy("%(node)s reports %(condition)s no longer"),
}


def node_change(kind: str, *, node: str, condition: str) -> str:
    """Say what became of a node."""
    return str(_CHANGES[kind] % {"node": node, "condition": condition})


MARK = plural(
    "%(kind)s, %(start)s–%(end)s: %(count)s decision", "%(kind)s, %(start)s–%(end)s: %(count)s decisions", by="count"
)


def summary(*, count: int, changes: int, start: str, end: str) -> str:
    """Say how much happened between two moments."""
    values = {"count": grouped(count), "start": start, "end": end}
    if not count and not changes:
        return _("Nothing happened from %(start)s to %(end)s.") % values
    told = (
        ngettext(
            "%(count)s decision from %(start)s to %(end)s.", "%(count)s decisions from %(start)s to %(end)s.", count
        )
        % values
    )
    if not changes:
        return told
    also = ngettext(
        "Nodes changed %(changes)s time in that time.", "Nodes changed %(changes)s times in that time.", changes
    ) % {"changes": grouped(changes)}
    return f"{told} {also}"
