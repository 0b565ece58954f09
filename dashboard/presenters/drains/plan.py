"""The plan of a drain as a page: batches, evictions, workloads, and what keeps the rest."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec import Struct

from clusters.engine.disruption import (
    Batch,
    Block,
    BlockedNode,
    Blocker,
    Eviction,
    EvictionAnswer,
    Ground,
    Handling,
    Landing,
    Plan,
    PlannedPod,
    Treatment,
)
from clusters.engine.simulation import WorkloadEffect
from clusters.wording import counts, drains as drains_words, lists, states
from clusters.wording.amounts import grouped
from clusters.wording.blocked_drains import REFUSED, held_sentence
from clusters.wording.drains import eviction_answer, refused, sentences as sentences_sentences
from clusters.wording.lists import NOT_LISTED, first_of
from clusters.wording.runs import summary as effects
from dashboard.presenters.shared import page
from dashboard.presenters.shared.page import Quote, workload_links

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from clusters.models import Cluster
    from clusters.services.evaluation import Progress


def headline(plan: Plan, workloads: Mapping[str, Any] | None) -> str:
    """Say how many of the nodes can be drained, and what that does to workloads."""
    total, blocked = len(plan.nodes), len(plan.blocked)
    if total == 1:
        said = _blocked(plan) if blocked else drains_words.NODE_DRAINED(node=plan.nodes[0])
    else:
        said = drains_words.CAN_BE_DRAINED(done=total - blocked, nodes=total)
    return " ".join((said, *(sentences_sentences(workloads) if workloads and blocked < total else ())))


def _blocked(plan: Plan) -> str:
    """Say what kubectl does to the only node of a plan, which it does not empty."""
    (node,) = plan.blocked
    blocked = drains_words.NODE_BLOCKED(node=node.name)
    if not node.evicted:
        return f"{blocked} {drains_words.NOTHING_EVICTED}"
    gone = {eviction.pod for eviction in node.evicted}
    answers = [asked.answer for asked in plan.asked if asked.answer is not None and asked.pod not in gone]
    failed = sum(answer.fails for answer in answers)
    said = [blocked, drains_words.KUBECTL_EVICTS(gone=len(gone), pods=counts.PODS(number=len(gone) + len(answers)))]
    if left := len(answers) - failed:
        said.append(drains_words.KUBECTL_WAITS(left=left))
    if failed:
        said.append(drains_words.KUBECTL_FAILS(failed=failed))
    if not answers:
        said.append(drains_words.UNPLACED(pods=sum(eviction.is_homeless for eviction in node.evicted)))
    return " ".join(said)


def course(plan: Plan) -> str:
    """Say in how many batches nodes are drained, what becomes of their pods, and what blocks the others."""
    said = []
    if plan.batches:
        said.append(drains_words.IN_BATCHES(batches=len(plan.batches)))
    evictions = [eviction for evictions in plan.courses for eviction in evictions]
    if plan.batches or evictions:
        said += _evicted(evictions)
    blocked = Counter(node.kind for node in plan.blocked)
    said += [f"{drains_words.BLOCKS_OF[kind]}: {grouped(blocked[kind])}." for kind in Block if blocked[kind]]
    if plan.blocked:
        said.append(_kept(plan.blocked[0]))
    return " ".join(filter(None, said))


def _kept(node: BlockedNode) -> str:
    """Say which pods block a node for want of a flag or by a budget; empty where it is something else."""
    mine = [blocker for blocker in node.blockers if blocker.kind is node.kind]
    names = [blocker.pod for blocker in mine]
    if node.kind is Block.FLAG:
        flag = mine[0].handling.wants[0]
        wanting = [blocker.pod for blocker in mine if flag in blocker.handling.wants]
        return held_sentence(node.name, flag, wanting, len(wanting))
    if mine and mine[0].answer is not None and mine[0].landing is None:
        return REFUSED(
            node=node.name, pods=first_of(names, total=len(names)), message=" ".join(refused(mine[0].answer).split())
        )
    return ""


def _evicted(evictions: Sequence[Eviction]) -> list[str]:
    """Say how many pods are evicted and what becomes of them; those of blocked nodes may have no room."""
    if not evictions:
        return [str(drains_words.NOTHING_TO_EVICT)]
    lost = sum(eviction.handling.is_unmanaged for eviction in evictions)
    unneeded = sum(eviction.landing is None for eviction in evictions) - lost
    homeless = sum(eviction.is_homeless for eviction in evictions)
    placed = sum(eviction.landing is not None for eviction in evictions) - homeless
    uncertain = sum(eviction.landing is not None and bool(eviction.landing.uncertain) for eviction in evictions)
    counts = (
        (placed, drains_words.PLACED),
        (homeless, drains_words.UNPLACED),
        (uncertain, drains_words.UNCERTAIN),
        (unneeded, drains_words.WITHOUT_REPLACEMENT),
        (lost, drains_words.PODS_NOT_RECREATED),
    )
    return [drains_words.EVICTED(pods=len(evictions)), *(said(pods=number) for number, said in counts if number)]


class Why(Struct, frozen=True):
    """Why a pod blocks the drain of its node: the scheduler's message about its replacement, and what Berth says."""

    text: str = ""
    quote: Quote | None = None

    def __str__(self) -> str:
        """Return all of it in one line."""
        return " ".join(filter(None, (self.quote.whole if self.quote is not None else "", self.text)))


