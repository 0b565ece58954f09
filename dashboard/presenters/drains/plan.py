"""The plan of a drain as a page: batches as a picture, evictions, what keeps the rest, answers as of now."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from clusters.engine.disruption import Block, Treatment
from clusters.wording import counts
from clusters.wording.amounts import grouped
from clusters.wording.drains import plan as words
from clusters.wording.drains import pods as sentences
from clusters.wording.drains.page import MORE
from clusters.wording.drains.pods import eviction_answer
from dashboard.presenters.drains import pods

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusters.engine.disruption import Batch, BlockedNode, Eviction, Plan, PlannedPod
    from clusters.services.evaluation import Progress
    from dashboard.presenters.drains.pods import Why

BATCHES_SHOWN = 40
BLOCK_KINDS = {
    Block.FLAG: "warn",
    Block.TWO_BUDGETS: "bad",
    Block.NEVER: "bad",
    Block.BUDGET: "warn",
    Block.NO_ROOM: "bad",
    Block.NOT_COMPUTED: "",
}
_NODES_NAMED = 12
_REASONS_SHOWN = 3
_PODS_NAMED = 3
_OBSTACLES_SHOWN = 8
# More nodes than this would be slivers.
_SEGMENTS = 80


@dataclass(frozen=True, slots=True)
class Segment:
    """A node's part of a batch's bar, in percent of the widest bar."""

    start: float
    width: float


@dataclass(frozen=True, slots=True)
class BatchRow:
    """A batch in the picture; `requests` is empty where each eviction is allowed at the first."""

    number: int
    title: str
    nodes: str
    evictions: str
    requests: str
    segments: tuple[Segment, ...]


@dataclass(frozen=True, slots=True)
class BatchView:
    """The batch that is looked at; `named` are its first nodes, `more` says how many others it has."""

    title: str
    sentence: str
    named: tuple[str, ...]
    more: str


@dataclass(frozen=True, slots=True)
class EvictionRow:
    """A granted eviction; `can_link` tells whether the pod is there today."""

    number: str
    namespace: str
    name: str
    can_link: bool
    node: str
    because: str
    when: str
    target: str
    how: str
    notes: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class BlockerRow:
    """Pods that block a node for one reason; `answer` is the API server's, empty where there is none.

    `pods` and `budgets` are pairs of namespace and name; `more` says how many other pods there are.
    """

    pods: tuple[tuple[str, str], ...]
    more: str
    answer: str
    budgets: tuple[tuple[str, str], ...]
    why: Why


@dataclass(frozen=True, slots=True)
class Tally:
    """How many nodes a budget, as namespace and name, or else what `label` says keeps from being drained."""

    budget: tuple[str, str] | None
    label: str
    text: str


@dataclass(frozen=True, slots=True)
class BlockedRow:
    """A node that is not drained."""

    node: str
    label: str
    kind: str
    blockers: tuple[BlockerRow, ...]
    more: str


@dataclass(frozen=True, slots=True)
class AskedRow:
    """What a pod's eviction would be answered now."""

    node: str
    namespace: str
    name: str
    answer: str
    kind: str
    text: str
    budgets: tuple[str, ...]


def _split(key: str) -> tuple[str, str]:
    namespace, _, name = key.partition("/")
    return namespace, name


# -- batches ---------------------------------------------------------------------------------------------


def batch_rows(plan: Plan, current: int) -> list[BatchRow]:
    """Present as many batches as fit the picture, with the current one among them."""
    widest = max((len(batch.evictions) for batch in plan.batches), default=0) or 1
    first = (current - 1) // BATCHES_SHOWN * BATCHES_SHOWN
    shown = plan.batches[first : first + BATCHES_SHOWN]
    return [_batch_row(number, batch, widest) for number, batch in enumerate(shown, first + 1)]


