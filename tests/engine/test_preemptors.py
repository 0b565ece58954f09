"""Preemption from the victims' side, against the rule written plainly and against the preemptor's own explanation."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clusters.engine.analysis import PreemptionOutcome, Preemptor, Threat, preemptor_of, threat_to
from clusters.engine.objects import key_of
from tests.engine.builders import Document, a_node, a_pod, explanation_of
from tests.engine.test_preemption import a_budget, running

TAINTED = a_node("a", taints=[{"key": "gpu", "effect": "NoSchedule"}])


def preemptor(pod: Document, *objects: Document, **configuration: Any) -> Preemptor:
    return preemptor_of(explanation_of(pod, *objects, **configuration))


def threat(found: Preemptor, victim: Document) -> Threat:
    return threat_to(
        found,
        key_of(victim),
        node=victim["spec"]["nodeName"],
        priority=victim["spec"]["priority"],
        is_preempted=bool(victim["metadata"].get("deletionTimestamp")),
    )


def urgent(cpu: str, **more: Any) -> Document:
    return a_pod("urgent", priority=100, requests={"cpu": cpu}, **more)


LOW = running("low", "6", node="a")
SMALL = running("small", "1", node="a", priority=5)
OTHER = running("other", "6", node="b", priority=50)
HIGH = running("high", "1", node="b", priority=100)
NODES = (a_node("a"), a_node("b"))


def test_the_node_with_the_least_important_victims_is_selected_and_the_others_are_candidates() -> None:
    found = preemptor(urgent("6"), *NODES, LOW, SMALL, OTHER, HIGH)

    assert found.outcome is PreemptionOutcome.MAKES_ROOM
    assert found.selected == "a"
    assert threat(found, LOW) is Threat.SELECTED
    assert threat(found, SMALL) is Threat.SPARED
    assert threat(found, OTHER) is Threat.CANDIDATE
    assert threat(found, HIGH) is Threat.PRIORITY


def test_a_budget_moves_the_choice_and_is_violated_where_every_candidate_violates_one() -> None:
    low = running("low", "6", node="a", labels={"app": "low"})
    other = running("other", "6", node="b", priority=50, labels={"app": "other"})

    moved = preemptor(urgent("6"), *NODES, low, other, a_budget("low", 0))
    both = preemptor(urgent("6"), *NODES, low, other, a_budget("low", 0), a_budget("other", 0))

    assert moved.selected == "b"
    assert (threat(moved, low), threat(moved, other)) == (Threat.CANDIDATE, Threat.SELECTED)
    assert both.selected == "a"
    assert both.candidates["a"].pdb_violations == 1


@pytest.mark.parametrize(
    ("pod", "objects", "outcome"),
    [
        pytest.param(urgent("1"), (*NODES, LOW), PreemptionOutcome.FITS, id="fits"),
        pytest.param(urgent("9"), (*NODES, LOW), PreemptionOutcome.NOT_HELPFUL, id="larger than every node"),
        pytest.param(
            urgent("6", preemptionPolicy="Never"), (a_node("a"), LOW), PreemptionOutcome.NEVER, id="never preempts"
        ),
        pytest.param(
            urgent("6", schedulingGates=[{"name": "x"}]), (a_node("a"), LOW), PreemptionOutcome.GATED, id="gated"
        ),
        pytest.param(a_pod("equal", requests={"cpu": "6"}), (a_node("a"), LOW), PreemptionOutcome.LOWEST, id="lowest"),
        pytest.param(urgent("6"), (TAINTED, LOW), PreemptionOutcome.NOT_HELPFUL, id="a taint stays"),
    ],
)
def test_why_a_pending_pod_preempts_none(pod: Document, objects: tuple[Document, ...], outcome: Any) -> None:
    found = preemptor(pod, *objects)

    assert found.outcome is outcome
    assert found.candidates == {}
    assert threat(found, LOW) in (Threat.NONE, Threat.PRIORITY)


def test_a_profile_without_the_plugin_preempts_none() -> None:
    profiles = [{"plugins": {"postFilter": {"disabled": [{"name": "*"}]}}}]

    assert preemptor(urgent("6"), a_node("a"), LOW, profiles=profiles).outcome is PreemptionOutcome.NO_PLUGIN


def test_a_victim_that_terminates_is_what_the_nominated_pod_waits_for() -> None:
    leaving = running("low", "6", node="a")
    leaving["metadata"]["deletionTimestamp"] = "2026-01-01T10:00:30Z"
    condition = {"type": "DisruptionTarget", "status": "True", "reason": "PreemptionByScheduler"}
    leaving["status"]["conditions"] = [condition]
    beside = running("beside", "1", node="a")

    found = preemptor(urgent("6", nominated="a"), a_node("a"), leaving, beside)

    assert (found.outcome, found.node) == (PreemptionOutcome.TERMINATING, "a")
    assert threat(found, leaving) is Threat.LEAVING
    assert threat(found, beside) is Threat.NONE


@st.composite
def _clusters(draw: st.DrawFn) -> tuple[Document, list[Document]]:
    pods = [
        running(f"p{number}", str(draw(st.integers(1, 4))), node=draw(st.sampled_from("ab")),
                priority=draw(st.sampled_from([0, 5, 100, 200])), start=f"2026-01-01T10:00:{number:02}Z")
        for number in range(draw(st.integers(1, 6)))
    ]  # fmt: skip
    return urgent(str(draw(st.integers(1, 8)))), pods


@given(_clusters())
def test_nobody_is_threatened_whose_removal_with_the_lower_ones_is_of_no_use(
    drawn: tuple[Document, list[Document]],
) -> None:
    """By arithmetic of one resource alone: who may be a victim, and where."""
    pod, pods = drawn
    asked = int(pod["spec"]["containers"][0]["resources"]["requests"]["cpu"])

    def cpu(of: Document) -> int:
        return int(of["spec"]["containers"][0]["resources"]["requests"]["cpu"])

    used = {name: sum(cpu(each) for each in pods if each["spec"]["nodeName"] == name) for name in "ab"}
    found = preemptor(pod, *NODES, *pods)

    fits = any(8 - used[name] >= asked for name in "ab")
    for each in pods:
        node, priority = each["spec"]["nodeName"], each["spec"]["priority"]
        lower = sum(cpu(one) for one in pods if one["spec"]["nodeName"] == node and one["spec"]["priority"] < 100)
        makes_room = 8 - used[node] + lower >= asked
        said = threat(found, each)
        if priority >= 100:
            assert said is Threat.PRIORITY
        elif fits:
            assert said is Threat.NONE
        elif makes_room:
            assert said in (Threat.SELECTED, Threat.CANDIDATE, Threat.SPARED)
        else:
            assert said in (Threat.OTHER_NODES, Threat.NONE)
