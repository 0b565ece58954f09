"""Quotas, pod groups, usage and removal of nodes as the API sends them."""

from __future__ import annotations

from typing import Any, NotRequired

from typing_extensions import TypedDict

from dashboard.api.documents.mirror import GroupAttempted, State

# ruff: noqa: UP013 - names in camel case are no attributes of classes here


class QuotaResource(TypedDict):
    """A resource of a quota; amounts are quantities, `share` is what is used of what there is."""

    resource: str
    used: str
    hard: str
    share: float


class QuotaWorkload(TypedDict):
    """A workload; pods without a controller have none."""

    namespace: str
    kind: str
    name: str


class QuotaUserDocument(TypedDict):
    """What the pods of a workload use of a quota, and how many further ones like the largest it lets in.

    `more` is null where nothing that such a pod is charged for is bounded; `unspecified` names the resources that keep
    it out, as its containers do not specify them.
    """

    workload: QuotaWorkload | None
    pods: int
    used: dict[str, str]
    share: float
    more: int | None
    unspecified: list[str]


QuotaDocument = TypedDict(
    "QuotaDocument",
    {
        "namespace": str,
        "name": str,
        "scopes": list[str],
        "isExhausted": bool,
        "resources": list[QuotaResource],
        "users": list[QuotaUserDocument],
    },
)
Quotas = TypedDict(
    "Quotas",
    {
        "cluster": State,
        "total": int,
        "quotas": list[QuotaDocument],
        "podsCut": bool,
        "next": int | None,
    },
)


# ruff: noqa: UP013 - names in camel case are no attributes of classes here


class GroupController(TypedDict):
    """What a group belongs to, in its namespace."""

    kind: str
    name: str


class GroupMemberRow(TypedDict):
    """A pod of a group by its name, and the node that it has; null for a pending one."""

    pod: str
    node: str | None


class GroupCauseRow(TypedDict):
    """What keeps some pods of a group pending, and the change that makes most of them schedulable, if any."""

    cause: str
    pods: list[str]
    remedy: str | None


class GroupCondition(TypedDict):
    """A condition of a group in its system's own words; parts that it leaves out are empty."""

    type: str
    status: str
    reason: str
    message: str


class GroupReport(TypedDict):
    """What a group's scheduler or controller reports; `phase` is null where it has none."""

    phase: str | None
    conditions: list[GroupCondition]


ListedPodGroup = TypedDict(
    "ListedPodGroup",
    {
        "namespace": str,
        "name": str,
        "state": str,
        "system": str,
        "policy": str | None,
        "minCount": int | None,
        "needed": int | None,
        "workload": str | None,
        "pods": int,
        "scheduled": int,
        "pending": int,
        "missing": int,
        "controller": GroupController | None,
        "page": str | None,
    },
)


class PodGroups(TypedDict):
    """A page of the groups of a cluster, those first that need somebody."""

    cluster: State
    total: int
    podGroups: list[ListedPodGroup]
    next: int | None


class MoreNodes(TypedDict):
    """The fewest `nodes` like one that there is with which a group is scheduled.

    `found` pods have a node or find one then, `gained` more than now.
    """

    like: str
    pool: str
    nodes: int
    found: int
    gained: int


class OnePodGroup(TypedDict):
    """One group with its pods; `attempt` is null where none of its pods would be tried.

    `moreNodes` is null where no node has to be added, or no number of them up to 16 was found to help. `decidedBy`: who
    decides about a group of another system than Kubernetes, null of others.
    """

    cluster: State
    podGroup: ListedPodGroup
    sentence: str
    remedy: str | None
    decidedBy: str | None
    reported: GroupReport
    moreNodes: MoreNodes | None
    members: list[GroupMemberRow]
    attempt: GroupAttempted | None
    causes: list[GroupCauseRow]


# ruff: noqa: UP013 - names in camel case are no attributes of classes here


class BaseAmounts(TypedDict):
    """Milli-CPU and bytes."""

    cpu: int
    memory: int


SizedResource = TypedDict(
    "SizedResource",
    {
        "requested": int | None,
        "limit": int | None,
        "usedMean": int,
        "usedP50": int,
        "usedP95": int,
        "usedMaximum": int,
        "recommended": int,
        "state": str,
        "isCapped": bool,
    },
)


class SizedContainer(TypedDict):
    """A container; the name is null where only the sum of each pod's containers is known."""

    name: str | None
    hours: int
    samples: int
    cpu: SizedResource
    memory: SizedResource


SizedWorkload = TypedDict(
    "SizedWorkload",
    {
        "workload": dict[str, str],
        "pods": int,
        "requested": BaseAmounts,
        "freed": BaseAmounts,
        "requestsAtPodLevel": bool,
        "qosClass": str,
        "qosClassAfter": str,
        "containers": list[SizedContainer],
        "patch": str | None,
        "page": str | None,
    },
)
ComparedUsage = TypedDict(
    "ComparedUsage",
    {
        "sampledAt": str,
        "source": str,
        "hours": int,
        "requested": BaseAmounts,
        "allocatable": BaseAmounts,
        "usedP95": BaseAmounts,
        "freed": BaseAmounts,
        "withoutSamples": int,
        "total": int,
        "workloads": list[SizedWorkload],
        "page": str,
    },
)


class Usage(TypedDict):
    """Requests beside usage; null where no sample has been taken."""

    cluster: State
    usage: ComparedUsage | None


# ruff: noqa: UP013 - names in camel case are no attributes of classes here


Preemptor = TypedDict(
    "Preemptor",
    {
        "workload": dict[str, str],
        "pods": list[dict[str, str]],
        "number": int,
        "priority": int,
        "priorityClass": str | None,
        "outcome": str,
        "reference": str | None,
        "candidates": int,
        "selected": dict[str, Any] | None,
        "sample": int,
        "potentialNodes": int,
        "uncertain": bool,
        "threat": NotRequired[str],
        "notes": NotRequired[list[str]],
    },
)
WorkloadAtRisk = TypedDict(
    "WorkloadAtRisk",
    {
        "workload": dict[str, str],
        "removed": int,
        "removedPods": list[str],
        "possible": int,
        "preemptors": list[str],
    },
)


class Preemption(TypedDict):
    """What preemption would do for the pending pods, and to whom."""

    cluster: State
    preemptors: list[Preemptor]
    workloads: list[WorkloadAtRisk]
    evaluating: int
    page: str


class PodPreemption(TypedDict):
    """What each pending pod's preemption means for one running pod, the gravest first."""

    sentence: str
    preemptors: list[Preemptor]
    evaluating: int


Removal = TypedDict(
    "Removal",
    {
        "cluster": State,
        "pod": dict[str, str],
        "node": str,
        "preemption": PodPreemption,
        "taints": dict[str, Any],
        "faults": dict[str, list[dict[str, Any]]],
        "exclusiveVolumes": list[dict[str, Any]],
        "page": str,
    },
)
