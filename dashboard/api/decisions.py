"""The decision journal, and how often it is agreed with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from django.urls import reverse
from django.utils import timezone
from ninja import Query, Schema

from clusters.models import Cluster, Decision
from clusters.services.journal.timeline import COUNTED_KINDS, WINDOWS, Rate, rate_of, search_places, tallies
from clusters.wording import api_answers as words
from dashboard.access.rights import viewed, visible
from dashboard.api.clusters import cluster_dict, cluster_of
from dashboard.api.documents.mirror import Agreement, Decisions, OneDecision
from dashboard.api.site import ERRORS, api
from dashboard.filters.journal import JournalFilter
from dashboard.http import (
    ApiError,
    PageRequest,
    answer,
)
from dashboard.lists.keyset import Cursor, page_of

if TYPE_CHECKING:
    from datetime import datetime

    from django.http import HttpResponse


USUAL, MOST = 50, 500


class DecisionFilter(Schema):
    """What the list is narrowed to, as on the journal's page."""

    kind: str = ""
    verdict: str = ""
    reason: str = ""
    namespace: str = ""
    node: str = ""
    workload: str = ""
    q: str = ""
    since: str = ""
    until: str = ""


@api.get(
    "/clusters/{slug:cluster}/decisions/",
    response={200: Decisions, **ERRORS},
    tags=["journal"],
    operation_id="list_decisions",
)
def decisions(
    request: PageRequest,
    cluster: str,
    asked: Query[DecisionFilter],
    limit: Annotated[int, Query(ge=1, le=MOST, description="How many at most.")] = USUAL,
    cursor: Annotated[str, Query(max_length=200, description="What the page before gave as next.")] = "",
) -> HttpResponse:
    """List decisions, newest first, with where to go on."""
    found = cluster_of(cluster)
    form = JournalFilter(asked.dict())
    for name, errors in form.errors.items():
        found_text = str(asked.dict().get(name, ""))
        what = words.NOT_UNDERSTOOD(name=name, found=found_text, errors=" ".join(map(str, errors)))
        raise ApiError(400, what=what, where=name, remedy=str(words.FIND_FILTERS))
    matching = form.apply(Decision.objects.filter(cluster=found)).defer("packed_explanation")
    page = page_of(matching, {"older": _checked(cursor)}, limit)
    return answer(
        {
            "cluster": cluster_dict(found),
            "decisions": [decision_dict(decision, found) for decision in page.rows],
            "next": page.older or None,
        }
    )


def _checked(asked: str) -> str:
    if asked and Cursor.read(asked) is None:
        raise ApiError(400, what=words.NO_PLACE(cursor=asked), where="cursor", remedy=str(words.USE_NEXT))
    return asked


@api.get(
    "/clusters/{slug:cluster}/decisions/{int:pk}",
    response={200: OneDecision, **ERRORS},
    tags=["journal"],
    operation_id="read_decision",
)
def decision(request: PageRequest, cluster: str, pk: int) -> HttpResponse:
    """Return one decision with what was computed."""
    found = cluster_of(cluster)
    decided = Decision.objects.filter(cluster=found, pk=pk).first()
    if decided is None:
        what = words.NO_DECISION(cluster=cluster, number=str(pk))
        raise ApiError(404, what=what, where="decision", remedy=str(words.FIND_DECISION))
    return answer(
        {
            "cluster": cluster_dict(found),
            "decision": {**decision_dict(decided, found), "explanation": msgspec.to_builtins(decided.explanation)},
        }
    )


def decision_dict(decision: Decision, cluster: Cluster) -> dict[str, Any]:
    """Return a decision without its explanation; docs/api.md explains every field."""
    workload = {"kind": decision.owner_kind, "name": decision.owner_name} if decision.owner_name else None
    preemptor = {
        "namespace": decision.preemptor_namespace,
        "name": decision.preemptor_name,
        "uid": decision.preemptor_uid,
    }
    return {
        "id": decision.pk,
        "kind": decision.kind,
        "pod": {"namespace": decision.namespace, "name": decision.name, "uid": decision.pod_uid},
        "workload": workload,
        "schedulerName": decision.scheduler_name or None,
        "priority": decision.priority,
        "node": decision.node_name or None,
        "message": decision.message or None,
        "event": decision.event,
        "preemptor": preemptor if decision.preemptor_uid else None,
        "heardAt": _written(decision.heard_at),
        "lastHeardAt": _written(decision.last_heard_at),
        "reportedAt": _written(decision.reported_at),
        "attempts": decision.attempts,
        "verdict": decision.verdict,
        "reason": decision.reason or None,
        "basis": decision.basis,
        "judgedAt": _written(decision.judged_at),
        "page": reverse("journaled", kwargs={"cluster": cluster.name, "pk": decision.pk}),
    }


def _written(moment: datetime | None) -> str | None:
    return moment.isoformat() if moment else None


@api.get("/agreement", response={200: Agreement, **ERRORS}, tags=["journal"], operation_id="read_agreement")
def agreement(request: PageRequest) -> HttpResponse:
    """Return the rates of all clusters together and of each, by window, and by kind."""
    clusters = list(visible(Cluster.objects.order_by("name").only("name", "source"), request.user))
    found = tallies(viewed(request.user), now=timezone.now())
    heard_of = {tally.cluster_id for tally in found}
    searches = search_places(viewed(request.user), now=timezone.now())
    return answer(
        {
            "windows": {window: _rate(rate_of(found, window)) for window in WINDOWS},
            "clusters": [
                {
                    "name": cluster.name,
                    "windows": {window: _rate(rate_of(found, window, cluster_id=cluster.pk)) for window in WINDOWS},
                }
                for cluster in clusters
                if cluster.is_live or cluster.pk in heard_of
            ],
            "kinds": {
                str(kind): {window: _rate(rate_of(found, window, kind=kind)) for window in WINDOWS}
                for kind in COUNTED_KINDS
            },
            "searches": None if searches is None else {"decisions": searches.decisions, "places": searches.middle},
            "page": reverse("agreement"),
        }
    )


def _rate(rate: Rate) -> dict[str, Any]:
    return {
        "rate": rate.value,
        "judged": rate.judged,
        "agrees": rate.agrees,
        "bySearch": rate.by_search,
        "tied": rate.tied,
        "sampled": rate.sampled,
        "disagrees": rate.disagrees,
        "nearby": rate.nearby,
        "waiting": rate.waiting,
        "unjudged": rate.unjudged,
        "disagreements": dict(rate.disagreements),
        "unjudgedReasons": dict(rate.unjudged_reasons),
    }
