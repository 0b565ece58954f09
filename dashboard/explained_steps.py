"""An attempt of a simulation with its explanation, as the parts of a decision ask for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.http import Http404
from django.urls import reverse

from clusters.engine.simulation import Outcome, Step
from clusters.services.runs.results import decision_at, known_steps
from clusters.services.runs.spec import SpecError
from clusters.wording.problems import both_sentences
from clusters.wording.runs.progress import HAS_STEPS, NO_ATTEMPT
from dashboard.explained import ExplainedCase, with_query

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusters.engine import Explanation
    from clusters.models import SimulationRun


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