def unplaced(landing: Landing) -> Why:
    """Say why a replacement is not placed."""
    if landing.is_gated:
        return Why(drains_words.GATED(state=states.GATED))
    if landing.failed:
        return Why(page.not_computed_sentence(landing.failed))
    if landing.scheduler:
        return Why(drains_words.OTHER_SCHEDULER(scheduler=landing.scheduler))
    return Why(drains_words.PREEMPTIBLE(nodes=landing.victims) if landing.victims else "", Quote(landing.message))


def unreplaced(eviction: Eviction) -> str:
    """Say why an evicted pod has no replacement."""
    if eviction.handling.is_unmanaged:
        return str(drains_words.IS_NOT_RECREATED)
    if eviction.answer.ground is Ground.TERMINATING:
        return str(drains_words.ALREADY_REPLACED)
    return str(drains_words.NO_REPLACEMENT)


def notes(eviction: Eviction) -> list[tuple[str, str]]:
    """Return what is to be known of an eviction beside where the pod goes: pairs of text and kind."""
    found = (
        (eviction.handling.loses_data, drains_words.EMPTY_DIR_LOST, "warn"),
        (eviction.handling.is_unmanaged, drains_words.NOT_RECREATED, "bad"),
        (bool(eviction.moved), drains_words.MOVES_AGAIN, "info"),
    )
    return [(str(text), kind) for holds, text, kind in found if holds]


def now(handling: Handling, answer: EvictionAnswer | None, namespace: str) -> str:
    """Say what becomes of a pod if the drain began now."""
    if answer is None:
        if handling.treatment is Treatment.HELD:
            return drains_words.needed_flags(handling)
        return str(drains_words.WHY_IT_STAYS.get(handling.treatment, drains_words.NOT_BEGUN))
    return drains_words.ground(answer, namespace) if answer.is_granted else drains_words.refused(answer)


def blocker_reason(pod: Blocker) -> Why:
    """Say why a pod blocks the drain of its node."""
    if pod.kind is Block.FLAG:
        return Why(drains_words.needed_flags(pod.handling))
    if pod.kind is Block.NO_ROOM:
        return unplaced(pod.landing) if pod.landing is not None else Why()
    return Why(drains_words.refused(pod.answer) if pod.answer is not None else "")


_SHOWN = 15


class DrainedWorkloadRow(NamedTuple):
    """A workload as plans store it; `url` is empty where the cluster has no such workload."""

    workload: Mapping[str, Any]
    url: str

    @property
    def badge(self) -> tuple[str, str]:
        """The gravest effect, in the order in which workloads are listed, and the kind of its badge."""
        each = self.workload
        holds = (
            (each["quorum"] == "lost", effects.EFFECTS[WorkloadEffect.LOSES_QUORUM], "bad"),
            (each["missing"] and not each["after"], effects.EFFECTS[WorkloadEffect.STOPPED], "bad"),
            (each["quorum"] == "interrupted", effects.EFFECTS[WorkloadEffect.QUORUM_INTERRUPTED], "warn"),
            (each["missing"], effects.EFFECTS[WorkloadEffect.RUNS_FEWER], "warn"),
            (each["unschedulable"], drains_words.KEEPS_UNSCHEDULABLE, "bad"),
            (each["refused"], drains_words.KEEPS_REFUSED, "warn"),
            (True, effects.EFFECTS[WorkloadEffect.RECREATED], "good"),
        )
        return next((str(label), kind) for is_so, label, kind in holds if is_so)


