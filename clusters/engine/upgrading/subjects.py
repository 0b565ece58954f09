"""The pods that an upgrade is tried on: those that are pending, and the next one of each workload."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any

from clusters.engine.admission.creation import as_written
from clusters.engine.objects import Pod, PodShape, labels_of, metadata, name_of, namespace_of
from clusters.engine.resources.requests import Counting
from clusters.engine.workloads.pod_copies import copy_of
from clusters.engine.workloads.pod_template import TEMPLATE_HASH, Controller, Workload

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from clusters.engine.objects import Document
    from clusters.engine.snapshot import Snapshot

_FINISHED = ("Succeeded", "Failed")
# Their pods are made for one node each: none comes while there is no further node.
_MADE_FOR_A_NODE = ("DaemonSet", "Node")
_CONTAINERS = ("containerStatuses", "initContainerStatuses")
_ALLOCATED = ("resources", "allocatedResources", "nodeAllocatableResourceClaimStatuses")
# Feature gates can be set otherwise than in any release by default.
_COUNTINGS = tuple(Counting(*each) for each in product((False, True), repeat=3))


class SubjectRole(enum.StrEnum):
    """Why a pod is tried."""

    PENDING = "pending"
    NEXT = "next"


@dataclass(frozen=True, slots=True)
class UpgradeSubject:
    """A pod that is scheduled under each release; ``pods``: all that are alike and pending, itself the first.

    ``claims``: those that would be made for it.
    """

    role: SubjectRole
    workload: Workload
    document: Document
    pods: tuple[str, ...]
    claims: tuple[Document, ...] = ()


class SampledPods:
    """Of all pods of a cluster those that are needed to know what is pending and what its workloads would create.

    ``resized``: pods on nodes whose requests not all releases count alike.
    """

    def __init__(self) -> None:
        self.resized: list[Document] = []
        self._pending: dict[str, list[Document]] = {}
        self._newest: dict[Workload, Document] = {}
        self._ordinals: dict[Workload, int] = {}

    @classmethod
    def among(cls, objects: Iterable[Document]) -> SampledPods:
        """Look through a cluster's objects once; they need not be in memory together."""
        found = cls()
        for document in objects:
            if document.get("kind") == "Pod":
                found._add(document)
        return found

    def subjects(self, snapshot: Snapshot) -> list[UpgradeSubject]:
        """Return the pending pods, those alike together, and the next pod of each workload, in order of name."""
        alike = [_pending(pods) for pods in self._pending.values()]
        following = [self._next(snapshot, workload) for workload in self._newest]
        return [
            *sorted(alike, key=lambda each: (each.workload, each.pods)),
            *sorted(following, key=lambda each: each.workload),
        ]

    def _add(self, pod: Document) -> None:
        is_placed = bool((pod.get("spec") or {}).get("nodeName"))
        self.resized += resized_pods((pod,))
        if metadata(pod).get("deletionTimestamp") or (pod.get("status") or {}).get("phase") in _FINISHED:
            return
        workload = _workload_of(pod)
        if not is_placed:
            self._pending.setdefault(_likeness(pod, workload), []).append(pod)
        if not workload.name or workload.kind in _MADE_FOR_A_NODE:
            return
        newest = self._newest.get(workload)
        if newest is None or (_created(pod), name_of(pod)) > (_created(newest), name_of(newest)):
            self._newest[workload] = pod
        ordinal = name_of(pod).rpartition("-")[2]
        if ordinal.isdecimal():
            self._ordinals[workload] = max(self._ordinals.get(workload, -1), int(ordinal))

    def _next(self, snapshot: Snapshot, workload: Workload) -> UpgradeSubject:
        number = self._ordinals.get(workload, -1) + 1 if workload.kind == "StatefulSet" else "next"
        copy = copy_of(snapshot, self._newest[workload], f"{workload.name}-{number}")
        # Each release derives by itself what the template leaves open.
        pod = as_written(copy.pod, snapshot)
        return UpgradeSubject(SubjectRole.NEXT, workload, pod, (_key(pod),), copy.claims)


def resized_pods(objects: Iterable[Document]) -> list[Document]:
    """Return the pods on nodes whose requests not all releases count alike."""
    return [pod for pod in objects if (pod.get("spec") or {}).get("nodeName") and _is_counted_otherwise(pod)]


def with_claims(snapshot: Snapshot, subjects: Sequence[UpgradeSubject]) -> Snapshot:
    """Return the state with the claims that would be made for the pods."""
    claims = [claim for subject in subjects for claim in subject.claims]
    if not claims:
        return snapshot
    changed = snapshot.copy()
    for claim in claims:
        changed.upsert(claim)
    return changed


def _pending(pods: Sequence[Document]) -> UpgradeSubject:
    ordered = sorted(pods, key=_key)
    return UpgradeSubject(SubjectRole.PENDING, _workload_of(ordered[0]), ordered[0], tuple(map(_key, ordered)))


def _is_counted_otherwise(pod: Document) -> bool:
    """Return whether releases disagree about what a pod on a node requests, which its status alone can cause."""
    status = pod.get("status") or {}
    of_containers = (each for role in _CONTAINERS for each in status.get(role) or ())
    if not any(field in part for part in (status, *of_containers) for field in _ALLOCATED):
        return False
    return len({PodShape.of(Pod(pod), counting) for counting in _COUNTINGS}) > 1


def _likeness(pod: Document, workload: Workload) -> str:
    """Return what is equal for pods of one workload that every plugin answers alike for."""
    spec: dict[str, Any] = dict(pod.get("spec") or {})
    nominated = (pod.get("status") or {}).get("nominatedNodeName")
    is_named = nominated or not workload.name or any("ephemeral" in each for each in spec.get("volumes") or ())
    own = name_of(pod) if is_named else ""
    return repr((workload, own, sorted(labels_of(pod).items()), sorted(spec.items(), key=lambda entry: entry[0])))


def _workload_of(pod: Document) -> Workload:
    return Workload.of(namespace_of(pod), Controller.of(pod), labels_of(pod).get(TEMPLATE_HASH, ""))


def _created(pod: Document) -> str:
    return str(metadata(pod).get("creationTimestamp") or "")


def _key(pod: Document) -> str:
    return f"{namespace_of(pod)}/{name_of(pod)}"
