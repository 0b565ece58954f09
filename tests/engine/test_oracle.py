"""Berth answers as kube-scheduler v1.34.1 answered: every filter, verdict, score, text and preemption of the corpus."""

from __future__ import annotations

from typing import Any

import pytest

from clusters.engine import Snapshot
from clusters.engine.scheduling import replay
from tests.engine.oracle import CORPORA, CORPUS, asked_of, cases, comparable, importance_of_pods

pytestmark = pytest.mark.unmeasured

EVERY_CASE = [pytest.param(case, id=name) for corpus in CORPORA for name, case in cases(corpus).items()]


@pytest.mark.parametrize("case", EVERY_CASE)
def test_answers_as_the_scheduler_did(case: dict[str, Any]) -> None:
    pods = importance_of_pods(case)

    explanations = replay(Snapshot.from_objects(case["objects"]), case["pods"], asked_of(case))
    answers = [explanation.as_recorded() for explanation in explanations]

    assert [answer["pod"] for answer in answers] == [expected["pod"] for expected in case["expect"]]
    for answer, expected in zip(answers, case["expect"], strict=True):
        assert comparable(answer, pods) == comparable(expected, pods)
        if "message" in expected and "cycleError" not in expected:
            assert answer["message"] == expected["message"]


def test_the_readme_counts_what_is_compared() -> None:
    results = [result for corpus in CORPORA for case in cases(corpus).values() for result in case["expect"]]
    clusters = sum(len(cases(corpus)) for corpus in CORPORA)
    nodes = [node for result in results for node in result["nodes"].values()]
    ended = [result for result in results if "cycleError" in result or "scoreError" in result]
    compared = [result for result in results if result not in ended]
    cells = sum(len(node.get("scores") or ()) for result in compared for node in result["nodes"].values())
    preemptions = sum("preemption" in result for result in compared)
    messages = sum("message" in result for result in compared)
    readme = (CORPUS.parents[2] / "README.md").read_text(encoding="utf-8")

    assert f"{clusters} clusters, {len(results):,} pods, {len(nodes):,} nodes" in readme
    for count in (len(nodes), cells, len(compared), messages, len(ended), preemptions):
        assert f"| {count:,} of {count:,} |" in readme


def test_the_corpus_is_whole() -> None:
    """A corpus that lost its cases would prove nothing."""
    assert len(cases("general")) == 500
    assert len(cases("examples")) == 42
    assert len(cases("wider")) == 193
    assert len(cases("minimal")) == 10
    assert len(cases("dra")) == 120
    assert sum(len(case["expect"]) for case in cases("general").values()) == 1515
