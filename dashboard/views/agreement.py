"""How often Berth agrees with the schedulers of all clusters, and every time that it does not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils import timezone
from django.views.decorators.http import require_safe

from clusters.models import Cluster, Decision
from clusters.services.journal.timeline import COUNTED_KINDS, search_places, tallies
from clusters.wording.releases import release_notice
from dashboard.access.rights import viewed, visible
from dashboard.http import PageRequest, render_page
from dashboard.lists.keyset import page_of
from dashboard.presenters.journal import timeline as presenter
from dashboard.presenters.journal.timeline import COLUMNS, decision_row

if TYPE_CHECKING:
    from django.http import HttpResponse


ROWS_PER_PAGE = 50


@require_safe
def agreement(request: PageRequest) -> HttpResponse:
    """Show the rates, by cluster and kind, and the disagreements, newest first."""
    shown = visible(Cluster.objects.only("name", "source", "kube_version"), request.user)
    clusters = {cluster.pk: cluster for cluster in shown}
    found = tallies(viewed(request.user), now=timezone.now())
    heard_of = {tally.cluster_id for tally in found}
    listed = [cluster for cluster in clusters.values() if cluster.is_live or cluster.pk in heard_of]
    disagreements = Decision.objects.filter(verdict=Decision.Verdict.DISAGREES, kind__in=COUNTED_KINDS)
    page = page_of(visible(disagreements, request.user).only(*COLUMNS, "event"), request.GET.dict(), ROWS_PER_PAGE)
    context = {
        "windows": presenter.windows(found),
        "clusters": presenter.by_cluster(found, listed),
        "notices": [f"{each.name}: {notice}" for each in listed if (notice := release_notice(each.kube_version))],
        "kinds": presenter.by_kind(found),
        "reasons": presenter.disagreements(found),
        "places": presenter.places_sentence(search_places(viewed(request.user), now=timezone.now())),
        "unjudged": presenter.unjudged(found),
        "page": page,
        "rows": [(clusters[decision.cluster_id].name, decision_row(decision)) for decision in page.rows],
    }
    return render_page(request, "agreement/page.html", "agreement/_disagreements.html", context)
