"""Live parts are known to every web process, whichever pages it has shown before."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import pytest
from django.urls import URLPattern, get_resolver

from dashboard.lazy_views import LazyView
from dashboard.live import parts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


def views_of(patterns: Iterable[Any]) -> Iterator[tuple[str, LazyView]]:
    for each in patterns:
        if not isinstance(each, URLPattern):
            yield from views_of(each.url_patterns)
        elif isinstance(each.callback, LazyView):
            each.callback.load()
            yield each.name or "", each.callback


VIEWS = dict(views_of(get_resolver().url_patterns))
PARTS = [(part.context.__module__, page) for part in parts._parts.values() for page in sorted(part.pages)]


def test_there_are_parts() -> None:
    assert len(PARTS) > 50


@pytest.mark.parametrize(("registered", "page"), PARTS)
def test_the_view_of_a_page_loads_the_modules_of_its_parts(registered: str, page: str) -> None:
    module = sys.modules[VIEWS[page].__module__]

    loaded = {module.__name__}
    for value in vars(module).values():
        loaded |= {getattr(value, "__module__", ""), getattr(value, "__name__", "")}
    assert registered in loaded
