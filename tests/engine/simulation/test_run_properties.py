"""What must hold of every simulation: it does what stepping through explanations does, and can be taken up anywhere."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from clusters.engine import Explanation, SchedulerConfiguration, Snapshot, explain
from clusters.engine.scheduling.answers import rejecting
from clusters.engine.scheduling.search import SearchOrder, first_found
from clusters.engine.simulation import Case, Outcome, Simulation, Step, Wanted, explained, state_after
from clusters.engine.simulation.controllers import nominated, running
from clusters.engine.simulation.course import choose
from clusters.engine.simulation.kinds import explain_attempt
from clusters.engine.versions import RELEASES
from tests.engine.builders import a_node, a_pod
from tests.engine.simulation.cases import cases, named
from tests.engine.strategies import pods

Document = Any


def nomination(pod: Document) -> str:
    return str(pod["status"].get("nominatedNodeName", ""))


def check_placed(case: Case, step: Step, explanation: Explanation, pod: Document, order: SearchOrder) -> None:
    """A placement is one of the best nodes, chosen by the seed or found first; a fitting nominated one goes alone."""
    if nomination(pod) in explanation.feasible:
        assert step.node == nomination(pod)
        return
    best = explanation.best
    first = first_found(explanation.cycle, order)
    nodes = explanation.snapshot.nodes
    assert step.node == (best[choose(case.seed, step.number, len(best))] if first is None else nodes.names[first])
    assert (step.ties, step.feasible) == (len(best), len(explanation.feasible))
    if not (case.samples and step.feasible == 1):
        assert step.total == explanation.cycle.totals.max()


def check_failed(step: Step, explanation: Explanation) -> None:
    assert not explanation.best
    if not explanation.fits:
        assert step.message == explanation.message
        assert step.plugins == rejecting(explanation.cycle)
        selected = explanation.preemption.selected if explanation.preemption else None
        if selected is not None:
            assert step.node == selected.node


@settings(max_examples=60, deadline=None)
@given(case=st.one_of(cases(), cases(plain=True)))
def test_every_attempt_ends_as_its_explanation_says(case: Case) -> None:
    simulation = Simulation(case)
    before, order = case.snapshot.copy(), SearchOrder(case.snapshot.nodes)
    known: dict[str, Document] = {}
    for step in simulation:
        if step.outcome in (Outcome.PLACED, Outcome.UNSCHEDULABLE):
            pod = simulation.document_of(step.pod)
            pod = known.get(step.pod, pod if step.outcome is Outcome.PLACED else nominated(pod, ""))
            explanation = explain(before, pod, case.configuration.profile_for(pod))
            if step.outcome is Outcome.PLACED:
                check_placed(case, step, explanation, pod, order)
                before.assume(running(pod), step.node)
                assert before.content() == simulation.snapshot.content()
            else:
                check_failed(step, explanation)
            if step.outcome is Outcome.UNSCHEDULABLE or nomination(pod) not in explanation.feasible:
                order.advance(step.looked_at)
            known[step.pod] = simulation.document_of(step.pod)
        before = simulation.snapshot.copy()


@pytest.mark.parametrize("minor", ["1.34", "1.35", "1.37"])
def test_a_search_that_ends_early_finds_what_explaining_finds(minor: str) -> None:
    """On enough nodes for the search to end early, some of them closed to the pods and some less liked."""
    taints: tuple[list[Document], ...] = (
        [{"key": "dedicated", "effect": "NoSchedule"}],
        [{"key": "old", "effect": "PreferNoSchedule"}],
        [],
    )
    nodes = [a_node(f"n{number:03d}", zone=f"z{number % 4}", taints=taints[number % 3]) for number in range(200)]
    kinds = ({"cpu": "3"}, {"cpu": "5", "memory": "1Gi"}, {"memory": "3Gi"})
    wanted = [Wanted(a_pod(f"p{number}", requests=kinds[number % 3])) for number in range(60)]
    release = RELEASES[minor]
    case = Case(Snapshot.from_objects(nodes, release), SchedulerConfiguration.default(release), wanted, samples=True)
    before, order = case.snapshot.copy(), SearchOrder(case.snapshot.nodes)
    for step, each in zip(Simulation(case), wanted, strict=True):
        explanation, looked_at = explain_attempt(before, each.pod, case.configuration.profiles[0], order)
        check_placed(case, step, explanation, each.pod, order)
        assert 100 < step.looked_at == looked_at < 200
        order.advance(looked_at)
        before.assume(running(each.pod), step.node)


@settings(max_examples=60, deadline=None)
@given(case=cases(disrupted=True))
def test_nobody_sleeps_who_would_fit(case: Case) -> None:
    simulation = Simulation(case)
    for _ in simulation:
        pass
    for key, step in simulation.waiting.items():
        pod = simulation.document_of(key)
        explanation = explain(simulation.snapshot, pod, case.configuration.profile_for(pod))
        assert step.outcome is Outcome.UNSCHEDULABLE
        assert not explanation.best
        if not nomination(pod):
            assert explanation.preemption is None or explanation.preemption.selected is None


@settings(max_examples=30, deadline=None)
@given(case=cases(disrupted=True))
def test_a_run_taken_up_anywhere_goes_on_as_it_was(case: Case) -> None:
    steps = list(Simulation(case))
    states: list[dict[str, Any]] = []
    for _ in (again := Simulation(case)):
        states.append(again.snapshot.content())
    for number in range(len(steps) + 1):
        resumed = state_after(case, steps[:number])
        if number:
            assert resumed.snapshot.content() == states[number - 1]
        assert list(resumed) == steps[number:]


@settings(max_examples=40, deadline=None)
@given(case=cases(disrupted=True), passing=st.lists(pods(placed=True), max_size=4))
def test_how_the_cluster_came_about_does_not_matter(case: Case, passing: list[Document]) -> None:
    """Pods that came and went before leave traces in a snapshot, but none in what follows."""
    walked = case.snapshot.copy()
    for number, pod in enumerate(passing):
        walked.upsert(named(pod, f"passing-{number}"))
    for number, pod in enumerate(passing):
        walked.delete(named(pod, f"passing-{number}"))

    assert list(Simulation(replace(case, snapshot=walked))) == list(Simulation(case))


@settings(max_examples=20, deadline=None)
@given(case=cases())
def test_the_decision_of_an_attempt_can_be_had_again(case: Case) -> None:
    steps = list(Simulation(case))
    for step in steps:
        if step.outcome is Outcome.PLACED:
            assert step.node in explained(case, steps, step.number).best
        elif step.outcome is Outcome.UNSCHEDULABLE:
            found = explained(case, steps, step.number)
            assert found.message is None or found.message == step.message
