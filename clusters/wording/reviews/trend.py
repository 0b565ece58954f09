"""What a review says of the trend of requests."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _, gettext_lazy, pgettext_lazy

from clusters.wording.lists import listed
from clusters.wording.messages import message, plural
from clusters.wording.resources import resource_name

if TYPE_CHECKING:
    from collections.abc import Iterable

NO_SAMPLE: Final = gettext_lazy("No trend yet: no sample in the period.")
ONE_SAMPLE: Final = gettext_lazy("No trend yet: one sample in the period.")
SAMPLED_HOURLY: Final = gettext_lazy("Berth samples clusters hourly; one read from dumps has one sample a dump.")
STRAIGHT_LINE: Final = gettext_lazy("“Full at” continues a straight line from the first sample to the last.")
PODS: Final = pgettext_lazy("trend of a review", "Pods")
UNIT_PODS: Final = pgettext_lazy("unit of a trend", "pods")
ALLOCATABLE: Final = pgettext_lazy("line of a trend", "allocatable")
REQUESTED: Final = pgettext_lazy("line of a trend", "requested")
SCHEDULED: Final = pgettext_lazy("line of a trend", "scheduled")
PENDING: Final = pgettext_lazy("line of a trend", "pending")


def grew(resource: str, share: str) -> str:
    """Say by how much the requests of a resource grew."""
    return _("Over the period the requests of %(resource)s grew by %(share)s.") % {
        "resource": resource_name(resource),
        "share": share,
    }


def shrank(resource: str, share: str) -> str:
    """Say by how much the requests of a resource shrank."""
    return _("Over the period the requests of %(resource)s shrank by %(share)s.") % {
        "resource": resource_name(resource),
        "share": share,
    }


def unchanged(resource: str) -> str:
    """Say that as much of a resource is requested as at first."""
    return _("Over the period the requests of %(resource)s did not change.") % {"resource": resource_name(resource)}


def from_nothing(resource: str) -> str:
    """Say that nothing of a resource was requested at first."""
    return _("At the beginning of the period no pod requested %(resource)s.") % {"resource": resource_name(resource)}


SAMPLES = plural("%(samples)s sample was taken.", "%(samples)s samples were taken.", by="samples")
SAMPLES_SHOWN = plural(
    "%(samples)s sample was taken, of which %(shown)s are shown.",
    "%(samples)s samples were taken, of which %(shown)s are shown.",
    by="samples",
)
LINE = message("%(line)s from %(first)s to %(last)s", context="line of a trend")


def lines(caption: str, unit: str, said: Iterable[str]) -> str:
    """Say in words what a picture with lines shows."""
    return _("%(caption)s, in %(unit)s: %(lines)s.") % {"caption": caption, "unit": unit, "lines": listed(said)}
