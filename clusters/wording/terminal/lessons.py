"""What `manage.py lessons` prints."""

from __future__ import annotations

from django.utils.translation import gettext as _, pgettext

from clusters.wording.lists import listed
from clusters.wording.messages import message, plural

NOTHING_WRONG = plural(
    "%(lesson)s: %(steps)s step, nothing is wrong.", "%(lesson)s: %(steps)s steps, nothing is wrong.", by="steps"
)
STORED = message("Stored: %(lesson)s")
REMOVED = message("Deleted: %(lesson)s")
NO_SUCH_LESSON = message("No lesson %(lesson)s was stored. Lessons of Berth stay.")
WARNING = message("Warning: %(sentence)s")


def lesson_columns() -> tuple[str, str, str, str, str]:
    """Name the columns of the list of lessons."""
    return (
        pgettext("column in the terminal", "lesson"),
        pgettext("column in the terminal", "minutes"),
        pgettext("column in the terminal", "steps"),
        pgettext("column in the terminal", "languages"),
        pgettext("column in the terminal", "title"),
    )


def learning_path(*, name: str, lessons: list[str]) -> str:
    """List the lessons of a path in their order."""
    return _("Path %(name)s: %(lessons)s") % {"name": name, "lessons": listed(lessons)}
