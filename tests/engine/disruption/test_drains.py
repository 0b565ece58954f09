from __future__ import annotations

from typing import Any

from clusters.engine import Snapshot
from clusters.engine.disruption import BlockedDrain, blocked_drains, budget_states


def node(name: str) -> dict[str, Any]:
    return {"kind": "Node", "metadata": {"name": name}, "status": {"allocatable": {"cpu": "4", "pods": "10"}}}


def pod(name: str, on: str, **labels: str) -> dict[str, Any]:
    return {
        "kind": "Pod",
        "metadata": {"name": name, "namespace": "shop", "uid": name, "labels": labels},
        "spec": {"nodeName": on, "containers": [{"name": "c"}]},
        "status": {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]},
    }


def budget(name: str, allowed: int, labels: dict[str, str], **spec: Any) -> dict[str, Any]:
    return {
        "apiVersion": "policy/v1",
        "kind": "PodDisruptionBudget",
        "metadata": {"name": name, "namespace": "shop"},
        "spec": {"selector": {"matchLabels": labels}, **spec},
        "status": {
            "disruptionsAllowed": allowed,
            "expectedPods": 3,
            "currentHealthy": 3,
            "desiredHealthy": 3 - allowed,
        },
    }


def drains(*objects: dict[str, Any]) -> list[BlockedDrain]:
    return blocked_drains(budget_states(Snapshot.from_objects(objects)))


def test_a_budget_that_allows_nothing_blocks_and_one_that_allows_some_lets_pods_go_in_turns() -> None:
    pods = [pod("a", "ash", app="web"), pod("b", "ash", app="web")]

    (drain,) = drains(node("ash"), node("birch"), *pods, budget("web", 0, {"app": "web"}, minAvailable=1))

    (refusal,) = drain.refusals
    assert (drain.node, drain.lasts, drain.most) == ("ash", False, 2)
    assert (refusal.budget.name, refusal.pods, refusal.refused, refusal.shared) == ("web", 2, 2, 0)
    assert drains(node("ash"), node("birch"), *pods, budget("web", 1, {"app": "web"}, minAvailable=2)) == []


def test_pods_of_two_budgets_block_until_one_budget_lets_go_of_them() -> None:
    both = [budget(name, 2, {"app": "web"}, minAvailable=1) for name in ("one", "two")]
    pods = [pod(name, "ash", app="web") for name in "abc"]

    (drain,) = drains(node("ash"), *pods, *both)

    assert drain.lasts
    assert drain.most == 3
    assert [(each.budget.name, each.refused, each.shared) for each in drain.refusals] == [("one", 3, 3), ("two", 3, 3)]


def test_what_lasts_comes_first() -> None:
    never = budget("never", 0, {"app": "api"}, maxUnavailable=0)
    web = budget("web", 0, {"app": "web"}, minAvailable=1)
    pods = [pod("a", "ash", app="web"), pod("b", "ash", app="web"), pod("c", "birch", app="api")]

    found = drains(node("ash"), node("birch"), *pods, web, never)

    assert [drain.node for drain in found if drain.lasts] == [found[0].node]
    assert found[0].node == "birch"
