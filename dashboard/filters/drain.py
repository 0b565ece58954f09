"""The forms of the drain planner: the filter of its nodes, and the choice of those to be drained."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clusters.engine.disruption import DrainOptions
from clusters.services.disruption import ClusterDrains, DrainableNode, DrainChoice
from clusters.wording import columns, drains as words, filters as labels
from dashboard.filters.base import FilterForm, choice, search

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from django.forms import ChoiceField
    from django.http import QueryDict
    from django.utils.functional import _StrOrPromise


# No zone, pool, version or type is just a dash, so it can stand for "none".
NONE = "-"


class DrainableFilter(FilterForm):
    """Search, state."""

    q = search(labels.SEARCH, words.SEARCH_HINT)
    state = choice(labels.STATE, ((state.value, label) for state, label in words.OUTLOOKS.items()))

    def passes(self, node: DrainableNode) -> bool:
        """Tell whether every given filter lets the node through."""
        given = self.given()
        text = given.get("q", "").lower()
        texts = (node.name, node.zone, node.pool, node.version, node.instance_type)
        return (not text or any(text in each.lower() for each in texts)) and (
            "state" not in given or node.drain.outlook == given["state"]
        )


_FLAGS = [("", words.WITHOUT_FORCE), ("force", words.WITH_FORCE), ("careful", words.KEEPING_DATA)]
_AFTER = [("", words.STAY_CORDONED), ("uncordon", words.UNCORDONED)]
_AT_A_TIME = (1, 2, 3, 5, 10, 20, 50)
_GROUPS: dict[str, Callable[[DrainableNode], str]] = {
    "zone": lambda node: node.zone,
    "pool": lambda node: node.pool,
    "version": lambda node: node.version,
    "type": lambda node: node.instance_type,
}


class DrainForm(FilterForm):
    """Which nodes, how many at a time, how kubectl is called, and what becomes of the nodes.

    `groups` are the fields that choose nodes by what they have in common.
    """

    groups = frozenset(_GROUPS)

    zone = choice(labels.ZONE, ())
    pool = choice(words.POOL, ())
    version = choice(words.KUBELET, ())
    type = choice(columns.INSTANCE_TYPE, ())
    at = choice(words.AT_A_TIME, ())
    flags = choice(words.KUBECTL, ())
    after = choice(words.DRAINED_NODES, ())

    def __init__(self, data: QueryDict | Mapping[str, Any], *, found: ClusterDrains, nodes: list[str]) -> None:
        super().__init__(data)
        self.auto_id = "drain-%s"
        self.nodes = tuple(sorted(set(nodes)))
        for name, value_of in _GROUPS.items():
            values = sorted({value_of(node) for node in found.nodes.values()})
            self._choices(name, [("", "–"), *((value or NONE, value or words.NONE) for value in values)])
        self._choices(
            "at", [("", words.AS_BUDGETS_ALLOW), *((str(each), words.AT_MOST(nodes=each)) for each in _AT_A_TIME)]
        )
        self._choices("flags", _FLAGS)
        self._choices("after", _AFTER)

    def _choices(self, name: str, choices: Sequence[tuple[str, _StrOrPromise]]) -> None:
        field: ChoiceField = self.fields[name]  # type: ignore[assignment]
        field.choices = choices

    @property
    def is_choice(self) -> bool:
        """Whether some nodes are chosen, be they there or not."""
        return bool(self.nodes) or any(self.data.get(name) for name in _GROUPS)

    @property
    def unknown(self) -> list[str]:
        """What is given and not offered, as in the address."""
        return [f"{name}={self.data.get(name)}" for name in self.errors]

    def choice(self) -> DrainChoice:
        """Return what is chosen; what is not offered chooses nothing."""
        given = self.given()
        groups = {name: "" if given[name] == NONE else given[name] for name in _GROUPS if name in given}
        flags = given.get("flags", "")
        return DrainChoice(
            nodes=self.nodes,
            zone=groups.get("zone"),
            pool=groups.get("pool"),
            version=groups.get("version"),
            instance_type=groups.get("type"),
            options=DrainOptions(
                force=flags == "force",
                empty_dirs=flags != "careful",
                at_a_time=int(given.get("at", 0)),
                uncordon=given.get("after") == "uncordon",
            ),
        )
