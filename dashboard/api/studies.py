"""Studies: how many more pods of some shapes fit."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.urls import reverse
from ninja import Body  # noqa: TC002 - read when operations are declared
from pydantic import Field

from clusters.adapters.bad_input import printable
from clusters.documents.problems import in_words
from clusters.documents.words import answer_in_words
from clusters.models import Study, StudyPart
from clusters.services import studies
from clusters.services.runs import read_spec
from clusters.wording import api_answers as words
from clusters.wording.absent import THERE_IS_NO
from dashboard.access.rights import may_end
from dashboard.api.answering import refuse_too_much
from dashboard.api.clusters import cluster_of
from dashboard.api.documents import runs as documents
from dashboard.api.documents.mirror import Error
from dashboard.api.site import ERRORS, StrictSchema, api
from dashboard.http import (
    ApiError,
    PageRequest,
    answer,
)

_FINISHED = (StudyPart.State.DONE, StudyPart.State.FAILED)


class HeadroomOrder(StrictSchema):
    """Shapes of pods, each a `mix` of manifests with shares, asked about after changes to the cluster."""

    title: str = ""
    shapes: list[Any]
    changes: list[Any] = Field(default_factory=list)
    configuration: dict[str, Any] | None = None


@api.post(
    "/clusters/{slug:cluster}/headroom",
    response={201: documents.Study, **ERRORS, 413: Error},
    tags=["studies"],
    operation_id="ask_headroom",
)
def ask_headroom(request: PageRequest, cluster: str, order: Body[HeadroomOrder]) -> HttpResponse:
    """Ask how many more of each shape fit, on which nodes, and what stops the next one."""
    refuse_too_much(request)
    found = cluster_of(cluster)
    spec = read_spec({"base": {"kind": "cluster"}, "changes": order.changes, "configuration": order.configuration})
    study = studies.create_headroom(
        cluster=found, spec=spec, shapes=order.shapes, title=printable(order.title)[:200], user=request.user
    )
    return answer(_document(study), 201)


@api.get("/studies/{int:pk}", response={200: documents.Study, **ERRORS}, tags=["studies"], operation_id="read_study")
def read(request: PageRequest, pk: int) -> HttpResponse:
    """Return the parts of a study with those answers that there are."""
    return answer(_document(_study(pk)))


@api.delete("/studies/{int:pk}", response={204: None, **ERRORS}, tags=["studies"], operation_id="delete_study")
def delete(request: PageRequest, pk: int) -> HttpResponse:
    """Delete a study with all its parts and runs."""
    study = _study(pk)
    if not may_end(request.user, study):
        raise PermissionDenied
    studies.delete(study)
    return HttpResponse(status=204)


def _study(pk: int) -> Study:
    found = Study.objects.select_related("cluster").filter(pk=pk).first()
    if found is None:
        raise ApiError(
            404,
            what=THERE_IS_NO(object_kind="study", name=str(pk)),
            where="study",
            remedy=str(words.USE_NUMBER),
        )
    return found


def _document(study: Study) -> dict[str, Any]:
    parts = list(study.parts.all())
    return {
        "id": study.pk,
        "kind": study.kind,
        "title": study.title,
        "cluster": study.cluster.name if study.cluster else None,
        "done": sum(part.state in _FINISHED for part in parts),
        "parts": [
            {
                "number": part.number,
                "label": part.label,
                "state": part.state,
                "result": None if part.result is None else answer_in_words(part.result),
                "error": in_words(part.error) if part.error else None,
            }
            for part in parts
        ],
        "page": reverse("study", kwargs={"pk": study.pk}),
    }
