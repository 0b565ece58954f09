"""Finding anything in a cluster by a part of its name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django import forms
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_safe

from clusters.services.mirror.state import search as find
from dashboard.forms.parameters import Parameters
from dashboard.http import PageRequest, render_page, wants_fragment
from dashboard.presenters.search import answers, shown
from dashboard.views.of_cluster import at_any_moment

if TYPE_CHECKING:
    from django.http import HttpResponse

    from clusters.models import Cluster


# Below the field there is room for a few; the page has room for many.
_MOST_BELOW, _MOST_ON_PAGE = 5, 50
# The element of the command palette that takes what is found.
_PALETTE = "palette-found"


class SearchParameters(Parameters):
    """A part of a name, or a verb with a blank behind it."""

    q = forms.CharField(required=False, strip=False)


@require_safe
@at_any_moment
def search(request: PageRequest, cluster: Cluster) -> HttpResponse:
    """List what answers a verb, or whose names hold what was typed: below the field, or as a page."""
    text = SearchParameters.read(request.GET)["q"].lstrip()
    most = _MOST_BELOW if wants_fragment(request) else _MOST_ON_PAGE
    results = answers(cluster, text, most) or shown(cluster, text, find(cluster=cluster, text=text, most=most))
    context = {"cluster": cluster, "searched": text, "results": results}
    fragment = "search/_palette.html" if request.htmx.target == _PALETTE else "search/_options.html"
    response = render_page(request, "search/page.html", fragment, context)
    patch_vary_headers(response, ["HX-Target"])
    return response
