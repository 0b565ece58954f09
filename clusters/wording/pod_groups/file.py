"""The columns of groups of pods as a file."""

from __future__ import annotations

from typing import Final

from django.utils.translation import pgettext_lazy

POD_GROUPS: Final = (
    pgettext_lazy("column of a file", "namespace"),
    pgettext_lazy("column of a file", "group"),
    pgettext_lazy("column of a file", "state"),
    pgettext_lazy("column of a file", "policy"),
    pgettext_lazy("column of a file", "minCount"),
    pgettext_lazy("column of a file", "pods"),
    pgettext_lazy("column of a file", "scheduled"),
    pgettext_lazy("column of a file", "pending"),
    pgettext_lazy("column of a file", "missing"),
    pgettext_lazy("column of a file", "workload"),
    pgettext_lazy("column of a file", "controller"),
)
