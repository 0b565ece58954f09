"""What a node's kubelet does by itself: images and pods it removes, what the kernel kills, and a shutdown."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, NamedTuple

from clusters.engine.kubelet import (
    DiskRank,
    EvictionThreshold,
    FilesystemLayout,
    ImageCollection,
    KnownMemory,
    KubeletSettings,
    Observed,
    OomScore,
    PodShutdown,
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
from clusters.wording import amounts
from clusters.wording.amounts import grouped, size
from clusters.wording.nodes import (
    disks as disk_words,
    disks as disks_words,
    oom as oom_words,
    pressure as pressure_words,
    shutdown as shutdown_words,
    thresholds as threshold_words,
    thresholds as thresholds_words,
)
from dashboard.pictures.figure import Figure
from dashboard.pictures.specs import Key, ScaleMark, ScaleRow, ScaleSpec, ScaleZone, Stretch, TimelineRow, TimelineSpec

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from fractions import Fraction

    from clusters.services.usage.history import DiskSample, MemorySample


@dataclass(frozen=True, slots=True)
class ExcessRow:
    """A pod that exceeds a limit; `holder` is what of it does, `outcome` what the kubelet does."""

    namespace: str
    name: str
    holder: str
    used: str
    limit: str
    outcome: str


@dataclass(frozen=True, slots=True)
class ExcessesView:
    """Whom the kubelet evicts for what they have on disks, as far as that is known."""

    sentence: str
    rows: tuple[ExcessRow, ...]


def excesses_view(
    node: str, pods: Iterable[Document], sample: DiskSample | None, layout: FilesystemLayout
) -> ExcessesView:
    """Present the pods above their limits; without a sample say what is needed to know them."""
    if sample is None:
        return ExcessesView(disks_words.GIVE_SUMMARY(node=node), ())
    found = storage_excesses(pods, sample.disks, layout)
    rows = []
    for each in found:
        namespace, _, name = each.pod.partition("/")
        outcome = disks_words.SPARED if each.is_spared else disks_words.EVICTED
        rows.append(
            ExcessRow(namespace, name, disks_words.holder(each), size(each.used), size(each.limit), str(outcome))
        )
    return ExcessesView(disks_words.excesses(len(found), sum(each.is_spared for each in found)), tuple(rows))


@dataclass(frozen=True, slots=True)
class OomRow:
    """One container of a pod with its score."""

    namespace: str
    name: str
    container: str
    role: str
    qos_class: str
    requested: str
    score: str
    ground: str


@dataclass(frozen=True, slots=True)
class OomView:
    """The containers in their order."""

    sentence: str
    rows: tuple[OomRow, ...]


def oom_view(pods: Iterable[Document], capacity: int | None) -> OomView:
    """Present the containers of a node's pods, the one with the highest score first."""
    scores = oom_order(pods, capacity)
    return OomView(_killing_sentence(scores), tuple(map(_killed_row, scores)))


def _killing_sentence(scores: Sequence[OomScore]) -> str:
    if not scores:
        return str(oom_words.NOTHING_RUNS)
    first = scores[0]
    if first.score is None:
        return str(oom_words.EXPLAINED)
    return f"{oom_words.SENTENCE(container=first.container, pod=first.pod, score=first.score)} {oom_words.EXPLAINED!s}"


