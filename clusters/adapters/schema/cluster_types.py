"""What the Kubernetes API of v1.34 says about nodes, namespaces, and what bounds the pods of a namespace.

Names and types as ``k8s.io/api`` of v1.34.1 has them, written as in ``pod.json``; ``declaredFeatures`` came with v1.35.
"""

from __future__ import annotations

from typing import Final

from clusters.adapters.schema.pod_types import PodType


def _type(*required: str, **fields: str) -> PodType:
    return PodType(fields, required)


def _object(spec: str, status: str = "anything") -> PodType:
    return _type(apiVersion="string", kind="string", metadata="ObjectMeta", spec=spec, status=status)


CLUSTER_TYPES: Final[dict[str, PodType]] = {
    "Namespace": _object("NamespaceSpec"),
    "NamespaceSpec": _type(finalizers="[]string"),
    "Node": _object("NodeSpec", "NodeStatus"),
    "NodeSpec": _type(
        configSource="anything",
        externalID="string",
        podCIDR="string",
        podCIDRs="[]string",
        providerID="string",
        taints="[]Taint",
        unschedulable="boolean",
    ),
    "Taint": _type("key", "effect", key="string", value="string", effect="string", timeAdded="time"),
    "NodeStatus": _type(
        addresses="anything",
        allocatable="{}quantity",
        capacity="{}quantity",
        conditions="[]NodeCondition",
        config="anything",
        daemonEndpoints="anything",
        declaredFeatures="[]string",
        features="anything",
        images="[]ContainerImage",
        nodeInfo="anything",
        phase="string",
        runtimeHandlers="anything",
        volumesAttached="anything",
        volumesInUse="[]string",
    ),
    "NodeCondition": _type(
        "type",
        "status",
        type="string",
        status="string",
        lastHeartbeatTime="time",
        lastTransitionTime="time",
        message="string",
        reason="string",
    ),
    "ContainerImage": _type(names="[]string", sizeBytes="int64"),
    "LimitRange": _object("LimitRangeSpec"),
    "LimitRangeSpec": _type("limits", limits="[]LimitRangeItem"),
    "LimitRangeItem": _type(
        "type",
        type="string",
        default="{}quantity",
        defaultRequest="{}quantity",
        max="{}quantity",
        maxLimitRequestRatio="{}quantity",
        min="{}quantity",
    ),
    "ResourceQuota": _object("ResourceQuotaSpec"),
    "ResourceQuotaSpec": _type(hard="{}quantity", scopes="[]string", scopeSelector="ScopeSelector"),
    "ScopeSelector": _type(matchExpressions="[]ScopedResourceSelectorRequirement"),
    "ScopedResourceSelectorRequirement": _type(
        "scopeName", "operator", scopeName="string", operator="string", values="[]string"
    ),
}
CLUSTER_WORDS: Final[dict[tuple[str, str], tuple[str, ...]]] = {
    ("LimitRangeItem", "type"): ("Container", "Pod", "PersistentVolumeClaim"),
    ("NodeCondition", "status"): ("True", "False", "Unknown"),
    ("Taint", "effect"): ("NoSchedule", "PreferNoSchedule", "NoExecute"),
}
