"""Show in the terminal what is used of the ResourceQuotas of a cluster or a dump, and what fits next."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import orjson

from clusters.adapters.bad_input import BadInput
from clusters.documents.values import quota_document
from clusters.engine.problems import no_such_name
from clusters.engine.quotas import (
    Quota,
    QuotaLedger,
    QuotaUser,
    counted_quotas,
    device_quota_rules,
    fullest_first,
    fullest_share,
    is_counted,
    quota_users,
    quota_uses,
)
from clusters.management.terminal.output import (
    AnsweringCommand,
    dump_at,
    table,
    terminal_width,
    wrapped,
)
from clusters.models import Cluster
from clusters.services.mirror.snapshots import snapshot_of
from clusters.services.mirror.state import quotas_of, users_of_quotas
from clusters.wording import refusals as refusals_words
from clusters.wording.amounts import grouped
from clusters.wording.lists import listed
from clusters.wording.terminal import commands as words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path


_MOST_USERS: Final = 5


def quota_lines(quota: Quota, users: Sequence[QuotaUser], width: int) -> Iterator[str]:
    """Yield a quota with its resources and the workloads that use most of it."""
    head = words.HEAD(namespace=quota.namespace, quota=quota.name)
    if scopes := "; ".join(map(str, quota.scopes)):
        head = words.SCOPED_HEAD(namespace=quota.namespace, quota=quota.name, scopes=scopes)
    yield from wrapped(head, width)
    uses = [
        (use.resource, str(quota.used[use.resource]), str(quota.hard[use.resource]), f"{100 * use.share:.0f} %")
        for use in quota_uses([quota])
    ]
    yield from table(words.RESOURCE_COLUMNS, uses, width, right=(1, 2, 3))
    if users:
        yield from table(words.USER_COLUMNS, map(_cells, users[:_MOST_USERS]), width, right=(1,))
    if len(users) > _MOST_USERS:
        yield f"  {refusals_words.MORE_USERS(workloads=len(users) - _MOST_USERS)}"
    yield ""


def _cells(user: QuotaUser) -> tuple[str, str, str, str]:
    used = ", ".join(f"{resource}={amount}" for resource, amount in sorted(user.amounts.items()))
    if user.unspecified:
        more = words.HAS_TO_SPECIFY(resources=listed(user.unspecified))
    else:
        more = str(words.UNLIMITED) if user.more is None else grouped(user.more)
    return refusals_words.workload(user.workload), grouped(user.pods), more, used


_ALL_LEFT, _EXHAUSTED = 0, 1
_MOST_SUGGESTED: Final = 5


class CountingQuotas(AnsweringCommand):
    """manage.py quotas DUMP, or --cluster NAME."""

    def answer(self, options: dict[str, Any]) -> int:
        return self._run(**options)

    def _run(self, *, dump: Path | None, cluster: str | None, namespace: str | None, output: str, **_: Any) -> int:
        quotas, users = _of_dump(dump, namespace) if dump is not None else _of_cluster(str(cluster), namespace)
        if output == "json":
            documents = list(map(quota_document, quotas, users))
            self.stdout.write(orjson.dumps(documents, option=orjson.OPT_INDENT_2).decode())
        elif not quotas:
            self.stdout.write(str(words.NONE_FOUND))
        else:
            for quota, found in zip(quotas, users, strict=True):
                for line in quota_lines(quota, found, terminal_width()):
                    self.stdout.write(line)
        return _EXHAUSTED if any(fullest_share(quota) >= 1 for quota in quotas) else _ALL_LEFT


def _of_dump(path: Path, namespace: str | None) -> tuple[list[Quota], list[list[QuotaUser]]]:
    """Return the quotas of a dump, and who uses each. Raises BadInput."""
    found = dump_at(path)
    pods = list(found.pods.values())
    documents = found.snapshot.objects("ResourceQuota", namespace)
    claims, devices = (found.snapshot.objects(kind) for kind in ("PersistentVolumeClaim", "ResourceClaim"))
    counted = counted_quotas(documents, pods, claims, devices, device_quota_rules(found.snapshot))
    quotas = fullest_first(QuotaLedger([*filter(is_counted, documents), *counted]))
    return quotas, quota_users(quotas, pods)


def _of_cluster(name: str, namespace: str | None) -> tuple[list[Quota], list[list[QuotaUser]]]:
    """Return the quotas of a mirrored cluster, and who uses each. Raises BadInput."""
    cluster = Cluster.objects.filter(name=name).first()
    if cluster is None or cluster.is_unread:
        known = Cluster.objects.filter(last_sync__isnull=False).values_list("name", flat=True)[:_MOST_SUGGESTED]
        raise BadInput(no_such_name(name, tuple(known)))
    quotas = fullest_first(QuotaLedger(quotas_of(cluster=cluster, snapshot=snapshot_of(cluster), namespace=namespace)))
    return quotas, users_of_quotas(cluster=cluster, quotas=quotas)
