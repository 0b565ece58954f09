"""Which namespaces a pending pod's affinity terms reach."""

from __future__ import annotations

from typing import Any

import pytest

from tests.engine.builders import HOSTNAME, Document, a_node, a_pod, explanation_of, raw_scores_of

HOMES = ["a", "b", "unlabelled", "unknown"]


def namespace(name: str, **labels: str) -> Document:
    return {"kind": "Namespace", "metadata": {"name": name, "labels": labels}}


def requirement(key: str, operator: str, *values: str) -> dict[str, Any]:
    return {"matchExpressions": [{"key": key, "operator": operator, **({"values": list(values)} if values else {})}]}


def avoiding(namespace_selector: dict[str, Any]) -> Document:
    """A pod that will not lie beside any pod of app=db in the namespaces that a selector finds."""
    term = {
        "topologyKey": HOSTNAME,
        "labelSelector": {"matchLabels": {"app": "db"}},
        "namespaceSelector": namespace_selector,
    }
    return a_pod(affinity={"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [term]}})


@pytest.mark.parametrize(
    ("selector", "avoided"),
    [
        (requirement("team", "In", "a"), ["a"]),
        (requirement("team", "Exists"), ["a", "b"]),
        ({}, ["a", "b", "unlabelled", "unknown"]),
    ],
)
@pytest.mark.parametrize("minor", ["1.36", "1.37"])
def test_namespaces_that_a_term_of_the_pending_pod_reaches(
    selector: dict[str, Any], avoided: list[str], minor: str
) -> None:
    assert reached(selector, minor) == avoided


@pytest.mark.parametrize(
    ("selector", "found"),
    [
        (requirement("team", "NotIn", "a"), ["b", "unlabelled"]),
        (requirement("team", "DoesNotExist"), ["unlabelled"]),
    ],
)
def test_until_1_36_a_selector_that_only_excludes_reaches_every_namespace(
    selector: dict[str, Any], found: list[str]
) -> None:
    for minor in ("1.34", "1.35", "1.36"):
        assert reached(selector, minor) == HOMES
    assert reached(selector, "1.37") == found


def reached(selector: dict[str, Any], minor: str) -> list[str]:
    """The namespaces whose pods a term of the pending pod reaches; the last one has no object."""
    namespaces = [namespace("a", team="a"), namespace("b", team="b"), namespace("unlabelled")]
    nodes = [a_node(home) for home in HOMES]
    placed = [a_pod(f"db-{home}", namespace=home, node=home, labels={"app": "db"}) for home in HOMES]
    found = explanation_of(avoiding(selector), *namespaces, *nodes, *placed, kubernetes=minor)
    return [home for home in HOMES if home not in found.feasible]


@pytest.mark.parametrize(("minor", "scores"), [("1.36", {"n0": -1, "n1": 0}), ("1.37", {})])
def test_a_pod_that_prefers_to_avoid_namespaces_scores_as_it_would_be_filtered(
    minor: str, scores: dict[str, int]
) -> None:
    pod = avoiding(requirement("team", "NotIn", "a"))
    rules = pod["spec"]["affinity"]["podAntiAffinity"]
    term = rules.pop("requiredDuringSchedulingIgnoredDuringExecution")[0]
    rules["preferredDuringSchedulingIgnoredDuringExecution"] = [{"weight": 1, "podAffinityTerm": term}]
    db = a_pod("db", namespace="a", node="n0", labels={"app": "db"})

    found = explanation_of(pod, namespace("a", team="a"), a_node("n0"), a_node("n1"), db, kubernetes=minor)

    assert raw_scores_of(found, "InterPodAffinity") == scores


def test_terms_of_placed_pods_read_the_labels_of_the_pending_pods_namespace() -> None:
    guard = avoiding(requirement("team", "NotIn", "a"))
    guard["metadata"].update(name="guard", namespace="b")
    guard["spec"]["nodeName"] = "n0"
    pending = a_pod("db", namespace="a", labels={"app": "db"})

    kept_out = explanation_of(pending, namespace("a"), a_node("n0"), guard)
    let_in = explanation_of(pending, namespace("a", team="a"), a_node("n0"), guard)

    assert kept_out.feasible == []
    assert let_in.feasible == ["n0"]
