"""What can be wrong with the ResourceClaims of a pod before any node is looked at, and how the scheduler says so.

Upstream: ``PreEnqueue`` and ``PreFilter`` of ``plugins/dynamicresources`` v1.34.1 and ``resourceclaim.Name`` and
``IsForPod`` of ``k8s.io/dynamic-resource-allocation`` v0.34.1; v0.36.3 of claims that groups of pods own.
"""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Final

from clusters.engine.status import unresolvable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusters.engine.status import Status

_NAME: Final = "%s"


class ResourceClaimProblem(enum.StrEnum):
    """Why a pod is rejected for one of its ResourceClaims, whatever the node."""

    NOT_CREATED = "resource-claim-not-created"
    NOT_FOUND = "resource-claim-not-found"
    BEING_DELETED = "resource-claim-being-deleted"
    NOT_OWNED = "resource-claim-not-owned"
    NOT_OF_POD = "resource-claim-not-of-pod"
    NOT_OF_GROUP = "resource-claim-not-of-group"
    UNSUPPORTED = "resource-claim-unsupported"
    CLASS_NOT_FOUND = "device-class-not-found"
    UNKNOWN_REQUEST = "device-request-unknown"
    ALTERNATIVES_DISABLED = "device-alternatives-disabled"

    @property
    def said(self) -> str:
        """What the scheduler says, the names of objects left out, which differ from pod to pod."""
        text = _SAID[self].replace(f'"{_NAME}"', "").replace(_NAME, "")
        return " ".join(text.split()).replace(" :", ":").replace(" ,", ",")

    def refusal(self, *names: str) -> RefusedClaim:
        """The problem of objects of these names, as many as the scheduler mentions."""
        return RefusedClaim(self, unresolvable(_SAID[self] % names))


_SAID: Final[Mapping[ResourceClaimProblem, str]] = {
    ResourceClaimProblem.NOT_CREATED: 'pod "%s": ResourceClaim not created yet',
    ResourceClaimProblem.NOT_FOUND: 'could not find ResourceClaim "%s"',
    ResourceClaimProblem.BEING_DELETED: 'resourceclaim "%s" is being deleted',
    ResourceClaimProblem.NOT_OWNED: "ResourceClaim %s was not created for pod %s (pod is not owner)",
    ResourceClaimProblem.NOT_OF_POD: "ResourceClaim %s was not created for Pod %s (Pod is not owner)",
    ResourceClaimProblem.NOT_OF_GROUP: "ResourceClaim %s was not created for Pod %s (neither Pod nor PodGroup %s "
    "is the owner)",
    ResourceClaimProblem.UNSUPPORTED: 'pod "%s", spec.resourceClaim "%s": none of the supported fields are set',
    ResourceClaimProblem.CLASS_NOT_FOUND: "request %s: device class %s does not exist",
    ResourceClaimProblem.UNKNOWN_REQUEST: "resource claim %s, request %s: unknown request type",
    ResourceClaimProblem.ALTERNATIVES_DISABLED: "resource claim %s, request %s: has subrequests, but the "
    "DRAPrioritizedList feature is disabled",
}


class RefusedClaim(Exception):  # noqa: N818 - the state of a claim, not of a program
    """A claim of the pod that no node can help with; ``status`` is what the scheduler reports."""

    def __init__(self, problem: ResourceClaimProblem | None, status: Status) -> None:
        super().__init__(*status.reasons)
        self.problem = problem
        self.status = status
