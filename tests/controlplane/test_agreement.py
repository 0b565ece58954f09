"""Berth and the real scheduler look at the same cluster and say the same."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import pytest

from clusters.engine import Explanation, Snapshot, explain
from tests.controlplane.nodes import create_node, wait_until_untainted
from tests.controlplane.release import CONFIGURATION, RELEASE
from tests.support.waiting import wait_until

if TYPE_CHECKING:
    from tests.controlplane.api import Api, Object

pytestmark = pytest.mark.controlplane

ZONE, HOST = "topology.kubernetes.io/zone", "kubernetes.io/hostname"
NODES, PODS = 24, 120
READ = (
    ("v1", "Node"),
    ("v1", "Pod"),
    ("v1", "Namespace"),
    ("v1", "Service"),
    ("v1", "PersistentVolumeClaim"),
    ("storage.k8s.io/v1", "StorageClass"),
    ("apps/v1", "ReplicaSet"),
    ("policy/v1", "PodDisruptionBudget"),
)


def mirrored(api: Api) -> list[Object]:
    """Everything the explainer reads, as the API server has it now."""
    return [
        {**found, "apiVersion": version, "kind": kind} for version, kind in READ for found in api.objects(version, kind)
    ]


def a_pod(namespace: str, name: str, app: str, cpu: str, **spec: Any) -> Object:
    requests = {"cpu": cpu, "memory": "64Mi"}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, "namespace": namespace, "labels": {"app": app}},
        "spec": {
            "terminationGracePeriodSeconds": 0,
            "containers": [{"name": "main", "image": "app:1", "resources": {"requests": requests}}],
            **spec,
        },
    }


def _term(app: str, key: str) -> Object:
    return {"labelSelector": {"matchLabels": {"app": app}}, "topologyKey": key}


def _spread(app: str, key: str, when: str) -> Object:
    return {"maxSkew": 1, "topologyKey": key, "whenUnsatisfiable": when, "labelSelector": {"matchLabels": {"app": app}}}


REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution"


def a_kind_of_pod(namespace: str, number: int, app: str, chance: random.Random) -> Object:
    """A pod of one of the kinds of constraint, some of which cannot be met."""
    name, cpu = f"{app}-{number}", chance.choice(["100m", "250m", "1", "3"])
    match number % 10:
        case 0:
            return a_pod(namespace, name, app, cpu, topologySpreadConstraints=[_spread(app, ZONE, "DoNotSchedule")])
        case 1:
            return a_pod(namespace, name, app, cpu, topologySpreadConstraints=[_spread(app, HOST, "ScheduleAnyway")])
        case 2:
            return a_pod(namespace, name, app, cpu, affinity={"podAntiAffinity": {REQUIRED: [_term(app, HOST)]}})
        case 3:
            weighted = {"weight": 50, "podAffinityTerm": _term("app-0", ZONE)}
            return a_pod(namespace, name, app, cpu, affinity={"podAffinity": {PREFERRED: [weighted]}})
        case 4:
            return a_pod(namespace, name, app, cpu, tolerations=[{"key": "dedicated", "operator": "Exists"}])
        case 5:
            return a_pod(namespace, name, app, cpu, nodeSelector={"disktype": chance.choice(["ssd", "tape"])})
        case 6:
            return a_pod(namespace, name, app, "30")
        case 7:
            claim = {"name": "data", "persistentVolumeClaim": {"claimName": "missing"}}
            return a_pod(namespace, name, app, cpu, volumes=[claim])
        case 8:
            return a_pod(namespace, name, app, cpu, affinity={"podAffinity": {REQUIRED: [_term("nobody", HOST)]}})
        case _:
            return a_pod(namespace, name, app, cpu)


def message_of(pod: Object) -> str | None:
    """What the scheduler said when it found no node; None where it has not."""
    for condition in pod.get("status", {}).get("conditions", ()):
        if (condition["type"], condition["status"]) == ("PodScheduled", "False"):
            return str(condition["message"])
    return None


def disagreement(pod: Object, explanation: Explanation) -> tuple[str, ...] | None:
    """How the scheduler's decision differs from what is computed; None when it does not."""
    node = pod["spec"].get("nodeName")
    if node is not None:
        return None if node in explanation.best else (pod["metadata"]["name"], node, str(explanation.best))
    said = message_of(pod)
    return None if said == explanation.message else (pod["metadata"]["name"], str(said), str(explanation.message))


def decided(api: Api, namespace: str, name: str) -> Object:
    """The pod once the scheduler has placed it or said why not."""

    def now() -> Object:
        return api.get("v1", "Pod", name, namespace=namespace)

    def is_decided() -> bool:
        pod = now()
        return "nodeName" in pod["spec"] or message_of(pod) is not None

    wait_until(is_decided, seconds=30, otherwise=f"the scheduler did not look at {name}")
    return now()


def test_every_placement_and_every_message_agrees(api: Api, namespace: str) -> None:
    """Pods come one after the other; each is judged on the cluster as it was just before."""
    chance = random.Random(7)
    names = [f"agree-{number:02}" for number in range(NODES)]
    for number, name in enumerate(names):
        taints = [{"key": "dedicated", "value": "x", "effect": "NoSchedule"}] if number % 6 == 0 else []
        labels = {ZONE: f"z{number % 3}", "disktype": chance.choice(["ssd", "hdd"])}
        create_node(api, name, labels=labels, taints=taints)
    wait_until_untainted(api, names)
    profile = CONFIGURATION.profiles[0]
    found = []
    try:
        for number in range(PODS):
            before = Snapshot.from_objects(mirrored(api), RELEASE)
            created = api.create(a_kind_of_pod(namespace, number, f"app-{number % 7}", chance))
            explanation = explain(before, {**created, "kind": "Pod"}, profile)
            name = created["metadata"]["name"]

            found.append(disagreement(decided(api, namespace, created["metadata"]["name"]), explanation))
    finally:
        for name in names:
            api.delete("v1", "Node", name)

    assert len(found) == PODS
    assert [difference for difference in found if difference] == []
