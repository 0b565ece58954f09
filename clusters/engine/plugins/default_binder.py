"""DefaultBinder: binds a pod to the node that was chosen for it.

Upstream: ``pkg/scheduler/framework/plugins/defaultbinder`` v1.34.1.
"""

from __future__ import annotations

from clusters.engine.plugin import Plugin, Reads


class DefaultBinder(Plugin):
    """Has no part in where a pod goes."""

    name = "DefaultBinder"
    reads = Reads.NOTHING
    colour = "green"
