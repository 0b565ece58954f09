"""The decision journal, and how often it is agreed with."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from django.http import JsonResponse
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache

from clusters.models import Cluster, Decision
from clusters.services.journal.agreement import COUNTED_KINDS, WINDOWS, rate_of, tallies
from dashboard.api.clusters import cluster_dict
from dashboard.api.errors import ApiError, answers_json
from dashboard.filters.journal import JournalFilter
from dashboard.keyset import Cursor, page_of

if TYPE_CHECKING:
    from datetime import datetime

    from django.http import HttpResponse

    from clusters.services.journal.agreement import Rate
    from dashboard.http import PageRequest

USUAL, MOST = 50, 500
_WHOLE = re.compile(r"[0-9]{1,9}")


def _cluster(name: str) -> Cluster:
    found = Cluster.objects.filter(name=name).first()
    if found is None:
        raise ApiError(
            404,
            what=f"There is no cluster {name}.",
            where="cluster",
            remedy="/api/v1/clusters/ lists the clusters.",
        )
    return found


@never_cache
@answers_json
def decisions(request: PageRequest, cluster: str) -> HttpResponse:
    """List decisions, newest first, with where to go on."""
    found = _cluster(cluster)
    form = JournalFilter(request.GET)
    for name, errors in form.errors.items():
        raise ApiError(
            400,
            what=f"{name}={request.GET.get(name, '')} is not understood: {' '.join(map(str, errors))}",
            where=name,
            remedy="docs/api.md lists the filters and what they take; moments are in ISO 8601.",
        )
    matching = form.apply(Decision.objects.filter(cluster=found)).defer("packed_explanation")
    page = page_of(matching, {"older": _cursor(request)}, _limit(request))
    return JsonResponse(
        {
            "cluster": cluster_dict(found),
            "decisions": [decision_dict(decision, found) for decision in page.rows],
            "next": page.older or None,
        }
    )


def _limit(request: PageRequest) -> int:
    asked = request.GET.get("limit", str(USUAL))
    if not _WHOLE.fullmatch(asked) or not 1 <= int(asked) <= MOST:
        raise ApiError(
            400,
            what=f"limit={asked} is not a number of decisions.",
            where="limit",
            remedy=f"Write a whole number from 1 to {MOST}.",
        )
    return int(asked)


def _cursor(request: PageRequest) -> str:
    asked = request.GET.get("cursor", "")
    if asked and Cursor.read(asked) is None:
        raise ApiError(
            400,
            what=f"cursor={asked} names no place in the list.",
            where="cursor",
            remedy="Send what the last answer gave as next, or no cursor for the newest decisions.",
        )
    return asked


@never_cache
@answers_json
def decision(request: PageRequest, cluster: str, pk: int) -> HttpResponse:
    """Return one decision with what was computed."""
    found = _cluster(cluster)
    decided = Decision.objects.filter(cluster=found, pk=pk).first()
    if decided is None:
        raise ApiError(
            404,
            what=f"The journal of {cluster} has no decision {pk}.",
            where="decision",
            remedy="It may be older than what the journal keeps: list the decisions for those that there are.",
        )
    return JsonResponse(
        {
            "cluster": cluster_dict(found),
            "decision": {**decision_dict(decided, found), "explanation": decided.explanation},
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


@never_cache
@answers_json
def agreement(request: PageRequest) -> HttpResponse:
    """Return the rates of all clusters together and of each, by window, and by kind."""
    clusters = list(Cluster.objects.order_by("name").only("name", "source"))
    found = tallies(None, now=timezone.now())
    heard_of = {tally.cluster_id for tally in found}
    return JsonResponse(
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
            "page": reverse("agreement"),
        }
    )


def _rate(rate: Rate) -> dict[str, Any]:
    return {
        "rate": rate.value,
        "judged": rate.judged,
        "agrees": rate.agrees,
        "sampled": rate.sampled,
        "disagrees": rate.disagrees,
        "nearby": rate.nearby,
        "waiting": rate.waiting,
        "unjudged": rate.unjudged,
        "disagreements": dict(rate.disagreements),
        "unjudgedReasons": dict(rate.unjudged_reasons),
    }
