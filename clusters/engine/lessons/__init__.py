"""Lessons: a small cluster, a question about it that the engine can judge, and what a learner answers."""

from __future__ import annotations

from clusters.engine.lessons.asking import (
    TERMS,
    AskedStep,
    Judgement,
    Question,
    QuestionError,
    RawAnswer,
    StepKind,
    Term,
    UnreadableAnswerError,
    UnsolvableError,
    steps_for,
)
from clusters.engine.lessons.lesson import (
    Goal,
    Lesson,
    LessonStep,
    LessonTexts,
    Mistake,
    MistakeKind,
    ObjectName,
    SituationParts,
    StepTexts,
)
from clusters.engine.lessons.problems import AnswerIsUncertain, PodHasNode
from clusters.engine.lessons.questions import QUESTIONS, as_text, read_question
from clusters.engine.lessons.situation import Situation, SituationError, build_situation, certain, object_name
from clusters.engine.lessons.values import (
    NumberUnit,
    Operand,
    OperandKind,
    PluginScoreValue,
    PriorityValue,
    RequestValue,
    Sign,
    fitting_row,
)

__all__ = [
    "QUESTIONS",
    "TERMS",
    "AnswerIsUncertain",
    "AskedStep",
    "Goal",
    "Judgement",
    "Lesson",
    "LessonStep",
    "LessonTexts",
    "Mistake",
    "MistakeKind",
    "NumberUnit",
    "ObjectName",
    "Operand",
    "OperandKind",
    "PluginScoreValue",
    "PodHasNode",
    "PriorityValue",
    "Question",
    "QuestionError",
    "RawAnswer",
    "RequestValue",
    "Sign",
    "Situation",
    "SituationError",
    "SituationParts",
    "StepKind",
    "StepTexts",
    "Term",
    "UnreadableAnswerError",
    "UnsolvableError",
    "as_text",
    "build_situation",
    "certain",
    "fitting_row",
    "object_name",
    "read_question",
    "steps_for",
]
