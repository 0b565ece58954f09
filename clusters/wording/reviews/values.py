"""Values of a review's tables that its document holds for programs."""

from __future__ import annotations

from typing import Final

from django.utils.translation import pgettext_lazy

from clusters.wording import states

YES: Final = pgettext_lazy("value", "yes")
NO: Final = pgettext_lazy("value", "no")
TOTAL: Final = pgettext_lazy("table", "Total")

# For how long budgets block a node from draining.
OUTLOOKS: Final = {
    "lasting": pgettext_lazy("outlook", "until a budget is changed"),
    "waits": pgettext_lazy("outlook", "until pods are ready"),
}
DECISIONS: Final = {
    "bound": states.SCHEDULED,
    "unschedulable": states.UNSCHEDULABLE,
    "nominated": states.NOMINATED,
}
LOST: Final = {
    "node": pgettext_lazy("loss", "node"),
    "zone": pgettext_lazy("loss", "zone"),
}
