"""Worked examples of the documentation as situations: taints, affinity, gates, and pods that name their node."""

from __future__ import annotations

from typing import Any

import pytest

from clusters.engine.lessons import PodHasNode, SituationError
from clusters.engine.simulation.changes.problems import NoSuchNode
from tests.engine.lessons.clusters import ZONE, Document, keys, node, owned, pod, question, situation

REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution"
HOST = "kubernetes.io/hostname"


def feasible(*objects: Document, **parts: Any) -> Any:
    return question("nodes", which="feasible").solution(situation(*objects, about="new", **parts))


def taint(key: str, value: str, effect: str) -> dict[str, str]:
    return {"key": key, "value": value, "effect": effect}


def equal(key: str, value: str, effect: str = "", **more: Any) -> dict[str, Any]:
    return {"key": key, "operator": "Equal", "value": value, **({"effect": effect} if effect else {}), **more}


THREE = [
    taint("key1", "value1", "NoSchedule"),
    taint("key1", "value1", "NoExecute"),
    taint("key2", "value2", "NoSchedule"),
]


def test_a_third_taint_keeps_new_pods_away_and_evicts_nobody() -> None:
    tolerations = [equal("key1", "value1", "NoSchedule"), equal("key1", "value1", "NoExecute")]
    running = pod("running", "node1", tolerations=tolerations)
    here = situation(
        node("node1", taints=THREE), running, pod("other", "node1"), pod("new", tolerations=tolerations), about="new"
    )

    assert question("outcome").solution(here) == "unschedulable"
    assert question("rejections").solution(here) == {"node1": "TaintToleration"}
    assert question("pods", which="leaving").solution(here) == ["default/other"]


def test_a_pod_stays_for_its_toleration_seconds() -> None:
    stays = pod("stays", "node1", tolerations=[equal("key1", "value1", "NoExecute", tolerationSeconds=3600)])
    tainted = situation(node("node1", taints=[taint("key1", "value1", "NoExecute")]), stays)

    assert question("number", value="stays", pod="stays").solution(tainted) == "3600"
    # Once the taint is removed nothing evicts the pod.
    assert question("pods", which="leaving").solution(situation(node("node1"), stays)) == []


@pytest.mark.parametrize(
    ("tolerations", "seconds"),
    [
        ([], "300"),
        (
            [
                {
                    "key": "node.kubernetes.io/unreachable",
                    "operator": "Exists",
                    "effect": "NoExecute",
                    "tolerationSeconds": 6000,
                }
            ],
            "6000",
        ),
    ],
)
def test_pods_stay_for_five_minutes_on_a_node_that_cannot_be_reached(tolerations: list[Document], seconds: str) -> None:
    silent = node("silent", conditions=[{"type": "Ready", "status": "Unknown"}])
    here = situation(silent, node("well"), pod("web", "silent", tolerations=tolerations))

    assert question("number", value="stays", pod="web").solution(here) == seconds


def test_pods_of_daemon_sets_are_not_evicted_from_a_node_that_cannot_be_reached() -> None:
    silent = node("silent", conditions=[{"type": "Ready", "status": "Unknown"}])
    agent = owned(pod("agent", "silent"), "agent", kind="DaemonSet")
    here = situation(silent, node("well"), agent, pod("web", "silent"))

    assert question("pods", which="leaving").solution(here) == ["default/web"]


def test_pods_of_daemon_sets_come_to_nodes_under_pressure() -> None:
    pressed = node("pressed", conditions=[{"type": "DiskPressure", "status": "True"}])

    assert feasible(pressed, owned(pod("new"), "agent", kind="DaemonSet")) == ["pressed"]
    assert feasible(pressed, pod("new")) == []


