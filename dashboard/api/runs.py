"""Simulation runs: ordered, listed, looked at as a whole, compared, cancelled and deleted."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.urls import reverse
from ninja import Body, File, Form, Query, Schema
from ninja.files import UploadedFile  # noqa: TC002 - read when operations are declared

from clusters.adapters.bad_input import printable
from clusters.documents.problems import in_words
from clusters.documents.words import comparison_in_words, summary_in_words
from clusters.models import Cluster, SimulationRun
from clusters.models.run import Lane
from clusters.services import runs
from clusters.services.reports.making import KeptError, refuse_kept
from clusters.services.runs.comparing import compare_runs
from clusters.services.runs.spec import MOST_BYTES
from clusters.wording import api_answers as words, lists
from clusters.wording.absent import THERE_IS_NO
from clusters.wording.access.sign_in import MAY_NOT_ORDER
from clusters.wording.problems import problem_sentence, remedy_sentence
from dashboard.access.rights import covers, may_end, may_order, rights_of, visible
from dashboard.api.answering import refuse_too_much
from dashboard.api.clusters import cluster_of, no_cluster
from dashboard.api.documents.mirror import Error
from dashboard.api.documents.runs import Compared, Run, RunInFull, Runs
from dashboard.api.site import ERRORS, StrictSchema, api
from dashboard.http import (
    ApiError,
    PageRequest,
    answer,
)

USUAL, MOST = 50, 200
_LARGEST = 2**63 - 1
_LONGEST_NAME = 200
State = SimulationRun.State


class RunOrder(StrictSchema):
    """A run: the cluster it begins with (none for an empty one), and the spec as docs/simulations.md describes it."""

    cluster: str | None = None
    title: str = ""
    spec: dict[str, Any]


class ManifestOptions(Schema):
    """How manifests are simulated; without replicas they have as many as they say."""

    title: str = ""
    replicas: int | None = None
    batch: bool = False
    seed: int = 0


def run_of(pk: int) -> SimulationRun:
    """Return a run with its cluster. Raises ApiError."""
    stored = SimulationRun.objects.select_related("cluster", "base")
    found = stored.filter(pk=pk).first()
    if found is None:
        raise ApiError(404, what=THERE_IS_NO(object_kind="run", name=str(pk)), where="run", remedy=str(words.FIND_RUN))
    return found


def run_dict(run: SimulationRun) -> dict[str, Any]:
    """Return what every answer says about a run."""
    return {
        "id": run.pk,
        "title": run.title,
        "cluster": run.cluster.name if run.cluster else None,
        "revision": run.base.revision if run.base else None,
        "state": run.state,
        "podsTotal": run.pods_total,
        "podsDone": run.pods_done,
        "steps": run.steps,
        "createdAt": run.created_at.isoformat(),
        "startedAt": run.started_at.isoformat() if run.started_at else None,
        "finishedAt": run.finished_at.isoformat() if run.finished_at else None,
        "error": in_words(run.error) if run.error else None,
        "page": reverse("run", kwargs={"pk": run.pk}),
    }


class ManifestFile(NamedTuple):
    """The text of a file of manifests, and what its sender calls it."""

    text: str
    name: str


def text_of(file: UploadedFile) -> ManifestFile:
    """Return the manifests that a file holds. Raises ApiError."""
    if (file.size or 0) > MOST_BYTES:
        what, remedy = words.MANIFESTS_TOO_LARGE(found=file.size or 0), words.SPLIT_MANIFESTS(most=MOST_BYTES)
        raise ApiError(413, what=what, where="manifests", remedy=remedy)
    try:
        text: str = file.read().decode("utf-8-sig")
    except UnicodeDecodeError:
        what, remedy = str(words.NOT_UTF8), str(words.SAVE_AS_UTF8)
        raise ApiError(400, what=what, where="manifests", remedy=remedy) from None
    return ManifestFile(text, printable(file.name or "")[:_LONGEST_NAME])


def run_with(
    cluster: Cluster,
    manifests: ManifestFile,
    options: ManifestOptions,
    request: PageRequest,
    lane: Lane = Lane.SIMULATIONS,
    **scheduler: Any,
) -> SimulationRun:
    """Order a run of a cluster with manifests added. Raises SpecError and ApiError."""
    refuse_too_much(request)
    for name in request.POST:
        if name not in type(options).model_fields:
            remedy = words.KNOWN_OPTIONS(names=lists.listed(type(options).model_fields))
            raise ApiError(400, what=str(words.NO_OPTION), where=name, remedy=remedy)
    replicas = {} if options.replicas is None else {"replicas": options.replicas}
    spec = {
        "base": {"kind": "cluster"},
        "changes": [{"change": "add-workload", "text": manifests.text, "file": manifests.name, **replicas}],
        "scheduler": {"kind": "batch" if options.batch else "pods", **scheduler},
        "seed": options.seed,
    }
    title = printable(options.title)[:200] or str(words.MANIFESTS_TITLE)
    return runs.create_run(cluster=cluster, spec=runs.read_spec(spec), title=title, user=request.user, lane=lane)


@api.post("/runs/", response={201: Run, **ERRORS, 413: Error}, tags=["runs"], operation_id="create_run")
def create(request: PageRequest, order: Body[RunOrder]) -> HttpResponse:
    """Order a run; a worker begins it at once."""
    refuse_too_much(request)
    cluster = None if order.cluster is None else cluster_of(printable(order.cluster))
    if cluster is not None and not covers(rights_of(request.user).views, cluster.pk):
        raise no_cluster(cluster.name)
    if not may_order(request.user, None if cluster is None else cluster.pk):
        raise PermissionDenied(MAY_NOT_ORDER)
    spec = runs.read_spec(order.spec)
    run = runs.create_run(cluster=cluster, spec=spec, title=printable(order.title)[:200], user=request.user)
    return answer(run_dict(run), 201)


@api.post(
    "/clusters/{slug:cluster}/runs/manifests",
    response={201: Run, **ERRORS, 413: Error},
    tags=["runs"],
    operation_id="create_run_of_manifests",
)
def create_of_manifests(
    request: PageRequest, cluster: str, manifests: File[UploadedFile], options: Form[ManifestOptions]
) -> HttpResponse:
    """Order a run of a cluster with the workloads of a YAML file added."""
    return answer(run_dict(run_with(cluster_of(cluster), text_of(manifests), options, request)), 201)


@api.get("/runs/", response={200: Runs, **ERRORS}, tags=["runs"], operation_id="list_runs")
def listed(
    request: PageRequest,
    cluster: Annotated[str, Query(max_length=253, description="Only runs of this cluster.")] = "",
    state: Annotated[str, Query(description="queued, running, done, cancelled or failed.")] = "",
    before: Annotated[int | None, Query(ge=1, le=_LARGEST, description="Only runs with a lower number.")] = None,
    limit: Annotated[int, Query(ge=1, le=MOST)] = USUAL,
) -> HttpResponse:
    """List runs, newest first."""
    if state and state not in State.values:
        what, remedy = (
            words.VALUE_NOT_KNOWN(parameter="state", found=state),
            words.WRITE_ONE_OF(values=lists.alternatives(State.values)),
        )
        raise ApiError(400, what=what, where="state", remedy=remedy)
    stored = visible(SimulationRun.objects.select_related("cluster", "base").defer("spec", "summary"), request.user)
    found = stored.order_by("-pk")
    if cluster:
        found = found.filter(cluster=cluster_of(printable(cluster)))
    if state:
        found = found.filter(state=state)
    if before is not None:
        found = found.filter(pk__lt=before)
    rows = list(found[: limit + 1])
    more = len(rows) > limit
    return answer({"runs": [run_dict(run) for run in rows[:limit]], "next": rows[limit - 1].pk if more else None})


@api.get("/runs/{int:pk}", response={200: RunInFull, **ERRORS}, tags=["runs"], operation_id="read_run")
def read(request: PageRequest, pk: int) -> HttpResponse:
    """Return what was asked, how far it is, and what came of it."""
    run = run_of(pk)
    summary = summary_in_words(run.summary) if run.summary else None
    return answer({**run_dict(run), "spec": run.spec, "summary": summary})


@api.post("/runs/{int:pk}/cancel", response={200: Run, **ERRORS}, tags=["runs"], operation_id="cancel_run")
def cancel(request: PageRequest, pk: int) -> HttpResponse:
    """Stop a run; one that is over stays as it is."""
    runs.cancel(_own(request, pk))
    return answer(run_dict(run_of(pk)))


@api.delete("/runs/{int:pk}", response={204: None, **ERRORS, 409: Error}, tags=["runs"], operation_id="delete_run")
def delete(request: PageRequest, pk: int) -> HttpResponse:
    """Delete a run and all that came of it; one that a kept review refers to stays."""
    run = _own(request, pk)
    try:
        refuse_kept(run)
    except KeptError as error:
        what, remedy = problem_sentence(error.problem), remedy_sentence(error.problem)
        raise ApiError(409, what=what, where=f"run {pk}", remedy=remedy) from None
    runs.delete(run)
    return HttpResponse(status=204)


def _own(request: PageRequest, pk: int) -> SimulationRun:
    """Return a run that one may end. Raises ApiError and PermissionDenied."""
    run = run_of(pk)
    if not may_end(request.user, run):
        raise PermissionDenied
    return run


@api.get(
    "/runs/{int:left}/compare/{int:right}",
    response={200: Compared, **ERRORS, 409: Error},
    tags=["runs"],
    operation_id="compare_runs",
)
def compare(request: PageRequest, left: int, right: int) -> HttpResponse:
    """Compare two finished runs: placements that differ and why, which pods are pending, utilisation, disruption."""
    both = run_of(left), run_of(right)
    for run in both:
        if run.state != State.DONE:
            raise ApiError(409, what=words.NOT_DONE(number=str(run.pk)), where="run", remedy=str(words.WAIT_UNTIL_DONE))
    return answer({"left": left, "right": right, "comparison": comparison_in_words(compare_runs(*both))})
