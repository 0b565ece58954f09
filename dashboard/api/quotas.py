"""The ResourceQuotas of a cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from ninja import Query

from clusters.documents.values import quota_document
from clusters.engine.quotas import QuotaLedger, fullest_first
from clusters.services.mirror.snapshots import ChangingTooFastError, snapshot_of
from clusters.services.mirror.state import quotas_of, users_of_quotas
from clusters.wording.problems import problem_sentence, remedy_sentence
from dashboard.api.clusters import cluster_dict, cluster_of
from dashboard.api.documents.clusters import Quotas
from dashboard.api.documents.mirror import Error
from dashboard.api.site import ERRORS, api
from dashboard.http import (
    ApiError,
    PageRequest,
    answer,
)

if TYPE_CHECKING:
    from django.http import HttpResponse

USUAL, MOST = 20, 100
_MOST_PAGES = 100_000


@api.get(
    "/clusters/{slug:cluster}/quotas/",
    response={200: Quotas, **ERRORS, 409: Error},
    tags=["clusters"],
    operation_id="list_quotas",
)
def quotas(
    request: PageRequest,
    cluster: str,
    namespace: Annotated[str, Query(max_length=63, description="Only those of this namespace.")] = "",
    limit: Annotated[int, Query(ge=1, le=MOST, description="How many at most.")] = USUAL,
    page: Annotated[int, Query(ge=1, le=_MOST_PAGES, description="Which page, from 1.")] = 1,
) -> HttpResponse:
    """List the quotas, the fullest first, with who uses them and how many further pods each would be let in."""
    found = cluster_of(cluster)
    try:
        ledger = QuotaLedger(quotas_of(cluster=found, snapshot=snapshot_of(found), namespace=namespace or None))
    except ChangingTooFastError as error:
        what, remedy = problem_sentence(error.problem), remedy_sentence(error.problem)
        raise ApiError(409, what=what, where=cluster, remedy=remedy) from None
    ordered = fullest_first(ledger)
    shown = ordered[(page - 1) * limit : page * limit]
    return answer(
        {
            "cluster": cluster_dict(found),
            "total": len(ordered),
            "quotas": list(map(quota_document, shown, users_of_quotas(cluster=found, quotas=shown))),
            # Every pod is told by workload; within a version no field is removed.
            "podsCut": False,
            "next": page + 1 if page * limit < len(ordered) else None,
        }
    )
