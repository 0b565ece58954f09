"""Workloads, PodGroups and CompositePodGroups as small typed values.

Upstream: ``k8s.io/api/scheduling`` v1alpha1 (v0.35.4), v1alpha2 (v0.36.3), v1alpha3 and v1beta1 (v0.37.2). Objects of
v1alpha2 are expected in the shape of v1beta1, as the mirror keeps them.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from clusters.engine.objects import name_of, namespace_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from clusters.engine.objects import Document

API_GROUP: Final = "scheduling.k8s.io"


def is_of_api(document: Document) -> bool:
    """Whether an object is of Kubernetes' own API: the coscheduling plugin has another kind called PodGroup."""
    version = str(document.get("apiVersion") or "")
    return not version or version.partition("/")[0] == API_GROUP


class DisruptionMode(enum.StrEnum):
    """Whether the pods of a group can be removed one by one, or all of them alone."""

    SINGLE = "single"
    ALL = "all"


@dataclass(frozen=True, slots=True)
class GroupPolicy:
    """How a group is scheduled: ``least`` members together, or with the basic policy (None) each when it can.

    Members are pods, or those of a CompositePodGroup, which are groups.
    """

    least: int | None = None

    @property
    def is_gang(self) -> bool:
        """Whether the group is scheduled with its least number of members, or not at all."""
        return self.least is not None

    @property
    def quorum(self) -> int:
        """How many members have to be scheduled for the group to count as scheduled."""
        return 1 if self.least is None else self.least


@dataclass(frozen=True, slots=True)
class GroupTerms:
    """What groups and the templates of groups have in common.

    ``topology_keys``: labels of nodes; all pods of the group go where each has one value. ``disruption``: None where
    it is not said, which counts as single. ``priority``: None where nobody resolved it. ``preempts``: it may take the
    place of pods with a lower priority.
    """

    policy: GroupPolicy = GroupPolicy()
    topology_keys: tuple[str, ...] = ()
    disruption: DisruptionMode | None = None
    priority_class: str = ""
    priority: int | None = None
    preempts: bool = True
    claims: tuple[str, ...] = ()

    @classmethod
    def from_dict(cls, fields: Mapping[str, Any], least: str = "minCount") -> GroupTerms:
        """Read the fields of a spec or template; ``least``: the name of the policy's number."""
        topology = (fields.get("schedulingConstraints") or {}).get("topology") or ()
        priority, mode = fields.get("priority"), fields.get("disruptionMode")
        return cls(
            policy=_policy(fields.get("schedulingPolicy"), least),
            topology_keys=tuple(str(each.get("key") or "") for each in topology),
            disruption=None if not mode else DisruptionMode.ALL if "all" in mode else DisruptionMode.SINGLE,
            priority_class=str(fields.get("priorityClassName") or ""),
            priority=None if priority is None else int(priority),
            preempts=fields.get("preemptionPolicy") != "Never",
            claims=tuple(str(each.get("name") or "") for each in fields.get("resourceClaims") or ()),
        )


def _policy(fields: Mapping[str, Any] | None, least: str) -> GroupPolicy:
    gang = (fields or {}).get("gang")
    return GroupPolicy(None if gang is None else int(gang.get(least) or 0))


@dataclass(frozen=True, slots=True)
class WorkloadReference:
    """The Workload that a group was made for, and the template in it."""

    workload: str
    template: str

    @classmethod
    def from_dict(cls, fields: Mapping[str, Any] | None) -> WorkloadReference | None:
        """Read a ``workloadRef``; None where there is none."""
        if not fields:
            return None
        return cls(str(fields.get("workloadName") or ""), str(fields.get("templateName") or ""))


def _parts_of(document: Document, least: str) -> tuple[str, str, GroupTerms, WorkloadReference | None, str]:
    """What a group of either kind is read to; ``least``: the field of its gang policy with the least number."""
    spec = document.get("spec") or {}
    return (
        namespace_of(document),
        name_of(document),
        GroupTerms.from_dict(spec, least),
        WorkloadReference.from_dict(spec.get("workloadRef")),
        str(spec.get("parentCompositePodGroupName") or ""),
    )


@dataclass(frozen=True, slots=True)
class PodGroup:
    """A group of pods. ``parent``: the CompositePodGroup that it is part of, empty without one."""

    namespace: str
    name: str
    terms: GroupTerms
    workload: WorkloadReference | None = None
    parent: str = ""

    @classmethod
    def from_dict(cls, document: Document) -> PodGroup:
        """Read a PodGroup of scheduling.k8s.io."""
        return cls(*_parts_of(document, "minCount"))


@dataclass(frozen=True, slots=True)
class CompositePodGroup:
    """A group of groups; ``terms.policy`` counts these."""

    namespace: str
    name: str
    terms: GroupTerms
    workload: WorkloadReference | None = None
    parent: str = ""

    @classmethod
    def from_dict(cls, document: Document) -> CompositePodGroup:
        """Read a CompositePodGroup of scheduling.k8s.io/v1alpha3."""
        return cls(*_parts_of(document, "minGroupCount"))


@dataclass(frozen=True, slots=True)
class SchedulingWorkload:
    """A Workload of scheduling.k8s.io.

    ``groups``: the policies of its pod groups by name, which pods of 1.35 belong to. ``templates``: what PodGroups are
    made of from 1.36, by name. ``composites``: what CompositePodGroups are made of, those within others too.
    ``controller``: kind and name of what it belongs to, where that is said.
    """

    namespace: str
    name: str
    groups: Mapping[str, GroupPolicy]
    templates: Mapping[str, GroupTerms]
    composites: Mapping[str, GroupTerms]
    controller: tuple[str, str] | None = None

    @classmethod
    def from_dict(cls, document: Document) -> SchedulingWorkload:
        """Read a Workload of any version."""
        spec = document.get("spec") or {}
        controller = spec.get("controllerRef")
        levels = tuple(_levels(spec))
        return cls(
            namespace_of(document),
            name_of(document),
            {str(each.get("name")): _policy(each.get("policy"), "minCount") for each in spec.get("podGroups") or ()},
            {
                str(each.get("name")): GroupTerms.from_dict(each)
                for level in levels
                for each in level.get("podGroupTemplates") or ()
            },
            {str(each.get("name")): GroupTerms.from_dict(each, "minGroupCount") for each in levels[1:]},
            None if not controller else (str(controller.get("kind") or ""), str(controller.get("name") or "")),
        )


def _levels(fields: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """A Workload's spec and the composite templates in it, from the outside in."""
    yield fields
    for each in fields.get("compositePodGroupTemplates") or ():
        yield from _levels(each)
