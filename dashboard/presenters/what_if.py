"""Two explanations of one pod side by side, the differences marked: as it is, and as it would be."""

from __future__ import annotations

from difflib import unified_diff
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import yaml
from msgspec import Struct
from msgspec.structs import replace

from clusters.engine.admission import Addition, Admission, update_refusals
from clusters.engine.objects import Document, labels_of, namespace_of
from clusters.engine.owners import TEMPLATE_HASH, Controller, Workload
from clusters.engine.scheduling import FunnelStep, GroupAttempt, GroupVerdict
from clusters.wording import counts, refusals as refusals_words, states
from clusters.wording.amounts import grouped
from clusters.wording.decisions import nodes as nodes_words, what_if as what_if_texts, what_if as words
from clusters.wording.decisions.nodes import TOTAL_AND_RANK, rank
from clusters.wording.decisions.verdict import pending_sentence, with_group
from clusters.wording.lists import and_more, first_of, listed
from clusters.wording.pod_groups import UNCERTAIN, attempt_sentence
from clusters.wording.problems import problem_sentence, remedy_sentence
from dashboard.presenters.decisions.page import judged, preemption, verdict_token

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from clusters.engine import Explanation
    from clusters.engine.status import Mask
    from clusters.services.decisions.explain import Fault
    from clusters.wording.messages import Message


class PodUpdateView(NamedTuple):
    """Whether the pod that exists may be changed so: a sentence, and what the API server has against it."""

    kind: str
    title: str
    items: tuple[str, ...]


class FaultView(NamedTuple):
    """What is wrong with a text, in words; the line is 0 where none is to blame."""

    line: int
    field: str
    problem: str
    remedy: str


def faults(found: Iterable[Fault]) -> list[FaultView]:
    """Present what is wrong with a text."""
    return [
        FaultView(each.line, each.field, problem_sentence(each.problem), remedy_sentence(each.problem))
        for each in found
    ]


def additions(admission: Admission) -> list[tuple[Addition, str, str]]:
    """Present what admission would add, in order: each with its value, empty where it is left out, and its source."""
    return [
        (
            each,
            "" if each.value is None else _flow(each.value),
            refusals_words.source(each.source) if each.source else "",
        )
        for each in admission.additions
    ]


def refusals(admission: Admission) -> list[str]:
    """Say why the API server would not take the pod."""
    return [refusals_words.refusal(each) for each in admission.refusals]


def update(old: Document, new: Document) -> PodUpdateView:
    """Say whether the API server would change the pod that exists, or what has to be changed instead."""
    found = list(update_refusals(old, new))
    if not found:
        has_node = bool((old.get("spec") or {}).get("nodeName"))
        return PodUpdateView(
            "info", str(what_if_texts.UPDATE_OF_A_PLACED_POD if has_node else what_if_texts.UPDATE_TAKEN), ()
        )
    controller = Controller.of(old)
    template_hash = labels_of(old).get(TEMPLATE_HASH, "")
    workload = Workload.of(namespace_of(old), controller, template_hash)
    is_made = controller is not None and controller.kind != "Node"
    said = (
        what_if_texts.UPDATE_REFUSED_OF_WORKLOAD(workload=f"{workload.kind}/{workload.name}")
        if is_made
        else str(what_if_texts.UPDATE_REFUSED)
    )
    items = [f"{field}: {problem_sentence(problem)}" for field, problem in found]
    return PodUpdateView("info", said, tuple(items))


def _flow(found: Any) -> str:
    """Write a value as YAML in one line."""
    text = yaml.safe_dump(found, default_flow_style=True, sort_keys=False, allow_unicode=True, width=10_000)
    return text.removesuffix("\n").removesuffix("...").strip()


NODES_SHOWN = 12
NODES_SCORED = 6
MOVES_SHOWN = 8
LINES_SHOWN = 80
# Comparing takes the square of the lines where nothing is alike.
MOST_LINES_COMPARED = 2000
_NAMES_IN_A_MOVE = 3
# What is said of groups whose answer is uncertain.
_REFERENCE = "docs/versions.md"


class GroupSide(Struct, frozen=True):
    """What an attempt for the pod's group comes to on one side, and what kube-scheduler says of the group."""

    namespace: str
    name: str
    sentence: str
    quote: str


class SideView(Struct, frozen=True):
    """One explanation in short; `kind` is a word of the verdict tokens, `group` None for a pod tried by itself."""

    title: str
    kind: str
    word: str
    sentence: str
    fits: str
    best: str
    message: str
    preemption: str
    group: GroupSide | None


class Row(Struct, frozen=True):
    """One line of a comparison in words, or a filter in both funnels; `–` where a side's profile does not ask it."""

    name: str
    left: str
    right: str
    differs: bool


class Move(Struct, frozen=True):
    """Nodes whose verdict changed in the same way."""

    count: str
    names: str
    left: str
    left_kind: str
    right: str
    right_kind: str


