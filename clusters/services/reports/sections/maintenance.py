"""What drains of nodes meet, and what the next version decides otherwise."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import msgspec

from clusters.documents.upgrades import (
    UpgradeAnswer,
    UpgradeDifference,
    UpgradeDocument,
    UpgradeDrainAnswer,
    UpgradePlacement,
    UpgradeRule,
    upgrade_document,
)
from clusters.engine.disruption import (
    Block,
    BlockedDrain,
    BudgetState,
    DrainCase,
    DrainOptions,
    NodeDrain,
    Outlook,
    Plan,
    blocked_drains,
    budget_states,
    drain_plan,
    fix_of,
    node_drains,
    remedy_of,
)
from clusters.engine.simulation import running_pods
from clusters.engine.upgrading import AnswerAspect, SubjectRole, releases_between
from clusters.engine.versions import RELEASES
from clusters.engine.workloads import bare_pods, host_port_pods
from clusters.services.decisions.explain import note
from clusters.services.disruption import planned_alone
from clusters.services.reports import subject as tables
from clusters.services.reports.subject import Row, Subject, name, number, section, table, text
from clusters.services.upgrading import later_releases, preview_of_state

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from clusters.engine.objects import Document
    from clusters.engine.owners import Workload


# So many evictions are planned for a review, and so many placements tried for them.
MOST_EVICTIONS = 2_000
MOST_PLACEMENTS = 8_000
_EXAMPLES = 5


def maintenance(subject: Subject, alive: Callable[[], object]) -> Row:
    """Budgets and drains now, and a plan that drains every node; `alive` is told while the plan is made."""
    states = budget_states(subject.snapshot, subject.base.beside)
    blocked = blocked_drains(states)
    drains = planned_alone(
        node_drains(subject.snapshot, blocked),
        subject.snapshot,
        subject.configuration,
        lambda nodes: _case(subject, states, nodes, subject.placed_on(nodes)),
    )
    alive()
    evictions = sum(drain.evicted for drain in drains)
    plan = _plan(subject, states, drains, alive) if evictions <= MOST_EVICTIONS else None
    outlooks = Counter(drain.outlook for drain in drains)
    blocking = [state for state in states if state.allows_none]
    facts = {
        "budgets": len(states),
        "blocking": len(blocking),
        "lasting": sum(state.is_blocker for state in states),
        "shared": len({pod for state in states for pod in state.shared}),
        "bare": len(bare_pods(subject.snapshot)),
        "host_ports": len(host_port_pods(subject.snapshot)),
        "nodes": len(drains),
        "outlook": {str(outlook): outlooks[outlook] for outlook in Outlook},
        "also_waiting": sum(drain.also_waits for drain in drains),
        "evictions": evictions,
        "plan": None
        if plan is None
        else {
            "batches": len(plan.batches),
            "nodes": sum(len(batch.nodes) for batch in plan.batches),
            "evictions": sum(len(batch.evictions) for batch in plan.batches),
            "not_drained": len(plan.blocked),
        },
        "most_evictions": MOST_EVICTIONS,
    }
    budgets = [
        tables.name("namespace"),
        tables.name("name"),
        tables.text("cause"),
        tables.text("never"),
        tables.yes("lasts"),
        *map(tables.number, ("pods", "healthy", "desired", "allowed")),
        tables.names("nodes"),
    ]
    found = [
        tables.table(
            "drain_outlooks",
            [tables.text("outlook"), tables.number("nodes"), tables.names("names")],
            _by_outlook(drains),
        ),
        tables.table(
            "drain_workloads",
            [
                tables.name("workload"),
                *map(tables.number, ("before", "unschedulable", "after", "nodes")),
                tables.names("names"),
            ],
            _without_room(subject, drains),
        ),
        tables.table(
            "drain_blockers",
            [
                tables.name("budget"),
                *map(tables.number, ("blocked", "alone")),
                tables.text("outlook"),
                tables.text("fix"),
                tables.names("names"),
            ],
            _blockers(states, blocked),
        ),
        tables.table("budgets", budgets, [_budget(state) for state in blocking]),
        tables.table(
            "shared_budgets",
            [tables.names("budgets"), tables.number("pods"), tables.names("examples")],
            _shared(states),
        ),
        tables.table(
            "blocked_nodes",
            [tables.name("node"), tables.text("outlook"), tables.number("refused"), tables.names("budgets")],
            [
                {
                    "node": drain.node,
                    "outlook": "lasting" if drain.lasts else "waits",
                    "refused": drain.most,
                    "budgets": [refusal.budget.key for refusal in drain.refusals],
                }
                for drain in blocked
            ],
        ),
    ]
    return tables.section("maintenance", facts, found if plan is None else [*found, *_plan_tables(plan)])


def _by_outlook(drains: Sequence[NodeDrain]) -> list[Row]:
    """Return the nodes by what a drain that starts now meets, those first that can be drained."""
    names: dict[Outlook, list[str]] = defaultdict(list)
    for drain in drains:
        names[drain.outlook].append(drain.node)
    return [
        {"outlook": str(outlook), "nodes": len(names[outlook]), "names": names[outlook]}
        for outlook in Outlook
        if outlook in names
    ]


def _without_room(subject: Subject, drains: Sequence[NodeDrain]) -> list[Row]:
    """Return the workloads that would run fewer pods after the drain of a node, as replacements find none.

    ``unschedulable``: the most of its replacements that one drain leaves without a node; ``after``: what runs then.
    """
    snapshot = subject.snapshot
    running = running_pods(snapshot).counts()
    left: dict[Workload, Counter[str]] = defaultdict(Counter)
    for drain in drains:
        for blocker in drain.blockers or ():
            if drain.outlook is Outlook.NO_ROOM and blocker.kind is Block.NO_ROOM:
                template = snapshot.pods.template[snapshot.pods.slot_of[blocker.pod]]
                left[snapshot.pods.templates[template].workload][drain.node] += 1
    rows = [
        {
            "workload": f"{workload.kind} {workload.namespace}/{workload.name}",
            "before": running[workload],
            "unschedulable": max(nodes.values()),
            "after": max(0, running[workload] - max(nodes.values())),
            "nodes": len(nodes),
            "names": sorted(nodes),
        }
        for workload, nodes in left.items()
    ]
    return sorted(rows, key=lambda row: (-int(row["unschedulable"]), str(row["workload"])))


def _blockers(states: Sequence[BudgetState], blocked: Sequence[BlockedDrain]) -> list[Row]:
    """Return the budgets that block drains, with what helps once for each; the one of most nodes first."""
    alone = Counter(drain.refusals[0].budget.key for drain in blocked if len(drain.refusals) == 1)
    lasting = {refusal.budget.key for drain in blocked for refusal in drain.refusals if refusal.lasts}
    rows = []
    for state in states:
        fix = fix_of(state)
        if fix is None:
            continue
        budget, remedy = state.budget, remedy_of(state)
        rows.append(
            {
                "budget": budget.key,
                "blocked": len(state.nodes.blocked),
                "alone": alone[budget.key],
                "outlook": "lasting" if budget.key in lasting else "waits",
                "fix": str(fix),
                "names": list(state.nodes.blocked),
                "cause": "" if state.cause is None else str(state.cause),
                "others": [f"{budget.namespace}/{name}" for name in state.overlapping],
                "field": "" if remedy is None else remedy.field,
                "value": "" if remedy is None else remedy.value,
            }
        )
    return sorted(rows, key=lambda row: (-row["blocked"], row["budget"]))


def _shared(states: Sequence[BudgetState]) -> list[Row]:
    """Return the budgets that select the same pods, which the API server then evicts for none of them."""
    by_pod: dict[str, list[str]] = defaultdict(list)
    for state in states:
        for pod in state.shared:
            by_pod[pod].append(state.budget.key)
    pods: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for pod, budgets in sorted(by_pod.items()):
        pods[tuple(sorted(budgets))].append(pod)
    return [
        {"budgets": list(budgets), "pods": len(keys), "examples": keys[:_EXAMPLES]}
        for budgets, keys in sorted(pods.items())
    ]


def _budget(state: BudgetState) -> Row:
    return {
        "namespace": state.budget.namespace,
        "name": state.budget.name,
        "cause": str(state.cause),
        "never": "" if state.never is None else str(state.never),
        "lasts": state.is_blocker,
        "pods": state.pods,
        "healthy": state.computed.healthy,
        "desired": state.computed.desired,
        "allowed": state.grants,
        "nodes": list(state.nodes.blocked),
    }


def _plan(
    subject: Subject, states: Sequence[BudgetState], drains: Sequence[NodeDrain], alive: Callable[[], object]
) -> Plan:
    snapshot = subject.snapshot
    nodes = [drain.node for drain in drains]
    case = _case(subject, states, nodes, subject.placed_on(nodes))
    # As in an upgrade, where a node accepts pods again once it is done.
    options = DrainOptions(uncordon=True)
    return drain_plan(snapshot, subject.configuration, case, options, lambda _: alive())


def _case(subject: Subject, states: Sequence[BudgetState], nodes: list[str], pods: Sequence[Document]) -> DrainCase:
    return DrainCase(
        nodes=nodes,
        pods=pods,
        others=subject.base.beside,
        lasting=frozenset(state.budget.key for state in states if state.is_blocker),
        daemon_sets=subject.daemon_sets,
        most_placements=MOST_PLACEMENTS,
        note=note,
    )


def _plan_tables(plan: Plan) -> list[Row]:
    batches = [
        {
            "batch": number,
            "nodes": [node.name for node in batch.nodes],
            "evictions": len(batch.evictions),
            "rounds": batch.rounds,
        }
        for number, batch in enumerate(plan.batches, start=1)
    ]
    not_drained = [
        {
            "node": node.name,
            "why": str(node.kind),
            "pods": [blocker.pod for blocker in node.blockers if blocker.kind is node.kind],
        }
        for node in plan.blocked
    ]
    by_reason: dict[str, list[str]] = defaultdict(list)
    for row in not_drained:
        by_reason[str(row["why"])].append(str(row["node"]))
    reasons = [{"why": why, "nodes": len(names), "names": names} for why, names in by_reason.items()]
    columns = [tables.number("batch"), tables.names("nodes"), tables.number("evictions"), tables.number("rounds")]
    return [
        tables.table("batches", columns, batches),
        tables.table(
            "not_drained",
            [tables.text("why"), tables.number("nodes"), tables.names("names")],
            sorted(reasons, key=lambda row: -len(row["names"])),
        ),
        tables.table("not_drained_nodes", [tables.name("node"), tables.text("why"), tables.names("pods")], not_drained),
    ]


# So many differences of pods and workloads, of pod groups and of each pool are kept of a review; the numbers count all.
MOST_DIFFERENCES = 200
_RELEASES = ("admissions", "verdicts", "preemptions", "best_nodes", "messages", "pod_groups", "drains")
_OF_ASPECT = {
    AnswerAspect.ADMISSION: "admissions",
    AnswerAspect.VERDICT: "verdicts",
    AnswerAspect.PREEMPTION: "preemptions",
    AnswerAspect.NODES: "best_nodes",
    AnswerAspect.MESSAGE: "messages",
}


def upgrade(subject: Subject, minor: str, alive: Callable[[], object]) -> Row:
    """What scheduling and drains do otherwise up to a minor; where that is not later any more, nothing."""
    own = subject.snapshot.release
    if minor not in {each.minor for each in later_releases(own)}:
        return section("upgrade", {"before": own.minor, "after": minor, "preview": None})
    preview = preview_of_state(cluster=subject.cluster, snapshot=subject.snapshot, target=RELEASES[minor], alive=alive)
    document = upgrade_document(preview)
    kept = _kept(document)
    return section(
        "upgrade",
        {
            "before": own.minor,
            "after": minor,
            "preview": msgspec.to_builtins(kept),
            "messages": _messages(document),
        },
        [
            table("upgrade_releases", [text("release"), *map(number, _RELEASES)], _releases(document)),
            table(
                "upgrade_differences",
                [
                    *map(text, ("release", "difference")),
                    name("object"),
                    number("pods"),
                    *map(text, ("rules", "before", "after")),
                ],
                [_difference(each) for each in kept.differences],
            ),
            table(
                "upgrade_pod_groups",
                [text("release"), name("pod_group"), *map(text, ("rules", "before", "after"))],
                [
                    {
                        "release": each.release,
                        "pod_group": each.group,
                        "rules": _rules(each.rules),
                        "before": _placement(each.before),
                        "after": _placement(each.after),
                    }
                    for each in kept.pod_groups
                ],
            ),
            table(
                "upgrade_pools",
                [name("pool"), *map(number, ("nodes", "nodes_drained", "nodes_changed"))],
                [
                    {
                        "pool": pool.pool,
                        "nodes": pool.node_count,
                        "nodes_drained": pool.nodes_drained,
                        "nodes_changed": pool.nodes_changed,
                    }
                    for pool in kept.drains
                ],
            ),
            table(
                "upgrade_drains",
                [
                    *map(text, ("release", "difference")),
                    *map(name, ("pool", "node")),
                    *map(text, ("rules", "before", "after")),
                ],
                [
                    {
                        "release": each.release,
                        "difference": str(each.difference),
                        "pool": pool.pool,
                        "node": each.node,
                        "rules": _rules(each.rules),
                        "before": _drained(each.before),
                        "after": _drained(each.after),
                    }
                    for pool in kept.drains
                    for each in pool.differences
                ],
            ),
        ],
    )


def _kept(document: UpgradeDocument) -> UpgradeDocument:
    pools = tuple(
        msgspec.structs.replace(pool, differences=pool.differences[:MOST_DIFFERENCES]) for pool in document.drains
    )
    return msgspec.structs.replace(
        document,
        differences=document.differences[:MOST_DIFFERENCES],
        pod_groups=document.pod_groups[:MOST_DIFFERENCES],
        drains=pools,
    )


def _releases(document: UpgradeDocument) -> list[Row]:
    """Count the differences of each release on the way: pods and workloads by kind, pod groups, and drained nodes."""
    counts: dict[str, Counter[str]] = {
        after.minor: Counter()
        for _, after in pairwise(releases_between(RELEASES[document.before], RELEASES[document.after]))
    }
    for each in document.differences:
        counts[each.release][_OF_ASPECT[each.difference]] += each.pod_count
    for group in document.pod_groups:
        counts[group.release]["pod_groups"] += 1
    for pool in document.drains:
        for change in pool.differences:
            counts[change.release]["drains"] += 1
    return [{"release": minor, **{key: found[key] for key in _RELEASES}} for minor, found in counts.items()]


def _messages(document: UpgradeDocument) -> list[Row]:
    """How many differences are of wording alone, by the release and the rules that bring them."""
    counts: Counter[tuple[str, str]] = Counter()
    for each in document.differences:
        if each.difference is AnswerAspect.MESSAGE:
            counts[each.release, _rules(each.rules)] += each.pod_count
    return [{"release": release, "rules": rules, "pods": pods} for (release, rules), pods in counts.items()]


def _difference(difference: UpgradeDifference) -> Row:
    workload = difference.workload
    is_next = difference.role is SubjectRole.NEXT
    return {
        "release": difference.release,
        "difference": str(difference.difference),
        "object": f"{workload.kind} {workload.namespace}/{workload.name}" if is_next else difference.pods[0],
        "pods": difference.pod_count,
        "rules": _rules(difference.rules),
        "before": _answer(difference.difference, difference.before),
        "after": _answer(difference.difference, difference.after),
    }


def _rules(rules: Iterable[UpgradeRule]) -> str:
    """Name rules as the tables of versions do, which say what each is."""
    return " ".join(f"{rule.kind}:{rule.name}" for rule in rules)


def _answer(aspect: AnswerAspect, answer: UpgradeAnswer) -> str:
    found: dict[AnswerAspect, Any] = {
        AnswerAspect.ADMISSION: "refused" if answer.refusals else "created",
        AnswerAspect.VERDICT: answer.verdict,
        AnswerAspect.PREEMPTION: answer.preempted_on or ", ".join(answer.victims),
        AnswerAspect.NODES: ", ".join(answer.nodes),
        AnswerAspect.MESSAGE: answer.message or "",
    }
    return str(found[aspect])


def _placement(placement: UpgradePlacement) -> str:
    """Name what an attempt for a group ends with, or the state that keeps it from one."""
    return str(placement.verdict or placement.state)


def _drained(answer: UpgradeDrainAnswer) -> str:
    """Write where replacements go, or else the first message, or else what blocks the node."""
    if answer.pending:
        return answer.pending[0].message
    if answer.block is not None:
        return str(answer.block)
    return ", ".join(f"{each.pod}: {each.node}" for each in answer.replacements)
