"""Who goes under memory pressure, compared with the kubelet's own comparison, and from a node that fails."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, strategies as st

from clusters.engine import Snapshot
from clusters.engine.disruption import (
    LostNodeStep,
    NodeFault,
    fault_outlooks,
    fault_removals,
    lost_node_events,
    removals_on,
)
from clusters.engine.disruption.failing_nodes import taint_stay, tolerated_seconds
from clusters.engine.kubelet import (
    API_VERSION,
    KIND,
    KnownMemory,
    KubeletSettings,
    PressureRank,
    Signal,
    pressure_order,
    reservations,
)
from clusters.engine.kubelet.containers import CRITICAL
from clusters.engine.nodes import ZoneState
from clusters.engine.objects import Pod
from clusters.engine.taints import Taint
from clusters.engine.volumes import ExclusiveVolume, exclusive_volumes
from tests.engine.builders import a_node, a_pod
from tests.engine.storage_builders import a_claim, a_csi_node, a_volume, csi, uses

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tests.engine.builders import Document


MIB = 2**20

_MIRROR = [{"apiVersion": "v1", "kind": "Node", "name": "n1", "uid": "n1", "controller": True}]


def a_container(requests: str = "", limits: str = "", **other: Any) -> Document:
    """A container with this much memory, each as Kubernetes writes it; empty is none."""
    resources = {kind: {"memory": amount} for kind, amount in (("requests", requests), ("limits", limits)) if amount}
    return {"name": "main", "resources": resources, **other}


def a_pod_of_pressure(
    name: str, *containers: Document, priority: int = 0, phase: str = "Running", **spec: Any
) -> Document:
    return {
        "kind": "Pod",
        "metadata": {"name": name, "namespace": "shop", "ownerReferences": spec.pop("owners", [])},
        "spec": {"containers": list(containers) or [a_container()], "priority": priority, "nodeName": "n1", **spec},
        "status": {"phase": phase},
    }


def ranks(*pods: Document) -> dict[str, tuple[KnownMemory, int, int]]:
    return {each.key.partition("/")[2]: (each.standing, each.earliest, each.latest) for each in pressure_order(pods)}


def by_usage(found: list[PressureRank], usage: Mapping[str, int | None]) -> list[str]:
    """The kubelet's own order where usage is known; None where the kubelet has no statistics of a pod."""

    def key(rank: PressureRank) -> tuple[int, int, int]:
        used = usage[rank.key]
        if used is None:
            return (0, rank.priority, 0)
        return (1 if used > rank.requested else 2, rank.priority, rank.requested - used)

    evictable = [rank for rank in found if not rank.standing.is_exempt]
    return [rank.key for rank in sorted(evictable, key=key)]


@pytest.mark.parametrize(
    ("pod", "standing"),
    [
        (a_pod_of_pressure("critical", priority=CRITICAL), KnownMemory.CRITICAL),
        (a_pod_of_pressure("static", owners=_MIRROR), KnownMemory.STATIC),
    ],
)
def test_critical_pods_are_passed_over(pod: Document, standing: KnownMemory) -> None:
    assert pressure_order([pod, a_pod_of_pressure("other", a_container("1Gi", "1Gi"))])[-1].standing is standing
    assert ranks(pod)[pod["metadata"]["name"]] == (standing, 0, 0)


def test_pod_of_which_nothing_runs_may_have_no_statistics_and_then_comes_first() -> None:
    found = ranks(
        a_pod_of_pressure("starting", a_container("1Gi", "1Gi"), phase="Pending", priority=9), a_pod_of_pressure("bare")
    )

    assert found == {"starting": (KnownMemory.STARTING, 1, 2), "bare": (KnownMemory.NOTHING_REQUESTED, 1, 2)}


