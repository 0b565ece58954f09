"""Changes that name an object, each backed by a simulation that is kept and that shows what it does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import orjson

from clusters.documents.titles import base_title, trial_title
from clusters.models import RunPod, SimulationRun
from clusters.services import runs
from clusters.services.reports import tables
from clusters.services.reports.proposals import proposals
from clusters.services.runs.question import PENDING
from clusters.services.runs.starting import run_on, stored_run

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from django.contrib.auth.models import User

    from clusters.services.reports.proposals import Proposal
    from clusters.services.reports.subject import Subject
    from clusters.services.reports.tables import Row

MOST_MADE = 5
# Of a cluster with more pods on its nodes nothing is tried: it would keep a worker for an hour.
MOST_PODS = 50_000


def recommendations(subject: Subject, user: User | None, alive: Callable[[], object], number: int | None) -> Row:
    """Simulate what is proposed, and recommend what a simulation shows to be better; ``number``: the review's."""
    made: list[Row] = []
    tried = 0
    is_sought = int(subject.snapshot.nodes.pod_count.sum()) <= MOST_PODS
    with _Trials(subject, user, alive, number) as trials:
        for proposal in proposals(subject, alive) if is_sought else ():
            if len(made) == MOST_MADE:
                break
            tried += 1
            base, run = trials.of(proposal)
            before, after = _measured(base, proposal, is_changed=False), _measured(run, proposal, is_changed=True)
            if before is not None and after is not None and _is_better(before, after):
                made.append(_row(proposal, base, run, before, after))
                trials.kept |= {base.pk, run.pk}
    rows = [
        {
            "number": number,
            "rule": each["rule"],
            "kind": each["object"]["kind"],
            "namespace": each["object"]["namespace"],
            "name": each["object"]["name"],
            "run": each["run"],
            "measure": measure,
            "before": each["before"][measure],
            "after": each["after"][measure],
        }
        for number, each in enumerate(made, start=1)
        for measure in each["before"]
    ]
    columns = [
        tables.number("number"),
        *map(tables.text, ("rule", "kind")),
        *map(tables.name, ("namespace", "name")),
        tables.number("run"),
        tables.text("measure"),
        *map(tables.number, ("before", "after")),
    ]
    facts = {"made": made, "tried": tried, "is_sought": is_sought, "most_pods": MOST_PODS}
    return tables.section("recommendations", facts, [tables.table("recommendations", columns, rows)])


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


def _measured(run: SimulationRun, proposal: Proposal, *, is_changed: bool) -> dict[str, int] | None:
    """What is so at the run's end; None of one that did not come to an end."""
    if run.state != SimulationRun.State.DONE:
        return None
    kept = run.pods.filter(outcome__in=(RunPod.Outcome.REFUSED, RunPod.Outcome.HELD)).count()
    pending = run.pods.filter(outcome__in=(*PENDING, RunPod.Outcome.FORBIDDEN)).count()
    found = {"kept": kept, "pending": pending}
    if "nodes" in proposal.measures:
        # A node that was drained can go, and one that a budget kept from it cannot.
        gone = len(proposal.facts["nodes"]) if is_changed and not kept else 0
        found["nodes"] = proposal.facts["of"] - gone
    return {measure: found[measure] for measure in proposal.measures}


def _is_better(before: Mapping[str, int], after: Mapping[str, int]) -> bool:
    """Whether something is less and nothing is more."""
    pairs = [(before[measure], after[measure]) for measure in before]
    return any(new < old for old, new in pairs) and all(new <= old for old, new in pairs)


def _row(
    proposal: Proposal, base: SimulationRun, run: SimulationRun, before: dict[str, int], after: dict[str, int]
) -> dict[str, Any]:
    return {
        "rule": proposal.rule,
        "object": {"kind": proposal.kind, "namespace": proposal.namespace, "name": proposal.name},
        "changes": list(proposal.changes),
        "facts": proposal.facts,
        "base_run": base.pk,
        "run": run.pk,
        "before": before,
        "after": after,
    }