@pytest.mark.parametrize(
    ("toleration", "matches"),
    [
        (equal("key1", "value1", "NoSchedule"), True),
        ({"key": "key1", "operator": "Exists", "effect": "NoSchedule"}, True),
        ({"key": "key1", "value": "value1", "effect": "NoSchedule"}, True),
        ({"operator": "Exists"}, True),
        ({"key": "key1", "operator": "Exists"}, True),
        (equal("key1", "value2", "NoSchedule"), False),
        ({"key": "key1", "operator": "Exists", "effect": "NoExecute"}, False),
    ],
)
def test_what_a_toleration_matches(toleration: Document, matches: bool) -> None:
    found = feasible(
        node("node1", taints=[taint("key1", "value1", "NoSchedule")]), pod("new", tolerations=[toleration])
    )

    assert found == (["node1"] if matches else [])


def node_affinity(required: Document | None = None, *preferred: tuple[int, Document]) -> Document:
    terms = {} if required is None else {REQUIRED: {"nodeSelectorTerms": [{"matchExpressions": [required]}]}}
    wanted = [{"weight": weight, "preference": {"matchExpressions": [each]}} for weight, each in preferred]
    return {"nodeAffinity": {**terms, **({PREFERRED: wanted} if wanted else {})}}


def test_required_and_preferred_node_affinity() -> None:
    zones = {"key": ZONE, "operator": "In", "values": ["antarctica-east1", "antarctica-west1"]}
    other = {"key": "another", "operator": "In", "values": ["value"]}
    new = pod("new", affinity=node_affinity(zones, (1, other)))
    here = situation(
        node("east", zone="antarctica-east1"),
        node("west", zone="antarctica-west1", labels={"another": "value"}),
        node("north", zone="arctic", labels={"another": "value"}),
        new,
        about="new",
    )

    assert question("nodes", which="feasible").solution(here) == ["east", "west"]
    assert question("node").solution(here) == "west"


def test_affinity_that_a_profile_adds() -> None:
    expression = {"key": "scheduler-profile", "operator": "In", "values": ["foo"]}
    added = {REQUIRED: {"nodeSelectorTerms": [{"matchExpressions": [expression]}]}}
    configuration = {
        "apiVersion": "kubescheduler.config.k8s.io/v1",
        "kind": "KubeSchedulerConfiguration",
        "profiles": [
            {"schedulerName": "default-scheduler"},
            {
                "schedulerName": "foo-scheduler",
                "pluginConfig": [{"name": "NodeAffinity", "args": {"addedAffinity": added}}],
            },
        ],
    }
    ssd = {"key": "disk", "operator": "In", "values": ["ssd"]}
    nodes = [
        node("both", labels={"scheduler-profile": "foo", "disk": "ssd"}),
        node("foo", labels={"scheduler-profile": "foo"}),
        node("ssd", labels={"disk": "ssd"}),
    ]

    def on(scheduler: str) -> Any:
        new = pod("new", schedulerName=scheduler, affinity=node_affinity(ssd))
        return feasible(*nodes, new, configuration=configuration)

    assert on("foo-scheduler") == ["both"]
    assert on("default-scheduler") == ["both", "ssd"]


def near(kind: str, labels: Document, key: str = HOST, weight: int = 0) -> Document:
    term = {"labelSelector": {"matchLabels": labels}, "topologyKey": key}
    if weight:
        return {kind: {PREFERRED: [{"weight": weight, "podAffinityTerm": term}]}}
    return {kind: {REQUIRED: [term]}}


def test_zones_with_one_kind_of_pods_and_without_another() -> None:
    affinity = {
        **near("podAffinity", {"security": "S1"}, ZONE),
        **near("podAntiAffinity", {"security": "S2"}, ZONE, weight=100),
    }
    new = pod("new", affinity=affinity)
    nodes = [node(name, zone=f"zone-{name[0]}") for name in ("r1", "v1", "v2", "w1")]
    s1 = [pod(f"s1-{name}", name, labels={"security": "S1"}) for name in ("r1", "v1")]
    s2 = pod("s2", "r1", labels={"security": "S2"})
    here = situation(*nodes, *s1, s2, new, about="new")

    assert question("nodes", which="feasible").solution(here) == ["r1", "v1", "v2"]
    assert "r1" not in question("nodes", which="best").solution(here)
    assert question("nodes", which={"rejectedBy": "InterPodAffinity"}).solution(here) == ["w1"]


