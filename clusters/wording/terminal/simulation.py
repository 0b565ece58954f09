"""Lines of what `manage.py simulate` prints."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _, gettext_lazy, ngettext, pgettext_lazy

from clusters.wording.amounts import grouped
from clusters.wording.lists import first_of
from clusters.wording.messages import message, plural

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_MOST_NODES = 15


def on_the_way(steps: Mapping[str, int]) -> str:
    """Say what happened to pods beside being placed, in the order in which it matters; empty where nothing did."""
    said = [text for text in (_happened(name, steps.get(name, 0)) for name in _EVENTS) if text]
    return _("On the way: %(events)s.") % {"events": ", ".join(said)} if said else ""


_EVENTS = ("preempted", "evicted", "deleted", "refused", "held", "completed")


def _happened(name: str, count: int) -> str:
    if not count:
        return ""
    match name:
        case "preempted":
            return ngettext("%(count)s pod preempted", "%(count)s pods preempted", count) % {"count": grouped(count)}
        case "evicted":
            return ngettext("%(count)s pod evicted", "%(count)s pods evicted", count) % {"count": grouped(count)}
        case "deleted":
            return ngettext("%(count)s pod of a failed Job deleted", "%(count)s pods of failed Jobs deleted", count) % {
                "count": grouped(count)
            }
        case "refused":
            return ngettext(
                "%(count)s eviction refused by a budget", "%(count)s evictions refused by budgets", count
            ) % {"count": grouped(count)}
        case "held":
            return ngettext(
                "%(count)s pod not evicted without --force", "%(count)s pods not evicted without --force", count
            ) % {"count": grouped(count)}
        case _never:
            return ngettext("%(count)s pod completed", "%(count)s pods completed", count) % {"count": grouped(count)}


REFUSAL_COLUMNS: Final = (
    pgettext_lazy("column in the terminal", "pods"),
    pgettext_lazy("column in the terminal", "message"),
)


UNCERTAIN_HEAD: Final = gettext_lazy("Uncertain: placed by all computed filters")
NOTES_HEAD: Final = gettext_lazy("Notes")


POD_GROUP_COLUMNS: Final = (
    pgettext_lazy("column in the terminal", "pod group"),
    pgettext_lazy("column in the terminal", "placed pod by pod"),
    pgettext_lazy("column in the terminal", "by the batch scheduler"),
    pgettext_lazy("column in the terminal", "how it ends"),
)


CAUSE_COLUMNS: Final = gettext_lazy("Pods"), gettext_lazy("Cause")


UNCERTAIN_COLUMNS: Final = gettext_lazy("Pods"), gettext_lazy("Reason")


MORE_CAUSES = plural("and %(count)s more cause", "and %(count)s more causes", by="count")


def placed(by_node: Mapping[str, int]) -> str:
    """Say on which nodes pods were placed, and how many on each."""
    nodes: Sequence[str] = [f"{node} ({grouped(count)})" for node, count in by_node.items()]
    return ngettext("Placed on %(count)s node: %(nodes)s", "Placed on %(count)s nodes: %(nodes)s", len(nodes)) % {
        "count": grouped(len(nodes)),
        "nodes": first_of(nodes, most=_MOST_NODES),
    }


UTILISATION_COLUMNS: Final = (
    gettext_lazy("Requested"),
    gettext_lazy("Before"),
    gettext_lazy("After"),
    gettext_lazy("Requested of allocatable"),
)


STORED = message("Stored as run %(run)s: /simulations/%(run)s/")


OF_CLUSTER = message("Cluster %(cluster)s")
