"""The waits of bench.waits at their sizes and, to see how they grow, at 100,000 nodes and 1,000,000 pods: hours."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bench import waits

if TYPE_CHECKING:
    from bench.measure import Figure

LARGE = (100_000, 1_000_000)


def run() -> dict[str, Figure]:
    """Measure as the waits are, at one size more."""
    return waits.run((*waits.SIZES, LARGE))
