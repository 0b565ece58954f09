"""The quotas of a cluster: what is used of each, by whom, and what fits next."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from clusters.engine.quotas import Quota, QuotaUser, fullest_share, quota_uses
from clusters.wording import refusals as words
from clusters.wording.amounts import quantity
from clusters.wording.lists import listed
from dashboard.pictures.meter import Meter, meter

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence


MOST_USERS = 5


class QuotaView(Struct, frozen=True):
    """A quota with a meter for each resource; ``badge`` is a word and its kind, empty where nothing is exhausted.

    ``unknown``: the resources of which it is not known what was used then.
    Of the workloads that use it: which, its name, what it uses, and what of it fits next.
    """

    title: str
    badge: tuple[str, str]
    scopes: str
    meters: tuple[tuple[str, Meter], ...]
    unknown: tuple[str, ...]
    users: tuple[tuple[QuotaUser, str, str, str], ...]
    more_users: str


def quota_view(quota: Quota, users: Sequence[QuotaUser], resources: Collection[str]) -> QuotaView:
    """Present a quota, which bounds `resources`, with the workloads that use most of it."""
    more = len(users) - MOST_USERS
    return QuotaView(
        title=f"{quota.namespace}/{quota.name}",
        badge=_badge(fullest_share(quota)),
        scopes=words.SCOPES(names="; ".join(map(str, quota.scopes))) if quota.scopes else "",
        meters=tuple(_meters(quota)),
        unknown=tuple(sorted(set(resources).difference(quota.hard))),
        users=tuple(map(_user, users[:MOST_USERS])),
        more_users=words.MORE_USERS(workloads=more) if more > 0 else "",
    )


def _meters(quota: Quota) -> Iterable[tuple[str, Meter]]:
    for use in quota_uses([quota]):

        def write(number: int, resource: str = use.counted) -> str:
            return quantity(resource, number)

        yield use.resource, meter(use.resource, use.used, use.hard, write)


def _badge(share: float) -> tuple[str, str]:
    if share > 1:
        return str(words.ABOVE_HARD), "bad"
    return (str(words.EXHAUSTED), "warn") if share == 1 else ("", "")


def _more(user: QuotaUser) -> str:
    if user.unspecified:
        return words.HAS_TO_SPECIFY(resources=listed(user.unspecified))
    return "" if user.more is None else words.more(user.more)


FILE_COLUMNS = (
    "namespace",
    "quota",
    "scopes",
    "resource",
    "used",
    "hard",
    "share used",
)


def cells(quotas: Iterable[Quota]) -> Iterator[tuple[str, ...]]:
    """Yield a row of a file for each resource of each quota, as `FILE_COLUMNS` names them."""
    for quota in quotas:
        scopes = "; ".join(map(str, quota.scopes))
        for use in quota_uses([quota]):
            resource = use.resource
            amounts = str(quota.used[resource]), str(quota.hard[resource])
            yield quota.namespace, quota.name, scopes, resource, *amounts, f"{use.share:.4f}"


def _user(user: QuotaUser) -> tuple[QuotaUser, str, str, str]:
    amounts = ", ".join(f"{resource}={amount}" for resource, amount in sorted(user.amounts.items()))
    return user, words.workload(user.workload), amounts, _more(user)
