"""The API server as pods of a simulation are created: what LimitRanges and quotas refuse, and who tries again.

Upstream, v1.34.1: ``LimitRanger`` and ``ResourceQuota`` among the plugins of admission, and controllers, which create
what was refused again. What takes time there happens at once: usage is free when its pod is gone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from clusters.engine.admission.creation import claim_refusal, pod_refusal
from clusters.engine.devices.claim_lifecycle import is_imagined, owner_of
from clusters.engine.devices.pod_claims import CLAIM
from clusters.engine.objects import Pod, key_of, name_of, namespace_of
from clusters.engine.quotas import QuotaLedger, claim_charge, device_claim_charge, pod_charge
from clusters.engine.quotas.applied import new_claims, templated_claims
from clusters.engine.quotas.device_rules import device_quota_rules
from clusters.engine.quotas.limited import CONFIGURATION, LimitedResource
from clusters.engine.simulation.job_pods import job_of
from clusters.engine.simulation.steps import Outcome
from clusters.engine.volumes.claims import claim_use
from clusters.engine.workloads.pod_template import Controller

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from clusters.engine.admission.creation import CreationRefusal
    from clusters.engine.objects import Document
    from clusters.engine.quotas import Charge
    from clusters.engine.quotas.problems import QuotaRefusal
    from clusters.engine.simulation.job_pods import JobKey
    from clusters.engine.simulation.steps import Step
    from clusters.engine.snapshot import Snapshot

LIMIT_RANGE: Final = "LimitRange"
QUOTA: Final = "ResourceQuota"
_VOLUME_CLAIM: Final = "PersistentVolumeClaim"


class PodAdmission:
    """LimitRanges and quotas as pods are created and deleted, and the pods that they refuse."""

    def __init__(self, snapshot: Snapshot, quotas: Iterable[Document] | None = None, *, asks: bool = True) -> None:
        """``quotas``: those of the snapshot, if another status is to be believed than theirs. ``asks``: otherwise
        everything is created.
        """
        self._snapshot = snapshot
        self._asks = asks
        charged = snapshot.objects(QUOTA) if quotas is None else quotas
        limited = LimitedResource.all_of(snapshot.objects(CONFIGURATION))
        self._ledger = QuotaLedger(charged, limited) if asks else QuotaLedger(())
        self._rules = device_quota_rules(snapshot)
        # Kind and key of those that were charged.
        self._claims: set[tuple[str, str]] = set()
        # ResourceClaims that go with the pods for which they were made, by those: others may have deleted them before.
        self._device_claims: dict[str, list[Document]] = {}
        for claim in snapshot.objects(CLAIM) if self._ledger else ():
            if owner_of(claim) and not is_imagined(claim):
                self._claims.add((CLAIM, key_of(claim)))
                self._device_claims.setdefault(f"{namespace_of(claim)}/{owner_of(claim)}", []).append(claim)
        # Pods of one template share their spec, cost as much each, and keep the same bounds.
        self._alike: dict[int, tuple[Document, Charge]] = {}
        self._within: dict[int, tuple[Document, bool]] = {}
        self._refused: dict[str, dict[str, tuple[Document, CreationRefusal]]] = {}
        # Pods that were created and lack the claim of an ephemeral volume, which was refused.
        self._incomplete: set[str] = set()

    def admit(self, pod: Document, recorded: Step | None = None) -> CreationRefusal | None:
        """Charge a pod that is created; why it is refused, where it is, and remembered then.

        ``recorded``: the next step as an earlier release may have recorded it, which asked neither LimitRanges nor
        quotas.
        """
        refusal = self._ask(pod)
        if refusal is None:
            return None
        if recorded is not None and (recorded.outcome, recorded.pod) != (Outcome.FORBIDDEN, key_of(pod)):
            self._ledger.count(self._charge(pod))
            return None
        self._refused.setdefault(namespace_of(pod), {})[key_of(pod)] = pod, refusal
        return refusal

    def _ask(self, pod: Document) -> CreationRefusal | None:
        """Charge a pod that is created, and the claims that are made with it; why it is refused, where it is.

        A StatefulSet makes the claims before the pod, so that those stay; claims of ephemeral volumes and those from
        ResourceClaimTemplates come after it.
        """
        namespace, key = namespace_of(pod), key_of(pod)
        if not self._asks or not (self._ledger.has(namespace) or self._snapshot.objects(LIMIT_RANGE, namespace)):
            return None
        before, after = self._new_claims(pod)
        refusal = self._ask_for(before, key)
        if refusal is None and key not in self._incomplete:
            refusal = self._bounds(pod) or self._ledger.charge(self._charge(pod))
        if refusal is None:
            refusal = self._ask_for(after, key)
            (self._incomplete.discard if refusal is None else self._incomplete.add)(key)
        return refusal

    def asks_quotas(self, pod: str) -> bool:
        """Whether any quota may count what comes with a pod, by ``namespace/name``."""
        return self._ledger.has(pod.partition("/")[0])

    def refused_claim(self, pod: Document, claim: Document) -> QuotaRefusal | None:
        """Why the claim that the scheduler makes for a pod would not be created now; None where it would."""
        return None if self._is_charged(claim) else self._ledger.refusal(self._claim_charge(pod, claim))

    def charge_claim(self, pod: Document, claim: Document) -> None:
        """Charge the claim that the scheduler makes for a pod; it is free again when the pod is gone."""
        if not self._is_charged(claim):
            self._ledger.count(self._claim_charge(pod, claim))
            self._claims.add((CLAIM, key_of(claim)))
            self._device_claims.setdefault(key_of(pod), []).append(claim)

    def _is_charged(self, claim: Document) -> bool:
        return (CLAIM, key_of(claim)) in self._claims

    def _claim_charge(self, pod: Document, claim: Document) -> Charge:
        """What a claim of a pod is charged beside the pod: of the scheduler's own what the pod has not paid for."""
        return device_claim_charge(claim, self._rules, self._charge(pod).amounts)

    def release(self, pod: Document) -> None:
        """Free what a pod used that is gone, and the claims that go with it."""
        namespace = namespace_of(pod)
        if not self._ledger.has(namespace):
            return
        self._ledger.release(self._charge(pod))
        for use in self._ephemeral(pod):
            claim = self._snapshot.object(_VOLUME_CLAIM, use.claim, namespace)
            self._claims.discard((_VOLUME_CLAIM, f"{namespace}/{use.claim}"))
            if claim is not None:
                self._ledger.release(claim_charge(claim))
        for claim in self._device_claims.pop(key_of(pod), ()):
            self._claims.discard((CLAIM, key_of(claim)))
            self._ledger.release(self._claim_charge(pod, claim))

    # -- refused pods ------------------------------------------------------------------------------------

    def forget(self, key: str) -> None:
        """Let nobody try again to create a pod, or what it lacks."""
        known = self._refused.get(key.partition("/")[0], {}).pop(key, None)
        if known is not None and key in self._incomplete:
            self._incomplete.discard(key)
            self.release(known[0])

    def forget_of(self, job: JobKey) -> None:
        """Let nobody try again to create the pods of a Job."""
        for key, (pod, _) in list(self._refused.get(job[0], {}).items()):
            if job_of(pod) == job:
                self.forget(key)

    def refused(self, key: str) -> Document | None:
        """A pod that does not exist as it was refused, None for any other."""
        known = self._refused.get(key.partition("/")[0], {}).get(key)
        return None if known is None else known[0]

    def refusals(self) -> Iterator[CreationRefusal]:
        """Why the pods were refused that do not exist now."""
        return (refusal for known in self._refused.values() for _, refusal in known.values())

    def room_for(self, pod: Document) -> int | None:
        """How many more pods like this one that bring no claims are created; None where nothing bounds their number."""
        if self._bounds(pod) is not None:
            return 0
        return self._ledger.room_for(self._charge(pod))

    def admitted_now(self, namespace: str) -> Iterable[Document]:
        """The refused pods that fit now and that their controllers try again to create, in the order of refusals.

        They are not charged yet: each is to be asked for before the next is taken.
        """
        for key, (pod, _) in list(self._refused.get(namespace, {}).items()):
            if (Controller.of(pod) is not None or key in self._incomplete) and self._may_fit(pod):
                del self._refused[namespace][key]
                yield pod

    def _may_fit(self, pod: Document) -> bool:
        """Whether nothing that is still to be created for a pod is refused by itself."""
        before, after = self._new_claims(pod)
        if any(map(self._claim_refusal, before)):
            return False
        if key_of(pod) in self._incomplete:
            return not any(map(self._claim_refusal, after))
        return self._keeps_bounds(pod) and self._ledger.refusal(self._charge(pod)) is None

    # -- charges -----------------------------------------------------------------------------------------

    def _new_claims(self, pod: Document) -> tuple[list[Document], list[Document]]:
        """The claims that are still to be made for a pod: those that come before it, and those that come after it."""
        made = new_claims(self._snapshot, Pod(pod))
        claims = [claim for claim in made if (_VOLUME_CLAIM, key_of(claim)) not in self._claims]
        made = templated_claims(self._snapshot, Pod(pod))
        devices = [claim for claim in made if (CLAIM, key_of(claim)) not in self._claims]
        owned = {use.claim for use in self._ephemeral(pod)}
        before = [claim for claim in claims if name_of(claim) not in owned]
        return before, [*(claim for claim in claims if name_of(claim) in owned), *devices]

    def _claim_refusal(self, claim: Document) -> CreationRefusal | None:
        """Why a claim would not be created now; LimitRanges bound those of volumes alone."""
        if claim.get("kind") == CLAIM:
            return self._ledger.refusal(device_claim_charge(claim, self._rules))
        return claim_refusal(claim, self._snapshot) or self._ledger.refusal(claim_charge(claim))

    def _ask_for(self, claims: Iterable[Document], pod: str) -> CreationRefusal | None:
        """Charge claims that are made for a pod, as ``namespace/name``, until one is refused."""
        for claim in claims:
            refusal = self._claim_refusal(claim)
            if refusal is not None:
                return refusal
            if claim.get("kind") == CLAIM:
                self._ledger.count(device_claim_charge(claim, self._rules))
                self._claims.add((CLAIM, key_of(claim)))
                self._device_claims.setdefault(pod, []).append(claim)
            else:
                self._ledger.count(claim_charge(claim))
                self._claims.add((_VOLUME_CLAIM, key_of(claim)))
        return None

    def _bounds(self, pod: Document) -> CreationRefusal | None:
        """Why LimitRanges refuse a pod; None where they do not."""
        spec = pod.get("spec") or {}
        known = self._within.get(id(spec))
        if known is not None and known[0] is spec and known[1]:
            return None
        refusal = pod_refusal(pod, self._snapshot)
        self._within[id(spec)] = spec, refusal is None
        return refusal

    def _keeps_bounds(self, pod: Document) -> bool:
        known = self._within.get(id(pod.get("spec")))
        return self._bounds(pod) is None if known is None or known[0] is not pod.get("spec") else known[1]

    def _ephemeral(self, pod: Document) -> list[Any]:
        uses = (claim_use(volume, name_of(pod)) for volume in (pod.get("spec") or {}).get("volumes") or ())
        return [use for use in uses if use is not None and use.ephemeral]

    def _charge(self, pod: Document) -> Charge:
        spec = pod.get("spec") or {}
        if pod.get("status"):
            return pod_charge(pod, self._rules)
        known = self._alike.get(id(spec))
        if known is None or known[0] is not spec:
            known = self._alike[id(spec)] = (spec, pod_charge(pod, self._rules))
        return known[1].of_another(namespace_of(pod), name_of(pod))
