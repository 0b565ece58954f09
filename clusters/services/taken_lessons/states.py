"""A decision with all that it was made of, wherever it was made: a cluster now, a run, the journal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from clusters.engine import ConfigurationError, UnknownScheduler, explain
from clusters.engine.objects import key_of
from clusters.models import Departure
from clusters.problems.taken_lessons import DecisionNotKept, PodNotKept
from clusters.services.decisions.explain import explain_pod, free_of_its_node
from clusters.services.decisions.failures import computed
from clusters.services.journal.agreement import COUNTED_KINDS
from clusters.services.journal.past import UnknownPastError, known_since, state_at
from clusters.services.mirror.configurations import configuration_of, document_of
from clusters.services.mirror.objects import MirroredObjects
from clusters.services.runs.moments import decision_at
from clusters.services.runs.moments import state_at as run_state_at
from clusters.services.runs.spec import Spec

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from clusters.engine import Explanation
    from clusters.engine.objects import Document
    from clusters.engine.problems import Problem
    from clusters.models import Cluster, Decision, SimulationRun

# SQLite may be built to take no more than 999 values in one statement.
_AT_ONCE: Final = 400


class NotTakenError(Exception):
    """What cannot become a lesson, and why."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem)
        self.problem = problem


@dataclass(frozen=True, slots=True)
class TakenState:
    """A decision, and what finds the pods around it by ``namespace/name``, as they were written.

    ``configuration``: as it was given, None for the default.
    """

    explanation: Explanation
    configuration: dict[str, Any] | None
    pods_named: Callable[[Sequence[str]], list[Document]]


def state_of_pod(*, cluster: Cluster, namespace: str, name: str) -> TakenState:
    """Return the decision about a pod as the cluster is now.

    Raises PodNotFound, NotTakenError, NotComputed and ChangingTooFastError.
    """
    try:
        explanation = explain_pod(cluster=cluster, namespace=namespace, name=name)
    except (UnknownScheduler, ConfigurationError) as error:
        raise NotTakenError(error.problem) from None
    return TakenState(explanation, document_of(cluster), MirroredPods(cluster.pk))


def state_of_step(*, run: SimulationRun, number: int) -> TakenState:
    """Return the decision of a step of a run, from 0. Raises SpecError and NotComputed."""
    explanation = decision_at(run, number)
    simulation = run_state_at(run, number)

    def pods_named(keys: Sequence[str]) -> list[Document]:
        return [simulation.document_of(key) for key in keys]

    configuration = Spec.stored(run.spec).configuration
    return TakenState(explanation, None if configuration is None else dict(configuration), pods_named)


def state_of_decision(*, decision: Decision) -> TakenState:
    """Return a decision of the journal, made again in what the journal knows of its moment.

    Raises NotTakenError, NotComputed and ChangingTooFastError.
    """
    cluster = decision.cluster
    try:
        past = state_at(cluster=cluster, at=decision.heard_at)
    except UnknownPastError:
        raise NotTakenError(DecisionNotKept()) from None
    pods = PastPods(cluster.pk, decision)
    key = f"{decision.namespace}/{decision.name}"
    document = next(iter(pods([key])), None)
    if document is None:
        raise NotTakenError(PodNotKept(key))
    snapshot = past.snapshot
    pod = free_of_its_node({**document, "status": {}}, snapshot.release)
    try:
        profile = configuration_of(cluster).profile_for(pod)
    except (UnknownScheduler, ConfigurationError) as error:
        raise NotTakenError(error.problem) from None
    explanation = computed(key, lambda: explain(snapshot, pod, profile))
    return TakenState(explanation, document_of(cluster), pods)


def can_be_taken(decision: Decision) -> bool:
    """Tell whether a decision of the journal can become a lesson: the scheduler's own, of a moment that is known."""
    since = known_since(decision.cluster)
    return decision.kind in COUNTED_KINDS and since is not None and decision.heard_at >= since


class MirroredPods:
    """The pods of a cluster as the mirror has them now."""

    def __init__(self, cluster_id: int) -> None:
        self._objects = MirroredObjects(cluster_id)

    def __call__(self, keys: Sequence[str]) -> list[Document]:
        found: dict[str, Document] = {}
        for start in range(0, len(keys), _AT_ONCE):
            found |= {key_of(each): each for each in self._objects.pods_named(keys[start : start + _AT_ONCE])}
        return [found[key] for key in keys if key in found]


class PastPods:
    """The pods of a cluster around a decision: those that went since, too, as they were last seen."""

    def __init__(self, cluster_id: int, decision: Decision) -> None:
        self._cluster_id, self._decision = cluster_id, decision
        self._present = MirroredPods(cluster_id)

    def __call__(self, keys: Sequence[str]) -> list[Document]:
        found = {key_of(each): each for each in self._present(keys)}
        names = sorted({key.partition("/")[2] for key in keys})
        for start in range(0, len(names), _AT_ONCE):
            rows = Departure.objects.filter(
                cluster_id=self._cluster_id,
                kind=Departure.Kind.POD,
                name__in=names[start : start + _AT_ONCE],
                heard_at__gt=self._decision.heard_at,
            )
            # Of several pods that had a name one after the other, the one that went first was there.
            found |= {f"{row.namespace}/{row.name}": row.document for row in rows.order_by("-heard_at", "-pk")}
        return [found[key] for key in keys if key in found]
