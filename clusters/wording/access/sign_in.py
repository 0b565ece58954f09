"""Signing in by a one-time link, and who is let in."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from clusters.wording.amounts import grouped

LINK_REJECTED: Final = gettext_lazy(
    "This link is not valid: it was used already, has expired or was never created here."
)
UPLOAD_REFUSED: Final = gettext_lazy("Only users who may add clusters can send files. Sign in first.")
HOW_TO_GET_ANOTHER: Final = gettext_lazy("`.venv/bin/python manage.py signin` prints a link that is valid once")
METRICS_REFUSED: Final = gettext_lazy(
    "Metrics need a token. Set BERTH_METRICS_TOKEN for Berth and send it as 'Authorization: Bearer TOKEN', or sign in "
    "as a user who is staff. See docs/operations.md."
)


def valid_once(minutes: int) -> str:
    """Say how long a link is valid, and how to get another one."""
    return ngettext(
        "valid once, for %(minutes)s minute; `.venv/bin/python manage.py signin` prints another",
        "valid once, for %(minutes)s minutes; `.venv/bin/python manage.py signin` prints another",
        minutes,
    ) % {"minutes": grouped(minutes)}


def no_user_to_sign_in(name: str) -> str:
    """Say that a link cannot be made for a user who does not exist."""
    return _("There is no active user named %(name)s. Add --create to create one, or check the spelling.") % {
        "name": name
    }


def database_not_migrated() -> str:
    """Say that users cannot be read or given permissions before the database has its tables and permissions."""
    return _("The database is not migrated yet. Run manage.py migrate, or wait until that has finished, and try again.")


def no_user_for_token(name: str) -> str:
    """Say that a token cannot be made for a user who does not exist."""
    return _("There is no active user named %(name)s. manage.py signin --create creates one.") % {"name": name}