def _batch_row(number: int, batch: Batch, widest: int) -> BatchRow:
    evictions = len(batch.evictions)
    sizes = [len(node.evictions) for node in batch.nodes if node.evictions]
    if len(sizes) > _SEGMENTS:
        sizes = [sum(sizes)]
    segments, start = [], 0.0
    for size in sizes:
        width = 100 * size / widest
        segments.append(Segment(start, width))
        start += width
    return BatchRow(
        number=number,
        title=words.BATCH_TITLE(number=number),
        nodes=counts.nodes(len(batch.nodes)),
        evictions=words.EVICTIONS(number=evictions),
        requests=words.requested(batch.rounds),
        segments=tuple(segments),
    )


def batch_view(plan: Plan, number: int) -> BatchView:
    """Present one batch."""
    batch = plan.batches[number - 1]
    names = [node.name for node in batch.nodes]
    evictions = len(batch.evictions)
    staying = sum(node.staying for node in batch.nodes)
    said = [
        words.TOGETHER(nodes=len(names)),
        words.EVICTED(pods=evictions) if evictions else str(words.NOTHING_TO_EVICT),
    ]
    if staying:
        said.append(words.STAYING(pods=staying))
    if batch.rounds > 1:
        said.append(words.REPEATED(rounds=batch.rounds))
    elif evictions:
        said.append(str(words.ALL_AT_ONCE))
    hidden = len(names) - _NODES_NAMED
    return BatchView(
        title=words.BATCH_TITLE(number=number),
        sentence=" ".join(said),
        named=tuple(names[:_NODES_NAMED]),
        more=MORE(number=hidden) if hidden > 0 else "",
    )


def eviction_row(number: int, eviction: Eviction) -> EvictionRow:
    """Present an eviction."""
    namespace, name = _split(eviction.pod)
    landing = eviction.landing
    return EvictionRow(
        number=grouped(number),
        namespace=namespace,
        name=name,
        can_link=not eviction.moved,
        node=eviction.node,
        because=sentences.ground(eviction.answer, namespace),
        when=sentences.at_request(eviction.round),
        target=landing.node if landing is not None else "",
        how=sentences.landing(landing) if landing is not None else pods.unreplaced(eviction),
        notes=tuple(pods.notes(eviction)),
    )


# -- what keeps the rest ---------------------------------------------------------------------------------


def obstacles(plan: Plan) -> list[Tally]:
    """Count the nodes that each budget, or whatever else, keeps from being drained; the worst first."""
    nodes: Counter[tuple[Block | None, tuple[str, str] | None]] = Counter()
    for node in plan.blocked:
        found: set[tuple[Block | None, tuple[str, str] | None]] = set()
        for blocker in node.blockers:
            names = blocker.answer.budgets if blocker.answer is not None and blocker.landing is None else ()
            found.update((None, (_split(blocker.pod)[0], name)) for name in names)
            if not names:
                found.add((blocker.kind, None))
        nodes.update(found or {(Block.NOT_COMPUTED, None)})
    return [
        Tally(budget, str(words.BLOCKS[kind]) if kind is not None else "", counts.nodes(number))
        for (kind, budget), number in nodes.most_common(_OBSTACLES_SHOWN)
    ]


def blocked_row(node: BlockedNode) -> BlockedRow:
    """Present a node that is not drained, the reasons that weigh most first."""
    order = list(Block)
    reasons: dict[tuple[int, str, tuple[tuple[str, str], ...], Why], list[tuple[str, str]]] = {}
    for blocker in node.blockers:
        pod = _split(blocker.pod)
        answer = blocker.answer if blocker.landing is None else None
        budgets = tuple((pod[0], name) for name in answer.budgets) if answer is not None else ()
        code = str(answer.code) if answer is not None else ""
        reasons.setdefault((order.index(blocker.kind), code, budgets, pods.blocker(blocker)), []).append(pod)
    ordered = sorted(reasons.items(), key=lambda reason: reason[0][0])
    hidden = len(ordered) - _REASONS_SHOWN
    return BlockedRow(
        node=node.name,
        label=str(words.BLOCKS[node.kind]),
        kind=BLOCK_KINDS[node.kind],
        blockers=tuple(
            _blocker_row(named, code, budgets, why) for (_, code, budgets, why), named in ordered[:_REASONS_SHOWN]
        ),
        more=words.MORE_REASONS(number=hidden) if hidden > 0 else "",
    )


