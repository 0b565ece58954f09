"""Preemption step by step: who is asked to leave, in which order, on which node, and who is nominated."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings, strategies as st

from clusters.engine import Explanation, SchedulerConfiguration, Snapshot, explain
from clusters.engine.analysis import PreemptionOutcome, Preemptor, Threat, awaited, preemptor_of, threat_to
from clusters.engine.analysis.causes import Awaited
from clusters.engine.evidence import CountedPod
from clusters.engine.objects import key_of
from clusters.engine.plugins.inter_pod_affinity import TermComparison
from clusters.engine.plugins.node_ports import PortComparison
from clusters.engine.plugins.node_resources_fit import NominatedRequest, ResourceComparison
from clusters.engine.plugins.pod_topology_spread import DomainComparison
from clusters.engine.plugins.volume_restrictions import DiskComparison
from clusters.engine.scheduling.preemption import Protection
from clusters.engine.selectors import LabelSelector, SelectorError
from tests.engine.builders import HOSTNAME, ZONE, Document, a_node, a_pod, explanation_of
from tests.engine.storage_builders import a_claim, a_class, a_csi_node, a_volume, csi, on, uses
from tests.engine.strategies import nodes, pods
from tests.support.answers import known

if TYPE_CHECKING:
    from clusters.engine.scheduling import Preemption


NODE = a_node("n")
TAINTED = a_node("tainted", taints=[{"key": "gold", "effect": "NoSchedule"}])
TEN = "2026-01-01T10:00:00Z"
ELEVEN = "2026-01-01T11:00:00Z"


def running(
    name: str, cpu: str = "0", *, node: str = "n", priority: int = 0, start: str | None = None, **more: Any
) -> Document:
    """A placed pod, perhaps one that has not started."""
    pod = a_pod(name, node=node, priority=priority, requests={"cpu": cpu}, **more)
    pod["status"] = {"phase": "Running", **({"startTime": start} if start is not None else {})}
    return pod


def incoming(cpu: str = "0", *, priority: int = 10, **more: Any) -> Document:
    return a_pod("incoming", priority=priority, requests={"cpu": cpu}, **more)


def a_budget(app: str, allowed: int, *, namespace: str = "default", disrupted: tuple[str, ...] = ()) -> Document:
    return {
        "kind": "PodDisruptionBudget",
        "metadata": {"name": f"{app}-budget", "namespace": namespace},
        "spec": {"selector": {"matchLabels": {"app": app}} if app else {}},
        "status": {"disruptionsAllowed": allowed, "disruptedPods": dict.fromkeys(disrupted, TEN)},
    }


def preemption(pod: Document, *objects: Document, **configuration: Any) -> Preemption:
    return known(explanation_of(pod, *objects, **configuration).preemption)


def victims(pod: Document, *objects: Document) -> dict[str, tuple[str, ...]]:
    """The victims on each candidate, the most important first."""
    return {
        candidate.node: tuple(victim.removeprefix("default/") for victim in candidate.victims)
        for candidate in preemption(pod, *objects).candidates
    }


# -- what is said ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("priority", "reason", "status", "node", "eligible"),
    [
        pytest.param(0, "PreemptionByScheduler", "True", NODE, False, id="the place is being made"),
        pytest.param(10, "PreemptionByScheduler", "True", NODE, True, id="for somebody else"),
        pytest.param(0, "EvictionByEvictionAPI", "True", NODE, True, id="the pod leaves for another reason"),
        pytest.param(0, "PreemptionByScheduler", "False", NODE, True, id="the condition does not hold"),
        pytest.param(
            0,
            "PreemptionByScheduler",
            "True",
            {**NODE, "spec": TAINTED["spec"]},
            True,
            id="the place has become useless",
        ),
    ],
)
def test_pod_waits_for_whom_it_has_preempted(
    priority: int, reason: str, status: str, node: Document, eligible: bool
) -> None:
    leaving = running("leaving", "1", priority=priority)
    leaving["metadata"]["deletionTimestamp"] = TEN
    condition = {"type": "DisruptionTarget", "status": status, "reason": reason}
    leaving["status"]["conditions"] = [{"type": "Ready", "status": "True"}, condition]

    found = preemption(incoming("8", nominated="n"), node, leaving)

    assert found.eligible == eligible
    waits = "preemption: not eligible due to a terminating pod on the nominated node."
    assert (found.message == waits) == (not eligible)


# -- who leaves --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("budget", "leaves", "violations"),
    [
        pytest.param(a_budget("db", 0), "p5", 0, id="protected"),
        pytest.param(a_budget("db", 1), "p1", 0, id="the budget allows one"),
        pytest.param(a_budget("db", 0, disrupted=("p1",)), "p1", 0, id="is being disrupted already"),
        pytest.param(a_budget("db", 0, namespace="other"), "p1", 0, id="budget of another namespace"),
        pytest.param(a_budget("", 0), "p1", 0, id="an empty selector protects nobody"),
        pytest.param(
            {**a_budget("db", 0), "spec": {"selector": {"matchLabels": {"app": "not a value!"}}}},
            "p1",
            0,
            id="a selector that cannot be read protects nobody",
        ),
    ],
)
def test_who_is_protected_by_a_budget_is_spared_before_all_others(
    budget: Document, leaves: str, violations: int
) -> None:
    placed = (running("p1", "4", priority=1, labels={"app": "db"}), running("p5", "4", priority=5))

    found = preemption(incoming("4"), NODE, *placed, budget)

    assert [(c.victims, c.pdb_violations) for c in found.candidates] == [((f"default/{leaves}",), violations)]


def web(**more: Any) -> Document:
    return {"labelSelector": {"matchLabels": {"app": "web"}}, "topologyKey": HOSTNAME, **more}


ANTI = {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [web()]}}
PORT = [{"ports": [{"hostPort": 80}]}]


@pytest.mark.parametrize(
    ("asks", "has"),
    [
        pytest.param({"requests": {"cpu": "8"}}, {"requests": {"cpu": "1"}}, id="cpu"),
        pytest.param({"containers": PORT}, {"containers": PORT}, id="port"),
        pytest.param({"affinity": ANTI}, {"labels": {"app": "web"}}, id="own anti-affinity"),
        pytest.param({"labels": {"app": "web"}}, {"affinity": ANTI}, id="anti-affinity of the placed pod"),
    ],
)
def test_every_kind_of_obstacle_that_pods_make_can_leave(asks: dict[str, Any], has: dict[str, Any]) -> None:
    """The same obstacle stands on a second node, where its priority is too high."""
    placed = (a_pod("low", node="n", **has), a_pod("high", node="n2", priority=99, **has))

    assert victims(a_pod(priority=10, **asks), NODE, a_node("n2"), *placed) == {"n": ("low",)}


# -- where -------------------------------------------------------------------------------------------------------

LOWEST = -(2**31)


@pytest.mark.parametrize(
    ("loses", "wins"),
    [
        pytest.param([{"priority": 1, "labels": {"app": "db"}}], [{"priority": 9}], id="fewer budgets broken"),
        pytest.param([{"priority": 5}], [{"priority": 4}] * 3, id="the highest victim is lower"),
        pytest.param([{"priority": 5}, {"priority": 4}], [{"priority": 5}, {"priority": 3}], id="a lower sum"),
        pytest.param([{"priority": 5}, {"priority": LOWEST + 1}], [{"priority": 5}], id="a lower sum: one less"),
        # The sum counts every priority from the lowest possible one up, which itself adds nothing.
        pytest.param([{"priority": 5}, {"priority": LOWEST}], [{"priority": 5}], id="the same sum, fewer victims"),
        pytest.param(
            [{"priority": 5, "start": TEN}, {"priority": 4, "start": ELEVEN}],
            [{"priority": 5, "start": ELEVEN}, {"priority": 4, "start": TEN}],
            id="the most important victim started later",
        ),
        pytest.param(
            [{"priority": 5, "start": TEN}, {"priority": 5, "start": ELEVEN}],
            [{"priority": 5, "start": ELEVEN}, {"priority": 5, "start": ELEVEN}],
            id="the earliest of the most important victims started later",
        ),
    ],
)
def test_node_is_chosen_by_each_criterion_in_turn(loses: list[dict[str, Any]], wins: list[dict[str, Any]]) -> None:
    """The winner comes last by name, which decides nothing but ties."""
    placed = [
        running(f"{node}-{number}", "1", node=node, **kind)
        for node, kinds in (("a", loses), ("b", wins))
        for number, kind in enumerate(kinds)
    ]
    found = preemption(incoming("8"), a_node("a"), a_node("b"), *placed, a_budget("db", 0))

    assert [len(candidate.victims) for candidate in found.candidates] == [len(loses), len(wins)]
    assert known(found.selected).node == "b"


# -- nominated pods ----------------------------------------------------------------------------------------------


GPU_TAINTED = a_node("a", taints=[{"key": "gpu", "effect": "NoSchedule"}])


def preemptor(pod: Document, *objects: Document, **configuration: Any) -> Preemptor:
    return preemptor_of(explanation_of(pod, *objects, **configuration))


def threat(found: Preemptor, victim: Document) -> Threat:
    return threat_to(
        found,
        key_of(victim),
        node=victim["spec"]["nodeName"],
        priority=victim["spec"]["priority"],
        is_preempted=bool(victim["metadata"].get("deletionTimestamp")),
    )


def urgent(cpu: str, **more: Any) -> Document:
    return a_pod("urgent", priority=100, requests={"cpu": cpu}, **more)


LOW = running("low", "6", node="a")
SMALL = running("small", "1", node="a", priority=5)
OTHER = running("other", "6", node="b", priority=50)
HIGH = running("high", "1", node="b", priority=100)
NODES = (a_node("a"), a_node("b"))


def test_the_node_with_the_least_important_victims_is_selected_and_the_others_are_candidates() -> None:
    found = preemptor(urgent("6"), *NODES, LOW, SMALL, OTHER, HIGH)

    assert found.outcome is PreemptionOutcome.MAKES_ROOM
    assert found.selected == "a"
    assert threat(found, LOW) is Threat.SELECTED
    assert threat(found, SMALL) is Threat.SPARED
    assert threat(found, OTHER) is Threat.CANDIDATE
    assert threat(found, HIGH) is Threat.PRIORITY


@pytest.mark.parametrize(
    ("pod", "objects", "outcome"),
    [
        pytest.param(urgent("1"), (*NODES, LOW), PreemptionOutcome.FITS, id="fits"),
        pytest.param(urgent("9"), (*NODES, LOW), PreemptionOutcome.NOT_HELPFUL, id="larger than every node"),
        pytest.param(
            urgent("6", preemptionPolicy="Never"), (a_node("a"), LOW), PreemptionOutcome.NEVER, id="never preempts"
        ),
        pytest.param(
            urgent("6", schedulingGates=[{"name": "x"}]), (a_node("a"), LOW), PreemptionOutcome.GATED, id="gated"
        ),
        pytest.param(a_pod("equal", requests={"cpu": "6"}), (a_node("a"), LOW), PreemptionOutcome.LOWEST, id="lowest"),
        pytest.param(urgent("6"), (GPU_TAINTED, LOW), PreemptionOutcome.NOT_HELPFUL, id="a taint stays"),
    ],
)
def test_why_a_pending_pod_preempts_none(pod: Document, objects: tuple[Document, ...], outcome: Any) -> None:
    found = preemptor(pod, *objects)

    assert found.outcome is outcome
    assert found.candidates == {}
    assert threat(found, LOW) in (Threat.NONE, Threat.PRIORITY)


def test_a_profile_without_the_plugin_preempts_none() -> None:
    profiles = [{"plugins": {"postFilter": {"disabled": [{"name": "*"}]}}}]

    assert preemptor(urgent("6"), a_node("a"), LOW, profiles=profiles).outcome is PreemptionOutcome.NO_PLUGIN


def test_a_victim_that_terminates_is_what_the_nominated_pod_waits_for() -> None:
    leaving = running("low", "6", node="a")
    leaving["metadata"]["deletionTimestamp"] = "2026-01-01T10:00:30Z"
    condition = {"type": "DisruptionTarget", "status": "True", "reason": "PreemptionByScheduler"}
    leaving["status"]["conditions"] = [condition]
    beside = running("beside", "1", node="a")

    found = preemptor(urgent("6", nominated="a"), a_node("a"), leaving, beside)

    assert (found.outcome, found.node) == (PreemptionOutcome.TERMINATING, "a")
    assert threat(found, leaving) is Threat.LEAVING
    assert threat(found, beside) is Threat.NONE


@st.composite
def _clusters(draw: st.DrawFn) -> tuple[Document, list[Document]]:
    pods = [
        running(f"p{number}", str(draw(st.integers(1, 4))), node=draw(st.sampled_from("ab")),
                priority=draw(st.sampled_from([0, 5, 100, 200])), start=f"2026-01-01T10:00:{number:02}Z")
        for number in range(draw(st.integers(1, 6)))
    ]  # fmt: skip
    return urgent(str(draw(st.integers(1, 8)))), pods


@given(_clusters())
def test_nobody_is_threatened_whose_removal_with_the_lower_ones_is_of_no_use(
    drawn: tuple[Document, list[Document]],
) -> None:
    """By arithmetic of one resource alone: who may be a victim, and where."""
    pod, pods = drawn
    asked = int(pod["spec"]["containers"][0]["resources"]["requests"]["cpu"])

    def cpu(of: Document) -> int:
        return int(of["spec"]["containers"][0]["resources"]["requests"]["cpu"])

    used = {name: sum(cpu(each) for each in pods if each["spec"]["nodeName"] == name) for name in "ab"}
    found = preemptor(pod, *NODES, *pods)

    fits = any(8 - used[name] >= asked for name in "ab")
    for each in pods:
        node, priority = each["spec"]["nodeName"], each["spec"]["priority"]
        lower = sum(cpu(one) for one in pods if one["spec"]["nodeName"] == node and one["spec"]["priority"] < 100)
        makes_room = 8 - used[node] + lower >= asked
        said = threat(found, each)
        if priority >= 100:
            assert said is Threat.PRIORITY
        elif fits:
            assert said is Threat.NONE
        elif makes_room:
            assert said in (Threat.SELECTED, Threat.CANDIDATE, Threat.SPARED)
        else:
            assert said in (Threat.OTHER_NODES, Threat.NONE)


SPACES, APPS = ("shop", "bank"), ("web", "db")


@st.composite
def budgets(draw: st.DrawFn) -> Document:
    match: dict[str, Any] | None = draw(
        st.sampled_from(
            (
                None,
                {},
                {"matchLabels": {"app": "web"}},
                {"matchExpressions": [{"key": "app", "operator": "NotIn", "values": ["db"]}]},
                {"matchExpressions": [{"key": "app", "operator": "Resembles"}]},
            )
        )
    )
    return {
        "kind": "PodDisruptionBudget",
        "metadata": {"name": f"b{draw(st.integers(0, 9))}", "namespace": draw(st.sampled_from(SPACES))},
        "spec": {"selector": match},
        "status": {
            "disruptionsAllowed": draw(st.integers(-1, 2)),
            "disruptedPods": {f"p{draw(st.integers(0, 7))}": ""},
        },
    }


def naive(pods: list[Document], known: list[Document]) -> set[str]:
    left = {number: budget["status"]["disruptionsAllowed"] for number, budget in enumerate(known)}
    broken = set()
    for pod in pods:
        labels, meta = pod["metadata"]["labels"], pod["metadata"]
        for number, budget in enumerate(known):
            if budget["metadata"]["namespace"] != meta["namespace"] or not labels:
                continue
            try:
                selector = LabelSelector.from_dict(budget["spec"]["selector"])
            except SelectorError:
                continue
            disrupted = meta["name"] in budget["status"]["disruptedPods"]
            if not selector.matches_everything and selector.matches(labels) and not disrupted:
                left[number] -= 1
                if left[number] < 0:
                    broken.add(meta["name"])
    return broken


@given(
    known=st.lists(
        budgets(), max_size=6, unique_by=lambda each: (each["metadata"]["namespace"], each["metadata"]["name"])
    ),
    placed=st.lists(st.tuples(st.sampled_from(SPACES), st.sampled_from((*APPS, None))), max_size=8),
)
def test_victims_break_the_budgets_that_a_plain_loop_says(
    known: list[Document], placed: list[tuple[str, str | None]]
) -> None:
    pods = [
        a_pod(f"p{number}", namespace=namespace, node="n", labels={"app": app} if app else {})
        for number, (namespace, app) in enumerate(placed)
    ]
    snapshot = Snapshot.from_objects([a_node("n"), *pods, *known])
    queue = [snapshot.pods.slot_of[f"{pod['metadata']['namespace']}/{pod['metadata']['name']}"] for pod in pods]

    assert {snapshot.pods.name(slot) for slot in Protection(snapshot).violating(queue)} == naive(pods, known)


PROFILES = [{"schedulerName": "default-scheduler"}, {"schedulerName": "batch"}]


def pinned_to(node: str, **fields: str) -> Document:
    field = {"key": "metadata.name", "operator": "In", "values": [node]}
    required = {"nodeSelectorTerms": [{"matchFields": [field]}]}
    return a_pod(affinity={"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": required}}, **fields)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("fields", "counts"),
    [
        ({}, True),
        ({"schedulerName": "batch"}, True),
        ({"schedulerName": "another"}, False),
        ({"schedulingGates": [{"name": "wait"}]}, False),
    ],
)
def test_only_pods_in_the_schedulers_own_queue_take_room(fields: Document, counts: bool) -> None:
    other = a_pod("other", nominated="n0", priority=10, requests={"cpu": "1"}, **fields)

    assert explanation_of(a_pod(requests={"cpu": "7500m"}), a_node("n0"), other, profiles=PROFILES).fits is not counts


def test_a_nominated_node_that_is_left_out_is_tried_and_has_a_verdict_of_its_own() -> None:
    explanation = explanation_of(pinned_to("n0", nominated="n1"), a_node("n0", unschedulable=True), a_node("n1"))

    assert explanation.fit_error == (
        "0/2 nodes are available: 1 node(s) didn't match Pod's node affinity/selector, 1 node(s) were unschedulable."
    )


def leaving(name: str, *, priority: int = 0, node: str = "n") -> Document:
    pod = a_pod(name, node=node, requests={"cpu": "8"}, priority=priority)
    return {**pod, "metadata": {**pod["metadata"], "deletionTimestamp": "2026-01-01T00:00:00Z"}}


def waits(*others: Document, nominated: str | None = "n", priority: int = 10) -> Awaited | None:
    pod = a_pod("urgent", requests={"cpu": "4"}, nominated=nominated, priority=priority)
    return awaited(explanation_of(pod, a_node("n"), a_node("m"), *others))


FULL = a_pod("full", node="m", requests={"cpu": "8"}, priority=20)


def test_terminating_pods_of_lower_priority_on_its_node_are_named() -> None:
    assert waits(*[leaving("low"), leaving("equal", priority=10), FULL]) == Awaited("n", ("default/low",))


def test_a_pod_that_fits_or_is_not_nominated_waits_for_nobody() -> None:
    assert waits(FULL) is None
    assert waits(leaving("low"), FULL, nominated=None) is None
    assert waits(leaving("low"), FULL, nominated="gone") is None


def test_a_pod_that_would_preempt_once_more_does_not_wait() -> None:
    assert waits(a_pod("low", node="n", requests={"cpu": "8"}), FULL) is None


def test_a_pod_whose_node_was_taken_by_others_waits_for_none_of_them() -> None:
    assert waits(a_pod("high", node="n", requests={"cpu": "8"}, priority=20), FULL) == Awaited("n", ())


NOMINEE = a_pod("nominee", nominated="n", requests={"cpu": "3"}, priority=10, labels={"app": "web"})


def test_room_kept_for_a_nominated_pod_is_in_the_sum_and_names_it() -> None:
    placed = a_pod("p", node="n", requests={"cpu": "4"})
    explanation = explanation_of(a_pod(requests={"cpu": "2"}), a_node("n"), placed, NOMINEE)

    cpu = explanation.evidence(0)["NodeResourcesFit"][1]

    assert explanation.decided_by_nominated(0)
    assert explanation.nominated_on(0) == ["default/nominee"]
    assert cpu == ResourceComparison("cpu", 2000, 8000, 4000, (NominatedRequest("default/nominee", 3000),))
    assert (cpu.reserved, cpu.free, cpu.missing, cpu.holds) == (3000, 1000, 1000, False)


def test_neighbours_and_domains_count_nominated_pods() -> None:
    term = {"labelSelector": {"matchLabels": {"app": "web"}}, "topologyKey": ZONE}
    spread = {"maxSkew": 1, "topologyKey": ZONE, "labelSelector": {"matchLabels": {"app": "web"}}}
    placed = a_pod("p", node="n", labels={"app": "web"})
    pod = a_pod(
        labels={"app": "web"},
        affinity={"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [term]}},
        topologySpreadConstraints=[spread],
    )

    explanation = explanation_of(pod, a_node("n", zone="a"), a_node("m", zone="b"), placed, NOMINEE)

    found = explanation.evidence(explanation.snapshot.nodes.index["n"])
    apart, even = found["InterPodAffinity"][0], found["PodTopologySpread"][0]
    assert isinstance(apart, TermComparison)
    assert isinstance(even, DomainComparison)
    assert (apart.value, apart.count) == ("a", 2)
    assert apart.pods == (CountedPod("default/nominee", nominated=True), CountedPod("default/p"))
    assert (even.count, even.skew, even.nominated) == (2, 3, ("default/nominee",))


def test_ports_and_disks_name_the_nominated_pod_that_holds_them() -> None:
    ports = [{"name": "c", "ports": [{"containerPort": 80, "hostPort": 80}]}]
    disk = {"gcePersistentDisk": {"pdName": "one"}}
    nominee = a_pod("nominee", nominated="n", priority=10, containers=ports, volumes=[disk])

    found = explanation_of(a_pod(containers=ports, volumes=[disk]), a_node("n"), nominee).evidence(0)

    (port,), (mounted,) = found["NodePorts"], found["VolumeRestrictions"]
    assert isinstance(port, PortComparison)
    assert isinstance(mounted, DiskComparison)
    assert port.holders == mounted.holders == (CountedPod("default/nominee", nominated=True),)
    assert not port.holds
    assert not mounted.holds


@settings(max_examples=40)
@given(
    st.lists(nodes(), min_size=1, max_size=4, unique_by=lambda node: node["metadata"]["name"]),
    st.lists(pods(placed=True), max_size=8, unique_by=lambda pod: pod["metadata"]["name"]),
    pods(placed=False),
)
def test_evidence_agrees_with_the_filter_in_the_world_that_decides(
    nodes: list[Document], placed: list[Document], pod: Document
) -> None:
    explanation = explain(
        Snapshot.from_objects([*nodes, *placed]), pod, SchedulerConfiguration.default().profile_for(pod)
    )

    assert_agreement(explanation)


def assert_agreement(explanation: Explanation) -> None:
    """A filter rejects a node exactly where something that it compared there does not hold."""
    for row in range(explanation.node_count):
        failing = {**explanation.rejections_of(row), **explanation.rejections_with_nominated(row)}
        for plugin, found in explanation.evidence(row).items():
            assert all(each.holds for each in found) == (plugin not in failing), (plugin, row, found)


def claimed_by(claim: str) -> Document:
    return {"namespace": "default", "name": claim, "uid": f"uid-{claim}"}


STORAGE = (
    a_class(allowedTopologies=[{"matchLabelExpressions": [{"key": ZONE, "values": ["a", "c"]}]}]),
    a_claim("exclusive", volume="pv-exclusive", modes=("ReadWriteOncePod",)),
    a_volume("pv-exclusive", csi=csi("exclusive"), claimRef=claimed_by("exclusive")),
    a_claim("in-a", volume="pv-in-a"),
    a_volume("pv-in-a", affinity=on(ZONE, "a"), csi=csi("in-a"), claimRef=claimed_by("in-a")),
    a_claim("labelled-b", volume="pv-labelled-b"),
    a_volume("pv-labelled-b", labels={ZONE: "b"}, csi=csi("labelled-b"), claimRef=claimed_by("labelled-b")),
    a_claim("waiting"),
)
VOLUMES = (
    {"gcePersistentDisk": {"pdName": "disk"}},
    {"gcePersistentDisk": {"pdName": "disk", "readOnly": True}},
    *(uses(name) for name in ("exclusive", "in-a", "labelled-b", "waiting")),
)
SOME_VOLUMES = st.lists(st.sampled_from(VOLUMES), max_size=3)


@settings(deadline=None, max_examples=80)
@given(
    st.lists(st.sampled_from(("a", "b", "c", "")), min_size=1, max_size=3),
    st.lists(st.sampled_from((0, 1, 2, None)), min_size=3, max_size=3),
    st.lists(
        st.tuples(st.integers(0, 2), st.booleans(), SOME_VOLUMES, st.sampled_from(("default", "other"))), max_size=4
    ),
    st.lists(st.sampled_from(VOLUMES), min_size=1, max_size=3, unique_by=repr),
)
def test_evidence_of_volumes_agrees_with_the_filter_in_the_world_that_decides(
    zones: list[str],
    limits: list[int | None],
    others: list[tuple[int, bool, list[Document], str]],
    volumes: list[Document],
) -> None:
    names = [f"n{number}" for number in range(len(zones))]
    nodes = [a_node(name, zone=zone) if zone else a_node(name) for name, zone in zip(names, zones, strict=True)]
    csi_nodes = [a_csi_node(name, {"csi.example": limit}) for name, limit in zip(names, limits, strict=False)]
    placed = [
        a_pod(
            f"p{number}",
            namespace=namespace,
            volumes=mounted,
            priority=10,
            node=None if nominated else names[place % len(names)],
            nominated=names[place % len(names)] if nominated else None,
        )
        for number, (place, nominated, mounted, namespace) in enumerate(others)
    ]

    assert_agreement(explanation_of(a_pod(volumes=volumes), *nodes, *csi_nodes, *STORAGE, *placed))
