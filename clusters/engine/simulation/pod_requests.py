"""What pods request, read once for all pods of one making."""

from __future__ import annotations

import marshal
from typing import TYPE_CHECKING

from clusters.engine.objects import Pod

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusters.engine.objects import Document

_READ = ("containers", "initContainers", "overhead", "resources")


class PodRequests:
    """Requests of pods as filtering counts them, in base units; the mappings are shared: leave them as they are."""

    def __init__(self) -> None:
        self._known: dict[bytes, Mapping[str, int]] = {}

    def of(self, pod: Document) -> Mapping[str, int]:
        """What a pod requests of the node that takes it."""
        spec = pod.get("spec") or {}
        source = marshal.dumps([spec.get(field) for field in _READ], 0)
        known = self._known.get(source)
        if known is None:
            known = self._known[source] = Pod(pod).requests
        return known
