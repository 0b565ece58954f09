"""The sentence of each remark about a simulation, by its type."""

from __future__ import annotations

from functools import singledispatch
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from clusters.engine.simulation import Remark


@singledispatch
def remark_sentence(remark: Remark) -> str:
    """Say a remark in words. Raises TypeError for a type that has none."""
    raise TypeError(f"{type(remark).__name__} has no wording")
