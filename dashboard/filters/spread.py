"""The filters of the spread pages; they choose among what the engine found, not among rows of the database."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clusters.engine.spreading import Source, SpreadGroup
from clusters.wording import filters as labels, spread as words
from dashboard.filters.base import FilterForm, choice, search

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from clusters.engine.owners import Workload

_STATES = {
    "violated": words.EXCEEDED,
    "blocking": words.BLOCKING,
    "pending": words.WITH_PENDING,
    "kept": words.WITHIN,
}
_SOURCES = {"pod": words.FROM_PODS, "defaults": words.FROM_DEFAULTS}


def _own(values: Iterable[str]) -> list[tuple[str, str]]:
    return [(value, value) for value in sorted(set(values))]


def _named(text: str, workload: Workload) -> bool:
    """Whether a workload's name holds a text; `namespace/name` is how people copy it."""
    return text in (f"{workload.namespace}/{workload.name}" if "/" in text else workload.name)


class SpreadFilter(FilterForm):
    """Workload, namespace, state, topology key, origin."""

    q = search(labels.WORKLOAD, words.NAME_HINT)
    namespace = choice(labels.NAMESPACE, ())
    state = choice(labels.STATE, _STATES.items())
    key = choice(words.TOPOLOGY_KEY, ())
    source = choice(words.SOURCE_FILTER, _SOURCES.items())

    def __init__(self, data: Mapping[str, Any], *, groups: Iterable[SpreadGroup]) -> None:
        super().__init__(data)
        groups = list(groups)
        self.offer("namespace", _own(group.namespace for group in groups))
        self.offer("key", _own(group.constraint.topology_key for group in groups))

    def passes(self, group: SpreadGroup) -> bool:
        """Tell whether every given filter lets the group through."""
        given = self.given()
        states = {
            "violated": group.violation > 0,
            "blocking": group.violation > 0 and group.blocks,
            "pending": group.members.pending > 0,
            "kept": group.violation == 0,
        }
        return (
            given.get("namespace", group.namespace) == group.namespace
            and given.get("key", group.constraint.topology_key) == group.constraint.topology_key
            and states.get(given.get("state", ""), True)
            and ("source" not in given or (given["source"] == "pod") == (group.source is Source.POD))
            and ("q" not in given or any(_named(given["q"], workload) for workload in group.workloads))
        )


class WorkloadFilter(FilterForm):
    """Workload and namespace."""

    q = search(labels.WORKLOAD, words.NAME_HINT)
    namespace = choice(labels.NAMESPACE, ())

    def __init__(self, data: Mapping[str, Any], *, workloads: Iterable[Workload]) -> None:
        super().__init__(data)
        self.offer("namespace", _own(workload.namespace for workload in workloads))

    def passes(self, workload: Workload) -> bool:
        """Tell whether every given filter lets the workload through."""
        given = self.given()
        return given.get("namespace", workload.namespace) == workload.namespace and (
            "q" not in given or _named(given["q"], workload)
        )