def _killed_row(score: OomScore) -> OomRow:
    namespace, _, name = score.pod.partition("/")
    return OomRow(
        namespace=namespace,
        name=name,
        container=score.container,
        role=str(oom_words.ROLES[score.role]),
        qos_class=str(score.quality),
        requested=amounts.size(score.requested),
        score=str(oom_words.NO_SCORE) if score.score is None else oom_words.score(score.score),
        ground=str(oom_words.GROUNDS[score.ground]),
    )


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
        rows.append(_disk(str(thresholds_words.ONE_FILESYSTEM), disk, thresholds, both, images, nodefs))
    else:
        alone = layout is FilesystemLayout.IMAGES_SPLIT
        nodes = thresholds_words.NODE_FILESYSTEM_WITH_LAYERS if alone else thresholds_words.NODE_FILESYSTEM
        of_images = thresholds_words.IMAGE_FILESYSTEM if alone else thresholds_words.IMAGE_FILESYSTEM_WITH_LAYERS
        rows.append(_disk(str(nodes), disk, thresholds, (Signal.NODE_FS,), None, nodefs))
        rows.append(_disk(str(of_images), None, thresholds, (Signal.IMAGE_FS,), images, imagefs))
    drawn = tuple(row for row in rows if row is not None)
    if not drawn:
        return None
    keys = (
        Key(str(thresholds_words.NOTHING), "verdict-fits-solid"),
        Key(str(thresholds_words.COLLECTS), "verdict-chosen-solid", "."),
        Key(str(thresholds_words.WAITS), "verdict-preemptible-solid", "/"),
        Key(str(thresholds_words.EVICTS), "verdict-rejected-solid", "x"),
    )
    return Figure(
        id="fullness-scale", title=str(thresholds_words.PICTURE), summary=summary, spec=ScaleSpec(keys=keys, rows=drawn)
    )


def _memory(node: Document, thresholds: Sequence[EvictionThreshold], observed: Observed | None) -> ScaleRow | None:
    capacity = reported(node, "capacity", MEMORY) if observed is None else observed.capacity
    if not capacity:
        return None
    found = [*_beginnings(thresholds, (Signal.MEMORY,), capacity, is_exact=True), *_reported(observed)]
    allocatable = reported(node, "allocatable", MEMORY)
    if allocatable:
        found.append(
            _Beginning(allocatable, _NOTHING, thresholds_words.ALLOCATABLE_MARK(amount=amounts.size(allocatable)))
        )
    return _scale(str(thresholds_words.MEMORY_OF_NODE), capacity, amounts.size(capacity), found)


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
        ends = thresholds_words.COLLECTION_ENDS(percent=amounts.percent(images.low, 100))
        found += [
            _Beginning(start, _COLLECTS, thresholds_words.COLLECTION_BEGINS(percent=amounts.percent(start, whole))),
            _Beginning(whole - images.frees_to(whole), _NOTHING, ends),
        ]
    whole_text = amounts.size(capacity) if capacity else str(thresholds_words.CAPACITY_UNKNOWN)
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
        amount = (
            thresholds_words.PERCENT(number=each.amount.percent)
            if each.amount.percent
            else amounts.size(each.amount.units)
        )
        yield _Beginning(at, _EVICTS if each.is_hard else _WAITS, thresholds_words.threshold_mark(each.signal, amount))


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


@dataclass(frozen=True, slots=True)
class ThresholdRow:
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


@dataclass(frozen=True, slots=True)
class ReservationRow:
    """What is kept from pods of one resource, and what explains it."""

    resource: str
    capacity: str
    allocatable: str
    kept: str
    meaning: str


@dataclass(frozen=True, slots=True)
class ThresholdsView:
    """What a kubelet does before its node is full; `notes` are sentences."""

    sentence: str
    figure: Figure | None
    notes: tuple[str, ...]
    rows: tuple[ThresholdRow, ...]
    has_available: bool
    reservations: tuple[ReservationRow, ...]


def thresholds_view(
    node: Document,
    settings: KubeletSettings,
    layout: FilesystemLayout,
    origin: SettingsOrigin,
    sample: DiskSample | None = None,
) -> ThresholdsView:
    """Present the thresholds of a node by somebody's settings.

    `sample`: what its kubelet reported last, where somebody gave that.
    """
    is_given = origin is not SettingsOrigin.DEFAULT
    thresholds = thresholds_on(settings.thresholds, layout)
    observed = {} if sample is None else sample.disks.observed
    capacities = _capacities(node, layout) | {signal: each.capacity for signal, each in observed.items()}
    sentence = _threshold_sentence(thresholds, capacities)
    if sample is not None:
        met = [each for each in thresholds if _is_met(each, observed.get(each.signal))]
        marks = [thresholds_words.threshold_mark(each.signal, written(each, each.amount)) for each in met]
        sentence = f"{disk_words.thresholds_met(marks, sample.at)} {sentence}"
    notes = [*_given(sample), *_threshold_notes(settings, thresholds, capacities, layout, origin)]
    return ThresholdsView(
        sentence=sentence,
        figure=fullness_figure(node, thresholds, settings.images, layout, sentence, observed),
        notes=tuple(notes),
        rows=tuple(_threshold_row(each, capacities.get(each.signal), observed.get(each.signal)) for each in thresholds),
        has_available=bool(observed),
        reservations=tuple(_reservation(each, is_given=is_given) for each in reservations(node, settings)),
    )