@pytest.mark.parametrize(
    ("containers", "spec", "standing"),
    [
        ([a_container("1Gi", "1Gi"), a_container("1Gi")], {}, KnownMemory.UNLIMITED),
        ([a_container("1Gi", "1Gi"), a_container("1Gi", "1Gi")], {}, KnownMemory.CAPPED),
        ([a_container("1Gi", "1Gi")], {"initContainers": [a_container("", "3Gi")]}, KnownMemory.ABOVE_REQUEST),
        ([a_container("1Gi", "1Gi")], {"initContainers": [a_container("3Gi", "3Gi")]}, KnownMemory.CAPPED),
        ([a_container("1Gi", "1Gi")], {"initContainers": [a_container("1Gi")]}, KnownMemory.UNLIMITED),
        (
            [a_container("1Gi", "1Gi")],
            {"initContainers": [a_container("1Gi", "1Gi", restartPolicy="Always")]},
            KnownMemory.SIDECARS,
        ),
        ([a_container("1Gi", "1Gi")], {"ephemeralContainers": [{"name": "debug"}]}, KnownMemory.UNLIMITED),
        (
            [a_container()],
            {"resources": {"requests": {"memory": "1Gi"}, "limits": {"memory": "1Gi"}}},
            KnownMemory.CAPPED,
        ),
        ([a_container()], {"resources": {"requests": {"memory": "1Gi"}}}, KnownMemory.UNLIMITED),
        # Measured by its own level alone, where it requests no memory.
        ([a_container("1Gi", "1Gi")], {"resources": {"requests": {"cpu": "1"}}}, KnownMemory.NOTHING_AS_A_WHOLE),
        ([a_container("1Gi", "1Gi")], {"resources": {"limits": {"cpu": "1"}}}, KnownMemory.NOTHING_AS_A_WHOLE),
        ([a_container("1Gi", "1Gi")], {"resources": {"requests": {}}}, KnownMemory.CAPPED),
        ([a_container("1Gi", "1Gi")], {"overhead": {"memory": "100Mi"}}, KnownMemory.CAPPED),
        ([a_container()], {"overhead": {"memory": "100Mi"}}, KnownMemory.NOTHING_REQUESTED),
    ],
)
def test_standing_follows_from_requests_and_limits(
    containers: list[Document], spec: dict[str, Any], standing: KnownMemory
) -> None:
    assert ranks(a_pod_of_pressure("pod", *containers, **spec))["pod"][0] is standing


amounts = st.sampled_from(("", "64Mi", "128Mi", "256Mi"))


@st.composite
def running(draw: st.DrawFn, name: str) -> Document:
    requests, limits = draw(amounts), draw(amounts)
    if limits and (not requests or int(requests[:-2]) > int(limits[:-2])):
        requests = limits
    return a_pod_of_pressure(
        name,
        a_container(requests, limits),
        priority=draw(st.sampled_from((0, 0, 5, 1000, CRITICAL))),
        phase=draw(st.sampled_from(("Running", "Running", "Pending"))),
    )


@st.composite
def measured(draw: st.DrawFn) -> tuple[list[Document], dict[str, int | None]]:
    """Pods of a node, and usage of each that its limits allow."""
    pods = [draw(running(f"p{number}")) for number in range(draw(st.integers(1, 7)))]
    usage: dict[str, int | None] = {}
    for rank in pressure_order(pods):
        top = 512 * MIB if rank.limited is None else rank.limited
        options = st.integers(1, top)
        usage[rank.key] = draw(st.none() | options if rank.standing is KnownMemory.STARTING else options)
    return pods, usage


@given(measured())
def test_kubelets_order_keeps_every_pod_within_its_ranks(drawn: tuple[list[Document], dict[str, int | None]]) -> None:
    pods, usage = drawn
    found = pressure_order(pods)
    order = by_usage(found, usage)

    for rank in found:
        if rank.standing.is_exempt:
            assert rank.key not in order
        else:
            assert rank.earliest <= 1 + order.index(rank.key) <= rank.latest


