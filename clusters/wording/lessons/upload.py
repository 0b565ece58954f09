"""What the page says on which lessons are uploaded and removed."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy

from clusters.wording.messages import message

MAY_NOT_WRITE: Final = gettext_lazy(
    "Your account may not write lessons. Ask the administrator for the permission to add stored lessons."
)
ARCHIVE: Final = gettext_lazy("Archive of a lesson")
ARCHIVE_MISSING: Final = gettext_lazy("Choose an archive.")


ARCHIVE_HINT = message("A .zip or .tar.gz of the lesson's folder, at most %(most)s.")
STORED = message("%(name)s is among the lessons of everybody who is signed in.")
REMOVED = message("%(name)s is removed.")
