"""What to change: proposals, each of which is recommended only where a simulation shows that it helps."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any, Final, Self

import orjson
from msgspec import Struct, field
from msgspec.structs import asdict, replace

from clusters.documents.titles import base_title, trial_title
from clusters.engine import explain
from clusters.engine.analysis import ChangeCost, ChangeGain, Whole, worth
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
from clusters.models import Node, PodDisruptionBudget, RunPod, SimulationRun
from clusters.services import runs
from clusters.services.reports import subject as tables
from clusters.services.reports.subject import Row, Subject, subject_of_run, untolerated
from clusters.services.runs.results import PENDING
from clusters.services.runs.starting import run_on, stored_run
from clusters.services.usage.history import right_sized, sizing_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from clusters.engine import Snapshot

    Document = dict[str, Any]
    _Helping = Iterator[tuple["Proposal", frozenset[str]]]
    from collections.abc import Mapping

    from django.contrib.auth.models import User

    from clusters.engine.status import Rejection


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


class Proposal(Struct, frozen=True):
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


class _BudgetChange(Struct, frozen=True):
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
    states = budget_states(snapshot, subject.base.beside)
    blocked = _blocked_for_good(states)
    while len(made) < MOST_BUDGETS:
        tried = []
        for each in _budget_changes(subject, states):
            alive()
            left = _blocked_for_good(budget_states(each.make(snapshot), subject.base.beside))
            tried.append((blocked - left, each))
        if not tried:
            return
        freed, best = max(tried, key=lambda each: len(each[0]))
        yield _of_budget(best, freed, made)
        made.append(best)
        snapshot, blocked = best.make(snapshot), blocked - freed
        states = budget_states(snapshot, subject.base.beside)


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
        yield Proposal("uncordon", "Node", names[0], (change,), facts={"nodes": names}), helped


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


MOST_MADE = 8
# So many pods and reasons are named.
_EXAMPLES: Final = 5
_COUNTED_GAIN: Final = ("pods_scheduled", "nodes_drainable", "nodes_removed")
# Of a cluster with more pods on its nodes nothing is tried: it would keep a worker for an hour.
MOST_PODS = 50_000


def recommendations(subject: Subject, user: User | None, alive: Callable[[], object], number: int | None) -> Row:
    """Simulate what is proposed, and recommend what a simulation shows to be better; ``number``: the review's."""
    made: list[_Tried] = []
    tried = 0
    is_sought = int(subject.snapshot.nodes.pod_count.sum()) <= MOST_PODS
    with _Trials(subject, user, alive, number) as trials:
        for proposal in proposals(subject, alive) if is_sought else ():
            if len(made) == MOST_MADE:
                break
            tried += 1
            base, run = trials.of(proposal)
            if (found := _tried(proposal, base, run)) is not None and found.is_better:
                made.append(found)
                trials.kept |= {base.pk, run.pk}
    ranked = _ranked(made, _scale(subject))
    made_rows = [_row(each, value, ranked, subject) for each, value in ranked]
    effects = [
        {
            **_named(number, each),
            "run": each["run"],
            "measure": measure,
            "before": each["before"][measure],
            "after": each["after"][measure],
        }
        for number, each in enumerate(made_rows, start=1)
        for measure in each["before"]
    ]
    weights = [
        {
            **_named(number, each),
            **{key: each["gain"][key] for key in _COUNTED_GAIN},
            "cpu_freed": each["gain"]["cpu_milli"],
            "memory_freed": each["gain"]["memory_bytes"],
            **each["cost"],
            "worth": each["worth"],
        }
        for number, each in enumerate(made_rows, start=1)
    ]
    named = [tables.number("number"), *map(tables.text, ("rule", "kind")), *map(tables.name, ("namespace", "name"))]
    columns = [*named, tables.number("run"), tables.text("measure"), *map(tables.number, ("before", "after"))]
    weighed = [
        *named,
        *map(tables.number, _COUNTED_GAIN),
        *(tables.resource(resource, "freed") for resource in (CPU, MEMORY)),
        *(tables.number(name) for name in ChangeCost.__struct_fields__),
        tables.number("worth"),
    ]
    facts = {"made": made_rows, "tried": tried, "is_sought": is_sought, "most_pods": MOST_PODS}
    found_tables = [
        tables.table("recommendations", columns, effects),
        tables.table("recommendations_weighed", weighed, weights),
    ]
    return tables.section("recommendations", facts, found_tables)


def _named(number: int, row: Row) -> Row:
    return {"number": number, "rule": row["rule"], **row["object"]}


