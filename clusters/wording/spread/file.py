"""The columns of spread groups, their domains and workloads by zone as files."""

from __future__ import annotations

from typing import Final

from django.utils.translation import pgettext_lazy

GROUPS: Final = (
    pgettext_lazy("column of a file", "namespace"),
    pgettext_lazy("column of a file", "workloads"),
    pgettext_lazy("column of a file", "topology key"),
    pgettext_lazy("column of a file", "when unsatisfiable"),
    pgettext_lazy("column of a file", "constraint from"),
    pgettext_lazy("column of a file", "counts pods with"),
    pgettext_lazy("column of a file", "max skew"),
    pgettext_lazy("column of a file", "min domains"),
    pgettext_lazy("column of a file", "pods on nodes"),
    pgettext_lazy("column of a file", "pods pending"),
    pgettext_lazy("column of a file", "eligible domains"),
    pgettext_lazy("column of a file", "domains with pods"),
    pgettext_lazy("column of a file", "global minimum"),
    pgettext_lazy("column of a file", "skew"),
    pgettext_lazy("column of a file", "over max skew"),
    pgettext_lazy("column of a file", "domains within max skew for the next pod"),
)
DOMAINS: Final = (
    pgettext_lazy("column of a file", "domain"),
    pgettext_lazy("column of a file", "pods"),
    pgettext_lazy("column of a file", "skew"),
    pgettext_lazy("column of a file", "over max skew"),
    pgettext_lazy("column of a file", "nodes"),
    pgettext_lazy("column of a file", "nodes counted"),
    pgettext_lazy("column of a file", "allowed"),
    pgettext_lazy("column of a file", "nodes not counted"),
)
# Columns of workloads by zone, before and after the zones.
BEFORE_ZONES: Final = (
    pgettext_lazy("column of a file", "namespace"),
    pgettext_lazy("column of a file", "kind"),
    pgettext_lazy("column of a file", "workload"),
)
PENDING: Final = pgettext_lazy("column of a file", "pending")
