"""The tour of the demo: five questions, each asked on the page that answers it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import orjson
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_POST, require_safe

from clusters.models import Cluster, Pod
from clusters.services.ingest.demo import DEMO_CLUSTER
from dashboard.tour import STEPS, TOUR, TOUR_IS_OVER

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from dashboard.http import PageRequest

_YEAR_SECONDS: Final = 365 * 24 * 3600


def _map(**query: str) -> str:
    return f"{reverse('cluster', kwargs={'cluster': DEMO_CLUSTER})}?{urlencode(query)}"


def _scores() -> str:
    """Return where the scores of a pod are compared that has a node."""
    pod = Pod.objects.filter(cluster__name=DEMO_CLUSTER, namespace="shop", name__startswith="catalog-")
    name = pod.exclude(node_name="").order_by("name").values_list("name", flat=True).first()
    if name is None:
        raise Http404
    address = reverse("decision", kwargs={"cluster": DEMO_CLUSTER, "namespace": "shop", "name": name})
    return f"{address}?{urlencode({TOUR: 5})}"


_LOSS: Final = orjson.dumps({"change": "lose-zone", "zone": "eu-central-1a", "how": "gone"}).decode()
_ADDRESSES: Final[Mapping[int, Callable[[], str]]] = {
    1: lambda: _map(lens="pending", tour="1"),
    2: lambda: _map(lens="pending", tour="2"),
    3: lambda: _map(change=_LOSS, tour="3"),
    4: lambda: _map(at="03:00", tour="4"),
    5: _scores,
}


@require_safe
def tour_step(request: PageRequest, step: int) -> HttpResponse:
    """Lead to the page of a step."""
    if step not in STEPS:
        raise Http404
    get_object_or_404(Cluster, name=DEMO_CLUSTER)
    return redirect(_ADDRESSES[step]())


@require_POST
def end_tour(request: PageRequest) -> HttpResponse:
    """Lead to the demo, and remember in the browser that the tour is not offered any more."""
    answer = redirect("cluster", cluster=DEMO_CLUSTER)
    answer.set_cookie(
        TOUR_IS_OVER, "1", max_age=_YEAR_SECONDS, httponly=True, samesite="Lax", secure=request.is_secure()
    )
    return answer
