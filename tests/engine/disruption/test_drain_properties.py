"""Properties of drain plans over random clusters."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from hypothesis import given, settings
from hypothesis import strategies as st

from clusters.engine import SchedulerConfiguration, Snapshot
from clusters.engine.disruption import (
    DisruptionBudget,
    DrainCase,
    DrainOptions,
    Plan,
    Treatment,
    budget_states,
    charged,
    drain_plan,
)
from clusters.engine.disruption.drains import Ledger, replacement_of, residents_of
from clusters.engine.objects import Pod
from tests.engine.disruption.test_properties import MOMENT, budgets, clusters, owners, unique
from tests.engine.strategies import NODE_NAMES

if TYPE_CHECKING:
    from tests.engine.builders import Document

DEFAULT = SchedulerConfiguration.default()
options = st.builds(
    DrainOptions, force=st.booleans(), empty_dirs=st.booleans(), at_a_time=st.integers(0, 2), uncordon=st.booleans()
)


def settled(objects: list[Document]) -> list[Document]:
    """The objects with budgets whose status is what the disruption controller would write, and pods as they occur."""
    found = [each for each in objects if not (each["kind"] == "Pod" and each["status"].get("phase") == "Pending")]
    snapshot = Snapshot.from_objects(found)
    written: dict[str, dict[str, Any]] = {}
    for state in budget_states(snapshot, beside(found)):
        computed = state.computed
        written[state.budget.name] = {
            "observedGeneration": 2,
            "expectedPods": computed.expected or 0,
            "currentHealthy": computed.healthy,
            "desiredHealthy": computed.desired or 0,
            "disruptionsAllowed": computed.allowed or 0,
        }
    return [
        {**each, "status": written[each["metadata"]["name"]]} if each["kind"] == "PodDisruptionBudget" else each
        for each in found
    ]


def beside(objects: list[Document]) -> list[Document]:
    return [
        each
        for each in objects
        if each["kind"] == "Pod" and (not each["spec"].get("nodeName") or each["status"].get("phase") == "Succeeded")
    ]


def planned(objects: list[Document], chosen: DrainOptions) -> Plan:
    snapshot = Snapshot.from_objects(objects)
    names = [each["metadata"]["name"] for each in objects if each["kind"] == "Node"]
    pods = [each for each in objects if each["kind"] == "Pod" and each["spec"].get("nodeName") in names]
    before = snapshot.content()
    plan = drain_plan(snapshot, DEFAULT, DrainCase(sorted(names), pods, beside(objects)), chosen)
    assert snapshot.content() == before
    return plan


@settings(max_examples=120, deadline=None)
@given(cluster=clusters, found=st.lists(budgets(), min_size=1, max_size=2), chosen=options)
def test_every_node_has_one_fate_and_every_pod_goes_once(
    cluster: list[Document], found: list[Document], chosen: DrainOptions
) -> None:
    objects = settled(unique(*cluster, *found, *owners()))
    plan = planned(objects, chosen)

    drained = [node.name for batch in plan.batches for node in batch.nodes]
    fates = Counter([*drained, *(node.name for node in plan.blocked)])
    assert fates == Counter(plan.nodes)
    assert all(0 < len(batch.nodes) <= (chosen.at_a_time or len(plan.nodes)) for batch in plan.batches)
    assert all(node.blockers for node in plan.blocked)
    evicted = [eviction for batch in plan.batches for eviction in batch.evictions]
    first = Counter(eviction.pod for eviction in evicted if not eviction.moved)
    residents = residents_of([each for each in objects if each["kind"] == "Pod"], chosen)
    expected = {
        resident.pod.key
        for node in drained
        for resident in residents.get(node, ())
        if resident.handling.treatment is Treatment.EVICTED
    }
    assert first == Counter(expected)
    assert chosen.uncordon or all(not eviction.moved for eviction in evicted)
    for eviction in evicted:
        assert eviction.answer.is_granted
        assert eviction.landing is None or eviction.landing.node in NODE_NAMES
        assert eviction.landing is None or chosen.uncordon or eviction.landing.node not in plan.nodes
    assert planned(objects, chosen) == plan


@settings(max_examples=120, deadline=None)
@given(cluster=clusters, found=st.lists(budgets(), min_size=1, max_size=2), nodes=st.sets(st.sampled_from(NODE_NAMES)))
def test_no_budget_goes_below_what_it_desires(cluster: list[Document], found: list[Document], nodes: set[str]) -> None:
    """Replays a plan with snapshots that are built afresh, and looks at every budget as the controller would."""
    objects = settled(unique(*cluster, *found, *owners()))
    names = sorted(each["metadata"]["name"] for each in objects if each["kind"] == "Node")
    chosen = [name for name in names if name in nodes]
    pods = {Pod(each).key: each for each in objects if each["kind"] == "Pod"}
    on = [each for each in pods.values() if each["spec"].get("nodeName") in chosen]
    case = DrainCase(chosen, on, beside(objects))
    plan = drain_plan(Snapshot.from_objects(objects), DEFAULT, case, DrainOptions(force=True))
    rest = [each for each in objects if each["kind"] != "Pod"]

    number = 0
    for batch in plan.batches:
        for asking in range(1, batch.rounds + 1):
            going = [eviction for eviction in batch.evictions if eviction.round == asking]
            gone = {eviction.pod: pods.pop(eviction.pod) for eviction in going}
            left = [*rest, *pods.values()]
            for state in budget_states(Snapshot.from_objects(left), beside(left)):
                charged_to_it = [
                    each for each in going if each.answer.is_charged and state.budget.name in each.answer.budgets
                ]
                assert not charged_to_it or state.computed.healthy >= desired(state.budget, objects)
            for eviction in going:
                number += 1
                replacement = replacement_of(Pod(gone[eviction.pod]), number)
                assert (replacement is None) == (eviction.landing is None)
                if replacement is not None and eviction.landing is not None:
                    replacement["spec"]["nodeName"] = eviction.landing.node
                    pods[Pod(replacement).key] = replacement


def desired(budget: DisruptionBudget, objects: list[Document]) -> int:
    """What the budget desired before anything was drained: a controller's replicas stay as they are."""
    (before,) = (
        each for each in objects if each["kind"] == "PodDisruptionBudget" and each["metadata"]["name"] == budget.name
    )
    found: int = before["status"]["desiredHealthy"]
    return found


@settings(max_examples=100, deadline=None)
@given(cluster=clusters, budget=budgets())
def test_a_charge_is_what_the_api_server_stores(cluster: list[Document], budget: Document) -> None:
    objects = unique(*cluster, budget, *owners())
    for pod in [each for each in objects if each["kind"] == "Pod"]:
        ledger = Ledger(Snapshot.from_objects(objects))
        answer = ledger.ask(Pod(pod))

        stored = charged(budget, pod["metadata"]["name"], MOMENT) if answer.is_charged else budget
        assert ledger.balance().budgets[f"shop/{budget['metadata']['name']}"] == DisruptionBudget.from_dict(stored)
