"""Two explanations of one pod side by side: what their rows and columns are called, and what stands in them."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _, gettext_lazy, pgettext, pgettext_lazy

from clusters.wording.amounts import grouped
from clusters.wording.messages import plural

NOW: Final = pgettext_lazy("side of a comparison", "Now")
WHAT_IF: Final = pgettext_lazy("side of a comparison", "What if")
EARLIER: Final = gettext_lazy("Earlier what if")

VERDICT: Final = pgettext_lazy("row of a comparison", "Verdict")
FITS_ON: Final = pgettext_lazy("row of a comparison", "Fits on")
BEST_NODE: Final = pgettext_lazy("row of a comparison", "Best node")
PREEMPTION: Final = pgettext_lazy("row of a comparison", "Preemption")
MESSAGE: Final = pgettext_lazy("row of a comparison", "FailedScheduling message")
POD_GROUP: Final = pgettext_lazy("row of a comparison", "Pod group")

NONE: Final = pgettext_lazy("in place of a node or a message", "none")
NO_GROUP: Final = pgettext_lazy("instead of a pod group", "scheduled by itself")
NOT_EVALUATED: Final = pgettext_lazy("in place of preemption", "not evaluated")
DOES_NOT_FIT: Final = gettext_lazy("does not fit")


GAINED = plural("%(nodes)s node gained", "%(nodes)s nodes gained", by="nodes")
LOST = plural("%(nodes)s node lost", "%(nodes)s nodes lost", by="nodes")


def and_more(nodes: int) -> str:
    """Say how many nodes are not named after those that are; empty for none."""
    return _("and %(nodes)s more") % {"nodes": grouped(nodes)} if nodes else ""


def remaining(left: int, *, rejected: int, is_skipped: bool) -> str:
    """Say how many nodes a filter leaves, and whether it is skipped or how many it rejects."""
    if is_skipped:
        return pgettext("nodes that a filter leaves", "%(left)s (skipped)") % {"left": grouped(left)}
    return f"{grouped(left)} (−{grouped(rejected)})" if rejected else grouped(left)