def workload_tiles(workloads: Mapping[str, Any], plan: Plan) -> list[tuple[str, str]]:
    """Return the key numbers of a plan."""
    said = [
        (drains_words.UNIT_OF_EVICTIONS, sum(map(len, plan.courses))),
        (effects.WORKLOADS, workloads["workloads"]),
        (effects.FEWER, workloads["fewer"]),
        (effects.QUORUM_LOST, workloads["quorum_lost"] + workloads["quorum_interrupted"]),
        (drains_words.UNSCHEDULABLE, workloads["unschedulable"]),
        (drains_words.REFUSED, workloads["refused"]),
    ]
    return [(str(name), grouped(number)) for name, number in said]


def workloads_view(workloads: Mapping[str, Any], cluster: Cluster) -> dict[str, Any] | None:
    """Present the workloads that a plan touches, the gravest apart from the others; None where there is none."""
    first: Sequence[Mapping[str, Any]] = workloads["first"]
    if not first:
        return None
    links = workload_links(cluster, [(each["kind"], each["namespace"], each["name"]) for each in first])
    rows = [DrainedWorkloadRow(each, links.get((each["kind"], each["namespace"], each["name"]), "")) for each in first]
    grave = sum(map(_is_grave, first)) or min(_SHOWN, len(rows))
    others, unlisted = len(rows) - grave, workloads["not_listed"]
    return {
        "rows": rows[:grave],
        "more": rows[grave:],
        "more_title": effects.MORE_WORKLOADS(workloads=others) if others else "",
        "not_listed": NOT_LISTED(number=unlisted) if unlisted else "",
    }


def _is_grave(each: Mapping[str, Any]) -> bool:
    return bool(each["missing"] or each["unschedulable"] or each["refused"] or each["quorum"] != "kept")


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


class BatchRow(Struct, frozen=True):
    """A batch in the picture; `requests` is empty where each eviction is allowed at the first.

    `segments`: where each node's part of its bar begins and how wide it is, in percent of the widest bar.
    """

    number: int
    title: str
    nodes: str
    evictions: str
    requests: str
    segments: tuple[tuple[float, float], ...]


class EvictionRow(Struct, frozen=True):
    """A granted eviction; `can_link` tells whether the pod is there today."""

    number: str
    namespace: str
    name: str
    can_link: bool
    node: str
    because: str
    when: str
    target: str
    how: Why
    notes: tuple[tuple[str, str], ...]


class BlockerRow(Struct, frozen=True):
    """Pods that block a node for one reason; `answer` is the API server's, empty where there is none.

    `pods` and `budgets` are pairs of namespace and name; `more` says how many other pods there are.
    """

    pods: tuple[tuple[str, str], ...]
    more: str
    answer: str
    budgets: tuple[tuple[str, str], ...]
    why: Why


class AskedRow(Struct, frozen=True):
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
        segments.append((start, width))
        start += width
    return BatchRow(
        number=number,
        title=drains_words.BATCH_TITLE(number=number),
        nodes=counts.NODES(number=len(batch.nodes)),
        evictions=drains_words.EVICTIONS(number=evictions),
        requests=drains_words.REQUESTS(rounds=batch.rounds) if batch.rounds > 1 else "",
        segments=tuple(segments),
    )


def batch_view(plan: Plan, number: int) -> dict[str, Any]:
    """Present one batch; `named` are its first nodes, `more` says how many others it has."""
    batch = plan.batches[number - 1]
    names = [node.name for node in batch.nodes]
    evictions = len(batch.evictions)
    staying = sum(node.staying for node in batch.nodes)
    said = [
        drains_words.TOGETHER(nodes=len(names)),
        drains_words.EVICTED(pods=evictions) if evictions else str(drains_words.NOTHING_TO_EVICT),
    ]
    if staying:
        said.append(drains_words.STAYING(pods=staying))
    if batch.rounds > 1:
        said.append(drains_words.REPEATED(rounds=batch.rounds))
    hidden = len(names) - _NODES_NAMED
    return {
        "title": drains_words.BATCH_TITLE(number=number),
        "sentence": " ".join(said),
        "named": names[:_NODES_NAMED],
        "more": lists.and_more(hidden),
    }


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
        because=drains_words.ground(eviction.answer, namespace),
        when=drains_words.AT_REQUEST(number=eviction.round) if eviction.round > 1 else "",
        target=landing.node if landing is not None else "",
        how=_how(eviction),
        notes=tuple(notes(eviction)),
    )


def _how(eviction: Eviction) -> Why:
    """Say how the replacement's node is chosen, or why there is none."""
    if eviction.landing is None:
        return Why(unreplaced(eviction))
    return Why(drains_words.landing(eviction.landing)) if eviction.landing.node else unplaced(eviction.landing)


# -- what keeps the rest ---------------------------------------------------------------------------------


