"""The columns of requests and usage as a file."""

from __future__ import annotations

from typing import Final

from django.utils.translation import pgettext_lazy

USAGE: Final = (
    pgettext_lazy("column of a file", "namespace"),
    pgettext_lazy("column of a file", "kind"),
    pgettext_lazy("column of a file", "workload"),
    pgettext_lazy("column of a file", "pods"),
    pgettext_lazy("column of a file", "container"),
    pgettext_lazy("column of a file", "resource (CPU in milli-CPU, memory in bytes)"),
    pgettext_lazy("column of a file", "requested"),
    pgettext_lazy("column of a file", "limit"),
    pgettext_lazy("column of a file", "mean used"),
    pgettext_lazy("column of a file", "p50 used"),
    pgettext_lazy("column of a file", "p95 used"),
    pgettext_lazy("column of a file", "maximum used"),
    pgettext_lazy("column of a file", "recommended request"),
    pgettext_lazy("column of a file", "state"),
    pgettext_lazy("column of a file", "samples"),
    pgettext_lazy("column of a file", "hours"),
)
