"""What the page says on which lessons are uploaded and removed."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

MAY_NOT_WRITE: Final = gettext_lazy(
    "Your account may play lessons but not write them. Ask the administrator of this Berth for the permission to add "
    "stored lessons."
)
ARCHIVE: Final = gettext_lazy("Archive of a lesson")
ARCHIVE_MISSING: Final = gettext_lazy("Choose an archive: a .zip or .tar.gz of the lesson's folder.")


def archive_hint(most: str) -> str:
    """Say what can be uploaded."""
    return _("A .zip or .tar.gz of the lesson's folder, at most %(most)s.") % {"most": most}


def stored(name: str) -> str:
    """Say that a lesson can be played by everybody."""
    return _("%(name)s is stored: everybody who is signed in finds it among the lessons.") % {"name": name}


def removed(name: str) -> str:
    """Say that a lesson is gone."""
    return _("%(name)s is removed.") % {"name": name}
