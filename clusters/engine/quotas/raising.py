"""To what quotas have to be raised for more objects."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from clusters.engine.quotas.charge import QuotaAmount
from clusters.engine.resources.quantity import QuantityError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from clusters.engine.quotas.problems import QuotaExceeded


class QuotaDemand(NamedTuple):
    """What ``objects`` more pods, or other objects, would use of a resource of a quota: ``each`` so much."""

    namespace: str
    quota: str
    resource: str
    hard: QuotaAmount
    used: QuotaAmount
    each: QuotaAmount
    objects: int


class QuotaRaise(NamedTuple):
    """What ``hard`` of a resource of a quota is, and what it has to be at least; both as manifests write them."""

    namespace: str
    quota: str
    resource: str
    hard: str
    needed: str


def demands_of(problem: QuotaExceeded, objects: int) -> Iterator[QuotaDemand]:
    """Yield what so many objects like the refused one would use; nothing of a resource whose amounts are unreadable."""
    amounts = zip(problem.resources, problem.limited, problem.used, problem.requested, strict=True)
    for resource, *texts in amounts:
        try:
            hard, used, each = map(QuotaAmount.read, texts)
        except QuantityError:
            continue
        yield QuotaDemand(problem.namespace, problem.quota, resource, hard, used, each, objects)


def raises(demands: Iterable[QuotaDemand]) -> Iterator[QuotaRaise]:
    """Yield to what quotas have to be raised for all of that together, by quota and resource, where they are too small.

    Where what is used was told at different times, the most counts.
    """
    by_resource: defaultdict[tuple[str, str, str], list[QuotaDemand]] = defaultdict(list)
    for demand in demands:
        by_resource[demand.namespace, demand.quota, demand.resource].append(demand)
    for (namespace, quota, resource), found in sorted(by_resource.items()):
        needed, hard = max((demand.used for demand in found), key=lambda used: used.nanos), found[0].hard
        for demand in found:
            needed = needed.plus(demand.each.times(demand.objects))
        if needed.nanos > hard.nanos:
            yield QuotaRaise(namespace, quota, resource, str(hard), str(needed))