def test_the_first_pod_of_a_group_that_wants_to_be_together() -> None:
    own = {"app": "series"}
    together = pod("new", labels=own, affinity=near("podAffinity", own, ZONE))
    nodes = [node("a", zone="za"), node("b", zone="zb")]

    assert feasible(*nodes, together) == ["a", "b"]
    assert feasible(*nodes, pod("first", "a", labels=own), together) == ["a"]
    # A pod that its own term does not match has to find another one.
    assert feasible(*nodes, pod("new", affinity=near("podAffinity", own, ZONE))) == []


def test_one_cache_and_one_server_on_each_node() -> None:
    store, web = {"app": "store"}, {"app": "web-store"}
    cache = pod("new", labels=store, affinity=near("podAntiAffinity", store))
    server = pod("new", labels=web, affinity={**near("podAntiAffinity", web), **near("podAffinity", store)})
    nodes = [node(name) for name in "abc"]
    caches = [pod(f"cache-{name}", name, labels=store, affinity=cache["spec"]["affinity"]) for name in "abc"]

    copies = question("number", value="replicasThatFit")
    assert copies.solution(situation(*nodes, cache, about="new")) == "3"
    assert copies.solution(situation(*nodes, *caches, server, about="new")) == "3"
    assert question("outcome").solution(situation(*nodes, *caches, cache, about="new")) == "unschedulable"
    assert feasible(*nodes, *caches[:2], server) == ["a", "b"]


def test_tenants_keep_to_their_own_pools() -> None:
    tenant = {"matchExpressions": [{"key": "tenant", "operator": "Exists"}]}
    affinity = {
        "podAffinity": {REQUIRED: [{"topologyKey": "node-pool", "labelSelector": {}, "matchLabelKeys": ["tenant"]}]},
        "podAntiAffinity": {
            REQUIRED: [{"topologyKey": "node-pool", "labelSelector": tenant, "mismatchLabelKeys": ["tenant"]}]
        },
    }
    nodes = [node(name, labels={"node-pool": name[:2]}) for name in ("p1-a", "p1-b", "p2-a")]
    placed = [pod("a", "p1-a", labels={"tenant": "a"}), pod("b", "p2-a", labels={"tenant": "b"})]
    daemons = [pod(f"daemon-{name}", name) for name in ("p1-b", "p2-a")]
    new = pod("new", labels={"tenant": "a"}, affinity=affinity)

    assert feasible(*nodes, *placed, *daemons, new) == ["p1-a", "p1-b"]


def test_a_pod_that_names_its_node_is_not_scheduled() -> None:
    # No scheduler is asked about it, and so no lesson can ask what it decides.
    with pytest.raises(SituationError) as raised:
        situation(node("kube-01"), pod("new", "kube-01"), about="new")
    assert raised.value.problem == PodHasNode("default/new", "kube-01")
    with pytest.raises(SituationError) as raised:
        situation(node("kube-02"), pod("old", "kube-01"))
    assert raised.value.problem == NoSuchNode("kube-01", ("kube-02",), 1)
    # It counts on the node all the same, though taints would have kept it away.
    here = situation(node("a", taints=[taint("k", "v", "NoSchedule")]), pod("old", "a", cpu="1"))
    assert question("number", value="requested", node="a", resource="cpu").solution(here) == "1"


def test_gates_hold_a_pod_back_until_all_are_removed() -> None:
    gates = [{"name": "example.com/foo"}, {"name": "example.com/bar"}]

    def outcome(left: list[dict[str, str]]) -> Any:
        return question("outcome").solution(situation(node("node-2"), pod("new", schedulingGates=left), about="new"))

    assert [outcome(gates), outcome(gates[:1]), outcome([])] == ["gated", "gated", "scheduled"]
    here = situation(node("node-2"), pod("new", schedulingGates=gates), about="new")
    assert keys(question("outcome"), here, "unschedulable") == ["other-outcome/unschedulable"]
    assert question("order", of="queue").solution(here) == []
