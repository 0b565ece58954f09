"""What, lifted or asked for less, would let a pod in; numbers worked out by hand on a few nodes."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings, strategies as st

from clusters.engine.edits import (
    AdjustSpread,
    DoubleRequests,
    Edit,
    HalveRequests,
    LowerRequest,
    RemoveGates,
    RemoveHostPort,
    RemoveHostPorts,
    RemoveNodeAffinity,
    RemoveNodeName,
    RemoveNodeRequirement,
    RemoveNodeSelector,
    RemovePodAffinity,
    RemovePodAntiAffinity,
    RemoveSelectorLabel,
    RemoveSpread,
    SetPriorityClass,
    Tolerate,
    TolerateEverything,
    digest,
    edit_of,
    text_of,
)
from clusters.engine.objects import HostPort
from clusters.engine.plugin import Constraint, Effort
from clusters.engine.scheduling import remedy_for_node
from clusters.engine.scheduling.relaxations import Obstacles
from clusters.engine.selectors import Operator, Requirement
from clusters.engine.taints import Taint
from clusters.wording.advice import edit_label
from tests.engine.builders import HOSTNAME, ZONE, Document, a_node, a_pod, explanation_of
from tests.engine.strategies import corpus_cases
from tests.engine.test_explanation_properties import COMMON, explained
from tests.support.constraints import about

if TYPE_CHECKING:
    from tests.engine.oracle import Case

GPU = "example.com/gpu"
GOLD: Document = {"key": "class", "value": "gold", "effect": "NoSchedule"}
RULE = "requiredDuringSchedulingIgnoredDuringExecution"
WEB: Document = {"matchLabels": {"app": "web"}}
Lifted = dict[tuple[str, ...], tuple[str, ...]]


def lifts(kind: str, pod: Document, *objects: Document) -> Lifted:
    """The lifts of one kind, spelled out, each with the nodes gained."""
    explanation = explanation_of(pod, *objects)
    names = explanation.snapshot.nodes.names
    return {
        tuple(f"{part.plugin} {about(part)}".strip() for part in lift.lifted): tuple(names[row] for row in lift.rows)
        for lift in getattr(explanation.relaxations, kind)
    }


def reductions(pod: Document, *objects: Document) -> list[tuple[str, int, int, str]]:
    explanation = explanation_of(pod, *objects)
    names = explanation.snapshot.nodes.names
    return [(each.resource, each.asked, each.fitting, names[each.row]) for each in explanation.relaxations.reductions]


def affinity(kind: str, topology: str = HOSTNAME) -> Document:
    return {kind: {RULE: [{"labelSelector": WEB, "topologyKey": topology}]}}


# -- lifting -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pod", "placed", "about"),
    [
        pytest.param(
            a_pod(affinity=affinity("podAffinity")), a_pod("p", node="n"), "affinity", id="needs who is not there"
        ),
        pytest.param(
            a_pod(affinity=affinity("podAntiAffinity")),
            a_pod("p", node="n", labels={"app": "web"}),
            "anti-affinity",
            id="keeps away from who is there",
        ),
        pytest.param(
            a_pod(labels={"app": "web"}),
            a_pod("p", node="n", affinity=affinity("podAntiAffinity")),
            "anti-affinity of existing pods",
            id="is kept away by who is there",
        ),
    ],
)
def test_an_affinity_term(pod: Document, placed: Document, about: str) -> None:
    lifted = (f"InterPodAffinity {about}: pods with app In web per {HOSTNAME}",)

    assert lifts("singles", pod, a_node("n"), placed) == {lifted: ("n",)}


def test_a_rejection_before_any_node_is_lifted_as_a_whole() -> None:
    def named(node: str) -> Document:
        return {"key": "metadata.name", "operator": "In", "values": [node]}

    pod = a_pod(affinity={"nodeAffinity": {RULE: {"nodeSelectorTerms": [{"matchFields": [named("n"), named("m")]}]}}})
    cluster = (a_node("gold", taints=[GOLD]), a_node("m"), a_node("n"))

    assert lifts("filters", pod, *cluster) == {("NodeAffinity",): ("m", "n")}
    assert lifts("singles", pod, *cluster) == {("NodeAffinity",): ("m", "n")}


# -- nominated pods ----------------------------------------------------------------------------------------------


def test_nominated_pods_are_in_the_way_too() -> None:
    """Of 8 cpu 3 are in use and 4 are kept for a nominated pod."""
    cluster = (a_node("n"), a_pod("p", node="n", requests={"cpu": "3"}))
    pod = a_pod(requests={"cpu": "6"}, priority=5)
    nominated = a_pod("nominated", nominated="n", requests={"cpu": "4"}, priority=5)
    outranked = a_pod("outranked", nominated="n", requests={"cpu": "4"}, priority=4)

    assert reductions(pod, *cluster, outranked) == [("cpu", 6000, 5000, "n")]
    assert reductions(pod, *cluster, nominated) == [("cpu", 6000, 1000, "n")]
    small = a_pod(requests={"cpu": "2"}, priority=5)
    assert reductions(small, *cluster, nominated) == [("cpu", 2000, 1000, "n")]
    assert lifts("singles", small, *cluster, nominated) == {("NodeResourcesFit cpu",): ("n",)}


def some_of(low: int, high: int) -> st.SearchStrategy[dict[str, str]]:
    """Amounts of two resources."""
    return st.fixed_dictionaries({"cpu": st.integers(low, high).map(str), GPU: st.integers(low, high).map(str)})


@settings(max_examples=40, deadline=None)
@given(
    capacity=st.lists(some_of(0, 9), min_size=1, max_size=4),
    placed=st.lists(st.tuples(st.sampled_from(("node", "nominated")), st.integers(0, 3), some_of(0, 4)), max_size=5),
    asked=some_of(5, 12),
)
def test_a_reduction_is_the_largest_request_that_fits(
    capacity: list[dict[str, str]], placed: list[tuple[str, int, dict[str, str]]], asked: dict[str, str]
) -> None:
    cluster = [
        *(a_node(f"n{number}", allocatable=amounts) for number, amounts in enumerate(capacity)),
        *(
            a_pod(f"p{number}", requests=amounts, **{how: f"n{where}"})  # type: ignore[arg-type]
            for number, (how, where, amounts) in enumerate(placed)
        ),
    ]
    for resource, _, fitting, node in reductions(a_pod(requests=asked), *cluster):
        unit = "m" if resource == "cpu" else ""
        assert node in explanation_of(a_pod(requests={**asked, resource: f"{fitting}{unit}"}), *cluster).feasible
        assert not explanation_of(a_pod(requests={**asked, resource: f"{fitting + 1}{unit}"}), *cluster).fits


# -- one node ----------------------------------------------------------------------------------------------------


@COMMON
@given(case=corpus_cases())
def test_a_node_takes_the_pod_once_all_that_stands_against_it_is_lifted(case: Case) -> None:
    explanation = explained(case)
    for row in range(explanation.node_count):
        found = remedy_for_node(explanation.cycle, row)
        assert (not found.lifted) == (explanation.total_of(row) is not None)
        # What a RuntimeClass adds is not the pod's to lower.
        overhead = explanation.pod.spec.get("overhead") or {}
        assert found.suffices or any(each.resource in overhead for each in found.reductions)


def kinds() -> set[str]:
    """Return the kinds of all edits that can be made."""
    classes: list[Any] = [Edit]
    for each in classes:
        classes += each.__subclasses__()
    return {each.kind for each in classes if "kind" in vars(each)}


EXAMPLES: list[Edit] = [
    AdjustSpread(digest({"maxSkew": 1}), "maxSkew", 2),
    AdjustSpread(digest({"maxSkew": 1}), "nodeTaintsPolicy", "Honor"),
    AdjustSpread(digest({"maxSkew": 1}), "nodeAffinityPolicy", "Honor"),
    DoubleRequests(),
    HalveRequests(),
    LowerRequest("cpu", 1500),
    LowerRequest("example.com/gpu", 2),
    LowerRequest("memory", 2**40),
    RemoveGates(),
    RemoveHostPort(HostPort("10.0.0.1", "UDP", 53)),
    RemoveHostPorts(),
    RemoveNodeAffinity(),
    RemoveNodeName(),
    RemoveNodeRequirement.of("matchFields", Requirement.of("metadata.name", Operator.IN, ["ash"])),
    RemoveNodeSelector(),
    RemovePodAffinity(),
    RemovePodAffinity(digest({"topologyKey": "zone"})),
    RemovePodAntiAffinity(),
    RemovePodAntiAffinity(digest({"topologyKey": "zone"})),
    RemoveSelectorLabel("example.com/pool", "burst"),
    RemoveSelectorLabel("pool", ""),
    RemoveSpread(),
    RemoveSpread(digest({"maxSkew": 1})),
    SetPriorityClass("high"),
    Tolerate(Taint("gpu", "yes", "NoSchedule")),
    Tolerate(Taint("example.com/gpu", "", "NoExecute")),
    TolerateEverything(),
]


@pytest.mark.parametrize("edit", EXAMPLES, ids=text_of)
def test_an_address_names_the_edit_that_it_was_made_of(edit: Edit) -> None:
    assert edit_of(text_of(edit)) == edit


def test_every_edit_has_a_name_of_its_own() -> None:
    assert {edit.kind for edit in EXAMPLES} == kinds()
    assert len({text_of(edit) for edit in EXAMPLES}) == len(EXAMPLES)


@pytest.mark.parametrize("edit", EXAMPLES, ids=text_of)
def test_every_edit_is_labelled(edit: Edit) -> None:
    label = edit_label(edit, {"spec": {}})
    assert label[:1].isupper()
    assert "%(" not in label


@pytest.mark.parametrize(
    "name",
    [
        "",
        "no-such-change",
        "__class__",
        "no_gates",
        "tolerate",
        "tolerate:",
        "tolerate:gpu",
        "tolerate::NoSchedule",
        "tolerate:=yes:NoSchedule",
        "tolerate:gpu:Never",
        "no-spread:0",
        "no-pod-affinity:1",
        "no-selector:pool",
        "no-gates:x",
        "ask:cpu",
        "ask:cpu=²",
        "ask:cpu=-1",
        "priority",
    ],
)
def test_a_name_that_is_none_is_told(name: str) -> None:
    assert edit_of(name) is None


REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"


@st.composite
def cases(draw: st.DrawFn) -> list[dict[str, Any]]:
    """A pod with terms, some of them written twice, and nodes with taints and pods with terms of their own."""
    terms = [
        {"labelSelector": {"matchLabels": {"app": app}}, "topologyKey": key}
        for app in ("web", "db")
        for key in (HOSTNAME, ZONE)
    ]
    some = st.lists(st.sampled_from(terms), max_size=3)
    nominated = st.sampled_from(("node", "node", "nominated"))

    def pod(name: str, **where: Any) -> dict[str, Any]:
        affinity = {"podAntiAffinity": {REQUIRED: draw(some)}}
        return a_pod(name, labels={"app": draw(st.sampled_from(("web", "db", "x")))}, affinity=affinity, **where)

    nodes = [
        a_node(
            f"n{number}",
            zone=draw(st.sampled_from("ab")),
            taints=[{"key": key, "effect": "NoSchedule"} for key in draw(st.sets(st.sampled_from("xyz")))],
        )
        for number in range(4)
    ]
    placed = [pod(f"p{number}", **{draw(nominated): f"n{number % 4}"}) for number in range(draw(st.integers(0, 6)))]
    return [pod("incoming"), *nodes, *placed]


@settings(max_examples=60, deadline=None)
@given(case=cases())
def test_alone_and_in_pairs(case: list[dict[str, Any]]) -> None:
    pod, *objects = case
    obstacles = Obstacles(explanation_of(pod, *objects).cycle)
    rows = range(4)
    # ``against`` looks at one node at a time; all of a filter stands there only where none of its own does alone.
    table: dict[Constraint, set[int]] = {constraint: set() for constraint in obstacles.constraints}
    for constraint, mask in obstacles._each():
        table[constraint] |= {row for row in rows if mask[row]}
    alone = {
        each: {row for row in found if sum(row in other for other in table.values()) == 1}
        for each, found in table.items()
    }
    both = Counter(
        frozenset(pair)
        for row in rows
        for pair in combinations([each for each, found in table.items() if row in found], 2)
        if sum(row in found for found in table.values()) == 2
    )

    assert {each: set(mask.nonzero()[0].tolist()) for each, mask in obstacles.alone().items()} == {
        each: found for each, found in alone.items() if found
    }
    assert {frozenset(pair) for pair in obstacles.pairs(99)} == set(both)
    assert len(obstacles.pairs(1)) == min(1, len(both))


LEAVING: Document = {"key": "leaving", "effect": "NoExecute"}


def test_request_that_would_do_beside_another_requirement() -> None:
    cluster = (a_node("small", allocatable={"cpu": "2"}, taints=[GOLD]), a_node("large", taints=[GOLD, LEAVING]))

    (pair,) = (
        lift
        for lift in explanation_of(a_pod(requests={"cpu": "3"}), *cluster).relaxations.pairs
        if lift.effort is Effort.RESOURCE
    )

    assert [(each.resource, each.asked, each.fitting) for each in pair.enough] == [("cpu", 3000, 2000)]
