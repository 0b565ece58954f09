"""What evictions are answered, by budgets and taints, and properties of budgets over random clusters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings, strategies as st

from clusters.engine import Snapshot
from clusters.engine.disruption import (
    BudgetState,
    Ground,
    Never,
    TaintEviction,
    TimedTaint,
    budget_states,
    charged,
    eviction_answer,
    planned_eviction,
    taint_eviction,
)
from clusters.engine.disruption.failing_nodes import PlannedEviction
from clusters.engine.objects import Pod
from clusters.engine.taints import Taint, Toleration
from tests.engine.builders import Document, a_node, a_pod
from tests.engine.disruption.builders import NODES, WEB, a_budget, an_owner, leaving, reporting, running
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


@settings(max_examples=60, deadline=None)
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
        if state.never not in (None, Never.SEVERAL_BUDGETS) and state.scale.replicas == len(selected):
            assert computed.allowed == 0


@settings(max_examples=60, deadline=None)
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


@settings(max_examples=40, deadline=None)
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


@settings(max_examples=40, deadline=None)
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


@settings(max_examples=40, deadline=None)
@given(steps=st.lists(st.one_of(changes(), budgets().map(lambda budget: ("upsert", budget))), max_size=30))
def test_states_follow_changes(steps: list[tuple[str, Document]]) -> None:
    snapshot = Snapshot.from_objects(owners())
    left: dict[tuple[str, str], Document] = {}
    states: tuple[BudgetState, ...] = ()
    for action, document in steps:
        states = budget_states(snapshot, earlier=states)
        # Those of before hold what the copy that nobody changes any more holds.
        snapshot = snapshot.copy()
        getattr(snapshot, action)(document)
        left.pop((document["kind"], document["metadata"]["name"]), None)
        if action == "upsert":
            left[document["kind"], document["metadata"]["name"]] = document
    afresh = Snapshot.from_objects([*owners(), *left.values()])

    followed = budget_states(snapshot, earlier=states)
    assert [plain(state) for state in followed] == [plain(state) for state in budget_states(afresh)]


FULL: Document = {"disruptionsAllowed": 0, "currentHealthy": 3, "desiredHealthy": 3, "expectedPods": 3}
SPARE: Document = {"disruptionsAllowed": 1, "currentHealthy": 4, "desiredHealthy": 3, "expectedPods": 4}
SHORT: Document = {"disruptionsAllowed": 0, "currentHealthy": 1, "desiredHealthy": 3, "expectedPods": 3}
NOTHING: Document = {"disruptionsAllowed": 0, "currentHealthy": 0, "desiredHealthy": 0, "expectedPods": 0}
POD = running("quux", "node-1")
SICK = running("quux", "node-1", ready=False)


def answer(pod: Document, *budgets: Document) -> tuple[int, Ground, bool]:
    found = eviction_answer(Snapshot.from_objects([*NODES, pod, *budgets]), pod)
    return found.code, found.ground, found.is_charged


@pytest.mark.parametrize(
    ("pod", "expected"),
    [
        (running("quux", phase="Succeeded"), Ground.FINISHED),
        (running("quux", phase="Failed"), Ground.FINISHED),
        (running("quux", "node-1", phase="Pending", ready=False), Ground.STARTING),
        (leaving(POD), Ground.TERMINATING),
        (running("quux", "node-1", labels={"app": "other"}), Ground.NO_BUDGET),
    ],
)
def test_pods_that_no_budget_keeps(pod: Document, expected: Ground) -> None:
    budgets = (reporting(a_budget(maxUnavailable=0), **FULL), reporting(a_budget("second", maxUnavailable=0), **FULL))

    assert answer(pod, *budgets) == (200, expected, False)


@pytest.mark.parametrize(
    ("pod", "policy", "status", "expected"),
    [
        (POD, {}, SPARE, (200, Ground.WITHIN_BUDGET, True)),
        (POD, {}, FULL, (429, Ground.EXHAUSTED, False)),
        (POD, {"unhealthyPodEvictionPolicy": "AlwaysAllow"}, FULL, (429, Ground.EXHAUSTED, False)),
        (SICK, {"unhealthyPodEvictionPolicy": "AlwaysAllow"}, SHORT, (200, Ground.UNHEALTHY_ALLOWED, False)),
        (SICK, {"unhealthyPodEvictionPolicy": "IfHealthyBudget"}, FULL, (200, Ground.UNHEALTHY_SPARED, False)),
        (SICK, {}, FULL, (200, Ground.UNHEALTHY_SPARED, False)),
        (SICK, {}, SHORT, (429, Ground.EXHAUSTED, False)),
        (SICK, {}, NOTHING, (429, Ground.EXHAUSTED, False)),
        (SICK, {}, {**SHORT, "disruptionsAllowed": 2}, (200, Ground.WITHIN_BUDGET, True)),
    ],
)
def test_one_budget(pod: Document, policy: Document, status: Document, expected: tuple[Any, ...]) -> None:
    assert answer(pod, reporting(a_budget(maxUnavailable=1, **policy), **status)) == expected


@pytest.mark.parametrize(
    "budget",
    [
        a_budget(minAvailable=1),
        {**a_budget(minAvailable=1, generation=2), "status": {**SPARE, "observedGeneration": 1}},
    ],
)
def test_a_spec_that_was_not_observed_allows_nothing(budget: Document) -> None:
    found = eviction_answer(Snapshot.from_objects([POD, budget]), POD)

    assert (found.code, found.ground, found.retry_after) == (429, Ground.NOT_OBSERVED, 10)
    assert found.detail == "The disruption budget web is still being processed by the server."


@pytest.mark.parametrize(
    ("status", "ground", "words"),
    [
        ({**SPARE, "disruptionsAllowed": -1}, Ground.NEGATIVE, "negative"),
        (
            {**SPARE, "disruptedPods": {f"p{n}": MOMENT for n in range(2001)}},
            Ground.OVERFULL,
            "too big",
        ),
    ],
)
def test_a_status_that_cannot_be_used_is_forbidden(status: Document, ground: Ground, words: str) -> None:
    found = eviction_answer(Snapshot.from_objects([POD, reporting(a_budget(minAvailable=1), **status)]), POD)

    assert (found.code, found.ground) == (403, ground)
    assert found.message.startswith('poddisruptionbudget.policy "web" is forbidden: ')
    assert words in found.message


@pytest.mark.parametrize(
    ("change", "selects"),
    [
        ({"spec": {"selector": {}}}, True),
        ({"spec": {"selector": None}}, False),
        ({"spec": {}}, False),
        ({"apiVersion": "policy/v1beta1", "spec": {"selector": {}}}, False),
        ({"apiVersion": "policy/v1beta1", "spec": {"selector": {"matchLabels": WEB}}}, True),
        ({"spec": {"selector": {"matchExpressions": [{"key": "app", "operator": "Near"}]}}}, False),
        ({"metadata": {"name": "web", "namespace": "elsewhere"}}, False),
    ],
)
def test_which_pods_a_budget_selects(change: Document, selects: bool) -> None:
    found = eviction_answer(Snapshot.from_objects([POD, reporting(a_budget(), **FULL) | change]), POD)

    assert found.budgets == (("web",) if selects else ())
    assert found.ground == (Ground.EXHAUSTED if selects else Ground.NO_BUDGET)


ONE, TWO = Taint("key1", "value1", "NoExecute"), Taint("key2", "", "NoExecute")


def tolerating(taint: Taint, seconds: int | None = None) -> dict[str, Any]:
    found = {"key": taint.key, "operator": "Exists", "effect": "NoExecute"}
    return found if seconds is None else {**found, "tolerationSeconds": seconds}


def plan(
    *taints: tuple[Taint, int | None], tolerations: list[dict[str, Any]], since: int = 0
) -> PlannedEviction | None:
    return planned_eviction([TimedTaint(*each) for each in taints], tolerations, since=since)


def test_e14_a_pod_is_evicted_an_hour_after_the_taint_came() -> None:
    found = plan((ONE, 100), tolerations=[tolerating(ONE, 3600)])

    assert found == PlannedEviction(ONE, 100, 3600, is_tolerated=True)
    assert found.at == 3700
    assert plan(tolerations=[tolerating(ONE, 3600)]) is None, "the taint is removed earlier"


@pytest.mark.parametrize(
    ("times", "seconds", "at", "overruled"),
    [
        pytest.param((100, 100), (300, 60), 160, None, id="seen together, the shortest counts"),
        pytest.param((100, 200), (300, 60), 400, TWO, id="a shorter one that comes later changes nothing"),
        pytest.param((100, 390), (300, 60), 400, None, id="a later one that would evict later"),
        pytest.param((100, 500), (300, 60), 400, None, id="one that comes when the pod is gone"),
        pytest.param((200, 100), (300, None), 500, None, id="one that is tolerated for ever plans nothing"),
        pytest.param((100, 200), (300, None), 400, None, id="nor does it cancel the plan of another"),
    ],
)
def test_the_first_plan_holds(
    times: tuple[int, int], seconds: tuple[int, int | None], at: int, overruled: Taint | None
) -> None:
    found = known(
        plan((ONE, times[0]), (TWO, times[1]), tolerations=[tolerating(ONE, seconds[0]), tolerating(TWO, seconds[1])])
    )

    assert (found.at, found.overruled) == (at, overruled)


def test_without_a_time_the_taints_count_as_one_change() -> None:
    found = known(plan((ONE, None), (TWO, 200), tolerations=[tolerating(ONE, 300), tolerating(TWO, 60)]))

    assert (found.start, found.seconds, found.at) == (None, 60, None)


@dataclass
class Queue:
    """The controller's queue for one pod, driven moment by moment as processPodOnNode drives it."""

    tolerations: list[dict[str, Any]]
    created: int | None = None
    fires: int | None = None
    fired: int | None = None

    def sees(self, taints: list[Taint], now: int) -> None:
        if self.fired is None and self.fires is not None and self.fires <= now:
            self.fired = self.fires
        if self.fired is not None:
            return
        used = []
        for taint in taints:
            matching = [each for each in self.tolerations if Toleration.from_dict(each).tolerates(taint)]
            if not matching:
                self.created, self.fired = None, now
                return
            used.append(matching[0])
        given = [each["tolerationSeconds"] for each in used if "tolerationSeconds" in each]
        if not given:
            self.created = self.fires = None
            return
        shortest = max(0, min(given))
        if self.created is not None and self.created + shortest < now + shortest:
            return
        self.created, self.fires = now, now + shortest


