"""Pods that are alike in all that scheduling reads."""

from __future__ import annotations

import marshal
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from clusters.engine.configuration import UnknownScheduler
from clusters.engine.devices.extended_resources import uses_devices
from clusters.engine.objects import Pod, metadata, namespace_of, placement_volumes
from clusters.engine.registry import pre_enqueue

if TYPE_CHECKING:
    from clusters.engine.configuration import Profile, SchedulerConfiguration
    from clusters.engine.objects import Document
    from clusters.engine.problems import Problem
    from clusters.engine.snapshot import Snapshot


@dataclass(frozen=True, slots=True, eq=False)
class PodKind:
    """Pods of which any one stands for all; ``pod`` is the first that was met.

    ``profile`` is None, and ``problem`` says why, where nothing schedules them. ``gates`` is the message of a kind that
    does not enter the queue, else empty.
    """

    number: int
    pod: Pod
    profile: Profile | None
    problem: Problem | None
    gates: str

    @property
    def priority(self) -> int:
        return self.pod.priority


class PodKinds:
    """The kinds of pods that have been met."""

    def __init__(self, configuration: SchedulerConfiguration, snapshot: Snapshot) -> None:
        self._configuration = configuration
        self._snapshot = snapshot
        self._kinds: dict[bytes, PodKind] = {}

    def of(self, document: Document) -> PodKind:
        """The kind of a pod. Pods with claims or disks are told apart by name, as their claims may be."""
        fields, spec = metadata(document), document.get("spec") or {}
        volumes = spec.get("volumes")
        own: Any = None
        if volumes:
            spec = {name: part for name, part in spec.items() if name != "volumes"}
            restricting = placement_volumes({"volumes": volumes})
            own = (fields.get("name"), fields.get("uid"), restricting) if restricting else None
        if uses_devices(self._snapshot, Pod(document)):
            own = (fields.get("name"), fields.get("uid"), (document.get("status") or {}).get("resourceClaimStatuses"))
        source = marshal.dumps(
            (
                namespace_of(document),
                fields.get("labels"),
                fields.get("ownerReferences"),
                fields.get("deletionTimestamp"),
                spec,
                (document.get("status") or {}).get("nominatedNodeName"),
                own,
            ),
            0,
        )
        kind = self._kinds.get(source)
        if kind is None:
            kind = self._kinds[source] = self._made(document)
        return kind

    def _made(self, document: Document) -> PodKind:
        pod = Pod(document)
        try:
            profile = self._configuration.profile_for(document)
        except UnknownScheduler as error:
            return PodKind(len(self._kinds), pod, None, error.problem, "")
        rejection = pre_enqueue(pod, profile, self._snapshot) if pod.scheduling_gates else None
        gates = () if rejection is None else rejection.status.reasons
        return PodKind(len(self._kinds), pod, profile, None, ", ".join(gates))
