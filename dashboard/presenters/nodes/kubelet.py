"""What a node's kubelet does by itself: images and pods it removes, what the kernel kills, and a shutdown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec import Struct

from clusters.engine.kubelet import (
    DiskPart,
    DiskRank,
    EvictionThreshold,
    FilesystemLayout,
    ImageCollection,
    KnownMemory,
    KubeletSettings,
    Observed,
    OomScore,
    PressureRank,
    RankGround,
    Reservation,
    SettingsOrigin,
    ShutdownGroup,
    Signal,
    SignalAmount,
    StarvedResource,
    counted_parts,
    disk_pressure_order,
    oom_order,
    pressure_order,
    reclaim_steps,
    reported,
    reservations,
    shutdown_groups,
    soft_grace,
    storage_excesses,
    thresholds_on,
)
from clusters.engine.objects import Document, key_of
from clusters.engine.resources import EPHEMERAL_STORAGE, MEMORY
from clusters.wording import amounts, nodes as words
from clusters.wording.amounts import grouped, moment
from clusters.wording.lists import listed
from dashboard.pictures.figure import Figure
from dashboard.pictures.specs import Key, ScaleMark, ScaleRow, ScaleSpec, ScaleZone, Stretch, TimelineRow, TimelineSpec

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from fractions import Fraction

    from django.utils.functional import _StrPromise

    from clusters.engine.kubelet import NodeDisks, StorageExcess
    from clusters.services.usage.history import DiskSample, MemorySample


def excess_rows(
    pods: Iterable[Document], disks: NodeDisks, layout: FilesystemLayout
) -> list[tuple[StorageExcess, str]]:
    """Return the limits for ephemeral storage that pods exceed, each with the name of what exceeds it."""
    return [(each, words.holder(each)) for each in storage_excesses(pods, disks, layout)]


class OomRow(NamedTuple):
    """One container of a pod with its score, and what it says of them."""

    found: OomScore
    role: str
    score: str
    ground: str


def oom_rows(pods: Iterable[Document], capacity: int | None) -> list[OomRow]:
    """Present the containers of a node's pods, the one with the highest score first."""
    return [
        OomRow(
            each,
            role=str(words.ROLES[each.role]),
            score=str(words.NO_SCORE) if each.score is None else words.score(each.score),
            ground=str(words.SCORE_GROUNDS[each.ground]),
        )
        for each in oom_order(pods, capacity)
    ]


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
        rows.append(_disk(("nodefs", "imagefs", "containerfs"), disk, thresholds, _DISKS, images, nodefs))
    else:
        alone = layout is FilesystemLayout.IMAGES_SPLIT
        nodes = ("nodefs", "containerfs") if alone else ("nodefs",)
        of_images = ("imagefs",) if alone else ("imagefs", "containerfs")
        rows.append(_disk(nodes, disk, thresholds, (Signal.NODE_FS,), None, nodefs))
        rows.append(_disk(of_images, None, thresholds, (Signal.IMAGE_FS,), images, imagefs))
    drawn = tuple(row for row in rows if row is not None)
    if not drawn:
        return None
    keys = (
        Key(str(words.NOTHING), "verdict-fits-solid"),
        Key(str(words.COLLECTS), "verdict-chosen-solid", "."),
        Key(str(words.WAITS), "verdict-preemptible-solid", "/"),
        Key(str(words.EVICTS), "verdict-rejected-solid", "x"),
    )
    return Figure(
        id="fullness-scale", title=str(words.FULLNESS), summary=summary, spec=ScaleSpec(keys=keys, rows=drawn)
    )


def _memory(node: Document, thresholds: Sequence[EvictionThreshold], observed: Observed | None) -> ScaleRow | None:
    capacity = reported(node, "capacity", MEMORY) if observed is None else observed.capacity
    if not capacity:
        return None
    found = [*_beginnings(thresholds, (Signal.MEMORY,), capacity, is_exact=True), *_reported(observed)]
    allocatable = reported(node, "allocatable", MEMORY)
    if allocatable:
        found.append(_Beginning(allocatable, _NOTHING, words.ALLOCATABLE_MARK(amount=amounts.size(allocatable))))
    return _scale(str(words.RESOURCES[MEMORY]), capacity, amounts.size(capacity), found)


