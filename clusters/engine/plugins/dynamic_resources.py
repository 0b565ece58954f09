"""DynamicResources: pods without resource claims pass it by.

Upstream: ``pkg/scheduler/framework/plugins/dynamicresources`` v1.34.1. What the plugin answers for a pod with claims
is not computed; the explanation then lists the plugin among those whose answers are unknown.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.engine.plugin import SKIP_FILTER, Plugin, PreFilter
from clusters.engine.status import SUCCESS, Code, Status, unschedulable
from clusters.engine.traits import ClusterEvent, Reads

if TYPE_CHECKING:
    from clusters.engine.objects import Pod

# PostFilter looks for what PreFilter prepared, also when the cycle ended before that ran.
_NOT_PREPARED = Status(Code.ERROR, ("not found",))
_NO_CLAIMS = unschedulable("no new claims to deallocate")


class DynamicResources(Plugin):
    """Passes every pod; says when that is not known to be right."""

    name = "DynamicResources"
    reads = Reads.NODES | Reads.DEVICES
    requeue_on = (
        ClusterEvent.RESOURCE_CLAIM_ADD,
        ClusterEvent.RESOURCE_CLAIM_UPDATE,
        ClusterEvent.POD_GENERATED_RESOURCE_CLAIM,
        ClusterEvent.DEVICE_CLASS_ADD,
        ClusterEvent.DEVICE_CLASS_UPDATE,
        ClusterEvent.RESOURCE_SLICE_ADD,
        ClusterEvent.RESOURCE_SLICE_UPDATE,
        ClusterEvent.NODE_ADD,
        ClusterEvent.NODE_LABEL,
        ClusterEvent.NODE_ALLOCATABLE,
    )
    colour = "teal"
    skips_for_good = True
    unprepared = "not found"

    @classmethod
    def pre_enqueue(cls, pod: Pod) -> Status | None:
        return None if pod.spec.get("resourceClaims") else SUCCESS

    def pre_filter(self) -> PreFilter:
        return SKIP_FILTER

    @property
    def uncomputed(self) -> str:
        return "spec.resourceClaims" if self.pod.spec.get("resourceClaims") else ""

    def post_filter(self, *, is_prepared: bool) -> Status | None:
        if not is_prepared:
            return _NOT_PREPARED
        return None if self.uncomputed else _NO_CLAIMS
