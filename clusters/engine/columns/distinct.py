"""Nodes numbered by what many columns say of them together, independent of how many columns there are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from clusters.engine.status import Index

# Codes up to which renumbering waits for more columns, and up to which a table is quicker than sorting.
_PATIENCE = 1 << 14
_TABLE = 1 << 20


def distinguish(columns: Iterable[tuple[NDArray[np.integer | np.bool_], int]], length: int) -> tuple[Index, int]:
    """Number the rows of some columns: equal rows alike, from 0 without gaps, in the order of their values.

    Each column has shape (``length``,) and comes with a bound that its values, from 0 on, stay below. Returns the
    numbers, shape (``length``,), and how many there are. What is known so far is renumbered before it grows: codes stay
    below the number of rows times the bound of one column, so that no number of columns can overflow them.
    """
    codes, count = np.zeros(length, np.intp), 1
    for values, bound in columns:
        codes, count = codes * bound + values, count * bound
        if count > _PATIENCE:
            codes, count = _renumbered(codes, count)
    return _renumbered(codes, count)


def _renumbered(codes: Index, bound: int) -> tuple[Index, int]:
    """The same distinction without gaps."""
    if bound > _TABLE:
        found, numbers = np.unique(codes, return_inverse=True)
        return numbers, len(found)
    present = np.flatnonzero(np.bincount(codes, minlength=1))
    position = np.zeros(bound, np.intp)
    position[present] = np.arange(len(present))
    return position[codes], len(present)