class ScoreCell(Struct, frozen=True):
    """One plugin's weighted score of one node on both sides; empty where it has none."""

    plugin: str
    left: str
    right: str
    change: str


class ScoreLine(Struct, frozen=True):
    """One node's totals and ranks; `change` is empty where it does not fit on both sides."""

    node: str
    left: str
    right: str
    change: str
    cells: tuple[ScoreCell, ...]
    is_best: bool


def comparison(left: Explanation, right: Explanation, *, earlier: bool = False) -> dict[str, Any]:
    """Compare two explanations against the same state of a cluster; `earlier`: the left one is a what-if too.

    `plugins_alike` names those that score all nodes alike.
    """
    fits_left, fits_right = _mask(left), _mask(right)
    moves = list(_moves(left, right))
    # Saying that one is hidden takes the room of showing it.
    moves_shown = len(moves) if len(moves) == MOVES_SHOWN + 1 else MOVES_SHOWN
    sides = side(left, str(nodes_words.EARLIER if earlier else nodes_words.NOW)), side(right)
    columns = tuple(dict.fromkeys(score.plugin for each in (right, left) for score in each.scores))
    lines = tuple(_scores(left, right, columns))
    shown = {cell.plugin for line in lines for cell in line.cells if cell.change} or set(columns)
    return {
        "sentence": words.headline(left, right),
        "left": sides[0],
        "right": sides[1],
        "gained": _nodes(right, fits_right & ~fits_left, nodes_words.GAINED),
        "lost": _nodes(left, fits_left & ~fits_right, nodes_words.LOST),
        "rows": tuple(_rows(*sides)),
        "funnel": tuple(_funnel(left, right)),
        "moves": tuple(moves[:moves_shown]),
        "moves_hidden": len(moves[moves_shown:]),
        "plugins": tuple(plugin for plugin in columns if plugin in shown),
        "scores": tuple(
            replace(line, cells=tuple(cell for cell in line.cells if cell.plugin in shown)) for line in lines
        ),
        "plugins_alike": listed([plugin for plugin in columns if plugin not in shown]),
    }


def versions(left: Explanation, right: Explanation) -> str:
    """Name the Kubernetes versions of two sides; empty where they are the same."""
    minor, other = left.snapshot.release.minor, right.snapshot.release.minor
    return "" if minor == other else words.VERSIONS(left=minor, right=other)


def changed_lines(left: str, right: str) -> list[tuple[str, str]]:
    """Return the lines in which two texts differ, with their surroundings: what becomes of a line, and the line.

    None of texts that are too long to be compared.
    """
    if max(left.count("\n"), right.count("\n")) > MOST_LINES_COMPARED:
        return []
    marks = {"+": "added", "-": "removed", "@": "place"}
    lines = list(unified_diff(left.splitlines(), right.splitlines(), n=1, lineterm=""))[2:]
    return [(marks.get(line[:1], "same"), line if line.startswith("@") else line[1:]) for line in lines[:LINES_SHOWN]]


def side(explanation: Explanation, title: str = "") -> SideView:
    """Present one explanation in short."""
    kind, word = judged(explanation)
    found = preemption(explanation)
    return SideView(
        title=title or str(nodes_words.WHAT_IF),
        kind=kind,
        word=word,
        sentence=pending_sentence(explanation),
        fits=words.FEASIBLE_OF(feasible=len(explanation.cycle.feasible), nodes=explanation.node_count),
        best=words.best_nodes(explanation),
        message=explanation.message or "",
        preemption=found.sentence if found is not None else "",
        group=None if explanation.group is None else _group(explanation.group),
    )


def _group(attempt: GroupAttempt) -> GroupSide:
    namespace, _, name = str(attempt.key).partition("/")
    return GroupSide(namespace, name, _said_of_group(attempt), attempt.message)


def _said_of_group(attempt: GroupAttempt) -> str:
    if attempt.verdict is GroupVerdict.UNCERTAIN or attempt.is_open:
        return UNCERTAIN(reference=_REFERENCE)
    # Of a group with the basic policy the first tells that its pods are scheduled one by one.
    return attempt_sentence(attempt) or next(iter(with_group(attempt)), "")


def _rows(left: SideView, right: SideView) -> Iterator[Row]:
    none, unasked = str(nodes_words.NONE), str(nodes_words.NOT_EVALUATED)
    pairs = (
        (nodes_words.VERDICT, left.word, right.word),
        (nodes_words.FITS_ON, left.fits, right.fits),
        (nodes_words.BEST_NODE, left.best or none, right.best or none),
        (nodes_words.PREEMPTION, left.preemption or unasked, right.preemption or unasked),
        (nodes_words.MESSAGE, left.message or none, right.message or none),
    )
    yield from (Row(str(name), one, other, one != other) for name, one, other in pairs)
    if left.group is not None or right.group is not None:
        yield Row(str(nodes_words.POD_GROUP), _group_cell(left), _group_cell(right), left.group != right.group)


