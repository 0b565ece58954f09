"""What keeps a pod of a simulation from a node, as chunks and rows hold it."""

from __future__ import annotations

import zlib
from dataclasses import replace

import orjson
import pytest

from clusters.documents.words import message_in_words, text_of_step
from clusters.engine.configuration import NoScheduler
from clusters.engine.problems import Problem, Quoted
from clusters.engine.simulation import Outcome, PodGroupDoesNotFit, Step, VictimsWait
from clusters.services.runs.chunks import packed_steps, unpacked_steps
from clusters.wording.runs.progress import message_of

FOREIGN = NoScheduler("'volcano'", ("default-scheduler", "second"))
GROUP = PodGroupDoesNotFit("shop/train", 3)
NO_SCHEDULER = "Another scheduler, 'volcano', places this pod; the configuration has default-scheduler and second."
NO_GROUP = "Pod group shop/train does not fit: fewer than the 3 pods it needs find a node."
REFUSAL = "0/3 nodes are available: 3 Insufficient cpu."


def step(problem: Problem | None = None, message: str = "") -> Step:
    return Step(0, 5, Outcome.UNSCHEDULABLE, "shop/web", message=message, problem=problem)


def test_a_wait_for_victims_is_stored() -> None:
    waits = Step(0, 5, Outcome.UNSCHEDULABLE, "shop/web", "n1", waits=VictimsWait(45, 2))

    assert [each.waits for each in unpacked_steps(packed_steps([waits, replace(waits, number=1, waits=None)]), 0)] == [
        VictimsWait(45, 2),
        None,
    ]


def test_how_long_a_pod_terminates_is_stored() -> None:
    going = Step(0, 5, Outcome.EVICTED, "shop/web", "n1", by="n1", grace=30)
    waits = Step(1, 5, Outcome.UNSCHEDULABLE, "shop/web", "n1", waits=VictimsWait(45, 2))

    found = unpacked_steps(packed_steps([going, waits]), 0)

    assert found == [going, waits]
    assert (found[0].waits, found[1].waits) == (None, VictimsWait(45, 2))


@pytest.mark.parametrize(("problem", "said"), [(FOREIGN, NO_SCHEDULER), (GROUP, NO_GROUP)])
def test_a_problem_is_stored_by_kind_and_said_where_it_is_shown(problem: Problem, said: str) -> None:
    packed = packed_steps([step(problem)])

    assert unpacked_steps(packed, 0) == [step(problem)]
    assert orjson.loads(zlib.decompress(packed))[0][9]["kind"] == problem.kind
    assert message_of(step(problem)) == said
    assert message_in_words(text_of_step(step(problem))) == said


def test_a_message_is_quoted_as_it_was_stored() -> None:
    assert unpacked_steps(packed_steps([step(message=REFUSAL)]), 0) == [step(message=REFUSAL)]
    assert text_of_step(step(message=REFUSAL)) == message_in_words(REFUSAL) == REFUSAL


def test_a_problem_that_only_another_release_knows_is_quoted() -> None:
    later = orjson.dumps([[5, "unschedulable", "shop/web", "", None, 0, 0, 0, [], {"kind": "Later", "pods": 3}, ""]])

    [found] = unpacked_steps(zlib.compress(later), 0)

    assert found.problem == Quoted("{'kind': 'Later', 'pods': 3}")