def _disk(
    names: Sequence[str],
    capacity: int | None,
    thresholds: Sequence[EvictionThreshold],
    signals: Sequence[Signal],
    images: ImageCollection | None,
    observed: Observed | None,
) -> ScaleRow | None:
    """Draw a file system, with the ``names`` that it has to Kubernetes; ``images`` where it holds them."""
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
    return _scale(words.FILESYSTEM(names=listed(names)), whole, whole_text, found) if capacity or found else None


def _reported(observed: Observed | None) -> Iterable[_Beginning]:
    """The fullness that a kubelet reported: nothing begins there."""
    if observed is not None and observed.capacity:
        used = observed.capacity - observed.available
        yield _Beginning(used, _NOTHING, words.USED_MARK(percent=amounts.percent(used, observed.capacity)))


def _beginnings(
    thresholds: Iterable[EvictionThreshold], signals: Sequence[Signal], capacity: int, *, is_exact: bool
) -> Iterable[_Beginning]:
    """What begins at thresholds; of a capacity that is not known, only percentages have a place."""
    for each in thresholds:
        if each.signal not in signals or not (is_exact or each.amount.percent):
            continue
        at = max(0, capacity - each.amount.of(capacity))
        amount = f"{each.amount.percent} %" if each.amount.percent else amounts.size(each.amount.units)
        yield _Beginning(at, _EVICTS if each.is_hard else _WAITS, f"{each.signal}<{amount}")


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


_BYTES = {StarvedResource.MEMORY, StarvedResource.DISK}
_DISKS = (Signal.NODE_FS, Signal.IMAGE_FS)
# The thresholds that the first sentence names.
_TOLD = (Signal.MEMORY, *_DISKS)


class ThresholdRow(Struct, frozen=True):
    """One threshold in words; `target` is what has to be available before the kubelet stops evicting.

    `available`: what the kubelet reported, empty where it did not.
    """

    signal: str
    amount: str
    kind: str
    target: str
    condition: str
    available: str
    is_met: bool


def thresholds_view(
    node: Document,
    settings: KubeletSettings,
    layout: FilesystemLayout,
    origin: SettingsOrigin,
    sample: DiskSample | None = None,
) -> dict[str, Any]:
    """Present the thresholds of a node by somebody's settings.

    `sample`: what its kubelet reported last, where somebody gave that.

    What a kubelet does before its node is full; ``notes`` are sentences.
    """
    is_given = origin is not SettingsOrigin.DEFAULT
    thresholds = thresholds_on(settings.thresholds, layout)
    observed = {} if sample is None else sample.disks.observed
    capacities = _capacities(node, layout) | {signal: each.capacity for signal, each in observed.items()}
    hard = [_mark(each) for each in thresholds if each.is_hard and each.signal in _TOLD]
    sentence = words.EVICTS_AT(thresholds=listed(hard)) if hard else str(words.NO_HARD_THRESHOLD)
    if sample is not None:
        met = [_mark(each) for each in thresholds if _is_met(each, observed.get(each.signal))]
        at = moment(sample.at)
        said = words.MET_AT(moment=at, thresholds=listed(met)) if met else words.NONE_MET_AT(moment=at)
        sentence = f"{said} {sentence}"
    return {
        "sentence": sentence,
        "figure": fullness_figure(node, thresholds, settings.images, layout, sentence, observed),
        "notes": tuple(_threshold_notes(settings, thresholds, capacities, layout, origin)),
        "rows": tuple(
            _threshold_row(each, capacities.get(each.signal), observed.get(each.signal)) for each in thresholds
        ),
        "has_available": bool(observed),
        "reservations": tuple(_reservation(each, is_given=is_given) for each in reservations(node, settings)),
    }


def _mark(threshold: EvictionThreshold) -> str:
    """Write a threshold as Kubernetes does."""
    return f"{threshold.signal}<{written(threshold, threshold.amount)}"


