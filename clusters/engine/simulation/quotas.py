"""The quotas of a simulation: pods that come to be are charged or refused, those that go free what they used.

Upstream, v1.34.1: ``ResourceQuota`` of the API server, ``pkg/controller/resourcequota``. What takes time there happens
at once: usage is free when its pod is gone, and controllers try again immediately.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from clusters.engine.objects import Pod, key_of, metadata, name_of, namespace_of
from clusters.engine.quotas import QuotaLedger, claim_charge, pod_charge
from clusters.engine.quotas.applied import new_claims
from clusters.engine.quotas.counting import counted_quotas, is_counted, with_status
from clusters.engine.simulation.steps import Outcome
from clusters.engine.volumes.claims import claim_use
from clusters.engine.workloads.pod_template import Controller

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clusters.engine.objects import Document
    from clusters.engine.quotas import Charge
    from clusters.engine.quotas.problems import QuotaRefusal
    from clusters.engine.simulation.steps import Step
    from clusters.engine.snapshot import Snapshot

KIND: Final = "ResourceQuota"
# How UIDs of pods begin that a simulation makes.
_IMAGINED: Final = "imagined:"


def is_new(pod: Document) -> bool:
    """Whether a pod is made by a question, and none that the cluster has."""
    return str(metadata(pod).get("uid") or "").startswith(_IMAGINED)


class QuotaAdmission:
    """The API server's quotas as pods are created and deleted, and the pods that they refuse."""

    def __init__(self, snapshot: Snapshot, quotas: Iterable[Document]) -> None:
        self._snapshot = snapshot
        self._ledger = QuotaLedger(quotas)
        self._claims: set[str] = set()
        # Pods of one template share their spec, and cost as much each.
        self._alike: dict[int, tuple[Document, Charge]] = {}
        self._refused: dict[str, dict[str, Document]] = {}

    def admit(self, pod: Document, recorded: Step | None) -> QuotaRefusal | None:
        """Charge a pod that is created; why it is refused, where it is, and remembered then.

        ``recorded``: the next step as an earlier release may have recorded it, which did not ask the quotas.
        """
        refusal = self._ask(pod)
        if refusal is None:
            return None
        if recorded is not None and (recorded.outcome, recorded.pod) != (Outcome.FORBIDDEN, key_of(pod)):
            self._ledger.count(self._charge(pod))
            return None
        self._refused.setdefault(namespace_of(pod), {})[key_of(pod)] = pod
        return refusal

    def _ask(self, pod: Document) -> QuotaRefusal | None:
        """Charge a pod that is created, and the claims that are made with it; why it is refused, where it is.

        A StatefulSet makes the claims before the pod, so that those stay; claims of ephemeral volumes come after it.
        """
        if not self._ledger.has(namespace_of(pod)):
            return None
        claims = [claim for claim in new_claims(self._snapshot, Pod(pod)) if key_of(claim) not in self._claims]
        owned = {use.claim for use in self._ephemeral(pod)}
        before = [claim for claim in claims if name_of(claim) not in owned]
        after = [claim for claim in claims if name_of(claim) in owned]
        return self._ask_for(before) or self._ledger.charge(self._charge(pod)) or self._ask_for(after)

    def release(self, pod: Document) -> None:
        """Free what a pod used that is gone, and the claims that go with it."""
        namespace = namespace_of(pod)
        if not self._ledger.has(namespace):
            return
        self._ledger.release(self._charge(pod))
        for use in self._ephemeral(pod):
            claim = self._snapshot.object("PersistentVolumeClaim", use.claim, namespace)
            self._claims.discard(f"{namespace}/{use.claim}")
            if claim is not None:
                self._ledger.release(claim_charge(claim))

    # -- refused pods ------------------------------------------------------------------------------------

    def forget(self, key: str) -> None:
        """Let nobody try again to create a pod."""
        self._refused.get(key.partition("/")[0], {}).pop(key, None)

    def refused(self, key: str) -> Document | None:
        """A pod that does not exist as it was refused, None for any other."""
        return self._refused.get(key.partition("/")[0], {}).get(key)

    def admitted_now(self, namespace: str) -> Iterable[Document]:
        """The refused pods that fit now and that their controllers try again to create, in the order of refusals.

        They are not charged yet: each is to be asked for before the next is taken.
        """
        for key, pod in list(self._refused.get(namespace, {}).items()):
            if Controller.of(pod) is not None and self._ledger.refusal(self._charge(pod)) is None:
                self.forget(key)
                yield pod

    # -- charges -----------------------------------------------------------------------------------------

    def _ask_for(self, claims: Iterable[Document]) -> QuotaRefusal | None:
        for claim in claims:
            refusal = self._ledger.charge(claim_charge(claim))
            if refusal is not None:
                return refusal
            self._claims.add(key_of(claim))
        return None

    def _ephemeral(self, pod: Document) -> list[Any]:
        uses = (claim_use(volume, name_of(pod)) for volume in (pod.get("spec") or {}).get("volumes") or ())
        return [use for use in uses if use is not None and use.ephemeral]

    def _charge(self, pod: Document) -> Charge:
        spec = pod.get("spec") or {}
        if pod.get("status"):
            return pod_charge(pod)
        known = self._alike.get(id(spec))
        if known is None or known[0] is not spec:
            known = self._alike[id(spec)] = (spec, pod_charge(pod))
        return known[1].of_another(namespace_of(pod), name_of(pod))


def settle_quotas(snapshot: Snapshot, pods: Iterable[Document], gone: Iterable[Document]) -> None:
    """Write the status of every quota of a snapshot, as pods of the base are ``gone``; ``pods`` are those that remain.

    What the status had used stays used but for them. A quota without a status is counted from its objects.
    """
    quotas = snapshot.objects(KIND)
    ledger = QuotaLedger(quota for quota in quotas if is_counted(quota))
    for pod in gone:
        if ledger.has(namespace_of(pod)):
            ledger.release(pod_charge(pod))
    claims = (claim for claim in snapshot.objects("PersistentVolumeClaim") if not is_new(claim))
    for document in (*with_status(quotas, ledger), *counted_quotas(quotas, pods, claims)):
        snapshot.upsert(document)
