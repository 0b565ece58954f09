"""What the pictures of a workload say: more pods by zone, a rollout round by round, and what a zone's loss leaves."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext, pgettext_lazy

from clusters.wording.amounts import grouped

GROWTH_TITLE: Final = gettext_lazy("More pods by zone")
NOW: Final = pgettext_lazy("part of a picture", "Now")
MORE: Final = pgettext_lazy("part of a picture", "More that fit")
LOSS_TITLE: Final = gettext_lazy("What the loss of a zone leaves")
LEFT: Final = pgettext_lazy("part of a picture", "Pods left")
LOST: Final = pgettext_lazy("part of a picture", "Pods lost")
ZONE_LOST: Final = pgettext_lazy("column", "Zone lost")
ROLLOUT_TITLE: Final = gettext_lazy("Pods during the rollout")
ROUND: Final = pgettext_lazy("column", "Round")
OLD: Final = pgettext_lazy("line in a picture", "old")
NEW: Final = pgettext_lazy("line in a picture", "new")
FEWEST: Final = pgettext_lazy("line in a picture", "available at least")
BEFORE: Final = pgettext_lazy("moment of a rollout", "before")
UNIT: Final = pgettext_lazy("unit of a picture", "pods")


def growth(fit: int, asked: int) -> str:
    """Say how many more pods fit of those asked for."""
    return ngettext("%(fit)s of %(asked)s further pod fits.", "%(fit)s of %(asked)s further pods fit.", asked) % {
        "fit": grouped(fit),
        "asked": grouped(asked),
    }


def sums(before: int, added: int) -> str:
    """Write how many pods a zone has and how many would be added."""
    return pgettext("pods now and more", "%(before)s + %(added)s") % {
        "before": grouped(before),
        "added": grouped(added),
    }


def without(zone: str) -> str:
    """Name a zone that is lost."""
    return pgettext("row of a picture", "without %(zone)s") % {"zone": zone}


def left_of(left: int, pods: int) -> str:
    """Write how many of the pods are left."""
    return pgettext("pods left", "%(left)s of %(pods)s") % {"left": grouped(left), "pods": grouped(pods)}


def worst_loss(zone: str, *, left: int, pods: int) -> str:
    """Say what the loss of the zone with most of the pods leaves until they are recreated elsewhere."""
    return ngettext(
        "Losing %(zone)s leaves %(left)s of %(pods)s pod, until its pods are recreated on other nodes.",
        "Losing %(zone)s leaves %(left)s of %(pods)s pods, until its pods are recreated on other nodes.",
        pods,
    ) % {"zone": zone, "left": grouped(left), "pods": grouped(pods)}


def round_number(number: int) -> str:
    """Name a round of a rollout."""
    return _("round %(number)s") % {"number": grouped(number)}


def rollout(fewest: int, most: int) -> str:
    """Say between how many pods a rollout moves."""
    return ngettext(
        "At least %(fewest)s available and at most %(most)s pod at once.",
        "At least %(fewest)s available and at most %(most)s pods at once.",
        most,
    ) % {"fewest": grouped(fewest), "most": grouped(most)}