def _is_met(threshold: EvictionThreshold, observed: Observed | None) -> bool:
    return observed is not None and observed.available < threshold.amount.of(observed.capacity)


def _capacities(node: Document, layout: FilesystemLayout) -> dict[Signal, int]:
    """The bytes behind signals, as far as they are reported: a file system of images alone is not."""
    memory, disk = (reported(node, "capacity", name) for name in (MEMORY, EPHEMERAL_STORAGE))
    found = {Signal.MEMORY: memory, Signal.NODE_FS: disk}
    if layout is not FilesystemLayout.IMAGES:
        found[Signal.CONTAINER_FS] = disk
    if layout is FilesystemLayout.ONE:
        found[Signal.IMAGE_FS] = disk
    return {signal: capacity for signal, capacity in found.items() if capacity}


def written(threshold: EvictionThreshold, amount: SignalAmount) -> str:
    """Write an amount of a threshold: a percentage as given, bytes with their unit."""
    if amount.percent:
        return f"{amount.percent} %"
    return _in_units(threshold, amount.units)


def _with_bytes(threshold: EvictionThreshold, capacity: int | None) -> str:
    said = written(threshold, threshold.amount)
    if not threshold.amount.percent or capacity is None:
        return said
    return f"{_in_units(threshold, threshold.amount.of(capacity))} ({said})"


def _threshold_notes(
    settings: KubeletSettings,
    thresholds: Sequence[EvictionThreshold],
    capacities: dict[Signal, int],
    layout: FilesystemLayout,
    origin: SettingsOrigin,
) -> list[str]:
    notes = [str(words.ORIGINS[origin])]
    if origin is not SettingsOrigin.DEFAULT and (hard := words.hard_thresholds(settings.hard, settings.off)):
        notes.append(hard)
    if settings.ignored:
        notes.append(words.IGNORED_FIELDS(names=listed(settings.ignored)))
    if any(each.signal.is_of_containers for each in settings.thresholds):
        notes.append(str(words.CONTAINERS_IGNORED))
    images = settings.images
    if images.is_off:
        notes.append(str(words.COLLECTION_OFF))
    else:
        notes.append(words.COLLECTION(high=images.high, low=images.low, minimum_age=_seconds(images.minimum_age)))
        early = _before_collection(settings, thresholds, capacities, layout)
        if early is not None:
            notes.append(words.EVICTS_BEFORE_COLLECTION(signal=early.signal, amount=written(early, early.amount)))
    if images.maximum_age:
        notes.append(words.COLLECTION_BY_AGE(maximum_age=_seconds(images.maximum_age)))
    return [*notes, words.RHYTHM(transition=_seconds(settings.pressure_transition))]


def _before_collection(
    settings: KubeletSettings,
    thresholds: Sequence[EvictionThreshold],
    capacities: dict[Signal, int],
    layout: FilesystemLayout,
) -> EvictionThreshold | None:
    """A hard threshold of the file system with images that is met while no images are collected yet."""
    together = {Signal.IMAGE_FS, Signal.NODE_FS} if layout is FilesystemLayout.ONE else {Signal.IMAGE_FS}
    for each in thresholds:
        capacity = capacities.get(each.signal, 10_000 if each.amount.percent else None)
        if not each.is_hard or each.signal not in together or capacity is None:
            continue
        if each.amount.of(capacity) > settings.images.starts_below(capacity):
            return each
    return None


def _threshold_row(threshold: EvictionThreshold, capacity: int | None, observed: Observed | None) -> ThresholdRow:
    amount, reclaim = threshold.amount, threshold.reclaim
    target = _with_bytes(threshold, capacity)
    if reclaim.units or reclaim.percent:
        if capacity is None and (amount.percent or reclaim.percent):
            target = words.BOTH(amount=written(threshold, amount), reclaim=written(threshold, reclaim))
        else:
            target = _in_units(threshold, threshold.target(capacity or 0))
    return ThresholdRow(
        signal=str(threshold.signal),
        amount=_with_bytes(threshold, capacity),
        kind=str(words.HARD) if threshold.is_hard else words.SOFT(grace=_seconds(threshold.grace)),
        target=target,
        condition=str(threshold.signal.condition),
        available="" if observed is None else _available(threshold, observed),
        is_met=_is_met(threshold, observed),
    )


