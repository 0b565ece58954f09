"""What becomes of the pods of a node that shuts down, as a timeline and rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from clusters.engine.kubelet import SettingsOrigin, shutdown_groups
from clusters.wording.amounts import grouped
from clusters.wording.nodes import shutdown as words
from clusters.wording.nodes import thresholds as threshold_words
from dashboard.pictures.figure import Figure
from dashboard.pictures.specs import Key, Stretch, TimelineRow, TimelineSpec

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from clusters.engine.kubelet import KubeletSettings, PodShutdown, ShutdownGroup
    from clusters.engine.objects import Document

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
        said = words.NOT_GRACEFUL if origin is SettingsOrigin.DEFAULT else words.NOT_GRACEFUL_AS_GIVEN
        return ShutdownView(str(said), (*whose, str(words.TERMINATION)), None, ())
    groups = [each for each in shutdown_groups(pods, settings.shutdown) if each.pods]
    every = [pod for each in groups for pod in each.pods]
    lasts = groups[-1].start + groups[-1].seconds if groups else 0
    sentence = words.sentence(node=node, pods=len(every), seconds=lasts, cut=sum(pod.is_cut for pod in every))
    return ShutdownView(
        sentence=sentence,
        notes=tuple(map(str, (*whose, words.GROUPS, words.LOGIND, words.TERMINATION))),
        figure=_figure(groups, sentence) if groups else None,
        rows=tuple(_row(pod, each) for each in groups for pod in each.pods),
    )


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
        Key(str(words.WAITING), "verdict-unknown-solid"),
    )
    spec = TimelineSpec(str(words.SECONDS), keys, tuple(rows))
    return Figure(id="shutdown-timeline", title=str(words.PICTURE), summary=summary, spec=spec)


def _row(pod: PodShutdown, group: ShutdownGroup) -> PodShutdownRow:
    namespace, _, name = pod.key.partition("/")
    return PodShutdownRow(
        namespace=namespace,
        name=name,
        priority=grouped(pod.priority),
        begins=words.seconds(group.start),
        wanted=words.seconds(pod.wanted),
        given=words.seconds(pod.given),
        is_cut=pod.is_cut,
    )
