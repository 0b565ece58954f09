"""Other requests of workloads: pods keep their nodes, and nodes book what they request now."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clusters.engine.resources import CPU
from clusters.engine.simulation import ChangeError, prepared, read_changes
from clusters.engine.simulation.remarks import RequestsSet
from clusters.wording.problems import problem_sentence
from tests.engine.builders import a_node
from tests.engine.simulation.changing import DEFAULT, after, owned, wanted

NODES = [a_node("n1"), a_node("n2")]
HASHED = {"pod-template-hash": "h"}


def web(name: str, node: str | None, cpu: str = "2") -> dict[str, Any]:
    return owned(name, "web-h", node, labels=HASHED, requests={"cpu": cpu, "memory": "1Gi"})


OBJECTS = [*NODES, web("a", "n1"), web("b", "n2"), web("waits", None), owned("other", "db-h", "n1")]


def to(**requests: str) -> dict[str, Any]:
    place = {"kind": "Deployment", "namespace": "default", "name": "web"}
    return {"change": "set-requests", "workloads": [{**place, "containers": {"main": requests}}]}


WEB = to(cpu="1")["workloads"][0]


def test_pods_on_nodes_and_pending_ones_get_the_requests() -> None:
    made = after(OBJECTS, to(cpu="500m"))

    assert {key: pod["spec"].get("nodeName") for key, pod in made.case.placed.items()} == {
        "default/a": "n1",
        "default/b": "n2",
        "default/other": "n1",
    }
    resources = [pod["spec"]["containers"][0]["resources"]["requests"] for pod in made.case.placed.values()]
    assert resources[:2] == [{"cpu": "500m", "memory": "1Gi"}] * 2
    assert wanted(made.case) == ["waits"]
    assert made.case.wanted[0].pod["spec"]["containers"][0]["resources"]["requests"]["cpu"] == "500m"
    assert made.remarks[0] == RequestsSet(3, 1)
    # What was handed in stays as it was.
    assert OBJECTS[2]["spec"]["containers"][0]["resources"]["requests"]["cpu"] == "2"


@given(st.integers(1, 4000))
def test_nodes_book_what_their_pods_request_now(milli: int) -> None:
    nodes = after(OBJECTS, to(cpu=f"{milli}m")).case.snapshot.nodes

    booked = nodes.requested[:, nodes.resources.index(CPU)].tolist()
    assert booked == [milli, milli]


@pytest.mark.parametrize(
    ("entry", "path", "said"),
    [
        ({"workloads": []}, ".workloads", "It is empty."),
        ({}, ".workloads", "It is empty."),
        (
            {"workloads": [{**WEB, "containers": {}}]},
            ".workloads[0].containers",
            "It is empty.",
        ),
        (
            {"workloads": [{**WEB, "containers": {"main": {}}}]},
            ".workloads[0].containers.main",
            "It is empty.",
        ),
        (to(cpu="much"), ".workloads[0].containers.main.cpu", "'much' is not an amount."),
        (to(disk="1"), ".workloads[0].containers.main", "There is no field 'disk'."),
        (
            {"workloads": [{**WEB, "name": "gone"}]},
            ".workloads[0].name",
            "There is no Deployment",
        ),
        (
            {"workloads": [{**WEB, "containers": {"proxy": {"cpu": "1"}}}]},
            ".workloads[0].containers.proxy",
            "No pod of the workload runs a container proxy.",
        ),
    ],
)
def test_what_cannot_be_set_is_an_error_with_its_place(entry: dict[str, Any], path: str, said: str) -> None:
    with pytest.raises(ChangeError) as caught:
        prepared(OBJECTS, read_changes([{**entry, "change": "set-requests"}]), DEFAULT)

    assert caught.value.path == f"changes[0]{path}"
    assert said in problem_sentence(caught.value.problem)
