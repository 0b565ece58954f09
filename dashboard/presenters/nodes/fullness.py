"""The scale of a node's memory and file systems: from which fullness on its kubelet does what."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from clusters.engine.kubelet import FilesystemLayout, Signal, reported
from clusters.engine.resources import EPHEMERAL_STORAGE, MEMORY
from clusters.wording import amounts
from clusters.wording.nodes import disks as disk_words
from clusters.wording.nodes import thresholds as words
from dashboard.pictures.figure import Figure
from dashboard.pictures.specs import Key, ScaleMark, ScaleRow, ScaleSpec, ScaleZone

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from clusters.engine.kubelet import EvictionThreshold, ImageCollection, Observed
    from clusters.engine.objects import Document

_NOTHING, _COLLECTS, _WAITS, _EVICTS = range(4)
# Where the capacity is not reported, a percentage still has its place.
_ANY = 1_000_000


class _Beginning(NamedTuple):
    """From this fullness on, in the units of the row, the kubelet does what the key says; a mark alone has none."""

    at: int
    key: int
    text: str


def fullness_figure(
    node: Document,
    thresholds: Sequence[EvictionThreshold],
    images: ImageCollection,
    layout: FilesystemLayout,
    summary: str,
    observed: Mapping[Signal, Observed],
) -> Figure | None:
    """Draw what holds from which fullness on; None where nothing of the node has a capacity or a percentage.

    ``observed``: what the kubelet reported, as far as that is known.
    """
    disk = reported(node, "capacity", EPHEMERAL_STORAGE)
    nodefs, imagefs = observed.get(Signal.NODE_FS), observed.get(Signal.IMAGE_FS)
    rows = [_memory(node, thresholds, observed.get(Signal.MEMORY))]
    if layout is FilesystemLayout.ONE:
        both = (Signal.NODE_FS, Signal.IMAGE_FS)
        rows.append(_disk(str(words.ONE_FILESYSTEM), disk, thresholds, both, images, nodefs))
    else:
        alone = layout is FilesystemLayout.IMAGES_SPLIT
        nodes = words.NODE_FILESYSTEM_WITH_LAYERS if alone else words.NODE_FILESYSTEM
        of_images = words.IMAGE_FILESYSTEM if alone else words.IMAGE_FILESYSTEM_WITH_LAYERS
        rows.append(_disk(str(nodes), disk, thresholds, (Signal.NODE_FS,), None, nodefs))
        rows.append(_disk(str(of_images), None, thresholds, (Signal.IMAGE_FS,), images, imagefs))
    drawn = tuple(row for row in rows if row is not None)
    if not drawn:
        return None
    keys = (
        Key(str(words.NOTHING), "verdict-fits-solid"),
        Key(str(words.COLLECTS), "verdict-chosen-solid", "."),
        Key(str(words.WAITS), "verdict-preemptible-solid", "/"),
        Key(str(words.EVICTS), "verdict-rejected-solid", "x"),
    )
    return Figure(id="fullness-scale", title=str(words.PICTURE), summary=summary, spec=ScaleSpec(keys=keys, rows=drawn))


def _memory(node: Document, thresholds: Sequence[EvictionThreshold], observed: Observed | None) -> ScaleRow | None:
    capacity = reported(node, "capacity", MEMORY) if observed is None else observed.capacity
    if not capacity:
        return None
    found = [*_beginnings(thresholds, (Signal.MEMORY,), capacity, is_exact=True), *_reported(observed)]
    allocatable = reported(node, "allocatable", MEMORY)
    if allocatable:
        found.append(_Beginning(allocatable, _NOTHING, words.ALLOCATABLE_MARK(amount=amounts.size(allocatable))))
    return _scale(str(words.MEMORY_OF_NODE), capacity, amounts.size(capacity), found)


def _disk(
    label: str,
    capacity: int | None,
    thresholds: Sequence[EvictionThreshold],
    signals: Sequence[Signal],
    images: ImageCollection | None,
    observed: Observed | None,
) -> ScaleRow | None:
    """Draw a file system; `images` where it holds them."""
    capacity = capacity if observed is None else observed.capacity
    whole = capacity or _ANY
    found = [*_beginnings(thresholds, signals, whole, is_exact=bool(capacity)), *_reported(observed)]
    if images is not None and not images.is_off:
        start = whole - images.starts_below(whole)
        ends = words.COLLECTION_ENDS(percent=amounts.percent(images.low, 100))
        found += [
            _Beginning(start, _COLLECTS, words.COLLECTION_BEGINS(percent=amounts.percent(start, whole))),
            _Beginning(whole - images.frees_to(whole), _NOTHING, ends),
        ]
    whole_text = amounts.size(capacity) if capacity else str(words.CAPACITY_UNKNOWN)
    return _scale(label, whole, whole_text, found) if capacity or found else None


def _reported(observed: Observed | None) -> Iterable[_Beginning]:
    """The fullness that a kubelet reported: nothing begins there."""
    if observed is not None and observed.capacity:
        used = observed.capacity - observed.available
        yield _Beginning(used, _NOTHING, disk_words.USED_MARK(percent=amounts.percent(used, observed.capacity)))


def _beginnings(
    thresholds: Iterable[EvictionThreshold], signals: Sequence[Signal], capacity: int, *, is_exact: bool
) -> Iterable[_Beginning]:
    """What begins at thresholds; of a capacity that is not known, only percentages have a place."""
    for each in thresholds:
        if each.signal not in signals or not (is_exact or each.amount.percent):
            continue
        at = max(0, capacity - each.amount.of(capacity))
        amount = words.PERCENT(number=each.amount.percent) if each.amount.percent else amounts.size(each.amount.units)
        yield _Beginning(at, _EVICTS if each.is_hard else _WAITS, words.threshold_mark(each.signal, amount))


def _scale(label: str, whole: int, whole_text: str, found: Iterable[_Beginning]) -> ScaleRow:
    """Draw from each beginning on the gravest of what has begun."""
    begun = sorted(found)
    zones = []
    start, key = 0, _NOTHING
    for each in begun:
        if each.key > key:
            if each.at > start:
                zones.append(ScaleZone(key, start, each.at))
            start, key = each.at, each.key
    zones.append(ScaleZone(key, start, whole))
    marks = tuple(ScaleMark(each.at, each.text) for each in begun)
    return ScaleRow(label=label, zones=tuple(zones), marks=marks, whole=whole, whole_text=whole_text)
