"""The filters of the pages of devices; they choose among what the engine found, not among rows of the database."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clusters.engine.devices import DeviceState, PoolState, ResourceClaimState
from clusters.wording import devices as words, filters as labels
from dashboard.filters.base import FilterForm, choice, exact, search

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from django.utils.functional import _StrOrPromise

    from clusters.services.mirror.state import ClusterDevices

STATES: dict[str, tuple[_StrOrPromise, Callable[[PoolState], bool]]] = {
    "unusual": (words.UNUSUAL, lambda state: not state.is_usual),
    "free": (words.WITH_FREE, lambda state: state.counts[DeviceState.FREE] > 0),
    "none-free": (words.WITHOUT_FREE, lambda state: not state.counts[DeviceState.FREE]),
    "tainted": (words.WITH_TAINTS, lambda state: any(each.device.taints for each in state.devices)),
    "counters": (words.WITH_COUNTERS, lambda state: bool(state.counters)),
}


class PoolFilter(FilterForm):
    """Name of a pool or of a device in it, driver, a node that reaches it, state."""

    q = search(labels.SEARCH, words.SEARCH_HINT)
    driver = choice(words.DRIVER, ())
    node = exact(labels.NODE, labels.WHOLE_NAME)
    state = choice(labels.STATE, ((value, label) for value, (label, _) in STATES.items()))

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

    q = search(labels.SEARCH, words.CLAIMS_SEARCH_HINT)
    namespace = choice(labels.NAMESPACE, ())
    state = choice(labels.STATE, ((phase.value, label) for phase, label in words.CLAIM.items()))

    def __init__(self, data: Mapping[str, Any], *, found: ClusterDevices) -> None:
        super().__init__(data)
        names = sorted({claim.namespace for claim in found.claims.values()})
        self.offer("namespace", [(name, name) for name in names])

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
