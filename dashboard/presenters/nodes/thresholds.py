"""From which fullness on a kubelet removes images and evicts pods: a scale, rows and sentences."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clusters.engine.kubelet import (
    FilesystemLayout,
    SettingsOrigin,
    Signal,
    StarvedResource,
    reported,
    reservations,
    thresholds_on,
)
from clusters.engine.resources import EPHEMERAL_STORAGE, MEMORY
from clusters.wording import amounts
from clusters.wording.nodes import disks as disk_words
from clusters.wording.nodes import thresholds as words
from dashboard.presenters.nodes.fullness import fullness_figure

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from fractions import Fraction

    from clusters.engine.kubelet import EvictionThreshold, KubeletSettings, Observed, Reservation, SignalAmount
    from clusters.engine.objects import Document
    from clusters.services.usage.history import DiskSample
    from dashboard.pictures.figure import Figure

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
    sentence = _sentence(thresholds, capacities)
    if sample is not None:
        met = [each for each in thresholds if _is_met(each, observed.get(each.signal))]
        marks = [words.threshold_mark(each.signal, written(each, each.amount)) for each in met]
        sentence = f"{disk_words.thresholds_met(marks, sample.at)} {sentence}"
    notes = [*_given(sample), *_notes(settings, thresholds, capacities, layout, origin)]
    return ThresholdsView(
        sentence=sentence,
        figure=fullness_figure(node, thresholds, settings.images, layout, sentence, observed),
        notes=tuple(notes),
        rows=tuple(_row(each, capacities.get(each.signal), observed.get(each.signal)) for each in thresholds),
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
        yield str(words.LAYOUT_ASSUMED)


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
        return words.PERCENT(number=amount.percent)
    return _in_units(threshold, amount.units)


def _with_bytes(threshold: EvictionThreshold, capacity: int | None) -> str:
    said = written(threshold, threshold.amount)
    if not threshold.amount.percent or capacity is None:
        return said
    return words.KEPT(amount=_in_units(threshold, threshold.amount.of(capacity)), percent=said)


def _sentence(thresholds: Sequence[EvictionThreshold], capacities: dict[Signal, int]) -> str:
    hard = {each.signal: each for each in thresholds if each.is_hard}
    memory = hard.get(Signal.MEMORY)
    if memory is None:
        first = str(words.NO_MEMORY_THRESHOLD)
    else:
        capacity = capacities.get(Signal.MEMORY)
        size = "" if capacity is None else amounts.size(capacity)
        first = words.memory_sentence(amount=written(memory, memory.amount), capacity=size)
    disks = [words.threshold_mark(each, written(hard[each], hard[each].amount)) for each in _DISKS if each in hard]
    return f"{first} {words.disk_sentence(disks) if disks else str(words.NO_DISK_THRESHOLD)}"


def _notes(
    settings: KubeletSettings,
    thresholds: Sequence[EvictionThreshold],
    capacities: dict[Signal, int],
    layout: FilesystemLayout,
    origin: SettingsOrigin,
) -> list[str]:
    notes = [words.origin(origin)]
    if origin is not SettingsOrigin.DEFAULT:
        notes = [" ".join(filter(None, (*notes, words.hard_thresholds(settings.hard, settings.off))))]
    if settings.ignored:
        notes.append(words.ignored_fields(settings.ignored))
    if any(each.signal.is_of_containers for each in settings.thresholds):
        notes.append(str(words.CONTAINERS_IGNORED))
    images = settings.images
    if images.is_off:
        notes.append(str(words.COLLECTION_OFF))
    else:
        notes.append(
            words.collection(
                below=words.PERCENT(number=str(101 - images.high)),
                high=images.high,
                until=words.PERCENT(number=str(100 - images.low)),
                low=images.low,
                minimum_age=_seconds(images.minimum_age),
            )
        )
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


def _row(threshold: EvictionThreshold, capacity: int | None, observed: Observed | None) -> ThresholdRow:
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
    return words.KEPT(amount=amount, percent=amounts.percent(observed.available, observed.capacity))


def _in_units(threshold: EvictionThreshold, number: int) -> str:
    return amounts.size(number) if threshold.signal.starved in _BYTES else amounts.grouped(number)


def _reservation(each: Reservation, *, is_given: bool) -> ReservationRow:
    def write(number: int) -> str:
        return amounts.quantity(each.resource, number)

    return ReservationRow(
        resource=str(words.RESOURCES[each.resource]),
        capacity=write(each.capacity),
        allocatable=write(each.allocatable),
        kept=words.KEPT(amount=write(each.kept), percent=amounts.percent(each.kept, each.capacity)),
        meaning=words.reservation(each, is_given=is_given),
    )


def _seconds(number: Fraction) -> str:
    return words.SECONDS(seconds=f"{float(number):g}")
