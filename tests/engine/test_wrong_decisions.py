"""How often a decision that kube-scheduler did not take would pass as agreeing.

The decisions of the recorded corpus are replaced by wrong ones: each other node, a refusal instead of a node and a node
instead of a refusal, another message. ``-s`` prints the counts, which docs/judging.md states.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Any

import orjson
import pytest

from clusters.engine import Explanation, SchedulerConfiguration, Snapshot
from clusters.engine.journal import Agreement, judge_nomination, judge_placement, judge_refusal
from clusters.engine.scheduling import replay
from tests.engine.oracle import CORPORA, CORPUS, Case, importance_of_pods, rank, written_cases

if TYPE_CHECKING:
    from collections.abc import Iterator


pytestmark = pytest.mark.unmeasured

# What was decided wrongly, or "right", and what the judge said.
Judged = tuple[str, Agreement]


def judged_decisions(case: Case) -> Iterator[Judged]:
    pods = importance_of_pods(case)
    config = case.get("config")
    configuration = SchedulerConfiguration.from_dict(config) if config else SchedulerConfiguration.default()
    explanations = replay(Snapshot.from_objects(case["objects"]), case["pods"], configuration)
    for pod, explanation, recorded in zip(case["pods"], explanations, case["expect"], strict=True):
        if "cycleError" in recorded or "scoreError" in recorded:
            continue
        if recorded["best"]:
            yield from judged_placements(explanation, recorded, pod)
        elif "message" in recorded:
            yield from judged_refusals(explanation, recorded, pods)


def judged_placements(explanation: Explanation, recorded: dict[str, Any], pod: dict[str, Any]) -> Iterator[Judged]:
    # A nominated node that fits is taken whatever the totals are.
    nominated = {(pod.get("status") or {}).get("nominatedNodeName")} & set(recorded["feasible"])
    for node in explanation.snapshot.nodes.names:
        if node in (nominated or recorded["best"]):
            wrong = "right"
        elif node in recorded["feasible"]:
            wrong = "another node that fits"
        else:
            wrong = "another node that does not fit"
        yield wrong, judge_placement(explanation, node)
        yield "nominated, but fits", judge_nomination(explanation, node)
    total = explanation.node_count
    yield (
        "unschedulable, but fits",
        judge_refusal(explanation, f"0/{total} nodes are available: {total} Insufficient cpu."),
    )


def judged_refusals(
    explanation: Explanation, recorded: dict[str, Any], pods: dict[str, tuple[int, str]]
) -> Iterator[Judged]:
    message = recorded["message"]
    yield "right", judge_refusal(explanation, message)
    for number in re.finditer(r"\d+", message):
        changed = f"{message[: number.start()]}{int(number.group()) + 1}{message[number.end() :]}"
        yield "another number in the message", judge_refusal(explanation, changed)
    shorter = message.partition(" preemption: ")[0]
    if shorter != message:
        yield "the message without preemption", judge_refusal(explanation, shorter)
    preemption = recorded.get("preemption") or {}
    selected = preemption.get("selected")
    # Of candidates that rank alike the scheduler takes any.
    best = selected and rank(selected, pods)
    alike = {candidate["node"] for candidate in preemption.get("candidates", ()) if rank(candidate, pods) == best}
    for node in explanation.snapshot.nodes.names:
        yield "bound, but unschedulable", judge_placement(explanation, node)
        if node not in alike:
            yield "another node nominated", judge_nomination(explanation, node)


@pytest.fixture(scope="module")
def counts() -> dict[str, Counter[Agreement]]:
    found: dict[str, Counter[Agreement]] = {}
    for corpus in CORPORA:
        for line in written_cases(corpus).values():
            for decided, agreement in judged_decisions(orjson.loads(line)):
                found.setdefault(decided, Counter())[agreement] += 1
    for decided, verdicts in found.items():
        held = sum(count for agreement, count in verdicts.items() if agreement.holds)
        print(f"{decided}: {verdicts.total():,} decisions, {held:,} agree")
    return found


def test_what_the_scheduler_decided_agrees(counts: dict[str, Counter[Agreement]]) -> None:
    assert set(counts["right"]) == {Agreement.AGREES}


def test_no_wrong_decision_agrees(counts: dict[str, Counter[Agreement]]) -> None:
    wrong = {decided: verdicts for decided, verdicts in counts.items() if decided != "right"}

    assert len(wrong) == 8
    assert not [decided for decided, verdicts in wrong.items() if any(agreement.holds for agreement in verdicts)]


def test_the_documentation_states_the_counts(counts: dict[str, Counter[Agreement]]) -> None:
    text = (CORPUS.parents[2] / "docs" / "judging.md").read_text(encoding="utf-8")

    for decided, verdicts in counts.items():
        assert f"| {decided} | {verdicts.total():,} |" in text
