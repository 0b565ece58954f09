"""What an upgrade decides otherwise: by release and rule, by drain and by group of pods."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from django.utils.http import urlencode
from msgspec import Struct

from clusters.documents.upgrade_words import (
    difference_in_words,
    drain_difference_in_words,
    drains_headline_of,
    rules_in_words,
)
from clusters.documents.upgrades import (
    PodGroupInWords,
    UpgradeDifference,
    UpgradeDocument,
    UpgradeDrainDifference,
    UpgradePodGroup,
    UpgradePool,
    pod_group_in_words,
    upgrade_groups,
)
from clusters.engine.upgrading import AnswerAspect, DrainAspect, SubjectRole, releases_between
from clusters.engine.versions import RELEASES
from clusters.wording import counts, lists
from clusters.wording.amounts import grouped
from clusters.wording.upgrades import differences as words
from dashboard.pictures.figure import Figure
from dashboard.pictures.specs import BarPart, StackRow, StackSpec
from dashboard.presenters.shared.page import address, workload_links

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusters.models import Cluster

FIRST_ROWS: Final = 20
# The terminal and the API have all, however many.
MOST_ROWS: Final = 1000


class UpgradedGroupRow(Struct, frozen=True):
    """One group that a release places otherwise, with its page."""

    name: str
    url: str
    release: str
    rules: tuple[str, ...]
    said: PodGroupInWords


def pod_group_rows(cluster: Cluster, document: UpgradeDocument, most: int) -> list[UpgradedGroupRow]:
    """Return the first `most` groups that are placed otherwise, with links."""
    return [_group_row(cluster, each) for each in document.pod_groups[:most]]


def _group_row(cluster: Cluster, difference: UpgradePodGroup) -> UpgradedGroupRow:
    namespace, _, name = difference.group.partition("/")
    return UpgradedGroupRow(
        difference.group,
        address("pod-group", cluster=cluster.name, namespace=namespace, name=name),
        words.KUBERNETES(minor=difference.release),
        tuple(rules_in_words(difference.rules)),
        pod_group_in_words(difference),
    )


class DifferenceRow(Struct, frozen=True):
    """One difference, of what (with its page, if there is one), and by what it comes; messages are quoted."""

    subject: str
    url: str
    aspect: str
    notes: tuple[str, ...]
    before: str
    after: str
    is_quoted: bool


class DifferencesView(Struct, frozen=True):
    """Differences with a title and what is said beside it; ``more`` is empty where all are shown."""

    title: str
    subtitles: tuple[str, ...]
    rows: tuple[DifferenceRow, ...]
    more: str


_DRAIN_COLOURS: Final = {
    DrainAspect.VERDICT: "verdict-rejected-solid",
    DrainAspect.NODES: "verdict-chosen-solid",
    DrainAspect.MESSAGE: "verdict-unknown-solid",
}


def drains_figure(document: UpgradeDocument) -> Figure | None:
    """Draw a bar for each pool, with its nodes by what differs in their drain; None where nothing does."""
    if not any(pool.differences for pool in document.drains):
        return None
    changed = [_by_aspect(pool) for pool in document.drains]
    return Figure(
        id="upgrade-drains",
        title=str(words.DRAINS_FIGURE),
        summary=drains_headline_of(document),
        spec=StackSpec(tuple(_drain_bar(pool, found) for pool, found in zip(document.drains, changed, strict=True))),
        columns=(
            str(words.POOL),
            *(str(words.DRAINS_ASPECTS[aspect]) for aspect in DrainAspect),
            str(words.SAME),
            str(words.NOT_DRAINED),
        ),
        rows=[
            (
                words.pool_name(pool.pool),
                *(grouped(found[aspect]) for aspect in DrainAspect),
                grouped(pool.nodes_drained - pool.nodes_changed),
                grouped(pool.node_count - pool.nodes_drained),
            )
            for pool, found in zip(document.drains, changed, strict=True)
        ],
    )


def pool_views(cluster: Cluster, document: UpgradeDocument, most: int) -> list[DifferencesView]:
    """Return the pools whose drain differs, with the first `most` differences in order of release and node."""
    return [
        DifferencesView(
            words.pool_name(pool.pool),
            (
                words.DRAINED_OF(drained=pool.nodes_drained, nodes=pool.node_count),
                words.DIFFERENCES(number=len(pool.differences)),
            ),
            tuple(_drain_row(cluster, each) for each in pool.differences[:most]),
            lists.and_more(len(pool.differences) - most),
        )
        for pool in document.drains
        if pool.differences
    ]


def _drain_row(cluster: Cluster, difference: UpgradeDrainDifference) -> DifferenceRow:
    chosen = urlencode({"node": difference.node, "after": "uncordon"})
    url = f"{address('drain', cluster=cluster.name)}?{chosen}"
    said = drain_difference_in_words(difference)
    return DifferenceRow(
        difference.node,
        url,
        said.aspect,
        (words.KUBERNETES(minor=difference.release), *rules_in_words(difference.rules)),
        said.before,
        said.after,
        difference.difference is DrainAspect.MESSAGE,
    )


def _by_aspect(pool: UpgradePool) -> Mapping[DrainAspect, int]:
    """Count the nodes of a pool by what weighs most of all that differs in their drain."""
    gravest: dict[str, DrainAspect] = {}
    order = list(DrainAspect)
    for each in pool.differences:
        gravest[each.node] = min(gravest.get(each.node, each.difference), each.difference, key=order.index)
    return Counter(gravest.values())


def _drain_bar(pool: UpgradePool, changed: Mapping[DrainAspect, int]) -> StackRow:
    parts = [
        BarPart(str(words.DRAINS_ASPECTS[aspect]), _DRAIN_COLOURS[aspect], changed[aspect], grouped(changed[aspect]))
        for aspect in DrainAspect
        if changed[aspect]
    ]
    same = pool.nodes_drained - pool.nodes_changed
    if same:
        parts.append(BarPart(str(words.SAME), "verdict-fits-solid", same, grouped(same), "light"))
    return StackRow(words.pool_name(pool.pool), tuple(parts), pool.node_count, counts.NODES(number=pool.node_count))


_ANSWER_COLOURS: Final = {
    AnswerAspect.ADMISSION: "verdict-uncertain-solid",
    AnswerAspect.VERDICT: "verdict-rejected-solid",
    AnswerAspect.PREEMPTION: "verdict-preemptible-solid",
    AnswerAspect.NODES: "verdict-chosen-solid",
    AnswerAspect.MESSAGE: "verdict-unknown-solid",
}


def upgrade_figure(document: UpgradeDocument) -> Figure:
    """Draw a bar for each release on the way, with the kinds of differences that it brings."""
    minors = [each.minor for each in releases_between(RELEASES[document.before], RELEASES[document.after])][1:]
    counts: Mapping[str, Counter[AnswerAspect]] = {minor: Counter() for minor in minors}
    for each in document.differences:
        counts[each.release][each.difference] += each.pod_count
    whole = max(counts[minor].total() for minor in minors)
    return Figure(
        id="upgrade-releases",
        title=str(words.FIGURE),
        summary=str(words.FIGURE),
        spec=StackSpec(tuple(_release_bar(minor, counts[minor], whole) for minor in minors)),
        columns=(str(words.RELEASE), *(str(words.ASPECTS[aspect]) for aspect in AnswerAspect)),
        rows=[(minor, *(grouped(counts[minor][aspect]) for aspect in AnswerAspect)) for minor in minors],
    )


def group_views(
    cluster: Cluster, document: UpgradeDocument, most: int
) -> tuple[list[DifferencesView], list[DifferencesView]]:
    """Return the differences by release and rule, the first `most` of each, with links.

    Those of messages alone are the second part: they are long, and change nothing about where pods go.
    """
    groups = upgrade_groups(document)
    shown = [each for group in groups for each in group.differences[:most]]
    named = {(each.workload.kind, each.workload.namespace, each.workload.name) for each in shown}
    links = workload_links(cluster, [each for each in named if each[0]])
    found = [
        DifferencesView(
            words.KUBERNETES(minor=group.release),
            (*rules_in_words(group.rules), words.counted(workloads=group.workloads, pending=group.pending_pods)),
            tuple(_answer_row(cluster, each, links) for each in group.differences[:most]),
            lists.and_more(len(group.differences) - most),
        )
        for group in groups
    ]
    changing = sum(group.gravest is not AnswerAspect.MESSAGE for group in groups)
    return found[:changing], found[changing:]


def _answer_row(
    cluster: Cluster, difference: UpgradeDifference, links: Mapping[tuple[str, str, str], str]
) -> DifferenceRow:
    workload = difference.workload
    if difference.role is SubjectRole.NEXT:
        url = links.get((workload.kind, workload.namespace, workload.name), "")
    else:
        namespace, _, name = difference.pods[0].partition("/")
        url = address("decision", cluster=cluster.name, namespace=namespace, name=name)
    said = difference_in_words(difference)
    notes = (said.tip,) if said.tip else ()
    is_quoted = difference.difference is AnswerAspect.MESSAGE
    return DifferenceRow(said.subject, url, said.aspect, notes, said.before, said.after, is_quoted)


def _release_bar(minor: str, counts: Counter[AnswerAspect], whole: int) -> StackRow:
    parts = tuple(
        BarPart(str(words.ASPECTS[aspect]), _ANSWER_COLOURS[aspect], counts[aspect], grouped(counts[aspect]))
        for aspect in AnswerAspect
        if counts[aspect]
    )
    total = counts.total()
    said = words.DIFFERENCES(number=total) if total else str(words.NOT_CHANGED)
    return StackRow(words.KUBERNETES(minor=minor), parts, whole, said)
