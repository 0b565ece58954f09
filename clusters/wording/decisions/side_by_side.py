"""Two explanations of one pod side by side: what their rows and columns are called, and what stands in them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _, gettext_lazy, ngettext, pgettext, pgettext_lazy

from clusters.wording.amounts import grouped

if TYPE_CHECKING:
    from collections.abc import Sequence

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
NO_GROUP: Final = pgettext_lazy("in place of what is said of a group of pods", "scheduled by itself")
NOT_EVALUATED: Final = pgettext_lazy("in place of preemption", "not evaluated")
DOES_NOT_FIT: Final = gettext_lazy("does not fit")


def gained(nodes: int) -> str:
    """Say how many nodes a change gains."""
    if not nodes:
        return _("No node gained")
    return ngettext("%(nodes)s node gained", "%(nodes)s nodes gained", nodes) % {"nodes": grouped(nodes)}


def lost(nodes: int) -> str:
    """Say how many nodes a change loses."""
    if not nodes:
        return _("No node lost")
    return ngettext("%(nodes)s node lost", "%(nodes)s nodes lost", nodes) % {"nodes": grouped(nodes)}


def and_more(nodes: int) -> str:
    """Say how many nodes are not named after those that are; empty for none."""
    return _("and %(nodes)s more") % {"nodes": grouped(nodes)} if nodes else ""


def remaining(left: int, *, rejected: int, is_skipped: bool) -> str:
    """Say how many nodes a filter leaves, and whether it is skipped or how many it rejects."""
    if is_skipped:
        return pgettext("nodes that a filter leaves", "%(left)s (skipped)") % {"left": grouped(left)}
    return f"{grouped(left)} (−{grouped(rejected)})" if rejected else grouped(left)


def rejections(said: Sequence[tuple[str, str]]) -> str:
    """Name what rejects a node, each with its reason."""
    return "; ".join(_("%(plugin)s: %(reason)s") % {"plugin": plugin, "reason": reason} for plugin, reason in said)
