"""Names in a row, and two values beside each other, as a sentence takes them in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import pgettext

from clusters.wording.amounts import grouped
from clusters.wording.messages import message, plural

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

OF = message("%(part)s of %(whole)s")
TO = message("%(first)s to %(last)s")
IN = message("%(what)s in %(where)s")
ON = message("%(what)s on %(where)s")


def listed(names: Iterable[str]) -> str:
    """Join names that all hold: a, b and c."""
    *before, last = tuple(names) or ("",)
    if not before:
        return last
    return pgettext("end of a list", "%(names)s and %(last)s") % {"names": _row(before), "last": last}


def alternatives(names: Iterable[str]) -> str:
    """Join names of which one is to be chosen: a, b or c."""
    *before, last = tuple(names) or ("",)
    if not before:
        return last
    return pgettext("end of a list", "%(names)s or %(last)s") % {"names": _row(before), "last": last}


def first_of(names: Sequence[str], *, total: int | None = None, most: int = 3) -> str:
    """Join the first ``most`` names, and count the others of ``total``: a, b, c and 4 more."""
    count = len(names) if total is None else total
    shown = names[:most]
    if count <= len(shown):
        return listed(shown)
    return pgettext("end of a list", "%(names)s and %(more)s more") % {
        "names": _row(shown),
        "more": grouped(count - len(shown)),
    }


def _row(names: Iterable[str]) -> str:
    return ", ".join(names)


def begun(sentence: str) -> str:
    """Begin a sentence with a capital letter, whatever it begins with."""
    return f"{sentence[:1].upper()}{sentence[1:]}"


NOT_LISTED = plural("%(number)s more is not listed.", "%(number)s more are not listed.", by="number")
_AND_MORE = message("and %(number)s more")


def and_more(number: int) -> str:
    """Count what a list leaves out; empty where that is nothing."""
    return _AND_MORE(number=number) if number > 0 else ""
