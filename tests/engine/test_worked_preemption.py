"""Worked examples of the documentation, by number: which pods preemption removes, and what it does not do."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest

from clusters.engine import Snapshot
from clusters.engine.admission import admit
from clusters.engine.scheduling.preemption import Ineligibility
from tests.engine.builders import HOSTNAME, ZONE, Document, a_node, a_pod, explanation_of

if TYPE_CHECKING:
    from clusters.engine.scheduling import Preemption

REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
SMALL = {"cpu": "1"}
HALF, NEARLY_ALL = {"cpu": "500m"}, {"cpu": "900m"}


def running(name: str, node: str, priority: int = 0, **more: Any) -> Document:
    """A pod that leaves too little of a node of one CPU for half of one."""
    pod = a_pod(
        name, node=node, priority=priority, requests=more.pop("requests", NEARLY_ALL), labels={"app": name}, **more
    )
    return {**pod, "status": {"phase": "Running", "startTime": "2026-01-01T00:00:00Z"}}


def pending(priority: int = 1000, **more: Any) -> Document:
    return a_pod("p", priority=priority, requests=HALF, **more)


def preemption(pod: Document, *objects: Document) -> Preemption:
    explanation = explanation_of(pod, *objects)
    assert not explanation.fits
    assert explanation.preemption is not None
    return explanation.preemption


def near(kind: str, app: str, key: str) -> Document:
    """Affinity or anti-affinity to the pods of an app."""
    return {kind: {REQUIRED: [{"labelSelector": {"matchLabels": {"app": app}}, "topologyKey": key}]}}


def test_e51_no_pod_of_another_node_is_preempted() -> None:
    nodes = [a_node("n", zone="z", allocatable=SMALL), a_node("m", zone="z", allocatable={"cpu": "200m"})]
    apart = pending(affinity=near("podAntiAffinity", "q", ZONE))
    low, q = running("low", "n"), running("q", "m", requests={"cpu": "100m"})

    assert preemption(apart, *nodes, low, q).candidates == ()
    # Only without Q, which nobody removes, does a victim on N help.
    (only,) = preemption(apart, *nodes, low).candidates
    assert (only.node, only.victims) == ("n", ("default/low",))


def test_e52_a_pod_that_must_run_beside_its_victim_preempts_nobody() -> None:
    beside = pending(affinity=near("podAffinity", "low", HOSTNAME))
    low = running("low", "n")

    found = preemption(beside, a_node("n", allocatable=SMALL), low)
    assert found.candidates == ()
    assert +Counter(found.reasons) == {"node(s) didn't match pod affinity rules": 1}
    # Without the affinity it would.
    assert preemption(pending(), a_node("n", allocatable=SMALL), low).candidates[0].victims == ("default/low",)


def a_budget(app: str) -> Document:
    """A budget that allows no disruption of the app's only pod."""
    return {
        "kind": "PodDisruptionBudget",
        "metadata": {"name": app, "namespace": "default"},
        "spec": {"minAvailable": 1, "selector": {"matchLabels": {"app": app}}},
        "status": {"disruptionsAllowed": 0, "currentHealthy": 1, "desiredHealthy": 1, "expectedPods": 1},
    }


@pytest.mark.parametrize(
    ("budgets", "node", "violations"),
    [
        pytest.param((), "x", 0, id="the victims of lowest priority"),
        pytest.param(("low",), "y", 0, id="a budget moves the choice to victims of higher priority"),
        pytest.param(("low", "mid"), "x", 1, id="every choice violates a budget, and one is made all the same"),
    ],
)
def test_e53_budgets_are_kept_where_that_is_possible(budgets: tuple[str, ...], node: str, violations: int) -> None:
    nodes = [a_node(name, allocatable=SMALL) for name in "xy"]
    pods = [running("low", "x", 1), running("mid", "y", 10)]

    selected = preemption(pending(), *nodes, *pods, *(a_budget(app) for app in budgets)).selected
    assert selected is not None
    assert (selected.node, selected.pdb_violations) == (node, violations)


@pytest.mark.parametrize("priority", [1000, 1001])
def test_e54_pods_of_equal_or_higher_priority_are_not_preempted(priority: int) -> None:
    assert preemption(pending(), a_node("n", allocatable=SMALL), running("other", "n", priority)).candidates == ()


def test_e54_a_pod_that_never_preempts() -> None:
    found = preemption(pending(preemptionPolicy="Never"), a_node("n", allocatable=SMALL), running("low", "n"))

    assert (found.ineligible, found.candidates) == (Ineligibility.NEVER, ())


def test_e54_the_priority_of_a_pod_is_that_of_its_class() -> None:
    high = {"kind": "PriorityClass", "metadata": {"name": "high-priority"}, "value": 1000000}
    snapshot = Snapshot.from_objects([high])

    def admitted(**spec: Any) -> Any:
        pod = a_pod("nginx", **spec)
        del pod["spec"]["priority"]
        return admit(pod, snapshot)

    assert admitted(priorityClassName="high-priority").pod["spec"]["priority"] == 1000000
    assert admitted().pod["spec"]["priority"] == 0
    assert [each.field for each in admitted(priorityClassName="missing").refusals] == ["spec.priorityClassName"]
