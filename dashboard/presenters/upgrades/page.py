"""An upgrade as its page shows it: a picture by release, and the differences by release and rule."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from clusters.documents.upgrade_words import difference_in_words, rules_in_words
from clusters.documents.upgrades import upgrade_groups
from clusters.engine.upgrading import AnswerAspect, SubjectRole, releases_between
from clusters.engine.versions import RELEASES
from clusters.wording.amounts import grouped
from clusters.wording.upgrades import differences as words
from clusters.wording.upgrades import page as page_words
from dashboard.pictures.figure import Figure
from dashboard.pictures.specs import BarPart, StackRow, StackSpec
from dashboard.presenters.shared.links import address, workload_links
from dashboard.presenters.upgrades.rows import rows_left

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusters.documents.upgrade_words import DifferenceInWords
    from clusters.documents.upgrades import UpgradeDifference, UpgradeDocument, UpgradeGroup
    from clusters.models import Cluster

_COLOURS: Final = {
    AnswerAspect.ADMISSION: "verdict-uncertain-solid",
    AnswerAspect.VERDICT: "verdict-rejected-solid",
    AnswerAspect.PREEMPTION: "verdict-preemptible-solid",
    AnswerAspect.NODES: "verdict-chosen-solid",
    AnswerAspect.MESSAGE: "verdict-unknown-solid",
}


@dataclass(frozen=True, slots=True)
class UpgradeRow:
    """One difference with the page of its pod or workload; ``url`` is empty where there is none."""

    said: DifferenceInWords
    url: str
    is_quoted: bool


@dataclass(frozen=True, slots=True)
class UpgradeGroupView:
    """The differences that one release brings by the same rules; ``more`` is empty where all are shown.

    ``is_open``: not where messages alone differ, which are long and change nothing about where pods go.
    """

    title: str
    rules: tuple[str, ...]
    counted: str
    rows: tuple[UpgradeRow, ...]
    more: str
    is_open: bool


def upgrade_figure(document: UpgradeDocument) -> Figure:
    """Draw a bar for each release on the way, with the kinds of differences that it brings."""
    minors = [each.minor for each in releases_between(RELEASES[document.before], RELEASES[document.after])][1:]
    counts: Mapping[str, Counter[AnswerAspect]] = {minor: Counter() for minor in minors}
    for each in document.differences:
        counts[each.release][each.difference] += each.pod_count
    whole = max(counts[minor].total() for minor in minors)
    return Figure(
        id="upgrade-releases",
        title=str(page_words.FIGURE),
        summary=str(page_words.FIGURE),
        spec=StackSpec(tuple(_bar(minor, counts[minor], whole) for minor in minors)),
        columns=(str(page_words.RELEASE), *(str(words.ASPECTS[aspect]) for aspect in AnswerAspect)),
        rows=[(minor, *(grouped(counts[minor][aspect]) for aspect in AnswerAspect)) for minor in minors],
    )


def group_views(cluster: Cluster, document: UpgradeDocument, most: int) -> list[UpgradeGroupView]:
    """Return the differences by release and rule, the first `most` of each, with links."""
    groups = upgrade_groups(document)
    shown = [each for group in groups for each in group.differences[:most]]
    named = {(each.workload.kind, each.workload.namespace, each.workload.name) for each in shown}
    links = workload_links(cluster, [each for each in named if each[0]])
    return [_group(cluster, group, links, most) for group in groups]


def _group(
    cluster: Cluster, group: UpgradeGroup, links: Mapping[tuple[str, str, str], str], most: int
) -> UpgradeGroupView:
    return UpgradeGroupView(
        page_words.release(group.release),
        tuple(rules_in_words(group.rules)),
        words.counted(workloads=group.workloads, pending=group.pending_pods),
        tuple(_row(cluster, each, links) for each in group.differences[:most]),
        rows_left(len(group.differences), most),
        any(each.difference is not AnswerAspect.MESSAGE for each in group.differences),
    )


def _row(cluster: Cluster, difference: UpgradeDifference, links: Mapping[tuple[str, str, str], str]) -> UpgradeRow:
    workload = difference.workload
    if difference.role is SubjectRole.NEXT:
        url = links.get((workload.kind, workload.namespace, workload.name), "")
    else:
        namespace, _, name = difference.pods[0].partition("/")
        url = address("decision", cluster=cluster.name, namespace=namespace, name=name)
    return UpgradeRow(difference_in_words(difference), url, difference.difference is AnswerAspect.MESSAGE)


def _bar(minor: str, counts: Counter[AnswerAspect], whole: int) -> StackRow:
    parts = tuple(
        BarPart(str(words.ASPECTS[aspect]), _COLOURS[aspect], counts[aspect], grouped(counts[aspect]))
        for aspect in AnswerAspect
        if counts[aspect]
    )
    total = counts.total()
    said = page_words.DIFFERENCES(number=total) if total else str(page_words.NOT_CHANGED)
    return StackRow(page_words.release(minor), parts, whole, said)
