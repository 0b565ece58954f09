"""A journal document as the parts of a page: messages side by side, groups, nodes, ranking, preemption."""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from msgspec import UNSET

from clusters.engine.status import Code, Rejection, Status
from clusters.wording import counts
from clusters.wording.amounts import grouped, percent
from clusters.wording.decisions.nodes import verdict_word
from clusters.wording.decisions.scores import POINTS
from clusters.wording.journal import document as words
from dashboard.presenters.decisions.groups import RejectionView, answers, verdict_token

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from clusters.documents.explanation import (
        ExplanationDocument,
        GroupDocument,
        RankedDocument,
        RejectionDocument,
        StatusDocument,
    )

# Messages are compared entry by entry; longer ones than this are only shown.
_MOST_COMPARED = 20_000
_ENTRY = re.compile(r"(?<=, )|(?<=[.:] )")


@dataclass(frozen=True, slots=True)
class Said:
    """A message in pieces, each with whether the other message lacks it."""

    pieces: tuple[tuple[str, bool], ...]


def side_by_side(theirs: str, ours: str) -> tuple[Said, Said]:
    """Mark in both messages what is not in the other one."""
    if len(theirs) + len(ours) > _MOST_COMPARED:
        return Said(((theirs, False),)), Said(((ours, False),))
    left, right = _ENTRY.split(theirs), _ENTRY.split(ours)
    # An entry ends with a comma or a full stop, according to what follows it.
    matcher = SequenceMatcher(None, [_core(entry) for entry in left], [_core(entry) for entry in right], autojunk=False)
    mine: list[tuple[str, bool]] = []
    other: list[tuple[str, bool]] = []
    for tag, start, end, begin, stop in matcher.get_opcodes():
        mine += [("".join(left[start:end]), tag != "equal")] if end > start else []
        other += [("".join(right[begin:stop]), tag != "equal")] if stop > begin else []
    return Said(tuple(mine)), Said(tuple(other))


def _core(entry: str) -> str:
    return entry.rstrip(" ,.:")


@dataclass(frozen=True, slots=True)
class JournalGroup:
    """Nodes about which everything said the same; `verdict` is a word of the verdict tokens."""

    count: str
    share: str
    fill: float
    verdict: str
    verdict_text: str
    reported: RejectionView | None
    everything: tuple[RejectionView, ...]
    examples: tuple[tuple[str, str], ...]
    more: str


@dataclass(frozen=True, slots=True)
class RankedNode:
    """One node of the ranking; `cells` are the plugins' scores in the order of the columns: weighted, and how."""

    rank: str
    node: str
    url: str
    total: str
    cells: tuple[tuple[str, str, str], ...]
    is_chosen: bool
    is_best: bool


@dataclass(frozen=True, slots=True)
class Ranking:
    """The best nodes and the chosen one, with what is to be said about them."""

    plugins: tuple[str, ...]
    rows: tuple[RankedNode, ...]
    sentence: str
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class JournalPreemption:
    """What removing pods would do; `victims` are namespace and name."""

    sentence: str
    message: str
    node: str
    victims: tuple[tuple[str, str], ...]
    more: str


# -- nodes -------------------------------------------------------------------------------------------------------------


def nodes_of(document: ExplanationDocument) -> set[str]:
    """Return the nodes that the page of a decision names."""
    return {*(name for group in document.groups for name in group.examples), *(row.node for row in document.ranking)}


def groups(document: ExplanationDocument, nodes: Mapping[str, str]) -> list[JournalGroup]:
    """Present the nodes by identical verdict; ``nodes``: the pages of those that the cluster still has."""
    return [_group(group, document.node_count, nodes) for group in document.groups]


def other_groups(document: ExplanationDocument) -> str:
    """Say how many nodes are in groups that the journal does not list; empty where all are listed."""
    others = document.other_groups
    if others is None:
        return ""
    return words.groups_not_listed(others.groups, others.nodes)


def _group(group: GroupDocument, nodes: int, links: Mapping[str, str]) -> JournalGroup:
    found = rejection(group.verdict)
    return JournalGroup(
        count=counts.nodes(group.count),
        share=percent(group.count, nodes),
        fill=_fill(group.count, nodes),
        verdict=verdict_token(found),
        verdict_text=verdict_word(found),
        reported=None if found is None else answers([(found.plugin or "PreFilter", found.status)])[0],
        everything=answers(_statuses(group.filters)),
        examples=tuple((name, links.get(name, "")) for name in group.examples),
        more=words.AND_MORE(number=group.count - len(group.examples)) if 0 < len(group.examples) < group.count else "",
    )


def rejection(verdict: RejectionDocument | None) -> Rejection | None:
    """Return a rejection as the engine has it; None for none."""
    if verdict is None:
        return None
    return Rejection(verdict.plugin, Status(verdict.code, verdict.reasons))


def _statuses(filters: Mapping[str, StatusDocument]) -> Iterable[tuple[str, Status]]:
    """The rejections by plugin; whether removing pods could help is said of the recorded one only."""
    return [(plugin, Status(Code.UNRESOLVABLE, status.reasons)) for plugin, status in filters.items()]


def result_sentence(document: ExplanationDocument) -> str:
    """Say what the attempt came to."""
    return _ranking_sentence(document) if document.ranking else words.NO_NODE(nodes=document.node_count)


