"""What could be changed for the better: each proposal was tried in memory before it is simulated for the record."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from clusters.engine.disruption import budget_states, one_unavailable, remedy_of
from clusters.engine.matching.taints import Taint
from clusters.engine.nodes.health import node_health
from clusters.engine.nodes.pools import pool_of
from clusters.engine.objects import key_of
from clusters.engine.simulation import Case, Origin, Wanted
from clusters.engine.simulation.needed import nodes_needed
from clusters.engine.simulation.removable import RemovalOptions, removable
from clusters.engine.simulation.run import Simulation
from clusters.engine.spreading.constraints import HOSTNAME
from clusters.models import Node, PodDisruptionBudget
from clusters.services.reports.untolerated import untolerated

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from clusters.engine import Snapshot
    from clusters.engine.disruption import BudgetState
    from clusters.services.reports.subject import Subject

    Document = dict[str, Any]

# So many budgets are proposed to be changed, those that block the most nodes.
MOST_BUDGETS = 2
# So many makings of nodes are tried, those of which there are most, and so many nodes are added at most.
MOST_MAKINGS = 4
MOST_ADDED = 10
# So many nodes are proposed to go at once.
MOST_REMOVED = 20
MOST_PLACEMENTS = 8_000
_OF_CONDITIONS = "node.kubernetes.io/"


@dataclass(frozen=True, slots=True)
class Proposal:
    """A change of one object, as changes of a simulation.

    ``without``: what is simulated beside it, to see what is so without the change. ``measures``: what is counted of
    both: pending pods, pods that a drain has to keep, nodes.
    """

    rule: str
    kind: str
    name: str
    changes: tuple[Document, ...]
    measures: tuple[str, ...] = ("pending",)
    without: tuple[Document, ...] = ()
    namespace: str = ""
    facts: Document = field(default_factory=dict)


def proposals(subject: Subject, alive: Callable[[], object]) -> Iterator[Proposal]:
    """Yield what is worth a simulation, what matters most first."""
    yield from _budgets(subject, alive)
    waits = _waiting(subject, subject.snapshot)
    if waits:
        nodes = _nodes(subject)
        for rule in (_more_nodes, _uncordoned, _untainted):
            alive()
            yield from rule(subject, nodes, waits)
    alive()
    yield from _fewer_nodes(subject)


# -- budgets -----------------------------------------------------------------------------------------------------------


def _budgets(subject: Subject, alive: Callable[[], object]) -> Iterator[Proposal]:
    """Let a budget that never allows anything allow one pod at a time."""
    states = budget_states(subject.snapshot, subject.beside)
    found = [(state, remedy) for state in states if state.nodes.blocked and (remedy := remedy_of(state)) is not None]
    found.sort(key=lambda each: (-len(each[0].nodes.blocked), each[0].budget.key))
    for state, remedy in found[:MOST_BUDGETS]:
        alive()
        budget = state.budget
        row = PodDisruptionBudget.objects.filter(
            cluster=subject.cluster, namespace=budget.namespace, name=budget.name
        ).first()
        if row is None:
            continue
        node = _most_refused(state)
        facts = {
            "pods": state.pods,
            "nodes": len(state.nodes.blocked),
            "node": node,
            "field": remedy.field,
            "value": remedy.value,
        }
        drain = {"change": "drain-nodes", "nodes": [node]}
        yield Proposal(
            "allow-disruption",
            "PodDisruptionBudget",
            budget.name,
            ({"change": "put-budget", "manifest": one_unavailable(row.object)}, drain),
            measures=("kept",),
            without=(drain,),
            namespace=budget.namespace,
            facts=facts,
        )


def _most_refused(state: BudgetState) -> str:
    numbers = dict(zip(state.nodes.names, state.nodes.refused.tolist(), strict=True))
    return min(numbers, key=lambda name: (-numbers[name], name))


# -- pending pods ------------------------------------------------------------------------------------------------------


def _waiting(subject: Subject, snapshot: Snapshot) -> frozenset[str]:
    """The pods that would still wait after all of them were tried once more."""
    simulation = Simulation(
        Case(snapshot, subject.configuration, [Wanted(pod, origin=Origin.PENDING_BEFORE) for pod in subject.waiting])
    )
    for _ in simulation:
        pass
    return frozenset(simulation.waiting)


def _nodes(subject: Subject) -> dict[str, Document]:
    """The nodes' documents by name; one that has just gone is not among them."""
    return dict(Node.objects.filter(cluster=subject.cluster).order_by("name").values_list("name", "object"))


