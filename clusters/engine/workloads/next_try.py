"""What the API server would answer a controller that tries again now, by what is mirrored.

Upstream (v1.34.1): the pods of ``GetPodFromTemplate`` in ``pkg/controller/controller_utils.go``, the claims of
``getPersistentVolumeClaims`` in ``pkg/controller/statefulset``, and admission as ``clusters.engine.admission`` and
``clusters.engine.quotas`` have it. Webhooks, policies, Pod Security, service accounts and permissions are not computed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from clusters.engine.admission import admit
from clusters.engine.admission.problems import (
    AboveMaximum,
    AboveRatio,
    BelowMinimum,
    NoPriorityClass,
    NoRuntimeClass,
    RatioOfNothing,
)
from clusters.engine.devices.claim_lifecycle import claims_from_templates
from clusters.engine.objects import labels_of, name_of, namespace_of
from clusters.engine.quotas.charge import Charge, claim_charge, device_claim_charge, object_charge, pod_charge
from clusters.engine.quotas.device_rules import device_quota_rules
from clusters.engine.quotas.ledger import QuotaLedger
from clusters.engine.quotas.problems import QuotaExceeded, QuotaUnspecified
from clusters.engine.quotas.raising import QuotaDemand
from clusters.engine.resources.quantity import QuantityError
from clusters.engine.volumes.claims import IMAGINED_CLAIM, claim_use
from clusters.engine.workloads.problems import AbsentPriorityClass, AbsentRuntimeClass

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from clusters.engine.objects import Document
    from clusters.engine.problems import Problem
    from clusters.engine.quotas.charge import QuotaAmount
    from clusters.engine.quotas.ledger import Quota
    from clusters.engine.snapshot import Snapshot

# The kinds by which each answer that is computed is decided.
_DECIDED_BY: Final = {
    QuotaExceeded: "ResourceQuota",
    QuotaUnspecified: "ResourceQuota",
    BelowMinimum: "LimitRange",
    AboveMaximum: "LimitRange",
    AboveRatio: "LimitRange",
    RatioOfNothing: "LimitRange",
    AbsentPriorityClass: "PriorityClass",
    NoPriorityClass: "PriorityClass",
    AbsentRuntimeClass: "RuntimeClass",
    NoRuntimeClass: "RuntimeClass",
}


@dataclass(frozen=True, slots=True)
class NextTry:
    """What becomes of the ``wanted`` pods, or the one Job, that a controller creates next.

    ``admitted``: how many are created before one is refused; ``problems``: why that one is, empty where all are
    admitted. ``demands``: what they would use of quotas. ``is_decisive``: what was refused before is among what is
    computed, so that it no longer holds where ``problems`` does not have it.
    """

    wanted: int
    admitted: int
    problems: tuple[Problem, ...]
    demands: tuple[QuotaDemand, ...]
    is_decisive: bool


DECIDING: Final = frozenset(_DECIDED_BY.values())


def next_try(
    workload: Document,
    wanted: int,
    snapshot: Snapshot,
    quotas: Iterable[Document],
    *,
    before: Iterable[Problem],
    unread: Collection[str],
) -> NextTry | None:
    """Answer a workload's controller that creates ``wanted`` pods, or a CronJob's that creates a Job.

    ``quotas``: those of its namespace, with what is used. ``before``: what was refused; ``unread``: those of DECIDING
    that the source does not hold. None where the template is not mirrored or has an amount that is none, or where what
    decides is not mirrored.
    """
    refused = list(before)
    if any(_is_unread(problem, snapshot, unread) for problem in refused):
        return None
    is_decisive = all(type(problem) in _DECIDED_BY for problem in refused)
    ledger = QuotaLedger(quotas)
    if workload.get("kind") == "CronJob":
        return _answered(ledger, [object_charge(workload, "jobs", "batch")], 1, is_decisive=is_decisive)
    pod = _pod_of(workload)
    if pod is None:
        return None
    try:
        admission = admit(pod, snapshot)
        rules = device_quota_rules(snapshot)
        claims = claims_from_templates(snapshot, admission.pod)[1]
        charges = [
            *_claims(workload, wanted, snapshot),
            pod_charge(admission.pod, rules),
            *_ephemeral(admission.pod),
            *(device_claim_charge(claim, rules) for claim in claims),
        ]
    except QuantityError:
        return None
    if admission.refusals:
        problems = tuple(dict.fromkeys(refusal.problem for refusal in admission.refusals))
        return NextTry(wanted, 0, problems, (), is_decisive)
    return _answered(ledger, charges, wanted, is_decisive=is_decisive)


def _is_unread(problem: Problem, snapshot: Snapshot, unread: Collection[str]) -> bool:
    """Whether an answer was given by an object that the source does not hold, of a kind that it does not either."""
    kind = _DECIDED_BY.get(type(problem), "")
    if kind not in unread:
        return False
    match problem:
        case QuotaExceeded() | QuotaUnspecified():
            return snapshot.object(kind, problem.quota, problem.namespace) is None
        case _other:
            return not any(True for _ in snapshot.objects(kind))


def _pod_of(workload: Document) -> Document | None:
    """Return the next pod of a workload, which its template makes."""
    template = (workload.get("spec") or {}).get("template") or {}
    if not template.get("spec"):
        return None
    fields = {"name": name_of(workload), "namespace": namespace_of(workload), "labels": labels_of(template)}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": fields, "spec": template["spec"], "status": {}}


def _claims(workload: Document, wanted: int, snapshot: Snapshot) -> Iterator[Charge]:
    """Yield what the claims of a StatefulSet's next pod are charged that do not exist yet."""
    spec = workload.get("spec") or {}
    if workload.get("kind") != "StatefulSet":
        return
    replicas = 1 if spec.get("replicas") is None else int(spec["replicas"])
    ordinal = int((spec.get("ordinals") or {}).get("start") or 0) + max(0, replicas - wanted)
    for template in spec.get("volumeClaimTemplates") or ():
        name = f"{name_of(template)}-{name_of(workload)}-{ordinal}"
        if snapshot.object("PersistentVolumeClaim", name, namespace_of(workload)) is None:
            yield claim_charge({**template, "metadata": {"name": name, "namespace": namespace_of(workload)}})


