"""What the page of one node says besides what is computed of it."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy, pgettext

from clusters.wording.messages import message

# Titles of the parts that are computed when they are asked for.
PENDING: Final = gettext_lazy("Pending pods that fit here")
DRAIN: Final = gettext_lazy("Drain preview")
FAULTS: Final = gettext_lazy("Evictions when the node fails")
USAGE: Final = gettext_lazy("Usage of the node and its pods")
SHUTDOWN: Final = gettext_lazy("Graceful node shutdown")
OOM: Final = gettext_lazy("Kills when memory runs out")
PRESSURE: Final = gettext_lazy("Eviction under pressure")

NOT_COMPUTED: Final = gettext_lazy("This node cannot be computed.")
DRAIN_BY_WORKER: Final = gettext_lazy("A worker plans this drain; the page shows the plan once it is there.")


MISSING = message("%(cluster)s has no node %(node)s.")
REMOVED = message("%(cluster)s has no node %(node)s any more.")


def facts(*, zone: str, instance_type: str, kubelet: str) -> list[str]:
    """Say where a node is and what it runs, as far as it reports that."""
    said = (
        (zone, pgettext("fact of a node", "Zone %(name)s") % {"name": zone}),
        (instance_type, pgettext("fact of a node", "type %(name)s") % {"name": instance_type}),
        (kubelet, pgettext("fact of a node", "kubelet %(name)s") % {"name": kubelet}),
    )
    return [fact for value, fact in said if value]
