# ruff: noqa: UP013 - names in camel case are no attributes of classes here
"""Groups of pods as the API answers them; docs/api.md explains every field."""

from __future__ import annotations

from typing import Any

from typing_extensions import TypedDict

from dashboard.api.documents.mirror import State  # noqa: TC001 - read when the operation is declared


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


ListedPodGroup = TypedDict(
    "ListedPodGroup",
    {
        "namespace": str,
        "name": str,
        "state": str,
        "policy": str | None,
        "minCount": int | None,
        "pods": int,
        "scheduled": int,
        "pending": int,
        "missing": int,
        "workload": str | None,
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

    `moreNodes` is null where no node has to be added, or no number of them up to 16 was found to help.
    """

    cluster: State
    podGroup: ListedPodGroup
    sentence: str
    remedy: str | None
    moreNodes: MoreNodes | None
    members: list[GroupMemberRow]
    attempt: dict[str, Any] | None
    causes: list[GroupCauseRow]
