"""Tokens of the API: what may be said of one in a form, and why one cannot be made."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from clusters.wording.amounts import grouped

READ: Final = pgettext_lazy("scope of a token", "read")
READ_AND_WRITE: Final = pgettext_lazy("scope of a token", "read and write")

SCOPE: Final = pgettext_lazy("field of a token", "Scope")
WRITES: Final = gettext_lazy("read and write: upload, simulate, delete")
NAME_HINT: Final = gettext_lazy("What will use it, such as ci.")

EXPIRES: Final = pgettext_lazy("field of a token", "Expires")
IN_MONTH: Final = pgettext_lazy("expiry of a token", "after 30 days")
IN_QUARTER: Final = pgettext_lazy("expiry of a token", "after 90 days")
IN_YEAR: Final = pgettext_lazy("expiry of a token", "after a year")
NEVER: Final = pgettext_lazy("expiry of a token", "never")


def bad_name(most: int) -> str:
    """Say how long a token's name is."""
    return ngettext(
        "A token's name has 1 to %(most)s character. Write what will use it.",
        "A token's name has 1 to %(most)s characters. Write what will use it.",
        most,
    ) % {"most": grouped(most)}


def bad_days(most: int) -> str:
    """Say how long a token may last."""
    return ngettext(
        "A token expires after 1 to %(most)s day, or never.",
        "A token expires after 1 to %(most)s days, or never.",
        most,
    ) % {"most": grouped(most)}


def name_taken(name: str) -> str:
    """Say that a user has a token of that name already."""
    return _("There is a token %(name)s already. Choose another name, or revoke that one first.") % {"name": name}


def too_many(most: int) -> str:
    """Say that a user has as many tokens as may be."""
    return ngettext(
        "There is %(most)s token already. Revoke one that nothing uses any more.",
        "There are %(most)s tokens already. Revoke one that nothing uses any more.",
        most,
    ) % {"most": grouped(most)}


def no_token(*, user: str, name: str) -> str:
    """Say that a user has no token of that name."""
    return _("%(user)s has no token named %(name)s.") % {"user": user, "name": name}
