"""Every lesson that comes with Berth: its questions have answers, and its hints are met by wrong ones."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from clusters.engine.lessons.situation import build_situation
from clusters.services.lessons.checking import check_lesson
from clusters.services.lessons.library import built_in_files, built_in_folders, built_in_lessons, learning_paths
from clusters.services.lessons.texts import LANGUAGES

ANSWERS = Path(__file__).parent / "answers"
LESSONS = sorted(built_in_folders())
STEPS = [
    pytest.param(name, number, id=f"{name}-{step.name}")
    for name, lesson in sorted(built_in_lessons().items())
    for number, step in enumerate(lesson.steps)
]


def wrong_answers(lesson: str) -> dict[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = yaml.safe_load((ANSWERS / f"{lesson}.yaml").read_text(encoding="utf-8"))
    return found


@pytest.mark.parametrize("lesson", LESSONS)
def test_nothing_is_wrong_with_it(lesson: str) -> None:
    assert check_lesson(lesson, built_in_files()[lesson].files, is_built_in=True) == ()


@pytest.mark.parametrize(("lesson", "number"), STEPS)
def test_the_solution_of_each_step_is_right(lesson: str, number: int) -> None:
    step = built_in_lessons()[lesson].steps[number]
    situation = build_situation(step.situation)

    assert step.question.judge(situation, step.question.solution(situation)).is_right


@pytest.mark.parametrize(("lesson", "number"), STEPS)
def test_every_wrong_answer_is_the_mistake_that_it_is_listed_for(lesson: str, number: int) -> None:
    step = built_in_lessons()[lesson].steps[number]
    situation = build_situation(step.situation)

    for wrong in wrong_answers(lesson)[step.name]:
        keys = {key for each in step.question.judge(situation, wrong["answer"]).mistakes for key in each.keys}
        assert wrong["gets"] in keys, wrong


@pytest.mark.parametrize("lesson", LESSONS)
def test_every_hint_for_a_mistake_is_met_by_a_listed_answer(lesson: str) -> None:
    listed = {step: {each["gets"] for each in wrongs} for step, wrongs in wrong_answers(lesson).items()}

    for language, texts in built_in_lessons()[lesson].texts.items():
        hints = {name: set(step.mistakes) for name, step in texts.steps.items()}
        unmet = {name: keys - listed.get(name, set()) for name, keys in hints.items()}
        assert {name: keys for name, keys in unmet.items() if keys} == {}, language


@pytest.mark.parametrize("lesson", LESSONS)
def test_all_languages_say_the_same_number_of_things(lesson: str) -> None:
    texts = built_in_lessons()[lesson].texts

    assert set(texts) == set(LANGUAGES)
    for name, english in texts["en"].steps.items():
        for language in LANGUAGES:
            step = texts[language].steps[name]
            assert len(step.hints) == len(english.hints), (language, name)
            assert set(step.mistakes) == set(english.mistakes), (language, name)
            assert ("{answer}" in step.reveal) == ("{answer}" in english.reveal), (language, name)


def test_every_lesson_is_on_a_path() -> None:
    assert {lesson for path in learning_paths() for lesson in path.lessons} == set(LESSONS)


def test_no_answers_are_listed_for_lessons_that_are_gone() -> None:
    assert {path.stem for path in ANSWERS.glob("*.yaml")} == set(LESSONS)
