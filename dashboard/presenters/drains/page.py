"""Which nodes can be drained now, as a sentence, a picture and rows."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from clusters.engine.disruption.drain_nodes import Outlook
from clusters.services.disruption.drains import MOST_ROOM_SOUGHT
from clusters.wording.amounts import counted, grouped
from clusters.wording.budgets.page import refused_of
from dashboard.presenters.drains.words import OUTLOOKS, blocker_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from clusters.services.disruption.drains import DrainableNode

KINDS = {
    Outlook.NOW: "good",
    Outlook.ALLOWED: "info",
    Outlook.WAITS: "warn",
    Outlook.FORCE: "warn",
    Outlook.NO_ROOM: "bad",
    Outlook.LASTING: "bad",
}
_ORDER = (Outlook.NOW, Outlook.ALLOWED, Outlook.WAITS, Outlook.FORCE, Outlook.NO_ROOM, Outlook.LASTING)
_OBSTACLES_SHOWN = 2
_CULPRITS_SHOWN = 6
COLUMNS = (
    "node", "zone", "pool", "kubelet", "instance type", "cordoned", "state", "pods to evict", "pods without controller",
    "pods that stay", "in the way",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Share:
    """One state of the picture: how many nodes, and where its bar begins and how wide it is, in percent."""

    state: str
    label: str
    count: str
    start: float
    width: float


@dataclass(frozen=True, slots=True)
class Culprit:
    """A budget, and how many nodes it keeps from being drained."""

    namespace: str
    name: str
    nodes: str


@dataclass(frozen=True, slots=True)
class Obstacle:
    """Something in the way; `budget` is a pair of namespace and name, or None."""

    budget: tuple[str, str] | None
    text: str


@dataclass(frozen=True, slots=True)
class NodeRow:
    """One node of the list; `more` says how many other things are in the way, `otherwise` that nothing known is."""

    name: str
    zone: str
    pool: str
    version: str
    instance_type: str
    is_cordoned: bool
    evicted: str
    state: str
    kind: str
    obstacles: tuple[Obstacle, ...]
    more: str
    otherwise: str


def states_of(nodes: Iterable[DrainableNode]) -> Counter[Outlook]:
    """Count the nodes by what their drain would meet."""
    return Counter(node.drain.outlook for node in nodes)


def sentence(states: Counter[Outlook]) -> str:
    """Say how many nodes can be drained now as far as that is known, and what keeps the others."""
    total = states.total()
    ready = states[Outlook.NOW] + states[Outlook.ALLOWED]
    is_known = not states[Outlook.ALLOWED]
    reasons = [
        text.format(grouped(states[state]))
        for state, text in (
            (Outlook.NO_ROOM, "{} with pods that find no room elsewhere"),
            (Outlook.LASTING, "{} blocked until somebody changes a budget"),
            (Outlook.WAITS, "{} blocked for now"),
            (Outlook.FORCE, "{} only by force, because nothing would bring some of their pods back"),
        )
        if states[state]
    ]
    nodes = counted(total, "node", "nodes")
    if not is_known:
        rest = f"; {', '.join(reasons)}" if reasons else ""
        return f"Budgets and controllers allow the drain of {grouped(ready)} of {nodes} right now{rest}."
    if not reasons:
        return f"Each of {nodes} can be drained right now."
    how_many = "None" if not ready else grouped(ready)
    return f"{how_many} of {nodes} can be drained right now; {', '.join(reasons)}."


def note(nodes: Iterable[DrainableNode]) -> str:
    """Say what the states take for granted, and whether room elsewhere was looked for."""
    allowed = [node.drain.evicted for node in nodes if node.drain.outlook is Outlook.ALLOWED]
    called = "Each node by itself, with --ignore-daemonsets and --delete-emptydir-data."
    if not allowed:
        return f"{called} Room elsewhere is looked for where nothing else is in the way."
    pods = sum(allowed)
    why = (
        f"{grouped(pods)} pods would need a place, and here at most {grouped(MOST_ROOM_SOUGHT)} are tried"
        if pods > MOST_ROOM_SOUGHT
        else "the cluster's scheduler configuration cannot be read"
    )
    return (
        f"{called} This is as far as budgets and controllers go: room elsewhere is not looked for in this list, "
        f"because {why}. A plan tells it."
    )


def shares(states: Counter[Outlook]) -> list[Share]:
    """Present the states as parts of one bar."""
    total = max(1, states.total())
    found, start = [], 0.0
    for state in _ORDER:
        width = 100 * states[state] / total
        if states[state]:
            found.append(Share(state.value, OUTLOOKS[state], counted(states[state], "node", "nodes"), start, width))
        start += width
    return found


def culprits(nodes: Iterable[DrainableNode]) -> list[Culprit]:
    """Name the budgets that are in the way of most nodes."""
    blocked = [node.drain.blocked for node in nodes if node.drain.blocked is not None]
    counts = Counter((refusal.budget.namespace, refusal.budget.name) for drain in blocked for refusal in drain.refusals)
    return [
        Culprit(namespace, name, counted(number, "node", "nodes"))
        for (namespace, name), number in sorted(counts.items(), key=lambda each: (-each[1], each[0]))[:_CULPRITS_SHOWN]
    ]


def node_row(node: DrainableNode) -> NodeRow:
    """Present a node."""
    state = node.drain.outlook
    obstacles = tuple(_obstacles(node))
    hidden = len(obstacles) - _OBSTACLES_SHOWN
    return NodeRow(
        name=node.name,
        zone=node.zone,
        pool=node.pool,
        version=node.version,
        instance_type=node.instance_type,
        is_cordoned=node.is_cordoned,
        evicted=grouped(node.drain.evicted),
        state=OUTLOOKS[state],
        kind=KINDS[state],
        obstacles=obstacles[:_OBSTACLES_SHOWN],
        more=f"and {grouped(hidden)} more" if hidden > 0 else "",
        otherwise="no budget" if state is Outlook.ALLOWED else "nothing",
    )


def _obstacles(node: DrainableNode) -> Iterator[Obstacle]:
    drain = node.drain
    for refusal in drain.blocked.refusals if drain.blocked is not None else ():
        budget = refusal.budget
        lasts = "" if refusal.lasts else ", for now"
        yield Obstacle(
            (budget.namespace, budget.name), f"{refused_of(refusal.refused, refusal.pods, refusal.shared)}{lasts}"
        )
    if drain.unmanaged:
        yield Obstacle(None, f"{counted(drain.unmanaged, 'pod', 'pods')} without a controller: needs --force")
    for blocker in drain.blockers or ():
        yield Obstacle(None, f"{blocker.pod}: {blocker_text(blocker)}")


def node_cells(nodes: Sequence[DrainableNode]) -> Iterator[tuple[str | int, ...]]:
    """Yield one row for each node, for a file."""
    for node in nodes:
        found = "; ".join(
            f"{'/'.join(each.budget)}: {each.text}" if each.budget else each.text for each in _obstacles(node)
        )
        yield (
            node.name,
            node.zone,
            node.pool,
            node.version,
            node.instance_type,
            "yes" if node.is_cordoned else "no",
            OUTLOOKS[node.drain.outlook],
            node.drain.evicted,
            node.drain.unmanaged,
            node.drain.staying,
            found,
        )
