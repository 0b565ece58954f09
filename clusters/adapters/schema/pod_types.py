"""What the Kubernetes API of v1.34 says about a Pod: its types, their fields, and the words that fields may hold.

``pod.json`` is written by ``scripts/pod_schema.py``. The schema that Kubernetes publishes names no words and no bounds;
those of fields that scheduling reads are here, from ``pkg/apis/core/validation/validation.go`` (v1.34.1).
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

import orjson

_FILE: Final = Path(__file__).with_name("pod.json")
SELECTOR_OPERATORS: Final = ("In", "NotIn", "Exists", "DoesNotExist")
_POLICIES: Final = ("Honor", "Ignore")

# By type and field.
WORDS: Final[dict[tuple[str, str], tuple[str, ...]]] = {
    ("Container", "restartPolicy"): ("Always", "Never", "OnFailure"),
    ("ContainerPort", "protocol"): ("TCP", "UDP", "SCTP"),
    ("LabelSelectorRequirement", "operator"): SELECTOR_OPERATORS,
    ("NodeSelectorRequirement", "operator"): (*SELECTOR_OPERATORS, "Gt", "Lt"),
    ("PodOS", "name"): ("linux", "windows"),
    ("PodSpec", "preemptionPolicy"): ("PreemptLowerPriority", "Never"),
    ("PodSpec", "restartPolicy"): ("Always", "OnFailure", "Never"),
    ("Toleration", "effect"): ("NoSchedule", "PreferNoSchedule", "NoExecute", ""),
    ("Toleration", "operator"): ("Exists", "Equal", ""),
    ("TopologySpreadConstraint", "nodeAffinityPolicy"): _POLICIES,
    ("TopologySpreadConstraint", "nodeTaintsPolicy"): _POLICIES,
    ("TopologySpreadConstraint", "whenUnsatisfiable"): ("DoNotSchedule", "ScheduleAnyway"),
}
BOUNDS: Final[dict[tuple[str, str], tuple[int, int]]] = {
    ("ContainerPort", "containerPort"): (1, 65535),
    ("ContainerPort", "hostPort"): (0, 65535),
    ("PreferredSchedulingTerm", "weight"): (1, 100),
    ("TopologySpreadConstraint", "maxSkew"): (1, 2**31 - 1),
    ("TopologySpreadConstraint", "minDomains"): (1, 2**31 - 1),
    ("WeightedPodAffinityTerm", "weight"): (1, 100),
}


# What v1.34 does not have, and the API server of a later minor takes.
_LATER_FIELDS: Final = {"schedulingGroup": "PodSchedulingGroup", "workloadRef": "WorkloadReference"}


class PodType(NamedTuple):
    """A type of the schema: its fields' types, and which of them must be there."""

    fields: dict[str, str]
    required: tuple[str, ...]


@cache
def pod_types() -> dict[str, PodType]:
    """Return every type that a Pod is made of, by name."""
    document: dict[str, Any] = orjson.loads(_FILE.read_bytes())
    types = {name: PodType(each["fields"], tuple(each["required"])) for name, each in document["types"].items()}
    spec = types["PodSpec"]
    return {
        **types,
        "PodSpec": spec._replace(fields={**spec.fields, **_LATER_FIELDS}),
        "PodSchedulingGroup": PodType({"podGroupName": "string"}, ()),
        "WorkloadReference": PodType(
            {"name": "string", "podGroup": "string", "podGroupReplicaKey": "string"}, ("name", "podGroup")
        ),
    }
