"""What somebody would have to do so that a pod becomes schedulable."""

from __future__ import annotations

import enum


class Effort(enum.IntEnum):
    """What somebody would have to do so that a requirement no longer stands, the easiest first."""

    REQUIREMENT = 0
    """Change what the pod, or a neighbour of it, says."""
    NODE = 1
    """Change a node that is well: uncordon it, or raise its limit."""
    HEALTH = 2
    """Mend a node."""
    SYSTEM = 3
    """Let the pod run on nodes of the control plane, which few should."""
    RESOURCE = 4
    """Request nothing of a resource, which few pods can; to request less is a Reduction."""
