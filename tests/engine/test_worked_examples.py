"""The worked examples of the Kubernetes documentation, by number, as far as they concern the engine.

Each is proven by the scheduler's own answer, in the corpus ``examples``, or in a test whose name begins with its
number, here or elsewhere (``test_e26_e27_…`` proves two).
"""

from __future__ import annotations

import re
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from clusters.engine import Snapshot
from clusters.engine.disruption import EvictionAnswer, Ground, charged, eviction_answer
from clusters.engine.plugin import normalise_by_maximum
from clusters.engine.plugins.node_volume_limits import VolumeLimitReached
from clusters.engine.plugins.volume_binding import NoVolume
from clusters.engine.quantity import whole_value
from clusters.engine.resources import pod_amounts
from clusters.engine.scheduling import Sampling
from clusters.engine.status import SUCCESS, Code, Status, unresolvable, unschedulable
from tests.engine.builders import (
    Document,
    a_node,
    a_pod,
    explanation_of,
)
from tests.engine.disruption.builders import a_budget, a_deployment, leaving, reporting, running, synced, the_state
from tests.engine.oracle import cases
from tests.engine.storage_builders import a_claim, a_class, a_csi_node, a_volume, csi, uses

FIRST, LAST = 1, 73
VARIANTS = ("E11b", "E15b", "E62b")


FOO = "example.com/foo"


def numbers_of(name: str) -> set[str]:
    """The examples that a test's name begins with."""
    return {number.upper().replace("B", "b") for number in re.findall(r"e\d\db?(?=_)", name)}


def test_every_example_is_proven_by_a_test_of_its_number_or_by_the_scheduler_itself() -> None:
    tests = Path(__file__).parents[1].rglob("test_*.py")
    found = chain(*(re.findall(r"def test_((?:e\d\db?_)+)", path.read_text("utf-8")) for path in tests))
    recorded = set(re.findall(r"E\d\db?", " ".join(cases("examples"))))
    assert {*(f"E{number:02}" for number in range(FIRST, LAST + 1)), *VARIANTS} == recorded.union(
        *map(numbers_of, found)
    )


# -- inter-pod affinity --------------------------------------------------------------------------------------


def tenant_pod(tenant: str) -> Document:
    """A pod as the API server stores it: matchLabelKeys and mismatchLabelKeys are merged into the selectors."""
    same = {
        "matchLabelKeys": ["tenant"],
        "labelSelector": {"matchExpressions": [{"key": "tenant", "operator": "In", "values": [tenant]}]},
        "topologyKey": "node-pool",
    }
    other = {
        "mismatchLabelKeys": ["tenant"],
        "labelSelector": {
            "matchExpressions": [
                {"key": "tenant", "operator": "Exists"},
                {"key": "tenant", "operator": "NotIn", "values": [tenant]},
            ]
        },
        "topologyKey": "node-pool",
    }
    rule = "requiredDuringSchedulingIgnoredDuringExecution"
    affinity = {"podAffinity": {rule: [same]}, "podAntiAffinity": {rule: [other]}}
    return a_pod("incoming", labels={"tenant": tenant}, affinity=affinity)


# A DaemonSet's pod without a tenant runs everywhere; the last pool has nothing but that.
POOLS = (
    *(a_node(f"node-{pool}", labels={"node-pool": f"pool-{pool}"}) for pool in "abc"),
    *(a_pod(f"agent-{pool}", node=f"node-{pool}") for pool in "abc"),
    a_pod("a-1", node="node-a", labels={"tenant": "tenant-a"}),
    a_pod("b-1", node="node-b", labels={"tenant": "tenant-b"}),
)


@pytest.mark.parametrize(
    ("tenant", "node"),
    [("tenant-a", "node-a"), ("tenant-b", "node-b"), pytest.param("tenant-c", "node-c", id="first pod of its tenant")],
)
def test_e22_match_label_keys_keep_tenants_apart(tenant: str, node: str) -> None:
    assert explanation_of(tenant_pod(tenant), *POOLS).feasible == [node]


# -- one node ------------------------------------------------------------------------------------------------


