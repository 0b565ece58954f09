"""The list of clusters, and what is mirrored of one."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from clusters.wording.amounts import grouped

FROM_DUMP: Final = pgettext_lazy("source of a cluster", "dump")
LIVE: Final = pgettext_lazy("source of a cluster", "live cluster")
UNKNOWN_VERSION: Final = pgettext_lazy("version of a cluster", "unknown")
PENDING_PODS: Final = gettext_lazy("pending pods")
PODS: Final = gettext_lazy("pods")
NODES: Final = gettext_lazy("nodes")
BUDGETS: Final = gettext_lazy("disruption budgets")
# What budgets cannot be computed for want of.
NO_BUDGETS_READ: Final = gettext_lazy("There may be budgets that nothing here knows of.")
NO_PODS_READ: Final = gettext_lazy("Budgets seem to select nothing.")
NODE_MISSING: Final = gettext_lazy("Budgets count its pods; its drain is not evaluated.")
NO_CONTROLLERS_READ: Final = gettext_lazy("How many pods a budget expects may not be known.")


def kinds_missing(number: int) -> str:
    """Count the kinds of which the source of a cluster has no object."""
    return ngettext("%(number)s kind missing", "%(number)s kinds missing", number) % {"number": grouped(number)}


def also_mirrored(events: int, others: int) -> str:
    """Say what else is read, which has no page."""
    return _("Also read: events %(events)s, other objects %(others)s.") % {
        "events": grouped(events),
        "others": grouped(others),
    }


def deleted(cluster: str) -> str:
    """Say that a cluster is deleted."""
    return _("%(cluster)s is deleted.") % {"cluster": cluster}


def renamed(old: str, new: str) -> str:
    """Say that a cluster has another name."""
    return _("%(old)s is called %(new)s now. Addresses with the old name are not redirected.") % {
        "old": old,
        "new": new,
    }
