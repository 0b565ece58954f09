"""What a review says of quotas and LimitRanges."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy

from clusters.wording.messages import message

NONE: Final = gettext_lazy("No ResourceQuota.")
MAY_BE_MISSING: Final = gettext_lazy("The dump may lack them: add kubectl get resourcequotas -A.")


TIGHT = message("Limits used to more than %(share)s: %(limits)s.")
QUOTAS = message("ResourceQuotas: %(quotas)s.")
LIMIT_RANGES = message("LimitRanges: %(ranges)s.")
