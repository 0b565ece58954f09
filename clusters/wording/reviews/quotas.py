"""What a review says of quotas and LimitRanges."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy

from clusters.wording.messages import plural

NONE: Final = gettext_lazy("The mirror holds no ResourceQuota of this cluster.")
MAY_BE_MISSING: Final = gettext_lazy("The dump may lack them: include kubectl get resourcequotas -A.")


TIGHT = plural(
    "%(limits)s limit is used to more than %(share)s.",
    "%(limits)s limits are used to more than %(share)s.",
    by="limits",
)
QUOTAS = plural("The cluster has %(quotas)s ResourceQuota.", "The cluster has %(quotas)s ResourceQuotas.", by="quotas")
LIMIT_RANGES = plural(
    "%(ranges)s LimitRange sets bounds or defaults for requests and limits.",
    "%(ranges)s LimitRanges set bounds or defaults for requests and limits.",
    by="ranges",
)