def _blocker_row(named: list[tuple[str, str]], code: str, budgets: tuple[tuple[str, str], ...], why: Why) -> BlockerRow:
    hidden = len(named) - _PODS_NAMED
    return BlockerRow(
        pods=tuple(named[:_PODS_NAMED]),
        more=words.MORE_PODS(number=hidden) if hidden > 0 else "",
        answer=eviction_answer(int(code)) if code else "",
        budgets=budgets,
        why=why,
    )


# -- answers as of now -----------------------------------------------------------------------------------

ANSWER_KINDS = {"200": "good", "403": "bad", "429": "warn", "500": "bad", "stays": "", "held": "warn"}
_TILES = ("200", "429", "500", "403", "held", "stays")


def _answer_name(answer: str) -> str:
    """Name what a pod is answered, or why its eviction is not requested."""
    if answer in ("200", "429", "500"):
        return eviction_answer(int(answer))
    return str({"403": words.FORBIDDEN, "held": words.NOT_REQUESTED}.get(answer, words.STAYS))


def answer_of(asked: PlannedPod) -> str:
    """Return the short name of what a pod is answered."""
    if asked.answer is not None:
        return str(asked.answer.code)
    return "stays" if asked.handling.treatment.stays else "held"


def answer_counts(plan: Plan) -> list[tuple[str, str]]:
    """Return text and short name of each answer that some pod is given."""
    counted = Counter(map(answer_of, plan.asked))
    return [
        (words.ANSWERED(answer=_answer_name(answer), pods=counted[answer]), answer)
        for answer in _TILES
        if counted[answer]
    ]


def asked_row(asked: PlannedPod) -> AskedRow:
    """Present a pod's answer."""
    namespace, name = _split(asked.pod)
    answer = answer_of(asked)
    is_held = asked.handling.treatment is Treatment.HELD
    return AskedRow(
        node=asked.node,
        namespace=namespace,
        name=name,
        answer=str(words.NEEDS_A_FLAG) if is_held and answer == "held" else _answer_name(answer),
        kind=ANSWER_KINDS[answer],
        text=pods.now(asked.handling, asked.answer, namespace),
        budgets=asked.answer.budgets if asked.answer is not None else (),
    )


# -- files -----------------------------------------------------------------------------------------------


def plan_cells(plan: Plan) -> Iterator[tuple[str | int, ...]]:
    """Yield one row for each eviction in order, then one for each pod that keeps a node from being drained."""
    for number, batch in enumerate(plan.batches, 1):
        for position, eviction in enumerate(batch.evictions, 1):
            row = eviction_row(position, eviction)
            remarks = ", ".join(text for text, _ in row.notes)
            yield number, row.node, eviction.pod, eviction.round, 200, row.because, row.target, row.how, remarks
    for node in plan.blocked:
        label = str(words.BLOCKS[node.kind])
        for blocker in node.blockers:
            code: str | int = blocker.answer.code if blocker.answer is not None and blocker.landing is None else ""
            yield "", node.name, blocker.pod, "", code, str(pods.blocker(blocker)), "", "", label
        if not node.blockers:
            yield "", node.name, "", "", "", "", "", "", label


def progress_view(progress: Progress) -> dict[str, object]:
    """Present how far a worker is with a plan."""
    said = (
        words.PROGRESS(done=progress.done, nodes=progress.total)
        if progress.done
        else words.BEGINS(nodes=progress.total)
    )
    return {"progress": progress, "sentence": said}
