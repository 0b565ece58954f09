"""What an upgrade changes as plain text: by release and rule, each difference before and after."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from clusters.documents.upgrade_words import (
    defaults_in_words,
    difference_in_words,
    drain_difference_in_words,
    drains_headline_of,
    headline_of,
    notes_of,
    obstacles_in_words,
    rules_in_words,
)
from clusters.documents.upgrades import (
    UpgradeDifference,
    UpgradeDocument,
    UpgradePodGroup,
    UpgradePool,
    pod_group_in_words,
    pod_groups_headline_of,
    upgrade_groups,
)
from clusters.management.terminal.output import table, wrapped
from clusters.wording import lists
from clusters.wording.upgrades import differences as words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


_MOST_DIFFERENCES: Final = 10
_INDENT: Final = "  "


def upgrade_lines(document: UpgradeDocument, width: int) -> Iterator[str]:
    """Yield the headline, what is left out, and the differences by release and rule."""
    yield from wrapped(headline_of(document), width)
    if document.drains:
        yield from wrapped(drains_headline_of(document), width)
    yield from wrapped(pod_groups_headline_of(document), width)
    for note in notes_of(document):
        yield from wrapped(note, width)
    if document.obstacles:
        yield ""
        yield str(words.OBSTACLES)
    for obstacle in obstacles_in_words(document):
        yield from wrapped(obstacle, width, indent=_INDENT)
    defaults = defaults_in_words(document)
    if defaults:
        yield ""
        yield str(words.CONFIGURATION)
    for default in defaults:
        yield from wrapped(default, width, indent=_INDENT)
    for group in upgrade_groups(document):
        yield ""
        yield f"{group.release}: {words.counted(workloads=group.workloads, pending=group.pending_pods)}"
        for rule in rules_in_words(group.rules):
            yield from wrapped(rule, width, indent=_INDENT)
        for difference in group.differences[:_MOST_DIFFERENCES]:
            yield from _difference_lines(difference, width)
        if len(group.differences) > _MOST_DIFFERENCES:
            yield f"{_INDENT}{lists.and_more(len(group.differences) - _MOST_DIFFERENCES)}"
    yield from _pod_group_lines(document.pod_groups, width)
    for pool in document.drains:
        yield from _pool_lines(pool, width)


def _pod_group_lines(groups: Sequence[UpgradePodGroup], width: int) -> Iterator[str]:
    if not groups:
        return
    yield ""
    yield str(words.POD_GROUPS_TITLE)
    for difference in groups[:_MOST_DIFFERENCES]:
        yield f"{_INDENT}{words.KUBERNETES(minor=difference.release)}"
        for rule in rules_in_words(difference.rules):
            yield from wrapped(rule, width, indent=_INDENT)
        said = pod_group_in_words(difference)
        rows = [(str(words.BEFORE), said.before), (str(words.AFTER), said.after)]
        yield from table((str(words.GROUP), difference.group), rows, width)
    if len(groups) > _MOST_DIFFERENCES:
        yield f"{_INDENT}{lists.and_more(len(groups) - _MOST_DIFFERENCES)}"


def _pool_lines(pool: UpgradePool, width: int) -> Iterator[str]:
    if not pool.differences:
        return
    yield ""
    evaluated = words.DRAINED_OF(drained=pool.nodes_drained, nodes=pool.node_count)
    yield f"{words.TITLE}: {words.pool_name(pool.pool)}, {evaluated}"
    for difference in pool.differences[:_MOST_DIFFERENCES]:
        yield f"{_INDENT}{words.KUBERNETES(minor=difference.release)}"
        for rule in rules_in_words(difference.rules):
            yield from wrapped(rule, width, indent=_INDENT)
        said = drain_difference_in_words(difference)
        rows = [(str(words.BEFORE), said.before), (str(words.AFTER), said.after)]
        yield from table((said.aspect, difference.node), rows, width)
    if len(pool.differences) > _MOST_DIFFERENCES:
        yield f"{_INDENT}{lists.and_more(len(pool.differences) - _MOST_DIFFERENCES)}"


def _difference_lines(difference: UpgradeDifference, width: int) -> Iterator[str]:
    said = difference_in_words(difference)
    rows = [(str(words.BEFORE), said.before), (str(words.AFTER), said.after)]
    yield from table((said.aspect, said.subject), rows, width)
    if said.tip:
        yield from wrapped(said.tip, width, indent=_INDENT * 2)