def test_e23_node_name_admits_that_node_only() -> None:
    named = a_pod(nodeName="kube-01")

    assert explanation_of(named, a_node("kube-01"), a_node("kube-02")).feasible == ["kube-01"]
    assert explanation_of(named, a_node("kube-02")).fit_error == (
        "0/1 nodes are available: 1 node(s) didn't match the requested node name."
    )


def test_e30_scheduling_gates_hold_a_pod_back_until_all_are_gone() -> None:
    waiting = "waiting for scheduling gates: [example.com/foo example.com/bar]"

    gated = explanation_of(a_pod(schedulingGates=[{"name": FOO}, {"name": "example.com/bar"}]), a_node("node-2"))
    assert (gated.gates.code, gated.gates.said) == (Code.UNRESOLVABLE, waiting)
    assert gated.best == ["node-2"]
    assert explanation_of(a_pod(schedulingGates=[]), a_node("node-2")).gates == SUCCESS


# -- how many nodes are searched, and scores -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("nodes", "percentage", "wanted"),
    [
        # Unset, or 0: 50 - nodes / 125 percent, never below 5, and never fewer than 100 nodes.
        pytest.param(100, 0, 100, id="50 percent of 100 is less than 100 nodes"),
        pytest.param(500, 0, 230, id="46 percent of 500"),
        pytest.param(1000, 0, 420, id="42 percent of 1000"),
        pytest.param(5000, 0, 500, id="10 percent of 5000"),
        pytest.param(6000, 0, 300, id="5 percent of 6000, not 2"),
        pytest.param(5000, 50, 2500, id="50 percent if asked for"),
        pytest.param(1000, 1, 100, id="1 percent of 1000 is less than 100 nodes"),
    ],
)
def test_e26_percentage_of_nodes_to_score(nodes: int, percentage: int, wanted: int) -> None:
    assert Sampling.of(percentage, nodes).wanted == wanted


@pytest.mark.parametrize(
    ("counts", "normalised"),
    [([0, 2, 3, 5], [0, 40, 60, 100]), ([1, 3], [33, 100]), ([0, 0], [0, 0])],
    ids=["five lights", "truncated", "no light at all"],
)
def test_e31_scores_are_scaled_by_the_highest(counts: list[int], normalised: list[int]) -> None:
    assert normalise_by_maximum(np.array(counts)).tolist() == normalised


# -- requests ------------------------------------------------------------------------------------------------


def with_requests(*containers: dict[str, str], starting: tuple[dict[str, str], ...] = ()) -> Document:
    def entries(kind: str, wanted: tuple[dict[str, str], ...]) -> list[Document]:
        return [{"name": f"{kind}{n}", "resources": {"requests": requests}} for n, requests in enumerate(wanted)]

    return {"spec": {"containers": entries("c", containers), "initContainers": entries("i", starting)}}


@pytest.mark.parametrize(
    ("container", "amounts"),
    [
        ({"cpu": "250m", "memory": "64Mi"}, {"cpu": 500, "memory": 128 * 1024**2}),
        ({"ephemeral-storage": "2Gi"}, {"ephemeral-storage": 4 * 1024**3}),
    ],
)
def test_e34_e35_two_containers_request_twice_as_much(container: dict[str, str], amounts: dict[str, int]) -> None:
    assert pod_amounts(with_requests(container, container)) == amounts


@pytest.mark.parametrize(
    ("text", "bytes_"),
    [("128974848", 128974848), ("129e6", 129000000), ("129M", 129000000), ("123Mi", 123 * 1024**2)],
)
def test_e36_one_amount_of_memory_in_four_spellings(text: str, bytes_: int) -> None:
    assert whole_value(text) == bytes_
    assert abs(whole_value(text) - 128974848) / 128974848 < 0.001


@pytest.mark.parametrize(
    ("quantity", "units"),
    # The API server admits whole numbers only; the scheduler would round the last two up.
    [("3", 3), ("3000m", 3), ("3Ki", 3072), ("0.5", 1), ("1500m", 2)],
)
def test_e39_quantities_of_extended_resources(quantity: str, units: int) -> None:
    nodes = [a_node(f"with-{count}", allocatable={FOO: str(count)}) for count in (units - 1, units)]

    assert explanation_of(a_pod(requests={FOO: quantity}), *nodes).feasible == [f"with-{units}"]


