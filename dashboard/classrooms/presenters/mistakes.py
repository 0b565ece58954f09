"""The wrong answer that most participants gave, with what the lesson says to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from clusters.wording.lessons import teaching as words
from dashboard.classrooms.presenters.answers import said
from dashboard.lessons.presenters.feedback import MistakeView, mistakes_said

if TYPE_CHECKING:
    from clusters.engine.lessons import StepTexts
    from dashboard.classrooms.judgements import JudgedAnswer, JudgedAnswers


@dataclass(frozen=True, slots=True)
class CommonMistake:
    """A wrong answer of several: how many gave it, what it is, and what is wrong with it."""

    said: str
    answer: str
    mistakes: tuple[MistakeView, ...]


def commonest_mistake(question: Any, judged: JudgedAnswers, texts: StepTexts) -> CommonMistake | None:
    """Return the wrong answer that most gave; None where none is wrong. Manifests are alike by their mistakes."""
    alike: dict[tuple[object, ...], list[JudgedAnswer]] = {}
    for answer in judged.answers:
        if not answer.is_right:
            alike.setdefault(_likeness(question, answer), []).append(answer)
    if not alike:
        return None
    # Of those that are given alike often the one that was met first.
    most = max(alike.values(), key=len)
    mistakes = mistakes_said(most[0].mistakes, texts, getattr(question, "goals", ()))
    return CommonMistake(
        said=words.COMMONEST_MISTAKE(number=len(most), answers=len(judged.answers)),
        answer=said(question, most[0]),
        mistakes=tuple(mistakes),
    )


def _likeness(question: Any, answer: JudgedAnswer) -> tuple[object, ...]:
    if question.kind == "manifest":
        return tuple(sorted((str(each.kind), each.subject, each.given) for each in answer.mistakes))
    return (said(question, answer),)
