"""What is wrong with an answer, where the lesson has no hint of its own: enough to think again, and not the answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _

from clusters.engine.lessons import Goal, Mistake, MistakeKind
from clusters.wording.lessons.goals import goal_words
from clusters.wording.lists import first_of
from clusters.wording.messages import Message, message, plural
from clusters.wording.problems import problem_sentence

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


# So many are named in one sentence.
_NAMED: Final = 5


# Of mistakes of one kind; what is missing is counted and not named.
_SENTENCES: Final[Mapping[MistakeKind, Message]] = {
    MistakeKind.REJECTED: plural(
        "%(nodes)s does not pass all filters for this pod.",
        "%(nodes)s do not pass all filters for this pod.",
        by="mistakes",
    ),
    MistakeKind.LOWER_SCORE: plural(
        "%(nodes)s is feasible, but another node has a higher total.",
        "%(nodes)s are feasible, but another node has a higher total.",
        by="mistakes",
    ),
    MistakeKind.NOWHERE: message("There is a node for this pod."),
    MistakeKind.SOMEWHERE: message("%(nodes)s is not the answer: look at each filter again."),
    MistakeKind.MISSED: plural(
        "%(number)s is missing from your answer.", "%(number)s are missing from your answer.", by="mistakes"
    ),
    MistakeKind.EXTRA: plural(
        "%(names)s does not belong to the answer.", "%(names)s do not belong to the answer.", by="mistakes"
    ),
    MistakeKind.OTHER_PLUGIN: plural(
        "The plugin named for %(nodes)s does not reject the pod there.",
        "The plugins named for %(nodes)s do not reject the pod there.",
        by="mistakes",
    ),
    MistakeKind.LATER_PLUGIN: plural(
        "The plugin named for %(nodes)s would reject the pod, but another filter comes first.",
        "The plugins named for %(nodes)s would reject the pod, but another filter comes first.",
        by="mistakes",
    ),
    MistakeKind.OTHER_OUTCOME: message("Something else happens."),
    MistakeKind.POSITION: plural(
        "%(names)s is not at its place in the order.", "%(names)s are not at their places in the order.", by="mistakes"
    ),
    MistakeKind.TOO_SMALL: message("The number is too small."),
    MistakeKind.TOO_LARGE: message("The number is too large."),
    MistakeKind.KEPT_FIELD: plural(
        "%(fields)s has to stay as it is.", "%(fields)s have to stay as they are.", by="mistakes"
    ),
}


def mistake_sentence(mistakes: Sequence[Mistake]) -> str:
    """Say what is wrong, of mistakes of one kind but unmet goals; what is missing is counted and not named."""
    first, number = mistakes[0], len(mistakes)
    if first.kind is MistakeKind.REFUSED:
        if first.problem is None:
            return _("The API server would reject the changed object.")
        said = {"problem": problem_sentence(first.problem)}
        return _("The API server would reject the changed object: %(problem)s") % said
    names = first_of([each.subject for each in mistakes], most=_NAMED)
    values: dict[str, str | int] = {
        "mistakes": number,
        "number": number,
        "nodes": names,
        "names": names,
        "fields": names,
    }
    return _SENTENCES[first.kind](**values)


def unmet(goal: Goal) -> str:
    """Say which goal a changed manifest does not meet."""
    return _("Not met yet: %(goal)s") % {"goal": goal_words(goal)}
