"""What PostFilter frees where a pod fits nowhere, so that its claims can have other devices in the next attempt.

Upstream: ``PostFilter`` of ``plugins/dynamicresources`` v1.34.1 and v1.36.3, ``deallocateOrDeletePodClaims`` v1.37.2.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from clusters.engine.status import unschedulable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clusters.engine.devices.pod_claims import PodClaim
    from clusters.engine.objects import Document, Pod
    from clusters.engine.status import Status

NO_CLAIMS: Final = unschedulable("no new claims to deallocate")
SAYS_NOTHING: Final = unschedulable()
_STILL: Final = unschedulable("still not schedulable")
_DEALLOCATED: Final = unschedulable("deallocation of ResourceClaim completed")
_DELETED: Final = unschedulable("deletion of ResourceClaim completed")


def freed(pod: Pod, unavailable: Iterable[PodClaim], made: Document | None, *, has_words: bool) -> Status:
    """What is said of what was freed.

    ``unavailable``: the claims for which some node was rejected that could have had all others. ``made``: the claim
    that was made for extended resources. ``has_words``: there are some where nothing is freed.
    """
    if any(_is_free(claim.document, pod) for claim in unavailable if claim.document is not made):
        return _DEALLOCATED
    if made is not None:
        return _DELETED
    return _STILL if has_words else SAYS_NOTHING


def _is_free(claim: Document, pod: Pod) -> bool:
    """Whether nobody but the pod has reserved a claim."""
    reserved = (claim.get("status") or {}).get("reservedFor") or ()
    return not reserved or [each.get("uid") for each in reserved] == [pod.owner_uid]
