"""Changes that name an object, each backed by a simulation that is kept and that shows what it does."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass, fields, replace
from typing import TYPE_CHECKING, Any, Final, Self

import orjson

from clusters.documents.titles import base_title, trial_title
from clusters.engine import explain
from clusters.engine.analysis import ChangeCost, ChangeGain, Whole, worth
from clusters.engine.objects import key_of
from clusters.engine.resources import CPU, MEMORY
from clusters.models import RunPod, SimulationRun
from clusters.services import runs
from clusters.services.reports import subject as tables
from clusters.services.reports.proposals import Proposal, proposals
from clusters.services.reports.subject import Row, Subject, subject_of_run
from clusters.services.runs.results import PENDING
from clusters.services.runs.starting import run_on, stored_run

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from django.contrib.auth.models import User

    from clusters.engine.status import Rejection

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
        *(tables.number(each.name) for each in fields(ChangeCost)),
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


@dataclass(frozen=True, slots=True)
class _Tried:
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
