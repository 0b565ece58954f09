"""What an upgrade of a cluster's Kubernetes changes in scheduling."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from ninja import Query

from clusters.documents.stored_problems import decoded
from clusters.documents.upgrade_words import upgrade_with_words
from clusters.services.evaluation import WorkersAwayError
from clusters.services.mirror.snapshots import release_of
from clusters.services.upgrading import chosen_release, upgrade_of
from clusters.wording.problems import problem_sentence, remedy_sentence
from dashboard.api.clusters import cluster_dict, cluster_of
from dashboard.api.documents.mirror import Error
from dashboard.api.documents.upgrades import Upgrade
from dashboard.api.site import ERRORS, api
from dashboard.http import (
    ApiError,
    PageRequest,
    answer,
)

if TYPE_CHECKING:
    from django.http import HttpResponse

    from clusters.engine.problems import Problem


@api.get(
    "/clusters/{slug:cluster}/upgrade",
    response={200: Upgrade, 202: Upgrade, **ERRORS, 409: Error},
    tags=["clusters"],
    operation_id="preview_upgrade",
)
def upgrade(
    request: PageRequest,
    cluster: str,
    to: Annotated[str, Query(max_length=20, description="The later Kubernetes minor, such as 1.37.")],
) -> HttpResponse:
    """Say what kube-scheduler of a later minor decides otherwise; 202 and null while a worker evaluates the cluster."""
    found = cluster_of(cluster)
    try:
        asked = upgrade_of(cluster=found, target=chosen_release(release_of(found), to))
    except WorkersAwayError as error:
        raise _conflict(error.problem, cluster) from None
    made = asked.made
    if made is not None and made.problem is not None:
        raise _conflict(decoded(made.problem), made.field or cluster)
    document = None if made is None else made.document
    return answer(
        {
            "cluster": cluster_dict(found),
            "evaluatedRevision": None if document is None else asked.revision,
            "upgrade": None if document is None else upgrade_with_words(document),
        },
        202 if document is None else 200,
    )


def _conflict(problem: Problem, where: str) -> ApiError:
    return ApiError(409, what=problem_sentence(problem), where=where, remedy=remedy_sentence(problem))
