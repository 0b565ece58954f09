"""Signing in by a one-time link, and who is let in."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy

from clusters.wording.messages import message, plural

LINK_REJECTED: Final = gettext_lazy("This link is not valid: used, expired or never created here.")
UPLOAD_REFUSED: Final = gettext_lazy("Only users who may add clusters can send files. Sign in first.")
HOW_TO_GET_ANOTHER: Final = gettext_lazy("`.venv/bin/python manage.py signin` prints a link that is valid once")
METRICS_REFUSED: Final = gettext_lazy(
    "Metrics need BERTH_METRICS_TOKEN, sent as 'Authorization: Bearer TOKEN', or a staff user. See docs/operations.md."
)


VALID_ONCE = plural(
    "valid once, for %(minutes)s minute; `.venv/bin/python manage.py signin` prints another",
    "valid once, for %(minutes)s minutes; `.venv/bin/python manage.py signin` prints another",
    by="minutes",
)
NO_USER_TO_SIGN_IN = message(
    "There is no active user named %(name)s. Add --create to create one, or check the spelling."
)
DATABASE_NOT_MIGRATED: Final = gettext_lazy(
    "The database is not migrated. Run manage.py migrate, or wait until it has finished."
)
NO_USER_FOR_TOKEN = message("There is no active user named %(name)s. manage.py signin --create creates one.")
