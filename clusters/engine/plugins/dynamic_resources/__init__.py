"""DynamicResources: whether the devices that a pod's ResourceClaims request can be allocated for a node.

Upstream: ``pkg/scheduler/framework/plugins/dynamicresources`` v1.34.1.
"""

from __future__ import annotations

from clusters.engine.plugins.dynamic_resources.plugin import DynamicResources

__all__ = ["DynamicResources"]
