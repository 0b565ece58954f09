"""What `manage.py lessons` prints."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from clusters.wording.amounts import grouped
from clusters.wording.lists import listed


def nothing_wrong(*, lesson: str, steps: int) -> str:
    """Say that a lesson can be played."""
    return ngettext(
        "%(lesson)s: %(steps)s step, nothing is wrong.", "%(lesson)s: %(steps)s steps, nothing is wrong.", steps
    ) % {"lesson": lesson, "steps": grouped(steps)}


def stored(name: str) -> str:
    """Say that a lesson was stored."""
    return _("Stored: %(lesson)s is on the page of lessons from now on.") % {"lesson": name}


def removed(name: str) -> str:
    """Say that a stored lesson was deleted."""
    return _("Deleted: %(lesson)s") % {"lesson": name}


def no_such_lesson(name: str) -> str:
    """Say that no lesson of this name was stored."""
    return _("No lesson with the name %(lesson)s was stored. Lessons that come with Berth stay.") % {"lesson": name}


def warning(sentence: str) -> str:
    """Mark what is no error."""
    return _("Warning: %(sentence)s") % {"sentence": sentence}


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
