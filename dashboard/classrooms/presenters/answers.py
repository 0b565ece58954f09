"""Answers in the words in which people read them, one by one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clusters.engine.lessons import MistakeKind
from clusters.wording.lessons import answers as words
from clusters.wording.lessons import teaching
from dashboard.lessons.presenters.feedback import own_answer

if TYPE_CHECKING:
    from dashboard.classrooms.judgements import JudgedAnswer


def said(question: Any, answer: JudgedAnswer) -> str:
    """Say what somebody answered, without marks of code; of a manifest how many goals it meets."""
    given = answer.given
    match question.kind:
        case "node":
            return words.one_of([] if given is None else [given]).replace("`", "")
        case "nodes":
            return words.all_nodes(sorted(set(given))).replace("`", "")
        case "pods":
            return words.any_pods([sorted(set(given))]).replace("`", "")
        case "rejections":
            return words.by_node(dict(sorted(given.items()))).replace("`", "")
        case "number" | "outcome" | "eviction":
            return own_answer(question, given)
        case "order":
            return words.in_order(dict.fromkeys(given)).replace("`", "")
        case _manifest:
            return teaching.GOALS_MET(met=len(goals_met(question, answer)), goals=len(question.goals))


def goals_met(question: Any, answer: JudgedAnswer) -> list[int]:
    """Return which goals a changed manifest meets, by their places; one that is refused meets none."""
    if any(mistake.kind is MistakeKind.REFUSED for mistake in answer.mistakes):
        return []
    unmet = {(mistake.given, mistake.subject) for mistake in answer.mistakes if mistake.kind is MistakeKind.GOAL}
    return [place for place, goal in enumerate(question.goals) if (goal.key, goal.subject) not in unmet]
