"""The sentences about plans of drains."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from clusters.engine.disruption import Ground
from clusters.engine.disruption.drain import Flag, Treatment
from clusters.engine.disruption.drain_nodes import Outlook
from clusters.engine.disruption.drain_plan import Block
from clusters.wording.amounts import counted, grouped
from clusters.wording.conclusions import uncertainty_clauses
from clusters.wording.drains import held_sentence, refused_sentence
from dashboard.presenters.shared import failures

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusters.engine.disruption import EvictionAnswer
    from clusters.engine.disruption.drain import DrainOptions, Handling
    from clusters.engine.disruption.drain_plan import Blocker, Eviction, Plan, StuckNode
    from clusters.engine.disruption.drain_world import Landing

OUTLOOKS = {
    Outlook.NOW: "Can be drained now",
    Outlook.ALLOWED: "Budgets allow it",
    Outlook.WAITS: "Blocked for now",
    Outlook.FORCE: "Only by force",
    Outlook.NO_ROOM: "No room elsewhere",
    Outlook.LASTING: "Blocked until changed",
}
BLOCKS = {
    Block.FLAG: ("Needs a flag", "warn"),
    Block.TWO_BUDGETS: ("Two budgets", "bad"),
    Block.NEVER: ("Budget blocks until changed", "bad"),
    Block.BUDGET: ("Budget blocks for now", "warn"),
    Block.NO_ROOM: ("No room elsewhere", "bad"),
    Block.NOT_COMPUTED: ("Not computed", ""),
}
_BECAUSE = {
    Block.FLAG: "{} because kubectl wants a flag for some pods",
    Block.TWO_BUDGETS: "{} because two budgets select a pod",
    Block.NEVER: "{} because a budget allows nothing until it is changed",
    Block.BUDGET: "{} because a budget allows nothing for now",
    Block.NO_ROOM: "{} because pods find no place elsewhere",
    Block.NOT_COMPUTED: "{} not computed, because the plan became too long",
}
_GROUNDS = {
    Ground.FINISHED: "it has finished",
    Ground.STARTING: "it has not started",
    Ground.TERMINATING: "it is being deleted already",
    Ground.NO_BUDGET: "no budget selects it",
    Ground.UNHEALTHY_ALLOWED: "not ready, and {} lets such pods go",
    Ground.UNHEALTHY_SPARED: "not ready, and {} has enough others",
    Ground.WITHIN_BUDGET: "charged to {}",
}
_WANTS = {
    Flag.FORCE: "nothing controls it, so nothing brings it back",
    Flag.EMPTY_DIR: "the data of its emptyDir would be lost",
}
_ASSUMPTIONS = (
    "Nodes are drained as by kubectl drain --ignore-daemonsets: pods of DaemonSets stay. The options tell the rest.",
    (
        "Nobody else changes the cluster: no scaling, no rollout, no node that comes or goes. Pods that wait now go on "
        "waiting, and take no room away."
    ),
    (
        "What takes an evicted pod's place has the same spec (a StatefulSet's pod the same name too), comes when the "
        "old one is gone, and is ready before anybody asks again."
    ),
    "The scheduler takes the best node, and of equally good ones the first by name. No pod is preempted.",
    (
        "Between batches the disruption controller brings every budget up to date; within one, budgets are charged "
        "eviction by eviction, in order of the pods' names. kubectl asks for all pods of a node at once, so which of "
        "several pods under one budget goes first may differ."
    ),
    (
        "A node of which a pod would find no place is not drained. kubectl would evict the pod all the same, and leave "
        "it pending."
    ),
)
_CORDONED = "All chosen nodes are cordoned before the first is drained, as kubectl does, and stay so."
_ROLLING = (
    "Only the nodes of a batch are cordoned, and they take pods again afterwards, as they were. A pod may land on a "
    "node that is drained later, and move again."
)
_ORDINALS = {1: "1st", 2: "2nd", 3: "3rd"}


def sentence(plan: Plan) -> str:
    """Say how many of the nodes can be drained, in how many batches, and what keeps the others."""
    total, done = len(plan.nodes), len(plan.nodes) - len(plan.stuck)
    nodes = counted(total, "node", "nodes")
    pods = _pods_text([eviction for batch in plan.batches for eviction in batch.evictions])
    how = "at once" if len(plan.batches) == 1 else f"in {grouped(len(plan.batches))} batches"
    if not plan.stuck:
        return f"{'The node' if total == 1 else f'All {nodes}'} can be drained {how}: {pods}."
    kept = Counter(node.kind for node in plan.stuck)
    reasons = ", ".join(_BECAUSE[kind].format(grouped(kept[kind])) for kind in Block if kept[kind])
    if not done:
        only = next(iter(kept))
        if total == 1:
            return _kept(plan.stuck[0]) or f"The node cannot be drained{_BECAUSE[only].removeprefix('{}')}."
        return f"None of {nodes} can be drained: {reasons}. {_kept(plan.stuck[0])}".rstrip()
    others = f"{grouped(done)} of {nodes} can be drained {how}: {pods}. Not the others: {reasons}."
    return f"{others} {_kept(plan.stuck[0])}".rstrip()


def _kept(node: StuckNode) -> str:
    """Say which pods keep a node for want of a flag or by a budget; empty where it is something else."""
    mine = [blocker for blocker in node.blockers if blocker.kind is node.kind]
    names = [blocker.pod for blocker in mine]
    if node.kind is Block.FLAG:
        flag = mine[0].handling.wants[0]
        wanting = [blocker.pod for blocker in mine if flag in blocker.handling.wants]
        return held_sentence(node.name, flag, wanting, len(wanting))
    if mine and mine[0].answer is not None and mine[0].landing is None:
        return refused_sentence(node.name, names, len(names), refused_text(mine[0].answer))
    return ""


def _pods_text(evictions: Sequence[Eviction]) -> str:
    """Say how many pods go, and what becomes of them; every replacement of a plan has found a place."""
    if not evictions:
        return "no pod has to go"
    going = counted(len(evictions), "pod is", "pods are")
    lost = sum(eviction.handling.is_unmanaged for eviction in evictions)
    placed = sum(eviction.landing is not None for eviction in evictions)
    rest = len(evictions) - placed - lost
    uncertain = sum(eviction.landing is not None and bool(eviction.landing.uncertain) for eviction in evictions)
    doubt = f", uncertainly for {grouped(uncertain)} of them" if uncertain else ""
    if not lost and not rest:
        return f"{going} evicted, and {'it finds' if placed == 1 else 'each finds'} a place elsewhere{doubt}"
    if len(evictions) == 1:
        return f"{going} evicted, and {'nothing brings it back' if lost else 'needs no place elsewhere'}"
    parts = (
        (placed, f"{grouped(placed)} {'finds' if placed == 1 else 'find'} a place elsewhere{doubt}"),
        (rest, f"{grouped(rest)} {'needs' if rest == 1 else 'need'} none"),
        (lost, f"{grouped(lost)} {'is' if lost == 1 else 'are'} brought back by nothing"),
    )
    return f"{going} evicted; of these " + ", ".join(text for number, text in parts if number)


def granted_text(answer: EvictionAnswer, namespace: str) -> str:
    """Say why an eviction is granted."""
    budget = f"{namespace}/{answer.budgets[0]}" if answer.budgets else ""
    return _GROUNDS[answer.ground].format(budget)


def refused_text(answer: EvictionAnswer) -> str:
    """Return the API server's words."""
    return " ".join(filter(None, (answer.message, answer.detail)))