def obstacles(plan: Plan) -> list[tuple[tuple[str, str] | None, str, str]]:
    """Count the nodes that each budget, as namespace and name, or else what the second says blocks; the worst first."""
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
        (budget, str(drains_words.BLOCKS_OF[kind]) if kind is not None else "", counts.NODES(number=number))
        for (kind, budget), number in nodes.most_common(_OBSTACLES_SHOWN)
    ]


def blocked_row(node: BlockedNode) -> dict[str, Any]:
    """Present a node that is not drained, the reasons that weigh most first."""
    order = list(Block)
    reasons: dict[tuple[int, str, tuple[tuple[str, str], ...], Why], list[tuple[str, str]]] = {}
    for blocker in node.blockers:
        pod = _split(blocker.pod)
        answer = blocker.answer if blocker.landing is None else None
        budgets = tuple((pod[0], name) for name in answer.budgets) if answer is not None else ()
        code = str(answer.code) if answer is not None else ""
        reasons.setdefault((order.index(blocker.kind), code, budgets, blocker_reason(blocker)), []).append(pod)
    ordered = sorted(reasons.items(), key=lambda reason: reason[0][0])
    hidden = len(ordered) - _REASONS_SHOWN
    return {
        "node": node.name,
        "label": str(drains_words.BLOCKS_OF[node.kind]),
        "kind": BLOCK_KINDS[node.kind],
        "blockers": tuple(
            _blocker_row(named, code, budgets, why) for (_, code, budgets, why), named in ordered[:_REASONS_SHOWN]
        ),
        "more": lists.and_more(hidden),
    }


def _blocker_row(named: list[tuple[str, str]], code: str, budgets: tuple[tuple[str, str], ...], why: Why) -> BlockerRow:
    hidden = len(named) - _PODS_NAMED
    return BlockerRow(
        pods=tuple(named[:_PODS_NAMED]),
        more=lists.and_more(hidden),
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
    return str({"403": drains_words.FORBIDDEN, "held": drains_words.NOT_REQUESTED}.get(answer, drains_words.STAYS))


def answer_of(asked: PlannedPod) -> str:
    """Return the short name of what a pod is answered."""
    if asked.answer is not None:
        return str(asked.answer.code)
    return "stays" if asked.handling.treatment.stays else "held"


def answer_counts(plan: Plan) -> list[tuple[str, str]]:
    """Return text and short name of each answer that some pod is given."""
    counted = Counter(map(answer_of, plan.asked))
    return [(f"{_answer_name(answer)}: {grouped(counted[answer])}", answer) for answer in _TILES if counted[answer]]


def asked_row(asked: PlannedPod) -> AskedRow:
    """Present a pod's answer."""
    namespace, name = _split(asked.pod)
    answer = answer_of(asked)
    is_held = asked.handling.treatment is Treatment.HELD
    return AskedRow(
        node=asked.node,
        namespace=namespace,
        name=name,
        answer=str(drains_words.NEEDS_A_FLAG) if is_held and answer == "held" else _answer_name(answer),
        kind=ANSWER_KINDS[answer],
        text=now(asked.handling, asked.answer, namespace),
        budgets=asked.answer.budgets if asked.answer is not None else (),
    )


# -- files -----------------------------------------------------------------------------------------------


FILE_COLUMNS = (
    "batch",
    "node",
    "pod",
    "request",
    "answer",
    "because",
    "placed on",
    "how chosen",
    "remarks",
)


def plan_cells(plan: Plan) -> Iterator[tuple[str | int, ...]]:
    """Yield one row for each eviction in order, then one for each pod that keeps a node from being drained."""
    for number, evictions in enumerate(plan.courses, 1):
        batch: str | int = number if number <= len(plan.batches) else ""
        for position, eviction in enumerate(evictions, 1):
            row = eviction_row(position, eviction)
            remarks = ", ".join(text for text, _ in row.notes)
            yield batch, row.node, eviction.pod, eviction.round, 200, row.because, row.target, str(row.how), remarks
    for node in plan.blocked:
        label = str(drains_words.BLOCKS_OF[node.kind])
        for blocker in node.blockers:
            code: str | int = blocker.answer.code if blocker.answer is not None and blocker.landing is None else ""
            yield "", node.name, blocker.pod, "", code, str(blocker_reason(blocker)), "", "", label
        if not node.blockers:
            yield "", node.name, "", "", "", "", "", "", label


def progress_view(progress: Progress) -> dict[str, object]:
    """Present how far a worker is with a plan."""
    said = (
        drains_words.PROGRESS(done=progress.done, nodes=progress.total)
        if progress.done
        else drains_words.BEGINS(nodes=progress.total)
    )
    return {"progress": progress, "sentence": said}
