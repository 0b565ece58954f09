"""Tokens of the API: what may be said of one in a form, and why one cannot be made."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy, pgettext_lazy

from clusters.wording.messages import message, plural

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


BAD_NAME = plural(
    "A token's name has 1 to %(most)s character.",
    "A token's name has 1 to %(most)s characters.",
    by="most",
)
BAD_DAYS = plural(
    "A token expires after 1 to %(most)s day, or never.",
    "A token expires after 1 to %(most)s days, or never.",
    by="most",
)
NAME_TAKEN = message("There is a token %(name)s. Choose another name, or revoke it.")
TOO_MANY = plural(
    "There is %(most)s token. Revoke one first.",
    "There are %(most)s tokens. Revoke one first.",
    by="most",
)
NO_TOKEN = message("%(user)s has no token named %(name)s.")
