"""Which of equally good nodes is taken where kube-scheduler takes any: as good as random, and the same each time.

Upstream: ``selectHost`` in ``pkg/scheduler/schedule_one.go`` v1.34.1 takes any of the best.
"""

from __future__ import annotations

from typing import Final

_WORD: Final = 2**64 - 1


def choose(seed: int, number: int, among: int) -> int:
    """A number from 0 to ``among`` - 1 that follows from the seed and the number of the attempt alone.

    The mixing is that of SplitMix64, so that neighbouring numbers give unlike answers.
    """
    if among < 2:
        return 0
    mixed = (seed * 0x9E3779B97F4A7C15 + number + 0x9E3779B97F4A7C15) & _WORD
    mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & _WORD
    mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & _WORD
    return (mixed ^ (mixed >> 31)) % among
