"""Changes are read strictly, and what is wrong with one names its place."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clusters.engine import SchedulerConfiguration
from clusters.engine.simulation.changes import KINDS, ChangeError, prepared, read_changes
from tests.engine.simulation.changing import a_workload

BUDGET = {
    "kind": "PodDisruptionBudget",
    "metadata": {"name": "b", "namespace": "x"},
    "spec": {"minAvailable": "50%", "selector": {"matchLabels": {"app": "web"}}},
}
CLASS = {"kind": "PriorityClass", "metadata": {"name": "high"}, "value": 1000}
ROW = {"name": "p", "cpu_milli": 1, "memory_mib": 1, "num_gpu": 0, "gpu_milli": 0, "creation_time": 3}
NODE = {"sn": "n", "cpu_milli": 1, "memory_mib": 1, "gpu": 1, "model": "T4"}
WHOLE: list[dict[str, Any]] = [
    {
        "change": "add-nodes",
        "count": 3,
        "prefix": "n-",
        "cpu": "4",
        "memory": "16Gi",
        "pods": 20,
        "resources": {"x.io/gpu": "1"},
        "labels": {"pool": "a"},
        "taints": [{"key": "k", "value": "v", "effect": "NoSchedule"}, {"key": "l", "effect": "NoExecute"}],
        "zones": ["a", "b"],
    },
    {"change": "add-nodes", "count": 1, "like": "n"},
    {"change": "remove-nodes", "nodes": ["n", "m"]},
    {"change": "cordon", "selector": "a=b, c in (d,e), f notin (g), !h, i, j != k"},
    {"change": "uncordon", "zone": "z"},
    {"change": "label-nodes", "nodes": ["n"], "labels": {"a": None, "b": ""}},
    {
        "change": "taint-nodes",
        "nodes": ["n"],
        "taints": [{"key": "k", "effect": "NoExecute"}],
        "remove": ["a", "b:NoSchedule"],
    },
    {"change": "lose-zone", "zone": "z", "how": "unreachable"},
    {"change": "drain-nodes", "zone": "z"},
    {"change": "scale", "kind": "Deployment", "namespace": "x", "name": "web", "by": -2},
    {"change": "scale", "kind": "Job", "namespace": "x", "name": "web", "replicas": 0},
    {"change": "add-workload", "manifest": a_workload("Deployment"), "replicas": 5},
    {"change": "remove-workload", "kind": "Pod", "namespace": "x", "name": "web"},
    {"change": "put-budget", "manifest": BUDGET},
    {"change": "remove-budget", "namespace": "x", "name": "b"},
    {"change": "put-priority-class", "manifest": CLASS},
    {"change": "trace", "format": "openb", "pods": [ROW], "nodes": [NODE]},
    {"change": "place", "pods": "all"},
]


def test_every_kind_says_again_what_it_was_read_from() -> None:
    assert [change.as_dict() for change in read_changes(WHOLE)] == WHOLE
    assert {entry["change"] for entry in WHOLE} == set(KINDS)


def without(entry: dict[str, Any], *names: str, **more: Any) -> dict[str, Any]:
    return {**{name: value for name, value in entry.items() if name not in names}, **more}


ADD, SCALE = WHOLE[0], WHOLE[9]


@pytest.mark.parametrize(
    ("entry", "path", "problem"),
    [
        ("add-nodes", ".change", "It does not say what is changed."),
        ({"change": "add-node"}, ".change", "'add-node' is not a change."),
        ({"change": ["x"]}, ".change", "A list is not a change."),
        (without(ADD, kount=3), "", "There is no field 'kount'."),
        (without(ADD, "count"), ".count", "The field is missing."),
        (without(ADD, count=True), ".count", "True is not from 1 to 20,000."),
        (without(ADD, count=20_001), ".count", "20001 is not from 1 to 20,000."),
        (without(ADD, count=10**400), ".count", "A number of more than 30 digits is not from 1"),
        (without(ADD, like="n"), ".cpu", "The nodes are to be like another one."),
        (without(ADD, cpu="1e30"), ".cpu", "'1e30' is not an amount."),
        (without(ADD, cpu=-1), ".cpu", "-1 is not an amount."),
        (without(ADD, memory="9999999Pi"), ".memory", "is more than any node has."),
        (without(ADD, resources={"x.io/gpu": None}), ".resources.x.io/gpu", "None is not an amount."),
        (without(ADD, labels={"a b": "c"}), ".labels", "The key 'a b' needs a name"),
        (without(ADD, labels={"a": 5}), ".labels.a", "5 is not a text."),
        (without(ADD, taints=[{"key": "a", "effect": "Never"}]), ".taints[0].effect", "'Never' is not known."),
        (without(ADD, zones=["a", "b c"]), ".zones[1]", "'b c' must be empty or 1 to 63"),
        (without(ADD, prefix="a/b"), ".prefix", "'a/b' is no name of an object."),
        ({"change": "cordon"}, "", "No node is named."),
        ({"change": "cordon", "nodes": ["a"], "zone": "z"}, "", "It has nodes and zone."),
        ({"change": "cordon", "nodes": []}, ".nodes", "The list is empty."),
        ({"change": "cordon", "nodes": "a"}, ".nodes", "'a' is not a list."),
        ({"change": "cordon", "selector": "a=b,c in (d"}, ".selector", "it cannot be read from character 5 on."),
        ({"change": "cordon", "selector": "a=b,"}, ".selector", "it cannot be read from character 5 on."),
        ({"change": "cordon", "selector": "-=b"}, ".selector", "'-' needs a name"),
        ({"change": "label-nodes", "nodes": ["a"]}, ".labels", "No label is named."),
        ({"change": "taint-nodes", "nodes": ["a"], "remove": ["a:b"]}, ".remove[0]", "'a:b' names no taint."),
        (without(SCALE, replicas=2), "", "It has replicas and by."),
        (without(SCALE, "by"), "", "It says nothing of replicas."),
        (without(SCALE, kind="DaemonSet"), ".kind", "'DaemonSet' is not known."),
        (without(WHOLE[11], replicas=50_001), ".replicas", "50001 is not from 0 to 50,000."),
        (without(WHOLE[11], manifest=[]), ".manifest", "A list is not a map."),
        (without(WHOLE[11], manifest=BUDGET), ".manifest.kind", "A PodDisruptionBudget is no workload."),
        (without(WHOLE[11], manifest=a_workload("DaemonSet")), ".replicas", "A DaemonSet has no replicas."),
        ({"change": "put-budget", "manifest": {**BUDGET, "spec": {}}}, ".manifest.spec", "either minAvailable or"),
        (
            {"change": "put-budget", "manifest": {**BUDGET, "spec": {"maxUnavailable": -1}}},
            ".manifest.spec.maxUnavailable",
            "-1 is no number of pods.",
        ),
        ({"change": "put-priority-class", "manifest": {**CLASS, "value": 2**40}}, ".manifest.value", "is no priority."),
        ({"change": "trace", "format": "x", "pods": [ROW]}, ".format", "'x' is not known."),
        ({"change": "trace", "format": "openb", "pods": [{**ROW, "x": 1}]}, ".pods[0]", "There is no field 'x'."),
        (
            {"change": "trace", "format": "openb", "pods": [ROW, {**ROW, "cpu_milli": -1}]},
            ".pods[1].cpu_milli",
            "-1 is not a whole number",
        ),
        (
            {"change": "trace", "format": "openb", "pods": [{**ROW, "deletion_time": 2}]},
            ".pods[0].deletion_time",
            "2 is before the creation_time, 3.",
        ),
        ({"change": "place", "pods": "some"}, ".pods", "'some' is not known."),
    ],
)
def test_a_bad_change_names_its_place(entry: Any, path: str, problem: str) -> None:
    with pytest.raises(ChangeError) as caught:
        read_changes([{"change": "place", "pods": "pending"}, entry])

    assert caught.value.path == f"changes[1]{path}"
    assert problem in caught.value.problem
    assert caught.value.remedy.endswith((".", "?"))


def test_whoever_cannot_be_asked_is_named() -> None:
    """Plugins from outside of Kubernetes and extenders may place pods otherwise."""
    enabled = {"enabled": [{"name": "Coscheduling"}]}
    configuration = SchedulerConfiguration.from_dict(
        {
            "apiVersion": "kubescheduler.config.k8s.io/v1",
            "kind": "KubeSchedulerConfiguration",
            "profiles": [
                {"plugins": {"filter": enabled, "score": {"enabled": [{"name": "Coscheduling", "weight": 2}]}}}
            ],
            "extenders": [{"urlPrefix": "http://gpu.example", "filterVerb": "filter"}],
        }
    )

    assert [note.text for note in prepared([], [], configuration).notes] == [
        "The answers of the plugin Coscheduling cannot be known; pods are placed without.",
        "The answers of 1 extender cannot be known; pods are placed without.",
    ]
    assert prepared([], [], SchedulerConfiguration.default()).notes == ()


def test_too_many_changes() -> None:
    with pytest.raises(ChangeError, match="There are 201 changes"):
        read_changes([{"change": "place", "pods": "pending"}] * 201)


_ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=5), inner, max_size=2),
    max_leaves=5,
)


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(WHOLE), st.data())
def test_whatever_a_field_holds_it_is_read_or_refused(entry: dict[str, Any], data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(sorted(entry)))
    try:
        (read,) = read_changes([{**entry, name: data.draw(_ANYTHING)}])
    except ChangeError:
        return
    assert read_changes([read.as_dict()]) == [read]
