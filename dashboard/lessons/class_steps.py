"""Steps of a led class: rendered once for all who are in it, with room for what each participant answered."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from django.template.loader import render_to_string
from django.utils import translation
from django.utils.safestring import SafeString, mark_safe
from msgspec import Struct
from msgspec.structs import replace

from clusters.services.computing import Cache
from dashboard.access.participants import SEAT
from dashboard.http import PageRequest
from dashboard.lessons.page import DraftAnswer, JudgedStep, asking_context, common_context, marks_on, result_context
from dashboard.models import LessonProgress
from dashboard.pictures.verdict_map.drawing import DrawnMap, MarkPlaces, each_kind
from dashboard.pictures.verdict_map.layout import NARROW, WIDE

if TYPE_CHECKING:
    from dashboard.lessons.experiments import PlayedStep
    from dashboard.lessons.learners import Learner


def _place(name: str) -> SafeString:
    # Whatever a lesson says is escaped, so that no text of its has such a comment in it.
    return mark_safe(f"<!--own {name}-->")  # noqa: S308 - the same


_PLACE: Final = re.compile("<!--own ([a-z-]+)-->")
_PLACES: Final = {name: _place(name) for name in ("token", "asking", "result", "compared")}
_MARK_PLACES: Final = MarkPlaces(_place("wide-rings"), _place("narrow-rings"), _place("mark-notes"))


class ClassStep(Struct, frozen=True):
    """A step in one language, before or after its answer is shown; every second piece names a participant's part."""

    judged_of: JudgedStep | None
    drawn: DrawnMap | None
    pieces: tuple[str, ...]

    def html(
        self, learner: Learner, row: LessonProgress, draft: DraftAnswer | None = None, token: str = ""
    ) -> SafeString:
        """Return the step as one participant sees it; `token` is the form's against requests that others forge."""
        parts = {"token": token, **self._own_parts(learner, row, draft)}
        found = "".join(parts[piece] if number % 2 else piece for number, piece in enumerate(self.pieces))
        return mark_safe(found)  # noqa: S308 - all of it was rendered by templates

    def _own_parts(self, learner: Learner, row: LessonProgress, draft: DraftAnswer | None) -> dict[str, str]:
        if self.judged_of is None:
            return {}
        if not self.judged_of.is_shown:
            context = asking_context(self.judged_of, learner, row, draft)
            return {"asking": render_to_string("lessons/_ask.html", context)}
        context = result_context(self.judged_of, row)
        parts = {
            "result": render_to_string("lessons/_result.html", context),
            "compared": render_to_string("lessons/_compared.html", context) if context["compared"] else "",
        }
        if self.drawn is None:
            return parts
        marks = marks_on(self.judged_of, row, self.drawn)
        return parts | {
            "wide-rings": self.drawn.rings(WIDE, marks),
            "narrow-rings": self.drawn.rings(NARROW, marks),
            "mark-notes": render_to_string("_components/map_marks.html", {"marks": each_kind(marks)}),
        }


# A class is at one step, in three languages at most; a few classes are taught at the same time.
_kept: Final[Cache[tuple[str, str, str, bool], ClassStep]] = Cache("steps of classes", 64)


def class_step(played: PlayedStep, learner: Learner) -> ClassStep:
    """Return a step as the class of a participant sees it, in the language of the page."""
    nobody = LessonProgress(lesson=played.lesson.name, step=played.step.name)
    is_shown = learner.sees_answer(nobody)
    key = (played.lesson.name, played.step.name, translation.get_language() or "", is_shown)
    return _kept.get(key, lambda: _rendered(played, learner, nobody), version=played.lesson)


def _rendered(played: PlayedStep, learner: Learner, nobody: LessonProgress) -> ClassStep:
    request = PageRequest()
    request.method, request.path = "GET", learner.address("step", played.address)
    # The links lead to the addresses of seats.
    request.current_app = SEAT
    context: dict[str, Any]
    context, judged_of = common_context(request, played, learner, nobody)
    drawn: DrawnMap | None = context.get("map")
    if judged_of is not None and judged_of.is_shown and drawn is not None:
        context["map"] = replace(drawn, places=_MARK_PLACES)
    html = render_to_string("lessons/_body.html", {**context, "places": _PLACES}, request)
    return ClassStep(judged_of, drawn, tuple(_PLACE.split(html)))
