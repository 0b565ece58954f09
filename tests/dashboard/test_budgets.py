from __future__ import annotations

import csv
import html as html_module
import io
import re
import shlex
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson
import pytest
import yaml
from django.test import Client
from hypothesis import given, settings, strategies as st

from clusters.demo import demo_objects
from clusters.engine import Snapshot
from clusters.engine.disruption import BudgetState, budget_states
from dashboard.filters.workloads import BUDGET_STATES
from dashboard.pictures.figure import drawing
from dashboard.pictures.specs import BarsSpec, SlotsSpec
from dashboard.presenters.budgets import BudgetRow, budget_row, nodes_figure, pods_figure
from tests.engine.builders import Document, a_node, a_pod
from tests.support.answers import known
from tests.support.decision_cluster import node, pod
from tests.support.mirrored import load, text

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client

SEVERAL = "Several budgets select each of its pods: every eviction fails (500)."
REMEDY = "Make these pods ready; the budget need not change."
# What the guide to the demo tells of each budget: the sentence, and the badges.
STORIES = {
    "shop/checkout": (
        SEVERAL,
        ["Never allows disruptions", "Blocks drains until changed", "13 pods under several budgets"],
    ),
    "shop/frontend": (
        "Allows 3 disruptions. 50 healthy pods required, 53 of 56 healthy.",
        ["Allows 3 disruptions", "Blocks drains until changed", "37 pods under several budgets"],
    ),
    "shop/storefront": (
        SEVERAL,
        ["Never allows disruptions", "Blocks drains until changed", "24 pods under several budgets"],
    ),
    "shop/sessions": (
        "minAvailable 4 exceeds 3 replicas: it never allows a disruption.",
        ["Never allows disruptions", "Blocks drains until changed"],
    ),
    "payments/ledger": ("Allows 1 disruption. 2 healthy pods required, 3 of 3 healthy.", ["Allows 1 disruption"]),
    "payments/payments-api": (
        "Allows 2 disruptions. 4 healthy pods required, 6 of 7 healthy.",
        ["Allows 2 disruptions"],
    ),
    "payments/legacy-gateway": ("Selects no pods, so it refuses no eviction.", ["Selects no pods"]),
    "search/elastic": (
        f"Allows 0 disruptions. 6 healthy pods required, 6 of 7 healthy. Pending: search/elastic-6. {REMEDY}",
        ["Allows 0 disruptions: pods not ready", "Blocks drains until pods are ready"],
    ),
    "data/kafka": (
        f"Allows 0 disruptions. 4 healthy pods required, 4 of 5 healthy. Not ready: data/kafka-0. {REMEDY}",
        ["Allows 0 disruptions: pods not ready", "Blocks drains until pods are ready"],
    ),
    "data/postgres": ("Allows 1 disruption. 2 healthy pods required, 3 of 3 healthy.", ["Allows 1 disruption"]),
    "batch/image-resizer": (
        "maxUnavailable 0 never allows a disruption of its 14 pods.",
        ["Never allows disruptions", "Blocks drains until changed"],
    ),
    "platform/prometheus": ("Allows 1 disruption. 1 healthy pod required, 2 of 2 healthy.", ["Allows 1 disruption"]),
}


@cache
def demo() -> tuple[Snapshot, dict[str, BudgetState]]:
    objects = list(demo_objects())
    snapshot = Snapshot.from_objects(objects)
    pods = [each for each in objects if each["kind"] == "Pod" and "nodeName" not in each["spec"]]
    return snapshot, {state.budget.key: state for state in budget_states(snapshot, pods)}


def demo_row(key: str) -> BudgetRow:
    snapshot, states = demo()
    return budget_row(states[key], snapshot)


def budget(name: str, app: str, *, status: dict[str, Any] | None = None, **spec: Any) -> dict[str, Any]:
    return {
        "apiVersion": "policy/v1",
        "kind": "PodDisruptionBudget",
        "metadata": {"name": name, "namespace": "shop", "uid": f"budget-{name}"},
        "spec": {"selector": {"matchLabels": {"app": app}}, **spec},
        "status": status or {},
    }


def reported(expected: int, healthy: int, desired: int, allowed: int) -> dict[str, int]:
    return {
        "expectedPods": expected,
        "currentHealthy": healthy,
        "desiredHealthy": desired,
        "disruptionsAllowed": allowed,
    }