def _more_nodes(subject: Subject, nodes: dict[str, Document], waits: frozenset[str]) -> Iterator[Proposal]:
    """Add nodes of the making that helps the most pods."""
    most = min(len(waits), MOST_ADDED)
    tried = []
    for name in _makings(subject):
        if name in nodes:
            changed = subject.snapshot.copy()
            for number in range(most):
                changed.upsert(_twin(nodes[name], f"{name}-more-{number}"))
            tried.append((waits - _waiting(subject, changed), name))
    helped, name = max(tried, key=lambda each: len(each[0]), default=(frozenset(), ""))
    if not helped:
        return
    wanted = [Wanted(pod, origin=Origin.PENDING_BEFORE) for pod in subject.waiting if key_of(pod) in helped]
    found = nodes_needed(subject.snapshot, subject.configuration, nodes[name], wanted, most=most)
    count = most if found.count is None else max(found.count, 1)
    labels = nodes[name]["metadata"].get("labels") or {}
    facts = {
        "count": count,
        "like": name,
        "pool": pool_of(labels),
        "instance_type": labels.get("node.kubernetes.io/instance-type", ""),
    }
    change = {"change": "add-nodes", "count": count, "like": name}
    yield Proposal("add-nodes", "Node", name, (change,), facts=facts)


def _makings(subject: Subject) -> list[str]:
    """The first node by name of each making: pool, amounts and taints; those of which there are most first."""
    members: dict[tuple[Any, ...], list[str]] = defaultdict(list)
    usable = node_health(subject.snapshot).usable
    for row, node in enumerate(subject.snapshot.nodes.nodes):
        if usable[row]:
            making = (pool_of(node.labels), tuple(sorted(node.allocatable.items())), tuple(map(str, node.taints)))
            members[making].append(node.name)
    ordered = sorted(members.values(), key=lambda names: (-len(names), names[0]))
    return [names[0] for names in ordered[:MOST_MAKINGS]]


def _twin(node: Document, name: str) -> Document:
    metadata = node["metadata"]
    labels = {**(metadata.get("labels") or {}), HOSTNAME: name}
    return {**node, "kind": "Node", "metadata": {**metadata, "name": name, "labels": labels}}


def _uncordoned(subject: Subject, nodes: dict[str, Document], waits: frozenset[str]) -> Iterator[Proposal]:
    """Let cordoned nodes that are well accept pods again."""
    health = node_health(subject.snapshot)
    well = health.cordoned & ~(health.not_ready | health.pressure)
    meant = zip(subject.snapshot.nodes.names, well.tolist(), strict=True)
    names = [name for name, is_meant in meant if is_meant and name in nodes]
    changed = subject.snapshot.copy()
    for name in names:
        spec = {key: value for key, value in (nodes[name].get("spec") or {}).items() if key != "unschedulable"}
        taints = [taint for taint in spec.get("taints") or () if not str(taint.get("key")).startswith(_OF_CONDITIONS)]
        changed.upsert({**nodes[name], "kind": "Node", "spec": {**spec, "taints": taints}})
    helped = waits - _waiting(subject, changed) if names else frozenset()
    if helped:
        change = {"change": "uncordon", "nodes": names}
        facts = {"nodes": names}
        yield Proposal("uncordon", "Node", names[0], (change,), facts=facts)


def _untainted(subject: Subject, nodes: dict[str, Document], waits: frozenset[str]) -> Iterator[Proposal]:
    """Remove a taint that no pod tolerates, where that helps pending pods: others are there on purpose."""
    tried = []
    for taint, rows in list(untolerated(subject).items())[:MOST_MAKINGS]:
        names = [name for row in rows if (name := subject.snapshot.nodes.names[row]) in nodes]
        changed = subject.snapshot.copy()
        for name in names:
            spec = nodes[name].get("spec") or {}
            taints = [each for each in spec.get("taints") or () if Taint.from_dict(each) != taint]
            changed.upsert({**nodes[name], "kind": "Node", "spec": {**spec, "taints": taints}})
        tried.append((waits - _waiting(subject, changed), taint, names))
    if not tried:
        return
    helped, taint, names = max(tried, key=lambda each: len(each[0]))
    if helped:
        change = {"change": "taint-nodes", "nodes": names, "remove": [f"{taint.key}:{taint.effect}"]}
        facts = {"taint": taint.key, "effect": taint.effect, "nodes": names}
        yield Proposal("remove-taint", "Node", names[0], (change,), facts=facts)


# -- nodes that are not needed -----------------------------------------------------------------------------------------


def _fewer_nodes(subject: Subject) -> Iterator[Proposal]:
    """Remove nodes whose pods fit on other nodes, with budgets and constraints respected."""
    names: Sequence[str] = subject.snapshot.nodes.names
    found = removable(
        subject.snapshot,
        subject.configuration,
        subject.placed_on(names),
        RemovalOptions(most_placements=MOST_PLACEMENTS),
        others=subject.beside,
    )
    gone = [node.name for node in found.removed[:MOST_REMOVED]]
    if gone:
        change = {"change": "drain-nodes", "nodes": gone}
        facts = {"nodes": gone, "of": len(names)}
        yield Proposal("remove-nodes", "Node", gone[0], (change,), ("nodes", "pending"), facts=facts)
