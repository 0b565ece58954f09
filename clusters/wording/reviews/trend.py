"""What a review says of the trend of requests."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy, pgettext_lazy

from clusters.wording.messages import message

NO_SAMPLE: Final = gettext_lazy("No trend yet: no sample.")
ONE_SAMPLE: Final = gettext_lazy("No trend yet: one sample.")
SAMPLED_HOURLY: Final = gettext_lazy("Sampled hourly; of dumps once a dump.")
STRAIGHT_LINE: Final = gettext_lazy("“Full at” extends a line from first to last sample.")
PODS: Final = pgettext_lazy("trend", "Pods")
UNIT_PODS: Final = pgettext_lazy("trend", "pods")
ALLOCATABLE: Final = pgettext_lazy("trend", "allocatable")
REQUESTED: Final = pgettext_lazy("trend", "requested")
SCHEDULED: Final = pgettext_lazy("trend", "scheduled")
PENDING: Final = pgettext_lazy("trend", "pending")


CHANGED = message("Requests of %(resource)s: %(share)s.")
UNCHANGED = message("Requests of %(resource)s: unchanged.")
FROM_NOTHING = message("Requests of %(resource)s: none at first.")
SAMPLES = message("Samples: %(samples)s.")
SAMPLES_SHOWN = message("Samples: %(samples)s, shown: %(shown)s.")
LINE = message("%(line)s from %(first)s to %(last)s")
LINES = message("%(caption)s, in %(unit)s: %(lines)s.")
