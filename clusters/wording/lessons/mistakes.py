"""What is wrong with an answer, where the lesson has no hint of its own: enough to think again, and not the answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _, ngettext

from clusters.engine.lessons import Goal, Mistake, MistakeKind
from clusters.wording.amounts import grouped
from clusters.wording.lessons.goals import goal_words
from clusters.wording.lists import first_of
from clusters.wording.problems import problem_sentence

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence


# So many are named in one sentence.
_NAMED: Final = 5


def mistake_sentence(mistakes: Sequence[Mistake]) -> str:
    """Say what is wrong, of mistakes of one kind but unmet goals; what is missing is counted and not named."""
    return _SENTENCES[mistakes[0].kind](mistakes)


def unmet(goal: Goal) -> str:
    """Say which goal a changed manifest does not meet."""
    return _("Not met yet: %(goal)s") % {"goal": goal_words(goal)}


def _subjects(mistakes: Sequence[Mistake]) -> str:
    return first_of([each.subject for each in mistakes], most=_NAMED)


def _rejected(mistakes: Sequence[Mistake]) -> str:
    return ngettext(
        "%(nodes)s does not pass all filters for this pod.",
        "%(nodes)s do not pass all filters for this pod.",
        len(mistakes),
    ) % {"nodes": _subjects(mistakes)}


def _lower_score(mistakes: Sequence[Mistake]) -> str:
    return ngettext(
        "%(nodes)s is feasible, but another node has a higher total.",
        "%(nodes)s are feasible, but another node has a higher total.",
        len(mistakes),
    ) % {"nodes": _subjects(mistakes)}


def _nowhere(mistakes: Sequence[Mistake]) -> str:
    return _("There is a node for this pod.")


def _somewhere(mistakes: Sequence[Mistake]) -> str:
    return _("%(nodes)s is not the answer: look at each filter again.") % {"nodes": _subjects(mistakes)}


def _missed(mistakes: Sequence[Mistake]) -> str:
    return ngettext(
        "%(number)s is missing from your answer.", "%(number)s are missing from your answer.", len(mistakes)
    ) % {"number": grouped(len(mistakes))}


def _extra(mistakes: Sequence[Mistake]) -> str:
    return ngettext(
        "%(names)s does not belong to the answer.", "%(names)s do not belong to the answer.", len(mistakes)
    ) % {"names": _subjects(mistakes)}


def _other_plugin(mistakes: Sequence[Mistake]) -> str:
    return ngettext(
        "The plugin named for %(nodes)s does not reject the pod there.",
        "The plugins named for %(nodes)s do not reject the pod there.",
        len(mistakes),
    ) % {"nodes": _subjects(mistakes)}


def _later_plugin(mistakes: Sequence[Mistake]) -> str:
    return ngettext(
        "The plugin named for %(nodes)s would reject the pod, but another filter comes first.",
        "The plugins named for %(nodes)s would reject the pod, but another filter comes first.",
        len(mistakes),
    ) % {"nodes": _subjects(mistakes)}


def _other_outcome(mistakes: Sequence[Mistake]) -> str:
    return _("Something else happens.")


def _position(mistakes: Sequence[Mistake]) -> str:
    return ngettext(
        "%(names)s is not at its place in the order.", "%(names)s are not at their places in the order.", len(mistakes)
    ) % {"names": _subjects(mistakes)}


def _too_small(mistakes: Sequence[Mistake]) -> str:
    return _("The number is too small.")


def _too_large(mistakes: Sequence[Mistake]) -> str:
    return _("The number is too large.")


def _kept_field(mistakes: Sequence[Mistake]) -> str:
    return ngettext("%(fields)s has to stay as it is.", "%(fields)s have to stay as they are.", len(mistakes)) % {
        "fields": _subjects(mistakes)
    }


def _refused(mistakes: Sequence[Mistake]) -> str:
    problem = mistakes[0].problem
    if problem is None:
        return _("The API server would reject the changed object.")
    return _("The API server would reject the changed object: %(problem)s") % {"problem": problem_sentence(problem)}


_SENTENCES: Final[Mapping[MistakeKind, Callable[[Sequence[Mistake]], str]]] = {
    MistakeKind.REJECTED: _rejected,
    MistakeKind.LOWER_SCORE: _lower_score,
    MistakeKind.NOWHERE: _nowhere,
    MistakeKind.SOMEWHERE: _somewhere,
    MistakeKind.MISSED: _missed,
    MistakeKind.EXTRA: _extra,
    MistakeKind.OTHER_PLUGIN: _other_plugin,
    MistakeKind.LATER_PLUGIN: _later_plugin,
    MistakeKind.OTHER_OUTCOME: _other_outcome,
    MistakeKind.POSITION: _position,
    MistakeKind.TOO_SMALL: _too_small,
    MistakeKind.TOO_LARGE: _too_large,
    MistakeKind.KEPT_FIELD: _kept_field,
    MistakeKind.REFUSED: _refused,
}
