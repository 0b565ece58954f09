"""What classrooms say to those who teach: forms, who is where, how answers are distributed, and results."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from clusters.wording.amounts import grouped
from clusters.wording.messages import message, plural

if TYPE_CHECKING:
    from collections.abc import Mapping


MAY_NOT_TEACH: Final = gettext_lazy(
    "Your account may not open classrooms. Ask the administrator for the permission to teach."
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

ONLY_THIS_MACHINE: Final = gettext_lazy("Only this machine reaches this address: set BERTH_HOST and BERTH_BASE_URL.")


MANY_LESSONS = plural(
    "A classroom has at most %(most)s lesson. Take some out.",
    "A classroom has at most %(most)s lessons. Take some out.",
    by="most",
)
MANY_CLASSROOMS = plural(
    "You have %(most)s classroom. Remove one first.",
    "You have %(most)s classrooms. Remove one first.",
    by="most",
)
BAD_HOURS = plural(
    "Write a whole number from 1 to %(most)s hour.", "Write a whole number from 1 to %(most)s hours.", by="most"
)
MOST_HOURS = plural(
    "At most %(most)s hour. Then it is removed with all names and answers.",
    "At most %(most)s hours. Then it is removed with all names and answers.",
    by="most",
)
REMOVED = message("“%(title)s” is removed, with all names and answers.")
PARTICIPANTS = plural("%(number)s participant", "%(number)s participants", by="number")


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


def right(number: int, answers: int) -> str:
    """Say how many answers are right."""
    return ngettext(
        "%(number)s of %(answers)s answers are right.", "%(number)s of %(answers)s answers are right.", answers
    ) % {"number": grouped(number), "answers": grouped(answers)}


OTHER_ANSWERS = plural("%(number)s other answer", "%(number)s other answers", by="number")
UNREADABLE = plural(
    "%(number)s answer to an earlier lesson is not counted.",
    "%(number)s answers to an earlier lesson are not counted.",
    by="number",
)
MOST_FREQUENT = plural(
    "Most frequent: %(answer)s, in %(number)s of %(answers)s answers.",
    "Most frequent: %(answer)s, in %(number)s of %(answers)s answers.",
    by="answers",
)
COMMONEST_MISTAKE = plural(
    "Most frequent wrong answer: %(number)s of %(answers)s",
    "Most frequent wrong answer: %(number)s of %(answers)s",
    by="answers",
)
GOALS_MET = plural("%(met)s of %(goals)s goals met", "%(met)s of %(goals)s goals met", by="goals")


# Of maps, by what answers name: nodes, nodes that reject the pod, pods that run there.
HEAT_TITLES: Final[Mapping[str, object]] = {
    "nodes": gettext_lazy("Named nodes"),
    "rejections": gettext_lazy("Nodes that are said to reject the pod"),
    "pods": gettext_lazy("Nodes of the named pods"),
}
IN_ANSWERS: Final = gettext_lazy("The more answers, the stronger")
IN_NO_ANSWER: Final = gettext_lazy("In no answer")
RIGHT_NODE: Final = gettext_lazy("Right")

ALL_NODES: Final = gettext_lazy("All nodes together")
BY_PLUGIN: Final = gettext_lazy("How many answers let a plugin reject the pod, by node")
BY_PLACE: Final = gettext_lazy("In how many answers each stands at which place")
NODE: Final = pgettext_lazy("head of a column", "Node")
POD: Final = pgettext_lazy("head of a column", "Pod")

VERDICTS: Final = gettext_lazy("Changed manifests")
GOALS: Final = gettext_lazy("Goals that are met")
EVERY_GOAL: Final = gettext_lazy("Every goal is met")
REFUSED: Final = gettext_lazy("The API server refuses it")
KEPT_CHANGED: Final = gettext_lazy("A field is changed that has to stay as it is")


NODE_HEAT = plural(
    "%(node)s: %(number)s of %(answers)s answer", "%(node)s: %(number)s of %(answers)s answers", by="answers"
)
HEAT_SUMMARY = plural(
    "Answers on each of %(nodes)s node (answers: %(answers)s).",
    "Answers on each of %(nodes)s nodes (answers: %(answers)s).",
    by="nodes",
)
LATER_PLACES = message("%(first)s and later")
OTHER_ROWS = plural("%(number)s more row is not listed.", "%(number)s more rows are not listed.", by="number")
OTHER_RIGHT = plural(
    "%(number)s more is right and not listed.", "%(number)s more are right and not listed.", by="number"
)
NUMBER_SPREAD = message("From %(least)s to %(most)s; half of the answers are at most %(middle)s.")
GOAL_MISSED = message("Not met: %(goal)s")
GOALS_MISSED = plural("%(number)s goal is not met", "%(number)s goals are not met", by="number")
