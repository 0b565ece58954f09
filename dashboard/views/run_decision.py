"""The decision of one step of a simulation, computed anew on the state before it, and its parts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from clusters.engine.simulation import Outcome, Step
from clusters.services.journal.timeline import decision_document
from clusters.services.runs.results import decision_at, known_steps
from clusters.services.runs.spec import SpecError
from clusters.wording.conclusions import doubts
from clusters.wording.decisions.verdict import pending_sentence
from clusters.wording.problems import both_sentences
from clusters.wording.runs.progress import HAS_STEPS, NO_ATTEMPT
from dashboard.explained import ExplainedCase, with_query
from dashboard.presenters.journal import decision as detail
from dashboard.presenters.runs.steps import kept_rooms, search_sentence, step_verdict, step_view
from dashboard.presenters.shared.page import node_links
from dashboard.views.decision_parts import (
    compare_answer,
    lines_answer,
    map_answer,
    map_context,
    names_answer,
    node_answer,
    why_not_answer,
)
from dashboard.views.decisions import cell_answer, scores_answer, scores_context
from dashboard.views.run import finished_run

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusters.engine import Explanation
    from clusters.models import SimulationRun
    from dashboard.http import PageRequest


@dataclass(frozen=True, slots=True)
class ExplainedStep(ExplainedCase):
    """A step of a run that is an attempt, with the explanation on the state before it."""

    run: SimulationRun
    step: Step
    explanation: Explanation

    @property
    def is_simulated(self) -> bool:
        """Whether a simulation decides."""
        return True

    @property
    def own_node(self) -> str:
        """Return the node that the pod was placed on; empty where it was not."""
        return self.step.node if self.step.outcome is Outcome.PLACED else ""

    @property
    def whole(self) -> str:
        """Return the name of what has the nodes."""
        return self.run.title

    @property
    def page(self) -> str:
        """Return the template of a page that has one part of the decision."""
        return "runs/decision_part.html"

    @property
    def context(self) -> dict[str, object]:
        """Return what pages of the decision show beside it."""
        return {"run": self.run, "pod": self.step.pod, "number": self.step.number}

    def part_address(self, name: str = "", query: Sequence[tuple[str, str]] = (), **path: object) -> str:
        """Return the address of a part of the decision, or of all."""
        path = {"pk": self.run.pk, "number": self.step.number, **path}
        address = reverse(f"run-decision-{name}" if name else "run-decision", kwargs=path)
        return with_query(address, query)

    def node_address(self, name: str) -> str:
        """Return where the pods are that the run placed on a node."""
        return reverse("run-node-of", kwargs={"pk": self.run.pk, "name": name})

    def pod_address(self, namespace: str, name: str) -> str:
        """Return where the run's decision about another pod is."""
        return reverse("run-pod-of", kwargs={"pk": self.run.pk, "namespace": namespace, "name": name})


def explained_step(run: SimulationRun, number: int) -> ExplainedStep:
    """Explain an attempt of a run. Raises Http404 for a step that is none, and NotComputed."""
    steps = known_steps(run)
    if number >= len(steps):
        raise Http404(HAS_STEPS(steps=len(steps)))
    if not steps[number].is_decision:
        raise Http404(NO_ATTEMPT(number=number + 1))
    try:
        return ExplainedStep(run, steps[number], decision_at(run, number))
    except SpecError as error:
        raise Http404(both_sentences(error.problem)) from None


@require_safe
def decision(request: PageRequest, pk: int, number: int) -> HttpResponse:
    """Show how one attempt went: the verdict, the map of the nodes, the ranking, and preemption."""
    run = finished_run(pk, request)
    steps = known_steps(run)
    if number >= len(steps):
        raise Http404(HAS_STEPS(steps=len(steps)))
    if not steps[number].is_decision:
        return redirect("run-state", pk=pk, number=number)
    case = explained_step(run, number)
    step, explanation = case.step, case.explanation
    document = decision_document(explanation, step.node or None)
    kind, word, message = step_verdict(step, explanation)
    context = {
        "case": case,
        **case.context,
        "step": step_view(step),
        "kind": kind,
        "word": word,
        # Of a pod that is placed the step says which node the seed drew.
        "judgement": "" if step.outcome is Outcome.PLACED else pending_sentence(explanation),
        "doubts": doubts(explanation),
        "nominated": kept_rooms(explanation),
        "message": message,
        "sampling": search_sentence(step),
        "groups": detail.groups(document, node_links(run.cluster, detail.nodes_of(document))),
        "other_groups": detail.other_groups(document),
        "preemption": detail.preemption(document),
        **map_context(case),
        **scores_context(request, case),
    }
    return render(request, "runs/decision.html", context)


def _case(request: PageRequest, pk: int, number: int) -> ExplainedStep:
    return explained_step(finished_run(pk, request), number)


@require_safe
def map_part(request: PageRequest, pk: int, number: int) -> HttpResponse:
    """Show the map of all nodes, or of one zone's pool where it is asked for."""
    return map_answer(request, _case(request, pk, number))


@require_safe
def map_lines(request: PageRequest, pk: int, number: int) -> HttpResponse:
    """Say of some nodes what is missing there, or how they score."""
    return lines_answer(request, _case(request, pk, number))


@require_safe
def node_names(request: PageRequest, pk: int, number: int) -> HttpResponse:
    """Offer names of nodes that contain what somebody has written so far."""
    return names_answer(request, _case(request, pk, number))


@require_safe
def node(request: PageRequest, pk: int, number: int, node: str) -> HttpResponse:
    """Show what every filter compared on one node."""
    return node_answer(request, _case(request, pk, number), node)


@require_safe
def why_not_node(request: PageRequest, pk: int, number: int) -> HttpResponse:
    """Say why the pod was not placed on a node whose name, or a part of it, is asked for."""
    return why_not_answer(request, _case(request, pk, number))


@require_safe
def compare(request: PageRequest, pk: int, number: int) -> HttpResponse:
    """Show which plugins make the difference between two nodes."""
    return compare_answer(request, _case(request, pk, number))


@require_safe
def scores(request: PageRequest, pk: int, number: int) -> HttpResponse:
    """Show the landscape of the feasible nodes."""
    return scores_answer(request, _case(request, pk, number))


@require_safe
def cell(request: PageRequest, pk: int, number: int, node: str, plugin: str) -> HttpResponse:
    """Show the arithmetic behind one plugin's score of one node."""
    return cell_answer(request, _case(request, pk, number), node, plugin)
