"""Values of a review's tables that its document holds for programs."""

from __future__ import annotations

from typing import Final

from django.utils.translation import pgettext_lazy

from clusters.engine.disruption import Never

YES: Final = pgettext_lazy("value of a review", "yes")
NO: Final = pgettext_lazy("value of a review", "no")
TOTAL: Final = pgettext_lazy("last row of a table", "Total")

# Why a budget allows no disruption even when every pod is healthy.
NEVER: Final = {
    Never.NOTHING_ASKED: pgettext_lazy("why a budget never allows", "neither minAvailable nor maxUnavailable"),
    Never.NONE_UNAVAILABLE: pgettext_lazy("why a budget never allows", "maxUnavailable is 0"),
    Never.ALL_AVAILABLE: pgettext_lazy("why a budget never allows", "minAvailable requires all replicas"),
    Never.MORE_THAN_REPLICAS: pgettext_lazy("why a budget never allows", "minAvailable exceeds the replicas"),
    Never.UNMANAGED: pgettext_lazy("why a budget never allows", "no controller says how many pods are expected"),
}
# For how long budgets block a node from draining.
OUTLOOKS: Final = {
    "lasting": pgettext_lazy("how long budgets block a node", "until a budget is changed"),
    "waits": pgettext_lazy("how long budgets block a node", "for now"),
}
DECISIONS: Final = {
    "bound": pgettext_lazy("kind of decision", "Scheduled"),
    "unschedulable": pgettext_lazy("kind of decision", "Unschedulable"),
    "nominated": pgettext_lazy("kind of decision", "Nominated"),
}
