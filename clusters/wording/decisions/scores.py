"""Scores in words: what the table shows, and two nodes compared."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _, ngettext

from clusters.wording.amounts import grouped
from clusters.wording.attempts import error_sentence, nomination_sentence
from clusters.wording.decisions.verdict import best_sentence
from clusters.wording.lists import listed
from clusters.wording.messages import message, plural

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusters.engine import Explanation
    from clusters.engine.status import CycleError

_MINUS = "\N{MINUS SIGN}"


def signed(points: int) -> str:
    """Write points with their sign: `+64`, `−12`, `±0`."""
    return f"{'+' if points > 0 else _MINUS if points < 0 else '±'}{grouped(abs(points))}"


POINTS = plural("%(points)s point", "%(points)s points", by="points")
DIFFERENCES_TITLE = message("Points compared with %(node)s")
DIFFERENCES_SUMMARY = message("Left: less than %(node)s; right: more.")


def table_sentence(explanation: Explanation) -> str:
    """Say which of the scored nodes the scheduler takes."""
    if explanation.error is not None:
        return ended_in_error(explanation.error)
    if explanation.takes_nominated:
        return " ".join((nomination_sentence(explanation), _("These would be the totals.")))
    if len(explanation.cycle.feasible) == 1:
        return _("The only feasible node is taken without scoring; these would be its scores.")
    return best_sentence(explanation)


def ended_in_error(error: CycleError) -> str:
    """Say what ends the attempt in an error, with the scheduler's own message."""
    return " ".join((error_sentence(error), _("It reports: %(message)s.") % {"message": error.message}))


NOT_SCORED = message("%(node)s is not scored: %(reasons)s.")
FITS_WITH = plural(
    "%(node)s is feasible, with %(points)s point.", "%(node)s is feasible, with %(points)s points.", by="points"
)
WITH_ITSELF = message("Choose another node than %(node)s.")
EQUAL_EVERYWHERE = plural(
    "Every plugin gives %(first)s and %(second)s the same: %(points)s point in all.",
    "Every plugin gives %(first)s and %(second)s the same: %(points)s points in all.",
    by="points",
)


def compared(first: str, second: str, points: int, parts: Sequence[tuple[str, int]]) -> str:
    """Say by how much one node is ahead of another, and by which plugins: pairs of plugin and points."""
    which = listed(plugin_points(plugin, number) for plugin, number in parts)
    if not points:
        return _("%(first)s and %(second)s have the same total: %(plugins)s.") % {
            "first": first,
            "second": second,
            "plugins": which,
        }
    if points > 0:
        return ngettext(
            "%(first)s is %(points)s point ahead of %(second)s: %(plugins)s.",
            "%(first)s is %(points)s points ahead of %(second)s: %(plugins)s.",
            points,
        ) % {"first": first, "points": grouped(points), "second": second, "plugins": which}
    return ngettext(
        "%(first)s is %(points)s point behind %(second)s: %(plugins)s.",
        "%(first)s is %(points)s points behind %(second)s: %(plugins)s.",
        -points,
    ) % {"first": first, "points": grouped(-points), "second": second, "plugins": which}


def plugin_points(plugin: str, points: int) -> str:
    """Write what one plugin makes of a difference: `+64 from NodeResourcesFit`."""
    return _("%(points)s from %(plugin)s") % {"points": signed(points), "plugin": plugin}
