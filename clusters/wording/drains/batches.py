"""The batches of a drain's plan as steps of its map, in words."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy, pgettext_lazy

from clusters.wording.messages import message, plural

BEFORE: Final = gettext_lazy("Before the first batch")
WHOLE: Final = pgettext_lazy("step of the map of a drain", "Whole plan")
SCALE: Final = pgettext_lazy("steps of the map of a drain", "Batches")


BATCHES = plural("%(number)s batch", "%(number)s batches, one after another", by="number")


FIGURE = message("%(nodes)s, −%(pods)s", context="a batch of a drain")
NO_SUCH_BATCH = plural("The plan has %(number)s batch.", "The plan has %(number)s batches.", by="number")
