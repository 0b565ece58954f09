"""What must hold of every question, whatever the cluster: the engine's answer is right, and no other one is."""

from __future__ import annotations

from itertools import combinations
from typing import Any

from hypothesis import assume, given, settings, strategies as st

from clusters.engine.lessons import (
    Question,
    Situation,
    SituationError,
    SituationParts,
    UnsolvableError,
    build_situation,
)
from clusters.engine.lessons.questions import NodesQuestion, OrderQuestion
from tests.engine.lessons.clusters import priority_class, question
from tests.engine.strategies import nodes, pods

COMMON = settings(max_examples=12, deadline=None)
ASKED = (
    question("node"),
    question("node", nominated=True),
    question("nodes", which="feasible"),
    question("nodes", which="rejected"),
    question("nodes", which="best"),
    question("nodes", which={"rejectedBy": "NodeResourcesFit"}),
    question("rejections"),
    question("outcome"),
    question("pods", which="evictable"),
    question("pods", which="victims"),
    question("pods", which="leaving"),
    question("order", of="ranking"),
    question("order", of="search"),
    question("order", of="queue"),
    question("order", of="victims"),
    question("number", value="feasible"),
)


def acceptable(document: dict[str, Any]) -> dict[str, Any]:
    """The object as an API server takes it: a pod's priority is that of its class, and no constraint stands twice."""
    if document["kind"] != "Pod":
        return document
    spec = {**document["spec"], "priorityClassName": f"priority-{document['spec']['priority']}"}
    spread = spec.get("topologySpreadConstraints", ())[:1]
    return {**document, "spec": {**spec, "topologySpreadConstraints": list(spread)}}


@st.composite
def situations(draw: st.DrawFn) -> Situation:
    """A small random cluster with an incoming pod, as long as the API server takes its pods."""
    found: dict[tuple[str, str], dict[str, Any]] = {}
    drawn = (
        *draw(st.lists(nodes(), min_size=1, max_size=5)),
        *draw(st.lists(pods(placed=True), max_size=8)),
        draw(pods(placed=False)),
    )
    for each in drawn:
        found[each["kind"], each["metadata"]["name"]] = acceptable(each)
    names = {name for kind, name in found if kind == "Node"}
    classes = [priority_class(f"priority-{value}", value) for value in (0, 10, 100)]
    kept = [each for each in found.values() if each["spec"].get("nodeName") in (*names, None)]
    try:
        return build_situation(SituationParts((*classes, *kept), "shop/incoming"))
    except SituationError:
        assume(condition=False)
        raise


def solved(asked: Question, here: Situation) -> Any:
    """The engine's answer, of a situation that has one."""
    try:
        return asked.solution(here)
    except UnsolvableError:
        assume(condition=False)
        raise


@settings(max_examples=25, deadline=None)
@given(here=situations())
def test_the_solution_is_right_and_judging_changes_nothing(here: Situation) -> None:
    before = here.snapshot.content()

    for asked in ASKED:
        try:
            right = asked.solution(here)
        except UnsolvableError:
            continue
        asked.check(here)
        assert asked.judge(here, right).is_right
        assert asked.solution(here) == right
    assert here.snapshot.content() == before


@COMMON
@given(here=situations())
def test_exactly_the_nodes_that_may_be_taken_are_right(here: Situation) -> None:
    asked = question("node")
    right = solved(asked, here)
    choices = here.explanation.choices if right is not None else []

    for node in here.node_names:
        judged = asked.judge(here, node)
        assert judged.is_right == (node in choices)
        assert judged.is_right or len(judged.mistakes) == 1
    assert asked.judge(here, None).is_right == (right is None)


@COMMON
@given(here=situations())
def test_any_other_set_of_nodes_is_wrong(here: Situation) -> None:
    for asked in ASKED:
        if not isinstance(asked, NodesQuestion):
            continue
        right = set(solved(asked, here))
        for size in range(len(here.node_names) + 1):
            for given_nodes in combinations(here.node_names, size):
                judged = asked.judge(here, list(given_nodes))
                assert judged.is_right == (set(given_nodes) == right)
                assert {mistake.subject for mistake in judged.mistakes} == right ^ set(given_nodes)


@COMMON
@given(here=situations(), data=st.data())
def test_a_wrong_plugin_is_found_where_it_is_named(here: Situation, data: st.DataObject) -> None:
    asked = question("rejections")
    right = solved(asked, here)
    node = data.draw(st.sampled_from(here.node_names))
    other = data.draw(st.sampled_from([None, "NodeName", "TaintToleration", "NodeResourcesFit", "NodePorts"]))

    judged = asked.judge(here, {**right, node: other})
    assert judged.is_right == (other == right[node])
    assert judged.is_right or [mistake.subject for mistake in judged.mistakes] == [node]


@COMMON
@given(here=situations(), data=st.data())
def test_an_order_is_right_where_nothing_stands_before_what_precedes_it(here: Situation, data: st.DataObject) -> None:
    asked = OrderQuestion("ranking")
    given_nodes = data.draw(st.permutations(solved(asked, here)))
    totals = [here.explanation.total_of(here.snapshot.nodes.index[node]) or 0 for node in given_nodes]

    places = asked.places(here)
    is_right = all(place in places[node] for place, node in enumerate(given_nodes))
    assert asked.judge(here, given_nodes).is_right == is_right == (totals == sorted(totals, reverse=True))


@COMMON
@given(here=situations(), by=st.integers(-3, 3))
def test_any_other_number_is_wrong(here: Situation, by: int) -> None:
    feasible = solved(question("nodes", which="feasible"), here)
    asked = question("number", value="total", node=feasible[0]) if feasible else question("number", value="feasible")

    judged = asked.judge(here, int(solved(asked, here)) + by)
    assert judged.is_right == (by == 0)
    assert [mistake.kind for mistake in judged.mistakes] == ["too-small"] * (by < 0) + ["too-large"] * (by > 0)


@COMMON
@given(here=situations(), request=st.sampled_from(["100m", "1", "9"]))
def test_a_changed_manifest_is_judged_in_a_situation_of_its_own(here: Situation, request: str) -> None:
    before = here.snapshot.content()
    changed = {**here.parts.objects[-1]}
    assume(changed["metadata"]["name"] == "incoming")
    container = {"name": "c", "image": "app:1", "resources": {"requests": {"cpu": request}}}
    changed["spec"] = {**changed["spec"], "containers": [container]}

    judged = question("manifest", object="Pod/shop/incoming", goals=["fits"]).judge(here, changed)
    rebuilt = here.with_object(changed)
    try:
        fits = question("outcome").solution(rebuilt) == "scheduled"
    except UnsolvableError:
        fits = False
    assert judged.is_right == fits
    assert here.snapshot.content() == before
