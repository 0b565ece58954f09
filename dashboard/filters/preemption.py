"""The filter of the page about preemption; it chooses among workloads that stand to lose pods."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clusters.wording import filters as labels
from clusters.wording.pods import PREEMPTION_SEARCH_HINT
from dashboard.filters.base import FilterForm, choice, search

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from clusters.services.pending.queue import WorkloadRisk


class PreemptionFilter(FilterForm):
    """Text and namespace, of the workloads whose pods would go."""

    q = search(labels.SEARCH, PREEMPTION_SEARCH_HINT)
    namespace = choice(labels.NAMESPACE, ())

    def __init__(self, data: Mapping[str, Any], *, risks: Sequence[WorkloadRisk]) -> None:
        super().__init__(data)
        names = sorted({risk.workload.namespace for risk in risks})
        self.offer("namespace", [(name, name) for name in names])

    def apply(self, risks: Sequence[WorkloadRisk]) -> list[WorkloadRisk]:
        """Return the workloads that every given filter lets through, in the same order."""
        given = self.given()
        text, namespace = given.get("q", "").lower(), given.get("namespace", "")
        return [
            risk
            for risk in risks
            if text in f"{risk.workload.namespace}/{risk.workload.name}".lower()
            and namespace in ("", risk.workload.namespace)
        ]
