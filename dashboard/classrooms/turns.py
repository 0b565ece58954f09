"""What the pages of participants are told of where their class is: for each a message, most of it rendered once."""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING, Any, NamedTuple

import orjson
from django.http import Http404
from django.utils import translation

from clusters.wording.lessons import classroom as words
from dashboard.lessons.class_steps import class_step
from dashboard.lessons.experiments import PlayedStep, played_step
from dashboard.lessons.languages import texts_of
from dashboard.lessons.learners import Learner
from dashboard.lessons.led import shown_state
from dashboard.models import Classroom, LessonProgress, Participant

if TYPE_CHECKING:
    from collections.abc import Sequence


class Reader(NamedTuple):
    """Who reads a page of a classroom, in which language, and whether the page shows the step of a led class."""

    participant: int
    language: str
    has_step: bool


def turn_of(classroom: int) -> Classroom | None:
    """Return a classroom as it is now; None where it is gone."""
    return Classroom.objects.filter(pk=classroom).first()


def turns_of(classrooms: Sequence[int]) -> dict[int, int]:
    """Return which turn each classroom has; one that is gone has none. One query."""
    return dict(Classroom.objects.filter(pk__in=classrooms).values_list("pk", "turn"))


def coming(classroom: Classroom) -> list[Classroom]:
    """Return a led classroom as it will most likely be: with the answer shown, and at the step after that."""
    played = _played(classroom)
    if played is None:
        return []
    following = [] if played.following is None else [_at(classroom, played.following.name, is_revealed=False)]
    return [_at(classroom, classroom.step, is_revealed=True), *following]


def prepare(classroom: Classroom, language: str) -> None:
    """Render ahead what is the same for a whole class."""
    played = _played(classroom)
    if played is not None:
        with translation.override(language):
            class_step(played, Learner(participant=Participant(classroom=classroom)))


def _at(classroom: Classroom, step: str, *, is_revealed: bool) -> Classroom:
    ahead = copy(classroom)
    ahead.step, ahead.is_revealed = step, is_revealed
    return ahead


def messages(classroom: Classroom, readers: Sequence[Reader]) -> list[str]:
    """Return for each reader where the class is, and where it is led, the step as they see it. One query."""
    played = _played(classroom)
    rows: dict[int, LessonProgress] = {}
    if played is not None:
        who = {reader.participant for reader in readers if reader.has_step}
        found = LessonProgress.objects.filter(participant__in=who, **classroom.place)
        rows = {row.participant_id: row for row in found if row.participant_id is not None}
    return [orjson.dumps(_message(classroom, played, reader, rows)).decode() for reader in readers]


def _played(classroom: Classroom) -> PlayedStep | None:
    if not classroom.is_led:
        return None
    try:
        return played_step(classroom.lesson, classroom.step)
    except Http404:
        # The lesson was removed, or is another one by now: the page says so itself.
        return None


def _message(
    classroom: Classroom, played: PlayedStep | None, reader: Reader, rows: dict[int, LessonProgress]
) -> dict[str, Any]:
    learner = Learner(participant=Participant(pk=reader.participant, classroom=classroom))
    with translation.override(reader.language):
        if not classroom.is_led:
            # Whoever is at some step stays there.
            return {"turn": classroom.turn, "address": "", "said": str(words.OWN_PACE)}
        address = learner.address("step", classroom.place)
        found = {"turn": classroom.turn, "address": address, "said": str(words.ELSEWHERE)}
        if played is None:
            return found
        texts = texts_of(played.lesson)
        title = texts.steps[played.step.name].title
        found["said"] = str(words.ANSWER_SHOWN) if classroom.is_revealed else words.STEP_BEGUN(title=title)
        if not reader.has_step:
            return found
        row = rows.get(reader.participant)
        row = row or LessonProgress(participant_id=reader.participant, **classroom.place)
        html = class_step(played, learner).html(learner, row)
        return {**found, "title": f"{title}: {texts.title}", "shows": shown_state(classroom), "html": html}
