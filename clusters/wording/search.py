"""What a search found."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from clusters.wording.amounts import grouped

WORKLOADS: Final = gettext_lazy("Workloads")
PODS: Final = gettext_lazy("Pods")
NODES: Final = gettext_lazy("Nodes")
POD_GROUPS: Final = gettext_lazy("Pod groups")


def nothing_found() -> str:
    """Say that no name matches."""
    return _("No name matches.")


def more_than(results: int) -> str:
    """Say that there are more results than are counted."""
    return _("More than %(results)s results.") % {"results": grouped(results)}


def results(number: int) -> str:
    """Count the results."""
    return ngettext("%(number)s result.", "%(number)s results.", number) % {"number": grouped(number)}


def more_than_listed(results: int) -> str:
    """Say that there are more results of one sort than are counted."""
    return _("More than %(results)s") % {"results": grouped(results)}


def not_listed(results: int) -> str:
    """Count the results of one sort that are not listed."""
    return _("%(results)s more") % {"results": grouped(results)}
