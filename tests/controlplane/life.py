"""What happens in the test world once it is there, as it does in clusters that people work with."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tests.controlplane.api import ApiError, Object
from tests.controlplane.kubelet import STATE, State
from tests.controlplane.world import PlannedNode, World
from tests.support.waiting import wait_until

if TYPE_CHECKING:
    from collections.abc import Callable


_DRAIN_ROUNDS = 6
_MAINTENANCE: Object = {"key": "maintenance", "value": "soon", "effect": "NoSchedule"}
_LEAVE: Object = {"key": "maintenance", "value": "now", "effect": "NoExecute"}
CREATED, REFUSED, UNDECIDABLE = 201, 429, 500
"""What the Eviction API answers: done, a budget does not allow it, two budgets say something about it.

A pod that went by itself meanwhile is not found, which is as good as done.
"""


@dataclass(slots=True)
class Life:
    """One course of events; every method is one of them, and `lead` is all in their order."""

    world: World
    # Waits until the last course of events is no longer all that the scheduler is busy with.
    calm_down: Callable[[], None]
    evictions: Counter[int] = field(default_factory=Counter)
    _touched: set[str] = field(default_factory=set)

    def lead(self) -> None:
        # First, for what was on them is collected a minute later.
        self.lose_nodes(3)
        for name in ("front", "fast"):
            self.roll("shop", name)
            self.calm_down()
        self.roll("data", "releases")
        cordoned = self.cordon(6)
        self.scale("shop", "api", +20)
        self.scale("shop", "loose", -30)
        tainted = self.taint(3)
        self.drive_away()
        self.calm_down()
        self.preempt()
        self.calm_down()
        self.drain(3)
        self.calm_down()
        self.roll("data", "cache")
        self.finish("plain", 10)
        self.open_gates(12)
        for name in (*cordoned, *tainted):
            self._change_node(name, unschedulable=None, taints=self._planned(name).taints)
        self.add_nodes(3)
        self.scale("shop", "untainted", -10)
        self.scale("shop", "loose", +15)

    def roll(self, namespace: str, name: str) -> None:
        """Change a Deployment's template, so that all its pods are replaced step by step."""
        change = {"spec": {"template": {"metadata": {"annotations": {"release": "2"}}}}}
        self.world.api.patch("apps/v1", "Deployment", name, change, namespace=namespace)

    def scale(self, namespace: str, name: str, by: int) -> None:
        found = self.world.api.get("apps/v1", "Deployment", name, namespace=namespace)
        replicas = max(0, found["spec"]["replicas"] + by)
        self.world.api.patch("apps/v1", "Deployment", name, {"spec": {"replicas": replicas}}, namespace=namespace)

    def cordon(self, count: int) -> list[str]:
        names = self._some_nodes("small", count)
        for name in names:
            self._change_node(name, unschedulable=True)
        return names

    def taint(self, count: int) -> list[str]:
        names = self._some_nodes("large", count)
        for name in names:
            self._change_node(name, taints=[*self._planned(name).taints, _MAINTENANCE])
        return names

    def drive_away(self) -> None:
        """Taint a node so that its pods have to leave, and no new ones come."""
        (name,) = self._some_nodes("medium", 1)
        self._change_node(name, taints=[*self._planned(name).taints, _LEAVE])

    def lose_nodes(self, count: int) -> None:
        for name in self._some_nodes("medium", count):
            self.world.api.delete("v1", "Node", name)
            self.world.nodes.remove(self._planned(name))

    def add_nodes(self, count: int) -> None:
        first = self.world.nodes[0]
        made = [
            PlannedNode(f"late-{number}", first.pool, first.labels, first.taints, first.images)
            for number in range(count)
        ]
        self.world.create_nodes(made)
        self.world.nodes.extend(made)

    def preempt(self) -> None:
        """Let urgent pods drive cheap ones away, some of which take their time to go."""
        api = self.world.api
        cheap = api.objects(
            "v1", "Pod", namespace="batch", labelSelector="app=filling", fieldSelector="spec.nodeName!="
        )
        slow = [pod["metadata"]["name"] for pod in cheap[::2]]
        for name in slow:
            self._tell("batch", name, State.LINGERING)
        for manifest in self.world.catalogue.urgent().objects:
            api.create(manifest)

        def are_nominated() -> bool:
            urgent = api.objects("v1", "Pod", namespace="batch", labelSelector="app=urgent")
            return any(pod["status"].get("nominatedNodeName") for pod in urgent)

        wait_until(are_nominated, seconds=30, otherwise="nobody is preempted")
        time.sleep(1)
        for name in slow:
            self._tell("batch", name, None)

    def drain(self, count: int) -> None:
        """Empty nodes by the Eviction API, politely, and one on which two budgets are in the way."""
        doubly = self.world.api.objects("v1", "Pod", namespace="lab", labelSelector="app=doubly")
        # A pod of a node that was lost stays until it is collected.
        there = {node["metadata"]["name"] for node in self.world.api.objects("v1", "Node")}
        guarded = next(pod["spec"]["nodeName"] for pod in doubly if pod["spec"].get("nodeName") in there)
        nodes = {guarded, *self._some_nodes("medium", count - 1)}
        for name in sorted(nodes):
            self._change_node(name, unschedulable=True)
        # Two pods in a hundred may be away at once, so the rest has to wait until others have replaced them.
        web = self.world.api.objects("v1", "Pod", namespace="shop", labelSelector="app=web")
        self._be_refused([_key(pod) for pod in web if pod["status"].get("phase") == "Running"])
        # Of these, preemption has left fewer than their budget requires.
        cheap = self.world.api.objects("v1", "Pod", namespace="batch", labelSelector="app=filling")
        refused = [pod for pod in cheap if pod["status"].get("phase") == "Running"][:2]
        remaining = [*self._on(nodes), *(_key(pod) for pod in (*web[:12], *refused))]
        for _ in range(_DRAIN_ROUNDS):
            remaining = [key for key in remaining if self._evict(*key) == REFUSED]
            if not remaining:
                break
            time.sleep(0.5)

    def _be_refused(self, running: list[tuple[str, str]]) -> None:
        """Ask for an eviction while one pod in twenty is not ready, more than the budget lets be away."""
        first, *others = running[: len(running) // 20 + 1]
        for key in others:
            self._tell(*key, State.UNREADY)

        def is_exhausted() -> bool:
            budget = self.world.api.get("policy/v1", "PodDisruptionBudget", "web", namespace="shop")
            return bool(budget["status"]["disruptionsAllowed"] == 0)

        wait_until(is_exhausted, seconds=30, otherwise="the budget still allows disruptions")
        self._evict(*first)
        for key in others:
            self._tell(*key, None)

    def finish(self, app: str, count: int) -> None:
        for pod in self.world.api.objects("v1", "Pod", namespace="batch", labelSelector=f"app={app}")[:count]:
            self._tell("batch", pod["metadata"]["name"], State.SUCCEEDED)

    def open_gates(self, count: int) -> None:
        for pod in self.world.api.objects("v1", "Pod", namespace="lab", labelSelector="app=gated")[:count]:
            name = pod["metadata"]["name"]
            self.world.api.patch("v1", "Pod", name, {"spec": {"schedulingGates": []}}, namespace="lab")

    def _evict(self, namespace: str, name: str) -> int:
        try:
            self.world.api.evict(namespace, name)
        except ApiError as error:
            answer = error.status
        else:
            answer = CREATED
        self.evictions[answer] += 1
        return answer

    def _on(self, nodes: set[str]) -> list[tuple[str, str]]:
        """Return the pods on these nodes that a drain takes away."""
        return [
            _key(pod)
            for pod in self.world.api.objects("v1", "Pod", fieldSelector="spec.nodeName!=")
            if pod["spec"]["nodeName"] in nodes
            and all(owner["kind"] != "DaemonSet" for owner in pod["metadata"].get("ownerReferences", []))
        ]

    def _tell(self, namespace: str, name: str, state: State | None) -> None:
        """Say what becomes of a pod; one that is gone needs not be told."""
        try:
            self.world.api.patch("v1", "Pod", name, {"metadata": {"annotations": {STATE: state}}}, namespace=namespace)
        except ApiError as error:
            if error.reason != "NotFound":
                raise

    def _some_nodes(self, pool: str, count: int) -> list[str]:
        """Return nodes of a pool that nothing has happened to yet."""
        of_pool = [node.name for node in self.world.nodes if node.pool.name == pool]
        chosen = self.world.chance.sample([name for name in of_pool if name not in self._touched], count)
        self._touched.update(chosen)
        return sorted(chosen)

    def _planned(self, name: str) -> PlannedNode:
        return next(node for node in self.world.nodes if node.name == name)

    def _change_node(self, name: str, **spec: object) -> None:
        self.world.api.patch("v1", "Node", name, {"spec": spec})


def _key(pod: Object) -> tuple[str, str]:
    return pod["metadata"]["namespace"], pod["metadata"]["name"]
