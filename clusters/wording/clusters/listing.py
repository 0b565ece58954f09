"""The list of clusters, and what is mirrored of one."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy, pgettext_lazy

from clusters.wording.messages import message, plural

FROM_DUMP: Final = pgettext_lazy("source of a cluster", "dump")
LIVE: Final = pgettext_lazy("source of a cluster", "live cluster")
UNKNOWN_VERSION: Final = pgettext_lazy("version of a cluster", "unknown")
PENDING_PODS: Final = gettext_lazy("pending pods")
PODS: Final = gettext_lazy("pods")
NODES: Final = gettext_lazy("nodes")
BUDGETS: Final = gettext_lazy("disruption budgets")
# What budgets cannot be computed for want of.
NO_BUDGETS_READ: Final = gettext_lazy("There may be unknown budgets.")
NO_PODS_READ: Final = gettext_lazy("Budgets seem to select nothing.")
NODE_MISSING: Final = gettext_lazy("Its drain is not evaluated.")
NO_CONTROLLERS_READ: Final = gettext_lazy("Expected pods may be unknown.")


KINDS_MISSING = plural("%(number)s kind missing", "%(number)s kinds missing", by="number")
ALSO_MIRRORED = message("Also read: events %(events)s, other objects %(others)s.")
DELETED = message("%(cluster)s is deleted.")
RENAMED = message("%(old)s is called %(new)s now.")
