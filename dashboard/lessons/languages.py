"""The languages of lessons: a learner's own choice, or the first that the browser asks for. No other page has them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Concatenate, Final, ParamSpec

from django.conf import settings
from django.utils import translation
from django.utils.cache import patch_vary_headers

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from django.http import HttpResponse
    from django.http.response import HttpResponseBase

    from clusters.engine.lessons.lesson import Lesson, LessonTexts
    from dashboard.http import PageRequest

Parameters = ParamSpec("Parameters")

# How long a browser remembers the choice, in seconds: a year.
_REMEMBERED: Final = 365 * 24 * 3600
_FALLBACK: Final = "en"


@dataclass(frozen=True, slots=True)
class LanguageChoice:
    """A language as its own speakers call it."""

    code: str
    name: str
    is_current: bool


def in_own_language(
    view: Callable[Concatenate[PageRequest, Parameters], HttpResponse],
) -> Callable[Concatenate[PageRequest, Parameters], HttpResponse]:
    """Let a view answer in the learner's language."""

    @wraps(view)
    def answer(request: PageRequest, /, *args: Parameters.args, **kwargs: Parameters.kwargs) -> HttpResponse:
        language = translation.get_language_from_request(request)
        with translation.override(language):
            response = view(request, *args, **kwargs)
        mark_language(response, language)
        return response

    return answer


def mark_language(response: HttpResponseBase, language: str) -> None:
    """Tell browsers and caches in which language an answer is, and that it depends on who asks."""
    response.headers.setdefault("Content-Language", language)
    patch_vary_headers(response, ["Accept-Language", "Cookie"])


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