def ready(name: str, on: str, app: str = "web") -> dict[str, Any]:
    status = {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]}
    return pod(name, app=app, nodeName=on, status=status)


def shop(*budgets: dict[str, Any]) -> list[dict[str, Any]]:
    """Return two nodes with three ready pods, and budgets."""
    pods = [ready("web-1", "ash"), ready("web-2", "ash"), ready("web-3", "birch")]
    return [node("ash", "north"), node("birch", "south"), *pods, *budgets]


def test_budget_of_the_demo_tells_its_story() -> None:
    for key in STORIES:
        row = demo_row(key)
        assert (row.sentence, [badge for badge, _ in row.badges]) == STORIES[key]


def test_what_never_allows_and_what_allows_nothing_now_are_what_reviews_count() -> None:
    _, states = demo()
    lasting, passing = (
        {key for key, state in states.items() if BUDGET_STATES[name][1](state)} for name in ("lasting", "passing")
    )

    assert lasting == {"batch/image-resizer", "shop/checkout", "shop/sessions", "shop/storefront"}
    assert passing == {"data/kafka", "search/elastic"}
    assert lasting | passing == {key for key, state in states.items() if state.allows_none}


@pytest.mark.django_db
def test_status_that_differs_is_shown_with_the_computed_one(tmp_path: Path, signed_in_client: Client) -> None:
    load(tmp_path, "shop", shop(budget("web", "web", minAvailable=2, status=reported(3, 3, 2, 0))))

    said = text(signed_in_client, "/clusters/shop/budgets/shop/web/")

    assert "Reported to allow 0 disruptions; its objects allow 1: the status is behind." in said
    assert "Allowed 0 1, differs" in said


@pytest.mark.django_db
def test_pods_under_two_budgets_block_for_good(tmp_path: Path, signed_in_client: Client) -> None:
    both = [budget(name, "web", minAvailable=1, status=reported(3, 3, 1, 2)) for name in ("one", "two")]
    load(tmp_path, "shop", shop(*both))

    said = text(signed_in_client, "/clusters/shop/budgets/shop/one/")

    assert "3 pods are also selected by shop/two, so their evictions fail (500)" in said
    assert "ash north 2 2 2 of 2 evictions refused, 2 with 500 (several budgets)" in said
    drains = text(signed_in_client, "/clusters/shop/budgets/blocked-drains/")
    assert "Budgets block the drains of 2 of 2 nodes: 2 until changed, 0 until pods are ready." in drains
    said = "shop/one: 2 of 2 evictions refused, 2 with 500 (several budgets)"
    assert f"ash north Until changed {said}" in drains


@pytest.mark.django_db
def test_budget_that_allows_nothing_now_blocks_until_pods_are_ready(tmp_path: Path, signed_in_client: Client) -> None:
    load(tmp_path, "shop", shop(budget("web", "web", minAvailable=2, status=reported(3, 2, 2, 0))))

    said = text(signed_in_client, "/clusters/shop/budgets/")

    assert "Budgets block the drains of 2 of 2 nodes: 0 until changed, 2 until pods are ready." in said


@pytest.mark.django_db
def test_what_cannot_be_known_is_said(tmp_path: Path, signed_in_client: Client) -> None:
    owner = {"apiVersion": "apps/v1", "kind": "StatefulSet", "name": "web", "uid": "web", "controller": True}
    pods = [ready("web-1", "ash")]
    pods[0]["metadata"]["ownerReferences"] = [owner]
    guard = budget("web", "web", maxUnavailable=1, status=reported(1, 1, 0, 1))
    load(tmp_path, "shop", [node("ash", "north"), *pods, guard])

    said = text(signed_in_client, "/clusters/shop/budgets/shop/web/")

    assert "Expected pods unknown: StatefulSet web is missing." in said
    assert "StatefulSet" in text(signed_in_client, "/clusters/shop/budgets/")


