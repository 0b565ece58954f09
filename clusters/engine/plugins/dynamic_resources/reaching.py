"""From which nodes a claim that has devices can be used."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from clusters.engine.devices.binding_conditions import Readiness, readiness_of
from clusters.engine.devices.pod_claims import results_of
from clusters.engine.devices.suitability import skips_operations
from clusters.engine.matching.nodes import selector_mask
from clusters.engine.matching.selectors import NodeSelector
from clusters.engine.versions import Gate

if TYPE_CHECKING:
    from clusters.engine.devices.pod_claims import PodClaim
    from clusters.engine.snapshot import Snapshot
    from clusters.engine.status import Mask
    from clusters.engine.versions import Release


def reaching_nodes(snapshot: Snapshot, claim: PodClaim) -> Mask | None:
    """The nodes, shape (N,), from which the devices of a claim can be used; None: all.

    Devices that failed before the pod was bound count as reached from none.
    """
    waits = snapshot.release.devices.waits_for_conditions
    if waits and readiness_of(claim.document) is Readiness.FAILED:
        return np.zeros(len(snapshot.nodes), np.bool_)
    selector = (claim.allocation or {}).get("nodeSelector")
    reached = None if selector is None else selector_mask(snapshot.nodes, NodeSelector.from_dict(selector))
    if not needs_skipping(claim, snapshot.release):
        return reached
    able = np.array([skips_operations(node) for node in snapshot.nodes.nodes], np.bool_)
    return able if reached is None else reached & able


def needs_skipping(claim: PodClaim, release: Release) -> bool:
    """Whether kubelets have to know that devices of a claim need less of them, however the gate is now (from 1.37)."""
    is_read = Gate.DRA_OPTIONAL_NODE_OPERATIONS in release.known_gates
    return is_read and any(result.get("skipNodeOperations") for result in results_of(claim.document))
