"""The columns of pending pods and of the queue as files."""

from __future__ import annotations

from typing import Final

from django.utils.translation import pgettext_lazy

PENDING: Final = (
    pgettext_lazy("column of a file", "namespace"),
    pgettext_lazy("column of a file", "pod"),
    pgettext_lazy("column of a file", "workload kind"),
    pgettext_lazy("column of a file", "workload"),
    pgettext_lazy("column of a file", "created"),
    pgettext_lazy("column of a file", "state"),
    pgettext_lazy("column of a file", "cause"),
    pgettext_lazy("column of a file", "plugin"),
    pgettext_lazy("column of a file", "reason"),
    pgettext_lazy("column of a file", "nodes with reason"),
    pgettext_lazy("column of a file", "nodes"),
    pgettext_lazy("column of a file", "feasible nodes"),
    pgettext_lazy("column of a file", "where"),
    pgettext_lazy("column of a file", "attempts at least"),
    pgettext_lazy("column of a file", "last attempt"),
    pgettext_lazy("column of a file", "not before"),
    pgettext_lazy("column of a file", "expected by"),
    pgettext_lazy("column of a file", "one change that would be enough"),
    pgettext_lazy("column of a file", "report"),
    pgettext_lazy("column of a file", "scheduler's message"),
    pgettext_lazy("column of a file", "pod group"),
)
QUEUE: Final = (
    pgettext_lazy("column of a file", "rank"),
    pgettext_lazy("column of a file", "namespace"),
    pgettext_lazy("column of a file", "pod"),
    pgettext_lazy("column of a file", "workload kind"),
    pgettext_lazy("column of a file", "workload"),
    pgettext_lazy("column of a file", "priority"),
    pgettext_lazy("column of a file", "priority class"),
    pgettext_lazy("column of a file", "scheduler"),
    pgettext_lazy("column of a file", "created"),
    pgettext_lazy("column of a file", "state"),
    pgettext_lazy("column of a file", "nominated node"),
    pgettext_lazy("column of a file", "attempts at least"),
    pgettext_lazy("column of a file", "last attempt"),
    pgettext_lazy("column of a file", "next attempt"),
    pgettext_lazy("column of a file", "not before"),
    pgettext_lazy("column of a file", "by"),
    pgettext_lazy("column of a file", "rejected by"),
    pgettext_lazy("column of a file", "requeued when"),
    pgettext_lazy("column of a file", "pod group"),
)