def test_e40_two_healthy_devices() -> None:
    foo = "hardware-vendor.example/foo"
    nodes = [a_node(f"with-{count}", allocatable={foo: str(count)}) for count in (1, 2, 3)]

    assert explanation_of(a_pod("demo-pod", requests={foo: "2"}), *nodes).feasible == ["with-2", "with-3"]
    placed = a_pod("demo-pod", requests={foo: "2"}, node="with-3")
    assert explanation_of(a_pod(requests={foo: "1"}), *nodes, placed).feasible == ["with-1", "with-2", "with-3"]
    assert explanation_of(a_pod(requests={foo: "2"}), *nodes, placed).feasible == ["with-2"]


@pytest.mark.parametrize(
    ("running", "starting", "milli"),
    [
        pytest.param(("300m", "400m"), ("600m",), 700, id="sum of the containers"),
        pytest.param(("300m", "400m"), ("600m", "900m"), 900, id="highest of the init containers"),
        pytest.param(("300m",), ("200m", "200m"), 300, id="init containers are not added up"),
    ],
)
def test_e73_effective_request(running: tuple[str, ...], starting: tuple[str, ...], milli: int) -> None:
    pod = with_requests(*({"cpu": cpu} for cpu in running), starting=tuple({"cpu": cpu} for cpu in starting))

    assert pod_amounts(pod) == {"cpu": milli}


# -- preemption ----------------------------------------------------------------------------------------------


def test_e55_place_of_a_nominated_pod() -> None:
    """The victims are gone, the pod that they left for is not yet there."""
    nominated = a_pod("p", priority=100, requests={"cpu": "8"}, nominated="node-n")
    nodes = (a_node("node-n"),)

    def waiting(priority: int) -> bool:
        return explanation_of(a_pod("q", priority=priority, requests={"cpu": "1"}), *nodes, nominated).fits

    assert [waiting(priority) for priority in (99, 100, 101)] == [False, False, True]
    assert explanation_of(nominated, *nodes, a_node("node-m"), nominated).feasible == ["node-m", "node-n"]


# -- volumes -------------------------------------------------------------------------------------------------

STATIC = a_class(provisioner="kubernetes.io/no-provisioner")
CLAIMING = a_pod(volumes=[uses("data")])


def test_e70_claim_waits_for_a_volume_that_is_large_enough() -> None:
    small = [a_volume(f"pv-{number}", size="50Gi") for number in range(3)]
    objects = (a_node("node"), STATIC, a_claim("data", size="100Gi"), *small)

    assert explanation_of(CLAIMING, *objects).rejections_of(0) == {"VolumeBinding": unresolvable(NoVolume())}
    assert explanation_of(CLAIMING, *objects, a_volume("pv-large", size="100Gi")).fits


@pytest.mark.parametrize(
    ("volume", "claim", "bound"),
    [
        (None, None, True),
        (None, "Filesystem", True),
        (None, "Block", False),
        ("Block", "Block", True),
        ("Block", None, False),
        ("Block", "Filesystem", False),
        ("Filesystem", "Filesystem", True),
        ("Filesystem", "Block", False),
        ("Filesystem", None, True),
    ],
)
def test_e71_volume_modes(volume: str | None, claim: str | None, bound: bool) -> None:
    pv, pvc = a_volume("pv", volumeMode=volume), a_claim("data", volumeMode=claim)

    assert explanation_of(CLAIMING, a_node("node"), STATIC, pv, pvc).fits == bound


@pytest.mark.parametrize("limit", [25, 39, 64])
def test_e72_node_with_all_volumes_attached_is_no_target(limit: int) -> None:
    def rejections(attached: int) -> dict[str, Status]:
        held = [
            part
            for number in range(attached)
            for part in (
                a_claim(f"claim-{number}", volume=f"pv-{number}"),
                a_volume(f"pv-{number}", csi=csi(f"disk-{number}")),
                a_pod(f"pod-{number}", node="node", volumes=[uses(f"claim-{number}")]),
            )
        ]
        new = (a_claim("data", volume="pv"), a_volume("pv", csi=csi("disk")))
        nodes = (a_node("node", zone="z"), a_csi_node("node", {"csi.example": limit}))
        return explanation_of(CLAIMING, *nodes, *held, *new).rejections_of(0)

    assert rejections(limit - 1) == {}
    assert rejections(limit) == {"NodeVolumeLimits": unschedulable(VolumeLimitReached())}


