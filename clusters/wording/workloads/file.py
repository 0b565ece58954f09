"""The columns of workloads as a file."""

from __future__ import annotations

from typing import Final

from django.utils.translation import pgettext_lazy

WORKLOADS: Final = (
    pgettext_lazy("column of a file", "namespace"),
    pgettext_lazy("column of a file", "kind"),
    pgettext_lazy("column of a file", "workload"),
    pgettext_lazy("column of a file", "desired"),
    pgettext_lazy("column of a file", "on nodes"),
    pgettext_lazy("column of a file", "ready"),
    pgettext_lazy("column of a file", "pending"),
    pgettext_lazy("column of a file", "terminating"),
    pgettext_lazy("column of a file", "nodes"),
    pgettext_lazy("column of a file", "worst skew"),
    pgettext_lazy("column of a file", "max skew"),
    pgettext_lazy("column of a file", "topology key"),
    pgettext_lazy("column of a file", "over max skew"),
    pgettext_lazy("column of a file", "budgets"),
    pgettext_lazy("column of a file", "disruptions allowed"),
    pgettext_lazy("column of a file", "CPU requested (milli-CPU)"),
    pgettext_lazy("column of a file", "memory requested (bytes)"),
    pgettext_lazy("column of a file", "lowest priority"),
    pgettext_lazy("column of a file", "highest priority"),
    pgettext_lazy("column of a file", "failures"),
)
