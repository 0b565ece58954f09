"""What is said to be removable can go: every pod has a place afterwards, and no budget was broken on the way."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clusters.engine import SchedulerConfiguration, Snapshot
from clusters.engine.simulation import Keeps, Removal, RemovalOptions, find_removable
from tests.engine.builders import HOSTNAME, Document, a_node, a_pod

DEFAULT = SchedulerConfiguration.default()
READY = {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]}
EVICTABLE = "cluster-autoscaler.kubernetes.io/safe-to-evict"


def resident(name: str, node: str, cpu: str = "1", *, kind: str | None = "ReplicaSet", **fields: Any) -> Document:
    """A ready pod on a node, of a controller that bears the name of its app."""
    app = name.partition("-")[0]
    pod = a_pod(name, node=node, labels={"app": app}, requests={"cpu": cpu}, **fields)
    owner = {"apiVersion": "apps/v1", "kind": kind, "name": app, "uid": f"{kind}-{app}", "controller": True}
    metadata = {**pod["metadata"], "ownerReferences": [owner] if kind else []}
    return {**pod, "metadata": metadata, "status": READY}


def budget(app: str, replicas: int, unavailable: int, namespace: str = "default") -> list[Document]:
    """A budget of an app, with the status that the controller writes, and the ReplicaSet that it asks."""
    status = {
        "disruptionsAllowed": unavailable,
        "currentHealthy": replicas,
        "desiredHealthy": replicas - unavailable,
        "expectedPods": replicas,
    }
    metadata = {"name": app, "namespace": namespace, "uid": f"ReplicaSet-{app}"}
    return [
        {
            "kind": "PodDisruptionBudget",
            "metadata": metadata,
            "spec": {"maxUnavailable": unavailable, "selector": {"matchLabels": {"app": app}}},
            "status": status,
        },
        {"apiVersion": "apps/v1", "kind": "ReplicaSet", "metadata": metadata, "spec": {"replicas": replicas}},
    ]


def found(*objects: Document, **options: Any) -> Removal:
    pods = [document for document in objects if document["kind"] == "Pod"]
    return find_removable(Snapshot.from_objects(objects), DEFAULT, pods, RemovalOptions(**options))


def reasons(removal: Removal) -> dict[str, Keeps]:
    return {node.name: node.why for node in removal.kept}


@given(
    places=st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 4), st.sampled_from(("1", "2"))), max_size=10),
    unavailable=st.integers(0, 2),
    apart=st.booleans(),
)
@settings(max_examples=30)
def test_nobody_waits_afterwards_and_no_budget_breaks(
    places: list[tuple[str, int, str]], unavailable: int, apart: bool
) -> None:
    term = {"topologyKey": HOSTNAME, "labelSelector": {"matchLabels": {"app": "a"}}}
    affinity = {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [term] if apart else []}}
    pods = [
        resident(f"{app}-{number}", f"n{node}", cpu, affinity=affinity if app == "a" else {})
        for number, (app, node, cpu) in enumerate(places)
    ]
    apps = Counter(app for app, _, _ in places)
    objects = [*(a_node(f"n{number}") for number in range(5)), *pods, *budget("b", apps["b"], unavailable)]
    before = Snapshot.from_objects(objects).content()
    snapshot = Snapshot.from_objects(objects)
    removal = find_removable(snapshot, DEFAULT, pods)

    assert snapshot.content() == before
    assert removal.is_verified
    gone = {node.name for node in removal.removed}
    after = removal.after
    assert gone | {node.name for node in removal.kept} == {f"n{number}" for number in range(5)}
    assert set(after.nodes.names).isdisjoint(gone)
    # As many pods of each app lie on nodes as before, and no node is overbooked.
    assert Counter(after.pods.labels(slot)["app"] for slot in after.pods.slot_of.values()) == apps
    kept = [snapshot.nodes.index[name] for name in after.nodes.names]
    assert (after.nodes.requested <= np.maximum(after.nodes.allocatable, snapshot.nodes.requested[kept])).all()
    assert (after.pods.node[list(after.pods.slot_of.values())] >= 0).all()
    for node in removal.removed:
        together = Counter((move.round, move.pod.partition("/")[2][0]) for move in node.moves)
        assert all(number <= unavailable for (_, app), number in together.items() if app == "b")


def test_the_least_used_nodes_go_first_as_long_as_there_is_room() -> None:
    nodes = [a_node(name, allocatable={"cpu": "8"}) for name in ("low", "middle", "high")]
    removal = found(
        *nodes,
        resident("web-1", "low"),
        *(resident(f"db-{number}", "middle") for number in range(3)),
        *(resident(f"api-{number}", "high") for number in range(4)),
    )

    assert [(node.name, node.share, len(node.moves)) for node in removal.removed] == [("low", 12.5, 1)]
    # What took the pod of the first is used by half now, or was before.
    assert reasons(removal) == {"middle": Keeps.USED, "high": Keeps.USED}
    assert [node.name for node in found(*nodes, threshold=1).removed] == ["high", "low", "middle"]


@pytest.mark.parametrize(
    ("pod", "why"),
    [
        (resident("bare", "a", kind=None), Keeps.BARE),
        (resident("clone", "a", kind="CloneSet"), Keeps.CUSTOM),
        (resident("dns-1", "a", namespace="kube-system"), Keeps.SYSTEM),
        (resident("db-1", "a", volumes=[{"emptyDir": {}}]), Keeps.LOCAL_STORAGE),
        (resident("db-1", "a", volumes=[{"hostPath": {"path": "/srv"}}]), Keeps.LOCAL_STORAGE),
        (resident("db-1", "a", volumes=[{"emptyDir": {"medium": "Memory"}}]), None),
        (resident("log-1", "a", kind="DaemonSet", volumes=[{"hostPath": {"path": "/srv"}}]), None),
        (resident("far-1", "a", nodeSelector={HOSTNAME: "a"}), Keeps.NO_ROOM),
        (resident("wide-1", "a", "7"), Keeps.USED),
        (resident("far-1", "a", schedulerName="another"), Keeps.OTHER_SCHEDULER),
        # Who tolerates everything would go back to the node that is emptied.
        (resident("all-1", "a", tolerations=[{"operator": "Exists"}], nodeSelector={HOSTNAME: "a"}), Keeps.NO_ROOM),
    ],
)
def test_what_keeps_a_node(pod: Document, why: Keeps | None) -> None:
    removal = found(a_node("a"), a_node("b"), pod, *(resident(f"x-{number}", "b") for number in range(5)))

    assert reasons(removal).get("a") == why
    assert [node.name for node in removal.removed] == ([] if why else ["a"])
    kept = {node.name: node.pods for node in removal.kept}
    if why not in (None, Keeps.USED):
        assert kept["a"] == (f"{pod['metadata']['namespace']}/{pod['metadata']['name']}",)


@pytest.mark.parametrize(("safe", "goes"), [("true", True), ("false", False)])
def test_pods_that_say_whether_they_are_safe_to_evict(safe: str, goes: bool) -> None:
    pod = resident("db-1", "a", volumes=[{"emptyDir": {}}] if goes else ())
    pod["metadata"]["annotations"] = {EVICTABLE: safe}
    removal = found(a_node("a"), a_node("b"), pod, *(resident(f"x-{number}", "b") for number in range(5)))

    assert [node.name for node in removal.removed] == (["a"] if goes else [])
    assert goes or reasons(removal)["a"] is Keeps.ANNOTATION


def test_budgets_are_asked_again_after_what_went_is_replaced() -> None:
    pods = [resident(f"web-{number}", "a") for number in range(3)]
    others = [a_node("a"), a_node("b"), *(resident(f"x-{number}", "b") for number in range(5))]
    allowed = found(*others, *pods, *budget("web", 3, 1))

    assert [move.round for move in allowed.removed[0].moves] == [1, 2, 3]
    blocked = found(*others, *pods, *budget("web", 3, 0))
    assert reasons(blocked)["a"] is Keeps.BUDGET
    assert "web" in next(node.message for node in blocked.kept if node.name == "a")


def test_a_node_of_the_control_plane_stays() -> None:
    removal = found(a_node("a", labels={"node-role.kubernetes.io/control-plane": ""}), a_node("b"))

    assert reasons(removal) == {"a": Keeps.CONTROL_PLANE}
    assert [node.name for node in removal.removed] == ["b"]
