"""The languages of lessons and classrooms: a learner's own choice, or the first that the browser asks for.

No other page has them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.conf import settings
from django.utils import translation
from django.utils.cache import patch_vary_headers
from django.utils.deprecation import MiddlewareMixin
from django.utils.translation.trans_real import parse_accept_lang_header
from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.http import HttpRequest, HttpResponse
    from django.http.response import HttpResponseBase

    from clusters.engine.lessons import Lesson, LessonTexts

# How the addresses begin whose pages speak the learner's language.
_SPOKEN: Final = ("/lessons/", "/classrooms/", "/join/", "/seat/")
# How long a browser remembers the choice, in seconds: a year.
_REMEMBERED: Final = 365 * 24 * 3600
_FALLBACK: Final = "en"


class LanguageChoice(Struct, frozen=True):
    """A language as its own speakers call it."""

    code: str
    name: str
    is_current: bool


class LearnerLanguageMiddleware(MiddlewareMixin):
    """Has the pages of lessons and classrooms, and what is refused there, speak the learner's language."""

    def process_request(self, request: HttpRequest) -> None:
        if request.path.startswith(_SPOKEN):
            request.language_before = translation.get_language()  # type: ignore[attr-defined]
            translation.activate(translation.get_language_from_request(request))

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if hasattr(request, "language_before"):
            # Caches have to know, too, that it depends on who asks.
            response.headers.setdefault("Content-Language", translation.get_language() or "")
            patch_vary_headers(response, ["Accept-Language", "Cookie"])
            translation.activate(request.language_before)
        return response


def remember(response: HttpResponse, language: str) -> None:
    """Have the browser remember a language."""
    response.set_cookie(
        settings.LANGUAGE_COOKIE_NAME,
        language,
        max_age=_REMEMBERED,
        secure=settings.LANGUAGE_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def names_language(request: HttpRequest) -> bool:
    """Tell whether the browser asks for a language that there is."""
    asked = parse_accept_lang_header(request.headers.get("Accept-Language", ""))
    known = {code.partition("-")[0] for code, _ in settings.LANGUAGES}
    return any(code.partition("-")[0] in known for code, _ in asked)


def choices() -> list[LanguageChoice]:
    """Return the languages that there are."""
    current = translation.get_language()
    return [LanguageChoice(code, str(name), code == current) for code, name in settings.LANGUAGES]


def texts_of(lesson: Lesson) -> LessonTexts:
    """Return what a lesson says in the language of the page; in English, or any other, where it does not speak it."""
    return lesson.texts[language_of(lesson.texts)]


def language_of(texts: Mapping[str, object]) -> str:
    """Return the language of some texts that is closest to that of the page."""
    current = (translation.get_language() or _FALLBACK).partition("-")[0]
    return next((code for code in (current, _FALLBACK) if code in texts), next(iter(texts)))