class _Trials:
    """Simulations that are stored, all of the same state; those that are not ``kept`` go at the end.

    None is kept when something goes wrong: nobody would know what they are for.
    """

    def __init__(self, subject: Subject, user: User | None, alive: Callable[[], object], number: int | None) -> None:
        self._number = number
        self.kept: set[int] = set()
        self._subject, self._user, self._alive = subject, user, alive
        self._stored: list[SimulationRun] = []
        self._bases: dict[bytes, SimulationRun] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, problem: type[BaseException] | None, *_: object) -> None:
        for run in self._stored:
            if problem is not None or run.pk not in self.kept:
                runs.delete(run)

    def of(self, proposal: Proposal) -> tuple[SimulationRun, SimulationRun]:
        """Return the end of the simulation without the change, which several proposals may share, and with it."""
        key = orjson.dumps(proposal.without)
        if key not in self._bases:
            drained = proposal.facts["node"] if proposal.without else ""
            title = base_title(number=self._number, cluster=self._subject.cluster.name, drained=drained)
            self._bases[key] = self._simulated(proposal.without, title)
        title = trial_title(
            number=self._number,
            cluster=self._subject.cluster.name,
            rule=proposal.rule,
            target=f"{proposal.namespace}/{proposal.name}",
            facts=proposal.facts,
        )
        return self._bases[key], self._simulated(proposal.changes, title)

    def _simulated(self, changes: Sequence[Mapping[str, Any]], title: str) -> SimulationRun:
        """Store a run with these changes and work on it here and now."""
        given = {"version": 1, "base": {"kind": "cluster"}, "changes": list(changes)}
        if self._stored:
            # As the first one: a cluster that is followed may be another by now.
            first = self._stored[0]
            given["configuration"] = first.spec["configuration"]
            spec = runs.read_spec(given)
            run = run_on(first.base, cluster=first.cluster, spec=spec, title=title, user=self._user)
        else:
            spec = runs.read_spec(given)
            run = stored_run(cluster=self._subject.cluster, spec=spec, title=title, user=self._user)
        self._stored.append(run)
        run.is_of_review = True
        run.save(update_fields=["is_of_review"])
        runs.work(run.pk)
        run.refresh_from_db()
        self._alive()
        return run


class _Tried(Struct, frozen=True):
    """A proposal and the ends of the simulations without it and with it: what is measured, and pending pods by name."""

    proposal: Proposal
    base: SimulationRun
    run: SimulationRun
    before: dict[str, int]
    after: dict[str, int]
    helped: frozenset[str]
    gain: ChangeGain
    cost: ChangeCost

    @property
    def is_better(self) -> bool:
        """Whether something is less, or capacity is freed, and nothing is more."""
        pairs = [(self.before[measure], self.after[measure]) for measure in self.before]
        frees = self.gain.cpu_milli > 0 or self.gain.memory_bytes > 0
        return all(new <= old for old, new in pairs) and (frees or any(new < old for old, new in pairs))


def _tried(proposal: Proposal, base: SimulationRun, run: SimulationRun) -> _Tried | None:
    """Measure what a change does; None where a simulation did not come to an end."""
    if any(each.state != SimulationRun.State.DONE for each in (base, run)):
        return None
    pending, still = _pending(base), _pending(run)
    before, after = _measured(base, proposal, pending), _measured(run, proposal, still)
    if "nodes" in proposal.measures:
        # A node that was drained can go, and one that a budget kept from it cannot.
        before["nodes"] = after["nodes"] = proposal.facts["of"]
        after["nodes"] -= 0 if _kept(run) else len(proposal.facts["nodes"])
    gain, cost = proposal.gain, proposal.cost
    # What happens to pods in the drain that shows what a budget does is no part of the change.
    if not proposal.without:
        gain = replace(gain, pods_scheduled=max(0, len(pending) - len(still)))
        cost = _harm(cost, base, run)
    order = {measure: number for number, measure in enumerate(proposal.measures)}
    return _Tried(
        proposal,
        base,
        run,
        dict(sorted(before.items(), key=lambda each: order[each[0]])),
        dict(sorted(after.items(), key=lambda each: order[each[0]])),
        pending - still if "pending" in proposal.measures else frozenset(),
        gain,
        cost,
    )


def _measured(run: SimulationRun, proposal: Proposal, pending: frozenset[str]) -> dict[str, int]:
    return {
        measure: _kept(run) if measure == "kept" else len(pending)
        for measure in proposal.measures
        if measure != "nodes"
    }


def _pending(run: SimulationRun) -> frozenset[str]:
    rows = run.pods.filter(outcome__in=(*PENDING, RunPod.Outcome.FORBIDDEN))
    return frozenset(f"{namespace}/{name}" for namespace, name in rows.values_list("namespace", "name"))


def _kept(run: SimulationRun) -> int:
    """How many pods a drain could not evict."""
    return run.pods.filter(outcome__in=(RunPod.Outcome.REFUSED, RunPod.Outcome.HELD)).count()


