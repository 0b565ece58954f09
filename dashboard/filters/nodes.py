"""The filters of nodes, of those that are to be drained, and of devices."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db.models import Q, QuerySet

from clusters.engine.devices import DeviceState, PoolState, ResourceClaimState
from clusters.engine.disruption import DrainOptions
from clusters.engine.nodes import pressures
from clusters.engine.objects import Node as EngineNode
from clusters.services.disruption import ClusterDrains, DrainableNode, DrainChoice
from clusters.wording import (
    columns,
    devices as devices_words,
    drains as drain_words,
    filters as words,
    nodes as nodes_words,
)
from dashboard.filters.base import FilterForm, choice, exact, scope, search

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from django.forms import ChoiceField
    from django.http import QueryDict
    from django.utils.functional import _StrOrPromise

    from clusters.models import Node
    from clusters.services.mirror.state import ClusterDevices

# A zone's name is never just a dash, so it can stand for "no zone label".
NO_ZONE = "-"
READINESS = {
    "yes": (nodes_words.READY, True),
    "no": (nodes_words.NOT_READY, False),
    "unknown": (nodes_words.READY_UNKNOWN, None),
}
SCHEDULING = {
    "open": (nodes_words.NOT_CORDONED, False),
    "cordoned": (nodes_words.CORDONED, True),
}
# What keeps new pods away beside pressure, which only the objects tell of.
_CLOSED = Q(unschedulable=True) | Q(ready=False)
HEALTH = {"pressure": nodes_words.UNDER_PRESSURE, "closed": nodes_words.CLOSED}
TAINTS = {
    "with": (nodes_words.TAINTED, True),
    "without": (nodes_words.NOT_TAINTED, False),
}


class NodeFilter(FilterForm):
    """Search, zone, readiness, cordon, health, taints."""

    q = search(words.SEARCH, nodes_words.SEARCH_HINT)
    zone = choice(words.ZONE, ())
    ready = choice(words.READY, ((value, label) for value, (label, _) in READINESS.items()))
    scheduling = choice(nodes_words.SCHEDULING, ((value, label) for value, (label, _) in SCHEDULING.items()))
    health = choice(nodes_words.HEALTH, HEALTH.items())
    taints = choice(nodes_words.TAINTS, ((value, label) for value, (label, _) in TAINTS.items()))

    def __init__(self, data: Mapping[str, Any], *, zones: list[str]) -> None:
        super().__init__(data)
        self.offer("zone", ((zone or NO_ZONE, zone or nodes_words.NO_ZONE) for zone in zones))

    def apply(self, nodes: QuerySet[Node]) -> QuerySet[Node]:
        """Return the nodes that every given filter lets through."""
        given = self.given()
        if text := given.get("q"):
            nodes = nodes.filter(name__icontains=text)
        if zone := given.get("zone"):
            nodes = nodes.filter(zone="" if zone == NO_ZONE else zone)
        if ready := given.get("ready"):
            nodes = nodes.filter(ready=READINESS[ready][1])
        if scheduling := given.get("scheduling"):
            nodes = nodes.filter(unschedulable=SCHEDULING[scheduling][1])
        if taints := given.get("taints"):
            nodes = nodes.filter(taint_count__gt=0) if TAINTS[taints][1] else nodes.filter(taint_count=0)
        if health := given.get("health"):
            pressed = Q(pk__in=_under_pressure(nodes))
            nodes = nodes.filter(pressed if health == "pressure" else pressed | _CLOSED)
        return nodes

    def apply_to_past(self, nodes: Iterable[Node], states: Iterable[EngineNode]) -> list[Node]:
        """Return the same of nodes of the past, which no database holds; ``states`` are those of their snapshot."""
        given = self.given()
        pressed = {node.name for node in states if pressures(node)} if "health" in given else frozenset()

        def passes(node: Node) -> bool:
            is_pressed = node.name in pressed
            return (
                given.get("q", "").lower() in node.name
                and given.get("zone") in (None, node.zone or NO_ZONE)
                and ("ready" not in given or READINESS[given["ready"]][1] is node.ready)
                and ("scheduling" not in given or SCHEDULING[given["scheduling"]][1] is node.unschedulable)
                and ("taints" not in given or TAINTS[given["taints"]][1] is bool(node.taint_count))
                and (given.get("health") != "pressure" or is_pressed)
                and (given.get("health") != "closed" or is_pressed or node.unschedulable or node.ready is False)
            )

        return list(filter(passes, nodes))


def _under_pressure(nodes: QuerySet[Node]) -> list[int]:
    """Return the keys of nodes of which a condition is true that should not be, as the overview counts them."""
    rows = nodes.order_by().values_list("pk", "object")
    return [key for key, document in rows if pressures(EngineNode.from_dict(document))]


# No zone, pool, version or type is just a dash, so it can stand for "none".
NONE = "-"


class DrainableFilter(FilterForm):
    """Search, state."""

    q = search(words.SEARCH, drain_words.SEARCH_HINT)
    state = choice(words.STATE, ((state.value, label) for state, label in drain_words.OUTLOOKS.items()))

    def apply(self, nodes: Iterable[DrainableNode]) -> list[DrainableNode]:
        """Return the nodes that every given filter lets through."""
        given = self.given()
        if text := given.get("q", "").lower():
            nodes = [
                node
                for node in nodes
                if any(
                    text in each.lower() for each in (node.name, node.zone, node.pool, node.version, node.instance_type)
                )
            ]
        if state := given.get("state"):
            nodes = [node for node in nodes if node.outlook == state]
        return list(nodes)


_FLAGS = [("", drain_words.WITHOUT_FORCE), ("force", drain_words.WITH_FORCE), ("careful", drain_words.KEEPING_DATA)]
_AFTER = [("", drain_words.STAY_CORDONED), ("uncordon", drain_words.UNCORDONED)]
_AT_A_TIME = (1, 2, 3, 5, 10, 20, 50)
# The fields that choose nodes by what they have in common, and what that is called of a node.
_GROUPS = {"zone": "zone", "pool": "pool", "version": "version", "type": "instance_type"}


class DrainForm(FilterForm):
    """Which nodes, how many at a time, how kubectl is called, and what becomes of the nodes.

    `groups` are the fields that choose nodes by what they have in common.
    """

    groups = frozenset(_GROUPS)

    zone = choice(words.ZONE, ())
    pool = choice(drain_words.POOL, ())
    version = choice(drain_words.KUBELET, ())
    type = choice(columns.INSTANCE_TYPE, ())
    parallel = choice(drain_words.AT_A_TIME, ())
    flags = choice(drain_words.KUBECTL, ())
    after = choice(drain_words.DRAINED_NODES, ())

    def __init__(self, data: QueryDict | Mapping[str, Any], *, found: ClusterDrains, nodes: list[str]) -> None:
        super().__init__(data)
        self.auto_id = "drain-%s"
        self.nodes = tuple(sorted(set(nodes)))
        for name, of_node in _GROUPS.items():
            values = found.values[of_node]
            self._choices(name, [("", "–"), *((value or NONE, value or drain_words.NONE) for value in values)])
        self._choices(
            "parallel",
            [
                ("", drain_words.AS_BUDGETS_ALLOW),
                *((str(each), drain_words.AT_MOST(nodes=each)) for each in _AT_A_TIME),
            ],
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
                at_a_time=int(given.get("parallel", 0)),
                uncordon=given.get("after") == "uncordon",
            ),
        )


STATES: dict[str, tuple[_StrOrPromise, Callable[[PoolState], bool]]] = {
    "unusual": (devices_words.UNUSUAL, lambda state: not state.is_usual),
    "free": (devices_words.WITH_FREE, lambda state: state.counts[DeviceState.FREE] > 0),
    "none-free": (devices_words.WITHOUT_FREE, lambda state: not state.counts[DeviceState.FREE]),
    "tainted": (devices_words.WITH_TAINTS, lambda state: any(each.device.taints for each in state.devices)),
    "counters": (devices_words.WITH_COUNTERS, lambda state: bool(state.counters)),
}


class PoolFilter(FilterForm):
    """Name of a pool or of a device in it, driver, a node that reaches it, state."""

    q = search(words.SEARCH, devices_words.SEARCH_HINT)
    driver = choice(devices_words.DRIVER, ())
    node = exact(words.NODE, words.WHOLE_NAME)
    state = choice(words.STATE, ((value, label) for value, (label, _) in STATES.items()))

    def __init__(self, data: Mapping[str, Any], *, found: ClusterDevices) -> None:
        super().__init__(data)
        self._rows = found.snapshot.nodes.index
        drivers = sorted({state.pool.driver for state in found.pools.values()})
        self.offer("driver", [(name, name) for name in drivers])

    def passes(self, state: PoolState) -> bool:
        """Tell whether every given filter lets the pool through."""
        given = self.given()
        text = given.get("q", "")
        if text and text not in state.pool.name and not any(text in each.device.name for each in state.devices):
            return False
        if "node" in given and self._rows.get(given["node"]) not in state.rows:
            return False
        return given.get("driver", state.pool.driver) == state.pool.driver and (
            "state" not in given or STATES[given["state"]][1](state)
        )


class ResourceClaimFilter(FilterForm):
    """Name of a claim or of a pod that has reserved it, namespace, state."""

    q = search(words.SEARCH, devices_words.CLAIMS_SEARCH_HINT)
    namespace = scope()
    state = choice(words.STATE, ((phase.value, label) for phase, label in devices_words.CLAIM.items()))

    def __init__(self, data: Mapping[str, Any], *, found: ClusterDevices) -> None:
        super().__init__(data)
        self.offer_namespaces({claim.namespace for claim in found.claims.values()})

    def passes(self, claim: ResourceClaimState) -> bool:
        """Tell whether every given filter lets the claim through."""
        given = self.given()
        text = given.get("q", "")
        names = (claim.key,) if "/" in text else (claim.name, *claim.pods)
        return (
            (not text or any(text in name for name in names))
            and given.get("namespace", claim.namespace) == claim.namespace
            and given.get("state", claim.phase.value) == claim.phase.value
        )
