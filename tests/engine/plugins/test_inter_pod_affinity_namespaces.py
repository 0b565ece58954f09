"""Which namespaces a pending pod's affinity terms reach."""

from __future__ import annotations

from typing import Any

import pytest

from tests.engine.builders import HOSTNAME, Document, a_node, a_pod, explanation_of


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
        # A selector that the absence of labels satisfies reaches even the namespaces that it excludes.
        (requirement("team", "NotIn", "a"), ["a", "b", "unlabelled", "unknown"]),
        (requirement("team", "DoesNotExist"), ["a", "b", "unlabelled", "unknown"]),
    ],
)
def test_namespaces_that_a_term_of_the_pending_pod_reaches(selector: dict[str, Any], avoided: list[str]) -> None:
    namespaces = [namespace("a", team="a"), namespace("b", team="b"), namespace("unlabelled")]
    homes = ["a", "b", "unlabelled", "unknown"]
    nodes = [a_node(home) for home in homes]
    placed = [a_pod(f"db-{home}", namespace=home, node=home, labels={"app": "db"}) for home in homes]

    found = explanation_of(avoiding(selector), *namespaces, *nodes, *placed)

    assert found.feasible == sorted(set(homes) - set(avoided))


def test_terms_of_placed_pods_read_the_labels_of_the_pending_pods_namespace() -> None:
    guard = avoiding(requirement("team", "NotIn", "a"))
    guard["metadata"].update(name="guard", namespace="b")
    guard["spec"]["nodeName"] = "n0"
    pending = a_pod("db", namespace="a", labels={"app": "db"})

    kept_out = explanation_of(pending, namespace("a"), a_node("n0"), guard)
    let_in = explanation_of(pending, namespace("a", team="a"), a_node("n0"), guard)

    assert kept_out.feasible == []
    assert let_in.feasible == ["n0"]
