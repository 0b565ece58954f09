"""Cases for the batch scheduler, and what is checked of any of its runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clusters.adapters.flow import solve
from clusters.engine import SchedulerConfiguration, Snapshot
from clusters.engine.disruption import disruption_budgets
from clusters.engine.objects import Pod, key_of
from clusters.engine.scheduling import run_cycle
from clusters.engine.simulation import BatchSimulation, Case, Outcome, Step, Wanted

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

Document = dict[str, Any]

CONFIGURATION = SchedulerConfiguration.default()


def a_case(objects: Iterable[Document], pods: Iterable[Document], *, seed: int = 0) -> Case:
    """A cluster and pods that arrive together, one after another."""
    known = list(objects)
    placed = {key_of(each): each for each in known if each["kind"] == "Pod" and each["spec"].get("nodeName")}
    return Case(Snapshot.from_objects(known), CONFIGURATION, [Wanted(pod) for pod in pods], seed=seed, placed=placed)


def run(case: Case, **options: Any) -> list[Step]:
    """All steps of a case placed in batches."""
    return list(BatchSimulation(case, solve, **options))


def nodes_of(steps: Iterable[Step]) -> dict[str, str]:
    """Where the pods of a run lie in the end, by name."""
    found: dict[str, str] = {}
    for step in steps:
        name = step.pod.partition("/")[2]
        if step.outcome is Outcome.PLACED:
            found[name] = step.node
        elif step.outcome in (Outcome.EVICTED, Outcome.COMPLETED):
            found.pop(name, None)
    return found


def a_budget(name: str, labels: Mapping[str, str], *, least: int, pods: int) -> Document:
    """A budget that wants so many of its pods at least, all of which are healthy."""
    status = {"disruptionsAllowed": pods - least, "currentHealthy": pods, "desiredHealthy": least, "expectedPods": pods}
    return {
        "apiVersion": "policy/v1",
        "kind": "PodDisruptionBudget",
        "metadata": {"name": name, "namespace": "default", "generation": 1},
        "spec": {"minAvailable": least, "selector": {"matchLabels": dict(labels)}},
        "status": {**status, "observedGeneration": 1},
    }


def check(case: Case, steps: list[Step]) -> None:
    """Each pod is let in by every filter when its turn comes, with the total that the step tells."""
    states = BatchSimulation(case, solve, steps)
    for step in steps:
        before = states.snapshot.copy()
        assert next(states) == step
        if step.outcome is not Outcome.PLACED:
            continue
        pod = states.document_of(step.pod)
        cycle = run_cycle(before, Pod(pod), case.configuration.profile_for(pod))
        totals = dict(zip((before.nodes.names[row] for row in cycle.feasible), cycle.totals.tolist(), strict=True))
        assert totals[step.node] == step.total


def healthy_by_budget(snapshot: Snapshot) -> dict[str, int]:
    """How many ready pods each budget has."""
    pods = snapshot.pods
    return {
        budget.key: sum(
            budget.namespace == pods.namespace(slot)
            and budget.selector.matches(pods.labels(slot))
            and bool(pods.ready[slot])
            for slot in pods.slot_of.values()
            if pods.node[slot] >= 0
        )
        for budget in disruption_budgets(snapshot)
    }
