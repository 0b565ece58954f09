"""What an audit log says that somebody did."""

from __future__ import annotations

from typing import Final

from django.utils.translation import pgettext_lazy

SIGNED_IN: Final = pgettext_lazy("audit", "Signed in")
SIGN_IN_FAILED: Final = pgettext_lazy("audit", "Sign-in failed")
SIGNED_OUT: Final = pgettext_lazy("audit", "Signed out")
UPLOADED: Final = pgettext_lazy("audit", "Dump uploaded")
FOLLOWED: Final = pgettext_lazy("audit", "Cluster followed")
RENAMED: Final = pgettext_lazy("audit", "Cluster renamed")
DELETED: Final = pgettext_lazy("audit", "Cluster deleted")
CONFIGURED: Final = pgettext_lazy("audit", "Configuration changed")
ROLE_GIVEN: Final = pgettext_lazy("audit", "Role given")
ROLE_TAKEN: Final = pgettext_lazy("audit", "Role taken")
USER_ADDED: Final = pgettext_lazy("audit", "User added")
LINK_MADE: Final = pgettext_lazy("audit", "Sign-in link made")
USER_DISABLED: Final = pgettext_lazy("audit", "User disabled")
USER_ENABLED: Final = pgettext_lazy("audit", "User enabled")
SESSIONS_ENDED: Final = pgettext_lazy("audit", "Sessions ended")
TOKEN_MADE: Final = pgettext_lazy("audit", "Token made")
TOKEN_ROTATED: Final = pgettext_lazy("audit", "Token rotated")
TOKEN_REVOKED: Final = pgettext_lazy("audit", "Token revoked")
CLASSROOM_OPENED: Final = pgettext_lazy("audit", "Classroom opened")
REVIEW_EXPORTED: Final = pgettext_lazy("audit", "Review exported")
AUDIT_EXPORTED: Final = pgettext_lazy("audit", "Audit log exported")