def _available(threshold: EvictionThreshold, observed: Observed) -> str:
    amount = _in_units(threshold, observed.available)
    return f"{amount} ({amounts.percent(observed.available, observed.capacity)})"


def _in_units(threshold: EvictionThreshold, number: int) -> str:
    return amounts.size(number) if threshold.signal.starved in _BYTES else amounts.grouped(number)


def _reservation(each: Reservation, *, is_given: bool) -> tuple[str, ...]:
    """Write the resource, its capacity, what is allocatable, what is kept from pods, and what explains that."""
    capacity, allocatable, kept = (
        amounts.quantity(each.resource, number) for number in (each.capacity, each.allocatable, each.kept)
    )
    share = f"{kept} ({amounts.percent(each.kept, each.capacity)})"
    return str(words.RESOURCES[each.resource]), capacity, allocatable, share, words.reservation(each, is_given=is_given)


def _seconds(number: Fraction) -> str:
    return words.SECONDS(seconds=f"{float(number):g}")


class RankRow(NamedTuple):
    """A pod's rank; `place` is empty for one that is never evicted, `reason` says why it has its place.

    `used`: what it uses of what runs out, empty where that is not known.
    `grace`: how many seconds it gets at a soft threshold, None where there is none.
    """

    found: DiskRank | PressureRank
    place: str
    used: str
    reason: str
    grace: int | None = None


def signals_of(layout: FilesystemLayout) -> tuple[Signal, ...]:
    """The signals that have an order of their own: on one file system those of imagefs have that of nodefs."""
    signals = tuple(words.SHORT_OF)
    if layout is not FilesystemLayout.ONE:
        return signals
    return tuple(each for each in signals if each not in (Signal.IMAGE_FS, Signal.IMAGE_FS_INODES))


def eviction_order(
    pods: Iterable[Document],
    signal: Signal,
    layout: FilesystemLayout,
    settings: KubeletSettings,
    memory: MemorySample | None,
    disks: DiskSample | None = None,
) -> dict[str, Any]:
    """Present the order for a signal.

    ``memory`` is the newest sample of what pods use of it, ``disks`` of what they have on the node's disks, if there is
    any.

    Whom the kubelet evicts while the node is short of what a signal measures; ``notes`` are sentences. What is
    requested is memory or else ephemeral storage; process ids are not requested. ``used_label``: what is used, empty
    where that is not known of any pod.
    """
    pods, most, starved = list(pods), settings.most_pod_grace, signal.starved
    has_grace = any(not each.is_hard and each.signal is signal for each in settings.thresholds)
    used_at = None
    if signal is Signal.MEMORY:
        order = pressure_order(pods, memory.by_uid if memory else None)
        above = sum(rank.standing in _ABOVE for rank in order)
        views = [
            _rank(rank, signal, words.REASONS[rank.standing], is_exempt=rank.standing.is_exempt, is_used=True)
            for rank in order
        ]
        used_at = memory.at if memory else None
    else:
        used_at = disks.at if disks and _counts(signal, layout) else None
        found = disk_pressure_order(
            pods, signal, layout, disks.disks.counted(pods, signal, layout) if disks and used_at else None
        )
        above = sum(rank.ground is RankGround.ABOVE for rank in found) if starved is StarvedResource.DISK else 0
        views = [
            _rank(
                rank,
                signal,
                words.GROUNDS[rank.ground],
                is_exempt=rank.ground.is_exempt,
                is_used=used_at is not None,
            )
            for rank in found
        ]
    sentence = str(words.NO_PODS)
    if views:
        evictable = sum(bool(view.place) for view in views)
        sentence = words.EVICTABLE(resource=str(words.SHORT_OF[signal]), pods=evictable)
    if above:
        sentence = f"{sentence} {words.CERTAINLY_ABOVE(pods=above)}"
    if has_grace:
        times = {key_of(pod): soft_grace(most, pod) for pod in pods}
        views = [each._replace(grace=times[each.found.key] if each.place else None) for each in views]
    return {
        "sentence": sentence,
        "notes": (
            *_rank_notes(signal, layout),
            *([words.USED_AT(moment=moment(used_at))] if used_at else []),
            str(words.HARD_GRACE),
            *([words.SOFT_GRACE(most=most)] if has_grace else []),
        ),
        "ranks": tuple(views),
        "is_of_memory": signal is Signal.MEMORY,
        "used_label": str(words.USED_OF[starved]) if used_at else "",
        "has_requests": signal is not Signal.PIDS,
        "has_grace": has_grace,
    }


