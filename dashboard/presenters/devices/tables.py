"""Devices and ResourceClaims as tables of plain values, for files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.wording.devices import states
from clusters.wording.nodes.file import NO, YES
from dashboard.presenters.devices.claims import first_requests, wants

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from clusters.engine.devices import PoolState, ResourceClaimState
    from clusters.services.mirror.state import ClusterDevices


def device_cells(pools: Iterable[PoolState], found: ClusterDevices) -> Iterator[tuple[str | int, ...]]:
    """Yield one row for each device of some pools; of several nodes their number stands in the place of a name."""
    names = found.snapshot.nodes.names
    for state in pools:
        nodes = names[state.rows[0]] if len(state.rows) == 1 else len(state.rows)
        complete = str(NO if state.pool.is_incomplete else YES)
        for each in state.devices:
            holder = found.claims.get(each.claim)
            yield (
                state.pool.driver,
                state.pool.name,
                each.device.name,
                str(states.DEVICE[each.state]),
                each.claim or " ".join(each.sharing),
                " ".join(holder.pods) if holder else "",
                " ".join(map(str, each.device.taints)),
                each.short.name if each.short else "",
                nodes,
                each.slice.name,
                state.generation,
                complete,
            )


def claim_cells(claims: Iterable[ResourceClaimState]) -> Iterator[tuple[str | int, ...]]:
    """Yield one row for each claim."""
    for claim in claims:
        yield (
            claim.namespace,
            claim.name,
            str(states.CLAIM[claim.phase]),
            "; ".join(map(wants, first_requests(claim))),
            " ".join(map(str, claim.devices)),
            " ".join(claim.pods),
        )
