"""Whatever is said to make a pod fit does so once it is really done, to the pod, a node or a neighbour."""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings, strategies as st

from clusters.engine import Explanation, SchedulerConfiguration, Snapshot, explain
from clusters.engine.plugins.node_resources_fit import PODS
from clusters.engine.scheduling import remedy_for_node
from tests.engine.builders import HOSTNAME, ZONE, Document, a_node, a_pod
from tests.support.constraints import about

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from clusters.engine.plugin import Constraint

RULE = "requiredDuringSchedulingIgnoredDuringExecution"
CORDON = {"key": "node.kubernetes.io/unschedulable", "effect": "NoSchedule"}
APPS = ("db", "web")
PROFILE = SchedulerConfiguration.default().profiles[0]


def some(*values: Any) -> st.SearchStrategy[Any]:
    return st.sampled_from(values)


@st.composite
def clusters(draw: st.DrawFn) -> list[Document]:
    """A few nodes with taints, cordons and labels, nearly full, and pods on them of two sorts."""
    objects: list[Document] = []
    for number in range(draw(st.integers(2, 6))):
        cordoned = draw(some(False, False, False, True))
        taints = draw(
            some(
                [], [], [{"key": "gpu", "effect": "NoSchedule"}], [{"key": "team", "value": "a", "effect": "NoExecute"}]
            )
        )
        node = a_node(
            f"n{number}",
            zone=draw(some("a", "b", "c", None)),
            labels={"disk": draw(some("ssd", "hdd"))},
            taints=[*taints, *([CORDON] if cordoned else [])],
            unschedulable=cordoned,
            allocatable={"cpu": draw(some("1", "2", "4")), "pods": draw(some("1", "3", "9"))},
        )
        objects.append(node)
        for place in range(draw(st.integers(0, 2))):
            apart: Document = {"affinity": {"podAntiAffinity": {RULE: [term(draw)]}}}
            objects.append(
                a_pod(
                    f"p{number}-{place}",
                    node=f"n{number}",
                    labels={"app": draw(some(*APPS))},
                    requests={"cpu": draw(some("250m", "1"))},
                    **(apart if draw(some(False, False, True)) else {}),
                )
            )
    return objects


def term(draw: st.DrawFn) -> Document:
    return {"labelSelector": {"matchLabels": {"app": draw(some(*APPS))}}, "topologyKey": draw(some(HOSTNAME, ZONE))}


@st.composite
def pods(draw: st.DrawFn) -> Document:
    """A pod of many wishes, some of them said twice."""
    spread = {
        "maxSkew": draw(some(1, 2)),
        "topologyKey": draw(some(ZONE, HOSTNAME)),
        "whenUnsatisfiable": "DoNotSchedule",
        "labelSelector": {"matchLabels": {"app": draw(some(*APPS))}},
        **draw(some({}, {"minDomains": 2}, {"minDomains": 3})),
        **draw(some({}, {"nodeAffinityPolicy": "Ignore"})),
        **draw(some({}, {"nodeTaintsPolicy": "Honor"})),
    }
    affinity: Document = {}
    if draw(st.booleans()):
        wanted = [
            {"key": "disk", "operator": "In", "values": ["ssd"]},
            {"key": ZONE, "operator": draw(some("Exists", "DoesNotExist"))},
        ]
        affinity["nodeAffinity"] = {RULE: {"nodeSelectorTerms": [{"matchExpressions": wanted}]}}
    for kind in draw(st.lists(some("podAffinity", "podAntiAffinity"), max_size=2, unique=True)):
        terms = [term(draw) for _ in range(draw(st.integers(1, 3)))]
        affinity[kind] = {RULE: [*terms, terms[0]]}
    return a_pod(
        labels={"app": draw(some(*APPS))},
        requests=draw(some({}, {"cpu": "1"}, {"cpu": "3"})),
        nodeSelector=draw(some({}, {}, {"disk": "ssd"}, {"disk": "ssd", ZONE: "a"})),
        affinity=affinity,
        topologySpreadConstraints=draw(some([], [spread], [spread, spread], [spread, {**spread, "maxSkew": 3}])),
        tolerations=draw(some([], [{"key": "gpu", "operator": "Exists"}])),
    )


def done(pod: Document, objects: list[Document], constraints: Iterable[Constraint]) -> tuple[Document, list[Document]]:
    """Do to pods and nodes what lifts requirements."""
    objects = deepcopy(objects)
    nodes = [each for each in objects if each["kind"] == "Node"]
    for constraint in constraints:
        if constraint.plugin in ("TaintToleration", "NodeUnschedulable"):
            name = about(constraint) or f"{CORDON['key']}:NoSchedule"
            for node in nodes:
                node["spec"]["taints"] = [each for each in node["spec"]["taints"] if written(each) != name]
                if name.startswith(CORDON["key"]):
                    node["spec"]["unschedulable"] = False
        elif constraint.edit is not None:
            pod = constraint.edit.apply(pod)
        elif about(constraint) == PODS:
            for node in nodes:
                node["status"]["allocatable"]["pods"] = "99"
        else:
            assert about(constraint).startswith("anti-affinity of existing pods: ")
            for other in objects:
                rules = (other["spec"].get("affinity") or {}).get("podAntiAffinity")
                if rules:
                    rules[RULE] = [each for each in rules[RULE] if not about(constraint).endswith(meaning(each))]
    return pod, objects


