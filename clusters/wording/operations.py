"""What /readyz says of the services that Berth depends on."""

from __future__ import annotations

from typing import Final

from django.utils.translation import ngettext, pgettext_lazy

from clusters.wording.amounts import grouped

UNAVAILABLE: Final = pgettext_lazy("state of a dependency", "unavailable")
READ_ONLY: Final = pgettext_lazy("state of a dependency", "read-only")


def pending_migrations(pending: int) -> str:
    """Say how many migrations have not been applied to the database."""
    return ngettext(
        "%(pending)s migration is pending: run manage.py migrate",
        "%(pending)s migrations are pending: run manage.py migrate",
        pending,
    ) % {"pending": grouped(pending)}
