"""Changed manifests of a class: what each achieves, and how many meet each goal."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from clusters.engine.lessons import MistakeKind
from clusters.wording.lessons import distributions as words
from clusters.wording.lessons.goals import goal_words
from dashboard.classrooms.presenters.answers import goals_met
from dashboard.classrooms.presenters.bars import BarGroup, bar_group

if TYPE_CHECKING:
    from dashboard.classrooms.judgements import JudgedAnswer, JudgedAnswers


def change_groups(question: Any, judged: JudgedAnswers, *, is_revealed: bool) -> tuple[BarGroup, ...]:
    """Present manifests by their verdicts, and where there are several goals, by those that they meet."""
    answers, every = len(judged.answers), str(words.EVERY_GOAL)
    verdicts = Counter(_verdict(question, answer) for answer in judged.answers)
    right = {every} if is_revealed else set()
    groups = [bar_group({every: 0, **verdicts}, answers, right, title=str(words.VERDICTS))]
    if len(question.goals) > 1:
        met = Counter(place for answer in judged.answers for place in goals_met(question, answer))
        numbers = {goal_words(goal): met[place] for place, goal in enumerate(question.goals)}
        groups.append(bar_group(numbers, answers, title=str(words.GOALS), in_order=True))
    return tuple(groups)


def _verdict(question: Any, answer: JudgedAnswer) -> str:
    """Say what a changed manifest comes to, in one sentence."""
    if answer.is_right:
        return str(words.EVERY_GOAL)
    if any(mistake.kind is MistakeKind.REFUSED for mistake in answer.mistakes):
        return str(words.REFUSED)
    met = goals_met(question, answer)
    missed = [goal for place, goal in enumerate(question.goals) if place not in met]
    if not missed:
        return str(words.KEPT_CHANGED)
    return words.goal_missed(missed[0]) if len(missed) == 1 else words.GOALS_MISSED(number=len(missed))
