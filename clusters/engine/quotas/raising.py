"""To what a quota has to be raised for more objects like the one that it refuses."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from clusters.engine.quotas.charge import QuotaAmount
from clusters.engine.resources.quantity import QuantityError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusters.engine.quotas.problems import QuotaExceeded


class QuotaRaise(NamedTuple):
    """What ``hard`` of a resource is, and what it has to be at least; both as they are written in manifests."""

    resource: str
    hard: str
    needed: str


def raises_for(problem: QuotaExceeded, objects: int) -> Iterator[QuotaRaise]:
    """Yield what has to be raised for so many objects that are charged as much each; nothing where it is unreadable."""
    for resource, requested, used, limited in zip(
        problem.resources, problem.requested, problem.used, problem.limited, strict=True
    ):
        try:
            each, already = QuotaAmount.read(requested), QuotaAmount.read(used)
        except QuantityError:
            continue
        needed = already.plus(each._replace(nanos=each.nanos * objects))
        yield QuotaRaise(resource, limited, str(needed))
