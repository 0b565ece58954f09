"""Taking times so that a median and its spread can be trusted on a noisy machine."""

from __future__ import annotations

import gc
import statistics
import time
from typing import TYPE_CHECKING, NotRequired, TypedDict

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


class Figure(TypedDict):
    """One measured quantity; ``ratio`` relates its median, or its 95th percentile where it has one, to a reference."""

    median: float
    min: float
    max: float
    unit: str
    p95: NotRequired[float]
    ratio: NotRequired[float]


def figure(samples: Sequence[float], unit: str, *, against: float | None = None) -> Figure:
    """Median and spread of samples, and their ratio to a reference in the same unit."""
    median = statistics.median(samples)
    found = Figure(median=round(median, 3), min=round(min(samples), 3), max=round(max(samples), 3), unit=unit)
    if against is not None:
        found["ratio"] = round(median / against, 4)
    return found


def milliseconds(work: Callable[[], object], *, times: int = 30, warm_up: int = 3) -> list[float]:
    """Milliseconds of each call after a warm-up, with the garbage collector kept out."""
    for _ in range(warm_up):
        work()
    samples = []
    gc.collect()
    gc.disable()
    try:
        for _ in range(times):
            start = time.perf_counter()
            work()
            samples.append((time.perf_counter() - start) * 1000)
    finally:
        gc.enable()
    return samples