def _group_cell(side: SideView) -> str:
    return str(nodes_words.NO_GROUP) if side.group is None else side.group.sentence


def _mask(explanation: Explanation) -> Mask:
    found = np.zeros(explanation.node_count, np.bool_)
    found[explanation.cycle.feasible] = True
    return found


def _nodes(explanation: Explanation, mask: Mask, say: Message) -> dict[str, Any]:
    """Present nodes that are gained or lost: how many, and the first of them by name."""
    rows = np.flatnonzero(mask)
    names = tuple(explanation.snapshot.nodes.names[row] for row in rows[:NODES_SHOWN].tolist())
    more = len(rows) - len(names)
    return {"count": len(rows), "sentence": say(nodes=len(rows)), "names": names, "more": and_more(more)}


def _funnel(left: Explanation, right: Explanation) -> Iterator[Row]:
    steps = [{step.plugin: step for step in each.funnel} for each in (left, right)]
    for plugin in dict.fromkeys((*steps[1], *steps[0])):
        if all(found[plugin].skipped for found in steps if plugin in found):
            continue
        cells = []
        for found in steps:
            step = found.get(plugin)
            cells.append("–" if step is None else _remaining(step))
        yield Row(plugin, cells[0], cells[1], cells[0] != cells[1])


def _remaining(step: FunnelStep) -> str:
    return nodes_words.remaining(step.left, rejected=step.rejected_here, is_skipped=step.skipped)


def _moves(left: Explanation, right: Explanation) -> Iterator[Move]:
    """Group the nodes about which the two do not say the same, the largest groups first."""
    pairs = left.cycle.patterns.astype(np.int64) * max(1, right.cycle.pattern_count) + right.cycle.patterns
    _, first, inverse = np.unique(pairs, return_index=True, return_inverse=True)
    by_words: dict[tuple[str, str, str, str], list[int]] = {}
    for number, row in enumerate(first.tolist()):
        words = (*_said(left, row), *_said(right, row))
        if words[:2] != words[2:]:
            by_words.setdefault(words, []).append(number)
    found = [(np.flatnonzero(np.isin(inverse, numbers)), words) for words, numbers in by_words.items()]
    for rows, (was, was_kind, then, then_kind) in sorted(found, key=lambda each: -len(each[0])):
        names = [right.snapshot.nodes.names[row] for row in rows[:_NAMES_IN_A_MOVE].tolist()]
        shown = first_of(names, total=len(rows), most=_NAMES_IN_A_MOVE)
        yield Move(counts.NODES(number=len(rows)), shown, was, was_kind, then, then_kind)


def _said(explanation: Explanation, row: int) -> tuple[str, str]:
    """Say what everything that would fail says of a node, and its verdict's token."""
    rejection = explanation.verdict_of(row)
    kind = verdict_token(rejection)
    if rejection is None:
        return str(states.FEASIBLE), kind
    everything = explanation.rejections_of(row) or {rejection.plugin or "PreFilter": rejection.status}
    return "; ".join(f"{plugin}: {status.reported}" for plugin, status in everything.items()), kind


def _scores(left: Explanation, right: Explanation, columns: Iterable[str]) -> Iterator[ScoreLine]:
    """Show the best nodes of both sides, in the order of the right one."""
    names = right.snapshot.nodes.names
    rows = dict.fromkeys(
        [*_ranked(right)[:NODES_SCORED], *_ranked(left)[:NODES_SCORED]],
    )
    order = sorted(rows, key=lambda row: (-(right.total_of(row) or -1), -(left.total_of(row) or -1), names[row]))
    best = set(right.best)
    for row in order:
        totals = left.total_of(row), right.total_of(row)
        cells = [{cell.plugin: cell.weighted for cell in each.cells_of(row)} for each in (left, right)]
        yield ScoreLine(
            node=names[row],
            left=_total(left, totals[0]),
            right=_total(right, totals[1]),
            change=_change(*totals),
            cells=tuple(_cell(plugin, cells[0].get(plugin), cells[1].get(plugin)) for plugin in columns),
            is_best=names[row] in best,
        )


def _cell(plugin: str, left: int | None, right: int | None) -> ScoreCell:
    return ScoreCell(plugin, _number(left), _number(right), _change(left, right))


def _ranked(explanation: Explanation) -> list[int]:
    return [int(row) for row in explanation.ranking()] if explanation.scores else []


def _total(explanation: Explanation, total: int | None) -> str:
    if total is None:
        return str(nodes_words.DOES_NOT_FIT)
    return TOTAL_AND_RANK(points=total, rank=rank(explanation, total))


def _number(value: int | None) -> str:
    return "" if value is None else grouped(value)


def _change(left: int | None, right: int | None) -> str:
    if left is None or right is None or left == right:
        return ""
    return f"+{grouped(right - left)}" if right > left else f"−{grouped(left - right)}"
