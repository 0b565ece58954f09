"""What the pages of a cluster share: the cluster of the address, and what stands there where it gives no answer."""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, Any, Final

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone

from clusters.engine import ConfigurationError
from clusters.models import Cluster
from clusters.services.disruption import TooManyError
from clusters.services.evaluation import WorkersAwayError
from clusters.services.mirror.past import UnknownPastError, as_it_was
from clusters.services.mirror.snapshots import ChangingTooFastError
from dashboard.http import PageRequest, render_page, wants_fragment
from dashboard.moments import AT, FROM, asked_moment, canonical_address, keep_moment, recorded
from dashboard.presenters.shared.page import unanswered

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from django.http.response import HttpResponseBase

_CHANGE_NOTHING: Final = frozenset({"GET", "HEAD"})


def or_says_why(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Where nothing can be computed, let the page say why; a file is not there then, or not yet (503)."""

    @wraps(view)
    def answer(request: PageRequest, **place: Any) -> HttpResponseBase:
        request.heeds_moment = True
        try:
            return view(request, **place)
        except (ConfigurationError, ChangingTooFastError, TooManyError, WorkersAwayError) as error:
            template = "failures/_part.html" if wants_fragment(request) else "failures/page.html"
            status = 503 if isinstance(error, ChangingTooFastError) else 200
            if request.path.endswith(".csv") and status == 200:
                raise Http404(unanswered(error)) from None
            return render(request, template, {"problem": unanswered(error)}, status=status)

    return answer


def _shown(request: PageRequest, name: str) -> Cluster:
    """Return the cluster of an address; a page that changes nothing shows one state of it."""
    found = get_object_or_404(Cluster, name=name)
    found.is_held = request.method in _CHANGE_NOTHING
    return found


def of_cluster(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Hand a view the cluster that its address names; where nothing can be computed of it, the page says why.

    So it does where the address asks about a moment of the past.
    """

    @or_says_why
    @wraps(view)
    def answer(request: PageRequest, cluster: str, **place: Any) -> HttpResponseBase:
        found = _shown(request, cluster)
        known = recorded(found) if AT in request.GET else None
        if known is not None and (at := asked_moment(request.GET, AT, known.until)) is not None:
            return _not_computed(request, found, at)
        return view(request, cluster=found, **place)

    return answer


def _not_computed(request: PageRequest, cluster: Cluster, at: datetime) -> HttpResponse:
    template = "past/_not_computed.html" if wants_fragment(request) else "past/not_computed.html"
    is_file = request.path.endswith(".csv")
    return render(request, template, {"cluster": cluster, "at": at}, status=404 if is_file else 200)


def at_any_moment(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Hand a view the cluster that its address names, as it was at the moment that the address asks about, if any."""

    @or_says_why
    @wraps(view)
    def answer(request: PageRequest, cluster: str, **place: Any) -> HttpResponseBase:
        found = _shown(request, cluster)
        if AT not in request.GET and FROM not in request.GET:
            return view(request, cluster=found, **place)
        known = recorded(found)
        until = timezone.now() if known is None else known.until
        at, since = (asked_moment(request.GET, name, until) for name in (AT, FROM))
        if at is None and since is None:
            return view(request, cluster=found, **place)
        if known is None or not all(known.since <= each <= known.until for each in (at, since) if each is not None):
            return render(request, "past/unknown.html", {"cluster": found, "known": known}, status=404)
        if (address := canonical_address(request, at=at, **{FROM: since})) is not None:
            return redirect(address)
        if at is not None and "change" in request.GET:
            # What is asked is asked of the present.
            return _not_computed(request, found, at)
        try:
            response = view(request, cluster=found if at is None else as_it_was(found, at), **place)
        except UnknownPastError:
            # Pruned in this moment.
            return render(request, "past/unknown.html", {"cluster": found, "known": recorded(found)}, status=404)
        if at is not None and isinstance(response, HttpResponse) and response["Content-Type"].startswith("text/html"):
            response.content = keep_moment(response.content, cluster, request.GET)
        return response

    return answer


# In a session: by cluster the namespace that somebody last chose, no longer than one can be.
_SCOPES, _LONGEST = "namespaces", 63


def in_scope(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Keep the namespace that a list's address asks for from one such list to the next; it is always in the address."""

    @wraps(view)
    def answer(request: PageRequest, cluster: Cluster, **place: Any) -> HttpResponseBase:
        scopes, key = request.session.get(_SCOPES, {}), str(cluster.pk)
        kept, asked = scopes.get(key, ""), request.GET.get("namespace")
        if asked is None and kept and not wants_fragment(request):
            query = request.GET.copy()
            query["namespace"] = kept
            return redirect(f"{request.path}?{query.urlencode()}")
        if asked is not None and asked != kept and len(asked) <= _LONGEST:
            request.session[_SCOPES] = {**scopes, key: asked}
        return view(request, cluster=cluster, **place)

    return answer


def render_parts(
    request: PageRequest,
    cluster: Cluster,
    page: str,
    fragment: str,
    *parts: Callable[..., dict[str, Any]],
    **place: str,
) -> HttpResponse:
    """Render the whole page of some live parts, or only the fragment that htmx asked for."""
    context = {name: value for part in parts for name, value in part(cluster, request.GET, **place).items()}
    return render_page(request, page, fragment, context)
