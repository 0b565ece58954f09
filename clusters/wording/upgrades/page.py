"""What the page about upgrades says beside the differences themselves."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _, gettext_lazy, pgettext_lazy

from clusters.wording.messages import plural

FIGURE: Final = gettext_lazy("Differences by release")
RELEASE: Final = pgettext_lazy("column", "Release")
NO_LATER: Final = gettext_lazy("No later Kubernetes minor is known.")
NOT_EVALUATED: Final = gettext_lazy("The upgrade cannot be evaluated.")
IN_PROGRESS: Final = gettext_lazy(
    "A worker evaluates the cluster under each minor, which takes up to two minutes; the page shows the result once it "
    "is there."
)
NOT_CHANGED: Final = pgettext_lazy("a release", "nothing changes")


DIFFERENCES = plural("%(number)s difference", "%(number)s differences", by="number")


def release(minor: str) -> str:
    """Name a release."""
    return _("Kubernetes %(minor)s") % {"minor": minor}
