"""Compare two nodes, checked against the engine's own scores."""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING

from hypothesis import given, settings, strategies as st

from clusters.services.journal.timeline import decision_document
from clusters.wording.amounts import grouped
from dashboard.presenters.decisions.nodes import compare, decider, default_pair, then
from tests.engine.builders import ZONE, Document, a_node, a_pod, explanation_of
from tests.support.decision_cluster import text

if TYPE_CHECKING:
    from django.test import Client

    from clusters.engine import Explanation
    from clusters.models import Cluster

HTMX = {"HX-Request": "true"}


def address(name: str, a: str = "", b: str = "") -> str:
    return f"/clusters/shop/pods/shop/{name}/compare/?a={a}&b={b}"


def asked(client: Client, name: str, a: str = "", b: str = "") -> str:
    return text(client.get(address(name, a, b), headers=HTMX))


# -- what must hold of every pair --------------------------------------------------------------------------------------

CPUS = ("2", "4", "6", "8")


@st.composite
def explanations(draw: st.DrawFn) -> Explanation:
    """A pod in a cluster of a few nodes that differ in size, zone, taint and what is on them."""
    nodes = [
        a_node(
            f"n{number}",
            zone=draw(st.sampled_from(("a", "b"))),
            allocatable={"cpu": draw(st.sampled_from(CPUS))},
            taints=draw(st.sampled_from(([], [{"key": "slow", "effect": "PreferNoSchedule"}]))),
            unschedulable=draw(st.integers(0, 4)) == 0,
        )
        for number in range(draw(st.integers(2, 5)))
    ]
    placed = [
        a_pod(f"p{number}", node=f"n{number}", labels={"app": "web"}, requests={"cpu": "1"})
        for number in range(draw(st.integers(0, len(nodes))))
    ]
    constraint = {
        "maxSkew": 1, "topologyKey": ZONE, "whenUnsatisfiable": "ScheduleAnyway",
        "labelSelector": {"matchLabels": {"app": "web"}},
    }  # fmt: skip
    spec: Document = {"topologySpreadConstraints": [constraint]} if draw(st.booleans()) else {}
    waiting = a_pod(labels={"app": "web"}, requests={"cpu": draw(st.sampled_from(("500m", "3")))}, **spec)
    return explanation_of(waiting, *nodes, *placed)


@settings(max_examples=25, deadline=None)
@given(explanation=explanations())
def test_the_plugins_differences_add_up_for_every_pair(explanation: Explanation) -> None:
    for first, second in permutations(range(explanation.node_count), 2):
        found, turned = compare(explanation, first, second), compare(explanation, second, first)
        totals = explanation.total_of(first), explanation.total_of(second)
        if totals[0] is None or totals[1] is None:
            assert not found.differences
            assert [each.node for each in found.outside] == [
                explanation.snapshot.nodes.names[row]
                for row, total in zip((first, second), totals, strict=True)
                if total is None
            ]
            continue
        assert sum(each.points for each in found.differences) == totals[0] - totals[1]
        assert [-each.points for each in found.differences] == [each.points for each in turned.differences]
        ahead = abs(totals[0] - totals[1])
        assert f" {grouped(ahead)} point" in found.sentence or not ahead
        for each in found.differences:
            assert each.signed in found.sentence or not each.points
            assert 0 <= each.x <= each.x + each.width <= 200
        assert (decider(found) is None) == (totals[0] == totals[1])


@settings(max_examples=25, deadline=None)
@given(explanation=explanations())
def test_what_the_journal_keeps_compares_alike(explanation: Explanation) -> None:
    chosen = explanation.best[0] if explanation.best else None
    found = then(decision_document(explanation, chosen), chosen or "")
    pair = default_pair(explanation, "")

    if pair is None:
        assert found is None
    else:
        now = compare(explanation, *pair)
        assert found is not None
        assert (found.first, found.second, found.sentence) == (now.first, now.second, now.sentence)


# -- the page ----------------------------------------------------------------------------------------------------------


def test_a_placed_pods_own_node_comes_first(signed_in_client: Client, cluster: Cluster) -> None:
    shown = text(signed_in_client.get("/clusters/shop/pods/shop/web-1/"))

    assert "ash is 12 points behind birch: " in shown


def test_both_nodes_lead_to_their_arithmetic(signed_in_client: Client, cluster: Cluster) -> None:
    body = signed_in_client.get(address("plain", "ash", "birch")).content.decode()

    for name in ("ash", "birch"):
        assert f'href="/clusters/shop/pods/shop/plain/nodes/{name}/scores/NodeResourcesFit/"' in body


def test_a_node_that_does_not_fit_says_which_filters_reject_it(signed_in_client: Client, cluster: Cluster) -> None:
    shown = asked(signed_in_client, "plain", "fir", "ash")

    assert "fir is not scored: untolerated taint dedicated=gpu. ash is feasible, with" in shown
    assert "TaintToleration “node(s) had untolerated taint {dedicated: gpu}”" in shown
    assert "fir is not scored" in asked(signed_in_client, "plain", "oak", "fir")


def test_parts_of_names_none_and_one_twice(signed_in_client: Client, cluster: Cluster) -> None:
    assert " ahead of elm: +" in asked(signed_in_client, "plain", "ced", "elm")
    several = signed_in_client.get(address("plain", "r", "elm"), headers=HTMX).content.decode()
    assert "“r” is not the name of one node." in several
    assert 'href="/clusters/shop/pods/shop/plain/compare/?a=birch&amp;b=elm"' in several
    assert "“brich” is not the name of one node." in asked(signed_in_client, "plain", "brich", "elm")
    assert "“zzz” is not the name of one node." in asked(signed_in_client, "plain", "ash", "zzz")

    assert "Choose another node than ash." in asked(signed_in_client, "plain", "ash", "ash")


def test_a_pod_that_fits_nowhere_compares_what_stands_against_both(signed_in_client: Client, cluster: Cluster) -> None:
    assert "Compare two nodes" not in text(signed_in_client.get("/clusters/shop/pods/shop/huge/"))
    assert "ash is not scored: insufficient CPU. elm is not scored: insufficient CPU." in asked(
        signed_in_client, "huge", "ash", "elm"
    )
