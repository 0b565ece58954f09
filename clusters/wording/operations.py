"""What /readyz says of the services that Berth depends on."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy, pgettext_lazy

from clusters.wording.messages import plural

UNAVAILABLE: Final = pgettext_lazy("state of a dependency", "unavailable")
NO_BEAT: Final = gettext_lazy(
    "not running: what is due by the clock is not started, and work of lost workers is not taken over"
)
READ_ONLY: Final = pgettext_lazy("state of a dependency", "read-only")


PENDING_MIGRATIONS = plural(
    "%(pending)s migration is pending: run %(command)s migrate",
    "%(pending)s migrations are pending: run %(command)s migrate",
    by="pending",
)
