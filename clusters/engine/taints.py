"""Taints of nodes, and which of them a pod tolerates.

Upstream: ``ToleratesTaint`` of ``k8s.io/api/core/v1`` v0.34.1 to v0.37.2; from 1.35 tolerations can compare numbers."""

from __future__ import annotations

import enum
import operator
import re
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from msgspec import Struct

from clusters.engine.quantity import MAX_INT64

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

NO_EXECUTE: Final = "NoExecute"
# The operators of tolerations that compare the taint's number with the toleration's.
_COMPARING: Final[Mapping[str, Callable[[int, int], bool]]] = MappingProxyType({"Lt": operator.lt, "Gt": operator.gt})
# No longer than 64 bits need.
_INTEGER: Final = re.compile(r"0|-?[1-9][0-9]{0,18}", re.ASCII)


class Taint(Struct, frozen=True):
    """A taint of a node."""

    key: str
    value: str
    effect: str

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Taint:
        return cls(str(data.get("key", "")), str(data.get("value") or ""), str(data.get("effect") or ""))

    def __str__(self) -> str:
        """Write the taint as kubectl does; no two are written alike."""
        return f"{self.key}={self.value}:{self.effect}" if self.value else f"{self.key}:{self.effect}"

    @property
    def forbids_scheduling(self) -> bool:
        return self.effect in ("NoSchedule", "NoExecute")


class Toleration(Struct, frozen=True):
    """A toleration of a pod."""

    key: str
    operator: str
    value: str
    effect: str

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Toleration:
        return cls(
            str(data.get("key") or ""),
            str(data.get("operator") or "Equal"),
            str(data.get("value") or ""),
            str(data.get("effect") or ""),
        )

    @property
    def compares_numbers(self) -> bool:
        """Whether it is for taints with a smaller or a greater number as their value."""
        return self.operator in _COMPARING

    def tolerates(self, taint: Taint) -> bool:
        """Empty key or effect stands for any; Equal compares values, Lt and Gt numbers, Exists nothing."""
        if self.effect and self.effect != taint.effect:
            return False
        if self.key and self.key != taint.key:
            return False
        if self.operator == "Exists":
            return True
        if self.compares_numbers:
            bound, number = _integer(self.value), _integer(taint.value)
            return bound is not None and number is not None and _COMPARING[self.operator](number, bound)
        return self.operator == "Equal" and self.value == taint.value


def _integer(value: str) -> int | None:
    """A whole number of 64 bits as Kubernetes writes it, without leading zeros; None for any other text."""
    number = int(value) if _INTEGER.fullmatch(value) else None
    return number if number is not None and -MAX_INT64 - 1 <= number <= MAX_INT64 else None


# Taints that components set on nodes and take away again: what each says of its node, and who sets it.
#
# Read in the documentation and sources of Kubernetes v1.37, cluster-autoscaler, Karpenter, Cluster API, Cilium,
# Gardener, the CSI drivers, the termination handlers and virtual kubelets. All other taints say whom a node is for.


class TaintMeaning(enum.Enum):
    """What a taint says of its node."""

    STARTING = enum.auto()
    """Somebody is still preparing the node, and removes the taint when it is ready for pods."""
    LEAVING = enum.auto()
    """The node is about to be drained and deleted."""
    VIRTUAL = enum.auto()
    """What looks like a node runs pods of one kind only, which another scheduler binds to it."""
    UNHEALTHY = enum.auto()
    """The node does not work as it should."""
    CORDONED = enum.auto()
    """Somebody cordoned the node."""
    SYSTEM = enum.auto()
    """The node is kept for the control plane and what the cluster itself needs."""


class KnownTaint(NamedTuple):
    """What a taint says, and the component that sets it; ``setter`` is empty where that is Kubernetes itself."""

    meaning: TaintMeaning
    setter: str = ""


