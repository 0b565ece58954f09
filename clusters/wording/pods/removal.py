"""What removes a pod that runs."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

TITLE: Final = gettext_lazy("What removes this pod")


def does_not_run(pod: str) -> str:
    """Say that there is nothing to take from a node."""
    return _("%(pod)s runs on no node of the cluster, so nothing removes it from one.") % {"pod": pod}
