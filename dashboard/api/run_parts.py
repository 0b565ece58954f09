"""Parts of a run: its steps, its pods, and the cluster and the decision at any step."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from django.db.models import Q
from msgspec.structs import asdict
from ninja import Query

from clusters.documents.words import message_in_words, uncertainty_with_words
from clusters.models import RunChunk, RunPod, SimulationRun
from clusters.services.journal.timeline import decision_document
from clusters.services.runs import decision_at, state_at
from clusters.services.runs.chunks import STEPS_PER_CHUNK, unpacked_steps
from clusters.wording import api_answers as words
from clusters.wording.lists import alternatives
from clusters.wording.runs.progress import message_of
from dashboard.api.documents.runs import RunDecision, RunPods, RunState, Steps
from dashboard.api.runs import run_of
from dashboard.api.site import ERRORS, api
from dashboard.http import (
    ApiError,
    PageRequest,
    answer,
)

if TYPE_CHECKING:
    from django.http import HttpResponse

    from clusters.engine.simulation import Step

USUAL, MOST = 200, 2_000
_LARGEST = 2**31 - 1
_EXAMPLES = 50


@api.get("/runs/{int:pk}/steps", response={200: Steps, **ERRORS}, tags=["runs"], operation_id="list_steps")
def steps(
    request: PageRequest,
    pk: int,
    start: Annotated[int, Query(alias="from", ge=0, le=_LARGEST, description="The first step, from 0.")] = 0,
    limit: Annotated[int, Query(ge=1, le=MOST)] = USUAL,
) -> HttpResponse:
    """List steps in order, as far as they are written."""
    run = run_of(pk)
    end = start + limit
    chunks = RunChunk.objects.filter(run=run, first_step__lt=end, first_step__gt=start - STEPS_PER_CHUNK)
    found = [
        step
        for first, packed in chunks.order_by("number").values_list("first_step", "packed_steps")
        for step in unpacked_steps(packed, first)
        if start <= step.number < end
    ]
    more = end if end < run.steps else None
    return answer({"run": run.pk, "steps": [_step(each) for each in found], "next": more})


def _step(step: Step) -> dict[str, Any]:
    return {
        "number": step.number,
        "at": step.at,
        "outcome": step.outcome.value,
        "pod": step.pod,
        "node": step.node or None,
        "total": step.total,
        "ties": step.ties,
        "feasible": step.feasible,
        "lookedAt": step.looked_at,
        "plugins": list(step.plugins),
        "message": message_of(step) or None,
        "by": step.by or None,
        "uncertainties": [uncertainty_with_words(each) for each in step.uncertain],
        "waits": None if step.waits is None else asdict(step.waits),
        "grace": step.grace,
    }


@api.get("/runs/{int:pk}/pods", response={200: RunPods, **ERRORS}, tags=["runs"], operation_id="list_run_pods")
def pods(
    request: PageRequest,
    pk: int,
    outcome: Annotated[str, Query(description=", ".join(RunPod.Outcome.values))] = "",
    namespace: Annotated[str, Query(max_length=253)] = "",
    offset: Annotated[int, Query(ge=0, le=_LARGEST)] = 0,
    limit: Annotated[int, Query(ge=1, le=MOST)] = USUAL,
) -> HttpResponse:
    """List where the pods of a finished run ended, in the order in which that was decided."""
    run = run_of(pk)
    if outcome and outcome not in RunPod.Outcome.values:
        what = words.VALUE_NOT_KNOWN(parameter="outcome", found=outcome)
        raise ApiError(
            400, what=what, where="outcome", remedy=words.WRITE_ONE_OF(values=alternatives(RunPod.Outcome.values))
        )
    if not namespace.isprintable():
        what, remedy = str(words.NO_NAMESPACE), str(words.WRITE_WHOLE_NAME)
        raise ApiError(400, what=what, where="namespace", remedy=remedy)
    wanted = Q(run=run)
    if outcome:
        wanted &= Q(outcome=outcome)
    if namespace:
        wanted &= Q(namespace=namespace)
    found = RunPod.objects.filter(wanted).defer("packed_explanation").order_by("step", "pk")
    count = found.count()
    rows = found[offset : offset + limit]
    more = offset + limit if offset + limit < count else None
    return answer({"run": run.pk, "count": count, "pods": [_pod(each) for each in rows], "next": more})


def _pod(pod: RunPod) -> dict[str, Any]:
    return {
        "pod": f"{pod.namespace}/{pod.name}",
        "workload": pod.workload or None,
        "outcome": pod.outcome,
        "node": pod.node_name or None,
        "step": pod.step,
        "attempts": pod.attempts,
        "message": message_in_words(pod.message) or None,
    }


@api.get(
    "/runs/{int:pk}/states/{int:number}", response={200: RunState, **ERRORS}, tags=["runs"], operation_id="read_state"
)
def state(request: PageRequest, pk: int, number: int) -> HttpResponse:
    """Return what is requested after so many steps, 0 for the beginning, and the pending pods."""
    run = _stepping(pk, number)
    moment = state_at(run, number)
    nodes = moment.snapshot.nodes
    return answer(
        {
            "run": run.pk,
            "step": number,
            "nodes": len(nodes),
            "pods": int(nodes.pod_count.sum()),
            "allocatable": dict(zip(nodes.resources, nodes.allocatable.sum(0).tolist(), strict=True)),
            "requested": dict(zip(nodes.resources, nodes.requested.sum(0).tolist(), strict=True)),
            "pending": len(moment.waiting),
            "examples": sorted(moment.waiting)[:_EXAMPLES],
        }
    )


@api.get(
    "/runs/{int:pk}/decisions/{int:number}",
    response={200: RunDecision, **ERRORS},
    tags=["runs"],
    operation_id="read_step_decision",
)
def decision(request: PageRequest, pk: int, number: int) -> HttpResponse:
    """Return the decision of a step, computed anew on the state before it, in the form of the journal's."""
    run = _stepping(pk, number + 1)
    explanation = decision_at(run, number)
    [step] = [each for each in _steps_at(run, number) if each.number == number]
    document = msgspec.to_builtins(decision_document(explanation, step.node or None))
    return answer({"run": run.pk, "step": number, "explanation": document})


def _stepping(pk: int, number: int) -> SimulationRun:
    run = run_of(pk)
    if number > run.steps:
        what, remedy = words.NO_STEP(number=str(pk), step=number), words.STEPS_SO_FAR(steps=run.steps)
        raise ApiError(404, what=what, where="step", remedy=remedy)
    return run


def _steps_at(run: SimulationRun, number: int) -> list[Step]:
    chunk = RunChunk.objects.filter(run=run, first_step__lte=number).order_by("-first_step")[:1]
    return [step for each in chunk for step in unpacked_steps(each.packed_steps, each.first_step)]
