"""The groups of pods of a cluster that are scheduled together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from ninja import Query

from clusters.documents.explanation import attempt_document, group_state_document, reported_document
from clusters.documents.values import value_document
from clusters.engine import ConfigurationError
from clusters.engine.batch_groups import AnyGroupState, api_group_of
from clusters.engine.group_states import GroupPhase  # noqa: TC001 - read when the operation is declared
from clusters.services.mirror.snapshots import ChangingTooFastError
from clusters.services.mirror.state import pod_groups_of
from clusters.services.pending.pods import outlook_of
from clusters.wording.absent import HAS_NO
from clusters.wording.api_answers import FIND_GROUP
from clusters.wording.problems import problem_sentence, remedy_sentence
from dashboard.api.clusters import cluster_dict, cluster_of
from dashboard.api.documents.clusters import OnePodGroup, PodGroups
from dashboard.api.documents.mirror import Error
from dashboard.api.site import ERRORS, api
from dashboard.http import (
    ApiError,
    PageRequest,
    answer,
)
from dashboard.presenters import pending
from dashboard.presenters.pod_groups import PodGroupRow, answer as answer_about
from dashboard.presenters.shared.page import page_url as address_of

if TYPE_CHECKING:
    from django.http import HttpResponse

    from clusters.models import Cluster

USUAL, MOST = 50, 200
_MOST_PAGES = 100_000


@api.get(
    "/clusters/{slug:cluster}/pod-groups/",
    response={200: PodGroups, **ERRORS, 409: Error},
    tags=["clusters"],
    operation_id="list_pod_groups",
)
def pod_groups(
    request: PageRequest,
    cluster: str,
    namespace: Annotated[str, Query(max_length=63, description="Only those of this namespace.")] = "",
    state: Annotated[GroupPhase | None, Query(description="Only those that are so far.")] = None,
    system: Annotated[str, Query(max_length=63, description="Only those of this API group.")] = "",
    limit: Annotated[int, Query(ge=1, le=MOST, description="How many at most.")] = USUAL,
    page: Annotated[int, Query(ge=1, le=_MOST_PAGES, description="Which page, from 1.")] = 1,
) -> HttpResponse:
    """List the groups of pods, those first that need somebody."""
    found = cluster_of(cluster)
    try:
        states = pod_groups_of(cluster=found).states.values()
    except ChangingTooFastError as error:
        raise _conflict(found, error) from None
    here = [each for each in states if namespace in ("", each.key.namespace) and state in (None, each.phase)]
    wanted = [each for each in here if system in ("", api_group_of(each))]
    shown = wanted[(page - 1) * limit : page * limit]
    return answer(
        {
            "cluster": cluster_dict(found),
            "total": len(wanted),
            "podGroups": [_listed(found, each) for each in shown],
            "next": page + 1 if page * limit < len(wanted) else None,
        }
    )


@api.get(
    "/clusters/{slug:cluster}/pod-groups/{namespace}/{path:name}",
    response={200: OnePodGroup, **ERRORS, 409: Error},
    tags=["clusters"],
    operation_id="get_pod_group",
)
def pod_group(request: PageRequest, cluster: str, namespace: str, name: str) -> HttpResponse:
    """Say how a group is, what becomes of it at the next attempt, and what keeps its pods pending."""
    mirrored = cluster_of(cluster)
    try:
        found = pod_groups_of(cluster=mirrored)
        state = found.states.get(f"{namespace}/{name}")
        if state is None:
            what = HAS_NO(cluster=cluster, object_kind="pod group", name=f"{namespace}/{name}")
            raise ApiError(404, what=what, where="pod group", remedy=str(FIND_GROUP))
        outlook = outlook_of(cluster=mirrored, found=found, state=state)
    except (ConfigurationError, ChangingTooFastError) as error:
        raise _conflict(mirrored, error) from None
    said = answer_about(mirrored, state, outlook, found.snapshot.release)
    return answer(
        {
            "cluster": cluster_dict(mirrored),
            "podGroup": _listed(mirrored, state),
            "sentence": said.sentence,
            "remedy": said.remedy or None,
            "decidedBy": PodGroupRow(mirrored, state).decided_by or None,
            "reported": reported_document(state),
            "moreNodes": None if outlook.nodes is None else value_document(outlook.nodes),
            "members": [
                {"pod": key.partition("/")[2], "node": member.node or None} for key, member in state.members.items()
            ],
            "attempt": attempt_document(outlook.attempt),
            "causes": [
                {
                    "cause": pending.name(group),
                    "pods": [pod.name for pod in group.pods],
                    "remedy": pending.way(group) or None,
                }
                for group in outlook.causes
            ],
        }
    )


def _listed(cluster: Cluster, state: AnyGroupState) -> dict[str, Any]:
    document = group_state_document(state)
    place = {"namespace": document["namespace"], "name": document["name"]}
    return {**document, "page": address_of("pod-group", cluster, **place) or None}


def _conflict(cluster: Cluster, error: ConfigurationError | ChangingTooFastError) -> ApiError:
    what, remedy = problem_sentence(error.problem), remedy_sentence(error.problem)
    return ApiError(409, what=what, where=cluster.name, remedy=remedy)
