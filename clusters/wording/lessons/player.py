"""What the player of lessons says around the texts of a lesson."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from clusters.wording.amounts import grouped

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


def minutes(number: int) -> str:
    """Say how long a lesson takes."""
    return ngettext("about %(number)s minute", "about %(number)s minutes", number) % {"number": grouped(number)}


def steps_done(done: int, steps: int) -> str:
    """Say how many steps of a lesson somebody has done."""
    return ngettext("%(done)s of %(steps)s steps done", "%(done)s of %(steps)s steps done", steps) % {
        "done": grouped(done),
        "steps": grouped(steps),
    }


def steps_done_so_far(done: int) -> str:
    """Say how many steps of a lesson somebody has done, where it is not known how many there are."""
    return ngettext("%(done)s step done", "%(done)s steps done", done) % {"done": grouped(done)}


def step_of(number: int, steps: int) -> str:
    """Say which step of a lesson this is."""
    return _("Step %(number)s of %(steps)s") % {"number": grouped(number), "steps": grouped(steps)}


def hint(number: int, hints: int) -> str:
    """Name a hint by its place among all."""
    return _("Hint %(number)s of %(hints)s") % {"number": grouped(number), "hints": grouped(hints)}


def tries(number: int) -> str:
    """Say how often somebody answered."""
    return ngettext("%(number)s try so far", "%(number)s tries so far", number) % {"number": grouped(number)}


def too_many_answers(number: int) -> str:
    """Say how many answers and experiments are judged in a minute."""
    return ngettext(
        "At most %(number)s answer and experiment is judged within a minute.",
        "At most %(number)s answers and experiments are judged within a minute.",
        number,
    ) % {"number": grouped(number)}
