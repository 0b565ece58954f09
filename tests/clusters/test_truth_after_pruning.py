"""What is pruned at the door decides nothing: the answers are the scheduler's own also for objects of the mirror."""

from __future__ import annotations

from typing import Any

import pytest

from clusters.adapters.prune import kind_of, pruned_configuration
from clusters.engine import SchedulerConfiguration, Snapshot
from clusters.engine.scheduling import replay
from tests.engine.oracle import Case, cases, comparable, importance_of_pods

pytestmark = pytest.mark.unmeasured

# The wider corpus has labels on purpose that no API server would store, and the door refuses.
EVERY_CASE = [
    pytest.param(case, id=name) for corpus in ("general", "examples", "dra") for name, case in cases(corpus).items()
]


def pruned(document: dict[str, Any]) -> dict[str, Any]:
    kind = kind_of(document["apiVersion"], document["kind"])
    assert kind is not None
    return {"apiVersion": document["apiVersion"], "kind": document["kind"], **kind.prune(document)}


@pytest.mark.parametrize("case", EVERY_CASE)
def test_pruned_objects_get_the_same_answers(case: Case) -> None:
    given = case.get("config") and pruned_configuration(case["config"])
    configuration = SchedulerConfiguration.from_dict(given) if given else SchedulerConfiguration.default()
    snapshot = Snapshot.from_objects(map(pruned, case["objects"]))
    answers = [explanation.as_recorded() for explanation in replay(snapshot, map(pruned, case["pods"]), configuration)]
    pods = importance_of_pods(case)

    for answer, expected in zip(answers, case["expect"], strict=True):
        assert comparable(answer, pods) == comparable(expected, pods)
