"""What the page of quotas says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _, gettext_lazy, ngettext, pgettext_lazy

from clusters.wording.amounts import grouped
from clusters.wording.messages import message, plural

if TYPE_CHECKING:
    from clusters.engine.owners import Workload

EXHAUSTED: Final = pgettext_lazy("state of a quota", "Exhausted")
ABOVE_HARD: Final = pgettext_lazy("state of a quota", "Used above hard")
# The columns of the file.
COLUMNS: Final = (
    pgettext_lazy("column of a file", "namespace"),
    pgettext_lazy("column of a file", "quota"),
    pgettext_lazy("column of a file", "scopes"),
    pgettext_lazy("column of a file", "resource"),
    pgettext_lazy("column of a file", "used"),
    pgettext_lazy("column of a file", "hard"),
    pgettext_lazy("column of a file", "share used"),
)
NO_CONTROLLER: Final = gettext_lazy("Pods without a controller")


QUOTAS = plural("%(number)s quota", "%(number)s quotas", by="number")
SCOPES = message("Scopes: %(names)s")


def workload(named: Workload) -> str:
    """Name a workload that uses a quota."""
    return f"{named.kind}/{named.name}" if named.kind else str(NO_CONTROLLER)


PODS_OF_USER = plural("%(pods)s pod", "%(pods)s pods", by="pods")


def more(pods: int) -> str:
    """Say how many further pods like its largest one a quota lets a workload have."""
    if not pods:
        return _("Quota reached: the next pod is rejected.")
    return ngettext(
        "%(pods)s further pod like its largest",
        "%(pods)s further pods like its largest",
        pods,
    ) % {"pods": grouped(pods)}


HAS_TO_SPECIFY = message("A further pod has to specify %(resources)s.")


MORE_USERS = plural("and %(number)s more workload", "and %(number)s more workloads", by="number")
