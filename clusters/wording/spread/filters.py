"""The filters of the pages about spreading."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy, pgettext_lazy

TOPOLOGY_KEY: Final = pgettext_lazy("label of a filter", "Topology key")
SOURCE: Final = pgettext_lazy("label of a filter", "Constraint from")
NAME_HINT: Final = gettext_lazy("Part of its name")

EXCEEDED: Final = pgettext_lazy("filter of spread groups", "Over maxSkew")
BLOCKING: Final = pgettext_lazy("filter of spread groups", "Over maxSkew, DoNotSchedule")
WITH_PENDING: Final = pgettext_lazy("filter of spread groups", "With pending pods")
WITHIN: Final = pgettext_lazy("filter of spread groups", "Within maxSkew")
FROM_PODS: Final = pgettext_lazy("filter of spread groups", "Pod spec")
FROM_DEFAULTS: Final = pgettext_lazy("filter of spread groups", "Defaults")
