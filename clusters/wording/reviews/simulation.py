"""What a review says of the simulation that it is about."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy, pgettext_lazy

from clusters.wording.messages import message, plural

NONE_PENDING: Final = gettext_lazy("No pod is pending.")
PODS_IN_FILES: Final = gettext_lazy("The CSV files name each pod.")
MESSAGES: Final = pgettext_lazy("table", "kube-scheduler's messages")
FIRST_MESSAGE: Final = pgettext_lazy("column", "First message")


PLACED = plural("%(pods)s pod placed.", "%(pods)s pods placed.", by="pods")
PLACED_IN_PART_UNCERTAIN = plural(
    "%(pods)s pod placed for certain, %(uncertain)s more uncertain.",
    "%(pods)s pods placed for certain, %(uncertain)s more uncertain.",
    by="pods",
)
NEWLY_PENDING = message("%(pods)s newly pending.")
FORBIDDEN = message("%(pods)s not created.")
STILL_PENDING = message("%(pods)s still pending.")
CAUSE = message("Main cause: %(cause)s (%(pods)s).")
ABOUT = message("Run %(run)s, “%(title)s”: steps %(steps)s, seed %(seed)s. The sections below show its end.")
