"""Headings that columns of several tables, or of their files, have."""

from __future__ import annotations

from typing import Final

from django.utils.translation import pgettext_lazy

NAMESPACE: Final = pgettext_lazy("column of a file", "namespace")
POD: Final = pgettext_lazy("column of a file", "pod")
POD_GROUP: Final = pgettext_lazy("column of a file", "pod group")
WORKLOAD_KIND: Final = pgettext_lazy("column of a file", "workload kind")
WORKLOAD: Final = pgettext_lazy("column of a file", "workload")
CAUSE: Final = pgettext_lazy("column of a file", "cause")
REPORT: Final = pgettext_lazy("column", "Report")
PENDING_FOR: Final = pgettext_lazy("column", "Pending for")
NEXT_ATTEMPT: Final = pgettext_lazy("column", "Next attempt")
CREATED: Final = pgettext_lazy("column of a file", "created")
STATE: Final = pgettext_lazy("column of a file", "state")
ATTEMPTS: Final = pgettext_lazy("column of a file", "attempts at least")
LAST_ATTEMPT: Final = pgettext_lazy("column of a file", "last attempt")
NOT_BEFORE: Final = pgettext_lazy("column of a file", "not before")
NOMINATED_NODE: Final = pgettext_lazy("column of a file", "nominated node")
SCHEDULER: Final = pgettext_lazy("column of a file", "scheduler")
PRIORITY_CLASS: Final = pgettext_lazy("column of a file", "priority class")
PRIORITY: Final = pgettext_lazy("column of a file", "priority")
MESSAGE: Final = pgettext_lazy("column of a file", "scheduler's message")
