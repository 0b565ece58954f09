"""Pods that hold room on their nodes for a resize that the kubelet has deferred."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from clusters.engine.columns.pods import NOWHERE

if TYPE_CHECKING:
    from clusters.engine.snapshot import Snapshot
    from clusters.engine.status import Ints


def deferred_slots(snapshot: Snapshot) -> Ints:
    """Slots of the bound pods of which requests are counted for a deferred resize alone."""
    pods = snapshot.pods
    chosen = [number for number, shape in enumerate(pods.shapes) if shape.deferred]
    count = len(pods.keys)
    return np.flatnonzero(np.isin(pods.shape[:count], chosen) & (pods.node[:count] != NOWHERE))
