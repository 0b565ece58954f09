"""What the parts of a decision have in common: the case that they are about, a page of rows, and how they answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.paginator import Page, Paginator
from django.http import Http404, HttpResponse

from clusters.engine import ConfigurationError, UnknownScheduler
from clusters.services.mirror.snapshots import ChangingTooFastError
from dashboard.explained import ExplainedPod, explained, pod_of
from dashboard.http import PageRequest, render_page
from dashboard.presenters.shared.page import unanswered

if TYPE_CHECKING:
    from collections.abc import Iterable

    from django.utils.functional import _StrOrPromise

    from dashboard.explained import Case


def case_of(request: PageRequest, cluster: str, namespace: str, name: str) -> ExplainedPod:
    """Explain the pod that a part's address names; a pod that cannot be explained has no parts."""
    try:
        return explained(pod_of(cluster, namespace, name), request.GET.get("profile", ""))
    except (UnknownScheduler, ConfigurationError, ChangingTooFastError) as error:
        raise Http404(unanswered(error)) from None


def rows_of_page(request: PageRequest, items: Iterable[Any], size: int) -> Page[Any]:
    """Return the page of rows that the address asks for."""
    return Paginator(list(items), size).get_page(request.GET.get("page"))


def answer(
    request: PageRequest, fragment: str, title: _StrOrPromise, case: Case, context: dict[str, Any]
) -> HttpResponse:
    """Answer with the fragment to htmx, and with a page around it to everybody else."""
    return render_page(
        request,
        case.page,
        fragment,
        {"case": case, **case.context, "title": title, "fragment": fragment, **context},
    )
