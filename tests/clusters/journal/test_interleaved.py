"""A burst in which pods that were refused are tried again among new ones, and bindings are written in any order."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any, NamedTuple

from django.utils import timezone

from clusters.engine import SchedulerConfiguration, Snapshot, explain
from clusters.engine.journal import History, RecordedChange
from clusters.models import Decision
from clusters.services.journal.judge import judge
from clusters.services.journal.ledger import PodFact
from tests.clusters.dumps import node, pod
from tests.clusters.journal.pods import bound, refused

if TYPE_CHECKING:
    from clusters.services.journal.writing import Judgement

Object = dict[str, Any]

CONFIGURATION = SchedulerConfiguration.default()
NODES, PODS = 30, 40
# So many bindings may overtake one that was decided before them.
OVERTAKING = 40
# As many as are looked at when a decision is heard of.
STATES = 60


class Attempt(NamedTuple):
    """An attempt of the burst: the pod as it is taken up, the version with which it came, and the node chosen."""

    pod: Object
    came: int
    node: str


def sized(chance: random.Random, name: str) -> Object:
    document = pod(name)
    amounts = {"cpu": f"{chance.randint(1, 30)}00m", "memory": f"{chance.randint(1, 40)}00Mi"}
    document["spec"]["containers"][0]["resources"]["requests"] = amounts
    return document


def some_nodes() -> list[Object]:
    found = [node(f"n{number}") for number in range(NODES)]
    for each in found:
        each["status"]["allocatable"] = {"cpu": "64", "memory": "256Gi", "pods": "110"}
    return found


def attempts(chance: random.Random) -> list[Attempt]:
    """Decide about old pods, which were refused before, and new ones: each kind in order, among each other in any."""
    old = [(refused(sized(chance, f"old-{number}")), number) for number in range(PODS)]
    new = [(sized(chance, f"new-{number}"), 1_000 + number) for number in range(PODS)]
    snapshot, found = Snapshot.from_objects(some_nodes()), []
    while old or new:
        kind = old if not new or (old and chance.random() < 0.5) else new
        document, came = kind.pop(0)
        cycle = explain(snapshot, document, CONFIGURATION.profile_for(document)).cycle
        chosen = snapshot.nodes.names[chance.choice(list(cycle.choices))]
        snapshot.upsert(bound(document, chosen))
        found.append(Attempt(document, came, chosen))
    return found


def judged(history: History, step: RecordedChange, attempt: Attempt, chosen: str) -> Judgement:
    fact = PodFact(
        kind=Decision.Kind.BOUND,
        pod_uid=attempt.pod["metadata"]["uid"],
        namespace=attempt.pod["metadata"]["namespace"],
        name=attempt.pod["metadata"]["name"],
        owner_kind="",
        owner_name="",
        scheduler_name="default-scheduler",
        priority=0,
        resource_version=str(step.version),
        node_name=chosen,
        message="",
        heard_at=timezone.now(),
        reported_at=None,
        is_watched=True,
    )
    return judge(fact, step, history, CONFIGURATION, most_states=STATES)


def test_what_an_order_of_the_attempts_explains_agrees() -> None:
    chance = random.Random(3)
    decided = attempts(chance)
    history, steps = History(Snapshot.from_objects(some_nodes())), []
    written = sorted(range(len(decided)), key=lambda place: place + chance.random() * OVERTAKING)
    for number, place in enumerate(written):
        document, came, chosen = decided[place]
        steps.append((RecordedChange(5_000 + number, document, bound(document, chosen), number / 100, came), place))
        history.add(steps[-1][0])

    again = [(step, decided[place]) for step, place in steps if decided[place].came < PODS]
    verdicts = [judged(history, step, attempt, attempt.node).verdict for step, attempt in again]
    # No order makes room for a pod that is larger than every node.
    huge = refused(sized(chance, "huge"))
    huge["spec"]["containers"][0]["resources"]["requests"]["cpu"] = "100"
    other = RecordedChange(9_000, huge, bound(huge, "n0"), again[0][0].moment, came=PODS)

    assert len(verdicts) == PODS
    assert set(verdicts) == {Decision.Verdict.AGREES}
    assert judged(history, other, Attempt(huge, PODS, "n0"), "n0").verdict == Decision.Verdict.DISAGREES
