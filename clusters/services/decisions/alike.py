"""Keys by which one explanation is found again for all pods that are alike."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson

from clusters.engine.analysis.likeness import Likeness

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusters.engine import Profile, Snapshot


class AlikePods:
    """Tells by a key which pods of one snapshot are alike for filtering.

    The engine says what they have in common; here it becomes bytes, because orjson takes a third of the time of what
    the standard library has, and there may be tens of thousands of pods.
    """

    def __init__(self, snapshot: Snapshot) -> None:
        self._likeness = Likeness(snapshot)

    def key(self, pod: Mapping[str, Any], profile: Profile) -> bytes:
        """Return bytes that are equal for pods alike, in whatever order their fields are."""
        return orjson.dumps(self._likeness.of(pod, profile), option=orjson.OPT_SORT_KEYS)