_KUBERNETES: Final = "node.kubernetes.io/"
_EXACT: Final = {
    **{
        f"{_KUBERNETES}{condition}": KnownTaint(TaintMeaning.UNHEALTHY)
        for condition in (
            "not-ready",
            "unreachable",
            "memory-pressure",
            "disk-pressure",
            "pid-pressure",
            "network-unavailable",
            "out-of-service",
        )
    },
    f"{_KUBERNETES}unschedulable": KnownTaint(TaintMeaning.CORDONED),
    "node.cloudprovider.kubernetes.io/uninitialized": KnownTaint(TaintMeaning.STARTING, "cloud-controller-manager"),
    "node.cloudprovider.kubernetes.io/shutdown": KnownTaint(TaintMeaning.UNHEALTHY, "cloud-controller-manager"),
    "node-role.kubernetes.io/control-plane": KnownTaint(TaintMeaning.SYSTEM),
    "node-role.kubernetes.io/master": KnownTaint(TaintMeaning.SYSTEM),
    "node-role.kubernetes.io/etcd": KnownTaint(TaintMeaning.SYSTEM),
    "CriticalAddonsOnly": KnownTaint(TaintMeaning.SYSTEM),
    "ToBeDeletedByClusterAutoscaler": KnownTaint(TaintMeaning.LEAVING, "cluster-autoscaler"),
    "DeletionCandidateOfClusterAutoscaler": KnownTaint(TaintMeaning.LEAVING, "cluster-autoscaler"),
    "karpenter.sh/unregistered": KnownTaint(TaintMeaning.STARTING, "Karpenter"),
    "karpenter.sh/not-ready": KnownTaint(TaintMeaning.STARTING, "Karpenter"),
    "karpenter.sh/disrupted": KnownTaint(TaintMeaning.LEAVING, "Karpenter"),
    "karpenter.sh/disruption": KnownTaint(TaintMeaning.LEAVING, "Karpenter"),
    "node.cluster.x-k8s.io/uninitialized": KnownTaint(TaintMeaning.STARTING, "Cluster API"),
    "node.cluster.x-k8s.io/outdated-revision": KnownTaint(TaintMeaning.LEAVING, "Cluster API"),
    "node.cilium.io/agent-not-ready": KnownTaint(TaintMeaning.STARTING, "Cilium"),
    "node.gardener.cloud/critical-components-not-ready": KnownTaint(TaintMeaning.STARTING, "Gardener"),
    "cloud.google.com/impending-node-termination": KnownTaint(TaintMeaning.LEAVING, "GKE"),
    "remediator.kubernetes.azure.com/unschedulable": KnownTaint(TaintMeaning.LEAVING, "AKS"),
    "kubevirt.io/drain": KnownTaint(TaintMeaning.LEAVING, "KubeVirt"),
    "medik8s.io/remediation": KnownTaint(TaintMeaning.UNHEALTHY, "medik8s"),
    # Others reserve nodes, as auto does; only these are virtual.
    "eks.amazonaws.com/compute-type=fargate": KnownTaint(TaintMeaning.VIRTUAL, "AWS Fargate"),
    "virtual-kubelet.io/provider": KnownTaint(TaintMeaning.VIRTUAL, "virtual-kubelet"),
    "eks.tke.cloud.tencent.com/eklet": KnownTaint(TaintMeaning.VIRTUAL, "eklet"),
    "virtual-node.liqo.io/not-allowed": KnownTaint(TaintMeaning.VIRTUAL, "Liqo"),
}
_PATTERNS: Final = (
    (r"(startup-taint|ignore-taint)\.cluster-autoscaler\.kubernetes\.io/.*", TaintMeaning.STARTING, ""),
    (r"status-taint\.cluster-autoscaler\.kubernetes\.io/.*", TaintMeaning.UNHEALTHY, ""),
    (r"readiness\.k8s\.io/.*", TaintMeaning.STARTING, "node-readiness-controller"),
    (r"aws-node-termination-handler/.*", TaintMeaning.LEAVING, "aws-node-termination-handler"),
    (r"(?P<setter>[^/]+)/agent-not-ready", TaintMeaning.STARTING, ""),
)
_COMPILED: Final = [(re.compile(pattern, re.DOTALL), meaning, setter) for pattern, meaning, setter in _PATTERNS]
# What says how a node is, and not whom it is for.
_STATES: Final = frozenset({TaintMeaning.STARTING, TaintMeaning.LEAVING, TaintMeaning.UNHEALTHY, TaintMeaning.CORDONED})
# What nobody should tolerate: it passes by itself, the node goes, or another scheduler binds pods to it.
_FIXED: Final = frozenset({TaintMeaning.STARTING, TaintMeaning.LEAVING, TaintMeaning.VIRTUAL})


def known_taint(key: str, value: str) -> KnownTaint | None:
    """Return what a taint says; None for one that says whom its node is for."""
    if (known := _EXACT.get(key) or _EXACT.get(f"{key}={value}")) is not None:
        return known
    for pattern, meaning, setter in _COMPILED:
        if match := pattern.fullmatch(key):
            return KnownTaint(meaning, match.groupdict().get("setter") or setter)
    return None


def meaning_of(key: str, value: str) -> TaintMeaning | None:
    """Return what a taint says of its node; None for one that says whom its node is for."""
    known = known_taint(key, value)
    return None if known is None else known.meaning


def says_state(taint: Taint) -> bool:
    """Whether a taint says how a node is, and not whom it is for."""
    is_of_kubernetes = taint.key.startswith(("node.kubernetes.io/", "node.cloudprovider.kubernetes.io/"))
    return is_of_kubernetes or meaning_of(taint.key, taint.value) in _STATES


def is_fixed(key: str, value: str) -> bool:
    """Whether nobody should tolerate a taint."""
    return meaning_of(key, value) in _FIXED


def is_starting(taints: Iterable[Taint]) -> bool:
    """Whether taints, taken together, are those of a node that somebody still prepares."""
    found = {meaning_of(each.key, each.value) for each in taints}
    return TaintMeaning.STARTING in found and found <= {TaintMeaning.STARTING, TaintMeaning.UNHEALTHY}
