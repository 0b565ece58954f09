"""Every lesson that comes with Berth: its questions have answers, and its hints are met by wrong ones."""

from __future__ import annotations

import pytest

from clusters.engine.lessons import UnsolvableError, build_situation
from clusters.services.lessons.library import built_in_files, built_in_folders, built_in_lessons, learning_paths
from clusters.services.lessons.reading import LANGUAGES, check_lesson
from tests.clusters.lessons.listed_answers import ANSWERS, answer_of, listed_answers, right_ones, wrong_ones

LESSONS = sorted(built_in_folders())
STEPS = [
    pytest.param(name, number, id=f"{name}-{step.name}")
    for name, lesson in sorted(built_in_lessons().items())
    for number, step in enumerate(lesson.steps)
]


@pytest.mark.parametrize("lesson", LESSONS)
def test_nothing_is_wrong_with_it(lesson: str) -> None:
    assert check_lesson(lesson, built_in_files()[lesson].files, is_built_in=True) == ()


@pytest.mark.parametrize(("lesson", "number"), STEPS)
def test_each_step_has_an_answer_that_is_right(lesson: str, number: int) -> None:
    step = built_in_lessons()[lesson].steps[number]
    situation = build_situation(step.situation)
    right = [
        answer_of(each, step.question, situation) for each in right_ones(listed_answers(lesson).get(step.name, []))
    ]
    try:
        right.append(step.question.solution(situation))
    except UnsolvableError:
        # Of a manifest the engine finds only edits of pods: a right answer is listed.
        assert right

    assert [answer for answer in right if not step.question.judge(situation, answer).is_right] == []


@pytest.mark.parametrize(("lesson", "number"), STEPS)
def test_every_wrong_answer_is_the_mistake_that_it_is_listed_for(lesson: str, number: int) -> None:
    step = built_in_lessons()[lesson].steps[number]
    situation = build_situation(step.situation)

    for entry in wrong_ones(listed_answers(lesson).get(step.name, [])):
        judgement = step.question.judge(situation, answer_of(entry, step.question, situation))
        assert entry["gets"] in {key for each in judgement.mistakes for key in each.keys}, (entry, judgement)


@pytest.mark.parametrize("lesson", LESSONS)
def test_every_hint_for_a_mistake_is_met_by_a_listed_answer(lesson: str) -> None:
    listed = {step: {each["gets"] for each in wrong_ones(found)} for step, found in listed_answers(lesson).items()}

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


def test_answers_are_listed_for_the_lessons_and_steps_that_there_are() -> None:
    listed = {path.stem: set(listed_answers(path.stem)) for path in ANSWERS.glob("*.yaml")}
    steps = {name: {step.name for step in lesson.steps} for name, lesson in built_in_lessons().items()}

    assert set(listed) == set(steps)
    assert {name: found - steps[name] for name, found in listed.items() if found - steps[name]} == {}