_SECONDS = st.sampled_from([None, 0, 5, 60, 300])
_TIMES = st.integers(1, 12).map(lambda tens: tens * 10)


@given(
    st.dictionaries(st.integers(0, 3), _TIMES, max_size=4).map(lambda found: list(found.items())),
    st.lists(st.tuples(st.integers(0, 3), _SECONDS), max_size=4),
)
def test_the_plan_is_what_the_controllers_queue_comes_to(
    taints: list[tuple[int, int]], given_seconds: list[tuple[int, int | None]]
) -> None:
    of = [Taint(f"key{number}", "", "NoExecute") for number in range(4)]
    tolerations = [tolerating(of[number], seconds) for number, seconds in given_seconds]
    queue = Queue(tolerations)
    for moment in sorted({added for _, added in taints}):
        queue.sees([of[number] for number, added in taints if added <= moment], moment)

    found = plan(*((of[number], added) for number, added in taints), tolerations=tolerations)

    assert (None if found is None else found.at) == (queue.fired if queue.fired is not None else queue.fires)


NOT_READY = {"key": "node.kubernetes.io/not-ready", "effect": "NoExecute"}


# What admission adds to every pod.
USUAL = {**NOT_READY, "operator": "Exists", "tolerationSeconds": 300}


def test_pods_of_a_node_are_counted_by_when_they_go() -> None:
    snapshot = Snapshot.from_objects(
        [
            a_node("ill", taints=[NOT_READY, {"key": "gpu", "effect": "NoSchedule"}]),
            a_node("well"),
            a_pod("usual-1", node="ill", tolerations=[USUAL]),
            a_pod("usual-2", node="ill", tolerations=[USUAL]),
            a_pod("daemon", node="ill", tolerations=[{"operator": "Exists"}]),
            a_pod("bare", node="ill"),
            a_pod("elsewhere", node="well"),
        ]
    )

    assert taint_eviction(snapshot, "ill") == TaintEviction(stay=1, at_once=1, later={300: 2})
    assert taint_eviction(snapshot, "well") is None
