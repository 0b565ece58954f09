"""The filters of the list of workloads."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy, pgettext_lazy

KIND: Final = pgettext_lazy("label of a filter", "Kind")
NAME_HINT: Final = gettext_lazy("Part of a workload's name")
FAILING: Final = pgettext_lazy("filter of workloads", "Failing")
WITH_PENDING: Final = pgettext_lazy("filter of workloads", "With pending pods")
TOO_FEW_READY: Final = pgettext_lazy("filter of workloads", "Fewer ready than desired")
OVER_MAX_SKEW: Final = pgettext_lazy("filter of workloads", "Over maxSkew")
WITHOUT_BUDGET: Final = pgettext_lazy("filter of workloads", "Without a budget")
ALLOWS_NONE: Final = pgettext_lazy("filter of workloads", "Budget allows 0 disruptions")
WITHOUT_PODS: Final = pgettext_lazy("filter of workloads", "Without pods")
