"""The filter of the usage page; it chooses among what was compared, not among rows of the database."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clusters.engine.usage import Sizing, WorkloadSizing
from clusters.wording import filters as labels, usage as words
from dashboard.filters.base import FilterForm, choice, search

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusters.services.usage.history import ClusterSizing

_CHANGES = "changes"


class UsageFilter(FilterForm):
    """Name, namespace, how requests compare."""

    q = search(labels.SEARCH, words.SEARCH_HINT)
    namespace = choice(labels.NAMESPACE, ())
    state = choice(
        labels.STATE, ((_CHANGES, words.CHANGES), *((each.value, label) for each, label in words.SIZINGS.items()))
    )

    def __init__(self, data: Mapping[str, Any], *, found: ClusterSizing) -> None:
        super().__init__(data)
        self._found = found
        names = sorted({each.workload.namespace for each in found.workloads})
        self.offer("namespace", [(name, name) for name in names])

    def apply(self) -> list[WorkloadSizing]:
        """Return the workloads that every given filter lets through."""
        given = self.given()
        text, namespace, state = given.get("q", ""), given.get("namespace"), given.get("state")
        return [
            each
            for each in self._found.workloads
            if namespace in (None, each.workload.namespace)
            and (not text or text in _name(each, whole="/" in text))
            and (state is None or (bool(each.changes) if state == _CHANGES else each.has(Sizing(state))))
        ]


def _name(sizing: WorkloadSizing, *, whole: bool) -> str:
    workload = sizing.workload
    return f"{workload.namespace}/{workload.name}" if whole else workload.name
