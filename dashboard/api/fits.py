"""The question of a pipeline: would these manifests fit?"""

from __future__ import annotations

from threading import BoundedSemaphore
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any

from ninja import File, Form  # noqa: TC002 - read when operations are declared
from ninja.files import UploadedFile  # noqa: TC002 - read when operations are declared
from pydantic import Field

from clusters.documents.problems import in_words
from clusters.documents.values import fits_or_unknown
from clusters.documents.words import group_in_words, uncertainty_with_words
from clusters.models import SimulationRun
from clusters.models.run import Lane
from clusters.services.runs.results import verdict
from clusters.wording import api_answers as words
from clusters.wording.runs.summary import verdict_sentence
from dashboard.api.clusters import cluster_of
from dashboard.api.documents.mirror import Error
from dashboard.api.documents.runs import Fits
from dashboard.api.runs import ManifestOptions, run_of, run_with, text_of
from dashboard.api.site import ERRORS, api
from dashboard.http import (
    ApiError,
    PageRequest,
    answer,
)

if TYPE_CHECKING:
    from django.http import HttpResponse

MOST_SECONDS = 60
# Whoever waits holds a thread and a connection to the database; of each server process so many do at once.
WAITING = BoundedSemaphore(8)
_PAUSE = 0.25
State = SimulationRun.State


class FitsOptions(ManifestOptions):
    """How long to wait for the answer, and whether pods count that are pending already."""

    wait: int = Field(30, ge=0, le=MOST_SECONDS, description="Seconds to wait for the answer.")
    even_pending: bool = Field(default=False, description="Whether pods that were pending before count, too.")


@api.post(
    "/clusters/{slug:cluster}/fits",
    response={200: Fits, 202: Fits, **ERRORS, 409: Error, 413: Error},
    tags=["runs"],
    operation_id="fits",
)
def fits(request: PageRequest, cluster: str, manifests: File[UploadedFile], options: Form[FitsOptions]) -> HttpResponse:
    """Simulate the cluster with manifests added, and say in one line whether everything fits.

    `conclusion` is `fits`, `unschedulable` or `uncertain`; `fits` is null where it is uncertain. The answer is 202, and
    `conclusion` null, where it takes longer than there was patience for: ask again with the run.
    """
    run = run_with(cluster_of(cluster), text_of(manifests), options, request, Lane.QUESTIONS)
    return _answered(_waited_for(run, options.wait), even_pending=options.even_pending)


def _waited_for(run: SimulationRun, seconds: int) -> SimulationRun:
    """Return the run once it is over, or as it is when time is up or too many others wait already."""
    if not seconds or not WAITING.acquire(blocking=False):
        return run
    try:
        until = monotonic() + seconds
        while not run.is_finished and monotonic() < until:
            sleep(_PAUSE)
            run = run_of(run.pk)
        return run
    finally:
        WAITING.release()


@api.get(
    "/runs/{int:pk}/fits",
    response={200: Fits, 202: Fits, **ERRORS, 409: Error},
    tags=["runs"],
    operation_id="run_fits",
)
def run_fits(request: PageRequest, pk: int, even_pending: bool = False) -> HttpResponse:
    """Say in one line whether everything fits in a run; 202 while it is not over."""
    return _answered(run_of(pk), even_pending=even_pending)


def _answered(run: SimulationRun, *, even_pending: bool) -> HttpResponse:
    if run.state in (State.FAILED, State.CANCELLED):
        error = in_words(run.error) if run.error else {}
        what = str(error.get("problem") or words.IN_STATE(number=str(run.pk), state=run.state))
        remedy = str(error.get("remedy") or words.ASK_ANEW)
        raise ApiError(409, what=what, where=str(error.get("field") or "run"), remedy=remedy)
    if not run.is_finished:
        reason = words.IN_STATE(number=str(run.pk), state=run.state)
        return answer({**_nothing_known(run), "reason": reason}, 202)
    summary = run.summary or {}
    found = verdict(summary, even_pending=even_pending)
    placed = sum(each["placed"] for each in summary["origins"].values())
    return answer(
        {
            "fits": fits_or_unknown(found.conclusion),
            "conclusion": found.conclusion.value,
            "reason": verdict_sentence(summary, found),
            "run": run.pk,
            "placed": placed,
            "pending": found.pending,
            "forbidden": found.forbidden,
            "kept": found.kept,
            "uncertain": found.uncertain,
            "uncertainties": [uncertainty_with_words(each) for each in found.uncertainties],
            "podGroups": list(map(group_in_words, summary["pod_groups"])),
        }
    )


def _nothing_known(run: SimulationRun) -> dict[str, Any]:
    nothing: list[Any] = []
    lists = {"pending": nothing, "forbidden": nothing, "kept": nothing, "uncertain": nothing, "uncertainties": nothing}
    lists["podGroups"] = nothing
    return {"fits": None, "conclusion": None, "run": run.pk, "placed": 0, **lists}
