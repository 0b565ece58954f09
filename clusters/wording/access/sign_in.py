"""Signing in by a one-time link, tokens of the API, and who is let in."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy, pgettext_lazy

from clusters.wording.messages import message, plural

LINK_REJECTED: Final = gettext_lazy("This link is not valid: used, expired or never created here.")
UPLOAD_REFUSED: Final = gettext_lazy("Only users who may add clusters can send files. Sign in first.")
ACCOUNT_DISABLED: Final = gettext_lazy("Your account is disabled. Ask the administrator of this Berth.")
LINKS_OFF: Final = gettext_lazy("One-time links are off. Set BERTH_SIGNIN_LINKS to 1, or sign in otherwise.")
AT_ADDRESS: Final = gettext_lazy("at the address; one-time links are off")
HOW_TO_GET_ANOTHER = message("`%(command)s signin` prints a link that is valid once")
METRICS_REFUSED: Final = gettext_lazy(
    "Metrics need BERTH_METRICS_TOKEN, sent as 'Authorization: Bearer TOKEN', or a staff user. See docs/operations.md."
)

MAY_NOT_ORDER: Final = gettext_lazy(
    "Your role only views this cluster. Ask the administrator of this Berth for the operator's."
)
MAY_NOT_CHANGE: Final = gettext_lazy(
    "Your account may not change this. Ask an administrator of this Berth to let you change clusters."
)
MAY_NOT_ADMINISTER: Final = gettext_lazy("Only administrators of this Berth may open this.")
VIEWER: Final = pgettext_lazy("role", "Viewer")
OPERATOR: Final = pgettext_lazy("role", "Operator")
TRAINER: Final = pgettext_lazy("role", "Trainer")
ADMINISTRATOR: Final = pgettext_lazy("role", "Administrator")


VALID_ONCE = plural(
    "valid once, for %(minutes)s minute; `%(command)s signin` prints another",
    "valid once, for %(minutes)s minutes; `%(command)s signin` prints another",
    by="minutes",
)
NO_USER = message("There is no active user named %(name)s. %(command)s signin --create creates one.")
DATABASE_NOT_MIGRATED = message("The database is not migrated. Run %(command)s migrate, or wait until it has finished.")


READ: Final = pgettext_lazy("scope of a token", "read")
READ_AND_WRITE: Final = pgettext_lazy("scope of a token", "read and write")

SCOPE: Final = pgettext_lazy("field of a token", "Scope")
WRITES: Final = gettext_lazy("read and write: upload, simulate, delete")
NAME_HINT: Final = gettext_lazy("What will use it, such as ci.")

TOKEN_CLUSTERS: Final = pgettext_lazy("field of a token", "Clusters")
TOKEN_CLUSTERS_HINT: Final = gettext_lazy("Without a choice: all that you may view.")
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
