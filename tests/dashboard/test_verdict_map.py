"""The map of a pod's decision: each node by what the engine says of it, on the page and as parts of their own."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from clusters.services.decisions.explain import explain_pod
from dashboard.pictures.verdict_map.spec import SHADES
from dashboard.presenters.decisions.maps import levels, verdict_map
from dashboard.presenters.decisions.page import strip
from tests.engine.builders import a_node, a_pod, explanation_of
from tests.support.decision_cluster import ingested, node, pod, text

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client

    from clusters.engine import Explanation
    from clusters.models import Cluster
    from dashboard.pictures.verdict_map.spec import VerdictMap

POOL = "shop.example/pool"


def nodes(count: int, **fields: Any) -> list[dict[str, Any]]:
    return [a_node(f"n-{number:03}", zone=f"z{number % 3}", **fields) for number in range(count)]


def map_of(explanation: Explanation, own: str = "", **where: Any) -> VerdictMap:
    return verdict_map(explanation, strip(explanation), own, **where)


def of_nodes(explanation: Explanation) -> dict[str, tuple[str, str]]:
    """Return each node's key in words and who says so."""
    found = map_of(explanation)
    keys = [(found.keys[number].label, found.keys[number].source) for number in found.key_of]
    return dict(zip(found.names, keys, strict=True))


def explained(cluster: Cluster, name: str) -> Explanation:
    return explain_pod(cluster=cluster, namespace="shop", name=name)


def test_a_node_has_the_key_of_who_rejects_it_first(cluster: Cluster) -> None:
    for name in ["plain", "huge", "urgent", "gated", "device", "only", "spread", "nominee"]:
        explanation = explained(cluster, name)
        index = explanation.snapshot.nodes.index
        for each, (_, source) in of_nodes(explanation).items():
            verdict = explanation.verdict_of(index[each])
            assert source == ("" if verdict is None else verdict.plugin or "PreFilter")
        found = map_of(explanation)
        assert sum(key.nodes for key in found.keys) == explanation.node_count
        assert Counter(found.key_of) == {number: key.nodes for number, key in enumerate(found.keys) if key.nodes}
        stars = [
            node for node, number in zip(found.names, found.key_of, strict=True) if found.keys[number].mark == "star"
        ]
        assert sorted(stars) == sorted(explanation.choices)


def test_keys_come_in_the_order_of_the_profile(cluster: Cluster) -> None:
    explanation = explained(cluster, "huge")

    sources = [key.source for key in map_of(explanation).keys[2:]]
    assert sources == sorted(sources, key=explanation.profile.filter.index)
    assert of_nodes(explanation)["fir"] == ("untolerated taint dedicated=gpu", "TaintToleration")


def test_all_that_are_tied_are_starred() -> None:
    found = map_of(explanation_of(a_pod(), *nodes(5)))

    assert (found.keys[0].mark, found.keys[0].nodes) == ("star", 5)
    assert [key.label for key in found.keys[:2]] == ["feasible, with the most points", "feasible, with fewer points"]


def test_nodes_that_prefilter_leaves_out_are_a_key_of_their_own() -> None:
    pinned = {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [
        {"matchFields": [{"key": "metadata.name", "operator": "In", "values": ["n-001"]}]}
    ]}}}  # fmt: skip

    keys = of_nodes(explanation_of(a_pod(affinity=pinned), *nodes(4)))
    assert keys.pop("n-001") == ("the only feasible node", "")
    assert set(keys.values()) == {("left out by NodeAffinity in PreFilter", "PreFilter")}


def test_reasons_in_which_nodes_differ_are_alternatives_and_each_node_has_its_own() -> None:
    pods = [a_pod("filling", node="full"), a_pod("busy", node="short", requests={"cpu": "7"})]
    full, short = a_node("full", allocatable={"pods": "1"}), a_node("short")
    both = a_node("both", allocatable={"pods": "0", "cpu": "1"})
    wanting = a_pod(requests={"cpu": "2"})

    found = map_of(explanation_of(wanting, full, short, *pods))
    assert [key.label for key in found.keys if key.nodes] == ["node pod limit reached or insufficient CPU"]
    lines = dict(zip(found.names, found.lines, strict=True))
    assert ("limit" in lines["full"], "cpu" in lines["full"]) == (True, False)
    assert ("limit" in lines["short"], "cpu" in lines["short"]) == (False, True)
    assert of_nodes(explanation_of(wanting, both))["both"][0] == "node pod limit reached, insufficient CPU"


