"""What each lens of a cluster's map is drawn from: what is known of its nodes, and what can be chosen of that."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final, NamedTuple

from django.utils import timezone

from clusters.engine import ConfigurationError
from clusters.engine.devices import DeviceState
from clusters.engine.nodes import Amounts
from clusters.engine.resources import is_extended
from clusters.services.disruption import drains_of
from clusters.services.journal.timeline import activity_of
from clusters.services.mirror.snapshots import snapshot_of
from clusters.services.mirror.state import devices_by_node, devices_of, spread_of, utilisation_of
from clusters.services.usage.history import usage_of
from clusters.wording import lenses as words
from clusters.wording.journal.decisions import UNKNOWN_BEFORE
from dashboard.moments import recorded
from dashboard.presenters import lenses
from dashboard.presenters.devices import device_counts
from dashboard.presenters.drains import page as drains
from dashboard.presenters.nodes.listing import columns_of, label_of, resources
from dashboard.presenters.spread import constraint_name

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from django.http import QueryDict

    from clusters.engine import Snapshot
    from clusters.models import Cluster
    from dashboard.pictures.verdict_map.spec import VerdictMap

    Place = tuple[str | None, str]

REQUESTED, PENDING, DRAIN, SPREAD, STRANDED = "requested", "pending", "drain", "spread", "stranded"
USAGE, DEVICES, CHANGED, HEALTH = "usage", "devices", "changed", "health"
LENSES: Final = (REQUESTED, PENDING, DRAIN, SPREAD, STRANDED, USAGE, DEVICES, CHANGED, HEALTH)
# What is known of the present alone, but for the extended resources among devices.
OF_NOW: Final = (USAGE, DEVICES)
_DAY: Final = timedelta(days=1)
# So many constraints can be chosen, those with the worst skew; the page of Spread has all.
_MOST_CONSTRAINTS: Final = 40
# Of all devices, as no class can be called.
ALL: Final = "*"


class Look(NamedTuple):
    """What is seen through a lens: a map, if there is one, and what is `chosen` by a parameter of addresses.

    `choices` are pairs of value and word.
    """

    found: VerdictMap | None
    parameter: str = ""
    chosen: str = ""
    choices: Sequence[tuple[str, str]] = ()


def _chosen(query: QueryDict, choices: Sequence[tuple[str, str]]) -> str:
    """Return the resource that an address asks for, or else the first."""
    asked = query.get("resource", "")
    return asked if asked in dict(choices) else choices[0][0]


def _requested(cluster: Cluster, query: QueryDict, place: Place) -> Look:
    choices = [(name, label_of(name)) for name in lenses.RESOURCES]
    chosen = _chosen(query, choices)
    return Look(lenses.requested_map(utilisation_of(cluster=cluster), chosen, *place), "resource", chosen, choices)


def _drain(cluster: Cluster, query: QueryDict, place: Place) -> Look:
    return Look(drains.outlook_map(drains_of(cluster=cluster), *place))


def _spread(cluster: Cluster, query: QueryDict, place: Place) -> Look:
    try:
        spread = spread_of(cluster=cluster)
    except ConfigurationError:
        # What is beside the map says why.
        return Look(None)
    groups = sorted(spread.groups, key=lambda identity: spread.groups[identity].unevenness, reverse=True)
    if not groups:
        return Look(None)
    asked = query.get("constraint", "")
    chosen = asked if asked in spread.groups else groups[0]
    shown = dict.fromkeys([*groups[:_MOST_CONSTRAINTS], chosen])
    found = lenses.spread_map(spread.snapshot, spread.groups[chosen], *place)
    return Look(found, "constraint", chosen, [(each, constraint_name(spread.groups[each])) for each in shown])


def _stranded(cluster: Cluster, query: QueryDict, place: Place) -> Look:
    return Look(lenses.stranded_map(utilisation_of(cluster=cluster), *place))


def _usage(cluster: Cluster, query: QueryDict, place: Place) -> Look:
    usage = usage_of(cluster=cluster)
    if usage is None or not usage.nodes:
        return Look(None)
    choices = [(name, label_of(name)) for name in lenses.MEASURED]
    chosen = _chosen(query, choices)
    return Look(lenses.usage_map(utilisation_of(cluster=cluster), usage, chosen, *place), "resource", chosen, choices)


def has_devices(snapshot: Snapshot) -> bool:
    """Whether any node has a device, by a ResourceSlice or as an extended resource."""
    return bool(snapshot.objects("ResourceSlice") or _extended(snapshot))


def _extended(snapshot: Snapshot) -> list[str]:
    """Return the extended resources that some node has."""
    return sorted(filter(is_extended, (name for name, _ in resources(snapshot))))


def _devices(cluster: Cluster, query: QueryDict, place: Place) -> Look:
    found = devices_of(cluster=cluster)
    classes = {each.name: each for each in found.classes}
    extended = _extended(found.snapshot)
    # Who had which device of a pool is not recorded.
    has_pools = bool(found.pools) and cluster.past is None
    choices = [(ALL, str(words.ALL_DEVICES))] if has_pools else []
    choices += [(name, name) for name in (*(classes if has_pools else ()), *extended)]
    if not choices:
        return Look(None)
    chosen = _chosen(query, choices)
    if chosen in extended:
        amount = Amounts(*columns_of(found.snapshot, chosen))
        every = int(amount.left.sum()), int(amount.allocatable.sum())
    else:
        amount = devices_by_node(found, classes.get(chosen))
        counts = device_counts(found.pools.values()) if chosen == ALL else classes[chosen].counts
        every = counts[DeviceState.FREE], counts.total()
    drawn = lenses.devices_map(found.snapshot, dict(choices)[chosen], amount, every, *place)
    return Look(drawn, "resource", chosen, choices)


def _changed(cluster: Cluster, query: QueryDict, place: Place) -> Look:
    known = recorded(cluster)
    if known is None:
        return Look(None)
    start = max(known.since, known.until - _DAY)
    late = UNKNOWN_BEFORE(since=f"{timezone.localtime(start):%Y-%m-%d %H:%M}") if start == known.since else ""
    found = activity_of(cluster=cluster, start=start, end=known.until)
    return Look(lenses.changed_map(snapshot_of(cluster), found, late, *place))


def _health(cluster: Cluster, query: QueryDict, place: Place) -> Look:
    return Look(lenses.health_map(utilisation_of(cluster=cluster), *place))


LOOKS: Final[Mapping[str, Callable[[Cluster, QueryDict, Place], Look]]] = {
    REQUESTED: _requested,
    DRAIN: _drain,
    SPREAD: _spread,
    STRANDED: _stranded,
    USAGE: _usage,
    DEVICES: _devices,
    CHANGED: _changed,
    HEALTH: _health,
}
