"""Pods that are being deleted and that finalizers alone keep."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.engine.objects import metadata

if TYPE_CHECKING:
    from clusters.engine.objects import Pod


def is_held(pod: Pod) -> bool:
    """Whether finalizers alone keep a pod that is terminating: its containers have ended, or it has no node."""
    if not pod.terminating or not metadata(pod.document).get("finalizers"):
        return False
    lists = ("initContainerStatuses", "containerStatuses")
    states = [each.get("state") or {} for name in lists for each in pod.status.get(name) or ()]
    has_ended = bool(states) and all("terminated" in state for state in states)
    return pod.finished or has_ended or not pod.node_name
