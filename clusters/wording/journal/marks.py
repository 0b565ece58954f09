"""What happened when, in words: the rows and marks of the timeline of a cluster, a workload or a pod."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy

from clusters.wording.messages import message, plural

NODES: Final = gettext_lazy("Nodes")
TITLE: Final = gettext_lazy("Timeline")
# By the values of NodeChange.Kind.
CHANGES: Final = {
    "added": message("%(node)s was added"),
    "removed": message("%(node)s was removed"),
    "cordoned": message("%(node)s was cordoned"),
    "uncordoned": message("%(node)s was uncordoned"),
    "not-ready": message("%(node)s became NotReady"),
    "ready": message("%(node)s became Ready"),
    "pressure": message("%(node)s reports %(condition)s"),
    "relieved": message("%(node)s no longer reports %(condition)s"),
}
MARK = plural(
    "%(kind)s, %(start)s–%(end)s: %(count)s decision", "%(kind)s, %(start)s–%(end)s: %(count)s decisions", by="count"
)
SUMMARY = message("%(start)s to %(end)s: decisions %(count)s, changes of nodes %(changes)s.")
