"""What can be wrong with the volumes of a pod before any node is looked at, and how the scheduler says so.

Upstream: PreFilter of ``plugins/volumebinding``, ``plugins/volumerestrictions`` and ``plugins/volumezone`` v1.34.1.
"""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Final

from clusters.engine.status import unresolvable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusters.engine.status import Status

_NAME: Final = "%s"


class ClaimProblem(enum.StrEnum):
    """Why a pod is rejected for a claim, whatever the node."""

    NOT_FOUND = "not-found"
    NOT_CREATED = "not-created"
    LOST = "lost"
    BEING_DELETED = "being-deleted"
    NOT_OWNED = "not-owned"
    NOT_BOUND = "not-bound"
    UNNAMED = "unnamed"
    VOLUME_NOT_FOUND = "volume-not-found"
    VOLUME_UNNAMED = "volume-unnamed"
    CLASS_NOT_FOUND = "class-not-found"
    CLASS_UNNAMED = "class-unnamed"
    CLASS_WITHOUT_MODE = "class-without-mode"

    @property
    def said(self) -> str:
        """What the scheduler says, the names of objects left out, which differ from pod to pod."""
        return " ".join(_SAID[self].replace(f'"{_NAME}"', "").replace(_NAME, "").split())

    def said_of(self, *names: str) -> str:
        """What the scheduler says of objects of these names, as many as it mentions."""
        return _SAID[self] % names

    def error(self, *names: str) -> StorageError:
        """The problem of objects of these names as an error."""
        return StorageError(unresolvable(self.said_of(*names)), self)


_SAID: Final[Mapping[ClaimProblem, str]] = {
    ClaimProblem.NOT_FOUND: 'persistentvolumeclaim "%s" not found',
    ClaimProblem.NOT_CREATED: 'waiting for ephemeral volume controller to create the persistentvolumeclaim "%s"',
    ClaimProblem.LOST: 'persistentvolumeclaim "%s" bound to non-existent persistentvolume "%s"',
    ClaimProblem.BEING_DELETED: 'persistentvolumeclaim "%s" is being deleted',
    ClaimProblem.NOT_OWNED: "PVC %s was not created for pod %s (pod is not owner)",
    ClaimProblem.NOT_BOUND: "pod has unbound immediate PersistentVolumeClaims",
    ClaimProblem.UNNAMED: "PersistentVolumeClaim had no name",
    ClaimProblem.VOLUME_NOT_FOUND: 'persistentvolume "%s" not found',
    ClaimProblem.VOLUME_UNNAMED: "PersistentVolume had no name",
    ClaimProblem.CLASS_NOT_FOUND: 'storageclass.storage.k8s.io "%s" not found',
    ClaimProblem.CLASS_UNNAMED: "PersistentVolumeClaim had no pv name and storageClass name",
    ClaimProblem.CLASS_WITHOUT_MODE: 'VolumeBindingMode not set for StorageClass "%s"',
}


class StorageError(Exception):
    """A claim or volume that cannot be read; ``status`` is what the scheduler reports of it.

    ``problem``: which it is, None for an error of other kinds.
    """

    def __init__(self, status: Status, problem: ClaimProblem | None = None) -> None:
        super().__init__(*status.reasons)
        self.status = status
        self.problem = problem