def _given(sample: DiskSample | None) -> Iterator[str]:
    """Say whence it is known how full the node is, and how its file systems lie."""
    if sample is not None:
        yield disk_words.observed_at(sample.at)
    if sample is not None and sample.disks.layout is not None:
        yield str(disk_words.LAYOUT_BY_SIZES)
    else:
        yield str(thresholds_words.LAYOUT_ASSUMED)


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
        return thresholds_words.PERCENT(number=amount.percent)
    return _in_units(threshold, amount.units)


def _with_bytes(threshold: EvictionThreshold, capacity: int | None) -> str:
    said = written(threshold, threshold.amount)
    if not threshold.amount.percent or capacity is None:
        return said
    return thresholds_words.KEPT(amount=_in_units(threshold, threshold.amount.of(capacity)), percent=said)


def _threshold_sentence(thresholds: Sequence[EvictionThreshold], capacities: dict[Signal, int]) -> str:
    hard = {each.signal: each for each in thresholds if each.is_hard}
    memory = hard.get(Signal.MEMORY)
    if memory is None:
        first = str(thresholds_words.NO_MEMORY_THRESHOLD)
    else:
        capacity = capacities.get(Signal.MEMORY)
        size = "" if capacity is None else amounts.size(capacity)
        first = thresholds_words.memory_sentence(amount=written(memory, memory.amount), capacity=size)
    disks = [
        thresholds_words.threshold_mark(each, written(hard[each], hard[each].amount)) for each in _DISKS if each in hard
    ]
    return f"{first} {thresholds_words.disk_sentence(disks) if disks else str(thresholds_words.NO_DISK_THRESHOLD)}"


def _threshold_notes(
    settings: KubeletSettings,
    thresholds: Sequence[EvictionThreshold],
    capacities: dict[Signal, int],
    layout: FilesystemLayout,
    origin: SettingsOrigin,
) -> list[str]:
    notes = [thresholds_words.origin(origin)]
    if origin is not SettingsOrigin.DEFAULT:
        notes = [" ".join(filter(None, (*notes, thresholds_words.hard_thresholds(settings.hard, settings.off))))]
    if settings.ignored:
        notes.append(thresholds_words.ignored_fields(settings.ignored))
    if any(each.signal.is_of_containers for each in settings.thresholds):
        notes.append(str(thresholds_words.CONTAINERS_IGNORED))
    images = settings.images
    if images.is_off:
        notes.append(str(thresholds_words.COLLECTION_OFF))
    else:
        notes.append(
            thresholds_words.collection(
                below=thresholds_words.PERCENT(number=str(101 - images.high)),
                high=images.high,
                until=thresholds_words.PERCENT(number=str(100 - images.low)),
                low=images.low,
                minimum_age=_seconds(images.minimum_age),
            )
        )
        early = _before_collection(settings, thresholds, capacities, layout)
        if early is not None:
            notes.append(
                thresholds_words.EVICTS_BEFORE_COLLECTION(signal=early.signal, amount=written(early, early.amount))
            )
    if images.maximum_age:
        notes.append(thresholds_words.COLLECTION_BY_AGE(maximum_age=_seconds(images.maximum_age)))
    return [*notes, thresholds_words.RHYTHM(transition=_seconds(settings.pressure_transition))]


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
            target = thresholds_words.BOTH(amount=written(threshold, amount), reclaim=written(threshold, reclaim))
        else:
            target = _in_units(threshold, threshold.target(capacity or 0))
    return ThresholdRow(
        signal=str(threshold.signal),
        amount=_with_bytes(threshold, capacity),
        kind=str(thresholds_words.HARD)
        if threshold.is_hard
        else thresholds_words.SOFT(grace=_seconds(threshold.grace)),
        target=target,
        condition=str(threshold.signal.condition),
        available="" if observed is None else _available(threshold, observed),
        is_met=_is_met(threshold, observed),
    )


