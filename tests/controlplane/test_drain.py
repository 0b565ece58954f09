"""Drains as planned are drains as they go: the real Eviction API, disruption controller and scheduler agree."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest

from clusters.engine import Snapshot
from clusters.engine.disruption.drains import DrainCase, DrainOptions, Plan, drain_plan, first_answers, residents_of
from clusters.engine.objects import Pod
from tests.controlplane.api import Api, ApiError, Object
from tests.controlplane.manifests import budget, owner, pod_spec, selecting, template
from tests.controlplane.release import CONFIGURATION, RELEASE
from tests.support.waiting import wait_until

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


pytestmark = pytest.mark.controlplane

OPTIONS = DrainOptions()
KINDS = (
    ("v1", "Node"),
    ("v1", "Pod"),
    ("v1", "Namespace"),
    ("policy/v1", "PodDisruptionBudget"),
    ("apps/v1", "ReplicaSet"),
    ("apps/v1", "Deployment"),
)
SIZES = {"web": 6, "free": 5, "doubly": 2, "never": 1}


def deployment(namespace: str, name: str, replicas: int) -> Object:
    wanted = {"replicas": replicas, "selector": selecting(name), "template": template(name, pod_spec())}
    return owner("apps/v1", "Deployment", namespace, name, wanted)


def objects(api: Api) -> list[Object]:
    """Read everything that the engine needs; items of lists do not say of what kind they are."""
    return [
        {**each, "apiVersion": version, "kind": kind} for version, kind in KINDS for each in api.objects(version, kind)
    ]


def pods_of(found: Iterable[Object], namespace: str) -> list[Object]:
    return [each for each in found if each["kind"] == "Pod" and each["metadata"]["namespace"] == namespace]


def wait_until_settled(api: Api, namespace: str, sizes: dict[str, int]) -> None:
    """Wait until all pods are ready, those that were evicted are gone, and every budget's status says so."""

    def is_settled() -> bool:
        pods = [Pod(each) for each in api.objects("v1", "Pod", namespace=namespace)]
        ready = Counter(pod.labels["app"] for pod in pods if pod.ready and not pod.terminating)
        budgets = api.objects("policy/v1", "PodDisruptionBudget", namespace=namespace)
        return (
            ready == sizes
            and len(pods) == sum(sizes.values())
            and all(
                each.get("status", {}).get("currentHealthy") == sizes[each["spec"]["selector"]["matchLabels"]["app"]]
                and not each["status"].get("disruptedPods")
                for each in budgets
            )
        )

    wait_until(is_settled, seconds=60, otherwise="pods or budgets do not settle")


def cordon(api: Api, names: Iterable[str]) -> None:
    for name in names:
        api.patch("v1", "Node", name, {"spec": {"unschedulable": True}})


def answer_of(api: Api, pod: str) -> tuple[int, str]:
    """Evict for real; a granted eviction is a created object (201)."""
    namespace, _, name = pod.partition("/")
    try:
        api.evict(namespace, name)
    except ApiError as error:
        return error.status, error.message
    return 200, ""


def test_answers_are_those_of_the_eviction_api(
    api: Api, namespace: str, create_nodes: Callable[[int], list[str]]
) -> None:
    nodes = create_nodes(4)
    for name, replicas in SIZES.items():
        api.create(deployment(namespace, name, replicas))
    api.create(budget(namespace, "web", "web", minAvailable=4))
    api.create(budget(namespace, "one", "doubly", minAvailable=1))
    api.create(budget(namespace, "two", "doubly", minAvailable=1))
    api.create(budget(namespace, "never", "never", maxUnavailable=0))
    wait_until_settled(api, namespace, SIZES)
    # Nothing can take a place, so that no answer depends on how fast others come.
    cordon(api, nodes)

    found = objects(api)
    residents = residents_of(pods_of(found, namespace), OPTIONS)
    expected = [
        asked for asked in first_answers(Snapshot.from_objects(found, RELEASE), nodes, residents) if asked.answer
    ]
    real = [answer_of(api, asked.pod) for asked in expected]

    assert [(asked.answer.code, asked.answer.message) for asked in expected if asked.answer] == real
    assert Counter(code for code, _ in real) == {200: 2 + 5, 429: 4 + 1, 500: 2}


def test_plan_goes_without_a_refusal(api: Api, namespace: str, create_nodes: Callable[[int], list[str]]) -> None:
    nodes = create_nodes(6)
    sizes = {"web": 6, "free": 5}
    for name, replicas in sizes.items():
        api.create(deployment(namespace, name, replicas))
    api.create(budget(namespace, "web", "web", maxUnavailable=1))
    wait_until_settled(api, namespace, sizes)
    chosen = nodes[:4]

    plan = planned(api, namespace, chosen)
    cordon(api, chosen)
    answers: list[Any] = []
    for batch in plan.batches:
        for asking in range(1, batch.rounds + 1):
            answers += [answer_of(api, eviction.pod)[0] for eviction in batch.evictions if eviction.round == asking]
            wait_until_settled(api, namespace, sizes)

    assert plan.blocked == ()
    assert len(plan.batches) > 1
    assert set(answers) == {200}
    left = {Pod(each).node_name for each in api.objects("v1", "Pod", namespace=namespace)}
    assert left.isdisjoint(chosen)


def planned(api: Api, namespace: str, chosen: list[str]) -> Plan:
    found = objects(api)
    pods = [each for each in pods_of(found, namespace) if each["spec"].get("nodeName") in chosen]
    case = DrainCase(chosen, pods)
    return drain_plan(Snapshot.from_objects(found, RELEASE), CONFIGURATION, case, OPTIONS)
