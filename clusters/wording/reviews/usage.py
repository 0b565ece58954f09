"""What a review says of requests beside what pods use."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy, pgettext_lazy

from clusters.wording.messages import message

NONE: Final = gettext_lazy("No sample of usage.")
CHART: Final = gettext_lazy("Used, requested and allocatable")
USED: Final = pgettext_lazy("bar", "used")
UNUSED: Final = pgettext_lazy("bar", "requested, not used")
FREE: Final = pgettext_lazy("bar", "not requested")


REMOVABLE = message("Nodes removable with them: %(nodes)s of %(total)s, %(now)s now (simulated).")
COUNTED = message(
    "Workloads with samples: %(workloads)s; over-requested: %(over)s, under-requested: %(under)s, without a request of "
    "what they use: %(missing)s."
)
