"""What the API server of a release makes of the next pod of a workload, and whether it creates it at all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from clusters.engine.admission import Refusal, admit
from clusters.engine.objects import namespace_of
from clusters.engine.simulation.admission import QUOTA, PodAdmission

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from clusters.engine.objects import Document
    from clusters.engine.snapshot import Snapshot

# The part of the pod that a quota is about.
_CHARGED: Final = "spec"


@dataclass(frozen=True, slots=True)
class NextPod:
    """A pod as it would be stored, and what the API server has against it."""

    document: Document
    refusals: tuple[Refusal, ...]


def quotas_by_namespace(quotas: Iterable[Document]) -> dict[str, list[Document]]:
    """Return quotas by their namespaces."""
    found: dict[str, list[Document]] = {}
    for quota in quotas:
        found.setdefault(namespace_of(quota), []).append(quota)
    return found


def next_pod(snapshot: Snapshot, quotas: Mapping[str, list[Document]], pod: Document) -> NextPod:
    """Admit a pod, as its template has it, as the API server of the snapshot's release would create it now.

    Quotas are asked last. Each pod is asked for by itself.
    """
    admission = admit(pod, snapshot)
    if admission.refusals:
        return NextPod(admission.pod, admission.refusals)
    asked = PodAdmission(snapshot, quotas.get(namespace_of(pod), ()))
    refusal = asked.admit({**admission.pod, "status": {}})
    return NextPod(admission.pod, () if refusal is None else (Refusal(QUOTA, _CHARGED, refusal),))
