"""InterPodAffinity: what the pod says about other pods, and what they say about it."""

from __future__ import annotations

from clusters.engine.plugins.inter_pod_affinity.plugin import (
    REASON_AFFINITY,
    REASON_ANTI_AFFINITY,
    REASON_EXISTING,
    InterPodAffinity,
)

__all__ = ["REASON_AFFINITY", "REASON_ANTI_AFFINITY", "REASON_EXISTING", "InterPodAffinity"]