def _harm(cost: ChangeCost, base: SimulationRun, run: SimulationRun) -> ChangeCost:
    """Add what a simulation does to pods and workloads beyond what happens without the change."""

    def more(*keys: str) -> int:
        found = [(each.summary or {}).get("affected") or {} for each in (run, base)]
        number: int = sum(found[0].get(key, 0) - found[1].get(key, 0) for key in keys)
        return max(0, number)

    return replace(
        cost,
        # A rollout deletes pods, and evicts none.
        pods_evicted=0 if cost.pods_restarted else more("left"),
        newly_pending=more("pending"),
        workloads_fewer=more("fewer"),
        quorums_lost=more("quorum_lost", "quorum_interrupted"),
        budgets_broken=more("budgets"),
    )


def _scale(subject: Subject) -> Whole:
    nodes = subject.snapshot.nodes
    cpu, memory = (int(nodes.allocatable[:, nodes.resources.index(each)].sum()) for each in (CPU, MEMORY))
    return Whole(len(subject.waiting), len(nodes), int(nodes.pod_count.sum()), cpu, memory)


def _ranked(made: Sequence[_Tried], scale: Whole) -> list[tuple[_Tried, int]]:
    """Order by worth; changes of budgets, each of which counts on those before it, stay in their order."""
    values = [(each, worth(each.gain, each.cost, scale)) for each in made]
    budgets = iter([each for each in values if each[0].proposal.without])
    return [next(budgets) if each[0].proposal.without else each for each in sorted(values, key=lambda each: -each[1])]


def _row(tried: _Tried, value: int, ranked: Sequence[tuple[_Tried, int]], subject: Subject) -> dict[str, Any]:
    proposal = tried.proposal
    return {
        "rule": proposal.rule,
        "object": {"kind": proposal.kind, "namespace": proposal.namespace, "name": proposal.name},
        "changes": list(proposal.changes),
        "facts": proposal.facts,
        "base_run": tried.base.pk,
        "run": tried.run.pk,
        "before": tried.before,
        "after": tried.after,
        "gain": asdict(tried.gain),
        "cost": asdict(tried.cost),
        "worth": value,
        "helped": sorted(tried.helped)[:_EXAMPLES],
        "covered_by": _covering(tried, ranked),
        "beside": _beside(tried, ranked, subject),
        "zone_loss": _zone_loss(tried, subject),
    }


def _zone_loss(tried: _Tried, subject: Subject) -> dict[str, Any] | None:
    """What the worst loss of a zone leaves newly pending once nodes are removed, and leaves without; None of others."""
    if tried.proposal.rule != "remove-nodes":
        return None
    before, after = subject.newly_pending_by_zone, subject_of_run(tried.run).newly_pending_by_zone
    zone = max(after, key=lambda name: after[name], default=None)
    return None if zone is None else {"zone": zone, "before": before.get(zone, 0), "after": after[zone]}


def _covering(tried: _Tried, ranked: Sequence[tuple[_Tried, int]]) -> list[int]:
    """The numbers of those further up that schedule the same pods, if they schedule all of them."""
    place = next(number for number, (each, _) in enumerate(ranked) if each is tried)
    left, numbers = tried.helped, []
    for number, (each, _) in enumerate(ranked[:place], start=1):
        if left & each.helped:
            left -= each.helped
            numbers.append(number)
    return numbers if tried.helped and not left else []


def _beside(tried: _Tried, ranked: Sequence[tuple[_Tried, int]], subject: Subject) -> dict[str, Any] | None:
    """Why nodes are added although others can be removed: what those reject the helped pods for; None for others."""
    if tried.proposal.rule != "add-nodes":
        return None
    removal = next(
        ((number, each) for number, (each, _) in enumerate(ranked, start=1) if each.proposal.rule == "remove-nodes"),
        None,
    )
    if removal is None:
        return None
    number, other = removal
    nodes = other.proposal.facts["nodes"]
    rows = [subject.snapshot.nodes.index[name] for name in nodes]
    rejections: Counter[tuple[str, str]] = Counter()
    for pod in subject.waiting:
        if key_of(pod) in tried.helped:
            explanation = explain(subject.snapshot, pod, subject.configuration.profile_for(pod))
            found = {verdict for row in rows if (verdict := _why(explanation.verdict_of(row))) is not None}
            rejections.update(found)
    reasons = [
        {"plugin": plugin, "reason": reason, "pods": pods} for (plugin, reason), pods in rejections.most_common()
    ]
    return {
        "number": number,
        "nodes": len(nodes),
        "pools": other.proposal.facts["pools"],
        "reasons": reasons[:_EXAMPLES],
    }


def _why(rejection: Rejection | None) -> tuple[str, str] | None:
    return None if rejection is None else (rejection.plugin, rejection.status.said)