def written(taint: Document) -> str:
    value = f"={taint['value']}" if taint.get("value") else ""
    return f"{taint['key']}{value}:{taint['effect']}"


def meaning(each: Document) -> str:
    return f"app In {each['labelSelector']['matchLabels']['app']} per {each['topologyKey']}"


def takers(pod: Document, objects: list[Document]) -> set[str]:
    return set(explain(Snapshot.from_objects(objects), pod, PROFILE).feasible)


def check(pod: Document, objects: list[Document]) -> Explanation:
    """Do each thing that is said to help, and compare the nodes that take the pod then with those promised."""
    explanation = explain(Snapshot.from_objects(objects), pod, PROFILE)
    found, names, before = explanation.relaxations, explanation.snapshot.nodes.names, set(explanation.feasible)
    for lift in (*found.singles, *found.pairs):
        after = takers(*done(pod, objects, lift.lifted))
        assert {names[row] for row in lift.rows} == after - before, lift
        assert lift.lost == len(before - after), lift
    for lift in (*found.filters, *found.singles, *found.pairs):
        if lift.edits:
            after = takers(edited(pod, (edit.apply for edit in lift.edits)), objects)
            assert {names[row] for row in lift.rows} == after - before, lift
        if lift.enough:
            others = [each for each in lift.lifted if about(each) not in {less.resource for less in lift.enough}]
            lighter = edited(pod, (less.edit.apply for less in lift.enough))
            assert names[lift.enough[0].row] in takers(*done(lighter, objects, others)), lift
    for reductions in (*((each,) for each in found.reductions), found.together):
        if reductions:
            assert names[reductions[0].row] in takers(edited(pod, (each.edit.apply for each in reductions)), objects)
    return explanation


def edited(pod: Document, edits: Iterable[Callable[[Document], Document]]) -> Document:
    for edit in edits:
        pod = edit(pod)
    return pod


@settings(max_examples=60, deadline=None)
@given(objects=clusters(), pod=pods())
def test_what_is_said_to_help_helps_to_the_node(objects: list[Document], pod: Document) -> None:
    check(pod, objects)


@settings(max_examples=40, deadline=None)
@given(objects=clusters(), pod=pods())
def test_what_stands_against_a_node_is_all_that_does(objects: list[Document], pod: Document) -> None:
    explanation = explain(Snapshot.from_objects(objects), pod, PROFILE)
    for row, name in enumerate(explanation.snapshot.nodes.names):
        found = remedy_for_node(explanation.cycle, row)
        less = {each.resource for each in found.reductions}
        lighter = edited(pod, (each.edit.apply for each in found.reductions))
        changed = done(lighter, objects, [each for each in found.lifted if about(each) not in less])
        assert (name in takers(*changed)) is found.suffices, (name, found)


SPREAD = {
    "maxSkew": 1,
    "topologyKey": ZONE,
    "whenUnsatisfiable": "DoNotSchedule",
    "labelSelector": {"matchLabels": {"app": "web"}},
}


@pytest.mark.parametrize(
    ("wanted", "node"),
    [
        pytest.param({"nodeSelector": {"disk": "ssd"}, "topologySpreadConstraints": [SPREAD]}, {}, id="node selector"),
        pytest.param(
            {"topologySpreadConstraints": [{**SPREAD, "nodeTaintsPolicy": "Honor"}]},
            {"taints": [{"key": "gpu", "effect": "NoSchedule"}]},
            id="taint",
        ),
    ],
)
def test_a_lift_that_changes_which_nodes_count_promises_what_comes_of_it(wanted: Document, node: Document) -> None:
    """Zone c has no such pod and no room; once the requirement is lifted it counts, and zone b has one too many."""
    objects = [
        a_node("n0", zone="a", labels={"disk": "ssd"}, allocatable={"cpu": "1"}),
        a_node("n1", zone="b", labels={"disk": "hdd"}, **node),
        a_node("n2", zone="c", labels={"disk": "hdd"}, allocatable={"cpu": "500m"}, **node),
        a_pod("e0", node="n0", labels={"app": "web"}, requests={"cpu": "1"}),
        a_pod("e1", node="n1", labels={"app": "web"}, requests={"cpu": "1"}),
    ]

    found = check(a_pod(labels={"app": "web"}, requests={"cpu": "1"}, **wanted), objects).relaxations

    assert [about(lift.lifted[0]) for lift in found.singles] == ["cpu"]
    assert [each.plugin for each in found.pairs[0].lifted][1:] == ["PodTopologySpread"]
