"""The filters of the spread pages; they choose among what the engine found, not among rows of the database."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clusters.engine.spreading.groups import Source
from dashboard.filters.base import FilterForm, choice, search

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from django.forms import ChoiceField

    from clusters.engine.spreading.groups import SpreadGroup
    from clusters.engine.workloads.pod_template import Workload

STATES = {
    "violated": "Over maxSkew",
    "blocking": "Over maxSkew, DoNotSchedule",
    "waiting": "With pods that wait",
    "kept": "Within maxSkew",
}
SOURCES = {"pod": "The pods themselves", "defaults": "Defaults"}


def _offer(form: FilterForm, name: str, values: Iterable[str]) -> None:
    field: ChoiceField = form.fields[name]  # type: ignore[assignment]
    field.choices = [("", "Any"), *((value, value) for value in sorted(set(values)))]


def _named(text: str, workload: Workload) -> bool:
    """Whether a workload's name holds a text; `namespace/name` is how people copy it."""
    return text in (f"{workload.namespace}/{workload.name}" if "/" in text else workload.name)


class SpreadFilter(FilterForm):
    """Workload, namespace, state, topology key, origin."""

    q = search("Workload", "Part of its name")
    namespace = choice("Namespace", ())
    state = choice("State", STATES.items())
    key = choice("Topology key", ())
    source = choice("Constraint from", SOURCES.items())

    def __init__(self, data: Mapping[str, Any], *, groups: Iterable[SpreadGroup]) -> None:
        super().__init__(data)
        groups = list(groups)
        _offer(self, "namespace", (group.namespace for group in groups))
        _offer(self, "key", (group.constraint.topology_key for group in groups))

    def passes(self, group: SpreadGroup) -> bool:
        """Tell whether every given filter lets the group through."""
        given = self.given()
        states = {
            "violated": group.violation > 0,
            "blocking": group.violation > 0 and group.blocks,
            "waiting": group.members.pending > 0,
            "kept": group.violation == 0,
        }
        return (
            given.get("namespace", group.namespace) == group.namespace
            and given.get("key", group.constraint.topology_key) == group.constraint.topology_key
            and states.get(given.get("state", ""), True)
            and ("source" not in given or (given["source"] == "pod") == (group.source is Source.POD))
            and ("q" not in given or any(_named(given["q"], workload) for workload in group.workloads))
        )

    def conditions(self) -> list[str]:
        """Return what each given filter asks for, in words."""
        words = {
            "q": lambda value: f"workload contains “{value}”",
            "namespace": lambda value: f"namespace {value}",
            "state": lambda value: STATES[value][:1].lower() + STATES[value][1:],
            "key": lambda value: f"topology key {value}",
            "source": lambda value: f"constraint from {SOURCES[value].lower()}",
        }
        return [words[name](value) for name, value in self.given().items()]


class WorkloadFilter(FilterForm):
    """Workload and namespace."""

    q = search("Workload", "Part of its name")
    namespace = choice("Namespace", ())

    def __init__(self, data: Mapping[str, Any], *, workloads: Iterable[Workload]) -> None:
        super().__init__(data)
        _offer(self, "namespace", (workload.namespace for workload in workloads))

    def passes(self, workload: Workload) -> bool:
        """Tell whether every given filter lets the workload through."""
        given = self.given()
        return given.get("namespace", workload.namespace) == workload.namespace and (
            "q" not in given or _named(given["q"], workload)
        )

    def conditions(self) -> list[str]:
        """Return what each given filter asks for, in words."""
        words = {
            "q": lambda value: f"workload contains “{value}”",
            "namespace": lambda value: f"namespace {value}",
        }
        return [words[name](value) for name, value in self.given().items()]
