"""Dumps that a program sends into a cluster, and where their reading stands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db import IntegrityError
from django.urls import reverse
from msgspec.structs import asdict
from ninja import File  # noqa: TC002 - read when operations are declared
from ninja.files import UploadedFile  # noqa: TC002 - read when operations are declared

from clusters.documents.problems import in_words, worded_skip
from clusters.models import Cluster, Ingest
from clusters.services.ingest.ingest import cancel, find
from clusters.services.ingest.uploads import receive
from clusters.wording import api_answers as words
from clusters.wording.absent import HAS_NO
from dashboard.access import audit
from dashboard.api.documents.mirror import Error
from dashboard.api.documents.runs import Dump
from dashboard.api.site import ERRORS, api
from dashboard.http import (
    ApiError,
    PageRequest,
    answer,
)

if TYPE_CHECKING:
    from django.http import HttpResponse


@api.post(
    "/clusters/{slug:cluster}/dumps/",
    response={202: Dump, **ERRORS, 409: Error, 413: Error},
    tags=["clusters"],
    operation_id="send_dump",
)
def send_dump(request: PageRequest, cluster: str, file: File[UploadedFile]) -> HttpResponse:
    """Take a dump, in any form that the page takes, into a cluster; one of a new name is added."""
    known = Cluster.objects.filter(name=cluster).first() or Cluster(name=cluster)
    try:
        ingest = receive(cluster=known, file=file)
    except IntegrityError:
        what, remedy = words.ADDED_MEANWHILE(cluster=cluster), str(words.SEND_DUMP_AGAIN)
        raise ApiError(409, what=what, where="cluster", remedy=remedy) from None
    audit.note(request, audit.Action.UPLOADED, cluster=cluster, subject=ingest.file_name)
    return answer(_document(ingest), 202)


@api.get(
    "/clusters/{slug:cluster}/dumps/{int:pk}",
    response={200: Dump, **ERRORS},
    tags=["clusters"],
    operation_id="read_dump",
)
def read_dump(request: PageRequest, cluster: str, pk: int) -> HttpResponse:
    """Say how far the reading of a dump is, and how it ended."""
    return answer(_document(_found(cluster, pk)))


@api.post(
    "/clusters/{slug:cluster}/dumps/{int:pk}/cancel",
    response={200: Dump, **ERRORS},
    tags=["clusters"],
    operation_id="cancel_dump",
)
def cancel_dump(request: PageRequest, cluster: str, pk: int) -> HttpResponse:
    """Stop the reading of a dump; one that is being written, or is over, stays as it is."""
    cancel(_found(cluster, pk))
    return answer(_document(_found(cluster, pk)))


def _found(cluster: str, pk: int) -> Ingest:
    ingest = find(cluster=cluster, pk=pk)
    if ingest is None:
        what = HAS_NO(cluster=cluster, object_kind="dump", name=str(pk))
        raise ApiError(404, what=what, where="dump", remedy=str(words.USE_NUMBER))
    return ingest


def _document(ingest: Ingest) -> dict[str, Any]:
    return {
        "id": ingest.pk,
        "cluster": ingest.cluster_name,
        "state": ingest.state,
        "fileName": ingest.file_name,
        "bytesTotal": ingest.bytes_total,
        "bytesRead": ingest.bytes_read,
        "kept": ingest.kept,
        "skipped": [asdict(worded_skip(skip)) for skip in ingest.skipped],
        "revision": ingest.revision,
        "error": in_words(ingest.error) if ingest.error else None,
        "page": reverse("ingest", kwargs={"cluster": ingest.cluster_name, "pk": ingest.pk}),
    }
