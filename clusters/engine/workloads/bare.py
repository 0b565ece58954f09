"""Pods at risk for what they are: those that nothing recreates, and those that few nodes can take."""

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


def host_port_pods(snapshot: Snapshot) -> int:
    """Count the pods on nodes that have host ports and could run elsewhere, where those ports are free."""
    pods = snapshot.pods
    slots = np.flatnonzero((pods.node >= 0) & ~pods.terminating & (pods.ports > 0))
    pinned = np.array([template.is_pinned for template in pods.templates], np.bool_)
    return int((~pinned[pods.template[slots]]).sum()) if len(slots) else 0
