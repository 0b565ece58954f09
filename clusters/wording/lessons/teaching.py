"""What classrooms say to those who teach: forms, who is where, how answers are distributed, and results."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext, pgettext_lazy

from clusters.wording.amounts import grouped

MAY_NOT_TEACH: Final = gettext_lazy(
    "Your account may not open classrooms. Ask the administrator of this Berth for the permission to teach."
)
TITLE: Final = gettext_lazy("Title")
LANGUAGE: Final = gettext_lazy("Language of the classroom")
PACE: Final = gettext_lazy("Pace")
HOURS: Final = gettext_lazy("Hours until it is removed")
TITLE_MISSING: Final = gettext_lazy("Give the classroom a title, which participants see.")
NO_LESSONS: Final = gettext_lazy("Add at least one lesson.")
UPLOADED: Final = gettext_lazy("Uploaded lessons")

OPEN: Final = pgettext_lazy("state of a classroom", "open to others")
CLOSED: Final = pgettext_lazy("state of a classroom", "closed to others")

CONNECTED: Final = pgettext_lazy("state of a participant", "connected")
AWAY: Final = pgettext_lazy("state of a participant", "not connected")
NOT_ANSWERED: Final = pgettext_lazy("state of a participant", "not answered")
ANSWERED: Final = pgettext_lazy("state of a participant", "answered")
RIGHT: Final = pgettext_lazy("state of a participant", "right")
NOT_RIGHT: Final = pgettext_lazy("state of a participant", "not right")
SHOWN: Final = pgettext_lazy("state of a participant", "answer shown")
NOWHERE_YET: Final = pgettext_lazy("place of a participant", "not begun")

YES: Final = pgettext_lazy("cell of a table", "yes")
NO: Final = pgettext_lazy("cell of a table", "no")
COLUMNS: Final = (
    pgettext_lazy("column of a file", "Name"),
    pgettext_lazy("column of a file", "Lesson"),
    pgettext_lazy("column of a file", "Step"),
    pgettext_lazy("column of a file", "Answer"),
    pgettext_lazy("column of a file", "Tries"),
    pgettext_lazy("column of a file", "Right"),
    pgettext_lazy("column of a file", "Hints"),
    pgettext_lazy("column of a file", "Answer shown"),
    pgettext_lazy("column of a file", "Time"),
)

ONLY_THIS_MACHINE: Final = gettext_lazy(
    "Only this machine reaches this address. Have Berth listen on the network, set BERTH_BASE_URL, and open this page "
    "there."
)


def many_lessons(most: int) -> str:
    """Say how many lessons a classroom has at most."""
    return ngettext(
        "A classroom has at most %(most)s lesson. Take some out.",
        "A classroom has at most %(most)s lessons. Take some out.",
        most,
    ) % {"most": grouped(most)}


def many_classrooms(most: int) -> str:
    """Say how many classrooms a trainer has at most."""
    return ngettext(
        "You have %(most)s classroom already, as many as there may be. Remove one first.",
        "You have %(most)s classrooms already, as many as there may be. Remove one first.",
        most,
    ) % {"most": grouped(most)}


def bad_hours(most: int) -> str:
    """Say for how many hours a classroom can be kept."""
    return ngettext(
        "Write a whole number from 1 to %(most)s hour.", "Write a whole number from 1 to %(most)s hours.", most
    ) % {"most": grouped(most)}


def most_hours(most: int) -> str:
    """Say how long a classroom is kept at most."""
    return ngettext(
        "At most %(most)s hour from when it is opened. Then it is removed with all names and answers.",
        "At most %(most)s hours from when it is opened. Then it is removed with all names and answers.",
        most,
    ) % {"most": grouped(most)}


def removed(title: str) -> str:
    """Say that a classroom is gone."""
    return _("“%(title)s” is removed, with all names and answers.") % {"title": title}


def participants(number: int) -> str:
    """Count participants."""
    return ngettext("%(number)s participant", "%(number)s participants", number) % {"number": grouped(number)}


def connected(number: int, participants: int) -> str:
    """Say how many participants are connected."""
    return ngettext(
        "%(number)s of %(participants)s participant connected",
        "%(number)s of %(participants)s participants connected",
        participants,
    ) % {"number": grouped(number), "participants": grouped(participants)}


def answered(number: int, participants: int) -> str:
    """Say how many participants have answered a step."""
    return ngettext(
        "%(number)s of %(participants)s participant has answered",
        "%(number)s of %(participants)s participants have answered",
        participants,
    ) % {"number": grouped(number), "participants": grouped(participants)}


def of_answers(number: int, answers: int) -> str:
    """Say how many answers say something."""
    return pgettext("so many answers", "%(number)s of %(answers)s") % {
        "number": grouped(number),
        "answers": grouped(answers),
    }


def right(number: int, answers: int) -> str:
    """Say how many answers are right."""
    return ngettext(
        "%(number)s of %(answers)s answers are right.", "%(number)s of %(answers)s answers are right.", answers
    ) % {"number": grouped(number), "answers": grouped(answers)}


def other_answers(number: int) -> str:
    """Count what is not listed."""
    return ngettext("%(number)s other answer", "%(number)s other answers", number) % {"number": grouped(number)}


def unreadable(number: int) -> str:
    """Say that some answers were given to a former version of the lesson."""
    return ngettext(
        "%(number)s answer is not counted: the lesson is another one since it was given.",
        "%(number)s answers are not counted: the lesson is another one since they were given.",
        number,
    ) % {"number": grouped(number)}


def most_frequent(answer: str, number: int, answers: int) -> str:
    """Say what most answers have in common."""
    return ngettext(
        "Most frequent: %(answer)s, in %(number)s of %(answers)s answers.",
        "Most frequent: %(answer)s, in %(number)s of %(answers)s answers.",
        answers,
    ) % {"answer": answer, "number": grouped(number), "answers": grouped(answers)}


def commonest_mistake(number: int, answers: int) -> str:
    """Say how many answers are wrong in the same way."""
    return ngettext(
        "Most frequent wrong answer: %(number)s of %(answers)s",
        "Most frequent wrong answer: %(number)s of %(answers)s",
        answers,
    ) % {"number": grouped(number), "answers": grouped(answers)}


def goals_met(met: int, goals: int) -> str:
    """Say how many goals a changed manifest meets."""
    return ngettext("%(met)s of %(goals)s goals met", "%(met)s of %(goals)s goals met", goals) % {
        "met": grouped(met),
        "goals": grouped(goals),
    }


def step_place(number: int, title: str) -> str:
    """Name a step by its place in the lesson."""
    return pgettext("place and title of a step", "%(number)s. %(title)s") % {"number": grouped(number), "title": title}


def done_of(done: int, steps: int) -> str:
    """Say how many steps of all a participant has done."""
    return pgettext("done of all steps", "%(done)s of %(steps)s") % {"done": grouped(done), "steps": grouped(steps)}
