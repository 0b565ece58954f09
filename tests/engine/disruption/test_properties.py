"""Properties of budgets over random clusters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypothesis import given, settings, strategies as st

from clusters.engine import Snapshot
from clusters.engine.disruption import BudgetState, budget_states, charged, eviction_answer
from clusters.engine.objects import Pod
from tests.engine.disruption.builders import an_owner
from tests.engine.strategies import APPS, changes, nodes, pods
from tests.support.answers import known

if TYPE_CHECKING:
    from tests.engine.builders import Document

MOMENT = "2026-01-01T00:00:00Z"
clusters = st.lists(st.one_of(nodes(), pods(placed=True), pods(placed=True)), max_size=25)
counts = st.integers(0, 4)
amounts = st.one_of(counts, st.sampled_from(("0%", "30%", "50%", "100%")))


@st.composite
def budgets(draw: st.DrawFn) -> Document:
    """A budget with any status, over one application, all or none."""
    app = draw(st.sampled_from((*APPS, None)))
    rule = draw(st.sampled_from(("minAvailable", "maxUnavailable")))
    status = {
        "observedGeneration": draw(st.sampled_from((1, 2))),
        "disruptionsAllowed": draw(counts),
        "currentHealthy": draw(counts),
        "desiredHealthy": draw(counts),
        "disruptedPods": draw(st.sampled_from(({}, {"p1": MOMENT}))),
    }
    return {
        "apiVersion": "policy/v1",
        "kind": "PodDisruptionBudget",
        "metadata": {"name": draw(st.sampled_from(("one", "two"))), "namespace": "shop", "generation": 2},
        "spec": {
            "selector": {"matchLabels": {"app": app}} if app else {},
            rule: draw(amounts),
            "unhealthyPodEvictionPolicy": draw(st.sampled_from(("AlwaysAllow", "IfHealthyBudget"))),
        },
        "status": status,
    }


def owners() -> list[Document]:
    """The controllers that random pods name."""
    found = [
        an_owner(kind, name, replicas=number)
        for number, app in enumerate(APPS)
        for kind, name in (("StatefulSet", app), ("ReplicaSet", f"{app}-5f"), ("ReplicaSet", f"{app}-6c"))
    ]
    return [{**each, "metadata": {**each["metadata"], "namespace": "shop"}} for each in found]


def unique(*documents: Document) -> list[Document]:
    return list({(each["kind"], each["metadata"]["name"]): each for each in documents}.values())


def is_held(document: Document) -> bool:
    """Whether a snapshot keeps a pod; it forgets those that have finished."""
    return bool(document["kind"] == "Pod" and document["status"]["phase"] != "Succeeded")


@settings(max_examples=150, deadline=None)
@given(cluster=clusters, found=st.lists(budgets(), min_size=1, max_size=2))
def test_counts_sum_to_pods_and_nothing_is_negative(cluster: list[Document], found: list[Document]) -> None:
    objects = unique(*cluster, *found, *owners())
    snapshot = Snapshot.from_objects(objects)

    for state in budget_states(snapshot, [each for each in objects if each["kind"] == "Pod" and not is_held(each)]):
        selected = [
            Pod(each) for each in objects if each["kind"] == "Pod" and state.budget.selector.matches(Pod(each).labels)
        ]
        assert state.pods == len(selected)
        lying = [pod for pod in selected if pod.node_name in snapshot.nodes.index and not pod.finished]
        assert state.nodes.pods.sum() == sum(each.pods for each in state.zones) == len(lying)
        assert state.nodes.healthy.sum() == sum(each.healthy for each in state.zones)
        assert (state.nodes.refused >= 0).all()
        assert (state.nodes.refused <= state.nodes.pods).all()
        gone = state.budget.reported.disrupted
        healthy = [pod for pod in selected if pod.ready and not pod.terminating and pod.name not in gone]
        assert state.computed.healthy == len(healthy)
        computed = state.computed
        if computed.allowed is not None:
            assert 0 <= computed.allowed <= computed.healthy
        if computed.allowed and computed.desired is not None:
            assert computed.healthy - computed.allowed == computed.desired
        if state.never is not None and state.scale.replicas == len(selected):
            assert computed.allowed == 0


@settings(max_examples=150, deadline=None)
@given(cluster=clusters, found=st.lists(budgets(), max_size=2))
def test_a_drain_is_refused_what_evictions_are_refused(cluster: list[Document], found: list[Document]) -> None:
    objects = unique(*cluster, *found, *owners())
    snapshot = Snapshot.from_objects(objects)
    states = budget_states(snapshot)

    for name in snapshot.nodes.names:
        trial = snapshot.copy()
        refused: dict[str, int] = {}
        for document in objects:
            if not is_held(document) or document["spec"].get("nodeName") != name:
                continue
            if any(owner["kind"] == "DaemonSet" for owner in document["metadata"].get("ownerReferences", ())):
                continue
            answer = eviction_answer(trial, document)
            if not answer.is_granted:
                for budget in answer.budgets:
                    refused[budget] = refused.get(budget, 0) + 1
            if answer.is_charged:
                (budget,) = answer.budgets
                kept = known(trial.object("PodDisruptionBudget", budget, "shop"))
                trial.upsert(charged(kept, document["metadata"]["name"], MOMENT))
        for state in states:
            shares = dict(zip(state.nodes.names, state.nodes.refused.tolist(), strict=True))
            assert shares.get(name, 0) == refused.get(state.budget.name, 0)


@settings(max_examples=100, deadline=None)
@given(cluster=clusters, budget=budgets())
def test_lifting_the_budgets_lets_every_pod_go(cluster: list[Document], budget: Document) -> None:
    objects = unique(*cluster, budget)
    snapshot = Snapshot.from_objects(objects)
    held = [each for each in objects if is_held(each)]
    before = {each["metadata"]["name"]: eviction_answer(snapshot, each) for each in held}
    snapshot.delete(budget)

    for each in held:
        assert eviction_answer(snapshot, each).is_granted
        assert before[each["metadata"]["name"]].code in (200, 429)


@settings(max_examples=100, deadline=None)
@given(cluster=clusters, budget=budgets(), data=st.data())
def test_one_more_ready_pod_never_allows_less(cluster: list[Document], budget: Document, data: st.DataObject) -> None:
    objects = unique(*cluster, budget, *owners())
    held = [each for each in objects if is_held(each)]
    if not held:
        return
    chosen = data.draw(st.sampled_from(held))
    ready = {**chosen, "status": {**chosen["status"], "conditions": [{"type": "Ready", "status": "True"}]}}
    snapshot = Snapshot.from_objects(objects)
    (before,) = budget_states(snapshot)
    (after,) = budget_states(snapshot.upsert(ready))

    assert (after.computed.allowed or 0) >= (before.computed.allowed or 0)
    assert set(after.unhealthy) <= set(before.unhealthy)


def plain(state: BudgetState) -> tuple[Any, ...]:
    nodes = state.nodes
    return (
        *(state.budget.key, state.computed, state.scale, state.pods, state.terminating, state.unhealthy, state.shared),
        *(state.overlapping, state.unmanaged, state.zones, state.never, state.cause),
        *(nodes.names, nodes.pods.tolist(), nodes.healthy.tolist(), nodes.refused.tolist()),
    )


@settings(max_examples=100, deadline=None)
@given(steps=st.lists(st.one_of(changes(), budgets().map(lambda budget: ("upsert", budget))), max_size=30))
def test_states_follow_changes(steps: list[tuple[str, Document]]) -> None:
    snapshot = Snapshot.from_objects(owners())
    left: dict[tuple[str, str], Document] = {}
    for action, document in steps:
        getattr(snapshot, action)(document)
        left.pop((document["kind"], document["metadata"]["name"]), None)
        if action == "upsert":
            left[document["kind"], document["metadata"]["name"]] = document
    afresh = Snapshot.from_objects([*owners(), *left.values()])

    assert [plain(state) for state in budget_states(snapshot)] == [plain(state) for state in budget_states(afresh)]
