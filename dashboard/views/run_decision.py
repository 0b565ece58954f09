"""The decision of one step of a simulation, computed anew on the state before it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.paginator import Paginator
from django.http import Http404
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from clusters.engine.simulation import Outcome
from clusters.services.journal.document import decision_document
from clusters.services.runs.errors import SpecError
from clusters.services.runs.moments import decision_at, known_steps
from clusters.wording.conclusions import doubts
from clusters.wording.decisions.verdict import pending_sentence
from clusters.wording.problems import both_sentences
from clusters.wording.runs.listing import has_steps
from dashboard.presenters.decisions.arithmetic import arithmetic
from dashboard.presenters.decisions.page import judged
from dashboard.presenters.decisions.scores import TOP, score_table
from dashboard.presenters.decisions.strip import strip
from dashboard.presenters.journal import detail
from dashboard.presenters.runs.steps import kept_rooms, search_sentence, step_view
from dashboard.views.run import finished_run

if TYPE_CHECKING:
    from django.http import HttpResponse

    from clusters.engine import Explanation
    from dashboard.http import PageRequest


@require_safe
def decision(request: PageRequest, pk: int, number: int) -> HttpResponse:
    """Show how one attempt went: the verdict, the nodes by verdict, the ranking, and preemption."""
    run = finished_run(pk, request)
    steps = known_steps(run)
    if number >= len(steps):
        raise Http404(has_steps(len(steps)))
    if not steps[number].is_decision:
        return redirect("run-state", pk=pk, number=number)
    try:
        explanation = decision_at(run, number)
    except SpecError as error:
        raise Http404(both_sentences(error.problem)) from None
    step = steps[number]
    document = decision_document(explanation, step.node or None)
    kind, word = judged(explanation)
    context = {
        "run": run,
        "number": number,
        "step": step_view(step),
        "pod": step.pod,
        "kind": kind,
        "word": word,
        # Of a pod that is placed the step says which node the seed drew.
        "judgement": "" if step.outcome is Outcome.PLACED else pending_sentence(explanation),
        "doubts": doubts(explanation),
        "nominated": kept_rooms(explanation),
        "message": explanation.message,
        "strip": strip(explanation),
        "sampling": search_sentence(step),
        "steps": detail.funnel(document),
        "groups": detail.groups(document),
        "other_groups": detail.other_groups(document),
        "preemption": detail.preemption(document),
        **_scores(request, explanation, step.node),
    }
    return render(request, "runs/decision.html", context)


def _scores(request: PageRequest, explanation: Explanation, node: str) -> dict[str, Any]:
    """Return one page of the ranking, and the arithmetic of the cell that the address names."""
    if not explanation.scores:
        return {"table": None}
    page = Paginator(explanation.ranking().tolist(), TOP).get_page(request.GET.get("page"))
    return {
        "table": score_table(explanation, page, node),
        "page": page,
        "cell": _cell(explanation, request.GET.get("node", ""), request.GET.get("plugin", "")),
    }


def _cell(explanation: Explanation, node: str, plugin: str) -> Any:
    row = explanation.snapshot.nodes.index.get(node)
    if row is None or not plugin:
        return None
    try:
        return arithmetic(explanation, row, plugin)
    except LookupError:
        return None
