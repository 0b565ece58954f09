"""Berth answers as each kube-scheduler did: every filter, verdict, score, text and preemption of the corpus."""

from __future__ import annotations

from typing import Any

import orjson
import pytest

from clusters.engine import Snapshot
from clusters.engine.scheduling import replay
from clusters.engine.versions import RELEASES, match_release
from tests.engine.oracle import CORPORA, CORPUS, asked_of, cases, comparable, importance_of_pods, written_cases

pytestmark = pytest.mark.unmeasured


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


MINORS = ("1.35", "1.36", "1.37")
CORPORA_OF_MINORS = ("general", "examples", "dra")
MORE = {"config": 60, "declared": 40, "devices": 80, "devlarge": 10, "minimal": 19, "minimalconfig": 2, "preempt": 50}
FILES = (
    *CORPORA,
    *(f"{minor}/{corpus}" for minor in MINORS for corpus in CORPORA_OF_MINORS),
    *(f"1.37/{corpus}" for corpus in (*MORE, "wider")),
    "1.34.9/examples",
    "1.34.9/general",
)


EVERY_CASE = [pytest.param(line, id=f"{file}-{name}") for file in FILES for name, line in written_cases(file).items()]


@pytest.mark.parametrize("line", EVERY_CASE)
def test_answers_as_the_scheduler_did(line: bytes) -> None:
    case = orjson.loads(line)
    pods, configuration = importance_of_pods(case), asked_of(case)

    explanations = replay(Snapshot.from_objects(case["objects"], configuration.release), case["pods"], configuration)
    answers = [explanation.as_recorded() for explanation in explanations]

    assert [answer["pod"] for answer in answers] == [expected["pod"] for expected in case["expect"]]
    for answer, expected in zip(answers, case["expect"], strict=True):
        assert comparable(answer, pods) == comparable(expected, pods)
        if "message" in expected and "cycleError" not in expected:
            assert answer["message"] == expected["message"]


def test_the_readme_counts_what_is_compared_of_each_minor() -> None:
    readme = (CORPUS.parents[2] / "README.md").read_text(encoding="utf-8")
    for minor in MINORS:
        found = [case for corpus in CORPORA_OF_MINORS for case in cases(f"{minor}/{corpus}").values()]
        assert f"each {_counted(found)}" in readme
    assert _counted([case for corpus in (*MORE, "wider") for case in cases(f"1.37/{corpus}").values()]) in readme


def _counted(found: list[dict[str, Any]]) -> str:
    results = [result for case in found for result in case["expect"]]
    nodes = sum(len(result["nodes"]) for result in results)
    return f"{len(found)} clusters, {len(results):,} pods, {nodes:,} nodes"


def test_every_release_that_is_named_is_compared() -> None:
    assert {*RELEASES} == {"1.34", *MINORS}
    for minor in MINORS:
        found = [case for corpus in CORPORA_OF_MINORS for case in cases(f"{minor}/{corpus}").values()]
        assert len(found) == 662
        assert {case["kubernetes"] for case in found} == {RELEASES[minor].compared}
    later = [*cases("1.34.9/examples").values(), *cases("1.34.9/general").values()]
    assert len(later) == 82
    assert {case["kubernetes"] for case in later} == {match_release("1.34.2").release.compared}
    assert {corpus: len(cases(f"1.37/{corpus}")) for corpus in MORE} == MORE
    assert len(cases("1.37/wider")) == 114
