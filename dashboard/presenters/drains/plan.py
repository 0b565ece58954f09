"""The plan of a drain as a page: batches as a picture, evictions, what keeps the rest, answers as of now."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from clusters.engine.disruption.drain import Treatment
from clusters.engine.disruption.drain_plan import Block
from clusters.wording.amounts import counted, grouped
from dashboard.presenters.drains import words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusters.engine.disruption.drain_plan import Batch, Eviction, Plan, PlannedPod, StuckNode

BATCHES_SHOWN = 40
_NODES_NAMED = 12
_REASONS_SHOWN = 3
_PODS_NAMED = 3
_OBSTACLES_SHOWN = 8
# More nodes than this would be slivers.
_SEGMENTS = 80
PLAN_COLUMNS = (
    "batch", "node", "pod", "asked", "answer", "because", "goes to", "how chosen", "remarks",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Segment:
    """A node's part of a batch's bar, in percent of the widest bar."""

    start: float
    width: float


@dataclass(frozen=True, slots=True)
class BatchRow:
    """A batch in the picture."""

    number: int
    nodes: str
    evictions: str
    waits: str
    segments: tuple[Segment, ...]


@dataclass(frozen=True, slots=True)
class BatchView:
    """The batch that is looked at; `named` are its first nodes, `more` says how many others it has."""

    number: int
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
    """Pods in the way for one reason; `code` is the API server's answer, empty where there is none.

    `pods` and `budgets` are pairs of namespace and name; `more` says how many other pods there are.
    """

    pods: tuple[tuple[str, str], ...]
    more: str
    code: str
    budgets: tuple[tuple[str, str], ...]
    text: str


@dataclass(frozen=True, slots=True)
class Tally:
    """How many nodes a budget, as namespace and name, or else what `label` says keeps from being drained."""

    budget: tuple[str, str] | None
    label: str
    text: str


@dataclass(frozen=True, slots=True)
class StuckRow:
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
        nodes=counted(len(batch.nodes), "node", "nodes"),
        evictions=counted(evictions, "eviction", "evictions"),
        waits=_waits(batch),
        segments=tuple(segments),
    )


def _waits(batch: Batch) -> str:
    return "" if batch.rounds == 1 else f"asks {grouped(batch.rounds)} times"


def batch_view(plan: Plan, number: int) -> BatchView:
    """Present one batch."""
    batch = plan.batches[number - 1]
    names = [node.name for node in batch.nodes]
    evictions = len(batch.evictions)
    staying = sum(node.staying for node in batch.nodes)
    what = counted(evictions, "eviction", "evictions")
    if staying:
        what += f", {counted(staying, 'pod stays', 'pods stay')}"
    if batch.rounds == 1:
        how = "Every eviction is granted at once" if evictions else "Nothing has to be evicted"
    else:
        how = (
            f"Some pods are refused at first: they are asked for {grouped(batch.rounds)} times, each time after what "
            "takes the place of the others is ready"
        )
    together = "One node" if len(names) == 1 else f"{grouped(len(names))} nodes at the same time"
    hidden = len(names) - _NODES_NAMED
    return BatchView(
        number=number,
        sentence=f"{together}: {what}. {how}.",
        named=tuple(names[:_NODES_NAMED]),
        more=f"and {grouped(hidden)} more" if hidden > 0 else "",
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
        because=words.granted_text(eviction.answer, namespace),
        when=words.round_text(eviction.round),
        target=landing.node if landing is not None else "",
        how=words.landing_text(landing) if landing is not None else words.unreplaced_text(eviction),
        notes=tuple(words.notes(eviction)),
    )


# -- what keeps the rest ---------------------------------------------------------------------------------


def obstacles(plan: Plan) -> list[Tally]:
    """Count the nodes that each budget, or whatever else, keeps from being drained; the worst first."""
    counts: Counter[tuple[Block | None, tuple[str, str] | None]] = Counter()
    for node in plan.stuck:
        found: set[tuple[Block | None, tuple[str, str] | None]] = set()
        for blocker in node.blockers:
            names = blocker.answer.budgets if blocker.answer is not None and blocker.landing is None else ()
            found.update((None, (_split(blocker.pod)[0], name)) for name in names)
            if not names:
                found.add((blocker.kind, None))
        counts.update(found or {(Block.NOT_COMPUTED, None)})
    return [
        Tally(budget, words.BLOCKS[kind][0] if kind is not None else "", counted(number, "node", "nodes"))
        for (kind, budget), number in counts.most_common(_OBSTACLES_SHOWN)
    ]


def stuck_row(node: StuckNode) -> StuckRow:
    """Present a node that is not drained, the reasons that weigh most first."""
    label, kind = words.BLOCKS[node.kind]
    order = list(Block)
    reasons: dict[tuple[int, str, tuple[tuple[str, str], ...], str], list[tuple[str, str]]] = {}
    for blocker in node.blockers:
        pod = _split(blocker.pod)
        answer = blocker.answer if blocker.landing is None else None
        budgets = tuple((pod[0], name) for name in answer.budgets) if answer is not None else ()
        code = str(answer.code) if answer is not None else ""
        reasons.setdefault((order.index(blocker.kind), code, budgets, words.blocker_text(blocker)), []).append(pod)
    ordered = sorted(reasons.items(), key=lambda reason: reason[0][0])
    hidden = len(ordered) - _REASONS_SHOWN
    return StuckRow(
        node=node.name,
        label=label,
        kind=kind,
        blockers=tuple(
            BlockerRow(tuple(pods[:_PODS_NAMED]), _more(len(pods) - _PODS_NAMED), code, budgets, text)
            for (_, code, budgets, text), pods in ordered[:_REASONS_SHOWN]
        ),
        more=f"and {counted(hidden, 'more reason', 'more reasons')}" if hidden > 0 else "",
    )


def _more(hidden: int) -> str:
    return f"and {counted(hidden, 'more pod', 'more pods')}" if hidden > 0 else ""


# -- answers as of now -----------------------------------------------------------------------------------

ANSWER_KINDS = {"200": "good", "403": "bad", "429": "warn", "500": "bad", "stays": "", "held": "warn"}
_TILES = (
    ("200", "granted (200)"),
    ("429", "refused for now (429)"),
    ("500", "never granted (500)"),
    ("403", "forbidden (403)"),
    ("held", "not asked for"),
    ("stays", "stay"),
)


def answer_of(asked: PlannedPod) -> str:
    """Return the short name of what a pod is answered."""
    if asked.answer is not None:
        return str(asked.answer.code)
    return "stays" if asked.handling.treatment.stays else "held"


def answer_counts(plan: Plan) -> list[tuple[str, str, str]]:
    """Return label, count and short name of each answer that some pod is given."""
    counts = Counter(map(answer_of, plan.asked))
    return [(label, grouped(counts[answer]), answer) for answer, label in _TILES if counts[answer]]


def asked_row(asked: PlannedPod) -> AskedRow:
    """Present a pod's answer."""
    namespace, name = _split(asked.pod)
    answer = answer_of(asked)
    labels = {"stays": "Stays", "held": "Not asked for"}
    if asked.handling.treatment is Treatment.HELD:
        labels["held"] = "Needs a flag"
    return AskedRow(
        node=asked.node,
        namespace=namespace,
        name=name,
        answer=labels.get(answer, answer),
        kind=ANSWER_KINDS[answer],
        text=words.asked_text(asked.handling, asked.answer, namespace),
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
    for node in plan.stuck:
        label, _ = words.BLOCKS[node.kind]
        for blocker in node.blockers:
            code: str | int = blocker.answer.code if blocker.answer is not None and blocker.landing is None else ""
            yield "", node.name, blocker.pod, "", code, words.blocker_text(blocker), "", "", label
        if not node.blockers:
            yield "", node.name, "", "", "", "", "", "", label
