"""Errors of the API: what is wrong, and what to do. Programs go by the code beside them, never by these sentences."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _, gettext_lazy

from clusters.wording.messages import message

READ_REFERENCE: Final = gettext_lazy("/api/v1/docs lists what each operation takes.")

NO_ADDRESS: Final = gettext_lazy("The API has no such address.")
FIND_ADDRESS: Final = gettext_lazy("docs/api.md lists the addresses.")
FIND_CLUSTER: Final = gettext_lazy("/api/v1/clusters/ lists the clusters.")

FORBIDDEN: Final = gettext_lazy("You may not do that.")
ASK_PERMITTED: Final = gettext_lazy("Ask a user who may change clusters, or its creator.")
NOT_SIGNED_IN: Final = gettext_lazy("The request is not authenticated.")
SEND_TOKEN: Final = gettext_lazy("Send Authorization: Bearer TOKEN.")
CSRF: Final = gettext_lazy("The request lacks its CSRF token.")
SEND_CSRF: Final = gettext_lazy("Send a Bearer token, or X-CSRFToken.")
TOKEN_REJECTED: Final = gettext_lazy("The token is not valid.")
MAKE_TOKEN: Final = gettext_lazy("Create another on the page API tokens.")
MAKE_WRITE_TOKEN: Final = gettext_lazy("Create one that may write on the page API tokens.")

TOO_LARGE: Final = gettext_lazy("The body is too large.")
SEND_LESS: Final = gettext_lazy("Send at most 5 MiB, and dumps as a file.")
UNREADABLE: Final = gettext_lazy("The body cannot be read.")
INVALID: Final = gettext_lazy("The value is not valid.")
NUL: Final = gettext_lazy("A text contains a NUL character.")
REMOVE_NUL: Final = gettext_lazy("Remove it.")
INTERNAL: Final = gettext_lazy("An internal error occurred.")
SEE_LOG: Final = gettext_lazy("Ask again. Berth's log has the error.")
BUSY: Final = gettext_lazy("The database is busy.")
TRY_AGAIN: Final = gettext_lazy("Ask again in a few seconds.")


NO_CLUSTER = message("There is no cluster %(cluster)s.")


def invalid(*, field: str, reason: str) -> str:
    """Say which field is not valid, with the reason that the validation gives."""
    return _("%(field)s: %(reason)s.") % {"field": field, "reason": reason}


NOT_ALLOWED = message("%(method)s is not allowed here.")
USE_METHODS = message("Use %(allowed)s.")
READ_ONLY_TOKEN = message("The token %(token)s may only read.")
SIGN_IN_AT = message("Send Authorization: Bearer TOKEN, or sign in at %(address)s.")
NOT_COMPUTED = message("The answer could not be computed: %(error)s")
REPORT_DEFECT = message("Report the error %(reference)s in Berth's log.")
