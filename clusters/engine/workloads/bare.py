"""Pods that nothing controls, so that nothing recreates them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from clusters.engine.snapshot import Snapshot


def bare_pods(snapshot: Snapshot) -> int:
    """Count the pods on nodes that no controller owns and that are not being deleted."""
    pods = snapshot.pods
    slots = np.flatnonzero((pods.node >= 0) & ~pods.terminating)
    bare = np.array([template.controller is None for template in pods.templates], np.bool_)
    return int(bare[pods.template[slots]].sum()) if len(slots) else 0
