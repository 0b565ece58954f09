"""What disruption budgets allow once a cluster has been changed.

Upstream: ``updatePdbStatus`` in ``pkg/controller/disruption/disruption.go`` v1.34.1. Preemption reads it in the status.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.engine.disruption.budget import KIND
from clusters.engine.disruption.drain_ledger import Ledger
from clusters.engine.objects import key_of, metadata

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clusters.engine.objects import Document
    from clusters.engine.snapshot import Snapshot


def settle_budgets(snapshot: Snapshot, others: Iterable[Document]) -> None:
    """Write the status of every budget; ``others``: pods that the snapshot does not hold, as they wait or are done."""
    documents = list(snapshot.objects(KIND))
    if not documents:
        return
    ledger = Ledger(snapshot, others)
    ledger.settle(snapshot, map(key_of, documents))
    for document in documents:
        status = ledger.reported(key_of(document))
        written = {
            "observedGeneration": int(metadata(document).get("generation") or 0),
            "expectedPods": status.expected,
            "currentHealthy": status.healthy,
            "desiredHealthy": status.desired,
            "disruptionsAllowed": status.allowed,
        }
        snapshot.upsert({**document, "status": {**(document.get("status") or {}), **written}})
