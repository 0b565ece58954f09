"""Changes are read strictly, and what is wrong with one names its place."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clusters.engine import SchedulerConfiguration
from clusters.engine.problems import TooMany
from clusters.engine.simulation import ChangeError, prepared, read_changes
from clusters.engine.simulation.changes import KINDS
from clusters.engine.simulation.remarks import ExtendersNotAsked, UnknownPlugins
from clusters.wording.problems import problem_sentence, remedy_sentence
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
    {
        "change": "set-requests",
        "workloads": [
            {"kind": "Deployment", "namespace": "x", "name": "web", "containers": {"main": {"cpu": "10m"}}},
            {"kind": "DaemonSet", "namespace": "x", "name": "log", "containers": {"a": {"cpu": "1", "memory": "1Gi"}}},
        ],
    },
    {"change": "put-budget", "manifest": BUDGET},
    {"change": "remove-budget", "namespace": "x", "name": "b"},
    {"change": "put-priority-class", "manifest": CLASS},
    {"change": "trace", "format": "openb", "pods": [ROW], "nodes": [NODE]},
    {"change": "place", "pods": "all"},
    {"change": "fail-nodes", "nodes": ["n"], "how": "not-ready"},
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
        ("add-nodes", ".change", "The field is missing."),
        ({"change": "add-node"}, ".change", "'add-node' is not known."),
        ({"change": ["x"]}, ".change", "[…] is not known."),
        (without(ADD, kount=3), "", "There is no field 'kount'."),
        (without(ADD, "count"), ".count", "The field is missing."),
        (without(ADD, count=True), ".count", "True is not a whole number from 1 to 20\u202f000."),
        (without(ADD, count=20_001), ".count", "20001 is not a whole number from 1 to 20\u202f000."),
        (without(ADD, count=10**400), ".count", "10^400 is not a whole number from 1"),
        (without(ADD, like="n"), ".cpu", "The nodes are already like another node."),
        (without(ADD, cpu="1e30"), ".cpu", "'1e30' is not an amount."),
        (without(ADD, cpu=-1), ".cpu", "-1 is not an amount."),
        (without(ADD, memory="9999999Pi"), ".memory", "is more than any node has."),
        (without(ADD, resources={"x.io/gpu": None}), ".resources.x.io/gpu", "None is not an amount."),
        (without(ADD, labels={"a b": "c"}), ".labels", "'a b' is not a label key."),
        (without(ADD, labels={"a": 5}), ".labels.a", "5 is not a text."),
        (without(ADD, taints=[{"key": "a", "effect": "Never"}]), ".taints[0].effect", "'Never' is not known."),
        (without(ADD, zones=["a", "b c"]), ".zones[1]", "'b c' is not a label value."),
        (without(ADD, prefix="a/b"), ".prefix", "'a/b' is not the name of an object."),
        ({"change": "cordon"}, "", "No node is named."),
        ({"change": "cordon", "nodes": ["a"], "zone": "z"}, "", "The nodes are chosen by nodes and zone."),
        ({"change": "cordon", "nodes": []}, ".nodes", "It is empty."),
        ({"change": "cordon", "nodes": "a"}, ".nodes", "'a' is not a list."),
        ({"change": "cordon", "selector": "a=b,c in (d"}, ".selector", "It cannot be read from character 5 on."),
        ({"change": "cordon", "selector": "a=b,"}, ".selector", "It cannot be read from character 5 on."),
        ({"change": "cordon", "selector": "-=b"}, ".selector", 'Invalid value: "-": name part must consist of'),
        ({"change": "label-nodes", "nodes": ["a"]}, ".labels", "No label is named."),
        ({"change": "taint-nodes", "nodes": ["a"], "remove": ["a:b"]}, ".remove[0]", "'a:b' does not name a taint."),
        (without(SCALE, replicas=2), "", "It has both replicas and by."),
        (without(SCALE, "by"), "", "It has neither replicas nor by."),
        (without(SCALE, kind="DaemonSet"), ".kind", "'DaemonSet' is not known."),
        (without(WHOLE[11], replicas=50_001), ".replicas", "50001 is not a whole number from 0 to 50\u202f000."),
        (without(WHOLE[11], manifest=[]), ".manifest", "[…] is not a Kubernetes object."),
        (without(WHOLE[11], manifest=BUDGET), ".manifest.kind", "A PodDisruptionBudget is not a workload."),
        (without(WHOLE[11], manifest=a_workload("DaemonSet")), ".replicas", "A DaemonSet has no replicas."),
        (
            {"change": "put-budget", "manifest": {**BUDGET, "spec": {"minAvailable": 1, "maxUnavailable": 1}}},
            ".manifest.spec",
            "minAvailable and maxUnavailable exclude each other.",
        ),
        (
            {"change": "put-budget", "manifest": {**BUDGET, "spec": {"maxUnavailable": -1}}},
            ".manifest.spec.maxUnavailable",
            "-1 is not a number of pods.",
        ),
        (
            {"change": "put-priority-class", "manifest": {**CLASS, "value": 2**40}},
            ".manifest.value",
            "is not a whole number from",
        ),
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
    assert problem in problem_sentence(caught.value.problem)
    assert remedy_sentence(caught.value.problem).endswith((".", "?"))


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

    not_asked = ExtendersNotAsked(1, ("http://gpu.example",))
    assert prepared([], [], configuration).remarks == (UnknownPlugins(("Coscheduling",)), not_asked)
    assert prepared([], [], SchedulerConfiguration.default()).remarks == ()


def test_too_many_changes() -> None:
    with pytest.raises(ChangeError) as caught:
        read_changes([{"change": "place", "pods": "pending"}] * 201)

    assert (caught.value.path, caught.value.problem) == ("changes", TooMany(201, 200))


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
