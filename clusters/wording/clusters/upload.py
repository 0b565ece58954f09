"""What the upload's page says of a file while it is chosen and sent, in the words that its script puts in."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

ONE_FILE: Final = gettext_lazy("Drop one file at a time. Several files go into one .tar.gz archive.")
STARTING: Final = gettext_lazy("Starting.")
STARTED: Final = gettext_lazy("Upload started.")
ALL_SENT: Final = gettext_lazy("All bytes sent. The server is taking the file over.")
BROKEN: Final = gettext_lazy("The connection broke before the file was through. Nothing was changed; try again.")
CANCELLED: Final = gettext_lazy("The upload was cancelled. Nothing was changed.")


def chosen(*, name: str, size: str) -> str:
    """Name the file that is chosen."""
    return _("%(name)s, %(size)s") % {"name": name, "size": size}


def too_large(*, name: str, size: str, limit: str) -> str:
    """Say that the chosen file is over the limit, and what helps."""
    return _(
        "%(name)s is %(size)s; this Berth takes files up to %(limit)s. "
        "Compress it with gzip, or leave out kinds that Berth does not read."
    ) % {"name": name, "size": size, "limit": limit}


def sent(*, sent: str, size: str, percent: str) -> str:
    """Say how much of a file is sent."""
    return _("%(sent)s of %(size)s sent (%(percent)s %%)") % {"sent": sent, "size": size, "percent": percent}


def answered(*, status: str) -> str:
    """Say that the server answered with a status and no words."""
    return _("The server answered %(status)s. Reload the page and try again.") % {"status": status}