def _ephemeral(pod: Document) -> Iterator[Charge]:
    """Yield what the claims of ephemeral volumes are charged."""
    for volume in (pod.get("spec") or {}).get("volumes") or ():
        use = claim_use(volume, name_of(pod))
        if use is not None and use.ephemeral:
            template = volume["ephemeral"].get("volumeClaimTemplate") or {}
            metadata = {"name": use.claim, "namespace": namespace_of(pod), "uid": f"{IMAGINED_CLAIM}{use.claim}"}
            yield claim_charge({**template, "metadata": metadata})


def _answered(ledger: QuotaLedger, charges: list[Charge], wanted: int, *, is_decisive: bool) -> NextTry:
    """Charge as many pods with their claims as fit; what the first that does not is refused for."""
    demands = tuple(
        QuotaDemand(quota.namespace, quota.name, resource, quota.hard[resource], quota.used[resource], each, wanted)
        for quota, amounts in _together(ledger, charges)
        for resource, each in sorted(amounts.items())
    )
    rooms = ((demand.hard.nanos - demand.used.nanos) // demand.each.nanos for demand in demands)
    fitting = max(0, min(wanted, *rooms)) if demands else wanted
    for charge in charges:
        for quota in ledger.counting(charge):
            quota.add(charge, fitting)
    refusal = None
    for charge in charges:
        refusal = refusal or ledger.charge(charge)
    if isinstance(refusal, QuotaUnspecified):
        return NextTry(wanted, 0, (refusal,), (), is_decisive)
    if refusal is None or fitting == wanted:
        return NextTry(wanted, wanted, (), demands, is_decisive)
    return NextTry(wanted, fitting, (refusal,), demands, is_decisive)


def _together(ledger: QuotaLedger, charges: Iterable[Charge]) -> Iterator[tuple[Quota, dict[str, QuotaAmount]]]:
    """Yield each quota that counts any of the objects, with what it counts of all of them."""
    by_quota: dict[str, tuple[Quota, dict[str, QuotaAmount]]] = {}
    for charge in charges:
        for quota in ledger.counting(charge):
            _, amounts = by_quota.setdefault(quota.name, (quota, {}))
            for resource, amount in charge.amounts.items():
                if resource in quota.hard:
                    amounts[resource] = amounts[resource].plus(amount) if resource in amounts else amount
    yield from by_quota.values()
