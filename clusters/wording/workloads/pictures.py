"""What the pictures of a workload say: more pods by zone, a rollout round by round, and what a zone's loss leaves."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy, pgettext_lazy

from clusters.wording.messages import message, plural

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


GROWTH = plural("%(fit)s of %(asked)s further pod fits.", "%(fit)s of %(asked)s further pods fit.", by="asked")
SUMS = message("%(before)s + %(added)s", context="pods now and more")
WITHOUT = message("without %(zone)s", context="row of a picture")
LEFT_OF = message("%(left)s of %(pods)s", context="pods left")
WORST_LOSS = plural(
    "Losing %(zone)s leaves %(left)s of %(pods)s pod, until its pods are recreated on other nodes.",
    "Losing %(zone)s leaves %(left)s of %(pods)s pods, until its pods are recreated on other nodes.",
    by="pods",
)
ROUND_NUMBER = message("round %(number)s")
ROLLOUT = plural(
    "At least %(fewest)s available and at most %(most)s pod at once.",
    "At least %(fewest)s available and at most %(most)s pods at once.",
    by="most",
)
