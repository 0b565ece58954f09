"""Requests as the pages see them: signed in, and perhaps asking for a fragment only."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.http import HttpRequest
from django.shortcuts import render
from django.utils.cache import patch_vary_headers

if TYPE_CHECKING:
    from django.contrib.auth.models import User
    from django.http import HttpResponse
    from django_htmx.middleware import HtmxDetails


class PageRequest(HttpRequest):
    """A request that passed the sign-in gate and the htmx middleware."""

    user: User
    htmx: HtmxDetails
    # The cluster in whose frame a page stands whose address names none.
    framed_cluster: str


def wants_fragment(request: PageRequest) -> bool:
    """Tell whether htmx will put the answer into a page that stands already."""
    return bool(request.htmx) and not request.htmx.history_restore_request


def render_page(request: PageRequest, page: str, fragment: str, context: dict[str, Any]) -> HttpResponse:
    """Render the whole page, or only the fragment that htmx asked for; caches must keep the two apart."""
    response = render(request, fragment if wants_fragment(request) else page, context)
    patch_vary_headers(response, ["HX-Request"])
    return response
