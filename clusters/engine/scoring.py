"""What nodes have and what pods there request, in imagined worlds too, and scores from how much of a node is asked for.

Upstream: ``pkg/scheduler/framework/plugins/noderesources`` v1.34.1, and of v1.38.0-beta.0 for sums and products beyond
int64, which wrap around until 1.37. All integer arithmetic is int64 with the same truncations; the balanced score and
the rounding of the shape score are float64, as there.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

import numpy as np

from clusters.engine.quantity import MAX_INT64, saturated
from clusters.engine.resources import CPU, EPHEMERAL_STORAGE, MEMORY, Amounts, is_scalar

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from clusters.engine.snapshot import Snapshot
    from clusters.engine.status import Index, Ints
    from clusters.engine.world import World


class NodeAmounts:
    """The amounts of a snapshot's nodes by resource, in base units."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._by_shape: dict[str, Ints] = {}

    def allocatable(self, resource: str) -> Ints:
        """Shape (N,): how much of a resource each node has."""
        nodes = self._snapshot.nodes
        column = nodes.resource(resource)
        return np.zeros(len(nodes), np.int64) if column is None else nodes.allocatable[:, column]

    def requested(self, resource: str, world: World | None) -> Ints:
        """Shape (N,): how much of a resource the pods on each node request."""
        nodes, pods = self._snapshot.nodes, self._snapshot.pods
        column = nodes.resource(resource)
        used = np.zeros(len(nodes), np.int64) if column is None else nodes.requested[:, column]
        if world is None:
            return used
        known = self._by_shape.get(resource)
        if known is None:
            amounts = [dict(shape.requests).get(resource, 0) for shape in self._snapshot.pods.shapes]
            known = self._by_shape[resource] = np.array(amounts, np.int64)
        found = used + world.per_node(known[pods.shape[world.slots]], len(nodes))
        for row in self._snapshot.rows_to_saturate(world.rows):
            signs = zip(world.slots[world.rows == row], world.signs[world.rows == row], strict=True)
            booked = sum(known[pods.shape[pods.on_node(row)]].tolist())
            found[row] = saturated(booked + sum(int(sign) * int(known[pods.shape[slot]]) for slot, sign in signs))
        return found


MAX_NODE_SCORE = 100


# All of what there is, in percent.
FULL = 100


def asked_and_allocatable(
    snapshot: Snapshot,
    rows: Index,
    resources: Sequence[str],
    request: Amounts,
    *,
    non_zero: bool,
    given: Mapping[str, tuple[Ints, Ints]] = MappingProxyType({}),
) -> tuple[Ints, Ints, Ints]:
    """Requested (with the pod and without) and allocatable amounts per resource, each shape (K, F).

    They are 0 where a resource does not count. ``non_zero`` reads cpu and memory of placed pods as scoring counts them.
    A scalar resource that the pod does not ask for does not count. ``given``: devices, and those of them that are
    allocated, of all nodes, by the resource that a DeviceClass stands for.
    """
    nodes = snapshot.nodes
    asked, booked, allocatable = np.zeros((3, len(resources), len(rows)), np.int64)
    for number, resource in enumerate(resources):
        column, own, totals = nodes.resource(resource), request.get(resource, 0), given.get(resource)
        if resource not in (CPU, MEMORY, EPHEMERAL_STORAGE) and not (own and is_scalar(resource)):
            continue
        if column is not None:
            is_counted = non_zero and resource in (CPU, MEMORY)
            used = nodes.non_zero[:, (CPU, MEMORY).index(resource)] if is_counted else nodes.requested[:, column]
            allocatable[number] = nodes.allocatable[:, column].take(rows)
            used.take(rows, out=booked[number])
            np.add(booked[number], own, out=asked[number])
        if totals is not None:
            # Nodes that have no device plugin for it: devices that a class stands for count instead.
            devices = np.where(allocatable[number] == 0, totals[0][rows], 0)
            np.copyto(booked[number], totals[1][rows], where=devices > 0)
            np.copyto(asked[number], totals[1][rows] + own, where=devices > 0)
            allocatable[number] += devices
    if snapshot.release.rules.saturates and asked.min(initial=0) < 0:
        asked[(booked > 0) & (asked < 0)] = MAX_INT64
    if not allocatable.all():
        asked[allocatable == 0] = 0
    return asked, booked, allocatable


# Of whole numbers below this floats are exact, and so are their quotients once they are truncated.
_EXACT: Final = 2**53


