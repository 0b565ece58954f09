"""The lenses of a cluster's map: the same nodes in the same places, each time coloured by another answer."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

import numpy as np
from django.utils import timezone
from msgspec.structs import replace

from clusters.engine.columns import MISSING
from clusters.engine.nodes import COUNTED, SCARCE, Amounts
from clusters.engine.resources import CPU, MEMORY, PODS
from clusters.engine.spreading import HOSTNAME
from clusters.models import NodeChange
from clusters.wording import amounts, lenses as words
from clusters.wording.amounts import grouped, percent, quantity
from clusters.wording.evaluation import counted
from clusters.wording.lists import alternatives, and_more, first_of, listed
from clusters.wording.nodes import USED
from clusters.wording.overview import (
    CORDONED_NODE,
    NOT_READY,
    OPEN,
    PRESSURE,
    RESERVED_NODE,
    UNIT_NOT_KNOWN,
    UNKNOWN,
)
from clusters.wording.resources import resource_amount, resource_name
from clusters.wording.spread import COLUMN, NOTE_NOT_COUNTED
from dashboard.pictures.verdict_map.drawing import MOST_TILES
from dashboard.pictures.verdict_map.spec import MapKey, VerdictMap
from dashboard.presenters.decisions.maps import levels, verdict_map
from dashboard.presenters.decisions.page import strip
from dashboard.presenters.drains.page import MOST_LINES
from dashboard.presenters.journal.timeline import node_change
from dashboard.presenters.nodes.listing import columns_of, label_of
from dashboard.presenters.pending import name as cause_name
from dashboard.presenters.shared.maps import map_pools, node_loads
from dashboard.presenters.spread import next_pod_in, skew_sentence

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from datetime import datetime

    from django.utils.functional import _StrOrPromise
    from numpy.typing import NDArray

    from clusters.engine import Explanation, Snapshot
    from clusters.engine.spreading import SpreadGroup
    from clusters.engine.status import Index, Ints, Mask
    from clusters.services.journal.timeline import NodeActivity
    from clusters.services.mirror.state import ClusterUtilisation
    from clusters.services.pending.pods import CauseGroup
    from clusters.services.usage.history import ClusterUsage

Kind = NodeChange.Kind

RESOURCES: Final = (CPU, MEMORY, PODS)
# What samples of usage have, in their order.
MEASURED: Final = (CPU, MEMORY)
_HIGH: Final = 0.9
# Usage is read once an hour: by this much older a node's sample is of an earlier reading than the newest of all.
_OLD: Final = timedelta(minutes=30)
# Shares as whole numbers, for shades.
_PARTS: Final = 1_000


def requested_map(
    found: ClusterUtilisation, resource: str, zone: str | None = None, pool: str = "", listed: Mask | None = None
) -> VerdictMap:
    """Colour nodes, or those that are `listed`, by how much of a resource is requested of them and relative to that.

    Raises LookupError for a zone or a pool that there is not.
    """
    pools, order = map_pools(found.snapshot.nodes, zone, pool)
    amount = Amounts(*columns_of(found.snapshot, resource))
    counted = np.full(len(found.snapshot.nodes), True) if listed is None else listed
    shares = amount.shares[order]
    key_of = np.select((~counted[order], shares > 1, shares > _HIGH, shares > 0), (4, 0, 1, 2), 3)
    parts = _parts(shares)
    shades, scale = _shaded(parts, key_of == 2, _share)
    nodes = np.bincount(key_of, minlength=5).tolist()
    shown = order[counted[order]]
    requested, allocatable = int(amount.requested[shown].sum()), int(amount.allocatable[shown].sum())
    loads = node_loads(found.snapshot, order, resource) if resource != PODS else ()
    return VerdictMap(
        sentence=words.REQUESTED(
            resource=label_of(resource),
            requested=quantity(resource, requested),
            allocatable=quantity(resource, allocatable),
            share=percent(requested, allocatable),
        ),
        keys=(
            MapKey(str(words.OVERCOMMITTED), "", "verdict-rejected-solid", "up", nodes[0]),
            MapKey(str(words.NEARLY_FULL), "", "verdict-preemptible-solid", "bar", nodes[1]),
            MapKey(str(words.PARTLY_FULL), "", "verdict-chosen-solid", "", nodes[2], is_shaded=True, together=scale),
            MapKey(str(words.NOTHING_REQUESTED), "", "verdict-unknown-solid", "", nodes[3], is_faint=True),
            MapKey(str(words.NOT_LISTED), "", "verdict-unknown-solid", "dots", nodes[4], is_faint=True),
        ),
        pools=pools,
        names=_names(found.snapshot, order),
        key_of=tuple(key_of.tolist()),
        shade_of=shades,
        loads=loads,
        loads_caption=words.LOADS(resource=label_of(resource)) if loads else "",
        lines=tuple(_lines(amount, order, resource)) if len(order) <= MOST_LINES else (),
        figures=() if loads or len(order) > MOST_TILES else tuple(map(_share, parts.tolist())),
    )


def _parts(shares: NDArray[np.float64]) -> Ints:
    """Return shares as whole numbers; one of nothing, which is infinite, as none."""
    parts: Ints = np.rint(np.where(np.isfinite(shares), shares, 0) * _PARTS).astype(np.int64)
    return parts


def _share(part: int) -> str:
    return amounts.percent(part, _PARTS)


def _shaded(
    values: Ints, shaded: Mask, write: Callable[[int], str], *, is_wide: bool = False
) -> tuple[tuple[int, ...], str]:
    """Return a shade for each of some nodes by its value, 0 for the others, and from where to where the values go.

    Where a few may be many times the others, shades go by their logarithms: values of at least 1.
    """
    shades = np.zeros(len(values), np.int64)
    some = values[shaded]
    if not len(some):
        return tuple(shades.tolist()), ""
    shades[shaded] = levels((np.log2(some) * _PARTS).astype(np.int64) if is_wide else some)
    least, most = int(some.min()), int(some.max())
    return tuple(shades.tolist()), f"{write(least)}–{write(most)}" if least < most else ""


def _lines(amount: Amounts, order: Index, resource: str) -> Iterator[str]:
    columns = (amount.requested[order].tolist(), amount.allocatable[order].tolist())
    for requested, allocatable in zip(*columns, strict=True):
        yield words.OF_NODE(
            requested=quantity(resource, requested),
            allocatable=quantity(resource, allocatable),
            share=percent(requested, allocatable),
        )


def _names(snapshot: Snapshot, order: Index) -> tuple[str, ...]:
    names = snapshot.nodes.names
    return tuple([names[row] for row in order.tolist()])


# The looks of each state of a node, in the order of NodeState.
_STATES: Final = (
    (NOT_READY, "verdict-rejected-solid", "cross"),
    (UNKNOWN, "verdict-unknown-solid", "question"),
    (PRESSURE, "verdict-preemptible-solid", "post"),
    (CORDONED_NODE, "verdict-uncertain-solid", "bar"),
    (RESERVED_NODE, "verdict-chosen-solid", "ring"),
    (OPEN, "verdict-fits-solid", ""),
)


def health_map(found: ClusterUtilisation, zone: str | None = None, pool: str = "") -> VerdictMap:
    """Colour nodes by what most concerns about them. Raises LookupError for a zone or a pool that there is not."""
    pools, order = map_pools(found.snapshot.nodes, zone, pool)
    states = found.health.states[order]
    nodes = np.bincount(states, minlength=len(_STATES)).tolist()
    return VerdictMap(
        sentence=words.USABLE(nodes=int(found.health.usable[order].sum()), every=len(order)),
        keys=tuple(
            MapKey(str(word), "", colour, mark, number)
            for (word, colour, mark), number in zip(_STATES, nodes, strict=True)
        ),
        pools=pools,
        names=_names(found.snapshot, order),
        key_of=tuple(states.tolist()),
        shade_of=(0,) * len(order),
    )


# The looks of nodes on which one resource is idle, the other, or both.
_STRANDED: Final = (
    ("verdict-preemptible-solid", "corner"),
    ("verdict-chosen-solid", "square"),
    ("verdict-uncertain-solid", "cross"),
)


def stranded_map(found: ClusterUtilisation, zone: str | None = None, pool: str = "") -> VerdictMap:
    """Colour nodes on which a resource is idle while another is nearly gone, so that hardly any pod can use it.

    Raises LookupError for a zone or a pool that there is not.
    """
    pools, order = map_pools(found.snapshot.nodes, zone, pool)
    scarce = {name: found.amounts[name].shares > SCARCE for name in COUNTED}
    # One bit for each resource; nodes that accept no pods, and those with none, come last.
    idle = np.zeros(len(found.snapshot.nodes), np.int64)
    for number, each in enumerate(found.stranded):
        idle[each.rows] |= 1 << number
    together = [
        [each.resource for number, each in enumerate(found.stranded) if bits >> number & 1]
        for bits in range(1, 1 << len(found.stranded))
    ]
    of_row = np.where(idle, idle - 1, np.where(found.health.usable, len(together) + 1, len(together)))
    key_of = of_row[order]
    nodes = np.bincount(key_of, minlength=len(together) + 2).tolist()
    left = [
        resource_amount(each.resource, int(amount))
        for each in found.stranded
        if (amount := found.amounts[each.resource].left[np.intersect1d(order, each.rows)].sum())
    ]
    return VerdictMap(
        sentence=words.STRANDED(
            left=listed(left) or alternatives(map(resource_name, MEASURED)),
            nodes=sum(nodes[:-2]),
            every=len(order),
        ),
        keys=(
            *(
                MapKey(_idle(map(resource_name, resources), scarce, of_row == key), "", *look, number)
                for key, (resources, look, number) in enumerate(zip(together, _STRANDED, nodes, strict=False))
            ),
            MapKey(str(words.CLOSED), "", "verdict-unknown-solid", "bar", nodes[-2]),
            MapKey(str(words.NOT_STRANDED), "", "verdict-unknown-solid", "", nodes[-1], is_faint=True),
        ),
        pools=pools,
        names=_names(found.snapshot, order),
        key_of=tuple(key_of.tolist()),
        shade_of=(0,) * len(order),
        lines=tuple(stranded_on(found, order)) if len(order) <= MOST_LINES else (),
    )


def stranded_on(found: ClusterUtilisation, rows: Index) -> Iterator[str]:
    """Say of nodes how much is idle on each for lack of what; nothing of those on which nothing is."""
    scarce = {name: found.amounts[name].shares > SCARCE for name in COUNTED}
    is_idle = [(each.resource, np.isin(rows, each.rows).tolist()) for each in found.stranded]
    for number, row in enumerate(rows.tolist()):
        left = [resource_amount(name, int(found.amounts[name].left[row])) for name, of_row in is_idle if of_row[number]]
        yield _idle(left, scarce, row) if left else ""


def _idle(left: Iterable[str], scarce: Mapping[str, Mask], rows: Mask | int) -> str:
    used_up = [resource_name(name) for name, mask in scarce.items() if mask[rows].any()]
    return words.IDLE(left=listed(left), used_up=alternatives(used_up))


# The looks of nodes by what their domain holds, and of those that are in none that counts.
_SPREAD: Final = (
    (words.OVER_MAX_SKEW, "verdict-rejected-solid", "up"),
    (words.WITHIN_MAX_SKEW, "verdict-chosen-solid", ""),
    (words.FEWEST_PODS, "verdict-fits-solid", "down"),
    (NOTE_NOT_COUNTED, "verdict-unknown-solid", ""),
)
_WITHIN, _NOT_COUNTED = 1, 3


def spread_map(snapshot: Snapshot, group: SpreadGroup, zone: str | None = None, pool: str = "") -> VerdictMap:
    """Colour nodes by how many pods of a group their domain holds.

    Raises LookupError for a zone or a pool that there is not.
    """
    pools, order = map_pools(snapshot.nodes, zone, pool)
    column, counts, exists = group.eligibility.column, group.counts, group.eligibility.exists
    fewest = counts == counts[exists].min(initial=group.held.max(initial=0))
    of_domain = np.select(
        (~exists, group.skew > group.constraint.max_skew, counts == group.held.max(initial=0), fewest),
        (_NOT_COUNTED, 0, _WITHIN, 2),
        _WITHIN,
    )
    key_of = np.where(group.eligibility.mask, column.spread(of_domain), _NOT_COUNTED)[order]
    shades, _ = _shaded(column.spread(counts)[order], key_of == _WITHIN, grouped)
    domains = {
        number: first_of([group.values[each] for each in np.flatnonzero(of_domain == number).tolist()])
        for number in range(0 if group.constraint.topology_key == HOSTNAME else _NOT_COUNTED)
    }
    return VerdictMap(
        sentence=skew_sentence(group),
        keys=_keys(_SPREAD, key_of, domains, shaded=_WITHIN),
        pools=pools,
        names=_names(snapshot, order),
        key_of=tuple(key_of.tolist()),
        shade_of=shades,
        lines=_of_domains(group, column.codes[order].tolist()) if len(order) <= MOST_LINES else (),
    )


def _of_domains(group: SpreadGroup, numbers: Sequence[int]) -> tuple[str, ...]:
    """Say of nodes what the domain holds that each is in, by its number; nothing of those without one."""
    counts, exists, within = group.counts.tolist(), group.eligibility.exists.tolist(), group.within.tolist()
    said = {
        each: COLUMN(
            domain=group.values[each], pods=counts[each], next_pod=next_pod_in(group, exists[each], within[each])
        )
        for each in set(numbers)
        if each != MISSING
    }
    return tuple(said.get(each, "") for each in numbers)


# The looks of nodes by what became of them, the gravest first.
_CHANGED: Final = (
    (NOT_READY, "verdict-rejected-solid", "cross"),
    (PRESSURE, "verdict-preemptible-solid", "post"),
    (CORDONED_NODE, "verdict-uncertain-solid", "bar"),
    (words.ADDED, "verdict-fits-solid", "plus"),
    (words.SCHEDULABLE_AGAIN, "verdict-fits-solid", "ring"),
    (words.PODS_MOVED, "verdict-chosen-solid", ""),
    (words.UNCHANGED, "verdict-unknown-solid", ""),
)
_PODS_MOVED, _UNCHANGED = 5, 6
_BECAME: Final = {
    Kind.NOT_READY: 0,
    Kind.PRESSURE: 1,
    Kind.CORDONED: 2,
    Kind.ADDED: 3,
    Kind.READY: 4,
    Kind.RELIEVED: 4,
    Kind.UNCORDONED: 4,
}
# What takes back another change.
_TAKES_BACK: Final = {Kind.READY: Kind.NOT_READY, Kind.RELIEVED: Kind.PRESSURE, Kind.UNCORDONED: Kind.CORDONED}
_MOST_REMOVED: Final = 3


def changed_map(
    snapshot: Snapshot, found: NodeActivity, late: str = "", zone: str | None = None, pool: str = ""
) -> VerdictMap:
    """Colour nodes by what became of them, and by how many pods came and went; `late` says since when that is known.

    Raises LookupError for a zone or a pool that there is not.
    """
    pools, order = map_pools(snapshot.nodes, zone, pool)
    index = snapshot.nodes.index
    arrived, left = (_by_row(index, numbers) for numbers in (found.arrived, found.left))
    moved = arrived + left
    of_row = np.where(moved > 0, _PODS_MOVED, _UNCHANGED)
    for name, changes in found.changes.items():
        if name in index:
            of_row[index[name]] = _became(changes)
    key_of, moved = of_row[order], moved[order]
    shades, scale = _shaded(moved, key_of == _PODS_MOVED, grouped, is_wide=True)
    gone = [node_change(each[-1]) for name, each in found.changes.items() if name not in index]
    came, went = sum(found.arrived.values()), sum(found.left.values())
    if zone is not None:
        # Where nodes were that are gone is not known.
        came, went = int(arrived[order].sum()), int(left[order].sum())
    return VerdictMap(
        sentence=words.CHANGED(arrived=came, left=went),
        keys=_keys(_CHANGED, key_of, {_PODS_MOVED: scale}, shaded=_PODS_MOVED),
        pools=pools,
        names=_names(snapshot, order),
        key_of=tuple(key_of.tolist()),
        shade_of=shades,
        lines=tuple(_activity(snapshot, order, found, arrived, left)) if len(order) <= MOST_LINES else (),
        figures=tuple(grouped(each) if each else "" for each in moved.tolist()) if len(order) <= MOST_TILES else (),
        notes=(*gone[:_MOST_REMOVED], *filter(None, (and_more(len(gone) - _MOST_REMOVED), late))),
    )


def _keys(
    looks: Sequence[tuple[_StrOrPromise, str, str]], key_of: Ints, together: Mapping[int, str], *, shaded: int
) -> tuple[MapKey, ...]:
    """Return the keys of nodes by their looks, of which the last is of those that there is nothing to tell of."""
    nodes = np.bincount(key_of, minlength=len(looks)).tolist()
    return tuple(
        MapKey(
            str(word),
            "",
            colour,
            mark,
            nodes[number],
            is_shaded=number == shaded,
            together=together.get(number, ""),
            is_faint=number == len(looks) - 1,
        )
        for number, (word, colour, mark) in enumerate(looks)
    )


def _by_row(index: Mapping[str, int], numbers: Mapping[str, int], absent: int = 0) -> Ints:
    """Return the numbers of nodes by their rows, and another one for those that have none."""
    column = np.full(len(index), absent, np.int64)
    known = [(index[name], number) for name, number in numbers.items() if name in index]
    if known:
        rows, values = zip(*known, strict=True)
        column[list(rows)] = values
    return column


def _became(changes: Iterable[NodeChange]) -> int:
    """Return the key of a node: of all that is not taken back the gravest, or that something was."""
    last: dict[tuple[str, str], Kind] = {}
    for change in changes:
        kind = Kind(change.kind)
        if kind is Kind.REMOVED:
            # Another node has had the name since.
            last.clear()
        else:
            last[_TAKES_BACK.get(kind, kind), change.condition] = kind
    return min((_BECAME[kind] for kind in last.values()), default=_UNCHANGED)


def _activity(snapshot: Snapshot, order: Index, found: NodeActivity, arrived: Ints, left: Ints) -> Iterator[str]:
    """Say what became of each node, and how many pods came and went."""
    for row in order.tolist():
        said = list(map(node_change, found.changes.get(snapshot.nodes.names[row], ())))
        if arrived[row] or left[row]:
            said.append(words.ARRIVED_AND_LEFT(arrived=int(arrived[row]), left=int(left[row])))
        yield ", ".join(said)


def usage_map(
    found: ClusterUtilisation, usage: ClusterUsage, resource: str, zone: str | None = None, pool: str = ""
) -> VerdictMap:
    """Colour nodes by how much of a resource they use by the newest reading; those that it lacks are not known.

    Raises LookupError for a zone or a pool that there is not.
    """
    pools, order = map_pools(found.snapshot.nodes, zone, pool)
    amount, field = found.amounts[resource], MEASURED.index(resource)
    newest = max(history.at for history in usage.nodes.values())
    latest = {name: each.latest[field] for name, each in usage.nodes.items() if newest - each.at < _OLD}
    earlier = {name: _sampled(each.at) for name, each in usage.nodes.items() if name not in latest}
    used = _by_row(found.snapshot.nodes.index, latest, absent=-1)
    columns = [each[order] for each in (used, amount.allocatable, amount.requested)]
    is_known = columns[0] >= 0
    shares = Amounts(used, amount.allocatable).shares[order]
    key_of = np.select((~is_known, shares > _HIGH), (2, 0), 1)
    parts = _parts(shares)
    shades, scale = _shaded(parts, key_of == 1, _share)
    nodes = np.bincount(key_of, minlength=3).tolist()
    names = _names(found.snapshot, order)
    return VerdictMap(
        sentence=_used(resource, *(int(each[is_known].sum()) for each in columns)),
        keys=(
            MapKey(str(words.NEARLY_FULL), "", "verdict-preemptible-solid", "bar", nodes[0]),
            MapKey(str(words.PARTLY_FULL), "", "verdict-chosen-solid", "", nodes[1], is_shaded=True, together=scale),
            MapKey(str(UNIT_NOT_KNOWN), "", "verdict-unknown-solid", "", nodes[2], is_faint=True),
        ),
        pools=pools,
        names=names,
        key_of=tuple(key_of.tolist()),
        shade_of=shades,
        lines=tuple(
            _used(resource, *numbers) if numbers[0] >= 0 else earlier.get(name, "")
            for name, *numbers in zip(names, *(each.tolist() for each in columns), strict=True)
        )
        if len(order) <= MOST_LINES
        else (),
        figures=tuple(
            _share(part) if known else "" for part, known in zip(parts.tolist(), is_known.tolist(), strict=True)
        )
        if len(order) <= MOST_TILES
        else (),
        notes=(_sampled(newest),),
    )


def _sampled(at: datetime) -> str:
    return words.SAMPLED(at=f"{timezone.localtime(at):%Y-%m-%d %H:%M}")


def _used(resource: str, used: int, allocatable: int, requested: int) -> str:
    return USED(
        resource=label_of(resource),
        used=quantity(resource, used),
        share=percent(used, allocatable),
        requested=quantity(resource, requested),
        allocatable=quantity(resource, allocatable),
    )


# The looks of nodes by their devices.
_DEVICES: Final = (
    (words.NONE_FREE, "verdict-preemptible-solid", "bar"),
    (words.SOME_FREE, "verdict-chosen-solid", ""),
    (words.ALL_FREE, "verdict-fits-solid", "ring"),
    (words.NO_DEVICE, "verdict-unknown-solid", ""),
)
_SOME_FREE, _NO_DEVICE = 1, 3


def devices_map(
    snapshot: Snapshot, resource: str, amount: Amounts, every: tuple[int, int], zone: str | None = None, pool: str = ""
) -> VerdictMap:
    """Colour nodes by how many of their devices are free; `every` counts the free ones, and all, on no node as well.

    Raises LookupError for a zone or a pool that there is not.
    """
    pools, order = map_pools(snapshot.nodes, zone, pool)
    has, free = amount.allocatable[order], amount.left[order]
    unused, total = every if zone is None else (int(free.sum()), int(has.sum()))
    key_of = np.select((has <= 0, free == 0, free < has), (_NO_DEVICE, 0, _SOME_FREE), 2)
    shades, scale = _shaded(free, key_of == _SOME_FREE, grouped)
    columns = list(zip(free.tolist(), has.tolist(), strict=True))
    return VerdictMap(
        sentence=words.FREE(resource=resource, free=unused, total=total),
        keys=_keys(_DEVICES, key_of, {_SOME_FREE: scale}, shaded=_SOME_FREE),
        pools=pools,
        names=_names(snapshot, order),
        key_of=tuple(key_of.tolist()),
        shade_of=shades,
        lines=tuple(words.FREE_OF(free=left, allocatable=every) if every else "" for left, every in columns)
        if len(order) <= MOST_LINES
        else (),
        figures=tuple(grouped(left) if every else "" for left, every in columns) if len(order) <= MOST_TILES else (),
    )


def pending_map(explanation: Explanation, group: CauseGroup, zone: str | None = None, pool: str = "") -> VerdictMap:
    """Colour nodes by what keeps a pod of a group from each.

    Raises LookupError for a zone or a pool that there is not.
    """
    found = verdict_map(explanation, strip(explanation), zone=zone, pool=pool)
    pod, cause = explanation.pod.key, cause_name(group)
    sentence = words.PENDING_POD(pod=pod, cause=cause)
    if len(group.pods) > 1:
        pods = counted(len(group.pods), is_whole=group.is_whole)
        sentence = words.ONE_PENDING_POD(pod=pod, pods=pods, cause=cause)
    # How the verdict came about is played on the pod's own page.
    return replace(found, sentence=sentence, start="", steps=(), scale=())
