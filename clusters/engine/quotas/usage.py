"""How much of each quota is used, resource by resource."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from clusters.engine.quotas.resources import REQUESTS, STORAGE
from clusters.engine.resources.quantity import MAX_INT64, NANO
from clusters.engine.resources.requests import CPU, MEMORY

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from clusters.engine.quotas.ledger import Quota
    from clusters.engine.quotas.scopes import QuotaScope

_LIMITS: Final = "limits."


@dataclass(frozen=True, slots=True)
class QuotaUse:
    """One resource of a quota: ``used`` and ``hard`` in base units (milli-CPU, bytes, counts), rounded up.

    What is beyond 64 bits is the greatest number that they hold.
    """

    namespace: str
    quota: str
    resource: str
    used: int
    hard: int
    scopes: tuple[QuotaScope, ...]

    @property
    def counted(self) -> str:
        """The resource of pods that it is about: ``requests.cpu`` and ``limits.cpu`` are both of ``cpu``."""
        return counted_resource(self.resource)

    @property
    def share(self) -> float:
        """What is used of what there is; of a quota of nothing all is used as soon as anything is."""
        return self.used / self.hard if self.hard else float(self.used > 0)


def fullest_share(quota: Quota) -> float:
    """What is used of the resource of a quota of which most is used."""
    return max((use.share for use in quota_uses([quota])), default=0.0)


def fullest_first(quotas: Iterable[Quota]) -> list[Quota]:
    """Put quotas in order by the resource of which most is used, then by name."""
    return sorted(quotas, key=lambda quota: (-fullest_share(quota), quota.namespace, quota.name))


def counted_resource(resource: str) -> str:
    """The resource of pods that a resource of quotas or LimitRanges is about; storage is counted as memory is."""
    stem = resource.removeprefix(REQUESTS).removeprefix(_LIMITS)
    return MEMORY if stem == "storage" or stem.endswith(f"/{STORAGE}") else stem


def quota_uses(quotas: Iterable[Quota]) -> Iterator[QuotaUse]:
    """Every resource of every quota, by name within each."""
    for quota in quotas:
        for resource in sorted(quota.hard):
            places = NANO - 3 if counted_resource(resource) == CPU else NANO
            used, hard = (
                min(-(-amounts[resource].nanos // 10**places), MAX_INT64) for amounts in (quota.used, quota.hard)
            )
            yield QuotaUse(quota.namespace, quota.name, resource, used, hard, quota.scopes)
