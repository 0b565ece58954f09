"""What a worker still evaluates: beside it every number says that it may grow."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from clusters.wording.amounts import grouped

BY_WORKER: Final = gettext_lazy("A worker evaluates these pods; the page shows the result once it is there.")


def at_least(number: int) -> str:
    """Write a number that may grow."""
    return _("at least %(number)s") % {"number": grouped(number)}


def counted(number: int, *, is_whole: bool) -> str:
    """Write a number, which may grow unless everything is evaluated."""
    return grouped(number) if is_whole else at_least(number)


def still(pods: int) -> str:
    """Count the pods that a worker still evaluates."""
    return ngettext("%(pods)s pod is still being evaluated.", "%(pods)s pods are still being evaluated.", pods) % {
        "pods": grouped(pods)
    }
