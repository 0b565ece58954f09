"""VolumeBinding: a node must reach the volumes of bound claims, and offer volumes to those that wait for the pod."""

from __future__ import annotations

from clusters.engine.plugins.volume_binding.judgement import BIND_CONFLICT, NO_SPACE, NODE_CONFLICT, VOLUME_MISSING
from clusters.engine.plugins.volume_binding.plugin import VolumeBinding

__all__ = ["BIND_CONFLICT", "NODE_CONFLICT", "NO_SPACE", "VOLUME_MISSING", "VolumeBinding"]
