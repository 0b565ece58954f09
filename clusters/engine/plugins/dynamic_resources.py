"""DynamicResources: pods without resource claims pass it by.

Upstream: ``pkg/scheduler/framework/plugins/dynamicresources`` v1.34.1. What the plugin answers for a pod with claims
is not computed; the explanation then lists the plugin among those whose answers are unknown.
"""

from __future__ import annotations

from clusters.engine.plugin import SKIP_FILTER, Plugin, PreFilter


class DynamicResources(Plugin):
    """Passes every pod; says when that is not known to be right."""

    name = "DynamicResources"
    unprepared = "not found"

    def pre_filter(self) -> PreFilter:
        return SKIP_FILTER

    @property
    def uncomputed(self) -> str:
        return "spec.resourceClaims" if self.pod.spec.get("resourceClaims") else ""
