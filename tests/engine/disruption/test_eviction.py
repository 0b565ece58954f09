"""What the Eviction API answers, rule by rule."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from clusters.engine import Snapshot
from clusters.engine.disruption import Ground, charged, eviction_answer
from tests.engine.disruption.builders import NODES, WEB, a_budget, leaving, reporting, running

if TYPE_CHECKING:
    from tests.engine.builders import Document

MOMENT = "2026-01-01T00:00:00Z"
FULL: Document = {"disruptionsAllowed": 0, "currentHealthy": 3, "desiredHealthy": 3, "expectedPods": 3}
SPARE: Document = {"disruptionsAllowed": 1, "currentHealthy": 4, "desiredHealthy": 3, "expectedPods": 4}
SHORT: Document = {"disruptionsAllowed": 0, "currentHealthy": 1, "desiredHealthy": 3, "expectedPods": 3}
NOTHING: Document = {"disruptionsAllowed": 0, "currentHealthy": 0, "desiredHealthy": 0, "expectedPods": 0}
POD = running("quux", "node-1")
SICK = running("quux", "node-1", ready=False)


def answer(pod: Document, *budgets: Document) -> tuple[int, Ground, bool]:
    found = eviction_answer(Snapshot.from_objects([*NODES, pod, *budgets]), pod)
    return found.code, found.ground, found.is_charged


@pytest.mark.parametrize(
    ("pod", "expected"),
    [
        (running("quux", phase="Succeeded"), Ground.FINISHED),
        (running("quux", phase="Failed"), Ground.FINISHED),
        (running("quux", "node-1", phase="Pending", ready=False), Ground.STARTING),
        (leaving(POD), Ground.TERMINATING),
        (running("quux", "node-1", labels={"app": "other"}), Ground.NO_BUDGET),
    ],
)
def test_pods_that_no_budget_keeps(pod: Document, expected: Ground) -> None:
    budgets = (reporting(a_budget(maxUnavailable=0), **FULL), reporting(a_budget("second", maxUnavailable=0), **FULL))

    assert answer(pod, *budgets) == (200, expected, False)


@pytest.mark.parametrize(
    ("pod", "policy", "status", "expected"),
    [
        (POD, {}, SPARE, (200, Ground.WITHIN_BUDGET, True)),
        (POD, {}, FULL, (429, Ground.EXHAUSTED, False)),
        (POD, {"unhealthyPodEvictionPolicy": "AlwaysAllow"}, FULL, (429, Ground.EXHAUSTED, False)),
        (SICK, {"unhealthyPodEvictionPolicy": "AlwaysAllow"}, SHORT, (200, Ground.UNHEALTHY_ALLOWED, False)),
        (SICK, {"unhealthyPodEvictionPolicy": "IfHealthyBudget"}, FULL, (200, Ground.UNHEALTHY_SPARED, False)),
        (SICK, {}, FULL, (200, Ground.UNHEALTHY_SPARED, False)),
        (SICK, {}, SHORT, (429, Ground.EXHAUSTED, False)),
        (SICK, {}, NOTHING, (429, Ground.EXHAUSTED, False)),
        (SICK, {}, {**SHORT, "disruptionsAllowed": 2}, (200, Ground.WITHIN_BUDGET, True)),
    ],
)
def test_one_budget(pod: Document, policy: Document, status: Document, expected: tuple[Any, ...]) -> None:
    assert answer(pod, reporting(a_budget(maxUnavailable=1, **policy), **status)) == expected


def test_the_words_of_a_refusal() -> None:
    found = eviction_answer(Snapshot.from_objects([POD, reporting(a_budget(minAvailable=3), **SHORT)]), POD)

    assert found.message == "Cannot evict pod as it would violate the pod's disruption budget."
    assert found.detail == "The disruption budget web needs 3 healthy pods and has 1 currently"
    assert (found.budgets, found.is_granted, found.retry_after) == (("web",), False, 0)


@pytest.mark.parametrize(
    "budget",
    [
        a_budget(minAvailable=1),
        {**a_budget(minAvailable=1, generation=2), "status": {**SPARE, "observedGeneration": 1}},
    ],
)
def test_a_spec_that_was_not_observed_allows_nothing(budget: Document) -> None:
    found = eviction_answer(Snapshot.from_objects([POD, budget]), POD)

    assert (found.code, found.ground, found.retry_after) == (429, Ground.NOT_OBSERVED, 10)
    assert found.detail == "The disruption budget web is still being processed by the server."


@pytest.mark.parametrize(
    ("status", "ground", "words"),
    [
        ({**SPARE, "disruptionsAllowed": -1}, Ground.NEGATIVE, "negative"),
        (
            {**SPARE, "disruptedPods": {f"p{n}": MOMENT for n in range(2001)}},
            Ground.OVERFULL,
            "too big",
        ),
    ],
)
def test_a_status_that_cannot_be_used_is_forbidden(status: Document, ground: Ground, words: str) -> None:
    found = eviction_answer(Snapshot.from_objects([POD, reporting(a_budget(minAvailable=1), **status)]), POD)

    assert (found.code, found.ground) == (403, ground)
    assert found.message.startswith('poddisruptionbudget.policy "web" is forbidden: ')
    assert words in found.message


def test_two_thousand_evictions_under_way_are_not_too_many() -> None:
    status = {**SPARE, "disruptedPods": dict.fromkeys(map(str, range(2000)), MOMENT)}

    assert answer(POD, reporting(a_budget(minAvailable=1), **status)) == (200, Ground.WITHIN_BUDGET, True)


def test_a_granted_eviction_is_charged_to_the_budget() -> None:
    budget = reporting(a_budget(maxUnavailable=1), **SPARE)
    after = charged(budget, "quux", MOMENT)

    assert after["status"] == {
        **budget["status"],
        "disruptionsAllowed": 0,
        "disruptedPods": {"quux": MOMENT},
    }
    assert answer(POD, dict(after)) == (429, Ground.EXHAUSTED, False)
    assert "disruptedPods" not in budget["status"]


@pytest.mark.parametrize(
    ("change", "selects"),
    [
        ({"spec": {"selector": {}}}, True),
        ({"spec": {"selector": None}}, False),
        ({"spec": {}}, False),
        ({"apiVersion": "policy/v1beta1", "spec": {"selector": {}}}, False),
        ({"apiVersion": "policy/v1beta1", "spec": {"selector": {"matchLabels": WEB}}}, True),
        ({"spec": {"selector": {"matchExpressions": [{"key": "app", "operator": "Near"}]}}}, False),
        ({"metadata": {"name": "web", "namespace": "elsewhere"}}, False),
    ],
)
def test_which_pods_a_budget_selects(change: Document, selects: bool) -> None:
    found = eviction_answer(Snapshot.from_objects([POD, reporting(a_budget(), **FULL) | change]), POD)

    assert found.budgets == (("web",) if selects else ())
    assert found.ground == (Ground.EXHAUSTED if selects else Ground.NO_BUDGET)
