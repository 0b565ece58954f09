"""Berth answers as the kube-schedulers of later minors answered the same questions."""

from __future__ import annotations

from typing import Any

import pytest

from clusters.engine import SchedulerConfiguration, Snapshot
from clusters.engine.replay import replay
from clusters.engine.versions import RELEASES, match_release
from tests.engine.oracle import CORPUS, cases, comparable, importance_of_pods

pytestmark = pytest.mark.unmeasured

MINORS = ("1.35", "1.36", "1.37")
CORPORA = ("general", "examples", "dra")
EVERY_CASE = [
    pytest.param(case, id=f"{minor}-{name}")
    for minor in MINORS
    for corpus in CORPORA
    for name, case in cases(f"{minor}/{corpus}").items()
]


@pytest.mark.parametrize("case", EVERY_CASE)
def test_answers_as_the_scheduler_of_that_minor_did(case: dict[str, Any]) -> None:
    pods, release = importance_of_pods(case), match_release(case["kubernetes"]).release
    config = case.get("config")
    configuration = (
        SchedulerConfiguration.from_dict(config, release) if config else SchedulerConfiguration.default(release)
    )

    explanations = replay(Snapshot.from_objects(case["objects"], release), case["pods"], configuration)
    answers = [explanation.as_recorded() for explanation in explanations]

    for answer, expected in zip(answers, case["expect"], strict=True):
        assert _weighted(comparable(answer, pods)) == _weighted(comparable(expected, pods))
        if "message" in expected and "cycleError" not in expected:
            assert answer["message"] == expected["message"]


def _weighted(result: dict[str, Any]) -> dict[str, Any]:
    """Keep of what DynamicResources scores the weighted score alone: the others were recorded without its devices."""
    for node in result["nodes"].values():
        if "DynamicResources" in node["scores"]:
            node["scores"] = {**node["scores"], "DynamicResources": node["scores"]["DynamicResources"][2]}
    return result


def test_the_readme_counts_what_is_compared_of_each_minor() -> None:
    readme = (CORPUS.parents[2] / "README.md").read_text(encoding="utf-8")
    for minor in MINORS:
        found = [case for corpus in CORPORA for case in cases(f"{minor}/{corpus}").values()]
        results = [result for case in found for result in case["expect"]]
        nodes = sum(len(result["nodes"]) for result in results)
        assert f"each {len(found)} clusters, {len(results):,} pods, {nodes:,} nodes" in readme


def test_every_minor_but_the_oldest_is_compared() -> None:
    assert {*RELEASES} == {"1.34", *MINORS}
    for minor in MINORS:
        found = [case for corpus in CORPORA for case in cases(f"{minor}/{corpus}").values()]
        assert len(found) == 662
        assert {case["kubernetes"] for case in found} == {RELEASES[minor].compared}
