"""The control plane of the tests is a real one: it schedules, keeps budgets, refuses evictions, and comes back."""

from __future__ import annotations

import copy
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest

from tests.controlplane.api import Api, ApiError, Object
from tests.controlplane.kubelet import STATE, State
from tests.controlplane.nodes import NOT_READY, set_ready
from tests.controlplane.release import RELEASE
from tests.support.waiting import wait_until

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.controlplane.plane import ControlPlane

pytestmark = pytest.mark.controlplane

ZONE = "topology.kubernetes.io/zone"
LABELS = {"app": "web"}
POD_SPEC: Object = {
    "terminationGracePeriodSeconds": 5,
    "containers": [{"name": "web", "image": "web:1", "resources": {"requests": {"cpu": "500m", "memory": "256Mi"}}}],
}


def spread_deployment(namespace: str, *, replicas: int) -> Object:
    constraint = {
        "maxSkew": 1,
        "topologyKey": ZONE,
        "whenUnsatisfiable": "DoNotSchedule",
        "labelSelector": {"matchLabels": LABELS},
    }
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "web", "namespace": namespace},
        "spec": {
            "replicas": replicas,
            "selector": {"matchLabels": LABELS},
            "template": {
                "metadata": {"labels": LABELS},
                "spec": {**POD_SPEC, "topologySpreadConstraints": [constraint]},
            },
        },
    }


def budget(namespace: str, *, min_available: int) -> Object:
    return {
        "apiVersion": "policy/v1",
        "kind": "PodDisruptionBudget",
        "metadata": {"name": "web", "namespace": namespace},
        "spec": {"minAvailable": min_available, "selector": {"matchLabels": LABELS}},
    }


def pod(namespace: str, name: str, **annotations: str) -> Object:
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, "namespace": namespace, "labels": LABELS, "annotations": annotations},
        "spec": copy.deepcopy(POD_SPEC),
    }


def condition(found: Object, name: str) -> Object:
    return next((entry for entry in found["status"].get("conditions", []) if entry["type"] == name), {})


def wait_for_pods(api: Api, namespace: str, *, ready: int) -> list[Object]:
    def ready_pods() -> list[Object]:
        pods = api.objects("v1", "Pod", namespace=namespace)
        return [found for found in pods if condition(found, "Ready").get("status") == "True"]

    wait_until(lambda: len(ready_pods()) == ready, seconds=60, otherwise=f"{ready} pods are not ready")
    return ready_pods()


def wait_for_budget(api: Api, namespace: str, **expected: int) -> None:
    def kept() -> bool:
        status = api.get("policy/v1", "PodDisruptionBudget", "web", namespace=namespace)["status"]
        return {field: status.get(field) for field in expected} == expected

    wait_until(kept, seconds=30, otherwise=f"the budget's status is not {expected}")


def test_scheduler_spreads_and_pods_run(api: Api, namespace: str, create_nodes: Callable[[int], list[str]]) -> None:
    zone_of = {name: f"zone-{'abc'[number % 3]}" for number, name in enumerate(create_nodes(20))}

    api.create(spread_deployment(namespace, replicas=9))
    pods = wait_for_pods(api, namespace, ready=9)

    assert Counter(zone_of[found["spec"]["nodeName"]] for found in pods) == {"zone-a": 3, "zone-b": 3, "zone-c": 3}
    for found in pods:
        assert found["status"]["phase"] == "Running"
        assert found["status"]["startTime"]
        assert found["status"]["containerStatuses"][0]["state"]["running"]["startedAt"]
        assert condition(found, "PodScheduled")["status"] == "True"


def test_budget_is_kept_and_refuses_evictions(
    api: Api, namespace: str, create_nodes: Callable[[int], list[str]]
) -> None:
    create_nodes(3)
    api.create(spread_deployment(namespace, replicas=3))
    api.create(budget(namespace, min_available=2))
    before = wait_for_pods(api, namespace, ready=3)
    wait_for_budget(api, namespace, currentHealthy=3, desiredHealthy=2, expectedPods=3, disruptionsAllowed=1)

    # What takes the evicted pod's place cannot start, so the budget stays at zero.
    for name in {found["spec"]["nodeName"] for found in before}:
        api.patch("v1", "Node", name, {"spec": {"unschedulable": True}})
    first, second, _ = (found["metadata"]["name"] for found in before)
    api.evict(namespace, first)
    wait_for_budget(api, namespace, currentHealthy=2, disruptionsAllowed=0)
    with pytest.raises(ApiError, match="disruption budget") as refused:
        api.evict(namespace, second)

    assert refused.value.status == 429
    wait_until(
        lambda: api.find("v1", "Pod", first, namespace=namespace) is None,
        seconds=30,
        otherwise="the evicted pod does not go",
    )
    assert "deletionTimestamp" not in api.get("v1", "Pod", second, namespace=namespace)["metadata"]


