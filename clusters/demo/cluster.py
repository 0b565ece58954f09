"""The whole demo cluster: pods placed by the scheduler's own rules, then a morning's incidents, then what it says.

Everything that kube-scheduler would have written about the pending pods is computed by the engine.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.demo import budgets, devices, nodes, quotas, storage
from clusters.demo.identity import Document, ago, cut, event, metadata, number, preempted_note
from clusters.demo.running import RUNNING
from clusters.demo.stories import TOLD
from clusters.demo.workload import PATIENT, PRIORITIES, Workload
from clusters.engine import SchedulerConfiguration, Snapshot, UnknownScheduler, explain
from clusters.engine.objects import Pod
from clusters.engine.scheduling import reserve_devices

if TYPE_CHECKING:
    from collections.abc import Iterable

NAMESPACES = (
    "batch",
    "content",
    "data",
    "default",
    "internal",
    "kube-system",
    "ml",
    "mobile",
    "payments",
    "platform",
    "search",
    "shop",
    "support",
    "warehouse",
)
_GATED_MESSAGE = "Scheduling is blocked due to non-empty scheduling gates"

Key = tuple[str, str]


class NoRoom(Exception):  # noqa: N818 - it says what is wrong with the demo's tables
    """A pod that should run fits nowhere: the tables ask for more than the nodes have."""


def demo_objects() -> list[Document]:
    """Return all objects of the demo cluster, the same ones every time."""
    return _Demo().build()


class _Demo:
    """The cluster while it is put together."""

    def __init__(self) -> None:
        self._configuration = SchedulerConfiguration.default()
        self._workloads = [*RUNNING, *TOLD]
        self._nodes = nodes.nodes()
        self._claims: dict[Key, Document] = {}
        self._others = [
            *_namespaces(),
            *[
                {
                    "apiVersion": "scheduling.k8s.io/v1",
                    "kind": "PriorityClass",
                    "metadata": metadata("PriorityClass", name),
                    "value": value,
                    "globalDefault": name == "standard",
                    "preemptionPolicy": "Never" if name == PATIENT else "PreemptLowerPriority",
                }
                for name, value in PRIORITIES.items()
            ],
            *storage.classes(),
            *nodes.csi_nodes(),
            *devices.devices(),
        ]
        for workload in self._workloads:
            self._others.extend(workload.controllers())
            self._keep_claims(workload.template_claims())
        for written in storage.own_claims():
            if written["kind"] == "PersistentVolumeClaim":
                self._keep_claims([written])
            else:
                self._others.append(written)
        # The snapshot keeps the claims of devices: what they hold changes as pods are placed.
        self._snapshot = Snapshot.from_objects(
            [*self._nodes, *self._others, *self._claims.values(), devices.own_claim()]
        )
        self._pods: list[Document] = []
        self._events: list[Document] = []

    def _keep_claims(self, claims: Iterable[Document]) -> None:
        for claim in claims:
            self._claims[claim["metadata"]["namespace"], claim["metadata"]["name"]] = claim

    def build(self) -> list[Document]:
        waiting = self._place_pods()
        by_node: dict[str, set[str]] = {}
        for pod in self._pods:
            if "nodeName" in pod["spec"]:
                by_node.setdefault(pod["spec"]["nodeName"], set()).add(pod["spec"]["containers"][0]["image"])
        for node in self._nodes:
            node["status"]["images"] = [
                {"names": [image], "sizeBytes": (250 + number(image, 800)) * 1024 * 1024}
                for image in sorted(by_node.get(node["metadata"]["name"], ()))
            ]
        self._strike()
        protected = budgets.budgets(self._pods)
        counted = quotas.quotas(self._pods)
        self._events.extend(quotas.refuse(counted, self._others, self._pods))
        self._others.extend([*protected, *counted, *quotas.limit_ranges()])
        device_claims = [dict(each) for each in self._snapshot.objects("ResourceClaim")]
        state = [*self._nodes, *self._others, *self._claims.values(), *device_claims, *self._pods]
        self._write_messages(Snapshot.from_objects(state), waiting)
        return [*state, *self._events]

    # -- placing -----------------------------------------------------------------------------------------

    def _place_pods(self) -> list[Document]:
        """Place all pods that have a place, the given ones first, then by priority; return those that wait."""
        free: list[tuple[Workload, Document]] = []
        waiting = []
        for workload in self._workloads:
            pods = workload.pods()
            self._pods.extend(pods)
            if workload.gpu_template:
                for pod in pods:
                    self._snapshot.upsert(devices.pod_claim(pod, workload.gpu_template))
            placed = pods[: workload.replicas - workload.pending]
            for index, pod in enumerate(pods):
                if index >= len(placed):
                    waiting.append(pod)
                    if workload.nominated:
                        pod["status"]["nominatedNodeName"] = workload.nominated
                elif "nodeName" in pod["spec"]:
                    self._settle(pod, pod["spec"]["nodeName"], workload, index)
                else:
                    free.append((workload, pod))
        for index, (workload, pod) in enumerate(sorted(free, key=lambda each: -PRIORITIES[each[0].priority])):
            self._settle(pod, self._choose(pod), workload, index)
        return waiting

    def _choose(self, pod: Document) -> str:
        explanation = explain(self._snapshot, pod, self._configuration.profile_for(pod))
        if not explanation.fits:
            raise NoRoom(f"{explanation.pod.key}: {explanation.message}")
        best = explanation.best
        return best[number(explanation.pod.key, len(best))]

    def _settle(self, pod: Document, node: str, workload: Workload, index: int) -> None:
        """Make a pod one that runs, or has run, on a node, and bind its claims."""
        pod["spec"]["nodeName"] = node
        metadata_, started = pod["metadata"], pod["metadata"]["creationTimestamp"]
        is_ready = workload.phase == "Running" and index >= workload.crashing
        pod["status"] |= {
            "phase": workload.phase,
            "startTime": started,
            "conditions": [
                {"type": "PodScheduled", "status": "True", "lastTransitionTime": started},
                {"type": "Ready", "status": "True" if is_ready else "False", "lastTransitionTime": started},
            ],
        }
        for volume in pod["spec"].get("volumes", ()):
            claim = self._claims[metadata_["namespace"], volume["persistentVolumeClaim"]["claimName"]]
            if "volumeName" not in claim["spec"]:
                found = storage.bound(claim, node)
                self._others.append(found)
                self._snapshot.upsert(found).upsert(claim)
        reserve_devices(
            self._snapshot, Pod(pod), self._configuration.profile_for(pod), self._snapshot.nodes.index[node]
        )
        self._snapshot.upsert(pod)

    # -- the morning -------------------------------------------------------------------------------------

    def _strike(self) -> None:
        """Let nodes fail, and a victim of preemption shut down."""
        for node in self._nodes:
            nodes.strike(node)
        for pod in self._pods:
            if pod["spec"].get("nodeName") == nodes.NOT_READY and pod["status"]["phase"] == "Running":
                _set_ready(pod, "False", minutes=2)
        self._preempt()
        self._events.append(
            event(
                "Node", "", nodes.NOT_READY, "NodeNotReady", "Node general-b-09 status is now: NodeNotReady", minutes=2
            )
        )

    def _preempt(self) -> None:
        """Let the victim of the nominated pod shut down."""
        nominated = next(pod for pod in self._pods if "nominatedNodeName" in pod["status"])
        node = nominated["status"]["nominatedNodeName"]
        victim = next(
            pod
            for pod in self._pods
            if pod["spec"].get("nodeName") == node and pod["metadata"]["labels"]["app"] == "clickstream"
        )
        victim["metadata"]["deletionTimestamp"] = ago(seconds=20)
        victim["status"]["conditions"].append(
            {
                "type": "DisruptionTarget",
                "status": "True",
                "reason": "PreemptionByScheduler",
                "message": "default-scheduler: preempting to accommodate a higher priority pod",
                "lastTransitionTime": ago(seconds=20),
            }
        )
        _set_ready(victim, "False", seconds=20)
        message = preempted_note(nominated["metadata"]["uid"], node)
        name, namespace = victim["metadata"]["name"], victim["metadata"]["namespace"]
        self._events.append(event("Pod", namespace, name, "Preempted", message, seconds=20))

    # -- what the scheduler says -------------------------------------------------------------------------

    def _write_messages(self, snapshot: Snapshot, waiting: Iterable[Document]) -> None:
        for pod in waiting:
            if "nodeName" in pod["spec"]:
                continue
            try:
                explanation = explain(snapshot, pod, self._configuration.profile_for(pod))
            except UnknownScheduler:
                continue
            if explanation.pod.scheduling_gates:
                _report(pod, "SchedulingGated", _GATED_MESSAGE)
            elif explanation.message is not None:
                _report(pod, "Unschedulable", explanation.message)
                name, namespace = pod["metadata"]["name"], pod["metadata"]["namespace"]
                note = cut(explanation.message)
                self._events.append(event("Pod", namespace, name, "FailedScheduling", note, minutes=1))


def _set_ready(pod: Document, status: str, **age: float) -> None:
    for condition in pod["status"]["conditions"]:
        if condition["type"] == "Ready":
            condition |= {"status": status, "lastTransitionTime": ago(**age)}


def _report(pod: Document, reason: str, message: str) -> None:
    pod["status"]["conditions"] = [
        {
            "type": "PodScheduled",
            "status": "False",
            "reason": reason,
            "message": message,
            "lastTransitionTime": pod["metadata"]["creationTimestamp"],
        }
    ]


def _namespaces() -> list[Document]:
    return [
        {
            "apiVersion": "v1",
            "kind": "Namespace",
            "metadata": metadata("Namespace", name, labels={"kubernetes.io/metadata.name": name, "team": name}),
            "status": {"phase": "Active"},
        }
        for name in NAMESPACES
    ]