def truncated_quotients(total: Ints, divisor: Ints | np.int64) -> Ints:
    """Quotients that truncate toward zero, as Go's, 0 where nothing is divided by."""
    has_all = divisor.all() if isinstance(divisor, np.ndarray) else divisor
    if has_all and np.maximum.reduce(total, None, initial=0) < _EXACT > -np.minimum.reduce(total, None, initial=0):
        # Quicker by far than integers: the nearest float of a quotient is no whole number that it does not reach.
        return (total / divisor).astype(np.int64)
    by = np.where(divisor == 0, 1, divisor)
    return np.where(divisor == 0, 0, (total - np.fmod(total, by)) // by)


def _percent(part: Ints, whole: Ints, *, is_exact: bool) -> Ints:
    """100 × part ÷ whole, truncated; ``is_exact``: also where the product is beyond int64."""
    if is_exact and part.max(initial=0) > MAX_INT64 // FULL:
        divisor = np.where(whole == 0, 1, whole).astype(object)
        return np.where(whole == 0, 0, part.astype(object) * FULL // divisor).astype(np.int64)
    return truncated_quotients(part * FULL, whole)


def least_allocated(asked: Ints, allocatable: Ints, *, is_exact: bool) -> Ints:
    """100 × free ÷ allocatable per resource; 0 when overcommitted. ``is_exact``: whatever the size of both."""
    scores = _percent(allocatable - asked, allocatable, is_exact=is_exact)
    scores[asked > allocatable] = 0
    return scores


def most_allocated(asked: Ints, allocatable: Ints, *, is_exact: bool) -> Ints:
    """100 × requested ÷ allocatable per resource, at most 100. ``is_exact``: whatever the size of both."""
    return _percent(np.minimum(asked, allocatable), allocatable, is_exact=is_exact)


def weighted_mean(scores: Ints, allocatable: Ints, weights: Sequence[int]) -> Ints:
    """Truncated mean of the scores (K, F) over the resources that a node has."""
    weight = np.array(weights, np.int64)[:, None]
    if not allocatable.all():
        weight = np.where(allocatable == 0, 0, weight)
    return truncated_quotients((scores * weight).sum(axis=0), weight.sum(axis=0))


def shape_scores(asked: Ints, allocatable: Ints, points: Sequence[tuple[int, int]], *, is_exact: bool = True) -> Ints:
    """Score of each resource's utilisation (0 to 100) on a broken line of (utilisation, score) points.

    ``is_exact``: whatever the size of both.
    """
    return on_shape(np.where(asked > allocatable, FULL, _percent(asked, allocatable, is_exact=is_exact)), points)


def on_shape(use: Ints, points: Sequence[tuple[int, int]]) -> Ints:
    """The score of each utilisation (0 to 100) on a broken line of (utilisation, score) points."""
    scores = np.full(use.shape, points[-1][1], np.int64)
    for number in range(len(points) - 1, 0, -1):
        (left, low), (right, high) = points[number - 1], points[number]
        # Go truncates toward zero; a falling segment has a negative product.
        on_segment = low + truncated_quotients((high - low) * (use - left), np.full_like(use, right - left))
        scores = np.where(use <= right, on_segment, scores)
    return np.where(use <= points[0][0], points[0][1], scores)


def positive_mean(scores: Ints, allocatable: Ints, weights: Sequence[int]) -> Ints:
    """Rounded mean of the scores over the resources that a node has and that score above 0."""
    counts = (allocatable != 0) & (scores > 0)
    weight = np.where(counts, np.array(weights, np.int64)[:, None], 0)
    total, divisor = (scores * weight).sum(axis=0), weight.sum(axis=0)
    mean = total.astype(np.float64) / np.maximum(divisor, 1).astype(np.float64)
    return np.where(divisor == 0, 0, round_half_away(mean))


def balanced(asked: Ints, allocatable: Ints) -> Ints:
    """(1 − standard deviation of the requested fractions) × 100, truncated."""
    has = allocatable != 0
    return _balance(asked / (allocatable + ~has), has)


def improved_balance(asked: Ints, booked: Ints, allocatable: Ints) -> Ints:
    """50 to 100, by how much the balance is better with the pod than without it; 75 where it stays.

    ``booked``: what is requested without the pod, shape (K, F).
    """
    has = allocatable != 0
    divisor = allocatable + ~has
    gain = _balance(asked / divisor, has) - _balance(booked / divisor, has)
    # Each balance is 50 at least, so that nothing negative is halved.
    half = MAX_NODE_SCORE // 2
    return half + (half + gain) // 2


def _balance(fractions: NDArray[np.float64], has: NDArray[np.bool_]) -> Ints:
    """The balance of each node, of fractions (K, F) that it takes over; ``has``: which resources a node has."""
    np.minimum(fractions, 1.0, out=fractions)
    if len(fractions) == 2:
        # In place: this is most of what scoring costs on a few thousand nodes.
        deviation = fractions[0] - fractions[1]
        deviation *= 0.5
        np.abs(deviation, out=deviation)
        if not has.all():
            deviation[~(has[0] & has[1])] = 0.0
    else:
        deviation = np.zeros(fractions.shape[1], np.float64)
    if len(fractions) > 2:
        count = has.sum(axis=0)
        pairs, more = count == 2, count > 2
        order = np.argsort(~has[:, pairs], axis=0, kind="stable")[:2]
        first, second = np.take_along_axis(fractions[:, pairs], order, axis=0)
        difference: NDArray[np.float64] = np.abs((first - second) / 2)
        deviation[pairs] = difference
        deviation[more] = _standard_deviation(fractions[:, more], has[:, more])
    balance: NDArray[np.float64] = (1 - deviation) * float(MAX_NODE_SCORE)
    return balance.astype(np.int64)


def _standard_deviation(fractions: NDArray[np.float64], has: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Added up resource by resource, as upstream does: floating-point sums depend on the order."""
    total = np.zeros(fractions.shape[1])
    for row, present in zip(fractions, has, strict=True):
        total = np.where(present, total + row, total)
    count = has.sum(axis=0)
    mean = total / count
    squares = np.zeros(fractions.shape[1])
    for row, present in zip(fractions, has, strict=True):
        squares = np.where(present, squares + (row - mean) * (row - mean), squares)
    deviation: NDArray[np.float64] = np.sqrt(squares / count)
    return deviation


def round_half_away(numbers: NDArray[np.float64]) -> Ints:
    """Rounded to the nearest integer, halves away from zero, as Go's ``math.Round``."""
    whole = np.trunc(numbers)
    # What is left of a number, and twice that, are exact.
    whole += np.trunc(2.0 * (numbers - whole))
    return whole.astype(np.int64)
