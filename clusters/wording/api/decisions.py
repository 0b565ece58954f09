"""Errors of the API about the decision journal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _, gettext_lazy

from clusters.wording.messages import message

if TYPE_CHECKING:
    from collections.abc import Iterable

FIND_FILTERS: Final = gettext_lazy("docs/api.md lists the filters.")
USE_NEXT: Final = gettext_lazy("Send the last answer's next, or no cursor.")
FIND_DECISION: Final = gettext_lazy("It may be older than the journal: list the decisions.")


def not_understood(*, name: str, found: str, errors: Iterable[str]) -> str:
    """Say that a filter does not take a value, with what is wrong with it."""
    return _("%(name)s=%(found)s is not understood: %(errors)s") % {
        "name": name,
        "found": found,
        "errors": " ".join(errors),
    }


NO_PLACE = message("cursor=%(cursor)s names no place in the list.")


def no_decision(*, cluster: str, number: int) -> str:
    """Say that a journal has no such decision."""
    return _("The journal of %(cluster)s has no decision %(number)s.") % {"cluster": cluster, "number": str(number)}
