"""Manifests of nodes and workloads from a few fields, as somebody would write them by hand."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final

from clusters.engine.spreading.constraints import HOSTNAME, ZONE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusters.engine.matching.taints import Taint
    from clusters.engine.objects import Document

GPU: Final = "nvidia.com/gpu"
_APP: Final = "app"
_REQUIRED: Final = "requiredDuringSchedulingIgnoredDuringExecution"
_PREFERRED: Final = "preferredDuringSchedulingIgnoredDuringExecution"


class WorkloadKind(StrEnum):
    """What creates the pods."""

    DEPLOYMENT = "Deployment"
    DAEMON_SET = "DaemonSet"
    POD = "Pod"


class Spread(StrEnum):
    """How the pods of a workload are spread."""

    NONE = ""
    ZONES = "zones"
    """Topology spread over zones: maxSkew 1, DoNotSchedule."""
    ZONES_PREFERRED = "zones-preferred"
    """The same with ScheduleAnyway."""
    NODES = "nodes"
    """Topology spread over nodes: maxSkew 1, DoNotSchedule."""


class Apart(StrEnum):
    """How pod anti-affinity keeps the pods of a workload from each other."""

    NONE = ""
    NODES = "nodes"
    ZONES = "zones"
    NODES_PREFERRED = "nodes-preferred"


@dataclass(frozen=True, slots=True)
class NodeFields:
    """A node: amounts are quantities, an empty zone none, no GPU is 0."""

    name: str
    cpu: str
    memory: str
    zone: str = ""
    pods: int = 110
    gpus: int = 0
    labels: Mapping[str, str] = field(default_factory=dict)
    taint: Taint | None = None

    def manifest(self) -> Document:
        """The node as a manifest."""
        amounts = {"cpu": self.cpu, "memory": self.memory, "pods": str(self.pods)}
        if self.gpus:
            amounts[GPU] = str(self.gpus)
        zone = {ZONE: self.zone} if self.zone else {}
        found: dict[str, Any] = {
            "apiVersion": "v1",
            "kind": "Node",
            "metadata": {"name": self.name, "labels": {HOSTNAME: self.name, **zone, **self.labels}},
            "spec": {},
            "status": {"capacity": amounts, "allocatable": amounts},
        }
        if self.taint is not None:
            found["spec"]["taints"] = [
                _without_empty(key=self.taint.key, value=self.taint.value, effect=self.taint.effect)
            ]
        return found


@dataclass(frozen=True, slots=True)
class WorkloadFields:
    """A workload of pods with one container.

    ``priority``: 0 without a PriorityClass. ``zones``: the only ones that its node affinity allows; all if empty.
    ``tolerates``: a taint as it stands on nodes. ``near``: the value of the label ``app`` of pods in whose zone its
    pods have to be. ``available``: how many its PodDisruptionBudget keeps available; 0 without one.
    """

    kind: WorkloadKind
    name: str
    cpu: str
    memory: str
    replicas: int = 1
    namespace: str = "default"
    gpus: int = 0
    priority: int = 0
    node_selector: Mapping[str, str] = field(default_factory=dict)
    zones: tuple[str, ...] = ()
    tolerates: Taint | None = None
    spread: Spread = Spread.NONE
    apart: Apart = Apart.NONE
    near: str = ""
    available: int = 0

    def manifests(self) -> list[Document]:
        """The workload with its PriorityClass and its PodDisruptionBudget, where it has them."""
        found: list[Document] = []
        if self.priority:
            metadata = {"name": self._priority_class}
            found.append(
                {
                    "apiVersion": "scheduling.k8s.io/v1",
                    "kind": "PriorityClass",
                    "metadata": metadata,
                    "value": self.priority,
                }
            )
        found.append(self._workload())
        if self.available:
            spec = {"minAvailable": self.available, "selector": self._selector}
            found.append(
                {"apiVersion": "policy/v1", "kind": "PodDisruptionBudget", "metadata": self._metadata, "spec": spec}
            )
        return found

    def _workload(self) -> Document:
        if self.kind is WorkloadKind.POD:
            metadata = {**self._metadata, "labels": {_APP: self.name}}
            return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": self._pod_spec()}
        spec: dict[str, Any] = {"replicas": self.replicas} if self.kind is WorkloadKind.DEPLOYMENT else {}
        template = {"metadata": {"labels": {_APP: self.name}}, "spec": self._pod_spec()}
        spec |= {"selector": self._selector, "template": template}
        return {"apiVersion": "apps/v1", "kind": str(self.kind), "metadata": self._metadata, "spec": spec}

    @property
    def _metadata(self) -> dict[str, Any]:
        return {"name": self.name, "namespace": self.namespace}

    @property
    def _selector(self) -> dict[str, Any]:
        return {"matchLabels": {_APP: self.name}}

    @property
    def _priority_class(self) -> str:
        return f"priority-{self.priority}" if self.priority > 0 else f"priority-minus-{-self.priority}"

    def _pod_spec(self) -> dict[str, Any]:
        requests = _without_empty(cpu=self.cpu, memory=self.memory)
        resources: dict[str, Any] = {"requests": requests}
        if self.gpus:
            requests[GPU] = str(self.gpus)
            resources["limits"] = {GPU: str(self.gpus)}
        spec: dict[str, Any] = {
            "containers": [{"name": "main", "image": "registry.k8s.io/pause:3.10", "resources": resources}]
        }
        if self.priority:
            spec["priorityClassName"] = self._priority_class
        if self.node_selector:
            spec["nodeSelector"] = dict(self.node_selector)
        if affinity := self._affinity():
            spec["affinity"] = affinity
        if self.tolerates is not None:
            taint = self.tolerates
            operator = {"operator": "Equal", "value": taint.value} if taint.value else {"operator": "Exists"}
            spec["tolerations"] = [{"key": taint.key, **operator, "effect": taint.effect}]
        if self.spread:
            spec["topologySpreadConstraints"] = [
                {
                    "maxSkew": 1,
                    "topologyKey": HOSTNAME if self.spread is Spread.NODES else ZONE,
                    "whenUnsatisfiable": "ScheduleAnyway" if self.spread is Spread.ZONES_PREFERRED else "DoNotSchedule",
                    "labelSelector": self._selector,
                }
            ]
        return spec

    def _affinity(self) -> dict[str, Any]:
        found: dict[str, Any] = {}
        if self.zones:
            expression = {"key": ZONE, "operator": "In", "values": list(self.zones)}
            found["nodeAffinity"] = {_REQUIRED: {"nodeSelectorTerms": [{"matchExpressions": [expression]}]}}
        if self.near:
            term = {"labelSelector": {"matchLabels": {_APP: self.near}}, "topologyKey": ZONE}
            found["podAffinity"] = {_REQUIRED: [term]}
        if self.apart:
            term = {"labelSelector": self._selector, "topologyKey": ZONE if self.apart is Apart.ZONES else HOSTNAME}
            is_preferred = self.apart is Apart.NODES_PREFERRED
            rule = {_PREFERRED: [{"weight": 100, "podAffinityTerm": term}]} if is_preferred else {_REQUIRED: [term]}
            found["podAntiAffinity"] = rule
        return found


def _without_empty(**fields: str) -> dict[str, str]:
    return {name: text for name, text in fields.items() if text}
