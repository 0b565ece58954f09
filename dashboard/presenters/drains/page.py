"""Which nodes can be drained now, as a sentence, a picture and rows."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.safestring import SafeString, mark_safe

from clusters.engine.disruption import Outlook
from clusters.services.disruption import MOST_ROOM_SOUGHT, DrainableNode
from clusters.wording import counts, drains as words
from clusters.wording.amounts import grouped
from clusters.wording.budgets import refused_of
from clusters.wording.nodes import NO, YES
from dashboard.pictures.verdict_map.tiles import swatch
from dashboard.presenters.drains.maps import outlook_key
from dashboard.presenters.drains.plan import blocker_reason as blocker_why

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from dashboard.presenters.shared.page import Quote

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


@dataclass(frozen=True, slots=True)
class Share:
    """One state of the picture: how many nodes have it, and the tile that stands for it."""

    state: str
    label: str
    count: str
    swatch: SafeString


@dataclass(frozen=True, slots=True)
class Culprit:
    """A budget, and how many nodes it keeps from being drained."""

    namespace: str
    name: str
    nodes: str


@dataclass(frozen=True, slots=True)
class Obstacle:
    """What blocks a drain: a budget or a pod, each as namespace and name, or something without a page of its own."""

    text: str
    budget: tuple[str, str] | None = None
    pod: tuple[str, str] | None = None
    quote: Quote | None = None

    def __str__(self) -> str:
        """Return all of it in one line, as a file has it."""
        said = " ".join(filter(None, (self.quote.whole if self.quote is not None else "", self.text)))
        subject = self.budget or self.pod
        return words.BLOCKS(blocker="/".join(subject), why=said) if subject is not None else said


@dataclass(frozen=True, slots=True)
class DrainNodeRow:
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
    """Say how many nodes can be drained now as far as that is known."""
    ready, total = states[Outlook.NOW] + states[Outlook.ALLOWED], states.total()
    return (words.ALLOWED if states[Outlook.ALLOWED] else words.DRAINABLE)(ready=ready, nodes=total)


def note(nodes: Iterable[DrainableNode]) -> str:
    """Say what the states assume, and whether replacements were placed."""
    allowed = [node.drain.evicted for node in nodes if node.drain.outlook is Outlook.ALLOWED]
    pods = sum(allowed)
    if not allowed:
        why = ""
    elif pods > MOST_ROOM_SOUGHT:
        why = words.TOO_MANY_PODS(pods=pods, most=MOST_ROOM_SOUGHT)
    else:
        why = str(words.NO_CONFIGURATION)
    return f"{words.CALLED!s} {why}".strip()


def shares(states: Counter[Outlook]) -> list[Share]:
    """Present the states as the legend of the map."""
    return [
        Share(
            state.value,
            str(words.OUTLOOKS[state]),
            counts.nodes(states[state]),
            mark_safe(swatch(outlook_key(state, states[state]))),  # noqa: S308 - the picture writes no words of its own
        )
        for state in _ORDER
        if states[state]
    ]


def culprits(nodes: Iterable[DrainableNode]) -> list[Culprit]:
    """Name the budgets that block the most nodes."""
    blocked = [node.drain.blocked for node in nodes if node.drain.blocked is not None]
    budgets = [refusal.budget for drain in blocked for refusal in drain.refusals]
    blocking = Counter((budget.namespace, budget.name) for budget in budgets)
    worst = sorted(blocking.items(), key=lambda each: (-each[1], each[0]))
    return [Culprit(namespace, name, counts.nodes(number)) for (namespace, name), number in worst[:_CULPRITS_SHOWN]]


def node_row(node: DrainableNode) -> DrainNodeRow:
    """Present a node."""
    state = node.drain.outlook
    obstacles = tuple(_obstacles(node))
    hidden = len(obstacles) - _OBSTACLES_SHOWN
    return DrainNodeRow(
        name=node.name,
        zone=node.zone,
        pool=node.pool,
        version=node.version,
        instance_type=node.instance_type,
        is_cordoned=node.is_cordoned,
        evicted=grouped(node.drain.evicted),
        state=str(words.OUTLOOKS[state]),
        kind=KINDS[state],
        obstacles=obstacles[:_OBSTACLES_SHOWN],
        more=words.MORE(number=hidden) if hidden > 0 else "",
        otherwise=str(words.NO_BUDGET if state is Outlook.ALLOWED else words.NOTHING),
    )


def _obstacles(node: DrainableNode) -> Iterator[Obstacle]:
    drain = node.drain
    for refusal in drain.blocked.refusals if drain.blocked is not None else ():
        budget = refusal.budget
        refused = refused_of(refusal.refused, refusal.pods, refusal.shared)
        said = refused if refusal.lasts else words.FOR_NOW(refused=refused)
        yield Obstacle(said, budget=(budget.namespace, budget.name))
    if drain.unmanaged:
        yield Obstacle(words.UNMANAGED(pods=drain.unmanaged))
    for blocker in drain.blockers or ():
        # Budgets that refuse stand above, for all of their pods.
        if blocker.answer is not None and blocker.landing is None and drain.blocked is not None:
            continue
        namespace, _, name = blocker.pod.partition("/")
        why = blocker_why(blocker)
        yield Obstacle(why.text, pod=(namespace, name), quote=why.quote)


def node_cells(nodes: Sequence[DrainableNode]) -> Iterator[tuple[str | int, ...]]:
    """Yield one row for each node, for a file."""
    for node in nodes:
        found = "; ".join(map(str, _obstacles(node)))
        yield (
            node.name,
            node.zone,
            node.pool,
            node.version,
            node.instance_type,
            str(YES if node.is_cordoned else NO),
            str(words.OUTLOOKS[node.drain.outlook]),
            node.drain.evicted,
            node.drain.unmanaged,
            node.drain.staying,
            found,
        )
