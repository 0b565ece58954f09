"""Who uses a quota, and how many more pods like theirs it lets in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clusters.engine.objects import labels_of, namespace_of
from clusters.engine.quotas.charge import QuotaAmount, pod_charge
from clusters.engine.workloads.pod_template import TEMPLATE_HASH, Controller, Workload

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from clusters.engine.objects import Document
    from clusters.engine.quotas.charge import Charge
    from clusters.engine.quotas.ledger import Quota


@dataclass(frozen=True, slots=True)
class QuotaUser:
    """A workload whose pods a quota counts: how many, and what they use of each of its resources.

    ``share``: what they use of the resource of which they use most, from 0. ``more``: how many further pods like the
    one that is charged most the quota lets in; None where nothing that it is charged for is bounded. ``unspecified``:
    the resources that keep it out, as its containers do not specify them.
    """

    workload: Workload
    pods: int
    amounts: Mapping[str, QuotaAmount]
    share: float
    more: int | None
    unspecified: tuple[str, ...]


def quota_users(quota: Quota, pods: Iterable[Document]) -> list[QuotaUser]:
    """The workloads that use a quota, those that use most of any of its resources first. Raises QuantityError."""
    charges: dict[Workload, list[Charge]] = {}
    for pod in pods:
        charge = pod_charge(pod)
        if charge.namespace == quota.namespace and quota.counts(charge):
            template_hash = labels_of(pod).get(TEMPLATE_HASH, "")
            workload = Workload.of(namespace_of(pod), Controller.of(pod), template_hash)
            charges.setdefault(workload, []).append(charge)
    users = [_user(quota, workload, found) for workload, found in charges.items()]
    return sorted(users, key=lambda user: (-user.share, user.workload))


def _user(quota: Quota, workload: Workload, charges: list[Charge]) -> QuotaUser:
    amounts: dict[str, QuotaAmount] = {}
    for charge in charges:
        for resource, amount in charge.amounts.items():
            if resource in quota.hard:
                amounts[resource] = amounts[resource].plus(amount) if resource in amounts else amount
    largest = max(charges, key=lambda charge: _share(quota, charge.amounts))
    refusal = quota.unspecified(largest)
    missing = () if refusal is None else refusal.resources
    more = 0 if missing else quota.room_for(largest)
    return QuotaUser(workload, len(charges), amounts, _share(quota, amounts), more, missing)


def _share(quota: Quota, amounts: Mapping[str, QuotaAmount]) -> float:
    shares = (
        amount.nanos / quota.hard[resource].nanos
        for resource, amount in amounts.items()
        if resource in quota.hard and quota.hard[resource].nanos
    )
    return max(shares, default=0.0)