def test_zones_then_pools_in_the_order_of_their_names_and_nodes_without_last() -> None:
    labelled = [
        a_node("d", labels={POOL: "web"}, zone="b"), a_node("c", labels={POOL: "web"}, zone="a"),
        a_node("b", zone="a"), a_node("a"), a_node("e", labels={POOL: "gpu"}, zone="a"),
    ]  # fmt: skip
    explanation = explanation_of(a_pod(), *labelled)
    found = map_of(explanation)

    assert [(pool.zone, pool.name, found.names[pool.first]) for pool in found.pools] == [
        ("a", "gpu", "e"), ("a", "web", "c"), ("a", "", "b"), ("b", "web", "d"), ("", "", "a"),
    ]  # fmt: skip
    assert [pool.colour for pool in found.pools] == [1, 1, 1, 2, 0]
    # A zone alone keeps its colour.
    alone = map_of(explanation, zone="b", pool="web")
    assert (alone.names, alone.pools[0].colour, alone.keys[0].nodes + alone.keys[1].nodes) == (("d",), 2, 1)
    with pytest.raises(LookupError):
        map_of(explanation, zone="b", pool="gpu")


@settings(max_examples=30, deadline=None)
@given(points=st.lists(st.integers(0, 10_000), min_size=1, max_size=40))
def test_more_points_never_have_a_worse_shade(points: list[int]) -> None:
    shades = levels(np.array(points, np.int64)).tolist()

    assert all(1 <= shade <= SHADES for shade in shades)
    assert shades[points.index(max(points))] == SHADES
    assert len(set(points)) == 1 or shades[points.index(min(points))] == 1
    ordered = [shade for _, shade in sorted(zip(points, shades, strict=True))]
    assert ordered == sorted(ordered)


def test_marks_say_where_it_runs_where_it_is_nominated_and_where_preemption_makes_room(cluster: Cluster) -> None:
    def marks(name: str, own: str = "") -> list[tuple[str, str, str]]:
        found = map_of(explained(cluster, name), own)
        return [(mark.kind, mark.label, found.names[mark.node]) for mark in found.marks]

    assert marks("web-1", "ash") == [("own", "Runs on ash", "ash")]
    assert marks("nominee") == [("nominated", "Nominated: cedar", "cedar")]
    assert marks("urgent") == [("room", "Preemption would select ash: 1 victim", "ash")]
    assert marks("plain") == []


def test_pods_fill_their_nodes_and_victims_come_last(cluster: Cluster) -> None:
    found = map_of(explained(cluster, "urgent"))
    loads = dict(zip(found.names, found.loads, strict=True))

    assert found.loads_caption.startswith("Bars: CPU by pod")
    assert (loads["ash"].pods, loads["ash"].leaving, loads["ash"].asked) == ((0.5,), 1, 0.75)
    assert (loads["birch"].pods, loads["birch"].leaving) == ((0.125,), 0)
    # A pod nominated to a node fills it for those that make way for it.
    beside = map_of(explained(cluster, "plain"))
    assert dict(zip(beside.names, beside.loads, strict=True))["cedar"].pods == (0.875,)


def test_bars_are_of_the_resource_that_nodes_lack() -> None:
    full = [a_pod(f"p-{number}", node=f"n-{number:03}", requests={"memory": "15Gi", "cpu": "1"}) for number in range(3)]
    found = map_of(explanation_of(a_pod(requests={"cpu": "4", "memory": "2Gi"}), *nodes(3), *full))

    assert found.loads_caption.startswith("Bars: memory by pod")
    assert found.loads[0].pods == (0.9375,)
    assert found.loads[0].asked == 0.125


# -- playing the decision-----------------------------------------------------------------------------------------------


def test_every_filter_takes_out_what_it_rejects_first(cluster: Cluster) -> None:
    for name in ["plain", "huge", "urgent", "gated", "device", "only", "spread", "nominee"]:
        explanation = explained(cluster, name)
        found = map_of(explanation)
        filtering = [step for step in found.steps if step.point == "Filter"]
        left = explanation.node_count
        assert [step.name for step in filtering] == [
            each for each in explanation.cycle.filters if not explanation.cycle.plugins[each].uncomputed
        ]
        for step in filtering:
            assert {found.keys[key].source for key in step.gone} <= {step.name}
            left -= sum(found.keys[key].nodes for key in step.gone)
            assert step.figure == str(left)
            assert step.fill == pytest.approx(100 * left / explanation.node_count, abs=0.05)
        assert left == len(explanation.cycle.feasible)
        gone = {key for step in found.steps for key in step.gone}
        assert gone == {number for number, key in enumerate(found.keys) if key.source and key.nodes}