# A pod with such a rank certainly uses more memory than it requests, if it uses any.
_ABOVE = (KnownMemory.NOTHING_REQUESTED, KnownMemory.NOTHING_AS_A_WHOLE, KnownMemory.MEASURED_ABOVE)


def _rank_notes(signal: Signal, layout: FilesystemLayout) -> Iterator[str]:
    """Say how the kubelet orders pods, what of them counts, and what it removes before."""
    if not _counts(signal, layout):
        yield str(words.NOTHING_COUNTED)
    else:
        yield str(words.ORDERS[signal.starved])
        if parts := counted_parts(signal, layout):
            yield words.COUNTED(parts=listed([str(words.PARTS[part]) for part in DiskPart if part in parts]))
    if steps := reclaim_steps(signal, layout):
        yield words.RECLAIMS_FIRST(what=listed([str(words.RECLAIMED[step]) for step in steps]))


def _counts(signal: Signal, layout: FilesystemLayout) -> bool:
    """Whether anything of a pod counts."""
    return signal.starved in (StarvedResource.MEMORY, StarvedResource.PIDS) or bool(counted_parts(signal, layout))


def _rank(
    rank: DiskRank | PressureRank, signal: Signal, reason: _StrPromise, *, is_exempt: bool, is_used: bool
) -> RankRow:
    write = amounts.size if signal.starved in _BYTES else grouped
    return RankRow(
        rank,
        place="" if is_exempt else words.ranks(rank.earliest, rank.latest),
        used=write(rank.used) if is_used and rank.used is not None else "",
        reason=str(reason),
    )


def shutdown_view(
    node: str, pods: Iterable[Document], settings: KubeletSettings, origin: SettingsOrigin
) -> dict[str, Any]:
    """Present a graceful shutdown by somebody's settings.

    The groups as a picture and their pods; ``is_graceful``: whether the kubelet terminates pods at all.
    """
    groups = [each for each in shutdown_groups(pods, settings.shutdown or ()) if each.pods]
    every = [pod for each in groups for pod in each.pods]
    lasts = groups[-1].start + groups[-1].seconds if groups else 0
    sentence = words.TERMINATES(node=node, pods=len(every), seconds=lasts)
    if cut := sum(pod.is_cut for pod in every):
        sentence = f"{sentence} {words.CUT(pods=cut)}"
    return {
        "is_graceful": bool(settings.shutdown),
        "sentence": sentence,
        "origin": str(words.ORIGINS[origin]),
        "figure": _figure(groups, sentence) if groups else None,
        "rows": [(pod, each.start) for each in groups for pod in each.pods],
    }


def _figure(groups: Sequence[ShutdownGroup], summary: str) -> Figure:
    rows = []
    for each in groups:
        busy, end = each.start + max(pod.given for pod in each.pods), each.start + each.seconds
        stretches = [Stretch(0, each.start, busy)]
        if end > busy:
            stretches.append(Stretch(1, busy, end))
        label = words.GROUP(pods=len(each.pods), priority=each.priority)
        rows.append(TimelineRow(label, tuple(stretches), words.GROUP_ENDS(seconds=each.seconds)))
    keys = (
        Key(str(words.TERMINATING), "verdict-preemptible-solid", "/"),
        Key(str(words.UNMOUNTING), "verdict-unknown-solid"),
    )
    spec = TimelineSpec(str(words.SECONDS_UNIT), keys, tuple(rows))
    return Figure(id="shutdown-timeline", title=str(words.SHUTDOWN_PICTURE), summary=summary, spec=spec)
