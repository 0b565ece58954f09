"""What the upload's page says of a file while it is chosen and sent, in the words that its script puts in."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy

from clusters.wording.messages import message

ONE_FILE: Final = gettext_lazy("Drop one file, or a .tar.gz archive of several.")
STARTING: Final = gettext_lazy("Starting.")
STARTED: Final = gettext_lazy("Upload started.")
ALL_SENT: Final = gettext_lazy("All sent; the server takes it over.")
BROKEN: Final = gettext_lazy("The connection broke. Try again.")
CANCELLED: Final = gettext_lazy("The upload was cancelled.")


CHOSEN = message("%(name)s, %(size)s")
TOO_LARGE = message("%(name)s is %(size)s, more than %(limit)s. Compress it with gzip, or leave out kinds.")
SENT = message("%(sent)s of %(size)s sent (%(percent)s %%)")
ANSWERED = message("The server answered %(status)s. Reload the page and try again.")
