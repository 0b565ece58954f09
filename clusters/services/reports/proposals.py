"""What could be changed for the better: each proposal was tried in memory before it is simulated for the record."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from clusters.engine.analysis import ChangeCost, ChangeGain
from clusters.engine.disruption import (
    KIND as PDB,
    BudgetState,
    blocked_drains,
    budget_states,
    one_unavailable,
    remedy_of,
)
from clusters.engine.nodes import node_health, pool_of
from clusters.engine.objects import key_of
from clusters.engine.owners import Workload
from clusters.engine.resources import CPU, MEMORY
from clusters.engine.simulation import Case, Origin, Simulation, Wanted, nodes_needed
from clusters.engine.spreading import HOSTNAME
from clusters.engine.taints import Taint
from clusters.models import Node, PodDisruptionBudget
from clusters.services.reports.subject import Subject, untolerated
from clusters.services.usage.sizings import right_sized, sizing_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from clusters.engine import Snapshot

    Document = dict[str, Any]
    # Proposals, each with the pods that it helps.
    _Helping = Iterator[tuple["Proposal", frozenset[str]]]

# So many budgets are proposed to be changed, of so many that are tried, those that block the most nodes.
MOST_BUDGETS = 4
MOST_BUDGETS_TRIED = 8
# So many makings of nodes are tried, those of which there are most, and so many nodes are added at most.
MOST_MAKINGS = 4
MOST_ADDED = 10
# So many nodes are proposed to go at once.
MOST_REMOVED = 20
_OF_CONDITIONS = "node.kubernetes.io/"


NOTHING_GAINED, NO_COST = ChangeGain(), ChangeCost()


@dataclass(frozen=True, slots=True)
class Proposal:
    """A change of one object, as changes of a simulation.

    ``without``: what is simulated beside it, to see what is so without the change. ``measures``: what is counted of
    both: pending pods, pods that a drain has to keep, nodes. ``gain`` and ``cost``: what of them no simulation shows.
    """

    rule: str
    kind: str
    name: str
    changes: tuple[Document, ...]
    measures: tuple[str, ...] = ("pending",)
    without: tuple[Document, ...] = ()
    namespace: str = ""
    facts: Document = field(default_factory=dict)
    gain: ChangeGain = NOTHING_GAINED
    cost: ChangeCost = NO_COST


def proposals(subject: Subject, alive: Callable[[], object]) -> Iterator[Proposal]:
    """Yield what is worth a simulation, what matters most first."""
    yield from _budgets(subject, alive)
    waits = _waiting(subject, subject.snapshot)
    if waits:
        nodes = _nodes(subject)
        helped: frozenset[str] = frozenset()
        for rule in (_uncordoned, _untainted, _more_nodes):
            alive()
            # Nodes are added for pods alone that need none of what costs nothing.
            for proposal, pods in rule(subject, nodes, waits - helped):
                helped |= pods
                yield proposal
    alive()
    yield from _right_sized(subject)
    alive()
    yield from _fewer_nodes(subject)


# -- budgets -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _BudgetChange:
    """A change of a budget: as a change of a simulation, and as what happens to a snapshot."""

    state: BudgetState
    rule: str
    change: Document
    facts: Document

    def make(self, snapshot: Snapshot) -> Snapshot:
        """Return the snapshot with the change."""
        changed = snapshot.copy()
        if self.rule == "remove-budget":
            budget = self.state.budget
            key = {"namespace": budget.namespace, "name": budget.name}
            return changed.delete({"kind": PDB, "metadata": key})
        return changed.upsert(self.change["manifest"])


def _budgets(subject: Subject, alive: Callable[[], object]) -> Iterator[Proposal]:
    """Change budgets that block drains until they are changed, each on top of those before it: first what frees most.

    One change alone may free no node, where several budgets block the same ones.
    """
    snapshot, made = subject.snapshot, list[_BudgetChange]()
    states = budget_states(snapshot, subject.beside)
    blocked = _blocked_for_good(states)
    while len(made) < MOST_BUDGETS:
        tried = []
        for each in _budget_changes(subject, states):
            alive()
            left = _blocked_for_good(budget_states(each.make(snapshot), subject.beside))
            tried.append((blocked - left, each))
        if not tried:
            return
        freed, best = max(tried, key=lambda each: len(each[0]))
        yield _of_budget(best, freed, made)
        made.append(best)
        snapshot, blocked = best.make(snapshot), blocked - freed
        states = budget_states(snapshot, subject.beside)


def _blocked_for_good(states: Iterable[BudgetState]) -> frozenset[str]:
    """The nodes that cannot be drained until a budget is changed."""
    return frozenset(drain.node for drain in blocked_drains(states) if drain.lasts)


def _budget_changes(subject: Subject, states: Sequence[BudgetState]) -> list[_BudgetChange]:
    """What would mend the budgets that block most nodes: those that allow nothing, or select what others do."""
    found: list[_BudgetChange] = []
    for state in sorted(states, key=lambda each: (-len(each.nodes.blocked), each.budget.key)):
        budget, remedy = state.budget, remedy_of(state)
        if not state.nodes.blocked or len(found) == MOST_BUDGETS_TRIED:
            continue
        facts: Document = {"pods": state.pods, "nodes": len(state.nodes.blocked)}
        if state.shared and len(state.shared) == state.pods:
            # Another budget keeps each of its pods.
            change: Document = {"change": "remove-budget", "namespace": budget.namespace, "name": budget.name}
            facts["budgets"] = [f"{budget.namespace}/{name}" for name in state.overlapping]
            found.append(_BudgetChange(state, "remove-budget", change, facts))
            continue
        row = PodDisruptionBudget.objects.filter(
            cluster=subject.cluster, namespace=budget.namespace, name=budget.name
        ).first()
        if remedy is not None and row is not None:
            change = {"change": "put-budget", "manifest": one_unavailable(row.object)}
            facts |= {"field": remedy.field, "value": remedy.value}
            found.append(_BudgetChange(state, "allow-disruption", change, facts))
    return found


def _of_budget(change: _BudgetChange, freed: frozenset[str], before: Sequence[_BudgetChange]) -> Proposal:
    """Propose a change of a budget on top of others; a drain of one node shows what it does."""
    state = change.state
    node = _most_refused(state, freed)
    drain = {"change": "drain-nodes", "nodes": [node]}
    earlier = tuple(each.change for each in before)
    facts = {
        **change.facts,
        "node": node,
        "freed": len(freed),
        "after": [each.state.budget.key for each in before],
    }
    return Proposal(
        change.rule,
        PDB,
        state.budget.name,
        (*earlier, change.change, drain),
        measures=("kept",),
        without=(*earlier, drain),
        namespace=state.budget.namespace,
        facts=facts,
        gain=ChangeGain(nodes_drainable=len(freed)),
    )


def _most_refused(state: BudgetState, among: frozenset[str]) -> str:
    numbers = dict(zip(state.nodes.names, state.nodes.refused.tolist(), strict=True))
    return min(numbers, key=lambda name: (name not in among, -numbers[name], name))


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


def _more_nodes(subject: Subject, nodes: dict[str, Document], waits: frozenset[str]) -> _Helping:
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
    yield Proposal("add-nodes", "Node", name, (change,), facts=facts, cost=ChangeCost(nodes_added=count)), helped


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


def _uncordoned(subject: Subject, nodes: dict[str, Document], waits: frozenset[str]) -> _Helping:
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
        yield Proposal("uncordon", "Node", names[0], (change,), facts=facts), helped


def _untainted(subject: Subject, nodes: dict[str, Document], waits: frozenset[str]) -> _Helping:
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
        yield Proposal("remove-taint", "Node", names[0], (change,), facts=facts), helped


# -- requests and nodes that are not needed ----------------------------------------------------------------------------


def _right_sized(subject: Subject) -> Iterator[Proposal]:
    """Give every workload whose usage is known the recommended requests."""
    found = sizing_of(cluster=subject.cluster)
    workloads = [] if found is None else right_sized(found)
    if found is None or not workloads:
        return
    named = {Workload(each["namespace"], each["kind"], each["name"]) for each in workloads}
    pods = sum(each.pods for each in found.workloads if each.workload in named)
    freed = found.freed
    first = workloads[0]
    yield Proposal(
        "set-requests",
        first["kind"],
        first["name"],
        ({"change": "set-requests", "workloads": workloads},),
        namespace=first["namespace"],
        facts={"workloads": len(workloads), "pods": pods},
        gain=ChangeGain(cpu_milli=max(0, freed.cpu_milli), memory_bytes=max(0, freed.memory_bytes)),
        cost=ChangeCost(pods_restarted=pods),
    )


def _fewer_nodes(subject: Subject) -> Iterator[Proposal]:
    """Remove nodes whose pods fit on other nodes, with budgets and constraints respected."""
    nodes = subject.snapshot.nodes
    gone = [node.name for node in subject.removable.removed[:MOST_REMOVED]]
    if not gone:
        return
    rows = [nodes.index[name] for name in gone]
    freed = {
        resource: int(nodes.allocatable[rows, nodes.resources.index(resource)].sum()) for resource in (CPU, MEMORY)
    }
    pools = Counter(pool_of(nodes.nodes[row].labels) for row in rows)
    yield Proposal(
        "remove-nodes",
        "Node",
        gone[0],
        ({"change": "drain-nodes", "nodes": gone},),
        ("nodes", "pending"),
        facts={
            "nodes": gone,
            "of": len(nodes),
            "pools": [{"pool": pool, "nodes": pools[pool]} for pool in sorted(pools)],
            "freed": freed,
        },
        gain=ChangeGain(nodes_removed=len(gone), cpu_milli=freed[CPU], memory_bytes=freed[MEMORY]),
    )
