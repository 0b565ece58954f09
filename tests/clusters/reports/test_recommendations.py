"""What a review recommends, and in which order."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from clusters.models import Cluster, SimulationRun
from dashboard.reports.markdown import markdown_of
from tests.clusters.reports.review_cluster import node, objects, pod, review_cluster, reviewed, rows, section
from tests.support.mirrored import load

if TYPE_CHECKING:
    from pathlib import Path


pytestmark = pytest.mark.django_db


@pytest.fixture
def harbour(tmp_path: Path) -> Cluster:
    return review_cluster(tmp_path)


def test_recommendations_are_backed_by_simulations(harbour: Cluster) -> None:
    found = reviewed(harbour, "recommendations")

    made = {each["rule"]: each for each in section(found, "recommendations")["facts"]["made"]}
    budget, taint = made["allow-disruption"], made["remove-taint"]
    assert budget["object"] == {"kind": "PodDisruptionBudget", "namespace": "shop", "name": "web"}
    assert budget["after"]["kept"] < budget["before"]["kept"]
    assert taint["changes"] == [{"change": "taint-nodes", "nodes": ["n3"], "remove": ["dedicated:NoSchedule"]}]
    assert (taint["before"], taint["after"]) == ({"pending": 1}, {"pending": 0})
    run = SimulationRun.objects.get(pk=taint["run"])
    assert run.state == SimulationRun.State.DONE
    assert run.pods.get(name="big-1").node_name == "n3"
    linked = {each[key] for each in made.values() for key in ("run", "base_run")}
    assert set(SimulationRun.objects.values_list("pk", flat=True)) == linked


def test_recommendations_are_ranked_by_what_they_bring_against_what_they_cost(harbour: Cluster) -> None:
    found = reviewed(harbour, "recommendations")

    made = section(found, "recommendations")["facts"]["made"]
    by_rule = {each["rule"]: each for each in made}
    assert [each["worth"] for each in made] == sorted((each["worth"] for each in made), reverse=True)
    assert by_rule["remove-taint"]["gain"]["pods_scheduled"] == 1
    assert by_rule["remove-taint"]["helped"] == ["shop/big-1"]
    assert not any(by_rule["remove-taint"]["cost"].values())
    # Two of the three nodes with pods of the budget are not blocked by anything else, and nothing moves for it.
    assert by_rule["allow-disruption"]["gain"]["nodes_drainable"] == 2
    # The taint goes for nothing, so that no node is added for the same pod.
    assert "add-nodes" not in by_rule
    weighed = rows(found, "recommendations", "recommendations_weighed")
    assert [row["rule"] for row in weighed] == [each["rule"] for each in made]


def test_a_budget_whose_pods_are_all_another_ones_is_proposed_to_go(tmp_path: Path) -> None:
    (first,) = (each for each in objects() if each["kind"] == "PodDisruptionBudget")
    spec = {"maxUnavailable": 1, "selector": {"matchLabels": {"app": "web"}}}
    again = {**first, "metadata": {**first["metadata"], "name": "again", "uid": "again"}, "spec": spec}
    found = reviewed(load(tmp_path, "twice", [*objects(), again]), "recommendations")

    made = section(found, "recommendations")["facts"]["made"]
    (removal,) = (each for each in made if each["rule"] == "remove-budget")
    # The one that allows a disruption is enough.
    assert removal["object"]["name"] == "web"
    assert removal["facts"]["budgets"] == ["shop/again"]
    assert (removal["gain"]["nodes_drainable"], removal["after"]["kept"]) == (2, 0)


def test_nodes_that_are_added_beside_others_that_are_removed_say_why(tmp_path: Path) -> None:
    spare = {"key": "dedicated", "value": "data", "effect": "NoSchedule"}
    tolerating = {"tolerations": [{"key": "dedicated", "operator": "Exists"}]}
    cluster = load(
        tmp_path,
        "both",
        [
            node("full-1", "north", "web"),
            *(node(name, "north", "data", taints=[spare]) for name in ("spare-1", "spare-2")),
            pod("shop", "web-1", "4", "1Gi", "full-1"),
            *(pod("data", f"db-{number}", "500m", "256Mi", f"spare-{number}", **tolerating) for number in (1, 2)),
            pod("shop", "big-1", "3", "1Gi"),
        ],
    )
    found = reviewed(cluster, "recommendations", "usage")

    made = {each["rule"]: each for each in section(found, "recommendations")["facts"]["made"]}
    added, removed = made["add-nodes"], made["remove-nodes"]
    assert (added["gain"]["pods_scheduled"], added["cost"]["nodes_added"]) == (1, 1)
    assert (removed["gain"]["nodes_removed"], removed["cost"]["pods_evicted"]) == (1, 1)
    assert added["beside"]["pools"] == [{"pool": "data", "nodes": 1}]
    (reason,) = added["beside"]["reasons"]
    assert reason == {
        "plugin": "TaintToleration",
        "reason": "node(s) had untolerated taint {dedicated: data}",
        "pods": 1,
    }
    number = added["beside"]["number"]
    said = f"The 1 node that recommendation {number} removes (data) rejects these pods: node(s) had untolerated taint"
    ranking = markdown_of(found).split("### 1.")[0]
    assert said in ranking, "in the table that stands first"
