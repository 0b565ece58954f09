"""Preemption from the side of a pod that runs: who would remove it, who could, and why the others cannot."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from clusters.engine.analysis import PreemptionOutcome, Threat, threat_to
from clusters.engine.disruption import budgets_of
from clusters.engine.objects import Pod, name_of
from clusters.wording.pods import preemption as words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusters.engine import Snapshot
    from clusters.engine.analysis import Preemptor
    from clusters.engine.objects import Document
    from clusters.services.pending.preemptors import ClusterPreemptors, PendingPreemptor

_RANK = (Threat.LEAVING, Threat.SELECTED, Threat.CANDIDATE, Threat.SPARED)
_KINDS = {
    Threat.LEAVING: "rejected",
    Threat.SELECTED: "rejected",
    Threat.CANDIDATE: "preemptible",
    Threat.SPARED: "fits",
}
ROWS = 50


@dataclass(frozen=True, slots=True)
class PreemptorView:
    """Pending pods of one making; `verdict` is a word of the verdict tokens, `notes` are sentences."""

    title: str
    pods: tuple[tuple[str, str], ...]
    more: str
    priority: str
    verdict: str
    verdict_text: str
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PodPreemptionView:
    """What there is to say of one pod; `others` counts the pending pods that preempt it not, by why."""

    sentence: str
    rows: tuple[PreemptorView, ...]
    others: tuple[tuple[str, int], ...]
    notes: tuple[str, ...]


def threats(found: ClusterPreemptors, key: str) -> list[tuple[Threat, PendingPreemptor]]:
    """Return what each pending pod's preemption means for a placed pod, the gravest first. Raises KeyError."""
    pods = found.snapshot.pods
    slot = pods.slot_of[key]
    node = found.snapshot.nodes.names[pods.node[slot]] if pods.node[slot] >= 0 else ""
    judged = [
        (
            threat_to(
                each.found,
                key,
                node=node,
                priority=int(pods.priority[slot]),
                is_preempted=bool(pods.preempted[slot]),
            ),
            each,
        )
        for each in found.preemptors
    ]
    order = list(Threat)
    return sorted(judged, key=lambda one: order.index(one[0]))


def pod_preemption(found: ClusterPreemptors, document: Document) -> PodPreemptionView:
    """Present who would preempt a placed pod. Raises KeyError for a pod that has no node."""
    pod = Pod(document)
    judged = threats(found, pod.key)
    numbers = Counter[Threat]()
    for threat, each in judged:
        numbers[threat] += each.number
    shown = [(threat, each) for threat, each in judged if threat in _RANK]
    return PodPreemptionView(
        sentence=_sentence(found, numbers),
        rows=tuple(_row(threat, each, pod.node_name) for threat, each in shown[:ROWS]),
        others=_others([(threat, each) for threat, each in judged if threat not in _RANK]),
        notes=tuple(_notes(found.snapshot, pod)),
    )


def _sentence(found: ClusterPreemptors, numbers: Counter[Threat]) -> str:
    if not found.total:
        return str(words.NO_PENDING)
    said = [words.headline(numbers[Threat.SELECTED], numbers[Threat.CANDIDATE], found.evaluating)]
    return " ".join([str(words.LEAVING)] if numbers[Threat.LEAVING] else said)


def _row(threat: Threat, each: PendingPreemptor, node: str) -> PreemptorView:
    hidden = each.number - len(each.names)
    return PreemptorView(
        title=words.workload(each.workload),
        pods=each.names,
        more=words.MORE_PODS(pods=hidden) if hidden else "",
        priority=words.priority(each.found.priority, each.priority_class),
        verdict=_KINDS[threat],
        verdict_text=str(words.THREATS[threat]),
        notes=tuple(row_notes(threat, each.found, node)),
    )


def row_notes(threat: Threat, found: Preemptor, node: str) -> Iterator[str]:
    """Say what preemption does on the pod's node, and what budgets have to do with it."""
    if threat is Threat.LEAVING:
        return
    here, selected = found.candidates[node], found.candidates[found.selected]
    victims = len(here.victims)
    if threat is Threat.SELECTED:
        yield words.IS_VICTIM(victims=victims, node=node)
        if here.pdb_violations:
            yield words.BUDGETS_VIOLATED(victims=here.pdb_violations)
    elif threat is Threat.CANDIDATE:
        yield words.WOULD_BE_VICTIM(victims=victims, node=node, selected=selected.node)
        if here.pdb_violations > selected.pdb_violations:
            yield words.BUDGETS_AVOIDED(node=node, victims=here.pdb_violations, selected=selected.node)
    else:
        yield words.IS_SPARED(victims=victims, node=node)
    if found.is_sampled:
        yield words.SAMPLED(sample=found.sample, nodes=found.potential_nodes)
    if found.is_uncertain:
        yield str(words.UNCERTAIN)


def _others(judged: list[tuple[Threat, PendingPreemptor]]) -> tuple[tuple[str, int], ...]:
    counts = Counter[PreemptionOutcome | Threat]()
    for threat, each in judged:
        counts[each.found.outcome if threat is Threat.NONE else threat] += each.number
    return tuple((str(words.OTHERS[reason]), number) for reason, number in counts.most_common())


def _notes(snapshot: Snapshot, pod: Pod) -> Iterator[str]:
    above = [
        (int(document.get("value") or 0), name_of(document), document.get("preemptionPolicy") != "Never")
        for document in snapshot.objects("PriorityClass")
        if int(document.get("value") or 0) > pod.priority
    ]
    above.sort()
    may = [(name, value) for value, name, preempts in above if preempts]
    never = [name for _, name, preempts in above if not preempts]
    yield words.classes_above(may) if may else str(words.NO_HIGHER_CLASS)
    if never:
        yield words.classes_that_wait(never)
    budgets = budgets_of(snapshot, pod.namespace, pod.labels)
    for budget in budgets:
        yield words.BUDGET(name=budget.name, allowed=budget.reported.allowed)
    if budgets:
        yield str(words.BEST_EFFORT)
    yield str(words.INDEPENDENT)
