"""The verdicts of a cycle: equal rejections as one, and the nodes by identical answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from clusters.engine.columns.distinct import distinguish

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from clusters.engine.status import FilterAnswer, Index, Rejection


def merged(rejections: Sequence[Rejection], first: Index) -> tuple[list[Rejection], Index]:
    """Equal rejections as one, wherever they came from; ``first`` (N,) numbers them, -1 where there is none."""
    position = {rejection: number for number, rejection in enumerate(dict.fromkeys(rejections))}
    translate = np.array([*(position[rejection] for rejection in rejections), -1], np.intp)
    return list(position), translate[first]


def number_patterns(rejected_by: Index, rejections: int, filters: Mapping[str, FilterAnswer]) -> tuple[Index, int]:
    """Number the nodes by what all filters and the verdict say, shape (N,); ``rejections``: how many there are."""
    answers = [(outcome.index, len(outcome.statuses)) for outcome in filters.values() if outcome.index is not None]
    return distinguish([(rejected_by + 1, rejections + 1), *answers], len(rejected_by))
