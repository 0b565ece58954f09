"""ResourceQuotas as plain text: what is used of each, by whom, and how many further pods are created."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from clusters.engine.quotas import Quota, QuotaUser, quota_uses
from clusters.management.terminal.layout import table, wrapped
from clusters.wording import quotas as page_words
from clusters.wording.amounts import grouped
from clusters.wording.terminal import quotas as words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


_MOST_USERS: Final = 5


def quota_lines(quota: Quota, users: Sequence[QuotaUser], width: int) -> Iterator[str]:
    """Yield a quota with its resources and the workloads that use most of it."""
    scopes = "; ".join(map(str, quota.scopes))
    named = {"namespace": quota.namespace, "quota": quota.name}
    yield from wrapped(words.scoped_head(**named, scopes=scopes) if scopes else words.head(**named), width)
    uses = [
        (use.resource, str(quota.used[use.resource]), str(quota.hard[use.resource]), f"{100 * use.share:.0f} %")
        for use in quota_uses([quota])
    ]
    yield from table(words.resource_columns(), uses, width, right=(1, 2, 3))
    if users:
        yield from table(words.user_columns(), map(_cells, users[:_MOST_USERS]), width, right=(1,))
    if len(users) > _MOST_USERS:
        yield f"  {words.MORE_USERS(number=len(users) - _MOST_USERS)}"
    yield ""


def _cells(user: QuotaUser) -> tuple[str, str, str, str]:
    used = ", ".join(f"{resource}={amount}" for resource, amount in sorted(user.amounts.items()))
    if user.unspecified:
        more = words.has_to_specify(user.unspecified)
    else:
        more = str(words.UNLIMITED) if user.more is None else grouped(user.more)
    return page_words.workload(user.workload), grouped(user.pods), more, used
