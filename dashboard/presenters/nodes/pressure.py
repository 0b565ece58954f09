"""The order in which a kubelet evicts while its node is short of something, as rows and sentences."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from clusters.engine.kubelet import (
    FilesystemLayout,
    KnownMemory,
    RankGround,
    Signal,
    StarvedResource,
    counted_parts,
    disk_pressure_order,
    pressure_order,
    reclaim_steps,
    soft_grace,
)
from clusters.engine.objects import key_of
from clusters.wording import amounts
from clusters.wording.amounts import grouped
from clusters.wording.nodes import disks as disk_words
from clusters.wording.nodes import pressure as words

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from clusters.engine.kubelet import DiskRank, KubeletSettings, PressureRank
    from clusters.engine.objects import Document
    from clusters.services.usage.history import DiskSample, MemorySample


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
) -> EvictionOrderView:
    """Present the order for a signal.

    ``memory`` is the newest sample of what pods use of it, ``disks`` of what they have on the node's disks, if there is
    any.
    """
    steps = words.reclaims(reclaim_steps(signal, layout))
    pods, grace, most = list(pods), [str(words.HARD_GRACE)], settings.most_pod_grace
    has_grace = any(not each.is_hard and each.signal is signal for each in settings.thresholds)
    if has_grace:
        grace.append(words.soft_grace(most))
    if signal is Signal.MEMORY:
        ranks = pressure_order(pods, memory.by_uid if memory else None)
        said, views, notes = sentence(ranks), [_view(rank) for rank in ranks], [str(words.BY_MEMORY)]
        notes += [words.usage_of(memory.at)] if memory else []
        used_label = str(disk_words.MEMORY_USED) if memory else ""
    else:
        used_label = str(_USED[signal.starved]) if disks and _counts(signal, layout) else ""
        found = disk_pressure_order(
            pods, signal, layout, disks.disks.counted(pods, signal, layout) if disks and used_label else None
        )
        evictable = sum(not each.ground.is_exempt for each in found)
        said = (
            words.ONE_AFTER_THE_OTHER(resource=str(words.SHORT_OF[signal]), pods=evictable)
            if found
            else str(words.NO_PODS)
        )
        above = sum(each.ground is RankGround.ABOVE for each in found)
        if above and signal.starved is StarvedResource.DISK:
            said = f"{said} {disk_words.ABOVE_REQUESTS(pods=above)}"
        views, notes = [_disk_view(rank, signal, is_used=bool(used_label)) for rank in found], _notes(signal, layout)
        notes += [disk_words.used_at(disks.at)] if disks and used_label else []
    if has_grace:
        times = {key_of(pod): words.SECONDS(seconds=soft_grace(most, pod)) for pod in pods}
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


def _notes(signal: Signal, layout: FilesystemLayout) -> list[str]:
    if signal.starved is StarvedResource.PIDS:
        return [str(words.BY_PROCESSES)]
    how = words.BY_INODES if signal.starved is StarvedResource.INODES else words.BY_DISK
    parts = counted_parts(signal, layout)
    return [*([str(how)] if parts else []), words.counted(parts)]


def _counts(signal: Signal, layout: FilesystemLayout) -> bool:
    """Whether anything of a pod counts."""
    return signal.starved is StarvedResource.PIDS or bool(counted_parts(signal, layout))


def _disk_view(rank: DiskRank, signal: Signal, *, is_used: bool) -> RankView:
    namespace, _, name = rank.key.partition("/")
    return RankView(
        namespace=namespace,
        name=name,
        rank="" if rank.ground.is_exempt else words.ranks(rank.earliest, rank.latest),
        is_certain=rank.earliest == rank.latest,
        qos_class=str(rank.quality),
        priority=grouped(rank.priority),
        requested=amounts.size(rank.requested) if rank.requested else str(words.NO_AMOUNT),
        limited="",
        used=_used(rank.used, signal) if is_used and rank.used is not None else "",
        reason=str(words.GROUNDS[rank.ground]),
    )


def _used(number: int, signal: Signal) -> str:
    return amounts.size(number) if signal.starved is StarvedResource.DISK else grouped(number)


def _view(rank: PressureRank) -> RankView:
    namespace, _, name = rank.key.partition("/")
    return RankView(
        namespace=namespace,
        name=name,
        rank="" if rank.standing.is_exempt else words.ranks(rank.earliest, rank.latest),
        is_certain=rank.earliest == rank.latest,
        qos_class=str(rank.quality),
        priority=grouped(rank.priority),
        requested=amounts.size(rank.requested) if rank.requested else str(words.NO_AMOUNT),
        limited=str(words.NO_AMOUNT) if rank.limited is None else amounts.size(rank.limited),
        used="" if rank.used is None else amounts.size(rank.used),
        reason=str(words.REASONS[rank.standing]),
    )


def sentence(ranks: Sequence[PressureRank]) -> str:
    """Say who certainly goes first, for whom it depends, who goes last, and who never."""
    if not ranks:
        return str(words.NO_PODS)
    counts = Counter(_fate(rank) for rank in ranks)
    return " ".join([str(words.ONE_AT_A_TIME), *(say(counts[fate]) for fate, say in _FATES.items() if counts[fate])])


_FIRST, _DEPENDS, _WITHIN, _LAST, _NEVER = range(5)
_FATES = {
    _FIRST: words.certainly_above,
    _DEPENDS: words.depends_on_usage,
    _WITHIN: words.within_request,
    _LAST: words.cannot_exceed,
    _NEVER: words.never_evicted,
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