def _available(threshold: EvictionThreshold, observed: Observed) -> str:
    amount = _in_units(threshold, observed.available)
    return thresholds_words.KEPT(amount=amount, percent=amounts.percent(observed.available, observed.capacity))


def _in_units(threshold: EvictionThreshold, number: int) -> str:
    return amounts.size(number) if threshold.signal.starved in _BYTES else amounts.grouped(number)


def _reservation(each: Reservation, *, is_given: bool) -> ReservationRow:
    def write(number: int) -> str:
        return amounts.quantity(each.resource, number)

    return ReservationRow(
        resource=str(thresholds_words.RESOURCES[each.resource]),
        capacity=write(each.capacity),
        allocatable=write(each.allocatable),
        kept=thresholds_words.KEPT(amount=write(each.kept), percent=amounts.percent(each.kept, each.capacity)),
        meaning=thresholds_words.reservation(each, is_given=is_given),
    )


def _seconds(number: Fraction) -> str:
    return thresholds_words.SECONDS(seconds=f"{float(number):g}")


_USED = {
    StarvedResource.DISK: disk_words.DISK_USED,
    StarvedResource.INODES: disk_words.INODES_USED,
    StarvedResource.PIDS: disk_words.PROCESSES,
}


@dataclass(frozen=True, slots=True)
class RankView:
    """A pod's rank; empty for one that is never evicted. `reason` says why it has its rank.

    `used`: what it uses of what runs out, empty where that is not known.
    `grace`: how long it gets at a soft threshold, empty where there is none.
    """

    namespace: str
    name: str
    rank: str
    is_certain: bool
    qos_class: str
    priority: str
    requested: str
    limited: str
    used: str
    reason: str
    grace: str = ""


@dataclass(frozen=True, slots=True)
class EvictionOrderView:
    """Whom the kubelet evicts while the node is short of what a signal measures; `notes` are sentences.

    What is requested is memory or else ephemeral storage; process ids are not requested. `used_label`: what is used,
    empty where that is not known of any pod.
    """

    sentence: str
    notes: tuple[str, ...]
    ranks: tuple[RankView, ...]
    is_of_memory: bool
    used_label: str
    has_requests: bool
    has_grace: bool


def signals_of(layout: FilesystemLayout) -> tuple[Signal, ...]:
    """The signals that have an order of their own: on one file system those of imagefs have that of nodefs."""
    signals = tuple(pressure_words.SHORT_OF)
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
) -> EvictionOrderView:
    """Present the order for a signal.

    ``memory`` is the newest sample of what pods use of it, ``disks`` of what they have on the node's disks, if there is
    any.
    """
    steps = pressure_words.reclaims(reclaim_steps(signal, layout))
    pods, grace, most = list(pods), [str(pressure_words.HARD_GRACE)], settings.most_pod_grace
    has_grace = any(not each.is_hard and each.signal is signal for each in settings.thresholds)
    if has_grace:
        grace.append(pressure_words.soft_grace(most))
    if signal is Signal.MEMORY:
        ranks = pressure_order(pods, memory.by_uid if memory else None)
        said, views, notes = pressure_sentence(ranks), [_view(rank) for rank in ranks], [str(pressure_words.BY_MEMORY)]
        notes += [pressure_words.usage_of(memory.at)] if memory else []
        used_label = str(disk_words.MEMORY_USED) if memory else ""
    else:
        used_label = str(_USED[signal.starved]) if disks and _counts(signal, layout) else ""
        found = disk_pressure_order(
            pods, signal, layout, disks.disks.counted(pods, signal, layout) if disks and used_label else None
        )
        evictable = sum(not each.ground.is_exempt for each in found)
        said = (
            pressure_words.ONE_AFTER_THE_OTHER(resource=str(pressure_words.SHORT_OF[signal]), pods=evictable)
            if found
            else str(pressure_words.NO_PODS)
        )
        above = sum(each.ground is RankGround.ABOVE for each in found)
        if above and signal.starved is StarvedResource.DISK:
            said = f"{said} {disk_words.ABOVE_REQUESTS(pods=above)}"
        views, notes = (
            [_disk_view(rank, signal, is_used=bool(used_label)) for rank in found],
            _rank_notes(signal, layout),
        )
        notes += [disk_words.used_at(disks.at)] if disks and used_label else []
    if has_grace:
        times = {key_of(pod): pressure_words.SECONDS(seconds=soft_grace(most, pod)) for pod in pods}
        views = [replace(each, grace=times[f"{each.namespace}/{each.name}"] if each.rank else "") for each in views]
    return EvictionOrderView(
        sentence=said,
        notes=(*notes, steps, *grace),
        ranks=tuple(views),
        is_of_memory=signal is Signal.MEMORY,
        used_label=used_label,
        has_requests=signal is not Signal.PIDS,
        has_grace=has_grace,
    )