@dataclass(frozen=True, slots=True)
class KeptNode:
    """What the journal keeps of one node: its verdict, and its scores or what the groups say that it may be in."""

    name: str
    verdict: str
    verdict_text: str
    total: str
    scores: tuple[tuple[str, str], ...]
    groups: tuple[tuple[str, tuple[RejectionView, ...]], ...]


def kept_node(document: ExplanationDocument, name: str) -> KeptNode | None:
    """Present a node by name; None where the document does not name it."""
    pools = () if document.pools is UNSET else document.pools
    said = next((pool.nodes[name] for pool in pools if pool.nodes is not UNSET and name in pool.nodes), None)
    if said is None:
        return None
    scored = document.scored(name) or next((row for row in document.ranking if row.node == name), None)
    alike = [group for group in document.groups if _may_hold(group, name, said)]
    verdict = rejection(alike[0].verdict) if alike else None
    return KeptNode(
        name=name,
        verdict="fits" if isinstance(said, int) else verdict_token(verdict) if verdict else "rejected",
        verdict_text=verdict_word(verdict if isinstance(said, str) else None),
        total=POINTS(points=said) if isinstance(said, int) else "",
        scores=() if scored is None else tuple((name, grouped(each.weighted)) for name, each in scored.scores.items()),
        groups=tuple((counts.nodes(group.count), answers(_statuses(group.filters))) for group in alike)
        if isinstance(said, str)
        else (),
    )


def _may_hold(group: GroupDocument, name: str, said: int | str) -> bool:
    """Whether a node may be of a group: its examples are, and of groups that list fewer those of the same verdict."""
    if isinstance(said, int):
        return group.verdict is None
    return group.verdict is not None and (
        name in group.examples
        or (group.verdict.plugin == (said or group.verdict.plugin) and len(group.examples) < group.count)
    )


def _fill(part: int, whole: int) -> float:
    return round(100 * part / whole, 2) if whole else 0


# -- scores ------------------------------------------------------------------------------------------------------------


def ranking(document: ExplanationDocument, decided: str, nodes: Mapping[str, str]) -> Ranking | None:
    """Present the best nodes, and the one decided for where it is not among them; None where none is feasible.

    ``nodes``: the pages of those that the cluster still has.
    """
    if not document.ranking:
        return None
    plugins = tuple(document.ranking[0].scores)
    rows = list(document.ranking)
    chosen = document.scored(decided)
    if chosen is not None and not any(row.node == decided for row in rows):
        rows.append(chosen)
    best = rows[0].total
    ranked = tuple(_ranked(row, plugins, decided, best, nodes.get(row.node, "")) for row in rows)
    return Ranking(plugins, ranked, _ranking_sentence(document), tuple(_ranking_notes(document)))


def _ranked(row: RankedDocument, plugins: tuple[str, ...], decided: str, best: int, url: str) -> RankedNode:
    return RankedNode(
        rank=grouped(row.rank),
        node=row.node,
        url=url,
        total=grouped(row.total),
        cells=tuple(
            (plugin, grouped(score.weighted), f"{grouped(score.raw)} → {grouped(score.normalised)}")
            for plugin in plugins
            for score in (row.scores[plugin],)
        ),
        is_chosen=row.node == decided,
        is_best=row.total == best,
    )


def _ranking_sentence(document: ExplanationDocument) -> str:
    feasible, best = document.feasible_count, document.choice
    if best is None:
        return words.ends_in_error(feasible, document.node_count)
    if feasible == 1:
        return words.nothing_to_compare(feasible, document.node_count)
    return words.highest_total(feasible, document.node_count, tied=best.count, total=best.total)


def _ranking_notes(document: ExplanationDocument) -> Iterable[str]:
    sampling = document.sampling
    if not sampling.complete:
        yield words.SAMPLED(wanted=sampling.wanted, nodes=sampling.nodes)
    if document.error is not None:
        yield words.error_of(document.error.plugin, document.error.message)
    if document.choice is not None and document.choice.by == "nomination":
        yield str(words.TAKES_NOMINATED)


# -- preemption, and what is missing -----------------------------------------------------------------------------------


def preemption(document: ExplanationDocument) -> JournalPreemption | None:
    """Present what preemption would have done; None for a pod that fits, or a profile that does not preempt."""
    found = document.preemption
    if found is None:
        return None
    if not found.eligible:
        return JournalPreemption(str(words.PREEMPTION_NOT_TRIED), found.message or "", "", (), "")
    selected = found.selected
    if selected is None:
        return JournalPreemption(str(words.PREEMPTION_NOT_HELPFUL), found.message or "", "", (), "")
    hidden = selected.victim_count - len(selected.victims)
    namespaces = [victim.partition("/") for victim in selected.victims]
    return JournalPreemption(
        sentence=words.makes_room(
            selected.node, victims=selected.victim_count, violations=selected.pdb_violations, others=found.count - 1
        ),
        message="",
        node=selected.node,
        victims=tuple((namespace, name) for namespace, _, name in namespaces),
        more=words.AND_MORE(number=hidden) if hidden else "",
    )


def dropped(document: ExplanationDocument) -> str:
    """Say what the journal had no room for; empty where it holds all that it usually does."""
    return words.dropped(document.dropped) if document.dropped else ""
