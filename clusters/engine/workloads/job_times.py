"""When a pod of a Job ended, and how long its controller waits until it creates the next one.

Upstream (v1.34.1): ``getFinishedTime`` and ``getRemainingTimeForFailuresCount`` of
``pkg/controller/job/backoff_utils.go``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from clusters.engine.objects import metadata, sortable_time

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusters.engine.objects import Document

# Seconds: the delay after the first failure, and the longest one.
FIRST_DELAY: Final = 10
LONGEST_DELAY: Final = 600


def delay_after(failures: int) -> int:
    """Return after how many seconds the next pod is created, with so many failures since the last success."""
    if failures <= 0:
        return 0
    # Beyond 6 doublings the longest is reached.
    return min(LONGEST_DELAY, FIRST_DELAY << min(failures - 1, 6))


def finished_at(pod: Document) -> str:
    """Return when a pod ended: when its last container did, or else since when it is not ready, or was created.

    Of one that is being deleted and still ready that is when it is gone at the latest; the controller takes when its
    deletion began.
    """
    status = pod.get("status") or {}
    times = [str(each.get("finishedAt") or "") for each in _last_states(pod)]
    if times and all(times):
        return max(times, key=sortable_time)
    for condition in status.get("conditions") or ():
        if condition.get("type") == "Ready" and condition.get("status") == "False":
            turned = str(condition.get("lastTransitionTime") or "")
            if turned:
                return turned
    fields = metadata(pod)
    return str(fields.get("deletionTimestamp") or fields.get("creationTimestamp") or "")


def _last_states(pod: Document) -> Iterator[dict[str, Any]]:
    """How the containers of a pod ended, sidecars included, which end last."""
    status = pod.get("status") or {}
    sidecars = {
        each.get("name")
        for each in (pod.get("spec") or {}).get("initContainers") or ()
        if each.get("restartPolicy") == "Always"
    }
    for each in status.get("containerStatuses") or ():
        yield (each.get("state") or {}).get("terminated") or {}
    for each in status.get("initContainerStatuses") or ():
        if each.get("name") in sidecars:
            yield (each.get("state") or {}).get("terminated") or {}
