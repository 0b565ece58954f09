"""What decides about devices and is not computed: expressions, and devices that are allocated several times."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.engine.devices.pod_claims import CLAIM, CLASS, SLICE
from clusters.engine.devices.pools import slices_of, unknown_taint_rules
from clusters.engine.devices.selecting import CompileError, UnsupportedExpressionError, compiled
from clusters.engine.devices.suitability import uses_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusters.engine.devices.requests import Claim
    from clusters.engine.snapshot import Snapshot


def holds_devices(snapshot: Snapshot) -> bool:
    """Whether there is any object about devices: where there is none, the source most likely has left them out."""
    return snapshot.derived(_any_object, CLAIM, CLASS, SLICE)


def _any_object(snapshot: Snapshot) -> bool:
    return any(snapshot.objects(kind) for kind in (CLAIM, CLASS, SLICE))


def is_known(snapshot: Snapshot, claims: Sequence[Claim]) -> bool:
    """Whether all that decides about devices for these claims is computed."""
    if unknown_taint_rules(snapshot) or _has_shared_devices(snapshot):
        return False
    return _are_selectors_known(snapshot, claims)


def _are_selectors_known(snapshot: Snapshot, claims: Sequence[Claim]) -> bool:
    """Whether every expression by which claims select is supported; one that is no CEL fails, which is known."""
    requests = ((claim, request) for claim in claims for choices in claim.requests for request in choices)
    for claim, request in requests:
        for use in uses_of(snapshot, claim, request):
            try:
                compiled(use.expression)
            except UnsupportedExpressionError:
                return False
            except CompileError:
                continue
    return True


def _has_shared_devices(snapshot: Snapshot) -> bool:
    """Whether devices can be allocated several times, by capacity: stored only where that feature is on."""
    return any(device.is_shared for each in slices_of(snapshot) for device in each.devices)