def _rank_notes(signal: Signal, layout: FilesystemLayout) -> list[str]:
    if signal.starved is StarvedResource.PIDS:
        return [str(pressure_words.BY_PROCESSES)]
    how = pressure_words.BY_INODES if signal.starved is StarvedResource.INODES else pressure_words.BY_DISK
    parts = counted_parts(signal, layout)
    return [*([str(how)] if parts else []), pressure_words.counted(parts)]


def _counts(signal: Signal, layout: FilesystemLayout) -> bool:
    """Whether anything of a pod counts."""
    return signal.starved is StarvedResource.PIDS or bool(counted_parts(signal, layout))


def _disk_view(rank: DiskRank, signal: Signal, *, is_used: bool) -> RankView:
    namespace, _, name = rank.key.partition("/")
    return RankView(
        namespace=namespace,
        name=name,
        rank="" if rank.ground.is_exempt else pressure_words.ranks(rank.earliest, rank.latest),
        is_certain=rank.earliest == rank.latest,
        qos_class=str(rank.quality),
        priority=grouped(rank.priority),
        requested=amounts.size(rank.requested) if rank.requested else str(pressure_words.NO_AMOUNT),
        limited="",
        used=_used(rank.used, signal) if is_used and rank.used is not None else "",
        reason=str(pressure_words.GROUNDS[rank.ground]),
    )


def _used(number: int, signal: Signal) -> str:
    return amounts.size(number) if signal.starved is StarvedResource.DISK else grouped(number)


def _view(rank: PressureRank) -> RankView:
    namespace, _, name = rank.key.partition("/")
    return RankView(
        namespace=namespace,
        name=name,
        rank="" if rank.standing.is_exempt else pressure_words.ranks(rank.earliest, rank.latest),
        is_certain=rank.earliest == rank.latest,
        qos_class=str(rank.quality),
        priority=grouped(rank.priority),
        requested=amounts.size(rank.requested) if rank.requested else str(pressure_words.NO_AMOUNT),
        limited=str(pressure_words.NO_AMOUNT) if rank.limited is None else amounts.size(rank.limited),
        used="" if rank.used is None else amounts.size(rank.used),
        reason=str(pressure_words.REASONS[rank.standing]),
    )


def pressure_sentence(ranks: Sequence[PressureRank]) -> str:
    """Say who certainly goes first, for whom it depends, who goes last, and who never."""
    if not ranks:
        return str(pressure_words.NO_PODS)
    counts = Counter(_fate(rank) for rank in ranks)
    return " ".join(
        [str(pressure_words.ONE_AT_A_TIME), *(say(counts[fate]) for fate, say in _FATES.items() if counts[fate])]
    )


_FIRST, _DEPENDS, _WITHIN, _LAST, _NEVER = range(5)
_FATES = {
    _FIRST: pressure_words.certainly_above,
    _DEPENDS: pressure_words.depends_on_usage,
    _WITHIN: pressure_words.within_request,
    _LAST: pressure_words.cannot_exceed,
    _NEVER: pressure_words.never_evicted,
}

