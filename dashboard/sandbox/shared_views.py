"""The page of a link to somebody's sandbox: what it is, and a copy of it for whoever opens it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from clusters.engine.sandbox import ActKind
from clusters.wording.lessons import sandbox as words
from dashboard.lessons.languages import choices
from dashboard.sandbox.acts import RefusedActError, replace_all
from dashboard.sandbox.storing import objects_of, sandbox_of, shared
from dashboard.sandbox.views import stored

if TYPE_CHECKING:
    from dashboard.http import PageRequest


@require_http_methods(["GET", "HEAD", "POST"])
def shared_sandbox(request: PageRequest, token: str) -> HttpResponse:
    """Say what a link leads to, or copy it into the sandbox of the user who asks; the owner's stays as it is."""
    link = shared(token)
    if link is None:
        raise Http404(str(words.NO_LINK))
    context = {
        "link": link,
        "described": words.described(nodes=link.nodes, pods=link.pods),
        "is_own": link.owner == request.user,
        "languages": choices(),
    }
    if request.method == "POST":
        sandbox = sandbox_of(request.user)
        try:
            done = replace_all(sandbox, ActKind.COPIED, link.owner.get_username(), objects_of(link))
            return stored(request, sandbox, done)
        except RefusedActError as error:
            context["problem"] = error.problem
            return render(request, "sandbox/shared.html", context, status=400)
    return render(request, "sandbox/shared.html", context)
