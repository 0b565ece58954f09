"""The map of a recorded decision, as the journal keeps it, and one node of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.views.decorators.http import require_safe

from clusters.models import Cluster, Decision
from clusters.wording import absent
from clusters.wording.journal.decisions import NODE_OF_ITS_TIME
from dashboard.http import PageRequest, render_page
from dashboard.pictures.verdict_map.drawing import DrawnMap
from dashboard.presenters.journal import decision as detail
from dashboard.presenters.journal.timeline import decision_row
from dashboard.presenters.journal.verdict_map import kept_attempt, kept_map
from dashboard.views.of_cluster import of_cluster

if TYPE_CHECKING:
    from clusters.documents.explanation import ExplanationDocument


def kept_map_context(decision: Decision, cluster: str, document: ExplanationDocument) -> dict[str, Any]:
    """Return the map and the attempt by whose steps it is played; without nodes there is no map."""
    attempt = kept_attempt(document)
    found = kept_map(document, attempt, decision.node_name)
    address = reverse("journaled-node", kwargs={"cluster": cluster, "pk": decision.pk})
    drawn = None if found is None else DrawnMap(id="map", found=found, node_address=f"{address}?node=")
    return {"strip": attempt, "map": drawn}


@require_safe
@of_cluster
def kept_node(request: PageRequest, cluster: Cluster, pk: int) -> HttpResponse:
    """Show what the journal keeps of one node at the time of a decision."""
    decision = get_object_or_404(Decision, cluster=cluster, pk=pk)
    asked = request.GET.get("node", "")
    document = decision.explanation
    node = None if document is None else detail.kept_node(document, asked)
    if node is None:
        raise Http404(absent.HAS_NO(cluster=cluster.name, object_kind="node", name=asked))
    context = {
        "cluster": cluster,
        "decision": decision,
        "row": decision_row(decision),
        "node": node,
        "title": NODE_OF_ITS_TIME(node=node.name),
    }
    return render_page(request, "journal/node.html", "journal/_node.html", context)