def test_plugins_that_tell_nodes_apart_rank_them(cluster: Cluster) -> None:
    explanation = explained(cluster, "plain")
    found = map_of(explanation)
    scored = {step.name: step for step in found.steps if step.point == "Score"}
    differing = [score for score in explanation.scores if score.weighted.min() != score.weighted.max()]

    assert list(scored) == [score.plugin for score in differing]
    for score in differing:
        shades = dict(zip(found.names, scored[score.plugin].shades, strict=True))
        expected = dict.fromkeys(found.names, 0) | dict(
            zip(explanation.feasible, levels(score.weighted).tolist(), strict=True)
        )
        assert shades == expected


def test_the_attempt_that_prefilter_ends_takes_every_node_out() -> None:
    volume = {"persistentVolumeClaim": {"claimName": "data"}}
    found = map_of(explanation_of(a_pod(volumes=[volume]), *nodes(3)))

    assert [(step.name, step.point, step.figure) for step in found.steps[:-1]] == [
        ("VolumeRestrictions", "PreFilter", "0"),
        ("DefaultPreemption", "PostFilter", ""),
    ]
    assert [found.keys[key].source for key in found.steps[0].gone] == ["VolumeRestrictions"]


def test_the_scale_leads_from_all_nodes_to_the_result(cluster: Cluster) -> None:
    for name in ["plain", "huge", "urgent", "only", "nominee"]:
        found = map_of(explained(cluster, name))
        done = [point.at for point in found.scale]
        assert done == sorted(done)
        assert done[0] == 0
        assert done[-1] == len(found.steps)
        for point in found.scale:
            own = [number for number, step in enumerate(found.steps, 1) if step.point == point.name]
            assert not own or own[-1] == point.at
        (leading,) = [point.name for point in found.scale if point.is_leading]
        assert leading == ("Score" if name == "plain" else "Filter")


# -- the page ----------------------------------------------------------------------------------------------------------


def test_page_shows_the_map_and_its_legend(signed_in_client: Client, cluster: Cluster) -> None:
    shown = text(signed_in_client.get("/clusters/shop/pods/shop/huge/"))

    assert "All 6 nodes 1 unschedulable (cordoned) NodeUnschedulable 1 untolerated taint dedicated=gpu" in shown
    assert "What helps: One change is enough. Request at most 7 CPU" in shown


def test_a_pool_opens_as_a_page_of_its_own(signed_in_client: Client, tmp_path: Path, db: None) -> None:
    labelled = [node(f"{pool}-{number}", "a") for pool in ("gpu", "web") for number in "12"]
    for each in labelled:
        each["metadata"]["labels"][POOL] = each["metadata"]["name"].partition("-")[0]
    ingested(tmp_path, [*labelled, pod("plain")])
    address = "/clusters/shop/pods/shop/plain/map/"

    shown = text(signed_in_client.get(f"{address}?zone=a&pool=web"))
    assert "Map of the nodes" in shown
    assert "a, pool web All nodes" in shown
    assert "web-1" in shown
    assert "gpu-1" not in shown
    assert "gpu-1" in text(signed_in_client.get(address))
    assert signed_in_client.get(f"{address}?zone=b").status_code == 404


def test_what_is_said_of_nodes_comes_by_fifties(signed_in_client: Client, tmp_path: Path, db: None) -> None:
    made = [node(f"n-{number:03}", "ab"[number % 2], cpu=f"{number + 1}m") for number in range(120)]
    found = map_of(explained(ingested(tmp_path, [*made, pod("plain")]), "plain"))
    address = "/clusters/shop/pods/shop/plain/map/lines/"

    lines = signed_in_client.get(f"{address}?first=50").json()["lines"]
    # Of the map's order, zone by zone: the fifty-first node of the first zone has 101 milli-CPU.
    assert len(lines) == 50
    assert found.names[50] == "n-100"
    assert lines[0] == "insufficient cpu: 0.399 CPU missing"
    assert len(signed_in_client.get(f"{address}?first=100").json()["lines"]) == 20
    in_zone = signed_in_client.get(f"{address}?zone=b&first=0").json()["lines"]
    assert in_zone[0] == "insufficient cpu: 0.498 CPU missing"
    for wrong in ("?first=x", "?zone=c"):
        assert signed_in_client.get(f"{address}{wrong}").status_code == 404


def test_no_map_without_nodes(signed_in_client: Client, tmp_path: Path, db: None) -> None:
    ingested(tmp_path, [pod("plain")])

    assert b"verdict-map" not in signed_in_client.get("/clusters/shop/pods/shop/plain/").content.partition(b"<main")[2]
    assert signed_in_client.get("/clusters/shop/pods/shop/plain/map/").status_code == 404