@given(measured(), st.sets(st.integers(0, 6)))
def test_known_usage_narrows_the_ranks_and_all_of_it_gives_the_kubelets_order(
    drawn: tuple[list[Document], dict[str, int | None]], hidden: set[int]
) -> None:
    pods, usage = drawn
    shown = {key: used for number, (key, used) in enumerate(usage.items()) if number not in hidden}
    some, every = pressure_order(pods, shown), pressure_order(pods, usage)
    blind = {rank.key: rank for rank in pressure_order(pods)}
    order = by_usage(every, usage)

    for rank in some:
        if rank.standing.is_exempt:
            continue
        assert blind[rank.key].earliest <= rank.earliest <= 1 + order.index(rank.key) <= rank.latest
        if None not in usage.values():
            exact = next(each for each in every if each.key == rank.key)
            # Equals share their ranks, and stand beside each other in the plain order.
            assert exact.earliest <= 1 + order.index(rank.key) <= exact.latest
            equals = [each for each in every if each.earliest == exact.earliest]
            assert exact.latest - exact.earliest + 1 == len(equals)


def resources(**kinds: dict[str, str]) -> Document:
    return {"name": "main", "resources": kinds}


GIB = 2**30


def requesting(resources: Document) -> Document:
    return {"metadata": {"name": "web"}, "spec": {"containers": [{"name": "main", "resources": resources}]}}


def settings(**fields: Any) -> KubeletSettings:
    return KubeletSettings.from_dict({"apiVersion": API_VERSION, "kind": KIND, **fields})


def test_e62_what_is_reserved_includes_the_amount_that_the_threshold_covers() -> None:
    found = settings(evictionHard={"memory.available": "500Mi"}, systemReserved={"memory": "1.5Gi"})
    (memory,) = reservations({"status": {"capacity": {"memory": "10Gi"}, "allocatable": {"memory": "8204Mi"}}}, found)

    assert memory.reserved == GIB + 512 * MIB
    # 10 GiB less 1.5 GiB less 500 MiB.
    assert (memory.expected, memory.beyond) == (8204 * MIB, 0)
    # Evicted is from 95 % used on, with 10 % for the system in use.
    assert round(100 * (1 - memory.threshold / memory.capacity)) == 95


def test_e63_usage_above_the_request_goes_first_then_priority_then_how_far_above() -> None:
    def pod(name: str, request: str, priority: int, **resources: Document) -> Document:
        found = requesting({"requests": {"memory": request}, **resources} if request else {})
        return {
            **found,
            "metadata": {"name": name, "namespace": "shop"},
            "spec": {**found["spec"], "priority": priority},
        }

    guaranteed = {"limits": {"memory": "1Gi", "cpu": "1"}, "requests": {"memory": "1Gi", "cpu": "1"}}
    pods = {
        # Of the lowest priority, and within its request.
        "modest": (pod("modest", "1Gi", 0), 1023 * MIB),
        "guaranteed": (pod("guaranteed", "1Gi", 500, **guaranteed), 900 * MIB),
        "above": (pod("above", "1Gi", 1000), 1100 * MIB),
        "further-above": (pod("further-above", "1Gi", 1000), 1200 * MIB),
        "best-effort": (pod("best-effort", "", 1000), 50 * MIB),
        "above-low": (pod("above-low", "1Gi", 10), 1025 * MIB),
    }
    found = pressure_order(
        [each for each, _ in pods.values()], {f"shop/{name}": used for name, (_, used) in pods.items()}
    )

    assert [each.key.partition("/")[2] for each in found] == [
        "above-low", "further-above", "above", "best-effort", "modest", "guaranteed",
    ]  # fmt: skip
    assert [(each.earliest, each.latest) for each in found] == [(rank, rank) for rank in range(1, 7)]


NOT_READY, UNREACHABLE = "node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"