_FATE_OF = {
    KnownMemory.NOTHING_REQUESTED: _FIRST,
    KnownMemory.NOTHING_AS_A_WHOLE: _FIRST,
    KnownMemory.CAPPED: _LAST,
    KnownMemory.MEASURED_ABOVE: _FIRST,
    KnownMemory.MEASURED_WITHIN: _WITHIN,
}


def _fate(rank: PressureRank) -> int:
    if rank.standing.is_exempt:
        return _NEVER
    return _FATE_OF.get(rank.standing, _DEPENDS)


_MIRRORED: Final = (SettingsOrigin.NODE, SettingsOrigin.EVERY_NODE)


@dataclass(frozen=True, slots=True)
class PodShutdownRow:
    """One pod; `begins` is when its termination begins at the latest."""

    namespace: str
    name: str
    priority: str
    begins: str
    wanted: str
    given: str
    is_cut: bool


@dataclass(frozen=True, slots=True)
class ShutdownView:
    """The groups as a picture and their pods; `notes` are sentences."""

    sentence: str
    notes: tuple[str, ...]
    figure: Figure | None
    rows: tuple[PodShutdownRow, ...]


def shutdown_view(
    node: str, pods: Iterable[Document], settings: KubeletSettings, origin: SettingsOrigin
) -> ShutdownView:
    """Present a graceful shutdown by somebody's settings."""
    whose = [threshold_words.origin(origin)] if origin in _MIRRORED else []
    if not settings.shutdown:
        said = shutdown_words.NOT_GRACEFUL if origin is SettingsOrigin.DEFAULT else shutdown_words.NOT_GRACEFUL_AS_GIVEN
        return ShutdownView(str(said), (*whose, str(shutdown_words.TERMINATION)), None, ())
    groups = [each for each in shutdown_groups(pods, settings.shutdown) if each.pods]
    every = [pod for each in groups for pod in each.pods]
    lasts = groups[-1].start + groups[-1].seconds if groups else 0
    sentence = shutdown_words.sentence(node=node, pods=len(every), seconds=lasts, cut=sum(pod.is_cut for pod in every))
    return ShutdownView(
        sentence=sentence,
        notes=tuple(map(str, (*whose, shutdown_words.GROUPS, shutdown_words.LOGIND, shutdown_words.TERMINATION))),
        figure=_figure(groups, sentence) if groups else None,
        rows=tuple(_shutdown_row(pod, each) for each in groups for pod in each.pods),
    )


def _figure(groups: Sequence[ShutdownGroup], summary: str) -> Figure:
    rows = []
    for each in groups:
        busy, end = each.start + max(pod.given for pod in each.pods), each.start + each.seconds
        stretches = [Stretch(0, each.start, busy)]
        if end > busy:
            stretches.append(Stretch(1, busy, end))
        label = shutdown_words.GROUP(pods=len(each.pods), priority=each.priority)
        rows.append(TimelineRow(label, tuple(stretches), shutdown_words.GROUP_ENDS(seconds=each.seconds)))
    keys = (
        Key(str(shutdown_words.TERMINATING), "verdict-preemptible-solid", "/"),
        Key(str(shutdown_words.WAITING), "verdict-unknown-solid"),
    )
    spec = TimelineSpec(str(shutdown_words.SECONDS), keys, tuple(rows))
    return Figure(id="shutdown-timeline", title=str(shutdown_words.PICTURE), summary=summary, spec=spec)


def _shutdown_row(pod: PodShutdown, group: ShutdownGroup) -> PodShutdownRow:
    namespace, _, name = pod.key.partition("/")
    return PodShutdownRow(
        namespace=namespace,
        name=name,
        priority=grouped(pod.priority),
        begins=shutdown_words.seconds(group.start),
        wanted=shutdown_words.seconds(pod.wanted),
        given=shutdown_words.seconds(pod.given),
        is_cut=pod.is_cut,
    )
