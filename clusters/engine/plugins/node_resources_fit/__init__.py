"""NodeResourcesFit: a node must have room for what the pod requests; scores by how full it would be."""

from __future__ import annotations

from clusters.engine.plugins.node_resources_fit.plugin import (
    PODS,
    TOO_MANY_PODS,
    NodeResourcesFit,
    ResourceSubject,
    reason_of,
)

__all__ = ["PODS", "TOO_MANY_PODS", "NodeResourcesFit", "ResourceSubject", "reason_of"]
