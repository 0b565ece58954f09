"""Pods on missing nodes, and whom they would matter to."""

from __future__ import annotations

import pytest

from clusters.engine.analysis import absent_neighbours
from tests.engine.builders import ZONE, Document, a_node, a_pod, explanation_of

WEB: Document = {"matchLabels": {"app": "web"}}
TERM: Document = {"labelSelector": WEB, "topologyKey": ZONE}
RULE = "requiredDuringSchedulingIgnoredDuringExecution"
SPREAD: Document = {"maxSkew": 1, "topologyKey": ZONE, "whenUnsatisfiable": "ScheduleAnyway", "labelSelector": WEB}
SERVICE: Document = {"kind": "Service", "metadata": {"name": "web", "namespace": "default"}}
SERVICE["spec"] = {"selector": {"app": "web"}}


@pytest.mark.parametrize(
    ("pod", "lost"),
    [
        pytest.param(a_pod(), {"labels": {"app": "web"}}, id="nothing in common"),
        pytest.param(a_pod(topologySpreadConstraints=[SPREAD]), {"labels": {"app": "db"}}, id="not selected"),
        pytest.param(
            a_pod(topologySpreadConstraints=[SPREAD]), {"labels": {"app": "web"}, "namespace": "team"}, id="elsewhere"
        ),
    ],
)
def test_pods_that_nobody_counts_do_not_matter(pod: Document, lost: Document) -> None:
    assert absent_neighbours(explanation_of(pod, a_node("n"), a_pod("lost", node="gone", **lost))) == []


@pytest.mark.parametrize(
    ("pod", "lost"),
    [
        pytest.param(a_pod(topologySpreadConstraints=[SPREAD]), {"labels": {"app": "web"}}, id="spread"),
        pytest.param(a_pod(labels={"app": "web"}), {"labels": {"app": "web"}}, id="spread by its service"),
        pytest.param(a_pod(affinity={"podAffinity": {RULE: [TERM]}}), {"labels": {"app": "web"}}, id="affinity"),
        pytest.param(
            a_pod(labels={"app": "web"}), {"affinity": {"podAntiAffinity": {RULE: [TERM]}}}, id="its anti-affinity"
        ),
    ],
)
def test_pods_that_would_count_are_named(pod: Document, lost: Document) -> None:
    explanation = explanation_of(pod, a_node("n"), SERVICE, a_pod("lost", node="gone", **lost))

    assert absent_neighbours(explanation) == ["default/lost"]


def test_pods_that_are_here_or_only_nominated_are_not_absent() -> None:
    placed = a_pod("here", node="n", labels={"app": "web"})
    nominated = a_pod("nominee", nominated="gone", labels={"app": "web"})

    explanation = explanation_of(a_pod(topologySpreadConstraints=[SPREAD]), a_node("n"), placed, nominated)

    assert absent_neighbours(explanation) == []