def round_text(number: int) -> str:
    """Say when an eviction is granted; empty where it is at once."""
    return "" if number == 1 else f"when asked the {_ORDINALS.get(number, f'{number}th')} time"


def landing_text(landing: Landing) -> str:
    """Say how a replacement's node was chosen."""
    doubt = f"; uncertain: {uncertainty_clauses(landing.uncertain)}" if landing.uncertain else ""
    if landing.feasible == 1:
        return f"the only node that takes it{doubt}"
    of_nodes = f"of {counted(landing.feasible, 'node', 'nodes')} that would take it"
    best = "the best" if landing.best == 1 else f"one of the {grouped(landing.best)} best"
    return f"{best} {of_nodes}{doubt}"


def unplaced_text(landing: Landing) -> str:
    """Say why a replacement finds no place."""
    if landing.is_gated:
        return "Scheduling gates hold its replacement back."
    if landing.failed:
        return failures.what(landing.failed)
    if landing.scheduler:
        return f"The scheduler {landing.scheduler} places it; where is not known."
    if not landing.victims:
        return landing.message
    would = f"On {counted(landing.victims, 'node', 'nodes')} it would fit if pods of lower priority were preempted."
    return f"{landing.message} {would}"


def unreplaced_text(eviction: Eviction) -> str:
    """Say why nothing takes the place of an evicted pod."""
    if eviction.handling.is_unmanaged:
        return "Nothing brings it back"
    if eviction.answer.ground is Ground.TERMINATING:
        return "Replaced already"
    return "Needs no place"


def notes(eviction: Eviction) -> list[tuple[str, str]]:
    """Return what is to be known of an eviction beside where the pod goes: pairs of text and kind."""
    found = []
    if eviction.handling.loses_data:
        found.append(("emptyDir lost", "warn"))
    if eviction.handling.is_unmanaged:
        found.append(("Not replaced", "bad"))
    if eviction.moved:
        found.append(("Moves again", "info"))
    return found


def asked_text(handling: Handling, answer: EvictionAnswer | None, namespace: str) -> str:
    """Say what becomes of a pod if the drain began now."""
    if answer is None:
        if handling.treatment is Treatment.HELD:
            return f"Needs {wants_text(handling)}."
        if handling.treatment is Treatment.DAEMON_SET:
            return "A DaemonSet would bring it back at once, so it is left."
        if handling.treatment is Treatment.STATIC:
            return "The kubelet runs it from a file, so it is left."
        return "The drain does not begin, because other pods of the node need a flag."
    if not answer.is_granted:
        return refused_text(answer)
    text = granted_text(answer, namespace)
    return f"{text[:1].upper()}{text[1:]}."


def wants_text(handling: Handling) -> str:
    """Say which flags a pod needs, and why."""
    return "; ".join(f"{flag.value}: {_WANTS[flag]}" for flag in handling.wants)


def blocker_text(blocker: Blocker) -> str:
    """Say why a pod keeps its node from being drained."""
    if blocker.kind is Block.FLAG:
        return f"Needs {wants_text(blocker.handling)}."
    if blocker.kind is Block.NO_ROOM:
        return unplaced_text(blocker.landing) if blocker.landing is not None else ""
    return refused_text(blocker.answer) if blocker.answer is not None else ""


def assumptions(options: DrainOptions) -> list[str]:
    """Return what the plan takes for granted."""
    nodes = _ROLLING if options.uncordon else _CORDONED
    return [*_ASSUMPTIONS, nodes]
