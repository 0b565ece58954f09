"""Every section of a review on a cluster whose numbers are known."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest

from clusters.adapters.usage import UsageFound
from clusters.engine import Snapshot
from clusters.engine.disruption import BudgetFix, Never
from clusters.engine.simulation import Base, prepared
from clusters.engine.usage import PodUsage, UsedAmounts
from clusters.models import CapacitySample, Cluster, Decision, SimulationRun, UsageHour
from clusters.services.disruption import drains_of
from clusters.services.reports import capacity_samples as capacity
from clusters.services.reports.sections.history import reasons_of
from clusters.services.reports.subject import qos_of
from clusters.services.usage.keeping import keep_usage
from dashboard.reports.markdown import markdown_of
from tests.clusters.dumps import node as dumped_node, pod as dumped_pod
from tests.clusters.reports.review_cluster import (
    NOW,
    node,
    node as reviewed_node,
    objects,
    pod,
    pod as reviewed_pod,
    review_cluster,
    reviewed,
    rows,
    section,
)
from tests.engine.device_builders import DRIVER, a_device, a_resource_claim, a_slice
from tests.engine.storage_builders import a_claim, a_csi_node, an_attachment
from tests.support.mirrored import load

if TYPE_CHECKING:
    from pathlib import Path

    from clusters.engine.simulation.changes.nodes import RemoveNodes

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
GIB = 1024**3
MIB = 1024**2


@pytest.fixture
def harbour(tmp_path: Path) -> Cluster:
    return review_cluster(tmp_path)


def test_utilisation(harbour: Cluster) -> None:
    found = reviewed(harbour, "utilisation")

    facts = section(found, "utilisation")["facts"]
    assert facts["nodes"] == {"total": 4, "usable": 4, "cordoned": 0, "not_ready": 0, "pressure": 0}
    assert facts["pods"] == {"placed": 6, "pending": 1}
    assert facts["resources"]["cpu"] == {"capacity": 20_000, "allocatable": 20_000, "requested": 3_100}
    assert facts["resources"]["memory"]["requested"] == 8_576 * MIB
    assert facts["resources"]["nvidia.com/gpu"] == {"capacity": 2, "allocatable": 2, "requested": 0}
    north, south = rows(found, "utilisation", "zones")
    assert (north["zone"], north["nodes"], north["cpu_requested"], north["cpu_share"]) == ("north", 2, 1_600, 0.2)
    assert (south["zone"], south["nodes"], south["cpu_requested"], south["cpu_allocatable"]) == (
        "south",
        2,
        1_500,
        12_000,
    )
    assert [row["pool"] for row in rows(found, "utilisation", "pools")] == ["gpu", "web"]
    assert [
        (row["namespace"], row["pods"], row["cpu_requested"]) for row in rows(found, "utilisation", "namespaces")
    ] == [
        ("shop", 4, 2_500),
        ("data", 1, 500),
        ("ops", 1, 100),
    ]
    assert [
        (row["priority_class"], row["priority"], row["pods"]) for row in rows(found, "utilisation", "priorities")
    ] == [("high", 1000, 4), ("", 0, 2)]
    assert [(row["qos"], row["pods"]) for row in rows(found, "utilisation", "qos")] == [("Burstable", 6)]
    assert found["units"] == {
        "cpu": "millicores",
        "memory": "bytes",
        "pods": "pods",
        "nvidia.com/gpu": "count",
    }


def test_cost(harbour: Cluster) -> None:
    prices = {"currency": "eur", "cpu_hour": "0.1", "memory_gib_hour": 0}
    found = reviewed(harbour, "cost", prices=prices)

    facts = section(found, "cost")["facts"]
    assert (facts["allocatable"], facts["requested"], facts["idle"]) == ("1460.00", "226.30", "1233.70")
    assert rows(found, "cost", "costs")[0] == {"namespace": "shop", "cost": "182.50"}


def test_trend_is_drawn_from_samples(harbour: Cluster) -> None:
    end = NOW.replace(minute=0)
    kept = capacity.sample(cluster=harbour)
    assert kept is not None
    for hours, requested in ((336, 2_000), (168, 2_500)):
        taken = CapacitySample(cluster=harbour, at=end - timedelta(hours=hours))
        amounts = {**kept.amounts["resources"], "cpu": [requested, 20_000], "memory": [1, 2**60]}
        taken.amounts = {**kept.amounts, "resources": amounts}
        taken.save()
    kept.at, kept.amounts = end, {**kept.amounts, "resources": {**kept.amounts["resources"], "memory": [2, 2**60]}}
    kept.save()

    period = {"from": "2026-03-06T12:00:00Z", "to": "2026-03-20T12:00:00Z"}
    found = reviewed(harbour, "trend", period=period)

    facts = section(found, "trend")["facts"]
    assert facts["times"] == ["2026-03-06T12:00:00Z", "2026-03-13T12:00:00Z", "2026-03-20T12:00:00Z"]
    assert facts["series"]["cpu"]["requested"] == [2_000, 2_500, 3_100]
    cpu = rows(found, "trend", "changes")[0]
    assert (cpu["requested_first"], cpu["requested_last"], cpu["a_week"]) == (2_000, 3_100, 550)
    # 16,900 more at 1,100 in two weeks.
    assert cpu["full_at"] == "2026-10-21T14:10:54Z"
    # A byte a fortnight fills no exbibyte before the end of time.
    memory = rows(found, "trend", "changes")[1]
    assert (memory["requested_last"], memory["full_at"]) == (2, None)


def test_stranded_capacity_and_why(harbour: Cluster) -> None:
    found = reviewed(harbour, "stranded")

    cpu, memory = rows(found, "stranded", "stranded")
    assert (cpu["left"], cpu["nodes"], cpu["without_memory"], cpu["without_pods"]) == (6_400, 2, 1, 1)
    assert (memory["left"], memory["nodes"], memory["without_pods"]) == (8 * GIB - 128 * MIB, 1, 1)
    (taint,) = rows(found, "stranded", "taints")
    assert (taint["taint"], taint["value"], taint["names"], taint["cpu_left"]) == ("dedicated", "gpu", ["n3"], 8_000)
    assert [(row["node"], row["cpu_left"]) for row in rows(found, "stranded", "full_of_pods")] == [("n4", 3_900)]


def test_headroom_now_and_after_losses(harbour: Cluster) -> None:
    shapes = [
        {"name": "one", "cpu": "1"},
        {"name": "web", "like": {"kind": "ReplicaSet", "namespace": "shop", "name": "web-1"}},
        {"name": "gone", "like": {"kind": "Deployment", "namespace": "shop", "name": "gone"}},
    ]
    found = reviewed(harbour, "headroom", shapes=shapes)

    one, web, gone = rows(found, "headroom", "shapes")
    # n1 has 2.5 CPU left, n2 the same; n3 is tainted, n4 full of pods.
    assert (one["now"], one["on_nodes"], one["is_capped"]) == (4, 2, False)
    # The pods of n2 find room on n1 alone; of those of n1 the API server refuses one, as a LimitRange has it.
    assert (one["after_node"], one["worst_node"]) == (1, "n2")
    assert (one["after_zone"], one["worst_zone"]) == (1, "north")
    lost = {(row["shape"], row["lost"], row["name"]): row for row in rows(found, "headroom", "losses")}
    assert (lost["web", "node", "n1"]["displaced"], lost["web", "node", "n1"]["newly_pending"]) == (2, 1)
    assert (lost["one", "zone", "north"]["displaced"], lost["one", "zone", "north"]["newly_pending"]) == (3, 1)
    assert web["cpu_requested"] == 1_000
    assert (gone["now"], gone["after_node"], gone["worst_node"]) == (None, None, "")
    assert section(found, "headroom")["facts"]["uncounted"] == 1
    stops = {row["reason"] for row in rows(found, "headroom", "shape_stops") if row["shape"] == "one"}
    assert stops == {"Insufficient cpu", "Too many pods", "node(s) had untolerated taint {dedicated: gpu}"}


def test_violated_constraints(harbour: Cluster) -> None:
    found = reviewed(harbour, "spread")

    (row,) = rows(found, "spread", "violations")
    assert (row["namespace"], row["skew"], row["max_skew"], row["excess"]) == ("shop", 2, 1, 1)
    assert [(each["domain"], each["pods"]) for each in rows(found, "spread", "domains")] == [("south", 3), ("north", 1)]
    (lost,) = rows(found, "spread", "zone_losses")
    assert (lost["workloads"], lost["zone"], lost["pods_lost"], lost["pods"]) == (row["workloads"], "south", 3, 4)


def test_pods_without_a_controller_and_with_host_ports_are_counted_under_maintenance(tmp_path: Path) -> None:
    bare = pod("shop", "alone-1", "100m", "1Mi", on="n3")
    del bare["metadata"]["ownerReferences"]

    bare["spec"]["containers"][0]["ports"] = [{"containerPort": 80, "hostPort": 80}]
    for name, more in (("kept", []), ("bare", [bare])):
        facts = section(reviewed(load(tmp_path, name, [*objects(), *more]), "maintenance"), "maintenance")["facts"]
        assert (facts["bare"], facts["host_ports"]) == (len(more), len(more))


def test_budgets_and_the_drain_plan(harbour: Cluster) -> None:
    found = reviewed(harbour, "maintenance")

    (budget,) = rows(found, "maintenance", "budgets")
    assert (budget["name"], budget["never"], budget["lasts"]) == ("web", str(Never.NONE_UNAVAILABLE), True)
    assert budget["nodes"] == ["n1", "n2"]
    facts = section(found, "maintenance")["facts"]
    assert facts["outlook"] == {"now": 2, "allowed": 0, "waits": 0, "force": 0, "room": 0, "lasting": 2}
    nodes = drains_of(cluster=harbour).nodes.values()
    page = Counter(str(node.drain.outlook) for node in nodes)
    assert facts["outlook"].items() >= page.items(), "the drain page counts the same"
    assert facts["also_waiting"] == sum(node.drain.also_waits for node in nodes)
    (blocker,) = rows(found, "maintenance", "drain_blockers")
    assert (blocker["budget"], blocker["blocked"], blocker["alone"], blocker["fix"]) == (
        "shop/web",
        2,
        2,
        str(BudgetFix.ONE_UNAVAILABLE),
    )

    outlooks = {row["outlook"]: row["names"] for row in rows(found, "maintenance", "drain_outlooks")}
    assert outlooks == {"now": ["n3", "n4"], "lasting": ["n1", "n2"]}
    assert [row["names"] for row in rows(found, "maintenance", "not_drained")] == [["n1", "n2"]]
    assert facts["plan"] == {"batches": 1, "nodes": 2, "evictions": 1, "not_drained": 2}
    assert [row["node"] for row in rows(found, "maintenance", "not_drained_nodes")] == ["n1", "n2"]


def test_pods_under_several_budgets_are_told_with_both(tmp_path: Path) -> None:
    (first,) = (each for each in objects() if each["kind"] == "PodDisruptionBudget")
    second = {**first, "metadata": {**first["metadata"], "name": "all", "uid": "all"}}
    found = reviewed(load(tmp_path, "twice", [*objects(), second]), "maintenance")

    assert section(found, "maintenance")["facts"]["shared"] == 4
    (row,) = rows(found, "maintenance", "shared_budgets")
    assert (row["budgets"], row["pods"], row["examples"][0]) == (["shop/all", "shop/web"], 4, "shop/web-1")


def test_quotas_and_limits(harbour: Cluster) -> None:
    found = reviewed(harbour, "quotas")

    cpu, pods = rows(found, "quotas", "quotas")
    assert (cpu["resource"], cpu["used"], cpu["hard"], cpu["unit"]) == ("requests.cpu", 8_500, 9_000, "millicores")
    assert (cpu["share"], cpu["scopes"]) == (0.9444, ["NotTerminating"])
    assert (pods["used"], pods["hard"]) == (5, 20)
    assert section(found, "quotas")["facts"]["tight"] == 1
    big, web = rows(found, "quotas", "quota_users")
    assert (big["name"], big["workload"], big["unspecified"]) == ("compute", "ReplicaSet/big-1", [])
    assert [(row["pods"], row["further_pods"]) for row in (big, web)] == [(1, 0), (4, 0)]
    assert [(row["resource"], row["default"], row["max"]) for row in rows(found, "quotas", "limits")] == [
        ("cpu", 500, None),
        ("memory", None, 4 * GIB),
    ]


def test_requests_beside_usage_and_the_nodes_that_they_would_free(tmp_path: Path) -> None:
    names = [f"web-{number}" for number in range(3)]
    owner = {"apiVersion": "apps/v1", "kind": "StatefulSet", "name": "web", "uid": "web", "controller": True}
    pods = [dumped_pod(name, on=f"n{number}") for number, name in enumerate(names)]
    for each in pods:
        each["metadata"]["ownerReferences"] = [owner]
        each["spec"]["containers"][0]["resources"]["requests"] = {"cpu": "3", "memory": "64Mi"}
    cluster = load(tmp_path, "sized", [*(dumped_node(f"n{number}") for number in range(3)), *pods])
    found = UsageFound()
    for name in names:
        found.add_pod(NOW, PodUsage("shop", name, {"main": UsedAmounts(400, 50 * MIB)}))
    keep_usage(cluster=cluster, found=found, source=UsageHour.Source.METRICS)

    made = reviewed(cluster, "usage")

    facts = section(made, "usage")["facts"]["usage"]
    assert (facts["hours"], facts["source"], facts["workloads"], facts["over"], facts["under"]) == (
        1,
        "metrics",
        1,
        1,
        0,
    )
    assert facts["freed"] == {"cpu": 3 * (3000 - 460), "memory": 0}
    assert (facts["nodes"], facts["removable_now"], facts["removable"]) == (3, 0, 2)
    (row,) = rows(made, "usage", "usage")
    assert (row["cpu_requested"], row["cpu_used"], row["cpu_recommended"], row["outlook"]) == (
        3000,
        400,
        460,
        "over-requested",
    )


def test_waiting_pods_now_and_over_the_period(harbour: Cluster) -> None:
    message = "0/4 nodes are available: 1 Too many pods, 3 Insufficient cpu. preemption: 0/4 nodes are available."
    for number in range(3):
        Decision.objects.create(
            cluster=harbour,
            kind=Decision.Kind.UNSCHEDULABLE,
            pod_uid=f"uid-{number % 2}",
            namespace="shop",
            name="big",
            heard_at=NOW - timedelta(days=number),
            last_heard_at=NOW,
            attempts=2,
            message=message,
            resource_version=str(number),
        )
    found = reviewed(harbour, "pending", period={"from": "2026-03-18T13:00:00Z", "to": "2026-03-20T13:00:00Z"})

    (cause,) = rows(found, "pending", "causes")
    assert (cause["pods"], cause["examples"], cause["oldest"]) == (1, ["shop/big-1"], "2026-03-01T10:00:00Z")
    assert section(found, "pending")["facts"]["recorded"] == {"pods": 2, "decisions": 2, "attempts": 4}
    assert rows(found, "pending", "recorded") == [
        {"reason": "Insufficient cpu", "pods": 2, "decisions": 2, "attempts": 4},
        {"reason": "Too many pods", "pods": 2, "decisions": 2, "attempts": 4},
    ]


@pytest.mark.parametrize(
    ("message", "reasons"),
    [
        (
            "0/1 nodes are available: 1 node(s) had untolerated taint {a: b, c}.",
            ["node(s) had untolerated taint {a: b, c}"],
        ),
        (
            "0/9 nodes are available: 4 Insufficient cpu, 5 Insufficient memory. no new claims to deallocate, x",
            ["Insufficient cpu", "Insufficient memory"],
        ),
        ("something else", ["something else"]),
        ("", []),
    ],
)
def test_reasons_are_read_from_messages(message: str, reasons: list[str]) -> None:
    assert reasons_of(message) == reasons


def test_agreement_counts_what_was_judged(harbour: Cluster) -> None:
    for number, verdict in enumerate(["agrees", "agrees", "disagrees", "unjudged"]):
        Decision.objects.create(
            cluster=harbour,
            kind=Decision.Kind.BOUND,
            pod_uid=str(number),
            namespace="shop",
            name="web",
            heard_at=NOW,
            last_heard_at=NOW,
            verdict=verdict,
            reason="lower-score" if verdict == "disagrees" else "",
        )
    found = reviewed(harbour, "agreement", period={"from": "2026-03-18T13:00:00Z", "to": "2026-03-20T13:00:00Z"})

    facts = section(found, "agreement")["facts"]
    assert (facts["judged"], facts["agreeing"], facts["unjudged"], facts["share"]) == (3, 2, 1, 0.6667)
    assert rows(found, "agreement", "disagreements") == [{"reason": "lower-score", "decisions": 1}]


def test_qos_follows_from_requests_and_limits() -> None:
    def with_resources(**resources: Any) -> dict[str, Any]:
        return {"spec": {"containers": [{"resources": resources}]}}

    full = {"cpu": "1", "memory": "1Gi"}
    assert qos_of(with_resources()) == "BestEffort"
    assert qos_of(with_resources(limits=full)) == "Guaranteed"
    assert qos_of(with_resources(limits=full, requests=full)) == "Guaranteed"
    assert qos_of(with_resources(requests={"cpu": "1"})) == "Burstable"
    assert qos_of({"status": {"qosClass": "Guaranteed"}}) == "Guaranteed"


def test_recommendations_are_backed_by_simulations_and_ranked(harbour: Cluster) -> None:
    found = reviewed(harbour, "recommendations")
    made = section(found, "recommendations")["facts"]["made"]
    by_rule = {each["rule"]: each for each in made}
    budget, taint = by_rule["allow-disruption"], by_rule["remove-taint"]
    assert budget["object"] == {"kind": "PodDisruptionBudget", "namespace": "shop", "name": "web"}
    assert budget["after"]["kept"] < budget["before"]["kept"]
    assert taint["changes"] == [{"change": "taint-nodes", "nodes": ["n3"], "remove": ["dedicated:NoSchedule"]}]
    assert (taint["before"], taint["after"]) == ({"pending": 1}, {"pending": 0})
    run = SimulationRun.objects.get(pk=taint["run"])
    assert run.state == SimulationRun.State.DONE
    assert run.pods.get(name="big-1").node_name == "n3"
    linked = {each[key] for each in made for key in ("run", "base_run")}
    assert set(SimulationRun.objects.values_list("pk", flat=True)) == linked
    # They are ranked by what they bring against what they cost.

    assert [each["worth"] for each in made] == sorted((each["worth"] for each in made), reverse=True)
    assert by_rule["remove-taint"]["gain"]["pods_scheduled"] == 1
    assert by_rule["remove-taint"]["helped"] == ["shop/big-1"]
    assert not any(by_rule["remove-taint"]["cost"].values())
    # Two of the three nodes with pods of the budget are not blocked by anything else, and nothing moves for it.
    assert by_rule["allow-disruption"]["gain"]["nodes_drainable"] == 2
    # The taint goes for nothing, so that no node is added for the same pod.
    assert "add-nodes" not in by_rule
    weighed = rows(found, "recommendations", "recommendations_weighed")
    assert [row["rule"] for row in weighed] == [each["rule"] for each in made]


def test_a_budget_whose_pods_are_all_another_ones_is_proposed_to_go(tmp_path: Path) -> None:
    (first,) = (each for each in objects() if each["kind"] == "PodDisruptionBudget")
    spec = {"maxUnavailable": 1, "selector": {"matchLabels": {"app": "web"}}}
    again = {**first, "metadata": {**first["metadata"], "name": "again", "uid": "again"}, "spec": spec}
    found = reviewed(load(tmp_path, "twice", [*objects(), again]), "recommendations")

    made = section(found, "recommendations")["facts"]["made"]
    (removal,) = (each for each in made if each["rule"] == "remove-budget")
    # The one that allows a disruption is enough.
    assert removal["object"]["name"] == "web"
    assert removal["facts"]["budgets"] == ["shop/again"]
    assert (removal["gain"]["nodes_drainable"], removal["after"]["kept"]) == (2, 0)


def test_nodes_that_are_added_beside_others_that_are_removed_say_why(tmp_path: Path) -> None:
    spare = {"key": "dedicated", "value": "data", "effect": "NoSchedule"}
    tolerating = {"tolerations": [{"key": "dedicated", "operator": "Exists"}]}
    cluster = load(
        tmp_path,
        "both",
        [
            node("full-1", "north", "web"),
            *(node(name, "north", "data", taints=[spare]) for name in ("spare-1", "spare-2")),
            pod("shop", "web-1", "4", "1Gi", "full-1"),
            *(pod("data", f"db-{number}", "500m", "256Mi", f"spare-{number}", **tolerating) for number in (1, 2)),
            pod("shop", "big-1", "3", "1Gi"),
        ],
    )
    found = reviewed(cluster, "recommendations", "usage")

    made = {each["rule"]: each for each in section(found, "recommendations")["facts"]["made"]}
    added, removed = made["add-nodes"], made["remove-nodes"]
    assert (added["gain"]["pods_scheduled"], added["cost"]["nodes_added"]) == (1, 1)
    assert (removed["gain"]["nodes_removed"], removed["cost"]["pods_evicted"]) == (1, 1)
    assert added["beside"]["pools"] == [{"pool": "data", "nodes": 1}]
    (reason,) = added["beside"]["reasons"]
    assert reason == {
        "plugin": "TaintToleration",
        "reason": "node(s) had untolerated taint {dedicated: data}",
        "pods": 1,
    }
    number = added["beside"]["number"]
    said = f"The nodes that recommendation {number} removes (data) reject these pods: node(s) had untolerated taint"
    ranking = markdown_of(found).split("### 1.")[0]
    assert said in ranking, "in the table that stands first"


def a_capacity(name: str, zone: str, size: str) -> dict[str, Any]:
    return {
        "apiVersion": "storage.k8s.io/v1",
        "kind": "CSIStorageCapacity",
        "metadata": {"name": name, "namespace": "default", "uid": name},
        "storageClassName": "wait",
        "capacity": size,
        "nodeTopology": {"matchLabels": {"topology.csi.example/zone": zone}},
    }


def test_devices_volumes_and_storage_are_counted(tmp_path: Path) -> None:
    claim = {**a_claim("data", volume="pv-1"), "apiVersion": "v1"}
    waiting = {**a_claim("more", size="10Gi"), "apiVersion": "v1"}
    cluster = load(
        tmp_path,
        "others",
        [
            *objects(),
            a_slice(a_device("gpu-0"), a_device("gpu-1"), a_device("gpu-2"), node="n1", pool="n0"),
            a_resource_claim(allocated=["gpu-1"]),
            {**a_csi_node("n1", {"csi.example": 1}), "apiVersion": "storage.k8s.io/v1"},
            {**a_csi_node("n2", {"csi.example": 24}), "apiVersion": "storage.k8s.io/v1"},
            {**a_csi_node("n3", {"csi.example": None}), "apiVersion": "storage.k8s.io/v1"},
            {**an_attachment("pv-1", "n1"), "apiVersion": "storage.k8s.io/v1"},
            claim,
            waiting,
            a_capacity("north-1", "north", "10Gi"),
            a_capacity("north-2", "north", "5Gi"),
        ],
    )

    found = reviewed(cluster, "utilisation")

    assert rows(found, "utilisation", "devices") == [{"driver": DRIVER, "pools": 1, "devices": 3, "used": 1, "free": 2}]
    assert rows(found, "utilisation", "storage_classes") == [
        {"storage_class": "wait", "unit": "bytes", "claims": 2, "pending": 1, "requested": 15 * GIB}
    ]
    assert rows(found, "utilisation", "storage_zones") == [
        {"storage_class": "wait", "zone": "north", "unit": "bytes", "free": 15 * GIB}
    ]
    (volumes,) = rows(found, "utilisation", "volumes")
    # A driver without a limit has nothing that could run out.
    assert (volumes["nodes"], volumes["hard"]) == (2, 25)
    assert volumes["used"] + volumes["left"] == volumes["hard"]


@pytest.mark.parametrize("sections", [["recommendations"], ["headroom", "recommendations"]])
def test_removed_nodes_say_what_the_loss_of_a_zone_does_then(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sections: list[str]
) -> None:
    played = Counter[tuple[Snapshot, tuple[str, ...]]]()

    def counting(base: Base, changes: list[RemoveNodes], *more: Any, **options: Any) -> Any:
        played[base.snapshot, changes[0].nodes] += 1
        return prepared(base, changes, *more, **options)

    monkeypatch.setattr("clusters.engine.simulation.losses.prepared", counting)
    cluster = load(
        tmp_path,
        "thin",
        [
            *(reviewed_node(f"{zone}-{number}", zone, "web") for zone in ("north", "south") for number in (1, 2)),
            reviewed_pod("shop", "web-1", "2500m", "1Gi", "north-1"),
            reviewed_pod("shop", "api-1", "2500m", "1Gi", "south-1"),
            reviewed_pod("shop", "job-1", "100m", "64Mi", "north-2"),
        ],
    )

    found = reviewed(cluster, *sections)
    made = {each["rule"]: each for each in section(found, "recommendations")["facts"]["made"]}

    # Both free nodes could go; then nothing takes what a lost zone ran.
    removal = made["remove-nodes"]
    assert removal["gain"]["nodes_removed"] == 2
    assert removal["zone_loss"] == {"zone": "north", "before": 0, "after": 1}
    assert set(played.values()) == {1}
    assert sum(len(lost) == 2 for _, lost in played) == 4, "both zones of the cluster as it is, and without the nodes"
