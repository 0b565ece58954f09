"""What /readyz says of the services that Berth depends on."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy, ngettext

from clusters.wording.amounts import grouped

NO_ANSWER: Final = gettext_lazy("does not answer")
READ_ONLY: Final = gettext_lazy("cannot be written")


def lacks_migrations(pending: int) -> str:
    """Say how many migrations the database lacks."""
    return ngettext(
        "lacks %(pending)s migration; run manage.py migrate",
        "lacks %(pending)s migrations; run manage.py migrate",
        pending,
    ) % {"pending": grouped(pending)}
