"""Copies of pending pods."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.engine.simulation.case import Origin
from clusters.engine.simulation.copying import put_claim
from clusters.engine.simulation.remarks import ImmediateVolumes, TemplatedResourceClaims

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusters.engine.simulation.changes.world import ClusterDocuments
    from clusters.engine.workloads.pod_copies import PodCopy


def want_copies(world: ClusterDocuments, path: str, copies: Sequence[PodCopy], origin: Origin = Origin.ADDED) -> None:
    """Let copies wait for a node, their claims with them."""
    for copy in copies:
        for claim in copy.claims:
            put_claim(world.shelf, claim)
    world.want(path, (copy.pod for copy in copies), origin)
    unplaced = sum(bool(copy.unplaced) for copy in copies)
    if unplaced:
        world.remarks.append(ImmediateVolumes(unplaced))
    devices = sum(bool(copy.devices) for copy in copies)
    if devices:
        world.remarks.append(TemplatedResourceClaims(devices))