# What the admission plugin DefaultTolerationSeconds adds.
USUAL = [
    {"key": key, "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 300}
    for key in (NOT_READY, UNREACHABLE)
]
DAEMON: list[dict[str, object]] = [
    {"key": key, "operator": "Exists", "effect": "NoExecute"} for key in (NOT_READY, UNREACHABLE)
]


def cluster(*pods: dict[str, object]) -> Snapshot:
    return Snapshot.from_objects([*(a_node(f"a{number}", zone="a") for number in range(4)), *pods])


@pytest.mark.parametrize(
    ("tolerations", "unreachable", "not_ready"),
    [
        pytest.param(USUAL, 350, 300, id="five minutes by default"),
        pytest.param([USUAL[0], {**USUAL[1], "tolerationSeconds": 6000}], 6050, 300, id="longer on a silent node"),
        pytest.param(DAEMON, None, None, id="pods of DaemonSets are never evicted"),
    ],
)
def test_e15_how_long_a_pod_stays(
    tolerations: list[dict[str, object]], unreachable: int | None, not_ready: int | None
) -> None:
    removals = fault_removals(fault_outlooks(cluster(), "a0", "1.34"), tolerations)

    assert {each.outlook.fault: each.after for each in removals} == {
        NodeFault.UNREACHABLE: unreachable,
        NodeFault.NOT_READY: not_ready,
    }


def test_the_last_ready_node_of_the_cluster_keeps_its_pods() -> None:
    outlooks = fault_outlooks(Snapshot.from_objects([a_node("only")]), "only", "1.34")

    assert [(each.tainted_after, each.zone and each.zone.state) for each in outlooks] == [(None, ZoneState.FULL)] * 2
    assert [each.after for each in fault_removals(outlooks, [])] == [None, None]


@given(
    taints=st.lists(st.sampled_from("abc"), min_size=1, max_size=3, unique=True),
    seconds=st.dictionaries(st.sampled_from("abc"), st.none() | st.integers(-5, 900), max_size=3),
)
def test_the_shortest_of_the_taints_by_themselves_decides(taints: list[str], seconds: dict[str, int | None]) -> None:
    tolerations = [
        {"key": key, "operator": "Exists", **({} if each is None else {"tolerationSeconds": each})}
        for key, each in seconds.items()
    ]
    present = [Taint(key, "", "NoExecute") for key in taints]
    alone = [taint_stay(taint, tolerations) for taint in present]
    limited = [each.seconds for each in alone if each.seconds is not None]

    assert tolerated_seconds(present, tolerations) == (min(limited) if limited else None)
    assert [each.is_tolerated for each in alone] == [key in seconds for key in taints]


def test_the_pods_of_a_node_are_put_together_by_when_they_go() -> None:
    snapshot = cluster(
        a_pod("usual-2", node="a0", tolerations=USUAL),
        a_pod("usual-1", node="a0", tolerations=USUAL),
        a_pod("daemon", node="a0", tolerations=DAEMON),
        a_pod("bare", node="a0"),
        a_pod("elsewhere", node="a1"),
    )
    found = removals_on(snapshot, "a0", fault_outlooks(snapshot, "a0", "1.34"))

    assert [([each.after for each in removals], keys) for removals, keys in found] == [
        ([50, 0], ["default/bare"]),
        ([350, 300], ["default/usual-1", "default/usual-2"]),
        ([None, None], ["default/daemon"]),
    ]


ROOM = [a_node(f"a{number}", zone="a") for number in range(4)]


def pod(kind: str = "", **spec: Any) -> dict[str, Any]:
    made = a_pod("web-0", node="a0", **{"tolerations": USUAL, **spec})
    if kind:
        made["metadata"]["ownerReferences"] = [{"kind": kind, "name": "web", "uid": "web", "controller": True}]
    return made


def events(made: dict[str, Any], fault: NodeFault, *volumes: ExclusiveVolume) -> list[tuple[LostNodeStep, int | None]]:
    removals = fault_removals(fault_outlooks(Snapshot.from_objects(ROOM), "a0", "1.34"), made["spec"]["tolerations"])
    removal = next(each for each in removals if each.outlook.fault is fault)
    return [(event.step, event.at) for event in lost_node_events(removal, Pod(made), volumes)]


STEP = LostNodeStep
DATA = ExclusiveVolume("data", "csi.example", ("ReadWriteOnce",))


def test_e59_a_silent_node_is_unknown_first_and_loses_its_pods_five_minutes_later() -> None:
    """The documentation's 40 seconds are of releases before 1.32; since then it is 50."""
    assert events(pod("ReplicaSet"), NodeFault.UNREACHABLE) == [
        (STEP.SILENT, 0),
        (STEP.UNKNOWN, 50),
        (STEP.TAINTED, 50),
        (STEP.DELETED, 350),
        (STEP.REPLACED, 350),
        (STEP.STAYS_TERMINATING, None),
        (STEP.OUT_OF_SERVICE, None),
    ]
    before = fault_outlooks(Snapshot.from_objects(ROOM), "a0", "1.31")[0]
    assert (before.grace, before.tainted_after) == (40, 40)


def test_a_stateful_sets_replacement_waits_until_the_object_is_gone_and_the_volume_for_the_force_detach() -> None:
    found = dict(events(pod("StatefulSet"), NodeFault.UNREACHABLE, DATA))

    assert found[STEP.REPLACED_ONCE_GONE] is None
    assert STEP.REPLACED not in found
    assert {STEP.VOLUMES_ATTACHED, STEP.FORCE_DETACHED, STEP.OUT_OF_SERVICE} <= set(found)


def test_a_kubelet_that_still_works_ends_the_pod_after_its_grace_period() -> None:
    found = dict(events(pod("StatefulSet", terminationGracePeriodSeconds=10), NodeFault.NOT_READY, DATA))

    assert found[STEP.DELETED] == 300
    assert found[STEP.ENDS] == found[STEP.REPLACED_ONCE_GONE] == found[STEP.VOLUMES_DETACHED] == 310
    assert STEP.STAYS_TERMINATING not in found
    assert dict(events(pod(), NodeFault.NOT_READY))[STEP.ENDS] == 330, "30 s where the pod says nothing"


@pytest.mark.parametrize("fault", list(NodeFault))
def test_a_daemon_sets_pod_stays(fault: NodeFault) -> None:
    steps = [step for step, _ in events(pod("DaemonSet", tolerations=DAEMON), fault)]

    assert steps[-1] is STEP.KEPT
    assert STEP.DELETED not in steps


def test_volumes_that_one_node_alone_can_attach() -> None:
    claims = {"own": ["ReadWriteOnce"], "one": ["ReadWriteOncePod"], "shared": ["ReadWriteMany"], "none": []}
    objects = [
        document
        for name, modes in claims.items()
        for document in (a_claim(name, volume=f"pv-{name}"), a_volume(f"pv-{name}", modes=modes, csi=csi(name)))
    ]
    extra = [
        a_claim("files", volume="pv-files"),
        a_volume("pv-files", csi=csi("files", "nfs.example")),
        a_claim("local", volume="pv-local"),
        a_volume("pv-local", local={"path": "/d"}),
        a_claim("unbound"),
        {"kind": "CSIDriver", "metadata": {"name": "nfs.example"}, "spec": {"attachRequired": False}},
    ]
    made = a_pod("web-0", node="a0", volumes=[uses(name) for name in (*claims, "files", "local", "unbound", "absent")])

    found = exclusive_volumes(Snapshot.from_objects([*ROOM, a_csi_node("a0"), *objects, *extra, made]), Pod(made))

    assert [(each.claim, each.driver) for each in found] == [("own", "csi.example"), ("one", "csi.example")]


def test_e61_reclaim_goes_on_until_the_minimum_above_the_threshold() -> None:
    found = settings(
        evictionHard={"memory.available": "500Mi", "nodefs.available": "1Gi", "imagefs.available": "100Gi"},
        evictionMinimumReclaim={"memory.available": "0Mi", "nodefs.available": "500Mi", "imagefs.available": "2Gi"},
    )
    targets = {each.signal: each.target(200 * GIB) for each in found.thresholds}

    assert targets[Signal.MEMORY] == 500 * MIB
    # Which the documentation prints as 1.5 GiB.
    assert targets[Signal.NODE_FS] == GIB + 500 * MIB
    assert targets[Signal.IMAGE_FS] == 102 * GIB
