"""The columns of devices and of ResourceClaims as files."""

from __future__ import annotations

from typing import Final

from django.utils.translation import pgettext_lazy

DEVICES: Final = (
    pgettext_lazy("column of a file", "driver"),
    pgettext_lazy("column of a file", "pool"),
    pgettext_lazy("column of a file", "device"),
    pgettext_lazy("column of a file", "state"),
    pgettext_lazy("column of a file", "claim"),
    pgettext_lazy("column of a file", "pods"),
    pgettext_lazy("column of a file", "taints"),
    pgettext_lazy("column of a file", "lacks counter"),
    pgettext_lazy("column of a file", "nodes"),
    pgettext_lazy("column of a file", "slice"),
    pgettext_lazy("column of a file", "generation"),
    pgettext_lazy("column of a file", "pool complete"),
)
CLAIMS: Final = (
    pgettext_lazy("column of a file", "namespace"),
    pgettext_lazy("column of a file", "claim"),
    pgettext_lazy("column of a file", "state"),
    pgettext_lazy("column of a file", "requests"),
    pgettext_lazy("column of a file", "devices"),
    pgettext_lazy("column of a file", "reserved for"),
)
