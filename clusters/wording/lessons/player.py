"""What the player of lessons says around the texts of a lesson."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _, gettext_lazy, pgettext_lazy

from clusters.wording.messages import message, plural

NAMED_RIGHTLY: Final = gettext_lazy("In your answer, and right")
NAMED_WRONGLY: Final = gettext_lazy("In your answer, and wrong")
MISSED: Final = gettext_lazy("Right, and not in your answer")
LEFT_OUT: Final = gettext_lazy("What your answer leaves out")
NO_LESSON: Final = gettext_lazy("There is no such lesson.")
NO_STEP: Final = gettext_lazy("The lesson has no such step.")
NOT_YET: Final = gettext_lazy("Answer the step first: this would show the answer.")
NO_DECISION: Final = gettext_lazy("Nothing is decided here.")

DONE: Final = pgettext_lazy("state of a step", "answered")
SHOWN_STEP: Final = pgettext_lazy("state of a step", "answer shown")
BEGUN: Final = pgettext_lazy("state of a step", "begun")
NEW: Final = pgettext_lazy("state of a step", "not begun")

# By the names that the built-in paths have; a trainer's path is called as its file calls it.
PATHS: Final = {
    "": gettext_lazy("Other lessons"),
    "beginners": gettext_lazy("For beginners"),
    "operators": gettext_lazy("For operators"),
    "platform-teams": gettext_lazy("For platform teams"),
}


def path_title(name: str) -> str:
    """Name a path of lessons."""
    return str(PATHS.get(name, name))


MINUTES = plural("about %(number)s minute", "about %(number)s minutes", by="number")
STEPS_DONE = plural("%(done)s of %(steps)s steps done", "%(done)s of %(steps)s steps done", by="steps")
STEPS_DONE_SO_FAR = plural("%(done)s step done", "%(done)s steps done", by="done")
STEP_OF = message("Step %(number)s of %(steps)s")
HINT = message("Hint %(number)s of %(hints)s")
TRIES = plural("%(number)s try so far", "%(number)s tries so far", by="number")
NO_ROOM: Final = gettext_lazy("This experiment has no room for another change. Undo some, or reset it.")
NO_OBJECT: Final = gettext_lazy("There is no such object now.")
NO_EXPERIMENT: Final = gettext_lazy("There is no experiment here.")
ALL_EDITED: Final = gettext_lazy("All objects edited")
ADDED: Final = gettext_lazy("Objects added")


def edited(name: str, *, is_removed: bool) -> str:
    """Name a change of an experiment; ``name`` is that of the object, empty for all."""
    if not name:
        return str(ALL_EDITED)
    if name == "new":
        return str(ADDED)
    if is_removed:
        return _("%(name)s removed") % {"name": name}
    return _("%(name)s edited") % {"name": name}
