"""What a review says of the simulation that it is about."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from clusters.wording.amounts import grouped
from clusters.wording.messages import message, plural

NONE_NEWLY_PENDING: Final = gettext_lazy("No pod is newly pending.")
NONE_PENDING: Final = gettext_lazy("No pod is pending at its end.")
PODS_IN_FILES: Final = gettext_lazy("The CSV files name each pod.")
MESSAGES: Final = pgettext_lazy("table of a review", "kube-scheduler's messages")
FIRST_MESSAGE: Final = pgettext_lazy("column of a review", "Message of the first such pod")


PLACED = plural("The simulation placed %(pods)s pod.", "The simulation placed %(pods)s pods.", by="pods")
PLACED_IN_PART_UNCERTAIN = plural(
    "The simulation placed %(pods)s pod for certain, %(uncertain)s more uncertain.",
    "The simulation placed %(pods)s pods for certain, %(uncertain)s more uncertain.",
    by="pods",
)
NEWLY_PENDING = plural("%(pods)s pod is newly pending.", "%(pods)s pods are newly pending.", by="pods")
FORBIDDEN = plural("%(pods)s pod is not created.", "%(pods)s pods are not created.", by="pods")
STILL_PENDING = plural("%(pods)s pod is still pending.", "%(pods)s pods are still pending.", by="pods")
ONLY_CAUSE = message("Cause: %(cause)s.")
MAIN_CAUSE = plural("Main cause: %(cause)s (%(pods)s pod).", "Main cause: %(cause)s (%(pods)s pods).", by="pods")


def about(*, run: int, title: str, steps: int, seed: int) -> str:
    """Say which simulation a review is about, and that its other sections are about its end."""
    return ngettext(
        "Run %(run)s, “%(title)s”, took %(steps)s step with the seed %(seed)s. The sections below show its end.",
        "Run %(run)s, “%(title)s”, took %(steps)s steps with the seed %(seed)s. The sections below show its end.",
        steps,
    ) % {"run": str(run), "title": title, "steps": grouped(steps), "seed": str(seed)}
