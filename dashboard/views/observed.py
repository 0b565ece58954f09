"""What others recorded about one pod, for the part of its decision that shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.paginator import Paginator
from django.db.models import Count
from django.http import Http404

from clusters.services.observed import observations_of
from clusters.wording.decisions import attempt as words
from dashboard.presenters.decisions.observed import observed_view, tables

if TYPE_CHECKING:
    from dashboard.explained import ExplainedPod
    from dashboard.http import PageRequest

NODES_PER_PAGE = 25
# A pod that was tried for weeks has more than a page can look through.
MOST_ATTEMPTS = 1_000
DIFFERING, ALL = "differing", "all"


def observed_context(
    request: PageRequest, case: ExplainedPod, pk: int | None = None, show: str = DIFFERING
) -> dict[str, Any]:
    """Return what the part shows: the attempt of that key, or else the latest. Nothing where none was recorded.

    Raises Http404 for an attempt that the pod does not have.
    """
    if show not in {DIFFERING, ALL}:
        raise Http404(str(words.NO_PART))
    every = observations_of(case.pod)
    attempts = list(every[:MOST_ATTEMPTS])
    if pk is None and not attempts:
        return {"observed": None}
    chosen = next((each for each in attempts if pk in (None, each.pk)), None)
    if chosen is None:
        raise Http404(str(words.NO_PART))
    recorded = dict(every.order_by().values_list("source").annotate(Count("pk")))
    view = observed_view(attempts, chosen, case.explanation, recorded=recorded)
    page = Paginator(view.nodes if show == ALL else view.differing, NODES_PER_PAGE).get_page(
        # On the decision's own page the number belongs to another part.
        request.GET.get("page") if pk is not None else 1
    )
    return {
        "observed": view,
        "observation": chosen,
        "observed_show": show,
        "observed_whole": view.whole if show == ALL else view.whole_in_short,
        "observed_page": page,
        "observed_tables": tables(list(page), case.explanation),
    }