# -- disruptions ---------------------------------------------------------------------------------------------


def test_e56_a_drain_waits_for_replacements_and_then_for_room() -> None:
    nodes = [a_node(f"node-{number}") for number in (1, 2, 3)]
    deployment, replica_set = a_deployment(3)
    fixed = [*nodes, deployment, replica_set]
    a, b, c = (running(f"pod-{name}", f"node-{n}", owner=replica_set) for n, name in enumerate("abc", start=1))
    x = running("pod-x", "node-1", labels={"app": "unrelated"})
    budget = a_budget(minAvailable=2)

    def answers(budget: Document, pods: list[Document], *evicted: Document) -> list[tuple[int, Ground]]:
        """The answers to evictions, each at the expense of the budget as the one before it left it."""
        snapshot = Snapshot.from_objects([*fixed, *pods, budget])
        found: list[EvictionAnswer] = []
        for pod in evicted:
            found.append(eviction_answer(snapshot, pod))
            if found[-1].is_charged:
                budget = dict(charged(budget, pod["metadata"]["name"], "2026-01-01T00:00:00Z"))
                snapshot.delete(pod).upsert(leaving(pod)).upsert(budget)
        return [(answer.code, answer.ground) for answer in found]

    granted, refused = (200, Ground.WITHIN_BUDGET), (429, Ground.EXHAUSTED)
    # Draining node-1: both of its pods go at once.
    pods = [a, b, c, x]
    assert answers(synced(budget, *fixed, *pods), pods, a, x) == [granted, (200, Ground.NO_BUDGET)]
    # While pod-d starts two are available, and neither node-2 nor node-3 can be drained.
    starting = running("pod-d", "node-2", owner=replica_set, ready=False, phase="Pending")
    pods = [leaving(a), b, c, starting]
    assert answers(synced(budget, *fixed, *pods), pods, b, c) == [refused, refused]
    # Once it runs, draining node-2 takes pod-b and stops at pod-d.
    d = running("pod-d", "node-2", owner=replica_set)
    pods = [b, c, d]
    assert answers(synced(budget, *fixed, *pods), pods, b, d) == [granted, refused]
    # pod-e finds no room, so it stays like that until there is another node.
    e = running("pod-e", owner=replica_set, ready=False, phase="Pending")
    waiting = synced(budget, *fixed, c, d, others=[e])
    assert answers(waiting, [c, d], c, d) == [refused, refused]
    state = the_state(*fixed, c, d, waiting, others=[e])
    assert (state.nodes.blocked, state.unhealthy, state.is_blocker) == (("node-2", "node-3"), ("default/pod-e",), False)
    more = [c, d, running("pod-e", "node-1", owner=replica_set)]
    assert answers(synced(budget, *fixed, *more), more, d) == [granted]


def test_e58_the_answers_to_an_eviction() -> None:
    quux = running("quux", "node")
    allowing = reporting(a_budget(maxUnavailable=1), disruptionsAllowed=1, currentHealthy=1)
    refusing = reporting(a_budget("strict", minAvailable=1), currentHealthy=1, desiredHealthy=1)
    wanted = (((), 200), ((allowing,), 200), ((refusing,), 429), ((allowing, refusing), 500))

    for budgets, code in wanted:
        assert eviction_answer(Snapshot.from_objects([a_node("node"), quux, *budgets]), quux).code == code


# -- inter-pod affinity --------------------------------------------------------------------------------------


MATCHING = {"foo": "bar"}


def incoming(*constraints: Document, labels: dict[str, str] = MATCHING, **spec: Any) -> Document:
    return a_pod("mypod", labels=labels, topologySpreadConstraints=list(constraints), **spec)


HALF, NEARLY_ALL = {"cpu": "500m"}, {"cpu": "900m"}