@pytest.mark.django_db
def test_filter_hides_the_rest_and_says_so(tmp_path: Path, signed_in_client: Client) -> None:
    objects = [
        *shop(),
        ready("api-1", "birch", "api"),
        budget("never", "web", maxUnavailable=0, status=reported(3, 3, 3, 0)),
        budget("open", "api", minAvailable=0, status=reported(1, 1, 0, 1)),
        budget("zero", "nothing", minAvailable=1),
    ]
    load(tmp_path, "shop", objects)

    for query, left in [
        ("", ["never", "open", "zero"]),
        ("state=lasting", ["never"]),
        # One that selects no pods refuses none.
        ("state=passing", []),
        ("state=zero", ["never"]),
        ("state=drains", ["never"]),
        ("state=allows", ["open"]),
        ("state=shared", []),
        ("q=pen", ["open"]),
        ("q=shop/ze", ["zero"]),
        ("namespace=nowhere", []),
    ]:
        html = signed_in_client.get(f"/clusters/shop/budgets/?{query}", headers={"HX-Request": "true"}).text
        assert sorted(re.findall(r"/budgets/shop/(\w+)/", html)) == left
        assert ("hidden by: " in html) == (len(left) < 3)
        if query == "state=zero":
            listed = signed_in_client.get("/clusters/").text
            assert f'href="/clusters/shop/budgets/?{query}">{len(left)}<' in listed


@pytest.mark.django_db
def test_files_hold_budgets_and_drains(tmp_path: Path, signed_in_client: Client) -> None:
    load(tmp_path, "shop", shop(budget("web", "web", maxUnavailable=0, status=reported(3, 3, 3, 0))))

    def rows(address: str) -> list[dict[str, str]]:
        return list(csv.DictReader(io.StringIO(signed_in_client.get(address).text)))

    (row,) = rows("/clusters/shop/budgets/budgets.csv?state=lasting")

    assert (row["budget"], row["allowed"], row["blocks until changed"], row["nodes blocked"]) == (
        "web",
        "0",
        "yes",
        "2",
    )
    assert [(each["node"], each["refused"]) for each in rows("/clusters/shop/budgets/blocked-drains.csv")] == [
        ("ash", "2"),
        ("birch", "1"),
    ]


@pytest.mark.django_db
def test_replicas_of_a_deployment_are_what_is_expected(tmp_path: Path, signed_in_client: Client) -> None:
    def owned_by(kind: str) -> list[dict[str, Any]]:
        owner = {"apiVersion": "apps/v1", "kind": kind, "name": "web", "uid": f"web-{kind}", "controller": True}
        return [owner]

    pods = [ready(f"web-{number}", "ash") for number in range(3)]
    for each in pods:
        each["metadata"]["ownerReferences"] = owned_by("ReplicaSet")
    selector = {"matchLabels": {"app": "web"}}
    controllers: list[dict[str, Any]] = [
        {
            "apiVersion": "apps/v1",
            "kind": kind,
            "metadata": {"name": "web", "namespace": "shop", "uid": f"web-{kind}", "ownerReferences": owners},
            "spec": {"replicas": replicas, "selector": selector},
        }
        for kind, replicas, owners in (("ReplicaSet", 3, owned_by("Deployment")), ("Deployment", 5, []))
    ]
    guard = budget("web", "web", maxUnavailable=1, status=reported(5, 3, 4, 0))
    load(tmp_path, "shop", [node("ash", "north"), *pods, *controllers, guard])

    said = text(signed_in_client, "/clusters/shop/budgets/shop/web/")

    assert "Expected 5 5 Healthy 3 3 Desired 4 4 Allowed 0 0" in said
    assert "Allows 0 disruptions until 2 missing pods are created." in said


def test_budget_of_any_name_that_the_api_server_takes_has_its_page(tmp_path: Path, admin_client: Client) -> None:
    metadata = {"namespace": "shop", "name": "My budget_1", "uid": "b"}
    kind = {"apiVersion": "policy/v1", "kind": "PodDisruptionBudget"}
    found = {**kind, "metadata": metadata, "spec": {"minAvailable": 1}}
    load(tmp_path, "odd", [node("n1", "a"), pod("web", nodeName="n1"), found])

    assert "/clusters/odd/budgets/shop/My%20budget_1/" in admin_client.get("/clusters/odd/budgets/").text
    assert "My budget_1" in text(admin_client, "/clusters/odd/budgets/shop/My%20budget_1/")


# -- pictures ----------------------------------------------------------------------------------------------------------


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


@settings(max_examples=25, deadline=None)
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
