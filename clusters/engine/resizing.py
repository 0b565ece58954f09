"""Pods that run and ask for more than their node has left: from 1.37 the scheduler may make room for them there.

Upstream: ``IsPodResizeDeferred`` of ``k8s.io/component-helpers/resource`` v0.37.2, and what the plugins do where it
holds: all but those that have a say in it skip the pod.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.engine.resources.requests import DEFERRED, RESIZE_PENDING
from clusters.engine.versions import Gate

if TYPE_CHECKING:
    from clusters.engine.objects import Pod
    from clusters.engine.versions import Release


def is_resize_attempt(pod: Pod, release: Release) -> bool:
    """Whether the scheduler tries a pod only to resize it on its node, as the kubelet could not yet."""
    if not release.enables(Gate.RESIZE_PREEMPTION):
        return False
    conditions = pod.status.get("conditions") or ()
    reasons = (str(each.get("reason") or "") for each in conditions if each.get("type") == RESIZE_PENDING)
    return next(reasons, "") == DEFERRED
