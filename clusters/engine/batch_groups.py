"""How far groups of other batch systems are: those that a snapshot holds, and what their system reports of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from clusters.engine.batch_systems import BATCH_SYSTEMS, BatchGroupKey, BatchRemedy, BatchSystem
from clusters.engine.group_states import GroupCounts, GroupPhase, PodGroupState
from clusters.engine.objects import Document, metadata, name_of, namespace_of
from clusters.engine.owners import Controller
from clusters.engine.podgroups import API_GROUP

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from clusters.engine.podgroups import GroupMember
    from clusters.engine.snapshot import Snapshot

_SYSTEMS: Final = {system.api_group: system for system in BATCH_SYSTEMS}


class BatchGroupState(GroupCounts, frozen=True, kw_only=True):
    """A group of pods of another batch system.

    ``document``: its object, None where it is not held.
    """

    key: BatchGroupKey
    document: Document | None

    @property
    def system(self) -> BatchSystem:
        """Whose group it is."""
        return _SYSTEMS[self.key.api_group]

    @property
    def shown(self) -> str:
        """Its name without namespace and system."""
        return "/".join(filter(None, (self.key.name, self.key.replica)))

    @property
    def least(self) -> int | None:
        """How many pods it has to have: none once its system is done with it; None where its object is not held."""
        if self.document is None:
            return None
        reported = {
            self.reported_phase,
            *(each.get("type") for each in self.conditions if each.get("status") == "True"),
        }
        return 0 if reported & set(self.system.finished) else self.system.least(self.document)

    @property
    def quorum(self) -> int:
        """The same, 0 where it is not known."""
        return self.least or 0

    @property
    def is_gang(self) -> bool:
        """Whether its system schedules the least number of its pods together."""
        return self.system.is_gang

    @property
    def phase(self) -> GroupPhase:
        """How far it is, by its pods."""
        if self.document is None:
            return GroupPhase.NOT_FOUND
        if self.missing:
            return GroupPhase.WAITING_FOR_PODS
        if not self.members:
            return GroupPhase.EMPTY
        if not self.pending:
            return GroupPhase.SCHEDULED
        together = self.quorum if self.is_gang else 1
        return GroupPhase.PARTLY_SCHEDULED if self.scheduled >= max(1, together) else GroupPhase.PENDING

    @property
    def reported_phase(self) -> str:
        """The phase that its system reports, empty without one."""
        return str(self._status.get("phase") or "")

    @property
    def conditions(self) -> tuple[Mapping[str, Any], ...]:
        """What its system reports of it."""
        return tuple(self._status.get("conditions") or ())

    @property
    def _status(self) -> Mapping[str, Any]:
        return (self.document or {}).get("status") or {}

    @property
    def told(self) -> Mapping[str, Any] | None:
        """The condition that says what the group waits for, or else the latest that is True; None without one."""
        known = {str(each.get("type")): each for each in self.conditions}
        waits = [known[each] for each in self.system.awaited if each in known and known[each].get("status") == "False"]
        if waits:
            return waits[0]
        holds = (each for each in self.conditions if each.get("status") == "True")
        return max(holds, key=lambda each: str(each.get("lastTransitionTime") or ""), default=None)

    @property
    def remedy(self) -> BatchRemedy | None:
        """What helps, where its object says so for certain."""
        spec, told = self._spec, self.told
        # What a queue has suspended is resumed by the queue.
        if self.document is not None and _QUEUE_NAME not in (metadata(self.document).get("labels") or {}):
            for (field, value), remedy in self.system.switches.items():
                if spec.get(field) is value:
                    return remedy
        return None if told is None else self.system.remedies.get(_told_by(told))

    @property
    def _spec(self) -> Mapping[str, Any]:
        return (self.document or {}).get("spec") or {}

    @property
    def queue(self) -> str:
        """The queue that it is in, empty without one."""
        return str(self._spec.get("queueName") or self._spec.get("queue") or "")

    @property
    def controller(self) -> tuple[str, str] | None:
        """Kind and name of what its object belongs to."""
        owner = None if self.document is None else Controller.of(self.document)
        return None if owner is None else (owner.kind, owner.name)


# A group of pods of whichever API.
AnyGroupState = PodGroupState | BatchGroupState


def api_group_of(state: AnyGroupState) -> str:
    """Return the API group of a group's object."""
    return state.key.api_group if isinstance(state, BatchGroupState) else API_GROUP


_QUEUE_NAME: Final = "kueue.x-k8s.io/queue-name"


def _told_by(condition: Mapping[str, Any]) -> tuple[str, str, str]:
    kind, status, reason = (str(condition.get(field) or "") for field in ("type", "status", "reason"))
    return kind, status, reason


def batch_group_states(snapshot: Snapshot) -> tuple[BatchGroupState, ...]:
    """Return every group of other systems that an object describes or a pod is of, by namespace, system and name."""
    members: dict[BatchGroupKey, dict[str, GroupMember]] = {}
    owned = _owned(snapshot)
    for key in snapshot.batch_groups.known():
        members.setdefault(owned.get(key, key), {}).update(snapshot.batch_groups.of(key))
    # An object that has replicas is described by those that have pods.
    seen, documents = {_whole(key) for key in members}, dict(_objects(snapshot))
    described = [key for key in documents if key not in seen]
    return tuple(
        BatchGroupState(
            key=key, document=documents.get(_whole(key)), members=dict(sorted(members.get(key, {}).items()))
        )
        for key in sorted([*members, *described])
    )


def _whole(key: BatchGroupKey) -> BatchGroupKey:
    return BatchGroupKey(key.namespace, key.api_group, key.name)


def _objects(snapshot: Snapshot) -> Iterator[tuple[BatchGroupKey, Document]]:
    for system in BATCH_SYSTEMS:
        for document in snapshot.objects(system.kind):
            yield BatchGroupKey(namespace_of(document), system.api_group, name_of(document)), document


def _owned(snapshot: Snapshot) -> dict[BatchGroupKey, BatchGroupKey]:
    """By what a pod tells of the owner of its group: the group of the object that belongs to that."""
    return {
        BatchGroupKey(key.namespace, key.api_group, f"{owner.get('kind')}/{owner.get('name')}"): key
        for key, document in _objects(snapshot)
        if _SYSTEMS[key.api_group].owner_of
        for owner in metadata(document).get("ownerReferences") or ()
    }
