"""The pictures of budgets and the remedy on a budget's page, which is the one that reviews recommend."""

from __future__ import annotations

import html as html_module
import re
import shlex
from typing import TYPE_CHECKING, Any

import orjson
import pytest
import yaml
from hypothesis import given, settings, strategies as st

from clusters.engine import Snapshot
from clusters.engine.disruption import budget_states
from dashboard.pictures.figure import drawing
from dashboard.pictures.specs import BarsSpec, SlotsSpec
from dashboard.presenters.budgets import nodes_figure, pods_figure
from tests.engine.builders import Document, a_node, a_pod
from tests.support.answers import known
from tests.support.decision_cluster import node, pod
from tests.support.mirrored import load, text

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client

    from clusters.engine.disruption import BudgetState


READY = {"status": {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]}}


def a_budget(expected: int, healthy: int, desired: int, allowed: int, **spec: Any) -> Document:
    return {
        "apiVersion": "policy/v1",
        "kind": "PodDisruptionBudget",
        "metadata": {"name": "web", "namespace": "default", "generation": 1},
        "spec": {"selector": {"matchLabels": {"app": "web"}}, **spec},
        "status": {
            "observedGeneration": 1,
            "expectedPods": expected,
            "currentHealthy": healthy,
            "desiredHealthy": desired,
            "disruptionsAllowed": allowed,
        },
    }


def state_of(budget: Document, nodes: tuple[str, ...] = ("a", "a", "b")) -> BudgetState:
    pods = [a_pod(f"web-{number}", node=name, labels={"app": "web"}) | READY for number, name in enumerate(nodes)]
    (state,) = budget_states(Snapshot.from_objects([a_node("a"), a_node("b"), budget, *pods]))
    return state


def counts(state: BudgetState) -> tuple[int, ...]:
    found = known(pods_figure(state, name="budget"))
    assert isinstance(found.spec, SlotsSpec)
    return tuple(part.slots for part in found.spec.parts)


def test_healthy_pods_stand_against_the_floor_and_disruptions_are_empty_slots() -> None:
    # Required, missing, may be evicted, not granted, not healthy.
    assert counts(state_of(a_budget(14, 12, 10, 2, minAvailable=10))) == (10, 0, 2, 0, 2)
    assert counts(state_of(a_budget(3, 3, 4, 0, minAvailable=4))) == (3, 1, 0, 0, 0)
    assert counts(state_of(a_budget(7, 5, 6, 0, maxUnavailable=1))) == (5, 1, 0, 0, 1)
    # The API server acts on a status that is behind, so what it does not allow is no empty slot.
    assert counts(state_of(a_budget(5, 5, 3, 0, minAvailable=3))) == (3, 0, 0, 2, 0)


def test_no_slot_is_empty_while_several_budgets_select_each_pod() -> None:
    pods = [a_pod(f"web-{number}", node="a", labels={"app": "web"}) | READY for number in range(3)]
    web = a_budget(3, 3, 1, 2, minAvailable=1)
    twin = {**web, "metadata": {**web["metadata"], "name": "twin"}}

    for state in budget_states(Snapshot.from_objects([a_node("a"), web, twin, *pods])):
        assert counts(state) == (1, 0, 0, 2, 0)
        assert "0 disruptions allowed" in known(pods_figure(state, name="budget")).summary


def test_empty_slots_have_an_outline_and_no_filling() -> None:
    found = known(pods_figure(state_of(a_budget(5, 5, 3, 2, minAvailable=3)), name="budget"))

    svg = str(found.wide)
    assert len(re.findall(r'fill="none" stroke="var\(--verdict-fits-solid\)"[^>]*stroke-dasharray', svg)) == 2
    assert "required: 3" in svg
    assert "5 healthy, 3 required: 2 disruptions allowed." in found.summary


@settings(max_examples=60, deadline=None)
@given(expected=st.integers(1, 400), healthy=st.integers(0, 400), desired=st.integers(0, 400))
def test_slots_add_up_and_stay_within_the_drawing(expected: int, healthy: int, desired: int) -> None:
    allowed = max(0, healthy - desired)
    found = known(
        pods_figure(state_of(a_budget(expected, healthy, desired, allowed, minAvailable=desired)), name="budget")
    )
    spec = found.spec
    assert isinstance(spec, SlotsSpec)
    required, missing, may_go, refused, unhealthy = (part.slots for part in spec.parts)

    assert required + may_go + refused == healthy
    assert required + missing == desired == spec.line_at
    assert sum((required, missing, may_go, refused, unhealthy)) == max(expected, healthy, desired)
    for width in (760, 340):
        svg = drawing(spec, name="x", words="w", width=width)
        ends = [float(x) + float(w) for x, w in re.findall(r'<rect x="([\d.]+)" y="[\d.]+" width="([\d.]+)"', svg)]
        assert max(ends) <= width


def test_nodes_show_what_a_drain_would_not_get_rid_of() -> None:
    found = known(nodes_figure(state_of(a_budget(3, 3, 3, 0, minAvailable=3))))
    assert isinstance(found.spec, BarsSpec)

    assert [(row.label, sum(row.values)) for row in found.spec.rows] == [("a", 2), ("b", 1)]
    assert all(evicted == 0 for evicted, _ in (row.values for row in found.spec.rows))
    assert "Blocks the drains of 2 nodes." in found.summary


@pytest.mark.django_db
def test_the_page_has_the_remedy_to_copy(tmp_path: Path, signed_in_client: Client) -> None:
    budget = a_budget(2, 2, 2, 0, minAvailable="100%", unhealthyPodEvictionPolicy="AlwaysAllow")
    budget["metadata"]["namespace"] = "shop"
    pods = [pod(f"web-{number}", app="web", nodeName="a1") for number in range(2)]
    load(tmp_path, "shop", [node("a1", "north"), budget, *pods])

    page = signed_in_client.get("/clusters/shop/budgets/shop/web/").text
    said = text(signed_in_client, "/clusters/shop/budgets/shop/web/")
    command, manifest = (
        html_module.unescape(each)
        for each in re.findall(r'<pre class="command" tabindex="0"><code>(.*?)</code>', page, re.DOTALL)
    )

    assert "Replace minAvailable: 100% of the PodDisruptionBudget shop/web by maxUnavailable: 1." in said
    *words, patch = shlex.split(command)
    assert words == ["kubectl", "-n", "shop", "patch", "poddisruptionbudget", "web", "--type=merge", "-p"]
    assert orjson.loads(patch) == {"spec": {"minAvailable": None, "maxUnavailable": 1}}
    assert yaml.safe_load(manifest)["spec"] == {
        "selector": {"matchLabels": {"app": "web"}},
        "unhealthyPodEvictionPolicy": "AlwaysAllow",
        "maxUnavailable": 1,
    }


@pytest.mark.django_db
def test_a_budget_that_allows_disruptions_needs_no_remedy(tmp_path: Path, signed_in_client: Client) -> None:
    budget = a_budget(2, 2, 1, 1, minAvailable=1)
    budget["metadata"]["namespace"] = "shop"
    load(
        tmp_path, "shop", [node("a1", "north"), budget, *(pod(f"web-{n}", app="web", nodeName="a1") for n in range(2))]
    )

    assert "kubectl" not in signed_in_client.get("/clusters/shop/budgets/shop/web/").text
    listed = signed_in_client.get("/clusters/shop/budgets/").text
    assert "2 healthy, 1 required: 1 disruption allowed." in listed
    assert listed.count('<svg xmlns="http://www.w3.org/2000/svg"') == 2