def test_pod_too_large_is_unschedulable(api: Api, namespace: str, create_nodes: Callable[[int], list[str]]) -> None:
    create_nodes(3)
    large = pod(namespace, "large")
    large["spec"]["containers"][0]["resources"]["requests"]["cpu"] = "64"
    api.create(large)

    def scheduled() -> Object:
        return condition(api.get("v1", "Pod", "large", namespace=namespace), "PodScheduled")

    def events() -> list[Object]:
        return api.objects("v1", "Event", namespace=namespace, fieldSelector="reason=FailedScheduling")

    wait_until(scheduled, seconds=30, otherwise="the scheduler says nothing about the pod")
    wait_until(events, seconds=30, otherwise="there is no event")

    claims = "no new claims to deallocate, " if RELEASE.rules.says_what_devices_lack else ""
    message = (
        f"0/3 nodes are available: 3 Insufficient cpu. {claims}"
        "preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling."
    )
    assert (scheduled()["status"], scheduled()["reason"]) == ("False", "Unschedulable")
    assert scheduled()["message"] == message
    assert events()[0]["message"] == message


def test_pods_can_be_told_what_becomes_of_them(
    api: Api, namespace: str, create_nodes: Callable[[int], list[str]]
) -> None:
    create_nodes(1)
    for state in State:
        api.create(pod(namespace, state, **{STATE: state}))

    def outcomes() -> dict[str, tuple[Any, Any]]:
        return {
            found["metadata"]["name"]: (found["status"].get("phase"), condition(found, "Ready").get("status"))
            for found in api.objects("v1", "Pod", namespace=namespace)
        }

    expected = {
        "ready": ("Running", "True"),
        "unready": ("Running", "False"),
        "succeeded": ("Succeeded", "False"),
        "failed": ("Failed", "False"),
        "lingering": ("Running", "True"),
    }
    wait_until(lambda: outcomes() == expected, seconds=30, otherwise="pods are not as they were told to be")

    for name in ("lingering", "ready"):
        api.delete("v1", "Pod", name, namespace=namespace)
    wait_until(lambda: "ready" not in outcomes(), seconds=30, otherwise="a deleted pod does not go")
    assert "deletionTimestamp" in api.get("v1", "Pod", "lingering", namespace=namespace)["metadata"]
    api.patch("v1", "Pod", "lingering", {"metadata": {"annotations": {STATE: None}}}, namespace=namespace)
    wait_until(lambda: "lingering" not in outcomes(), seconds=30, otherwise="a lingering pod is not let go")


def test_node_that_is_not_ready_is_tainted(api: Api, create_nodes: Callable[[int], list[str]]) -> None:
    # Where most nodes of a zone fail, the controllers suspect themselves and drive nobody away.
    name, *_ = create_nodes(9)
    set_ready(api, name, ready=False)

    def effects() -> set[str]:
        taints = api.get("v1", "Node", name)["spec"].get("taints", [])
        return {taint["effect"] for taint in taints if taint["key"] == NOT_READY}

    wait_until(
        lambda: effects() == {"NoSchedule", "NoExecute"}, seconds=30, otherwise="the controllers do not taint the node"
    )


def test_killed_apiserver_comes_back_and_history_is_gone(
    control_plane: ControlPlane, namespace: str, create_nodes: Callable[[int], list[str]]
) -> None:
    api = control_plane.api
    create_nodes(1)
    _, before = api.snapshot("v1", "Pod")
    api.create(pod(namespace, "first"))
    wait_for_pods(api, namespace, ready=1)

    assert control_plane.compact_etcd() > int(before)
    control_plane.restart_apiserver()

    with pytest.raises(ApiError) as gone:
        next(api.watch("v1", "Pod", since=before))
    assert gone.value.status == 410
    api.create(pod(namespace, "second"))
    wait_for_pods(api, namespace, ready=2)


def test_berth_may_do_what_its_role_says_and_nothing_else(control_plane: ControlPlane, tmp_path: Path) -> None:
    role = tmp_path / "role.yaml"
    role.write_text(
        "apiVersion: rbac.authorization.k8s.io/v1\n"
        "kind: ClusterRole\n"
        "metadata: {name: berth}\n"
        "rules: [{apiGroups: [''], resources: [nodes], verbs: [list]}]\n"
    )

    with Api(control_plane.berth_kubeconfig(role)) as berth:
        assert berth.objects("v1", "Node") == []
        with pytest.raises(ApiError, match="system:serviceaccount:berth:berth") as refused:
            berth.objects("v1", "Pod")

    assert refused.value.status == 403
